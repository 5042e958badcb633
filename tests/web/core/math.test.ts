// Quaternions, vectors and matrices, compared with three.js on random input.
import { Euler, Matrix4, Quaternion as ThreeQuaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  compose,
  composed,
  decompose,
  determinant,
  identity,
  inverted,
  multiplied,
  multiply,
  orthonormalize,
} from '../../../web/src/core/math/matrix.ts';
import * as quaternion from '../../../web/src/core/math/quaternion.ts';
import {
  add,
  cross,
  distance,
  dot,
  length,
  normalize,
  normalized,
  scale,
  subtract,
  type Vector,
} from '../../../web/src/core/math/vector.ts';

let state = 1;
/** Repeatable, in -1..1. */
const random = (): number => ((state = (state * 48271) % 0x7fffffff) / 0x7fffffff) * 2 - 1;
const vector = (): Vector => [random(), random(), random()];
const rotation = (): quaternion.Quaternion => new ThreeQuaternion(random(), random(), random(), random()).normalize().toArray();
const local = (mirror = 1): number[] => [...vector(), ...rotation(), mirror * (1.2 + random()), 1.2 + random(), 1.2 + random()];
const threeMatrix = (values: readonly number[]): Matrix4 =>
  new Matrix4().compose(new Vector3(...values), new ThreeQuaternion(...values.slice(3)), new Vector3(...values.slice(7)));
const close = (mine: ArrayLike<number>, theirs: ArrayLike<number>): void => {
  expect(mine.length).toBe(theirs.length);
  for (let i = 0; i < mine.length; i++) expect(mine[i]).toBeCloseTo(theirs[i] ?? NaN, 10);
};
const times = (test: () => void): void => {
  for (let i = 0; i < 50; i++) test();
};

describe('vectors', () => {
  it('are those of three.js', () =>
    times(() => {
      const [a, b] = [vector(), vector()];
      const [x, y] = [new Vector3(...a), new Vector3(...b)];
      close(add(a, b), x.clone().add(y).toArray());
      close(subtract(a, b), x.clone().sub(y).toArray());
      close(scale(a, 3), x.clone().multiplyScalar(3).toArray());
      close(cross(a, b), x.clone().cross(y).toArray());
      close(normalized(a) ?? [], x.clone().normalize().toArray());
      close([dot(a, b), length(a), distance(a, b)], [x.dot(y), x.length(), x.distanceTo(y)]);
    }));

  it('without a direction are not normalized', () => {
    expect(normalized([0, 1e-7, 0])).toBeNull();
    expect(normalized([Infinity, 0, 0])).toBeNull();
    const none = [0, 0, 0];
    normalize(none);
    expect(none).toEqual([0, 0, 0]);
  });
});

describe('quaternions', () => {
  it('are those of three.js', () =>
    times(() => {
      const [a, b, v] = [rotation(), rotation(), vector()];
      const [p, q] = [new ThreeQuaternion(...a), new ThreeQuaternion(...b)];
      close(quaternion.multiplied(a, b), p.clone().multiply(q).toArray());
      close(quaternion.inverted(a), p.clone().invert().toArray());
      close(quaternion.rotated(v, a), new Vector3(...v).applyQuaternion(p).toArray());
      close(quaternion.rotationAbout(v, 0.7), new ThreeQuaternion().setFromAxisAngle(new Vector3(...v).normalize(), 0.7).toArray());
      const angles = [0, 0, 0];
      quaternion.toEuler(angles, a);
      const back = [0, 0, 0, 1];
      quaternion.fromEuler(back, angles);
      const euler = new Euler(angles[0], angles[1], angles[2], 'ZYX');
      close([Math.abs(new ThreeQuaternion(...back).dot(p)), Math.abs(new ThreeQuaternion().setFromEuler(euler).dot(p))], [1, 1]);
      const mixed = new Float64Array(4);
      quaternion.slerp(mixed, 0, a, 0, b, 0, 0.3);
      expect(Math.abs(new ThreeQuaternion(...mixed).dot(p.slerp(q, 0.3)))).toBeCloseTo(1, 8);
    }));

  it('rotate the columns of a matrix back to its axes', () =>
    times(() => {
      const q = rotation();
      const m = threeMatrix([0, 0, 0, ...q, 1, 1, 1]).elements;
      const found = [0, 0, 0, 1];
      quaternion.fromAxes(found, m.slice(0, 3), m.slice(4, 7));
      close([Math.abs(new ThreeQuaternion(...found).dot(new ThreeQuaternion(...q)))], [1]);
    }));

  it('twist a vector over another one about an axis', () =>
    times(() => {
      const [axis, from] = [normalized(vector()) ?? [0, 0, 1], vector()] as [Vector, Vector];
      const to = quaternion.rotated(from, quaternion.rotationAbout(axis, 1.1));
      close(quaternion.rotated(from, quaternion.twistBetween(from, to, axis)), to);
    }));
});

describe('matrices', () => {
  it('are those of three.js', () =>
    times(() => {
      const [a, b] = [local(), local(-1)];
      const [m, n] = [composed(a), composed(b)];
      close(m, threeMatrix(a).elements);
      close(multiplied(m, n), threeMatrix(a).multiply(threeMatrix(b)).elements);
      close(inverted(n), threeMatrix(b).invert().elements);
      expect(determinant(n)).toBeCloseTo(threeMatrix(b).determinant(), 10);
      expect(determinant(n)).toBeLessThan(0);
    }));

  it('are split into the transforms that they were composed of', () =>
    times(() => {
      const own = local(random() < 0 ? -1 : 1);
      const found = new Float64Array(10);
      decompose(composed(own), found);
      close(composed(found), composed(own));
      close(found.subarray(7), own.slice(7));
    }));

  it('lose their shear when they are split', () => {
    const [x, y] = [Float64Array.of(2, 0, 0), Float64Array.of(1, 1, 0)];
    orthonormalize(x, y);
    expect([...x, ...y]).toEqual([1, 0, 0, 0, 1, 0]);
  });

  it('are read and written at any place of a column', () => {
    const [a, b] = [composed(local()), composed(local())];
    const column = new Float64Array(48);
    column.set(a, 16);
    column.set(b, 32);
    multiply(column, 0, column, 16, column, 32);
    expect(column.slice(0, 16)).toEqual(multiplied(a, b));
    const dirty = new Float64Array(16).fill(9);
    compose(dirty, [0, 0, 0], 0, [0, 0, 0, 1], 0, 1, 1, 1);
    expect(dirty).toEqual(identity());
  });

  it('without volume have the identity for an inverse', () => expect(inverted(new Float64Array(16))).toEqual(identity()));
});
