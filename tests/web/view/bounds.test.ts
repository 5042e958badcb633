// Tests the bounds of content, the camera limits before OrbitControls are loaded, and the loops of
// playback.
import { describe, expect, it } from 'vitest';
import {
  Bone,
  Box3,
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { PassiveControls } from '../../../web/src/view/controls.ts';
import { animatedBoundsOf, distanceToFit, type Extent, extentOf, initialDirection } from '../../../web/src/view/framing.ts';
import { Playback } from '../../../web/src/view/playback.ts';
import { followCandidatesOf } from '../../../web/src/view/followCandidates.ts';

function playing(pingPong: boolean): { playback: Playback; shown: number[] } {
  const playback = new Playback();
  const shown: number[] = [];
  playback.select({ name: '', duration: 2, frameRate: 30, pingPong, seek: time => void shown.push(time), stop: () => {} }, true);
  shown.length = 0;
  return { playback, shown };
}

describe('PassiveControls', () => {
  it('apply limits and auto-rotation like OrbitControls', () => {
    const bounds = [
      {},
      { minDistance: 3, maxDistance: 4 },
      { minPolarAngle: 1, maxPolarAngle: 1.2 },
      { minAzimuthAngle: -0.2, maxAzimuthAngle: 0.3 },
      { minAzimuthAngle: 3, maxAzimuthAngle: 3.6 },
      { autoRotate: true, autoRotateSpeed: 5 },
    ];
    for (const bound of bounds)
      for (const from of [new Vector3(1, 2, 3), new Vector3(-4, 0.5, -0.1), new Vector3(0, 5, 0)]) {
        const cameras = [new PerspectiveCamera(), new PerspectiveCamera()] as const;
        const all = [new PassiveControls(cameras[0]), new OrbitControls(cameras[1])];
        for (const camera of cameras) camera.position.copy(from);
        for (const controls of all) {
          Object.assign(controls, bound);
          controls.target.set(0.5, 1, -0.25);
          controls.update(0.5);
        }
        expect(cameras[0].position.distanceTo(cameras[1].position)).toBeLessThan(1e-9);
        expect(cameras[0].quaternion.angleTo(cameras[1].quaternion)).toBeLessThan(1e-6);
      }
  });
});

describe('looping playback', () => {
  it('restarts, or alternates its direction for ping-pong clips', () => {
    for (const [pingPong, wanted] of [
      [false, [0.75, 1.5, 0.25, 1, 1.75, 0.5]],
      [true, [0.75, 1.5, 1.75, 1, 0.25, 0.5]],
    ] as const) {
      const { playback, shown } = playing(pingPong);
      for (let i = 0; i < 6; i++) playback.tick(0.75);
      expect(shown).toEqual(wanted);
    }
  });

  it('follows the loop setting of the page', () => {
    for (const [pingPong, wanted] of [
      [true, [0.75, 1.5, 1.75]],
      [false, [0.75, 1.5, 0.25]],
    ] as const) {
      const { playback, shown } = playing(!pingPong);
      playback.pingPong = pingPong;
      expect(playback.isPingPong).toBe(pingPong);
      for (let i = 0; i < 3; i++) playback.tick(0.75);
      expect(shown).toEqual(wanted);
    }
  });

  it('plays ping-pong clips backwards, and forwards after a seek', () => {
    const { playback, shown } = playing(true);
    playback.speed = -1;
    for (let i = 0; i < 3; i++) playback.tick(0.75);
    expect(shown).toEqual([0.75, 1.5, 1.75]); // the time before the start is mirrored
    playback.speed = 1;
    playback.tick(3);
    playback.seek(1);
    shown.length = 0;
    playback.tick(0.5);
    expect(shown).toEqual([1.5]);
  });

  it('starts at the first key, also when it restarts', () => {
    const playback = new Playback();
    const shown: number[] = [];
    const seek = (time: number): void => void shown.push(Number(time.toFixed(3)));
    playback.select({ name: '', duration: 4, start: 3, frameRate: 10, seek, stop: () => {} }, true);
    expect([playback.start, playback.frame, playback.lastFrame]).toEqual([3, 30, 40]);
    for (let i = 0; i < 3; i++) playback.tick(0.4);
    expect(shown).toEqual([3, 3.4, 3.8, 3.2]);
    playback.seek(1);
    expect(playback.time).toBe(3);
    playback.loop = false;
    playback.tick(5);
    expect([playback.time, playback.playing]).toEqual([4, false]);
    playback.play();
    expect(playback.time).toBe(3);
    playback.range = { from: 0, to: 3.5 };
    expect(playback.range).toEqual({ from: 3, to: 3.5 });
  });

  it('plays a range of the clip, looped or once; a seek may leave it', () => {
    const { playback, shown } = playing(false);
    playback.range = { from: 0.75, to: 0.25 };
    expect(playback.range).toEqual({ from: 0.25, to: 0.75 });
    playback.seek(0.65);
    for (let i = 0; i < 3; i++) playback.tick(0.2);
    expect(shown.slice(-3).map(time => Number(time.toFixed(3)))).toEqual([0.35, 0.55, 0.25]);
    playback.seek(0.9);
    expect(playback.time).toBe(0.9);
    playback.loop = false;
    playback.play();
    expect(playback.time).toBe(0.25);
    playback.tick(3);
    expect([playback.time, playback.playing]).toEqual([0.75, false]);
    playback.range = { from: 0.5, to: 0.5 };
    expect(playback.range).toBeNull();
  });

  it('restarts from the beginning after it has ended', () => {
    const { playback, shown } = playing(false);
    playback.loop = false;
    while (playback.tick(0.75));
    expect([playback.time, playback.playing]).toEqual([2, false]);
    shown.length = 0;
    playback.play();
    playback.tick(0.75);
    expect([playback.playing, shown]).toEqual([true, [0.75]]);
    // Playback continues from the current time.
    playback.pause();
    playback.play();
    playback.tick(0.75);
    expect(shown).toEqual([0.75, 1.5]);
  });

  it('ends at the end if the loop is switched off', () => {
    const { playback, shown } = playing(true);
    playback.loop = false;
    while (playback.tick(0.75));
    expect(shown).toEqual([0.75, 1.5, 2]);
  });
});

describe('the extent of content', () => {
  it('includes all instances of an instanced mesh', () => {
    const places = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial(), 2);
    places.setMatrixAt(0, new Matrix4());
    places.setMatrixAt(1, new Matrix4().makeTranslation(100, 0, 0));
    expect(extentOf(places).box.max.toArray()).toEqual([100.5, 0.5, 0.5]);
  });

  it('covers an animation relative to the followed node, and leaves it at its start', () => {
    const box = new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial());
    const moments: number[] = [];
    const walk = {
      duration: 3,
      height: 2,
      seek(time: number) {
        moments.push(time);
        box.position.set(10 * time, Math.sin((Math.PI * time) / 3) * this.height, 0);
      },
    };
    const { box: held } = animatedBoundsOf(box, walk);
    expect([held.min.x, held.max.x, held.min.y]).toEqual([-0.5, 30.5, -0.5]);
    expect(held.max.y).toBeCloseTo(2.5, 1);
    expect([moments.length, moments.at(-1), Math.max(...moments)]).toEqual([16, 0, 3]);
    const { box: relative, followed } = animatedBoundsOf(box, walk, [box]);
    expect(followed).toBe(box);
    expect([relative.min.x, relative.max.x]).toEqual([-0.5, 0.5]);
    expect(relative.max.y).toBeCloseTo(2.5, 1);
    moments.length = 0;
    animatedBoundsOf(box, { ...walk, duration: 0 });
    expect(moments).toEqual([0]);
  });

  it('follows the moving bone if the root stays in place, otherwise the root', () => {
    const [root, pelvis, leg, head, target] = Array.from({ length: 5 }, () => new Bone());
    root!.add(pelvis!, target!);
    pelvis!.add(leg!, head!);
    const skinned = Object.assign(new SkinnedMesh(new BoxGeometry(1, 2, 1)), { jointBoxes: new Float32Array(30).fill(1) });
    const bones = [root!, pelvis!, leg!, head!, target!];
    // Root and target do not move any vertices.
    for (const row of [0, 4]) skinned.jointBoxes[6 * row] = 2;
    skinned.bind(new Skeleton(bones));
    const scene = new Group().add(root!, skinned);
    const walkers = followCandidatesOf(bones, [scene]);
    expect(walkers).toEqual([root, pelvis]);
    const going = (reach: number) => ({
      duration: 1,
      seek: (time: number) => void (pelvis!.position.setX(reach * time), skinned.position.setX(reach * time)),
    });
    const away = animatedBoundsOf(scene, going(5), walkers);
    expect(away.followed).toBe(pelvis);
    expect(away.box.max.x - away.box.min.x).toBeCloseTo(1, 1);
    expect(animatedBoundsOf(scene, going(0.1), walkers).followed).toBe(root);
    // If a weapon that is attached to the root also moves vertices, the root is the only common
    // ancestor.
    skinned.jointBoxes[24] = 1;
    expect(followCandidatesOf(bones, [scene])).toEqual([root]);
    expect(followCandidatesOf([], [scene])).toEqual([]);
    // If the bones that move vertices are not below the first bone, that bone is the only
    // candidate.
    expect(followCandidatesOf([new Bone(), pelvis!], [scene])).toHaveLength(1);
  });

  it('of bones alone is their bounds, without samples that are NaN', () => {
    const root = new Bone();
    const tip = new Bone();
    root.add(tip);
    tip.position.y = 2;
    const jumps = { duration: 1, seek: (time: number) => void root.position.setX(time === 0 ? 0 : Number.NaN) };
    expect(animatedBoundsOf(root, jumps).box).toEqual(new Box3(new Vector3(0, 0, 0), new Vector3(0, 2, 0)));
  });

  it('is seen from the front, whatever direction the model faces', () => {
    const plain = initialDirection();
    const turned = initialDirection(new Vector3(1, 0.3, 0));
    expect(plain.z).toBeGreaterThan(0.9);
    expect([turned.x, turned.y, turned.z]).toEqual([plain.z, plain.y, -plain.x].map(value => expect.closeTo(value, 6)));
  });

  const camera = new PerspectiveCamera(32, 1.5, 0.1, 1000);
  const direction = new Vector3(0.42, 0.2, 1).normalize();
  /**
   * Returns a function that calculates the distance of a point from the centre of the picture; 1 is
   * the edge.
   */
  function seen(extent: Extent): (point: Vector3) => number {
    camera.position.copy(extent.center).addScaledVector(direction, distanceToFit(extent, direction, camera));
    camera.lookAt(extent.center);
    camera.updateMatrixWorld();
    return point => Math.max(...point.clone().project(camera).toArray().slice(0, 2).map(Math.abs));
  }

  it('fits all corners of a box and of a flat model', () => {
    const side = 1.5;
    const many = new InstancedMesh(new BoxGeometry(1, 2, 1), new MeshBasicMaterial(), 10_000);
    for (let i = 0; i < 10_000; i++) many.setMatrixAt(i, new Matrix4().makeTranslation((i % 100) * side, 0, Math.floor(i / 100) * side));
    for (const content of [many, new Mesh(new BoxGeometry(2, 1, 3)), new Mesh(new BoxGeometry(1, 9, 1))]) {
      const extent = extentOf(content);
      const edge = seen(extent);
      const { min, max } = extent.box;
      const corners = Array.from({ length: 8 }, (_, i) =>
        edge(new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z)),
      );
      expect(Math.max(...corners)).toBeLessThan(1);
      expect(Math.max(...corners)).toBeGreaterThan(0.85);
    }
  });

  it('fits a sphere without the empty corners of its box', () => {
    const ball = new Mesh(new SphereGeometry(1, 64, 32));
    const edge = seen(extentOf(ball));
    const around = Array.from({ length: 64 }, (_, i) =>
      edge(new Vector3().setFromSphericalCoords(1, ((Math.floor(i / 8) + 1) / 9) * Math.PI, ((i % 8) / 8) * 2 * Math.PI)),
    );
    expect(Math.max(...around)).toBeLessThan(1);
    expect(Math.max(...around)).toBeGreaterThan(0.85);
  });

  it('is that of hair strands, not of the pieces of their ribbons', () => {
    const hair = new LineSegments2(new LineSegmentsGeometry().setPositions([0, 0, 0, 0.1, 0.2, 0, 0.1, 0.2, 0, 0, 0.3, 0.1]));
    const { points } = extentOf(hair);
    expect(Math.max(...points!.map(Math.abs))).toBeLessThan(0.31);
  });

  it('is that of the bones if there are no meshes', () => {
    const root = new Bone();
    const tip = new Bone();
    root.add(tip);
    root.position.set(0, 1, 0);
    tip.position.set(0, 4, 0);
    expect(extentOf(root).box).toEqual(new Box3(new Vector3(0, 1, 0), new Vector3(0, 5, 0)));
    // A bone without children is drawn beyond its joint, so the bounds include some space there.
    expect(seen(extentOf(root))(new Vector3(0, 5.12, 0))).toBeLessThan(1);
  });
});
