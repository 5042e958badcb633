// Converts small hostile files to all targets. The size of the results and the amount of work stay
// in proportion to the source. Work is measured by counting evaluations, not by time.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Budget, sizeOf } from '../../../web/src/convert/common/budget.ts';
import { type Conversion, ConversionError, convert, type ConvertOptions, LossError, TARGETS } from '../../../web/src/convert/index.ts';
import { ReportBuilder, type ReportEntry } from '../../../web/src/convert/common/report.ts';
import { summarized } from '../../../web/src/convert/losses.ts';
import { allCodes } from '../../../web/src/convert/targets.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { CurveCursor } from '../../../web/src/rig/curve.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { WorldMatrices } from '../../../web/src/rig/world.ts';
import type { TrackMode } from '../../../web/src/core/types.ts';
import { FileInstances } from '../../../web/src/three/instances/instanceSources.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { castFile, instance, model, triangle } from '../../support/castFile.ts';
import { readGlb } from '../../support/gltf.ts';
import { hostile, hostileToConvert, type Row } from '../../support/hostile.mjs';

const megabyte = 2 ** 20;

/** Counts the calls of a method on all instances of a class. */
function counted<K extends string>(of: { prototype: Record<K, (...args: never[]) => unknown> }, name: K): { calls: number } {
  const count = { calls: 0 };
  const own = of.prototype[name];
  of.prototype[name] = function (this: unknown, ...args: never[]) {
    count.calls++;
    return own.apply(this, args);
  };
  return count;
}
const curves = counted(CurveCursor, 'evaluate');
const poses = counted(Layer, 'apply');
const worlds = counted(WorldMatrices, 'update');

const rowOf = (what: string): Row => [...hostileToConvert, ...hostile].find(row => row.what === what)!;

function fileOf(what: string, n: number): Promise<RigFile> {
  const { name, bytes } = rowOf(what).make(n);
  return open(bytes, { name, worker: false });
}

/**
 * Returns the size of the results in bytes, the number of evaluations, and the length of the report
 * as JSON.
 */
async function costOf(file: RigFile, options: ConvertOptions) {
  curves.calls = poses.calls = worlds.calls = 0;
  let bytes = 0;
  let report: readonly ReportEntry[] = [];
  try {
    const made = await convert([file], options);
    report = made.report.items;
    for (const each of made.files) for (const { length } of each.pieces()) bytes += length;
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
  }
  const nodes = file.scene?.nodes.length ?? 0;
  return { bytes, evaluations: curves.calls + poses.calls + nodes * worlds.calls, report: JSON.stringify(report).length };
}

describe.each([...hostileToConvert, ...hostile.filter(({ few, task }) => few && task !== 'outline')])(
  '$what',
  ({ what, few = 0, make }) => {
    let file: RigFile;
    beforeAll(async () => (file = await fileOf(what, few)));

    it.each(TARGETS.filter(to => to !== 'gltf'))('converts to %s with work in proportion to the size of the file', async to => {
      const size = make(few).bytes.length;
      // The limit is lower than the default, so that small files suffice to detect work that
      // exceeds it.
      const limit = megabyte + 24 * size;
      const { bytes, evaluations, report } = await costOf(file, { to, maxOutput: limit });
      expect(bytes).toBeLessThanOrEqual(limit);
      expect(evaluations).toBeLessThan(1000 + limit / 3);
      expect(report).toBeLessThan(megabyte / 4 + 2 * size);
    });
  },
);

/** Returns a file with an animation of three keys with tangents, at 30 frames per second. */
const swaying = (mode: TrackMode = 'absolute'): RigFile =>
  ({
    name: 'arm',
    format: 'vgo',
    byteLength: 0,
    scene: armScene({
      clips: [
        clip(
          'sway',
          1,
          track({
            target: 'low.er',
            path: 'translation',
            times: f32(0, 0.3, 1),
            values: f32(0, 0, 0, 1, 0, 0, 0, 1, 0),
            interpolation: 'hermite',
            tangents: f32(...Array.from({ length: 18 }, (_, i) => (i % 3 === 0 ? 6 : -4))),
            mode,
          }),
        ),
      ],
    }),
    report: { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] },
    needs: [],
  }) as never;

const data = (name: string): Promise<RigFile> =>
  open(new Uint8Array(readFileSync(new URL(`../../data/${name}`, import.meta.url))), { name: basename(name), worker: false });
const textOf = ({ files }: Conversion): string => new TextDecoder().decode(files[0]!.bytes);
const limits = ({ report }: Conversion): [path: string, detail: string][] =>
  report.items.flatMap(({ code, path, detail }) => (code === 'WORK_LIMIT' ? [[path, detail]] : []));
const again = async ({ files }: Conversion, ending = ''): Promise<RigFile> => {
  const file = files.find(({ name }) => name.endsWith(ending))!;
  return open(file.bytes, { name: file.name, worker: false });
};

describe('Budget', () => {
  it('is 64 MB plus 24 times the sources by default, or the value of `maxOutput`', () => {
    const budget = new Budget();
    budget.admit(1000);
    expect(budget.limit).toBe(64 * megabyte + 24_000);
    const own = new Budget(5000);
    own.admit(1000);
    expect(own.limit).toBe(5000);
  });

  it('lets optional work use at most half of the limit', () => {
    const budget = new Budget(100);
    expect([51, 50, 1].map(bytes => budget.affordMore(bytes))).toEqual([false, true, false]);
    expect([51, 50].map(bytes => budget.afford(bytes))).toEqual([false, true]);
    expect(() => budget.spend(1)).toThrow(ConversionError);
    expect(budget.spent).toBe(100);
  });

  it('refunds the bytes of an animation that is left out, up to the limit in total', () => {
    const budget = new Budget(100);
    const report = new ReportBuilder(budget);
    const make = (...parts: number[]): boolean | null =>
      report.attempt('a', () => {
        for (const part of parts) budget.spend(part);
        return true;
      });
    expect([make(60, 60), make(40), make(60), make(1)]).toEqual([null, true, true, null]);
    const other = new ReportBuilder(new Budget(100));
    const fail = (): unknown =>
      other.attempt('a', () => {
        other.budget.spend(60);
        other.budget.spend(60);
      });
    expect([fail(), other.budget.spent, fail(), other.budget.spent]).toEqual([null, 0, null, 60]);
  });

  it('counts companion files as sources', async () => {
    const file = await data('vgo/puppet-elsewhere.vgo');
    const resource = readFileSync(new URL('../../data/vgo/puppet-elsewhere.bin', import.meta.url));
    const whole = await file.supply(new Map([['puppet-elsewhere.bin', new Uint8Array(resource)]]));
    expect([sizeOf(file), sizeOf(whole)]).toEqual([file.byteLength, file.byteLength + resource.length]);
  });

  it('counts the vertices and keys of scenes that were not read from a file', async () => {
    const file = await data('unreal/arm-plain.psk');
    const scene = { ...file.scene! };
    expect(sizeOf({ ...file, scene })).toBeGreaterThanOrEqual(file.byteLength + scene.meshes[0]!.positions.byteLength);
  });

  it('counts a model once per file of a split result, and counts all instanced files', async () => {
    const admit = vi.spyOn(Budget.prototype, 'admit');
    const admitted = (): number => admit.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
    const file = await fileOf('cast-clips', 3);
    await convert([file], { to: 'glb', split: true });
    expect(admitted()).toBe(4 * file.byteLength);
    admit.mockClear();
    const crate = castFile(model('crate', triangle('box')));
    const world = await open(castFile(instance('crate.cast')), { name: 'world.cast', worker: false });
    await convert([world], { to: 'glb', instances: new FileInstances(new Map([['crate.cast', crate]])), open: { worker: false } });
    expect(admitted()).toBe(world.byteLength + crate.length);
    admit.mockRestore();
  });

  it.each(['glb', 'cast', 'se', 'psk', 'vgo'] as const)('does not count images as results: %s', async to => {
    const file = swaying();
    const bytes = new Uint8Array(200_000).fill(7);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1]);
    const texture = { name: 'skin', image: 0, offset: [0, 0], scale: [1, 1], uvSet: 0, wrapU: 'repeat', wrapV: 'repeat', srgb: true };
    const materials = file.scene!.materials.map(material => ({
      ...material,
      slots: [{ slot: 'baseColor', source: 'skin.png', texture: 0 }],
    }));
    const scene = {
      ...file.scene!,
      clips: [],
      materials,
      images: [{ name: 'skin.png', mimeType: 'image/png', bytes }],
      textures: [texture],
    };
    const { files } = await convert([{ ...file, scene } as never], { to, maxOutput: 100_000 });
    expect(files.reduce((sum, each) => sum + each.bytes.length, 0)).toBeGreaterThan(200_000);
  });

  it('rejects a limit that is not above 0', async () => {
    const refused = convert([await fileOf('cast-far', 1)], { to: 'csv', maxOutput: 0 });
    await expect(refused).rejects.toThrow(TypeError);
  });
});

describe('an animation above the limit', () => {
  it('has a row per key in a table, which `strict` rejects', async () => {
    const file = await fileOf('cast-far', 3);
    const csv = await convert([file], { to: 'csv' });
    const rows = textOf(csv)
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.split(','));
    expect(rows.map(([, time, node, x]) => [Number(time), node, Number(x)])).toEqual(
      [...[0, 1, 2].map(bone => [0, `b${bone}`, 0]), ...[1, 2, 2].map((x, bone) => [33333.332031, `b${bone}`, x])].map(
        ([time, node, x]) => [expect.closeTo(time as number, 2), node, x],
      ),
    );
    expect(limits(csv)).toEqual([['c0', '2 key times instead of 1000000 frames']]);
    const json = JSON.parse(textOf(await convert([file], { to: 'json' }))) as { motions: { times: number[] }[] };
    expect(json.motions[0]!.times).toHaveLength(2);
    await expect(convert([file], { to: 'csv', strict: true })).rejects.toBeInstanceOf(LossError);
  });

  it('is left out if the target stores every frame, and the other animations are kept', async () => {
    const motions = await data('unreal/arm-motions.psa');
    const sources = [await data('unreal/arm-plain.psk'), motions];
    const whole = await again(await convert(sources, { to: 'psa' }), '.psa');
    const made = await convert(sources, { to: 'psa', maxOutput: 900 });
    const left = limits(made).map(([name]) => name);
    const kept = (await again(made, '.psa')).scene!.clips.map(({ name }) => name);
    expect(left.length).toBeGreaterThan(0);
    expect(kept.length).toBeGreaterThan(0);
    expect([...kept, ...left].sort()).toEqual(whole.scene!.clips.map(({ name }) => name).sort());
    expect(limits(made).every(([, detail]) => detail === 'left out')).toBe(true);
    // Other entries about the animations that were left out were removed from the report.
    expect(made.report.items.filter(({ path, code }) => left.includes(path) && code !== 'WORK_LIMIT')).toEqual([]);
  });

  it.each(['psa', 'csv', 'json', 'glb', 'cast', 'se'] as const)('rejects if nothing else would be written as %s', async to => {
    const file = await fileOf('cast-far', 2);
    await expect(convert([file], { to, maxOutput: 100 })).rejects.toMatchObject({ code: 'WORK_LIMIT' });
  });

  it('has the frame rate of the file in a PSA instead of 120 frames per second', async () => {
    const dense = await convert([swaying()], { to: 'psa' });
    const own = await convert([swaying()], { to: 'psa', maxOutput: 6000 });
    const rates = await Promise.all([dense, own].map(async made => (await again(made, '.psa')).scene!.clips[0]!.frameRate));
    expect(rates).toEqual([120, 30]);
    expect(limits(own)).toEqual([['sway', '1 curves have values at 30 frames per second only']]);
    expect(limits(dense)).toEqual([]);
  });

  it.each([
    ['cast', 4500, 'absolute', 'only at their keys', 3],
    ['se', 2500, 'absolute', 'only at their keys', 3],
    ['glb', 6000, 'additive', undefined, 12],
    ['vgo', 9000, 'additive', undefined, 12],
  ] as const)('has fewer keys in %s', async (to, maxOutput, mode, where, most) => {
    const ending = to === 'se' ? '.seanim' : to;
    const keysOf = async (made: Conversion): Promise<number> => {
      if (to === 'glb') return (await readGlb(made.files[0]!.bytes)).animations[0]!.tracks[0]!.times.length;
      const [track] = (await again(made, ending)).scene!.clips[0]!.tracks;
      return track!.times.length;
    };
    expect(await keysOf(await convert([swaying(mode)], { to }))).toBeGreaterThan(30);
    const sparse = await convert([swaying(mode)], { to, maxOutput });
    expect(limits(sparse)).toEqual([['sway', where ? `1 curves have values ${where}` : '1 curves have few samples between their keys']]);
    expect(await keysOf(sparse)).toBeLessThanOrEqual(most);
    expect(await keysOf(sparse)).toBeGreaterThanOrEqual(3);
  });

  it('has only its own keys in recordings', async () => {
    const file = await fileOf('mrtk-far', 86_400);
    const mrtk = await convert([file], { to: 'mrtk' });
    expect(limits(mrtk)).toEqual([['x', expect.stringMatching(/^\d+ curves have values only at their keys$/)]]);
    const iwer = JSON.parse(textOf(await convert([file], { to: 'iwer' }))) as { frames: [number][] };
    expect(iwer.frames.map(([time]) => time)).toEqual([0, 86_400_000]);
  });
});

describe('the conversion report', () => {
  it('shortens very long names without splitting a character', () => {
    const report = new ReportBuilder();
    report.add('MESH_EMPTY', `${'x'.repeat(399)}😀${'y'.repeat(1e6)}`, 1, 'z'.repeat(1e6));
    report.add('MESH_EMPTY', 'x'.repeat(400), 1);
    expect(report.entries.map(({ path, detail }) => [path, detail])).toEqual([
      [`${'x'.repeat(399)}…`, `${'z'.repeat(400)}…`],
      ['x'.repeat(400), ''],
    ]);
  });

  it('combines the entries of a code after the first thousand', () => {
    const entries = (code: string): ReportEntry[] =>
      Array.from({ length: 1003 }, (_, i) => ({ code, path: `${i}`, amount: i, detail: '' }));
    const made = summarized([...entries('MESH_EMPTY'), ...entries('CLIP_BAKED')], allCodes);
    expect(made).toHaveLength(2002);
    expect(made.slice(2000)).toEqual([
      { code: 'MESH_EMPTY', path: '', amount: 1000 + 1001 + 1002, detail: '3 more entries' },
      { code: 'CLIP_BAKED', path: '', amount: 1002, detail: '3 more entries' },
    ]);
  });

  it('lists equal losses of two conversions once, and all losses of a single conversion', () => {
    const [all, one, two] = [new ReportBuilder(), new ReportBuilder(), new ReportBuilder()];
    for (const each of [one, one, two]) each.add('MESH_EMPTY', 'a', 1);
    all.merge(one);
    all.merge(two);
    expect(all.entries).toHaveLength(2);
  });
});
