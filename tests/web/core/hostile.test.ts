// Small files that are expensive to read: costs are counted, not timed. The cost of reading is
// proportional to the size of the file.
import { beforeAll, describe, expect, test } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { openStream } from '../../../web/src/core/input.ts';
import { runJob, type Job } from '../../../web/src/core/instance.ts';
import { NodeNames } from '../../../web/src/core/names.ts';
import { open, readOutline } from '../../../web/src/core/open.ts';
import type { Wasm } from '../../../web/src/core/wasm.ts';
import { wasmFrom } from '../../../web/src/core/wasm.ts';
import { hostile, vgoOfLayout, type Row } from '../../support/hostile.mjs';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const megabyte = 2 ** 20;

let wasm: Wasm;
beforeAll(async () => {
  wasm = wasmFrom();
});

const rowOf = (what: string): Row => hostile.find(row => row.what === what)!;

async function costOf({ make, task }: Row, n: number) {
  const { name, bytes, supplied = [] } = make(n);
  const companions = supplied.map(([kind, name, content]) => ({ kind, name, bytes: new TextEncoder().encode(content) }));
  const job: Job = {
    task: task === 'outline' ? 'outline' : 'scene',
    name,
    format: '',
    options: '{}',
    strict: false,
    tangents: false,
    maxMemory: 0,
    maxWork: 0,
    supplied: companions,
  };
  const { text, cost } = await runJob(wasm, job, openStream(bytes));
  const { scene, outline, report } = JSON.parse(text) as { scene?: unknown; outline?: unknown[]; report: { errors: number } };
  return {
    size: companions.reduce((size, companion) => size + companion.bytes.length, bytes.length),
    ...cost,
    isAnswered: Boolean(scene) || (outline?.length ?? 0) > 0 || report.errors > 0,
    report: JSON.stringify(report).length,
  };
}

describe.each(hostile.filter(({ few }) => few))('$what', row => {
  test('costs at most a constant plus a multiple of its bytes', async () => {
    const few = row.few!;
    const [half, full] = [await costOf(row, few), await costOf(row, 2 * few)];
    expect(full.isAnswered).toBe(true);
    expect(full.memory).toBeLessThan(64 * megabyte + 24 * full.size);
    expect(full.report).toBeLessThan(megabyte / 4 + full.size / 4);
    expect(full.steps).toBeLessThanOrEqual(4 * megabyte + 4 * full.size);
    // Quadratic results grow until the budget is used up. All others grow in proportion to the
    // file, plus a constant.
    const growth = full.size / half.size;
    if (!row.isProduct) {
      expect(full.steps).toBeLessThan(1.3 * growth * half.steps + 1000);
      expect(full.allocated).toBeLessThan(1.3 * growth * half.allocated + 100_000);
    }
  });
});

test('does not hold a growing list twice', async () => {
  const { size, memory, allocated } = await costOf(rowOf('vgo-json-empty-lists'), 2 ** 18 + 5000);
  expect(memory).toBeLessThan(14 * size);
  expect(allocated).toBeLessThan(14 * size);
});

test('limits the heap to maxMemory for any file', async () => {
  for (const what of ['psk-many-morphs-on-one-point', 'psk-weights-many-bones', 'vgo-json-zeros']) {
    const row = rowOf(what);
    const { name, bytes } = row.make(what.startsWith('vgo') ? 400_000 : 2000);
    const maxMemory = bytes.length + 8 * megabyte;
    const { heapSize } = await runJob(
      wasm,
      { task: 'scene', name, format: '', options: '{}', strict: false, tangents: false, maxMemory, maxWork: 2 ** 40, supplied: [] },
      openStream(bytes),
    );
    expect(heapSize).toBeLessThanOrEqual(maxMemory + 2 * megabyte);
    const file = await open(bytes, { name, maxMemory, maxWork: 2 ** 40 });
    expect(file.scene === null).toBe(file.report.items.some(({ code }) => code === 'OUT_OF_MEMORY'));
  }
});

test('reports what the work limit leaves out, keeps the rest, and reads more with a higher limit', async () => {
  const row = rowOf('psk-many-morphs-on-one-point');
  const { name, bytes } = row.make(1500);
  const file = await open(bytes, { name });
  const limit = file.report.items.find(({ code }) => code === 'WORK_LIMIT')!;
  expect(limit).toMatchObject({ severity: 'error', path: 'MRPHINFO' });
  expect(limit.detail).toMatch(/^t\d+: 1500 vertices on 1 points$/);
  const given = file.scene!.meshes[0]!.morphs.length;
  expect(given + limit.count).toBe(1500);
  expect(given).toBeGreaterThan(500);
  const whole = await open(bytes, { name, maxWork: 1e9, maxMemory: 1e9 });
  expect(whole.report.errors).toBe(0);
  expect(whole.scene!.meshes[0]!.morphs.length).toBe(1500);
});

test('reports sparse data that expands far beyond the file in the outline, and keeps the rest', async () => {
  const { name, bytes } = rowOf('vgo-sparse-accessors').make(2);
  const { outline, report } = await readOutline(bytes, { name });
  expect(report.items).toMatchObject([
    { code: 'WORK_LIMIT', severity: 'error', path: 'accessors[1]', detail: '64000000 bytes of data' }, // beside the first
    { code: 'WORK_LIMIT', severity: 'error', path: 'accessors[0]', detail: '64000000 bytes of data' },
  ]);
  const accessors = outline.find(({ kind }) => kind === 'RAPJ')!.children;
  expect(accessors.map(({ fields }) => fields.length)).toEqual([0, 0, 1]); // the third is the node's own matrix
});

test('shares the data of a cloth, particle system or collider between nodes', async () => {
  for (const [what, kind] of [
    ['vgo-shared-cloth', 'cloth'],
    ['vgo-shared-particle', 'particleSystem'],
    ['vgo-shared-collider', 'collider'],
  ] as const) {
    const { name, bytes } = rowOf(what).make(50);
    const file = await open(bytes, { name });
    const features = file.scene!.features.filter(feature => feature.kind === kind);
    expect(features.map(({ node }) => node)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(features.map(feature => feature.name)).toEqual(Array.from({ length: 50 }, () => 'c'));
    expect(features[49]!.properties!['zzz']).toHaveLength(50);
    expect(new Set(features.map(({ properties }) => properties)).size).toBe(1);
    expect(features.some(feature => 'same' in feature)).toBe(false);
  }
});

test('shares a derived skin between nodes at one position', async () => {
  const skinsOf = async (what: string) => {
    const { name, bytes } = rowOf(what).make(20);
    const { scene, report } = await open(bytes, { name });
    expect(report.errors).toBe(0);
    expect(scene!.renderers.every(({ skin }) => skin !== undefined)).toBe(true);
    return scene!;
  };
  expect((await skinsOf('vgo-skin-joints')).skins).toHaveLength(1);
  const { skins, renderers } = await skinsOf('vgo-skin-places');
  expect(skins).toHaveLength(20);
  // The first joint is at the origin, so its inverse bind matrix moves a vertex to its position in
  // the node.
  expect(renderers.map(({ skin }) => skins[skin!]!.inverseBindMatrices[12])).toEqual(renderers.map(({ node }) => node - 1));
});

test('reports shared data that exceeds the limit when copied per node, and keeps the nodes', async () => {
  for (const [what, path] of [
    ['vgo-shared-light', 'lights[0]'],
    ['vgo-skin-places', 'skins[0]'],
  ] as const) {
    const { name, bytes } = rowOf(what).make(3000);
    const { scene, report } = await open(bytes, { name });
    expect(report.items.find(({ code }) => code === 'WORK_LIMIT')).toMatchObject({ severity: 'error', path });
    expect(what.endsWith('light') ? scene!.lights : scene!.renderers).toHaveLength(3000);
  }
});

test.each([
  ['vgo-shared-bindings', 4000, 'animationClips[0]'],
  ['vgo-placed-textures', 4000, 'textures[0]'],
  ['cast-long-bone', 6000, 'Root[0]/Model[0]/Skeleton[0]/Constraint[0]'],
  ['semodel-layer-names', 60, 'meshes[0]'],
])('copies that %s asks for end with a finding, and the rest is given', async (what, n, path) => {
  const { name, bytes } = rowOf(what).make(n);
  const { scene, report } = await open(bytes, { name });
  const limit = report.items.find(({ code }) => code === 'WORK_LIMIT')!;
  expect(limit.severity).toBe('error');
  expect(limit.path.replace(/\d+\]$/, '0]')).toBe(path);
  expect(scene).not.toBeNull();
  if (what === 'vgo-shared-bindings') {
    // The `clip` of a node whose clip was left out is -1.
    const clips = scene!.features.map(({ properties }) => properties!['clip'] as number);
    expect(clips).toHaveLength(n);
    expect(clips.filter(clip => clip >= 0)).toEqual(Array.from({ length: scene!.clips.length }, (_, i) => i));
    expect(clips.at(-1)).toBe(-1);
  }
});

test('makes joint boxes of a mesh with many skins coarser, never too small', async () => {
  const { name, bytes } = rowOf('vgo-skins-of-one-mesh').make(8000);
  const { skins } = (await open(bytes, { name })).scene!;
  expect(skins).toHaveLength(4000);
  const [exact, coarse] = [skins[0]!, skins.at(-1)!].map(({ jointBoxes }) => jointBoxes);
  for (let axis = 0; axis < 3; axis++) {
    expect(coarse![axis]).toBeLessThan(exact![axis]!);
    expect(coarse![axis + 3]).toBeGreaterThan(exact![axis + 3]!);
  }
});

test('limits the report for names of megabytes', async () => {
  const long = 'x'.repeat(megabyte);
  const bytes = vgoOfLayout({
    nodes: [{ name: long, isRoot: true }],
    materials: Array.from({ length: 4 }, () => ({ name: long, shaderName: long })),
  });
  const file = await open(bytes, { name: 'x.vgo' });
  expect(file.report.items.length).toBeGreaterThan(0);
  expect(JSON.stringify(file.report).length).toBeLessThan(20_000);
  expect(file.scene!.nodes.names).toContain(long); // the scene contains the whole name
  expect((await readOutline(bytes, { name: 'x.vgo' })).report.errors).toBe(0);
});

// Comparing each name with all others would take minutes.
describe('thousands of names', () => {
  const many = 100_000;

  test('that match only by their second spelling are found in linear time', () => {
    const names = new NodeNames({
      length: many + 1,
      names: ['', ...Array<string>(many).fill('BONE')],
      bones: Int32Array.from({ length: many + 1 }, (_, i) => i - 1),
    } as never);
    const targets = Array.from({ length: many }, (_, occurrence) => ({ name: 'bone', occurrence }));
    const found = names.match(targets);
    expect(new Set(found).size).toBe(many);
    expect(found.includes(-1)).toBe(false);
  }, 20_000);

  test('with a common prefix are found in linear time', () => {
    const names = new NodeNames({
      length: many + 1,
      names: ['', ...Array<string>(many).fill('rig:Bone')],
      bones: Int32Array.from({ length: many + 1 }, (_, i) => i - 1),
    } as never);
    const { rows, prefixes } = names.matchWithoutPrefix(
      Array.from({ length: many }, (_, occurrence) => ({ name: 'Bip_bone', occurrence })),
    );
    expect(prefixes).toEqual(['bip_', 'rig:']);
    expect(new Set(rows).size).toBe(many);
  }, 20_000);

  test('of one letter and a megabyte of separators have a limited number of prefixes', () => {
    const name = 'a.'.repeat(megabyte / 2);
    const names = new NodeNames({ length: 3, names: ['', `${name}a`, `${name}b`], bones: Int32Array.of(-1, 0, 1) } as never);
    expect([
      ...names.matchWithoutPrefix([
        { name: 'x.a', occurrence: 0 },
        { name: 'x.b', occurrence: 0 },
      ]).rows,
    ]).toEqual([-1, -1]);
  }, 20_000);

  test('of morph targets and renderers are found in linear time', () => {
    const few = 10_000;
    const base = armScene();
    const mesh = base.meshes[0]!;
    const renderer = base.renderers[0]!;
    const morph = { name: '', vertices: new Uint32Array(), positions: new Float32Array(), maximum: 1 };
    const scene = {
      ...base,
      meshes: Array.from({ length: few }, (_, i) => ({ ...mesh, name: `mesh${i}`, morphs: [{ ...morph, name: `Smile${i}` }] })),
      renderers: Array.from({ length: few }, (_, i) => ({ ...renderer, name: `drawn${i}`, mesh: i })),
    } as never;
    const tracks = Array.from({ length: few }, (_, i) => [
      track({ path: 'weight', target: i % 2 ? '' : `DRAWN${i}`, property: `smile${i}`, times: f32(0), values: f32(1) }),
      track({ path: 'visible', target: `Drawn${i}`, times: f32(0), values: f32(1) }),
    ]).flat();
    const bound = bind(clip('many', 1, ...tracks), scene).tracks;
    for (const path of ['weight', 'visible']) {
      expect(bound.filter(one => one.path === path).map(({ renderers }) => renderers)).toEqual(Array.from({ length: few }, (_, i) => [i]));
    }
  }, 20_000);
});
