// Tests bounds and camera distances. More tests are in bounds.test.ts.
import { describe, expect, it } from 'vitest';
import { Bone, Box3, BoxGeometry, BufferAttribute, BufferGeometry, Group, Mesh, type Object3D, SphereGeometry, Vector3 } from 'three';
import { animatedBoundsOf, depthRange, extentIn, extentOf, animatedExtent, floorHeight, gridCell } from '../../../web/src/view/framing.ts';

const v = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z);
const at = <T extends Object3D>(object: T, x: number, y: number, z: number): T => (object.position.set(x, y, z), object);

describe('the extent of content', () => {
  it('covers visible meshes, without bones and hidden objects', () => {
    const hidden = at(new Mesh(new BoxGeometry(1, 1, 1)), 50, 0, 0);
    hidden.visible = false;
    const below = at(new Mesh(new BoxGeometry(1, 1, 1)), 0, 70, 0);
    const shown = new Mesh(new BoxGeometry(1, 1, 1));
    expect(extentOf(new Group().add(shown, hidden.add(below), at(new Bone(), 0, 0, 90))).box).toEqual(
      new Box3(v(-0.5, -0.5, -0.5), v(0.5, 0.5, 0.5)),
    );
  });

  it('ignores meshes without vertices', () => {
    const shown = at(new Mesh(new BoxGeometry(1, 1, 1)), 5, 5, 5);
    expect(extentOf(new Group().add(shown, new Mesh(new BufferGeometry()))).box.min.x).toBe(4.5);
  });

  it('has at most some thousand points of faces, and null if one is NaN', () => {
    const ball = new Mesh(new SphereGeometry(1, 300, 300));
    const { points } = extentOf(ball);
    expect(points!.length / 3).toBeLessThanOrEqual(4096);
    expect(points!.length / 3).toBeGreaterThan(1000);
    for (let i = 0; i < points!.length; i += 3) expect(Math.hypot(points![i]!, points![i + 1]!, points![i + 2]!)).toBeCloseTo(1, 4);
    const loose = new BufferGeometry()
      .setAttribute('position', new BufferAttribute(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 99, 99, 99]), 3))
      .setIndex([0, 1, 2]);
    expect(Math.max(...extentOf(new Mesh(loose)).points!)).toBe(1);
    const broken = new BufferGeometry().setAttribute(
      'position',
      new BufferAttribute(Float32Array.from([0, 0, 0, 1, 0, 0, 0, Number.NaN, 0]), 3),
    );
    broken.boundingBox = new Box3(v(0, 0, 0), v(1, 1, 0));
    expect(extentOf(new Mesh(broken)).points).toBeNull();
  });
});

describe('the floor', () => {
  const floorOf = (min: Vector3, max: Vector3): number => floorHeight(extentIn(new Box3(min, max)));

  it('is at 0 if toes of a character are slightly below or above 0', () => {
    expect(floorOf(v(-0.9, -0.06, -0.2), v(0.9, 1.8, 0.2))).toBe(0);
    expect(floorOf(v(-0.9, 0.06, -0.2), v(0.9, 1.8, 0.2))).toBe(0);
  });

  it('is the lowest point of a head without a body, and of a wide landscape', () => {
    expect(floorOf(v(-0.1, 1.5, -0.1), v(0.1, 1.8, 0.1))).toBe(1.5);
    expect(floorOf(v(-50, -2, -50), v(50, 2, 50))).toBe(-2);
    expect(floorOf(v(-1, 0.02, -1), v(1, 0.02, 1))).toBe(0.02);
  });
});

describe('the extent over an animation', () => {
  const rest = extentIn(new Box3(v(0, 0, 0), v(1, 2, 1)));
  const movingBoxes = (count: number): Map<Object3D, Box3> =>
    new Map(Array.from({ length: count }, (_, i) => [new Group(), new Box3(v(i, 0, 0), v(i + 1, 1, 1))]));

  it('covers rest pose and animation relative to the followed node', () => {
    const { box } = animatedExtent(new Box3(v(-3, 0, 0), v(4, 1, 1)), movingBoxes(1), rest, v(10, 0, 0));
    expect(box).toEqual(new Box3(v(-10, 0, 0), v(4, 2, 1)));
  });

  it('keeps up to 64 boxes, only if points of the model are known', () => {
    const known = { ...rest, points: [0, 0, 0, 1, 2, 1] };
    const moving = new Box3(v(0, 0, 0), v(9, 1, 1));
    expect(animatedExtent(moving, movingBoxes(64), known, v(1, 0, 0))).toMatchObject({
      points: [-1, 0, 0, 0, 2, 1],
      movingBoxes: expect.any(Array),
    });
    expect(animatedExtent(moving, movingBoxes(65), known, v(0, 0, 0))).toMatchObject({ points: null, movingBoxes: null });
    expect(animatedExtent(moving, movingBoxes(3), rest, v(0, 0, 0))).toMatchObject({ points: null, movingBoxes: null });
  });

  it('of bones alone is enlarged for the drawn tips', () => {
    const { box } = animatedExtent(new Box3(v(0, 0, 0), v(10, 2, 1)), new Map(), rest, v(0, 0, 0));
    expect([box.min.x, box.max.x]).toEqual([expect.closeTo(-0.6, 6), expect.closeTo(10.6, 6)]);
  });

  it('includes the box of each mesh', () => {
    const [a, b] = [new Mesh(new BoxGeometry(1, 1, 1)), new Mesh(new BoxGeometry(1, 1, 1))];
    const course = animatedBoundsOf(new Group().add(a, b), { duration: 1, seek: time => void at(a, 10 * time, 0, 0) });
    expect([course.movingBoxes.get(a)!.max.x, course.movingBoxes.get(b)!.max.x]).toEqual([10.5, 0.5]);
  });
});

it('near and far planes enclose the content with a margin', () => {
  for (const [distance, radius] of [
    [10, 1],
    [1, 1],
    [0.1, 5],
  ] as const) {
    const { near, far } = depthRange(distance, radius);
    expect(near).toBeGreaterThan(0);
    expect(near).toBeLessThanOrEqual(Math.max(distance - radius, Math.max(distance, radius) / 500));
    expect(far).toBeGreaterThan(distance + radius * 30);
    expect(far / near).toBeLessThan(25_000);
  }
});

it('a grid has cells of one, two or five times a power of ten', () => {
  expect([4, 5.9, 6.1, 13.9, 14.1, 29.9, 30.1, 40, 0.004].map(gridCell)).toEqual(
    [1, 1, 2, 2, 5, 5, 10, 10, 0.001].map(cell => expect.closeTo(cell, 9)),
  );
});
