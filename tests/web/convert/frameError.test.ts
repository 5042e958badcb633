// Compares the reported error of sampled curves with the visible error, which is measured at many
// times of the animation.
import { describe, expect, it } from 'vitest';
import { type Conversion, convert } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { Rig } from '../../../web/src/three/index.ts';
import { drawnPositions } from '../../../web/src/three/build/skinning.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
const armFile = (motion: Clip): RigFile =>
  ({ name: 'arm', format: 'vgo', scene: armScene({ clips: [motion] }), report, needs: [] }) as never;

/**
 * Returns the largest distance between corresponding vertices in two files with the same animation.
 * Vertices correspond if they have the same rest position.
 */
function farthest(a: RigFile, b: RigFile): number {
  const rigs = [new Rig(a), new Rig(b)];
  const at = rigs.map(rig => {
    const animator = rig.createAnimator();
    const layer = animator.layer(rig.clips[0]!);
    animator.layers.push(layer);
    return (time: number): Float64Array | Float32Array => {
      layer.time = time;
      animator.apply();
      rig.scene.updateMatrixWorld(true);
      return drawnPositions(rig.meshes[0]!, rig.file.scene!.meshes[0]!);
    };
  });
  const vertices = [a, b].map(({ scene }) => scene!.meshes[0]!.positions);
  const twins = Array.from({ length: vertices[0]!.length / 3 }, (_, i) =>
    Array.from({ length: vertices[1]!.length / 3 }, (_, j) => j).find(j =>
      [0, 1, 2].every(c => Math.abs(vertices[0]![3 * i + c]! - vertices[1]![3 * j + c]!) < 1e-4),
    ),
  );
  let most = 0;
  for (let time = 0; time <= 1; time += 0.0007) {
    const [ours, theirs] = at.map(pose => pose(time)) as [Float32Array, Float32Array];
    for (const [i, j] of twins.entries()) most = Math.max(most, Math.hypot(...[0, 1, 2].map(c => ours[3 * i + c]! - theirs[3 * j! + c]!)));
  }
  return most;
}

const read = ({ files }: Conversion, ending: string): Promise<RigFile> => {
  const file = files.find(({ name }) => name.endsWith(ending))!;
  return open(file.bytes, { name: file.name, worker: false });
};

const sway = track({
  target: 'low.er',
  path: 'translation',
  times: f32(0, 0.3, 1),
  values: f32(0, 0, 0, 1, 0, 0, 0, 1, 0),
  interpolation: 'hermite',
  tangents: f32(...Array.from({ length: 18 }, (_, i) => (i % 3 === 0 ? 6 : -4))),
});
const nod = track({
  target: 'up/per',
  path: 'rotation',
  times: f32(0, 0.123, 1),
  values: f32(0, 0, 0, 1, 0, 0, 0.7071068, 0.7071068, 0, 0, 0, 1),
});

const tick = { ...nod, values: f32(0, 0, 0, 1, 0, 0, 0.1, 0.995, 0, 0, 0, 1) };

describe('sampled curves', () => {
  it.each([
    ['a cubic place', [sway]],
    ['a turn with a key between frames', [nod]],
    ['both, one on the other', [sway, nod]],
    ['two turns, one on the other', [{ ...tick, target: 'low.er' }, tick]],
  ])('%s: the reported error is an upper bound and close to the real one', async (_, tracks) => {
    const source = armFile(clip('move', 1, ...tracks));
    const made = await convert([source], { to: 'psk' });
    const again = {
      ...(await read(made, '.psk')),
      scene: { ...(await read(made, '.psk')).scene!, clips: (await read(made, '.psa')).scene!.clips },
    };
    const told = made.report.items.find(({ code }) => code === 'CURVES_SAMPLED')!.amount;
    const seen = farthest(source, again);
    expect(seen).toBeGreaterThan(1e-6);
    expect(seen).toBeLessThan(1.02 * told + 2e-6);
    expect(told).toBeLessThan(6 * seen);
  });

  it('have an unknown error without a model', async () => {
    const scene = { ...armScene({ clips: [clip('move', 1, sway)] }), renderers: [], meshes: [], skins: [], features: [] };
    const { parents, translations, rotations, scales, bones, visible } = scene.nodes;
    const alone = { parents: parents.slice(0, 1), translations: translations.slice(0, 3), rotations: rotations.slice(0, 4) };
    const nodes = {
      ...scene.nodes,
      ...alone,
      scales: scales.slice(0, 3),
      bones: bones.slice(0, 1),
      visible: visible.slice(0, 1),
      length: 1,
      names: [''],
    };
    const file = { name: 'move', format: 'cast', scene: { ...scene, nodes }, report, needs: [] } as never;
    const made = await convert([file], { to: 'cast' });
    expect(made.report.items.find(({ code }) => code === 'CURVES_SAMPLED')?.detail).toMatch(/unknown without a model/);
  });
});
