// Tests joint positions of chains.
import { describe, expect, it } from 'vitest';
import { Vector3 } from 'three';
import { toVec3, vec3 } from '../../../web/src/core/math/vector.ts';
import { Chain, sideways } from '../../../web/src/rig/chain.ts';

const chainOf = (...points: Vector3[]): Chain => {
  const chain = new Chain(points.length - 1);
  points.forEach((point, i) => point.toArray(chain.joints, 3 * i));
  return chain;
};
const jointsOf = (chain: Chain): Vector3[] =>
  Array.from({ length: chain.segments + 1 }, (_, i) => new Vector3().fromArray(chain.joints, 3 * i));
const v = (x: number, y: number, z = 0): Vector3 => new Vector3(x, y, z);
const UP = vec3(0, 1, 0);

/**
 * Reference implementation of FABRIK along the line from first to last joint. Stops at an error of
 * 1e-4 of the length, or after 16 iterations.
 */
function fabrik(points: readonly Vector3[], distance: number): { joints: Vector3[]; rounds: number } {
  const joints = points.map(point => point.clone());
  const last = joints.length - 1;
  const lengths = joints.slice(1).map((joint, i) => joint.distanceTo(joints[i]!));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const first = joints[0]!.clone();
  const goal = joints[last]!.clone().sub(first).setLength(distance).add(first);
  let rounds = 0;
  for (; rounds < 16 && joints[last]!.distanceTo(goal) > 1e-4 * total; rounds++) {
    joints[last]!.copy(goal);
    for (let i = last - 1; i >= 0; i--)
      joints[i]!.sub(joints[i + 1]!)
        .setLength(lengths[i]!)
        .add(joints[i + 1]!);
    joints[0]!.copy(first);
    for (let i = 1; i <= last; i++)
      joints[i]!.sub(joints[i - 1]!)
        .setLength(lengths[i - 1]!)
        .add(joints[i - 1]!);
  }
  return { joints, rounds };
}

describe('a chain', () => {
  const bow = [v(0, 0), v(1, 0.4), v(2, 0.6), v(3, 0.5), v(3.8, 0.1), v(4.5, 0)];

  it('reaches the distance exactly with FABRIK and one final joint', () => {
    for (const distance of [4.3, 3.5, 2.2]) {
      const chain = chainOf(...bow);
      chain.reach(distance, UP);
      expect(chain.span).toBeCloseTo(distance, 9);
      const { joints, rounds } = fabrik(bow, distance);
      expect(rounds).toBeGreaterThan(1);
      jointsOf(chain).forEach((joint, i) => expect(joint.distanceTo(joints[i]!), `${distance} ${i}`).toBeLessThan(2e-3));
    }
  });

  it('is straightened if the distance exceeds its length', () => {
    const chain = chainOf(...bow);
    chain.reach(99, UP);
    const total = bow.slice(1).reduce((sum, point, i) => sum + point.distanceTo(bow[i]!), 0);
    expect(chain.span).toBeCloseTo(total, 9);
    expect(Math.max(...jointsOf(chain).map(({ y }) => Math.abs(y)))).toBeLessThan(1e-9);
  });

  it('bends towards the given side if it is straight', () => {
    for (const [side, sign] of [
      [UP, 1],
      [vec3(0, -1, 0), -1],
    ] as const)
      for (const count of [2, 3, 6]) {
        const chain = chainOf(...Array.from({ length: count + 1 }, (_, i) => v(i, 0)));
        chain.reach(0.6 * count, side);
        expect(chain.span).toBeCloseTo(0.6 * count, 6);
        const bulge = vec3();
        expect(chain.bulge(bulge)).toBe(true);
        expect(sign * bulge[1]!).toBeGreaterThan(0.3);
      }
  });

  it('keeps its plane, segment lengths and first joint', () => {
    const chain = chainOf(...bow.map(({ x, y }) => v(x, 0.6 * y, 0.8 * y)));
    const lengths = (): number[] =>
      jointsOf(chain)
        .slice(1)
        .map((joint, i) => joint.distanceTo(jointsOf(chain)[i]!));
    const before = lengths();
    chain.reach(2, UP);
    for (const { y, z } of jointsOf(chain)) expect(0.8 * y - 0.6 * z).toBeCloseTo(0, 9);
    lengths().forEach((length, i) => expect(length).toBeCloseTo(before[i]!, 9));
    expect(jointsOf(chain)[0]!.length()).toBe(0);
  });

  it('is unchanged if it has no length or a single segment', () => {
    for (const points of [
      [v(1, 2), v(1, 2), v(1, 2)],
      [v(0, 0), v(3, 0)],
    ]) {
      const chain = chainOf(...points);
      chain.reach(1, UP);
      expect(jointsOf(chain)).toEqual(points);
    }
  });

  it('reports the bulge towards the joint farthest from its line, and none if it is straight', () => {
    const result = vec3();
    expect(chainOf(v(0, 0), v(1, 0.2), v(2, -0.5), v(3, 0)).bulge(result)).toBe(true);
    expect([...result]).toEqual([0, -0.5, 0].map(value => expect.closeTo(value, 9) as number));
    expect(chainOf(v(0, 0), v(1, 0), v(2, 0)).bulge(result)).toBe(false);
    // A closed chain uses its first segment as the line.
    expect(chainOf(v(0, 0), v(1, 0), v(1, 1), v(0, 0)).bulge(result)).toBe(true);
    expect([...result]).toEqual([0, 1, 0].map(value => expect.closeTo(value, 9) as number));
  });
});

it('sideways returns a perpendicular vector close to the wanted one', () => {
  const result = vec3();
  const of = (along: number[], wish: number[]): number[] => (sideways(result, toVec3(along), toVec3(wish)), [...result]);
  expect(of([2, 0, 0], [5, 3, 0])).toEqual([0, 1, 0].map(value => expect.closeTo(value, 9)));
  for (const along of [
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, -2],
  ])
    for (const wish of [along, [0, 0, 0]]) {
      const side = of(along, wish);
      expect(Math.hypot(...side)).toBeCloseTo(1, 9);
      expect(side.reduce((sum, value, c) => sum + value * along[c]!, 0)).toBeCloseTo(0, 9);
    }
});
