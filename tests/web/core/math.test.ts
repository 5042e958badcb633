// Quaternions, vectors and matrices, compared with three.js on random input.
import { Euler, Matrix4, Quaternion as ThreeQuaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { numberAt } from '../../../web/src/core/math/column.ts';
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
  transformDirection,
  transformPoint,
  untransformPoint,
} from '../../../web/src/core/math/matrix.ts';
import * as quaternion from '../../../web/src/core/math/quaternion.ts';
import {
  add,
  addScaled,
  copyVector,
  cross,
  distance,
  dot,
  length,
  normalize,
  normalized,
  scale,
  setDifference,
  subtract,
  toVec3,
  vec3,
  type Vector,
} from '../../../web/src/core/math/vector.ts';

let state = 1;
/** Returns reproducible numbers from -1 to 1. */
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
  it('equal those of three.js', () =>
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

  it('are copied, subtracted and added in columns', () => {
    const column = Float64Array.of(9, 1, 2, 3, 5, 7, 11);
    const v = vec3();
    setDifference(v, column, 4, column, 1);
    expect([...v]).toEqual([4, 5, 8]);
    addScaled(column, 1, v, 2);
    expect([...column]).toEqual([9, 9, 12, 19, 5, 7, 11]);
    copyVector(column, 4, column, 1);
    expect([...column]).toEqual([9, 9, 12, 19, 9, 12, 19]);
  });

  it('of zero length are not normalized', () => {
    expect(normalized([0, 1e-7, 0])).toBeNull();
    expect(normalized([Infinity, 0, 0])).toBeNull();
    const none: [number, number, number] = [0, 0, 0];
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

  it('are computed from the columns of a matrix', () =>
    times(() => {
      const q = rotation();
      const m = threeMatrix([0, 0, 0, ...q, 1, 1, 1]).elements;
      const found = [0, 0, 0, 1];
      quaternion.fromAxes(found, toVec3(m), toVec3(m, 4));
      close([Math.abs(new ThreeQuaternion(...found).dot(new ThreeQuaternion(...q)))], [1]);
    }));

  it('align one vector with another about an axis', () =>
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

  it('decompose into the transforms that composed them', () =>
    times(() => {
      const own = local(random() < 0 ? -1 : 1);
      const found = new Float64Array(10);
      decompose(composed(own), found);
      close(composed(found), composed(own));
      close(found.subarray(7), own.slice(7));
    }));

  it('transform points and directions, and invert points', () => {
    for (const at of [0, 16]) {
      const m = new Matrix4().compose(new Vector3(1, 2, 3), new ThreeQuaternion(0.1, 0.5, -0.2, 0.8).normalize(), new Vector3(2, -0.5, 3));
      const column = new Float64Array(32);
      column.set(m.elements, at);
      const point = new Vector3(0.3, -4, 5);
      const v = toVec3(point.toArray());
      transformPoint(v, column, at, v);
      close(v, point.clone().applyMatrix4(m).toArray());
      expect(untransformPoint(v, column, at, v)).toBe(true);
      close(v, point.toArray());
      transformDirection(v, column, at, v);
      close(
        v,
        point
          .clone()
          .applyMatrix4(m)
          .sub(new Vector3(1, 2, 3))
          .toArray(),
      );
    }
  });

  it('of zero determinant cannot invert points', () => {
    const v = vec3(1, 2, 3);
    expect(untransformPoint(v, composed([0, 0, 0, 0, 0, 0, 1, 1, 0, 1]), 0, v)).toBe(false);
    expect([...v]).toEqual([1, 2, 3]);
  });

  it('lose shear when they are decomposed', () => {
    const [x, y] = [vec3(2, 0, 0), vec3(1, 1, 0)];
    orthonormalize(x, y);
    expect([...x, ...y]).toEqual([1, 0, 0, 0, 1, 0]);
  });

  it('are read and written at any offset of a column', () => {
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

  it('of zero determinant have the identity as inverse', () => expect(inverted(new Float64Array(16))).toEqual(identity()));
});

it('numberAt throws outside of the column', () => {
  expect(numberAt(Float32Array.of(0, 5), 1)).toBe(5);
  for (const index of [-1, 2, 0.5, NaN]) expect(() => numberAt(Float32Array.of(0, 5), index), `${index}`).toThrow(RangeError);
});

it('the types of columns and vectors are not interchangeable', () => {
  const column = new Float64Array(6);
  // @ts-expect-error a row of the column has to be copied
  length(column);
  expect(length(toVec3(column, 3))).toBe(0);
});
