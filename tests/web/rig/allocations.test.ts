// Counts the bytes that playback allocates. With many characters on a page, garbage would cause
// collections within frames.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bind, type BoundTrack } from '../../../web/src/core/bind.ts';
import { open } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import type { AllocationCase, AllocationCount } from '../../support/allocations.ts';
import { TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { castFile, type CastNode, model, node } from '../../support/castFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'rigcast-allocations-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Removes clips, whose tables contain functions, so that the scene can be sent to another process.
 */
const bare = (scene: RigScene): RigScene => ({
  ...scene,
  clips: [],
  meshes: scene.meshes.map(({ morphs }) => ({ morphs }) as never),
  images: [],
});

const curve = (row: number, path: BoundTrack['path'], values: number[], over: Partial<BoundTrack> = {}): BoundTrack => {
  const width = path === 'rotation' ? 4 : path === 'weight' ? 1 : 3;
  return {
    node: row,
    renderers: [],
    morph: '',
    path,
    component: -1,
    mode: 'absolute',
    blendWeight: 1,
    times: Float32Array.from({ length: values.length / width }, (_, i) => i / (values.length / width - 1)),
    values: Float32Array.from(values),
    interpolation: path === 'rotation' ? 'slerp' : 'linear',
    before: 'hold',
    after: 'hold',
    ...over,
  };
};

const half = Math.SQRT1_2;
const turning = [0, 0, 0, 1, 0, 0, half, half, half, 0, 0, half];

/** A leg with IK target and pole, and all constraints of Cast. */
async function constrained(): Promise<AllocationCase> {
  const bones = new Map<string, CastNode>();
  const bone = (name: string, parent: number, place: number[], isCompensated = false): void =>
    void bones.set(
      name,
      node('bone', {
        n: ['s', name],
        p: ['i', [parent < 0 ? 0xffffffff : parent]],
        lp: ['3v', place],
        lr: ['4v', [0, 0, 0, 1]],
        ssc: ['b', [isCompensated ? 1 : 0]],
      }),
    );
  bone('hip', -1, [0, 1, 0]);
  bone('thigh', 0, [0, 0, 0], true);
  bone('knee', 1, [0, -0.5, 0.02], true);
  bone('ankle', 2, [0, -0.5, 0], true);
  bone('target', -1, [0.2, 0.4, 0.2]);
  bone('pole', -1, [0, 0.5, 1]);
  for (const [i, name] of ['place', 'turned', 'scaled'].entries()) bone(name, -1, [i, 0, 0]);
  for (let i = 0; i < 4; i++) bone(`tail${i}`, i === 0 ? -1 : 8 + i, [0, 0.3, 0.01 * i]);
  const link = (name: string) => ['l', bones.get(name)!.hash] as const;
  const follow = (name: string, kind: string): CastNode =>
    node('cnst', { cb: link(name), tb: link('target'), ct: ['s', kind], wt: ['f', [0.6]], mo: ['b', [1]] });
  const parts = [
    follow('place', 'pt'),
    follow('turned', 'or'),
    follow('scaled', 'sc'),
    node('ikhd', { sb: link('thigh'), eb: link('ankle'), tb: link('target'), pv: link('pole') }),
    node('ikhd', { sb: link('tail0'), eb: link('tail3'), tb: link('target') }),
  ];
  const bytes = castFile(model('m', node('skel', {}, ...bones.values(), ...parts)));
  const { scene } = await open(bytes, { name: 'm.cast', worker: false });
  const row = (name: string): number => scene!.nodes.names.indexOf(name);
  const tracks = [
    curve(row('hip'), 'rotation', turning),
    curve(row('target'), 'translation', [0.2, 0.4, 0.2, -0.2, 0.6, 0.1, 0.3, 0.2, 0]),
    curve(row('target'), 'rotation', turning),
    curve(row('thigh'), 'scale', [1, 1, 1, 2, 2, 1.5, 1, 1, 1]),
    curve(row('knee'), 'translation', [0, 1, 0.5], { component: 0, interpolation: 'hermite', tangents: Float32Array.of(0, 1, 1, 0, 0, 1) }),
  ];
  const additive = [
    curve(row('ankle'), 'rotation', turning, { mode: 'additive' }),
    curve(row('hip'), 'translation', [0, 0, 0, 1, 0, 0, 0, 1, 0], { mode: 'additive' }),
  ];
  return { scene: bare(scene!), tracks, additive, has: ['rigging', 'fade', 'events'] };
}

async function swinging(): Promise<AllocationCase> {
  const bytes = readFileSync(new URL('../../../web/src/viewer/demo/Lotl.vgo', import.meta.url));
  const { scene } = await open(new Uint8Array(bytes), { name: 'Lotl.vgo', worker: false });
  const head = scene!.nodes.names.findIndex(name => /head/i.test(name));
  return { scene: bare(scene!), tracks: [curve(head, 'rotation', turning)], has: ['springs', 'expressions'] };
}

const constant = (value: number) => ({ mode: 0, constant: value });
/** Settings of about a hundred live particles. In each frame, some particles start and some end. */
const sparks = {
  main: {
    duration: 1,
    loop: true,
    startLifetime: constant(0.5),
    startSpeed: constant(1),
    simulationSpeed: 1,
    maxParticles: 100,
    gravityModifier: constant(1),
  },
  emission: { enabled: true, rateOverTime: constant(200) },
  shape: { enabled: true, shapeType: 4, angle: 20, radius: 1, radiusThickness: 1, arc: 360 },
  limitVelocityOverLifetime: { enabled: true, limitX: constant(2), dampen: 0.1 },
  sizeOverLifetime: { enabled: true, x: constant(0.5) },
  textureSheetAnimation: { enabled: true, mode: 0, numTilesX: 2, numTilesY: 2, frameOverTime: constant(0.3) },
};

/** Returns cases for the clips of the demo, and for a walk that is retargeted to another body. */
async function walking(): Promise<Record<string, AllocationCase>> {
  const from = new TestBody({ nameOf: SCHEMES.Mixamo! });
  const to = new TestBody({ axes: 3, armsDown: 50, proportions: { upperLeg: 0.6 }, nameOf: SCHEMES['Unreal Engine']! });
  const walk = from.clip('walk', 1, 30, time => from.walk(time));
  const tracks = [...bind(walk, from.scene).tracks];
  const face = new TestBody({ proportions: { hasEyes: true } }).scene;
  const expressions = ['blink', 'lookLeft', 'lookRight', 'lookUp', 'lookDown'].map(preset => ({ name: preset, preset, bindings: [] }));
  return {
    'eyes that look and blink': { scene: bare({ ...face, expressions }), tracks, has: ['face', 'expressions'] },
    'particles that come and go': { scene: bare(from.scene), tracks, has: ['particles'], particles: sparks },
    'a motion of a whole body': { scene: bare(from.scene), tracks, has: ['events'] },
    'from one body to another': { scene: bare(from.scene), to: bare(to.scene), tracks, has: [] },
  };
}

let counts: Record<string, AllocationCount>;
/** Counts with the usual limits of inlining, as in a page. */
let usual: typeof counts;
beforeAll(async () => {
  const cases = {
    'constraints, handles, scale compensation': await constrained(),
    'springs and expressions': await swinging(),
    ...(await walking()),
  };
  const script = join(folder, 'allocations.mjs');
  const data = join(folder, 'cases');
  await build({
    entryPoints: [fileURLToPath(new URL('../../support/allocations.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: script,
    logLevel: 'error',
  });
  writeFileSync(data, serialize(cases));
  const flags = [
    '--expose-gc',
    '--no-concurrent-recompilation', // on a busy machine, compilation would finish too late
    '--min-semi-space-size=128',
    '--max-semi-space-size=128',
  ];
  const count = (...more: string[]): typeof counts =>
    JSON.parse(execFileSync(process.execPath, [...flags, ...more, script, data, '2500'], { encoding: 'utf8' })) as typeof counts;
  // Inlining prevents boxed numbers between functions.
  counts = count('--max-inlined-bytecode-size=5000', '--max-inlined-bytecode-size-cumulative=20000');
  const { 'springs and expressions': springs } = cases;
  writeFileSync(data, serialize({ 'springs and expressions': springs }));
  usual = count();
}, 60_000);

it('spring bones box no numbers, also with the usual limits of inlining', () => {
  expect(usual['springs and expressions']!.perFrame).toBeLessThan(192);
});

/**
 * Allowed bytes per evaluation, for numbers that V8 still boxes. One call of Math.hypot per bone
 * would allocate 22,000.
 */
it.each([
  ['a motion of a whole body', [], 256],
  ['constraints, handles, scale compensation', ['constraints'], 4096],
  ['springs and expressions', ['expressions', 'springs'], 512],
  ['eyes that look and blink', ['lookAt', 'blink', 'expressions'], 768],
  ['particles that come and go', [], 16_384], // a hundred particles with about twenty numbers each
  ['from one body to another', ['retargeting'], 4608],
])('ten thousand evaluations make no objects: %s', (name, solvers, most) => {
  const { perFrame, collections, solvers: ran } = counts[name]!;
  expect(ran).toEqual(solvers);
  expect(collections).toBe(0);
  expect(perFrame).toBeLessThan(most);
});
