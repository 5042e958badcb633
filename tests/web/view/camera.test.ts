// Tests the camera and the view without a renderer.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Box3, BoxGeometry, Group, Mesh, MathUtils, MeshBasicMaterial, type Object3D, PerspectiveCamera, Vector3 } from 'three';
import { CameraRig, FIELD_OF_VIEW } from '../../../web/src/view/camera.ts';
import { EXTERNAL_CAMERA_MARGIN } from '../../../web/src/view/externalCamera.ts';
import { extentIn, extentOf } from '../../../web/src/view/framing.ts';
import type { PlaybackAction } from '../../../web/src/view/playback.ts';
import { View, type ViewEvents } from '../../../web/src/view/view.ts';

beforeAll(() => void vi.stubGlobal('matchMedia', () => ({ matches: false })));
afterAll(() => void vi.unstubAllGlobals());

const surface = (): HTMLElement => ({ style: {} }) as unknown as HTMLElement;
const box = (...size: [number, number, number]): Mesh => new Mesh(new BoxGeometry(...size), new MeshBasicMaterial());
const v = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z);

interface Given {
  rig: CameraRig;
  content: Object3D;
  requests: number;
}

/** Returns a camera in front of `content`, by default a box of 2 × 2 × 2 metres. */
function looking(content: Object3D = box(2, 2, 2), walkers: Object3D[] = []): Given {
  const given: Given = { rig: null!, content, requests: 0 };
  const rig = (given.rig = new CameraRig(surface(), () => given.requests++));
  rig.setAspect(1.5);
  rig.followCandidates = walkers;
  rig.show(content, extentOf(content), v(0, 0, 1));
  rig.reset();
  return given;
}
const distance = ({ rig }: Given): number => rig.camera.position.distanceTo(rig.controls.target);
/** Returns the size of one metre at the target, as a fraction of the picture's height. */
const metreAtTarget = ({ rig }: Given): number => {
  const { active } = rig;
  active.updateMatrixWorld();
  active.updateProjectionMatrix();
  const up = v(0, 1, 0).applyQuaternion(active.quaternion);
  const [a, b] = [rig.controls.target.clone(), rig.controls.target.clone().add(up)].map(point => point.project(active));
  return (b!.y - a!.y) / 2;
};
const moving = (content: Object3D, to: Vector3): PlaybackAction => ({
  name: '',
  duration: 1,
  frameRate: 30,
  seek: time => void content.position.copy(to).multiplyScalar(time),
  stop: () => {},
});

describe('the camera placement', () => {
  it('fits other content of the same size and position only', () => {
    const suits = (size: number, at: Vector3): boolean => {
      const { rig } = looking();
      const other = box(size, size, size);
      other.position.copy(at);
      rig.show(other, extentOf(other), v(0, 0, 1));
      return rig.fitsContent;
    };
    expect(suits(2, v(0, 0, 0))).toBe(true);
    expect(suits(2.2, v(0.1, 0, 0))).toBe(true);
    expect(suits(2, v(1, 0, 0))).toBe(false);
    expect(suits(3, v(0, 0, 0))).toBe(false);
    expect(suits(1.2, v(0, 0, 0))).toBe(false);
    expect(suits(0.5, v(3, 0, 0))).toBe(false);
  });

  it('is compared with the content it was placed for', () => {
    const { rig } = looking();
    for (const x of [0.2, 0.4, 0.6]) {
      const next = box(2, 2, 2);
      next.position.x = x;
      rig.show(next, extentOf(next), v(0, 0, 1));
      expect(rig.fitsContent).toBe(x < 0.25);
    }
    rig.reset();
    expect(rig.fitsContent).toBe(true);
  });

  it('shows all content from the requested direction', () => {
    const given = looking();
    const { position } = given.rig.camera;
    expect(
      position
        .clone()
        .normalize()
        .distanceTo(v(0, 0, 1)),
    ).toBeLessThan(1e-6);
    given.rig.camera.updateMatrixWorld();
    const corners = [-1, 1].flatMap(x => [-1, 1].map(y => v(x, y, 1).project(given.rig.camera)));
    expect(Math.max(...corners.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]))).toBeLessThan(1);
  });

  it('follows the requested placement', () => {
    const given = looking();
    const { rig } = given;
    const fit = distance(given);
    rig.placement = { direction: v(1, 0, 0), distance: { share: 2 } };
    rig.reset();
    expect([distance(given) / fit, rig.camera.position.clone().normalize().x]).toEqual([expect.closeTo(2, 1), expect.closeTo(1, 6)]);
    rig.placement = { distance: { metres: 7 }, target: v(Number.NaN, 5, Number.NaN), fieldOfView: 50 };
    rig.reset();
    expect([distance(given), rig.controls.target.toArray(), rig.camera.fov]).toEqual([expect.closeTo(7, 6), [0, 5, 0], 50]);
    rig.placement = {};
    rig.reset();
    expect(rig.camera.fov).toBe(FIELD_OF_VIEW);
  });

  it('has limits derived from the content, unless they are set', () => {
    const { rig } = looking();
    const radius = Math.sqrt(3);
    expect([rig.controls.minDistance, rig.controls.maxDistance]).toEqual([
      expect.closeTo(radius * 0.05, 6),
      expect.closeTo(radius * 25, 6),
    ]);
    rig.limits = { distance: [3, null], polar: [1, 2], azimuth: [-1, 1] };
    rig.reset();
    const { minDistance, maxDistance, minPolarAngle, maxPolarAngle, minAzimuthAngle, maxAzimuthAngle } = rig.controls;
    expect([minDistance, maxDistance]).toEqual([3, expect.closeTo(radius * 25, 6)]);
    expect([minPolarAngle, maxPolarAngle, minAzimuthAngle, maxAzimuthAngle]).toEqual([1, 2, -1, 1]);
    rig.limits = {};
    rig.placement = { distance: { metres: 1000 } };
    rig.reset();
    expect(rig.controls.maxDistance).toBe(2000);
    rig.placement = { distance: { metres: 0.001 } };
    rig.reset();
    expect(rig.controls.minDistance).toBe(0.001);
  });

  it('changes with the aspect ratio until the visitor moves the camera', () => {
    const given = looking();
    const wide = distance(given);
    given.rig.setAspect(0.5);
    expect(distance(given)).toBeGreaterThan(1.5 * wide);
    given.rig.orbitBy(0.5, 0);
    const turned = distance(given);
    given.rig.setAspect(1.5);
    expect([distance(given), given.rig.isUntouched]).toEqual([turned, false]);
  });

  it('orbits and zooms within its limits, and never over the top', () => {
    const given = looking();
    const { rig } = given;
    rig.orbitBy(Math.PI / 2, 0);
    expect(
      rig.camera.position
        .clone()
        .normalize()
        .distanceTo(v(1, 0, 0)),
    ).toBeLessThan(1e-6);
    rig.orbitBy(0, -9);
    expect(rig.orbit.phi).toBeCloseTo(0.02, 4);
    rig.orbitBy(0, 9);
    expect(rig.orbit.phi).toBeCloseTo(Math.PI - 0.02, 4);
    rig.orbitBy(0, 0, 1e9);
    expect(distance(given)).toBeCloseTo(rig.controls.maxDistance, 3);
    rig.orbitBy(0, 0, 1e-12);
    expect(distance(given)).toBeCloseTo(rig.controls.minDistance, 6);
  });

  it('focuses a point from the current direction', () => {
    const given = looking();
    given.rig.orbitBy(0.7, 0.1);
    const before = given.rig.camera.position.clone().sub(given.rig.controls.target).normalize();
    given.rig.focus(v(1, 1, 1), 0.1);
    const after = given.rig.camera.position.clone().sub(v(1, 1, 1));
    expect(after.clone().normalize().distanceTo(before)).toBeLessThan(1e-6);
    expect(metreAtTarget(given)).toBeCloseTo(5, 3); // a sphere of 0.1 m radius fills the picture
  });

  it('keeps the target centred between insets', () => {
    const { rig } = looking();
    const whole = distance({ rig } as Given);
    const seen = (): number[] => {
      rig.camera.updateMatrixWorld();
      return rig.controls.target.clone().project(rig.camera).toArray().slice(0, 2);
    };
    rig.insets = { top: 0, right: 0, bottom: 0, left: 0.4 };
    expect(seen()).toEqual([expect.closeTo(0.4, 4), expect.closeTo(0, 4)]);
    rig.insets = { top: 0, right: 0, bottom: 0.5, left: 0 };
    expect(seen()).toEqual([expect.closeTo(0, 4), expect.closeTo(0.5, 4)]);
    expect(distance({ rig } as Given)).toBeGreaterThan(1.5 * whole);
    rig.insets = { top: 0.1, right: 0.2, bottom: 0.1, left: 0.2 };
    expect([seen().map(value => Math.abs(value) < 1e-9), rig.camera.view?.enabled ?? false]).toEqual([[true, true], false]);
  });
});

describe('the field of view', () => {
  it('changes while objects at the target keep their size', () => {
    const given = looking();
    const before = metreAtTarget(given);
    for (const degrees of [60, 2, 90]) {
      given.rig.fieldOfView = degrees;
      expect([given.rig.camera.fov, metreAtTarget(given)]).toEqual([degrees, expect.closeTo(before, 4)]);
      expect(distance(given)).toBeLessThanOrEqual(given.rig.controls.maxDistance + 1e-6);
    }
    given.rig.reset();
    expect(given.rig.camera.fov).toBe(90);
  });

  it('is replaced by an orthographic projection of the same size', () => {
    const given = looking();
    const before = metreAtTarget(given);
    given.rig.isOrthographic = true;
    expect(given.rig.active).not.toBe(given.rig.camera);
    expect(metreAtTarget(given)).toBeCloseTo(before, 4);
  });
});

describe('an external camera', () => {
  it('is used with a margin in any aspect ratio, and restored afterwards', () => {
    const { rig } = looking();
    const eye = new PerspectiveCamera(40, 2, 0.1, 10);
    const half = Math.tan(MathUtils.degToRad(20));
    rig.externalCamera = eye;
    expect([rig.active, rig.controls.enabled]).toEqual([eye, false]);
    for (const aspect of [3, 0.5]) {
      rig.setAspect(aspect);
      const up = Math.tan(MathUtils.degToRad(eye.fov) / 2);
      expect(Math.min(up / half, (up * aspect) / (2 * half))).toBeCloseTo(EXTERNAL_CAMERA_MARGIN, 6);
    }
    rig.orbitBy(1, 0);
    rig.focus(v(9, 9, 9), 1);
    expect(rig.isUntouched).toBe(true);
    rig.externalCamera = null;
    expect([eye.fov, eye.aspect, rig.active, rig.controls.enabled]).toEqual([
      expect.closeTo(40, 6),
      expect.closeTo(2, 6),
      rig.camera,
      true,
    ]);
  });

  it('is left when other content is shown', () => {
    const { rig, content } = looking();
    rig.externalCamera = new PerspectiveCamera();
    rig.show(content, extentOf(content));
    expect(rig.externalCamera).toBeNull();
  });
});

describe('an animation', () => {
  it('moves an untouched camera back if it leaves the frame', () => {
    const given = looking();
    const before = distance(given);
    given.rig.frame(moving(given.content, v(0.1, 0, 0)));
    expect([distance(given), given.rig.controls.target.x]).toEqual([before, 0]);
    given.rig.frame(moving(given.content, v(6, 0, 0)));
    expect(distance(given)).toBeGreaterThan(1.5 * before);
    expect(given.rig.controls.target.x).toBeCloseTo(3, 6);
    const back = distance(given);
    given.rig.frame(null); // the content fits into the picture
    expect(distance(given)).toBe(back);
    given.rig.reset();
    expect(distance(given)).toBeCloseTo(before, 6);
    given.rig.orbitBy(0.1, 0);
    const mine = distance(given);
    given.rig.frame(moving(given.content, v(6, 0, 0)));
    expect(distance(given)).toBe(mine);
  });

  it('that walks is followed at a constant distance', () => {
    const content = box(2, 2, 2);
    const given = looking(new Group().add(content), [content]);
    const { rig } = given;
    const before = distance(given);
    rig.frame(moving(content, v(20, 0, 0)));
    expect(distance(given)).toBeCloseTo(before, 4);
    content.position.set(3, 9, 4);
    const seen = rig.update(1 / 60);
    expect(seen!.toArray()).toEqual([3, 0, 4]);
    expect([rig.controls.target.x, rig.controls.target.y, rig.controls.target.z]).toEqual([3, expect.closeTo(0, 6), 4]);
    expect(rig.update(1 / 60)).toBeNull();
    rig.isFollowing = false;
    content.position.set(7, 0, 0);
    expect([rig.update(1 / 60), rig.controls.target.x]).toEqual([null, 3]);
    rig.isFollowing = true;
    content.position.x = Number.NaN;
    rig.update(1 / 60);
    expect(rig.controls.target.x).toBe(3);
  });
});

describe('a view', () => {
  const viewOf = (events: ViewEvents = {}): { view: View; asked: () => number } => {
    const view = new View(surface(), events);
    let asked = 0;
    view.onRequest = () => asked++;
    view.setSize(300, 200);
    return { view, asked: () => asked };
  };

  it('has its floor at zero for characters, otherwise at the lowest point', () => {
    const { view } = viewOf();
    for (const [bottom, wanted] of [
      [0, 0],
      [-0.05, 0],
      [0.05, 0],
      [1.5, 1.5],
      [-3, -3],
    ] as const) {
      const body = box(1, 2, 1);
      body.position.y = bottom + 1;
      view.show(body);
      expect(view.ground.object.position.y).toBeCloseTo(wanted, 6);
    }
    expect(view.ground.object.visible).toBe(true);
    view.show(null);
    expect([view.ground.object.visible, view.extent]).toEqual([false, null]);
  });

  it('removes the previous content, and resets the camera only on request', () => {
    const { view } = viewOf();
    const [first, second] = [box(1, 1, 1), box(9, 9, 9)];
    view.show(first);
    const at = view.cameraRig.camera.position.clone();
    view.show(second, false);
    expect([first.parent, second.parent, view.content]).toEqual([null, view.scene, second]);
    expect(view.cameraRig.camera.position.equals(at)).toBe(true);
    view.show(second, true, { direction: v(0, 0, 1), box: new Box3(v(-1, -1, -1), v(1, 1, 1)) });
    expect([view.extent!.radius, view.extent!.points]).toEqual([expect.closeTo(Math.sqrt(3), 6), null]);
    view.dispose();
    expect(second.parent).toBeNull();
  });

  it('requests a frame when it changes, and redraws the shadow only if content may have changed', () => {
    const { view, asked } = viewOf();
    for (const [change, isShadowOld] of [
      [() => view.request(), false],
      [() => view.invalidate(), true],
      [() => (view.lighting = 'toon'), true],
      [() => (view.lightRotation = 1), true],
      [() => view.setSize(10, 10), true],
      [() => view.show(null), true],
    ] as const) {
      view.isDirty = view.isShadowStale = false;
      const before = asked();
      change();
      expect([view.isDirty, view.isShadowStale, asked() > before]).toEqual([true, isShadowOld, true]);
    }
    view.isVisible = false;
    const before = asked();
    view.isVisible = false;
    view.isVisible = true;
    view.isVisible = true;
    expect(asked()).toBe(before + 1);
  });

  it('is at least one pixel in size', () => {
    const { view } = viewOf();
    view.setSize(0, -5);
    expect(view.size).toEqual({ width: 1, height: 1 });
  });

  it('keeps updating while tick or posed returns true', () => {
    for (const [tick, posed] of [
      [true, false],
      [false, true],
      [false, false],
    ]) {
      const order: string[] = [];
      const { view } = viewOf({
        tick: seconds => (order.push(`tick ${seconds}`), tick!),
        posed: seconds => (order.push(`posed ${seconds}`), posed!),
      });
      expect([view.update(0.5), order]).toEqual([tick || posed, ['tick 0.5', 'posed 0.5']]);
    }
  });

  it('rotates its lights to an angle around the vertical axis', () => {
    const { view } = viewOf();
    const lamp = view.scene.children.find(child => 'isDirectionalLight' in child)!;
    const before = lamp.position.clone();
    view.lightRotation = 1;
    view.lightRotation = Math.PI;
    expect(lamp.position.distanceTo(v(-before.x, before.y, -before.z))).toBeLessThan(1e-9);
    expect([view.lightRotation, view.scene.environmentRotation.y]).toEqual([Math.PI, Math.PI]);
  });

  it('uses the lights of its lighting mode', () => {
    const { view } = viewOf();
    const light = (): number[] =>
      view.scene.children.filter(child => 'isLight' in child).map(lamp => (lamp as unknown as { intensity: number }).intensity);
    const studio = light();
    view.lighting = 'toon';
    const toon = light();
    view.lighting = 'content';
    expect(light().slice(0, 2)).toEqual([0, 0]);
    expect(light()[2]).toBeGreaterThan(0);
    expect(toon[0]).toBeGreaterThan(studio[0]!);
    const plain = view.scene.environmentIntensity;
    view.sky = { scene: view.scene, size: 8 };
    expect(view.scene.environmentIntensity).toBeGreaterThan(plain);
    view.sky = null;
    expect(view.scene.environmentIntensity).toBe(plain);
  });
});

it('returns an extent of one metre above the origin for empty content or NaN', () => {
  for (const given of [new Box3(), new Box3(v(Number.NaN, 0, 0), v(1, 1, 1)), new Box3(v(0, 0, 0), v(Infinity, 1, 1))])
    expect(extentIn(given).box).toEqual(new Box3(v(-0.5, 0, -0.5), v(0.5, 1, 0.5)));
});
