// Where a view is looked at from: the visitor's own camera, which keeps what is shown in the picture, or another one that they look through.

import { type Box3, MathUtils, type Object3D, OrthographicCamera, PerspectiveCamera, Spherical, Vector3 } from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { fetchControls, type Held, StillControls } from './controls.ts';
import { courseOf, depthRange, distanceToFit, extentWhile, firstLook, groundOf, type Extent, type Room } from './framing.ts';
import type { Motion } from './playback.ts';

/** Somebody else's eyes: how they see, before the picture is fitted into the view. */
interface Eye {
  camera: PerspectiveCamera;
  /** Half of its height and width, a metre away. */
  halfHeight: number;
  halfWidth: number;
}

/** Room around what a recorded camera saw. */
export const EYE_MARGIN = 1.35;

const ORIGIN = new Vector3();
/** A motion may leave the frame by this share of the model's size before the camera steps back. */
const SLACK = 0.15;

/** The camera moves closer if the next content is smaller by this factor. */
const SMALLER = 1.5;

/** What somebody asks of the place of a camera; the rest is found from what is shown. */
export interface Place {
  /** From the target to the eye. */
  direction?: Vector3;
  /** Metres from the target to the eye, or a share of the distance from which all is seen. */
  distance?: { metres: number } | { share: number };
  /** What it looks at, metres; a coordinate that is not a number is that of the middle of what is shown. */
  target?: Vector3;
  /** Vertical angle of view, degrees. */
  fieldOfView?: number;
}

/** Bounds of what a visitor may do. */
export interface Limits {
  /** Angles from straight above, radians. */
  polar?: readonly [from: number, to: number];
  /** Angles around the target, radians. */
  azimuth?: readonly [from: number, to: number];
  /** Metres; null: found from the size of what is shown. */
  distance?: readonly [from: number | null, to: number | null];
}

/** What something else covers of a picture, from each of its edges, as shares of its width and height. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Degrees, vertical, where nobody wishes otherwise. */
export const FIELD_OF_VIEW = 32;

export class CameraRig {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  /** The visitor takes the camera in hand. */
  onUse: () => void = () => {};
  /** What the camera may keep to while what is shown next walks, the root of its skeleton first (`walkersOf`). */
  walkers: readonly Object3D[] = [];
  /** Whether it does; else it stays where it is. */
  isFollowing = true;
  /** Where the camera is put by `reset`, as far as somebody has said so. */
  wish: Place = {};
  limits: Limits = {};

  readonly #surface: HTMLElement;
  readonly #request: () => void;
  readonly #still = new StillControls(this.camera);
  #orbit: OrbitControls | null = null;
  #listening: Promise<void> | null = null;
  #isGone = false;
  readonly #flat = new OrthographicCamera();
  #isFlat = false;
  #extent: Extent | null = null;
  /** The extent at rest of the content that the camera was last placed for. */
  #placedFor: Extent | null = null;
  #content: Object3D | null = null;
  #eye: Eye | null = null;
  #look = firstLook();
  /** What a motion takes up where that is more than the model at rest, told from what the eye follows. */
  #framed: Extent | null = null;
  /** The one of the walkers that the camera keeps to. */
  #walker: Object3D | null = null;
  /** Where each of them is at rest. */
  readonly #homes = new Map<Object3D, Vector3>();
  #margin: number | undefined;
  readonly #lastFollowed = new Vector3();
  #insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  /** Nobody has moved the camera since it was put in place: it may be put in place again when the picture's shape changes. */
  #isUntouched = true;

  /** `surface` is what the visitor drags on; `request` asks for a frame. */
  constructor(surface: HTMLElement, request: () => void) {
    this.#surface = surface;
    this.#request = request;
    this.#still.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#still.dampingFactor = 0.09;
    surface.style.touchAction = 'none';
    this.camera.position.copy(firstLook()).multiplyScalar(5);
  }

  /** Where it looks, its bounds, and the visitor's hand, once somebody has asked for it (`listen`). */
  get controls(): Held {
    return this.#orbit ?? this.#still;
  }

  /** The visitor may drag and zoom from soon on; whoever calls has shown them something. Resolves when they may, or when that cannot be fetched. */
  listen(): Promise<void> {
    const take = (controls: OrbitControls): void => {
      controls.addEventListener('change', this.#request);
      controls.addEventListener('start', () => {
        this.#isUntouched = false;
        this.onUse();
      });
      this.#orbit = controls;
    };
    // Without a network they are asked for again the next time.
    const forget = (): void => void (this.#listening = null);
    return (this.#listening ??= fetchControls(this.#surface, this.camera, this.#still, () => this.#isGone, take).catch(forget));
  }

  /** From where the content is looked at where nobody wishes otherwise. */
  get look(): Vector3 {
    return this.#look;
  }

  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /** The camera that draws: the visitor's own, or the one they look through. */
  get active(): PerspectiveCamera | OrthographicCamera {
    return this.#eye?.camera ?? (this.#isFlat ? this.#flattened() : this.camera);
  }

  /** Without perspective: what is at the target is as large as with it. */
  get isFlat(): boolean {
    return this.#isFlat;
  }

  set isFlat(on: boolean) {
    this.#isFlat = on;
    this.#request();
  }

  /** The visitor's camera without perspective. */
  #flattened(): OrthographicCamera {
    const { camera } = this;
    const flat = this.#flat;
    const half = camera.position.distanceTo(this.controls.target) * Math.tan(MathUtils.degToRad(camera.fov) / 2);
    Object.assign(flat, {
      top: half,
      bottom: -half,
      right: half * camera.aspect,
      left: -half * camera.aspect,
      near: -camera.far,
      far: camera.far,
    });
    flat.position.copy(camera.position);
    flat.quaternion.copy(camera.quaternion);
    flat.view = camera.view && { ...camera.view };
    flat.updateProjectionMatrix();
    flat.updateMatrixWorld();
    return flat;
  }

  /** Vertical angle of view, degrees. What is at the target stays as large as it is. */
  get fieldOfView(): number {
    return this.camera.fov;
  }

  set fieldOfView(degrees: number) {
    const { camera, controls } = this;
    const tan = (fov: number): number => Math.tan(MathUtils.degToRad(fov) / 2);
    const closer = tan(camera.fov) / tan(degrees);
    this.wish.fieldOfView = degrees;
    camera.fov = degrees;
    camera.position.sub(controls.target).multiplyScalar(closer).add(controls.target);
    controls.maxDistance = Math.max(controls.maxDistance, camera.position.distanceTo(controls.target));
    camera.updateProjectionMatrix();
    this.#adjustDepth();
    this.#request();
  }

  /** Looks at a point, from where it looks now, so that what is `radius` metres around it fills the picture. */
  focus(point: Vector3, radius: number): void {
    if (this.#eye) return;
    const { camera, controls } = this;
    const direction = this.#direction;
    const { width, height } = this.#room;
    const narrow = Math.min(height, width * camera.aspect) * Math.tan(MathUtils.degToRad(camera.fov) / 2);
    controls.minDistance = Math.min(controls.minDistance, radius);
    controls.target.copy(point);
    camera.position.copy(point).addScaledVector(direction, radius / narrow);
    this.#isUntouched = false;
    this.#adjustDepth();
    controls.update();
    this.#request();
  }

  get eye(): PerspectiveCamera | null {
    return this.#eye?.camera ?? null;
  }

  /** Looks through another camera, whose owner moves it; null: through the visitor's own again, where it was. */
  set eye(camera: PerspectiveCamera | null) {
    if (camera === this.eye) return;
    if (camera) {
      const halfHeight = Math.tan(MathUtils.degToRad(camera.fov) / 2);
      this.#eye = { camera, halfHeight, halfWidth: halfHeight * camera.aspect };
    } else {
      // As it was given: it may be asked for again.
      const { camera: old, halfHeight, halfWidth } = this.#eye!;
      old.fov = MathUtils.radToDeg(Math.atan(halfHeight) * 2);
      old.aspect = halfWidth / halfHeight;
      old.updateProjectionMatrix();
      this.#eye = null;
    }
    this.controls.enabled = camera === null;
    this.#fitEye();
    this.#request();
  }

  /** Looks at something else, from `look` unless the caller says otherwise. */
  show(content: Object3D | null, extent: Extent | null, look = firstLook(), margin?: number): void {
    this.eye = null;
    this.#content = content;
    this.#extent = extent;
    this.#look = look;
    this.#margin = margin;
    this.#framed = null;
    this.#homes.clear();
    for (const walker of this.walkers) {
      walker.updateWorldMatrix(true, false);
      this.#homes.set(walker, groundOf(walker));
    }
    this.#walker = this.walkers[0] ?? null;
  }

  get #followed(): Vector3 | null {
    if (!this.#walker || !this.isFollowing) return null;
    this.#walker.updateWorldMatrix(true, false);
    return groundOf(this.#walker);
  }

  /** Where that is at rest. */
  get #home(): Vector3 {
    return (this.isFollowing && this.#walker && this.#homes.get(this.#walker)) || ORIGIN;
  }

  /** What shall be in the picture from now on: the model, and all that a motion makes of it. Null: the model at rest. */
  frame(motion: Motion | null): void {
    const extent = this.#extent;
    if (!extent || !this.#content) return;
    const course = motion && courseOf(this.#content, motion, this.isFollowing ? this.walkers : []);
    if (course && this.isFollowing) this.#walker = course.walker;
    const home = this.#home;
    const rest = extent.box.clone().translate(home.clone().negate());
    const box = course?.box ?? rest;
    const isIn = (frame: Box3): boolean =>
      frame
        .clone()
        .expandByScalar(extent.radius * SLACK)
        .containsBox(box);
    const hasRoom = isIn(this.#framed?.box ?? rest);
    this.#framed = box.isEmpty() || isIn(rest) ? null : extentWhile(box, course?.reaches ?? new Map(), extent, home);
    if (this.#isUntouched && !hasRoom) this.reset();
  }

  /** True if the content reaches little beyond the extent that the camera was placed for, and is not much smaller. */
  get suits(): boolean {
    const [placed, extent] = [this.#placedFor, this.#extent];
    if (!placed || !extent) return false;
    const room = placed.box.clone().expandByScalar(placed.radius * SLACK);
    return room.containsBox(extent.box) && extent.radius * SMALLER >= placed.radius;
  }

  /** Looks at the whole model again, from where somebody wished or where it is best seen. */
  reset(direction: Vector3 = this.wish.direction ?? this.#look): void {
    this.eye = null;
    if (!this.#extent) return;
    this.#placedFor = this.#extent;
    const { fieldOfView = FIELD_OF_VIEW, distance: wished, target } = this.wish;
    if (this.camera.fov !== fieldOfView) {
      this.camera.fov = fieldOfView;
      this.camera.updateProjectionMatrix();
    }
    const { radius } = this.#extent;
    const seen = this.#framed ?? this.#extent;
    const center = seen.center.clone();
    const fit = distanceToFit(seen, direction, this.camera, this.#margin, this.#room);
    const distance = wished ? ('metres' in wished ? wished.metres : wished.share * fit) : fit;
    this.#bound(radius, distance);
    const followed = this.#followed;
    if (followed) {
      // It may have walked on since.
      center.add(followed);
      if (!this.#framed) center.sub(this.#home);
      this.#lastFollowed.copy(followed);
    }
    if (target) for (const axis of ['x', 'y', 'z'] as const) if (!Number.isNaN(target[axis])) center[axis] = target[axis];
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, distance);
    this.#isUntouched = true;
    this.#adjustDepth();
    this.controls.update();
    this.#request();
  }

  get #direction(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  /** Where the eye is around its target: radius in metres, angles in radians. */
  get orbit(): Spherical {
    return new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
  }

  /** Turns and zooms from the keyboard: radians and a factor. */
  turn(azimuth: number, polar: number, zoom = 1): void {
    if (this.#eye) return;
    const { controls } = this;
    const { radius, phi, theta } = this.orbit;
    this.#isUntouched = false;
    this.camera.position
      .setFromSphericalCoords(
        MathUtils.clamp(radius * zoom, controls.minDistance, controls.maxDistance),
        MathUtils.clamp(phi + polar, 0.02, Math.PI - 0.02),
        theta + azimuth,
      )
      .add(controls.target);
    controls.update();
    this.#request();
  }

  /** The picture has another shape. */
  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.#reshape();
  }

  /** What is looked at is fitted into what is left between them, and its target is seen in the middle of that. */
  set insets(insets: Insets) {
    const { top, right, bottom, left } = this.#insets;
    if (top === insets.top && right === insets.right && bottom === insets.bottom && left === insets.left) return;
    this.#insets = insets;
    this.#reshape();
    this.#request();
  }

  get #room(): Room {
    const { top, right, bottom, left } = this.#insets;
    return { width: 1 - left - right, height: 1 - top - bottom };
  }

  #reshape(): void {
    const { top, right, bottom, left } = this.#insets;
    const { camera } = this;
    const { aspect } = camera;
    if (top === bottom && left === right) camera.clearViewOffset();
    else camera.setViewOffset(aspect, 1, ((right - left) / 2) * aspect, (bottom - top) / 2, aspect, 1);
    if (this.#isUntouched && !this.#eye) this.reset(this.controls.autoRotate ? this.#direction : undefined);
    this.#fitEye();
  }

  /** Before each frame: follows what walks, and goes on with what the visitor began. Where it was followed to, if anywhere. */
  update(seconds: number): Vector3 | null {
    const followed = this.#followed;
    let step: Vector3 | null = null;
    if (followed) {
      step = followed.clone().sub(this.#lastFollowed);
      this.#lastFollowed.copy(followed);
      if (step.lengthSq() > 0 && Number.isFinite(step.lengthSq())) {
        this.controls.target.add(step);
        this.camera.position.add(step);
      } else {
        step = null;
      }
    }
    if (!this.#eye) this.controls.update(seconds);
    this.#adjustDepth();
    return step && followed!;
  }

  dispose(): void {
    this.#isGone = true;
    this.#orbit?.dispose();
  }

  #bound(radius: number, distance: number): void {
    const { controls, limits } = this;
    controls.minDistance = limits.distance?.[0] ?? Math.min(radius * 0.05, distance);
    controls.maxDistance = limits.distance?.[1] ?? Math.max(radius * 25, distance * 2);
    [controls.minPolarAngle, controls.maxPolarAngle] = limits.polar ?? [0, Math.PI];
    [controls.minAzimuthAngle, controls.maxAzimuthAngle] = limits.azimuth ?? [-Infinity, Infinity];
  }

  #adjustDepth(): void {
    const { camera } = this;
    const radius = Math.max(this.#extent?.radius ?? 1, this.#framed?.radius ?? 0);
    const { near, far } = depthRange(camera.position.distanceTo(this.controls.target), radius);
    if (Math.abs(near - camera.near) > near * 0.01 || Math.abs(far - camera.far) > far * 0.01) {
      camera.near = near;
      camera.far = far;
      camera.updateProjectionMatrix();
    }
  }

  /** All that the other camera saw fits into a picture of any shape. */
  #fitEye(): void {
    if (!this.#eye) return;
    const { camera, halfHeight, halfWidth } = this.#eye;
    camera.aspect = this.camera.aspect;
    camera.fov = MathUtils.radToDeg(2 * Math.atan(Math.max(halfHeight, halfWidth / camera.aspect) * EYE_MARGIN));
    camera.updateProjectionMatrix();
  }
}
