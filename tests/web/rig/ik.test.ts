// Solves IK handles of generated scenes.
import { expect, it } from 'vitest';
import type { RigScene } from '../../../web/src/core/types.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { Rigging } from '../../../web/src/rig/rigging.ts';
import { armScene } from '../../support/armScene.ts';
import { skeleton } from '../../support/figure.ts';

/** An arm whose lengths are 0.5 and `lower`, which bends towards +Y, with a pole vector along +Y. */
function armWith(lower: number): RigScene {
  const [x, y] = [0.4388, 0.2397];
  const nodes = skeleton([
    ['start', '', 0, 0, 0],
    ['mid', 'start', x, y, 0],
    ['end', 'mid', x + Math.sqrt(lower * lower - y * y), 0, 0],
    ['target', '', 1, 0, 0],
    ['pole', 'target', 1, 1, 0],
  ]);
  const at = (name: string): { node: number; name: string } => ({ node: nodes.names.indexOf(name), name });
  const properties = {
    startBone: at('start'),
    endBone: at('end'),
    targetBone: at('target'),
    poleVectorBone: at('pole'),
    targetOffset: [0, 0, 0],
  };
  return {
    ...armScene(),
    nodes,
    features: [{ kind: 'ik', name: 'ik', node: at('end').node, properties: { ...properties, targetRotation: false } }],
  };
}

it.each([
  ['longer', 1],
  ['shorter', 0.3],
])('keeps the plane of a chain with a %s second bone if the target is too close or too far', (_, lower) => {
  const scene = armWith(lower);
  const [start, mid, target] = ['start', 'mid', 'target'].map(name => scene.nodes.names.indexOf(name)) as [number, number, number];
  const animator = new Animator(scene);
  animator.add(Rigging.of(animator.shape)!);
  const side = Math.sign(0.5 - lower); // the folded second bone points back, past the start if it is longer
  const shortest = Math.abs(0.5 - lower);
  for (const [distance, elbow] of [
    [shortest - 0.1, 0.5 * side],
    [shortest - 1e-4, 0.5 * side],
    [shortest + 1e-4, 0.5 * side],
    [0.5 + lower - 1e-4, 0.5],
    [0.5 + lower + 1e-4, 0.5],
  ] as const) {
    animator.base.translations.set([distance, 0, 0], 3 * target);
    animator.world.update(animator.evaluate(1 / 60));
    const { matrices } = animator.world;
    expect([...matrices.subarray(16 * start + 8, 16 * start + 11)], `${distance}`).toEqual(
      [0, 0, 1].map(value => expect.closeTo(value, 6)),
    );
    expect(matrices[16 * mid + 12], `${distance}`).toBeCloseTo(elbow, 2);
    expect(matrices[16 * mid + 13], `${distance}`).toBeGreaterThan(-1e-6);
  }
});
