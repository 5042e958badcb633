// Converts files to Cast and reads the results. All data that the report does not list is
// unchanged.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { framesOf } from '../../../web/src/convert/common/frames.ts';
import { ReportBuilder } from '../../../web/src/convert/common/report.ts';
import { type Clip, type Mesh, open, type RigFile } from '../../../web/src/core/index.ts';
import { differences, farthestCorner, plain } from '../../support/sameScene.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const data = (path: string): string => join(root, 'tests/data', path);
const demo = (path: string): string => join(root, 'web/src/viewer/demo', path);
const corpus = join(root, '../shared/corpus');

/**
 * Opens a Cast file. Faces that point in the opposite direction of their normals are not flipped.
 */
const parse = (name: string, bytes: Uint8Array): Promise<RigFile> =>
  open(bytes, { name, worker: false, formatOptions: { cast: { winding: 'file' } } });

function read(path: string): Promise<RigFile> {
  const companions = ({ name }: { name: string }): Uint8Array | null => {
    const beside = join(dirname(path), basename(name));
    return existsSync(beside) ? readFileSync(beside) : null;
  };
  return open(readFileSync(path), { name: basename(path), worker: false, companions });
}

async function asCast(files: readonly RigFile[], options: Partial<ConvertOptions> = {}): Promise<{ file: RigFile; made: Conversion }> {
  const made = await convert(files, { to: 'cast', ...options });
  const [first] = made.files;
  return { file: await parse(first!.name, first!.bytes), made };
}

const codes = ({ report }: Conversion): string[] => [...new Set(report.items.map(({ code }) => code))].sort();

/** Members to ignore, because they contain the name of the program that wrote the file. */
const LABELS = new Set(['generator']);

describe('Cast from Cast', () => {
  it.each(['Tock.cast', 'Isle.cast', 'Tree.cast', 'Sheep.cast', 'Cottage.cast'])('%s results in the same scene', async name => {
    const file = await read(demo(name));
    const { file: again, made } = await asCast([file]);
    expect(again.report.items.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(differences(plain(file.scene!), plain(again.scene!), LABELS)).toEqual([]);
    expect(codes(made).filter(code => code !== 'IMAGES_BY_PATH')).toEqual([]);
  });

  it('keeps all data that Cast can store', async () => {
    const file = await read(data('cast/everything.cast'));
    const { file: again, made } = await asCast([file]);
    expect(differences(plain(file.scene!), plain(again.scene!), LABELS)).toEqual([]);
    expect(codes(made)).toEqual([]);
  });
});

describe('Cast from other formats', () => {
  it.each([
    ['a PSK with the motions of a PSA', [data('unreal/arm.psk'), data('unreal/arm-motions.psa')]],
    ['a demo PSK with its motions', [demo('Pip.psk'), demo('Pip.psa')]],
    ['a PSK with one bone per vertex', [data('unreal/arm-plain.psk')]],
    ['a PSKX', [data('unreal/arm-static.pskx')]],
    ['a VGO', [data('vgo/puppet.vgo')]],
    ['a left-handed VGO', [data('vgo/puppet-lh-tl-2.4-bson.vgo')]],
    ['a demo avatar', [demo('Lotl.vgo')]],
    ['an SEModel with its motion', [data('se/arm.semodel'), data('se/absolute.seanim')]],
    ['an SEModel with a relative animation', [data('se/arm.semodel'), data('se/relative.seanim')]],
  ])('%s has the same shape and animations', async (_, paths) => {
    const [model, ...motions] = await Promise.all(paths.map(read));
    const { file } = await asCast([model!, ...motions]);
    const scene = { ...model!.scene!, clips: [model!, ...motions].flatMap(({ scene }) => scene?.clips ?? []) };
    expect(file.scene!.clips.map(({ name, loop, duration }) => [name, loop, duration.toFixed(4)])).toEqual(
      scene.clips.map(({ name, loop, duration }) => [name, loop, Math.max(duration, 1 / 30).toFixed(4)]), // clips with a single key get the duration of one frame
    );
    expect(farthestCorner({ ...model!, scene }, file, scene.nodes.scales[0])).toBeLessThan(1e-4);
  });
});

describe('data that Cast cannot store', () => {
  it('is reported, with every kind of data', async () => {
    const { made } = await asCast([await read(data('vgo/puppet.vgo'))]);
    expect(codes(made)).toEqual(
      expect.arrayContaining(['NODES_AS_BONES', 'NOT_SAID', 'MATERIAL_WORDS_LOST', 'PROPERTY_TRACKS_LOST', 'CURVES_SAMPLED']),
    );
    expect(made.report.items).toContainEqual(expect.objectContaining({ code: 'NOT_SAID', path: 'expressions' }));
    await expect(convert([await read(data('vgo/puppet.vgo'))], { to: 'cast', strict: true })).rejects.toThrow(/NOT_SAID/);
  });

  it('includes normals, colours and morph targets with the same name', async () => {
    const file = await read(demo('Tock.cast'));
    const scene = file.scene!;
    const painted = scene.meshes.map((mesh, i) =>
      i > 0 ? mesh : { ...mesh, colorsAreMaterial: true, colors: [{ name: 'c0', values: new Uint8Array(4 * mesh.vertexCount) }] },
    );
    const changed = { ...scene, hints: { ...scene.hints, directXNormals: true }, meshes: painted };
    const made = await convert([{ ...file, format: 'psk', scene: changed }], { to: 'cast' });
    expect(made.report.items.find(({ code }) => code === 'MATERIAL_WORDS_LOST')?.detail).toContain('green channel of normals');
    expect(made.report.items).toContainEqual(expect.objectContaining({ code: 'COLORS_AS_DATA', amount: 1 }));
  });

  it('includes curves of a morph target whose name several meshes use', async () => {
    const scene = (await read(demo('Tock.cast'))).scene!;
    const clip = scene.clips[0]!;
    const [first] = [...clip.tracks];
    const smiling = {
      ...first!,
      path: 'weight',
      property: 'smile',
      target: 'Face',
      interpolation: 'linear',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 1),
    };
    const face = { ...scene.meshes[0]!, morphs: [{ name: 'smile' }] } as Mesh;
    const codesOf = (meshes: Mesh[]): string[] => {
      const report = new ReportBuilder();
      framesOf({ ...clip, tracks: [smiling] } as unknown as Clip, 'Wave', { ...scene, meshes }, report);
      return report.entries.map(({ code }) => code);
    };
    expect(codesOf([face])).not.toContain('SHAPE_SPREAD');
    expect(codesOf([face, face])).toContain('SHAPE_SPREAD');
  });

  it('leaves out curves of further bones with the same name, which would replace those of the first', async () => {
    const scene = (await read(demo('Tock.cast'))).scene!;
    const clip = scene.clips[0]!;
    const track = [...clip.tracks].find(({ path }) => path === 'rotation')!;
    const framed = (occurrences: number[]) => {
      const report = new ReportBuilder();
      const tracks = occurrences.map(occurrence => ({ ...track, occurrence }));
      const { curves } = framesOf({ ...clip, tracks } as unknown as Clip, 'Wave', scene, report);
      return { curves, lost: report.entries.filter(({ code }) => code === 'TRACKS_AMBIGUOUS').map(({ amount }) => amount) };
    };
    const { curves } = framed([0]);
    expect(curves.length).toBeGreaterThan(0);
    expect(framed([0, 1, 2])).toEqual({ curves, lost: [2] });
  });

  it('is only the unit for SEModel, and reading the Cast file restores the scale', async () => {
    const source = await read(data('se/arm.semodel'));
    const { made } = await asCast([source]);
    expect(made.report.items).toContainEqual(expect.objectContaining({ code: 'UNIT_UNSAID', path: '', amount: 0.01, detail: '' }));
    const again = await open(made.files[0]!.bytes, { name: 'arm.cast', worker: false, formatOptions: { cast: { unit: 0.01 } } });
    expect(again.scene!.nodes.scales[0]).toBeCloseTo(0.01);
    expect(again.scene!.asset.upAxis).toBe('z');
  });

  it('includes keys before time 0, but keeps the pose at 0', async () => {
    const file = await read(demo('Tock.cast'));
    const [clip] = file.scene!.clips;
    const tracks = [...clip!.tracks].map(track => ({ ...track, times: track.times.map(time => time - 0.5) }));
    const early = {
      ...clip!,
      start: -0.5,
      tracks: { length: tracks.length, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks.values() },
    };
    const { file: again, made } = await asCast([{ ...file, scene: { ...file.scene!, clips: [early] } }]);
    expect(made.report.items).toContainEqual(expect.objectContaining({ code: 'PREROLL_CUT', amount: 0.5 }));
    for (const track of again.scene!.clips[0]!.tracks) expect(track.times[0]).toBe(0);
  });

  it('embedded images are written as files beside the result and found again', async () => {
    const { file, made } = await asCast([await read(data('vgo/puppet.vgo'))], { name: 'puppet' });
    const names = made.files.slice(1).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.every(name => /^puppet_.+\.(png|jpg)$/.test(name))).toBe(true);
    expect(file.scene!.images.map(({ path }) => path)).toEqual(expect.arrayContaining(names));
  });
});

/** Returns the files of the corpus that are smaller than 5 MB and have one of the endings. */
function filesOf(...endings: string[]): string[] {
  if (!existsSync(corpus)) return [];
  return readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter(name => endings.some(ending => name.toLowerCase().endsWith(ending)))
    .map(name => join(corpus, name))
    .filter(path => statSync(path).size < 5e6)
    .sort();
}

/** For each code of the report, the differences between the scenes that it explains. */
const EXCUSES: Readonly<Record<string, RegExp>> = {
  PROPERTIES_LOST: /properties/,
  MATERIAL_WORDS_LOST: /^\.materials/,
  INSTANCES_LOST: /instances|references/,
  HIDDEN_SHOWN: /visible/,
};

describe('the corpus', () => {
  const cast = filesOf('.cast');
  /**
   * Differences that every conversion may cause: the colour layer of old files gets another name,
   * and an empty morph target gets one vertex.
   */
  const FORM = /\.colors\.0\.name: "vc"|\.morphs\.\d+\.(vertices|positions): 0 and/;

  it.skipIf(cast.length === 0)('keeps the scenes of all Cast files (needs ../shared/corpus)', { timeout: 120_000 }, async () => {
    const bad: string[] = [];
    for (const path of cast) {
      const file = await read(path);
      if (!file.scene) continue;
      const result = await asCast([file]).catch((error: Error) => error.message);
      if (typeof result === 'string') {
        if (!/can be converted|nothing to convert/.test(result)) bad.push(`${path}: ${result}`);
        continue;
      }
      const excuses = [FORM, ...codes(result.made).flatMap(code => EXCUSES[code] ?? [])];
      const found = differences(plain(file.scene), plain(result.file.scene!), LABELS).filter(
        line => !excuses.some(each => each.test(line)),
      );
      if (found.length > 0) bad.push(`${path.slice(corpus.length)} (${codes(result.made).join()}): ${found.slice(0, 4).join('; ')}`);
    }
    expect(bad).toEqual([]);
  });

  const others = filesOf('.psk', '.pskx', '.vgo', '.semodel').filter((path, i) => i % 3 === 0 && statSync(path).size < 1e6);
  it.skipIf(others.length === 0)(
    'of other formats looks and moves the same as Cast (needs ../shared/corpus)',
    { timeout: 300_000 },
    async () => {
      const bad: string[] = [];
      for (const path of others) {
        const file = await read(path);
        if (!file.scene || file.scene.renderers.length === 0) continue;
        try {
          const { file: again, made } = await asCast([file]);
          const off = farthestCorner(file, again, file.scene.nodes.scales[0]);
          if (!(off < (codes(made).includes('CURVES_SAMPLED') ? 1e-3 : 1e-4)))
            bad.push(`${path.slice(corpus.length)} (${codes(made).join()}): ${off} m`);
        } catch (error) {
          bad.push(`${path.slice(corpus.length)}: ${(error as Error).message}`);
        }
      }
      expect(bad).toEqual([]);
    },
  );
});
