// Tests fixed time steps, and simulations at different frame rates.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { Steps } from '../../../web/src/rig/steps.ts';
import { SpringBoneSolver } from '../../../web/src/rig/springBones.ts';
import { Rig } from '../../../web/src/three/index.ts';

const sum = (steps: Steps, frames: readonly number[]): number => frames.reduce((total, seconds) => total + steps.take(seconds), 0);
const frames = (length: number, seconds: number): number[] => Array.from({ length: Math.round(seconds / length) }, () => length);

describe('fixed time steps', () => {
  it.each([1 / 240, 1 / 60, 0.02, 0.1, 0.25, 0.5])('cover all time in frames of %d s', length => {
    expect(Math.abs(sum(new Steps(0.02), frames(length, 10)) - 500)).toBeLessThanOrEqual(1);
  });

  it('simulate at most half a second per frame', () => {
    const steps = new Steps(0.02);
    expect([steps.take(3600), steps.take(0), steps.take(0.02)]).toEqual([25, 0, 1]);
  });

  it('ignore negative times, and drop pending time on reset', () => {
    const steps = new Steps(0.02);
    steps.take(0.019);
    expect([steps.take(-1), steps.take(Number.NaN), steps.take(0.001)]).toEqual([0, 0, 1]);
    steps.take(0.019);
    steps.reset();
    expect(steps.take(0.001)).toBe(0);
  });

  it('give one step per frame although frame times vary', () => {
    const steps = new Steps(1 / 60, 0.3);
    const uneven = Array.from({ length: 600 }, (_, i) => 1 / 60 + ((i % 2 ? 1 : -1) * 0.2) / 60);
    expect(uneven.map(seconds => steps.take(seconds))).toEqual(uneven.map(() => 1));
  });
});

const avatar = async () => {
  const bytes = readFileSync(new URL('../../../web/src/viewer/demo/Lotl.vgo', import.meta.url));
  return open(new Uint8Array(bytes), { name: 'Lotl.vgo', worker: false });
};

describe('spring bones', () => {
  it('move equally in long and short frames', async () => {
    const file = await avatar();
    const poses = [0.02, 0.1, 0.5].map(length => {
      const animator = new Animator(file.scene!);
      animator.add(SpringBoneSolver.of(animator.shape)!);
      for (const seconds of frames(length, 1)) animator.evaluate(seconds);
      return [...animator.pose.rotations];
    });
    expect(poses[1]).toEqual(poses[0]);
    expect(poses[2]).toEqual(poses[0]);
    for (const springs of ['unity', 'vrm'] as const) {
      const [short, long] = await Promise.all(
        [1 / 60, 0.5].map(async length => {
          const rig = await Rig.make(file, { springs });
          rig.scene.updateMatrixWorld(true);
          for (const seconds of frames(length, 1)) rig.update(seconds);
          return rig.springs!.bones.map(bone => bone.quaternion.toArray()).flat();
        }),
      );
      const apart = long!.map((value, i) => Math.abs(value - short![i]!));
      expect(Math.max(...apart), springs).toBeLessThan(2e-3);
    }
  });

  it('stay bounded and come to rest after very long frames with jumps', async () => {
    const file = await avatar();
    for (const springs of ['unity', 'vrm'] as const) {
      const rig = await Rig.make(file, { springs });
      const lengths = (): number[] =>
        rig.springs!.bones.map(
          bone => (
            bone.updateWorldMatrix(true, true),
            bone.children[0]!.getWorldPosition(rig.scene.position.clone()).distanceTo(bone.getWorldPosition(rig.scene.position.clone()))
          ),
        );
      const before = lengths();
      for (let i = 0; i < 40; i++) {
        rig.scene.position.set(5 * Math.sin(9 * i), 0, 5 * Math.cos(7 * i));
        rig.scene.rotation.y = 2.5 * i;
        rig.scene.updateMatrixWorld(true);
        rig.update(i % 3 ? 2.5 : 0.7);
      }
      lengths().forEach((length, i) => expect(length).toBeCloseTo(before[i]!, 4));
      let isMoving = true;
      for (let i = 0; i < 60 && isMoving; i++) {
        rig.update(2);
        isMoving = rig.springs!.isMoving;
      }
      expect(isMoving, springs).toBe(false);
    }
  });
});
