// Clips that start automatically, like Unity's Animation components.
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { commonDuration, Rig, clipTime } from '../../../web/src/three/index.ts';
import { vgoAnimation, vgoClip } from '../../support/vgoClips.ts';
// @ts-expect-error a plain script
import { cubeVgo as makeCube } from '../../support/vgoFile.mjs';

const cubeVgo = makeCube as (over?: object) => { bytes: Uint8Array<ArrayBuffer> };

describe('clips that start automatically', () => {
  it('play together as often as declared, for visible objects only', async () => {
    const nodes = [
      { name: 'root', isRoot: true, children: [1, 2, 3, 4, 6, 7] },
      { name: 'loops', animation: vgoAnimation(0) },
      { name: 'once', animation: vgoAnimation(1) },
      { name: 'returns', animation: vgoAnimation(2) },
      { name: 'hidden', isActive: false, children: [5], animation: vgoAnimation(3) },
      { name: 'below', animation: vgoAnimation(4) },
      { name: 'off', animation: vgoAnimation(5, { enabled: false }) },
      { name: 'waits', animation: vgoAnimation(6, { playAutomatically: false }) },
    ];
    const animationClips = [
      vgoClip('x', 'x', 1, 2),
      vgoClip('x', 'x', 1.5, 1),
      vgoClip('x', 'x', 1, 4),
      ...nodes.slice(4).map(() => vgoClip('x', 'x', 1, 2)),
    ];
    const file = await open(cubeVgo({ nodes, animationClips }).bytes, { name: 'cubes.vgo' });
    const rig = new Rig(file);
    expect(rig.initialClipIndices).toEqual([0, 1, 2]);
    expect(rig.playInitialClips()).toHaveLength(3);
    const places = (): number[] => rig.nodes.slice(2).map(({ position }) => Number(position.x.toFixed(4)));
    for (let i = 0; i < 7; i++) rig.update(0.25);
    expect(places()).toEqual([0.75, 1.5, 0.25, 0, 0, 0, 0]);
    rig.dispose();
  });

  it('have their own loop times', () => {
    const looped = { duration: 1, loop: true, pingPong: false };
    expect([0.25, 1, 1.25].map(time => clipTime(looped, time))).toEqual([0.25, 0, 0.25]);
    expect([0.25, 1, 1.25, 2.25].map(time => clipTime({ ...looped, pingPong: true }, time))).toEqual([0.25, 1, 0.75, 0.25]);
    expect([0.25, 1.25].map(time => clipTime({ ...looped, loop: false }, time))).toEqual([0.25, 1]);
    expect(clipTime({ ...looped, duration: 0 }, 3)).toBe(0);
  });

  it('have a common duration after which all loops restart together', () => {
    const looped = (duration: number, pingPong = false) => ({ duration, loop: true, pingPong });
    expect(commonDuration([looped(1), looped(1.5)])).toBe(3);
    expect(commonDuration([looped(1, true), looped(3)])).toBe(6);
    expect(commonDuration([looped(2), { ...looped(3), loop: false }])).toBe(6);
    expect(
      commonDuration([
        { ...looped(3), loop: false },
        { ...looped(1), loop: false },
      ]),
    ).toBe(3);
    expect(commonDuration([looped(1), looped(Math.SQRT2)])).toBeCloseTo(42 * Math.SQRT2, 9);
    expect(commonDuration([looped(100), looped(7)])).toBe(100);
    expect(commonDuration([])).toBe(0);
    expect(commonDuration([looped(0)])).toBe(0);
  });
});
