// Results contain neither NaN nor infinity, even if numbers of the source overflow.
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { FiniteNumbers } from '../../../web/src/convert/common/finite.ts';
import type { RigFile } from '../../../web/src/core/index.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { makePsk } from '../../support/actorx.ts';
import { castFile, model, triangle } from '../../support/castFile.ts';
import { scaledTriangle } from '../../support/castRigs.ts';
import { converted, parse } from '../../support/convertedPoses.ts';
import { complaints } from '../../support/gltf.ts';

const HUGE = 2e38;
const TARGETS = ['psk', 'psa', 'se', 'uemodel', 'cast', 'vgo', 'glb', 'json', 'csv'] as const;

/**
 * Returns an arm with numbers that overflow if they are multiplied, for example to convert them to
 * centimetres.
 */
async function hugeArm(): Promise<RigFile> {
  const base = armScene();
  const [mesh] = base.meshes;
  const positions = mesh!.positions.map((value, i) => (i === 3 ? HUGE : value));
  const translations = base.nodes.translations.slice();
  translations.set([HUGE, 1, 0], 6);
  const scales = base.nodes.scales.map((value, i) => (i >= 3 && i < 6 ? 1e30 : value));
  const moves = [
    track({ target: 'up/per', path: 'translation', times: f32(0, 1), values: f32(0, 1, 0, HUGE, HUGE, 0) }),
    track({ target: 'low.er', path: 'scale', times: f32(0, 1), values: f32(1, 1, 1, HUGE, 1, 1) }),
  ];
  const opened = await parse('side.cast', scaledTriangle([1, 1, 1]));
  const scene = armScene({
    meshes: [{ ...mesh!, positions }],
    nodes: { ...base.nodes, translations, scales },
    clips: [clip('grow', 1, ...moves)],
    features: [],
  });
  return { ...opened, format: 'vgo', name: 'arm.vgo', scene };
}

describe('numbers that overflow', () => {
  it.each(TARGETS)('become 0 as %s, which is reported, and the result opens without an error', async to => {
    const { made } = await converted([await hugeArm()], to, [0, 1]);
    for (const { name, bytes } of made.files) {
      if (/\.(psk|psa|semodel|seanim|cast|vgo)$/.test(name)) {
        const { report } = await parse(name, bytes);
        expect([name, report.items.filter(({ severity }) => severity === 'error')]).toEqual([name, []]);
      } else if (name.endsWith('.glb')) expect((await complaints(bytes)).filter(text => !text.startsWith('NODE_'))).toEqual([]);
      else expect(new TextDecoder().decode(bytes)).not.toMatch(/NaN|Infinity|null/);
    }
    if (['psk', 'psa', 'se', 'uemodel'].includes(to)) expect(made.report.items.map(({ code }) => code)).toContain('NUMBERS_REPAIRED');
  });

  it('are reported for a model without animations', async () => {
    const file = await hugeArm();
    for (const to of ['psk', 'se', 'uemodel'] as const) {
      const { report } = await convert([{ ...file, scene: { ...file.scene!, clips: [] } }], { to });
      expect(report.items.map(({ code }) => code)).toContain('NUMBERS_REPAIRED');
    }
  });

  it('are counted and replaced: a number by 0, a rotation by the identity', () => {
    const numbers = new FiniteNumbers();
    expect([1, NaN, 1e39, -Infinity].map(value => numbers.one(value))).toEqual([1, 0, 0, 0]);
    expect(numbers.vector([1, NaN, 2])).toEqual([1, 0, 2]);
    expect([numbers.rotation([0, 0, 1, 0]), numbers.rotation([0, NaN, 0, 1])]).toEqual([
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
    const fine = f32(1, 2);
    expect([numbers.column(fine) === fine, [...numbers.column(f32(1, NaN, 2))]]).toEqual([true, [1, 0, 2]]);
    expect(numbers.count).toBe(3 + 1 + 4 + 1);
  });

  it('are reported for keys that are created when the file is read', async () => {
    const opened = await parse('side.cast', scaledTriangle([1, 1, 1]));
    const moves = track({ target: 'up/per', path: 'translation', times: f32(0, 1), values: f32(0, 1, 0, HUGE, 1, 0) });
    const scene = armScene({ clips: [clip('far', 1, moves)], features: [] });
    const made = await convert([{ ...opened, scene }], { to: 'psa' });
    expect(made.report.items.filter(({ code }) => code === 'NUMBERS_REPAIRED')).toMatchObject([{ path: 'far', amount: 1 }]);
    const { report } = await parse(made.files[0]!.name, made.files[0]!.bytes);
    expect(report.items.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('are not reported for numbers in range', async () => {
    const opened = await parse('side.cast', scaledTriangle([1, 1, 1]));
    for (const to of ['psk', 'se', 'uemodel', 'cast', 'glb', 'vgo'] as const) {
      const { report } = await convert([{ ...opened, scene: armScene({ features: [] }) }], { to });
      expect(report.items.map(({ code }) => code)).not.toContain('NUMBERS_REPAIRED');
    }
  });
});

it('a PSK without visible faces is not written, because readers treat it as damaged', async () => {
  const [mesh] = armScene().meshes;
  const opened = await parse('side.cast', scaledTriangle([1, 1, 1]));
  for (const indices of [Uint16Array.of(0, 0, 1), Uint16Array.of()]) {
    const flat = { ...mesh!, indices, groups: [{ start: 0, count: indices.length, material: 0 }] };
    const source = { ...opened, scene: armScene({ meshes: [flat], features: [], clips: [] }) };
    await expect(convert([source], { to: 'psk' })).rejects.toMatchObject({ code: 'MESH_MISSING' });
    const { files, report } = await convert([{ ...source, scene: { ...source.scene, clips: armScene().clips } }], { to: 'psk' });
    expect(files.map(({ name }) => name)).toEqual(['side.psa', 'side.config']);
    expect(report.items.map(({ code }) => code)).toContain('MESH_EMPTY');
  }
});

describe('missing normals of the source', () => {
  const computed = async (name: string, bytes: Uint8Array, to: (typeof TARGETS)[number]): Promise<number> => {
    const { report } = await convert([await parse(name, bytes)], { to });
    return report.items.filter(({ code }) => code === 'NORMALS_COMPUTED').reduce((sum, { amount }) => sum + amount, 0);
  };

  it.each(['psk', 'se', 'uemodel', 'cast', 'vgo', 'glb'] as const)('are reported as %s, and existing normals are not', async to => {
    expect(await computed('a.psk', makePsk(), to)).toBe(1);
    expect(await computed('a.psk', makePsk({ hasNormals: true }), to)).toBe(0);
    expect(await computed('a.cast', castFile(model('a', triangle('side'))), to)).toBe(1);
    expect(await computed('a.cast', scaledTriangle([1, 1, 1]), to)).toBe(0);
  });

  it('are not reported for a table', async () => {
    expect(await computed('a.psk', makePsk(), 'json')).toBe(0);
  });
});
