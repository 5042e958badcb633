// Camera of a view. This is the visitor's own camera, which keeps the content framed, or an
// external camera, for example a recorded one.

import { type Box3, MathUtils, type Object3D, OrthographicCamera, PerspectiveCamera, Spherical, Vector3 } from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { fetchControls, type CameraControls, PassiveControls } from './controls.ts';
import {
  animatedBoundsOf,
  depthRange,
  distanceToFit,
  animatedExtent,
  initialDirection,
  floorPositionOf,
  type Extent,
  type FreeArea,
} from './framing.ts';
import type { PlaybackAction } from './playback.ts';

/** A camera that belongs to another owner, with its original field of view. */
interface ExternalCamera {
  camera: PerspectiveCamera;
  /** Half the height and width of the camera's original frustum at a distance of one metre. */
  halfHeight: number;
  halfWidth: number;
}

/**
 * Factor by which the frustum of an external camera is enlarged to leave a margin around the
 * camera's original view.
 */
export const EXTERNAL_CAMERA_MARGIN = 1.35;

const ORIGIN = new Vector3();
/**
 * Tolerance for content outside the framed bounds, as a fraction of the content's radius. If an
 * animation exceeds it, the camera moves back.
 */
const SLACK = 0.15;

/**
 * The camera moves closer if the next content is smaller than the previous one by at least this
 * factor.
 */
const SHRINK_FACTOR = 1.5;

/** Requested placement of the camera. Values that are undefined are derived from the content. */
export interface CameraPlacement {
  /** Direction from the target to the camera. */
  direction?: Vector3;
  /**
   * Distance between target and camera, in metres or as a fraction (`share`) of the distance at
   * which all content is visible.
   */
  distance?: { metres: number } | { share: number };
  /**
   * Point that the camera looks at, in metres. A coordinate that is NaN is replaced by that of the
   * content's centre.
   */
  target?: Vector3;
  /** Vertical field of view in degrees. */
  fieldOfView?: number;
}

/** A difference from a placement of the camera. */
export interface CameraOffset {
  theta: number;
  phi: number;
  zoom: number;
  target: Vector3;
  fieldOfView: number;
}

/** Position and direction of the camera. Positions are relative to the followed node, in metres. */
export interface CameraPose {
  position: readonly [x: number, y: number, z: number];
  /** Point that the camera looks at. */
  target: readonly [x: number, y: number, z: number];
  /** Vertical field of view in degrees. */
  fieldOfView: number;
}

/** Duration of a movement to another pose of the camera, in seconds. */
const MOVE_SECONDS = 0.6;
/** Distance of the target while the visitor flies, as a fraction of the content's radius. */
const FLY_DISTANCE = 0.3;

/** Limits of the visitor's camera controls. */
export interface CameraLimits {
  /** Limits of the polar angle in radians. 0 is straight above the target. */
  polar?: readonly [from: number, to: number];
  /** Limits of the angle around the vertical axis, in radians. */
  azimuth?: readonly [from: number, to: number];
  /**
   * Limits of the distance from the target in metres. Null derives a limit from the size of the
   * content.
   */
  distance?: readonly [from: number | null, to: number | null];
}

/**
 * Areas at the edges of the picture that other elements cover, as fractions of the picture's width
 * (`left`, `right`) or height (`top`, `bottom`).
 */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Default vertical field of view in degrees. */
export const FIELD_OF_VIEW = 32;

export class CameraRig {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  /** Called when the visitor starts to move the camera. */
  onInteraction: () => void = () => {};
  /**
   * Nodes that the camera can follow, starting with the root of the skeleton (see
   * `followCandidatesOf`). Set them before the content is shown.
   */
  followCandidates: readonly Object3D[] = [];
  /** True if the camera follows one of `followCandidates`; false if it stays in place. */
  isFollowing = true;
  /** Camera placement that `reset` applies. */
  placement: CameraPlacement = {};
  limits: CameraLimits = {};

  readonly #surface: HTMLElement;
  readonly #request: () => void;
  readonly #passive = new PassiveControls(this.camera);
  #orbit: OrbitControls | null = null;
  #loading: Promise<void> | null = null;
  #isDisposed = false;
  readonly #orthographic = new OrthographicCamera();
  #isOrthographic = false;
  #extent: Extent | null = null;
  /** Bind-pose extent of the content for which the camera was last placed. */
  #placedFor: Extent | null = null;
  #content: Object3D | null = null;
  #external: ExternalCamera | null = null;
  #defaultDirection = initialDirection();
  /**
   * Extent of the content over the whole animation, relative to the followed node. Null if the
   * animation stays within the bounds of the bind pose.
   */
  #animatedExtent: Extent | null = null;
  /** The member of `followCandidates` that the camera follows; null if there is none. */
  #followedNode: Object3D | null = null;
  /** Position of each follow candidate in the bind pose. */
  readonly #restPositions = new Map<Object3D, Vector3>();
  #margin: number | undefined;
  readonly #lastFollowed = new Vector3();
  #insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  /**
   * True if the visitor has not moved the camera since it was last placed. The camera is then
   * placed again when the aspect ratio changes.
   */
  #isUntouched = true;
  /** Movement to another pose; null if the camera does not move. */
  #movement: { from: CameraPose; to: CameraPose; seconds: number } | null = null;
  #isFlying = false;

  /** `surface`: the element that receives pointer input. `request`: requests a frame. */
  constructor(surface: HTMLElement, request: () => void) {
    this.#surface = surface;
    this.#request = request;
    this.#passive.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#passive.dampingFactor = 0.09;
    surface.style.touchAction = 'none';
    this.camera.position.copy(initialDirection()).multiplyScalar(5);
  }

  /**
   * Target and limits of the camera. The controls ignore the visitor's input until `enableControls`
   * has loaded OrbitControls.
   */
  get controls(): CameraControls {
    return this.#orbit ?? this.#passive;
  }

  /**
   * Loads OrbitControls, so that the visitor can orbit and zoom. Call this once content is shown.
   * Also resolves if they can't be fetched.
   */
  enableControls(): Promise<void> {
    const take = (controls: OrbitControls): void => {
      controls.addEventListener('change', this.#request);
      controls.addEventListener('start', () => {
        this.#isUntouched = false;
        this.#movement = null;
        this.onInteraction();
      });
      this.#orbit = controls;
    };
    // Reset the promise after a failure, so that the next call tries again.
    const forget = (): void => void (this.#loading = null);
    return (this.#loading ??= fetchControls(this.#surface, this.camera, this.#passive, () => this.#isDisposed, take).catch(forget));
  }

  /**
   * Direction from the content to the camera that is used unless `placement` requests another one.
   */
  get defaultDirection(): Vector3 {
    return this.#defaultDirection;
  }

  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /**
   * The camera through which the view is rendered: the visitor's own camera or the external camera.
   */
  get active(): PerspectiveCamera | OrthographicCamera {
    return this.#external?.camera ?? (this.#isOrthographic ? this.#updateOrthographic() : this.camera);
  }

  /**
   * True if the visitor's camera uses an orthographic projection. Changing this keeps the apparent
   * size of objects at the target.
   */
  get isOrthographic(): boolean {
    return this.#isOrthographic;
  }

  set isOrthographic(on: boolean) {
    this.#isOrthographic = on;
    this.#request();
  }

  /** Returns an orthographic version of the visitor's camera. */
  #updateOrthographic(): OrthographicCamera {
    const { camera } = this;
    const orthographic = this.#orthographic;
    const half = camera.position.distanceTo(this.controls.target) * Math.tan(MathUtils.degToRad(camera.fov) / 2);
    Object.assign(orthographic, {
      top: half,
      bottom: -half,
      right: half * camera.aspect,
      left: -half * camera.aspect,
      near: -camera.far,
      far: camera.far,
    });
    orthographic.position.copy(camera.position);
    orthographic.quaternion.copy(camera.quaternion);
    orthographic.view = camera.view && { ...camera.view };
    orthographic.updateProjectionMatrix();
    orthographic.updateMatrixWorld();
    return orthographic;
  }

  /**
   * Vertical field of view of the visitor's camera, in degrees. Changing this also moves the
   * camera, so that objects at the target keep their apparent size.
   */
  get fieldOfView(): number {
    return this.camera.fov;
  }

  set fieldOfView(degrees: number) {
    const { camera, controls } = this;
    const tan = (fov: number): number => Math.tan(MathUtils.degToRad(fov) / 2);
    const closer = tan(camera.fov) / tan(degrees);
    this.placement.fieldOfView = degrees;
    camera.fov = degrees;
    camera.position.sub(controls.target).multiplyScalar(closer).add(controls.target);
    controls.maxDistance = Math.max(controls.maxDistance, camera.position.distanceTo(controls.target));
    camera.updateProjectionMatrix();
    this.#adjustDepth();
    this.#request();
  }

  /**
   * Looks at a point from the current direction. A sphere of `radius` metres around the point then
   * fills the picture.
   */
  focus(point: Vector3, radius: number): void {
    if (this.#external) return;
    const { camera, controls } = this;
    const direction = this.#direction;
    const { width, height } = this.#freeArea;
    const narrow = Math.min(height, width * camera.aspect) * Math.tan(MathUtils.degToRad(camera.fov) / 2);
    controls.minDistance = Math.min(controls.minDistance, radius);
    controls.target.copy(point);
    camera.position.copy(point).addScaledVector(direction, radius / narrow);
    this.#isUntouched = false;
    this.#adjustDepth();
    controls.update();
    this.#request();
  }

  get externalCamera(): PerspectiveCamera | null {
    return this.#external?.camera ?? null;
  }

  /**
   * Camera of another owner, through which the view is rendered. The owner moves this camera. Null
   * returns to the visitor's own camera, which has not moved in the meantime.
   */
  set externalCamera(camera: PerspectiveCamera | null) {
    if (camera === this.externalCamera) return;
    if (camera) {
      const halfHeight = Math.tan(MathUtils.degToRad(camera.fov) / 2);
      this.#external = { camera, halfHeight, halfWidth: halfHeight * camera.aspect };
    } else {
      // Restore field of view and aspect ratio of the external camera, so that it can be used
      // again.
      const { camera: old, halfHeight, halfWidth } = this.#external!;
      old.fov = MathUtils.radToDeg(Math.atan(halfHeight) * 2);
      old.aspect = halfWidth / halfHeight;
      old.updateProjectionMatrix();
      this.#external = null;
    }
    this.controls.enabled = camera === null && !this.#isFlying;
    this.#fitExternalCamera();
    this.#request();
  }

  /**
   * Prepares the camera for other content. `direction`: default direction from the content to the
   * camera. `extent`: extent in the bind pose. `margin`: margin around the content, as a factor.
   */
  show(content: Object3D | null, extent: Extent | null, direction = initialDirection(), margin?: number): void {
    this.externalCamera = null;
    this.#content = content;
    this.#extent = extent;
    this.#defaultDirection = direction;
    this.#margin = margin;
    this.#animatedExtent = null;
    this.#restPositions.clear();
    for (const candidate of this.followCandidates) {
      candidate.updateWorldMatrix(true, false);
      this.#restPositions.set(candidate, floorPositionOf(candidate));
    }
    this.#followedNode = this.followCandidates[0] ?? null;
  }

  get #followed(): Vector3 | null {
    if (!this.#followedNode || !this.isFollowing) return null;
    this.#followedNode.updateWorldMatrix(true, false);
    return floorPositionOf(this.#followedNode);
  }

  /** Position of the followed node in the bind pose. */
  get #restPosition(): Vector3 {
    return (this.isFollowing && this.#followedNode && this.#restPositions.get(this.#followedNode)) || ORIGIN;
  }

  /**
   * Sets the animation that the camera keeps in view over its full duration; null for the bind
   * pose.
   */
  frame(action: PlaybackAction | null): void {
    const extent = this.#extent;
    if (!extent || !this.#content) return;
    const bounds = action && animatedBoundsOf(this.#content, action, this.isFollowing ? this.followCandidates : []);
    if (bounds && this.isFollowing) this.#followedNode = bounds.followed;
    const origin = this.#restPosition;
    const rest = extent.box.clone().translate(origin.clone().negate());
    const box = bounds?.box ?? rest;
    const isIn = (frame: Box3): boolean =>
      frame
        .clone()
        .expandByScalar(extent.radius * SLACK)
        .containsBox(box);
    const hasRoom = isIn(this.#animatedExtent?.box ?? rest);
    this.#animatedExtent = box.isEmpty() || isIn(rest) ? null : animatedExtent(box, bounds?.movingBoxes ?? new Map(), extent, origin);
    if (this.#isUntouched && !hasRoom) this.reset();
  }

  /**
   * True if the current camera placement suits the content: the content fits into the bounds for
   * which the camera was placed, and is not much smaller than these bounds.
   */
  get fitsContent(): boolean {
    const [placed, extent] = [this.#placedFor, this.#extent];
    if (!placed || !extent) return false;
    const room = placed.box.clone().expandByScalar(placed.radius * SLACK);
    return room.containsBox(extent.box) && extent.radius * SHRINK_FACTOR >= placed.radius;
  }

  /**
   * Frames the whole content, using `placement`. `direction`: direction from the content to the
   * camera (default: that of `placement` or, if undefined, `defaultDirection`).
   */
  reset(direction: Vector3 = this.placement.direction ?? this.#defaultDirection): void {
    this.externalCamera = null;
    this.#movement = null;
    if (!this.#extent) return;
    this.#placedFor = this.#extent;
    const { fieldOfView = FIELD_OF_VIEW, distance: requested, target } = this.placement;
    if (this.camera.fov !== fieldOfView) {
      this.camera.fov = fieldOfView;
      this.camera.updateProjectionMatrix();
    }
    const { radius } = this.#extent;
    const framed = this.#animatedExtent ?? this.#extent;
    const center = framed.center.clone();
    const fit = distanceToFit(framed, direction, this.camera, this.#margin, this.#freeArea);
    const distance = requested ? ('metres' in requested ? requested.metres : requested.share * fit) : fit;
    this.#applyLimits(radius, distance);
    const followed = this.#followed;
    if (followed) {
      // The followed node may have moved away from its position in the bind pose.
      center.add(followed);
      if (!this.#animatedExtent) center.sub(this.#restPosition);
      this.#lastFollowed.copy(followed);
    }
    if (target) for (const axis of ['x', 'y', 'z'] as const) if (!Number.isNaN(target[axis])) center[axis] = target[axis];
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, distance);
    if (this.#isFlying) this.#moveTarget(radius * FLY_DISTANCE);
    this.#isUntouched = !this.#isFlying;
    this.#adjustDepth();
    this.controls.update();
    this.#request();
  }

  /**
   * Moves the camera relative to its placement: angles in radians, `zoom` as a factor of the
   * distance, `target` in metres, `fieldOfView` in degrees.
   */
  offsetBy({ theta, phi, zoom, target, fieldOfView }: CameraOffset): void {
    const { camera, controls } = this;
    const orbit = this.orbit;
    controls.target.add(target);
    camera.position
      .setFromSphericalCoords(orbit.radius * zoom, MathUtils.clamp(orbit.phi + phi, 0.01, Math.PI - 0.01), orbit.theta + theta)
      .add(controls.target);
    camera.fov += fieldOfView;
    camera.updateProjectionMatrix();
    this.#adjustDepth();
    camera.lookAt(controls.target);
    this.#request();
  }

  get #direction(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  /** Position of the camera relative to its target: radius in metres, angles in radians. */
  get orbit(): Spherical {
    return new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
  }

  /**
   * Rotates the camera around its target by angles in radians and multiplies the distance by
   * `zoom`. Used for keyboard input.
   */
  orbitBy(azimuth: number, polar: number, zoom = 1): void {
    if (this.#external) return;
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

  /** Current pose of the visitor's camera. */
  get pose(): CameraPose {
    const origin = this.#followed ?? ORIGIN;
    return {
      position: this.camera.position.clone().sub(origin).toArray(),
      target: this.controls.target.clone().sub(origin).toArray(),
      fieldOfView: this.camera.fov,
    };
  }

  /**
   * Moves the visitor's camera to a pose. The movement is not animated if the visitor prefers reduced
   * motion.
   */
  moveTo(to: CameraPose): void {
    this.externalCamera = null;
    this.#isUntouched = false;
    this.#movement = matchMedia('(prefers-reduced-motion: reduce)').matches ? null : { from: this.pose, to, seconds: 0 };
    if (!this.#movement) this.#applyPose(to);
    this.#request();
  }

  #applyPose({ position, target, fieldOfView }: CameraPose): void {
    const { camera, controls } = this;
    const origin = this.#followed ?? ORIGIN;
    camera.position.fromArray(position).add(origin);
    controls.target.fromArray(target).add(origin);
    this.#lastFollowed.copy(origin);
    const distance = camera.position.distanceTo(controls.target);
    controls.minDistance = Math.min(controls.minDistance, distance);
    controls.maxDistance = Math.max(controls.maxDistance, distance);
    if (camera.fov !== fieldOfView) {
      camera.fov = fieldOfView;
      camera.updateProjectionMatrix();
    }
    controls.update();
  }

  /** Advances the movement to another pose by `seconds`. */
  #continueMovement(seconds: number): void {
    if (!this.#movement) return;
    const { from, to } = this.#movement;
    this.#movement.seconds += seconds;
    const share = MathUtils.smoothstep(this.#movement.seconds, 0, MOVE_SECONDS);
    const between = (key: 'position' | 'target'): [number, number, number] =>
      new Vector3().fromArray(from[key]).lerp(new Vector3().fromArray(to[key]), share).toArray();
    // The camera moves around its target, so that it does not pass through the content.
    const target = between('target');
    const orbit = (pose: CameraPose): Spherical =>
      new Spherical().setFromVector3(new Vector3().fromArray(pose.position).sub(new Vector3().fromArray(pose.target)));
    const [a, b] = [orbit(from), orbit(to)];
    const turn = MathUtils.euclideanModulo(b.theta - a.theta + Math.PI, 2 * Math.PI) - Math.PI;
    const position = new Vector3()
      .setFromSphericalCoords(MathUtils.lerp(a.radius, b.radius, share), MathUtils.lerp(a.phi, b.phi, share), a.theta + turn * share)
      .add(new Vector3().fromArray(target));
    this.#applyPose({
      position: share < 1 ? position.toArray() : to.position,
      target,
      fieldOfView: MathUtils.lerp(from.fieldOfView, to.fieldOfView, share),
    });
    if (share >= 1) this.#movement = null;
    else this.#request();
  }

  /**
   * True while the visitor flies through the scene by `fly`. The pointer then does not orbit the
   * camera.
   */
  get isFlying(): boolean {
    return this.#isFlying;
  }

  set isFlying(on: boolean) {
    if (on === this.#isFlying) return;
    if (on) this.externalCamera = null;
    this.#isFlying = on;
    this.#movement = null;
    this.controls.enabled = !on && !this.#external;
    const radius = this.#extent?.radius ?? 1;
    // A near target keeps near surfaces visible. Afterwards, the camera orbits the content again.
    const center = (this.#extent?.center ?? ORIGIN)
      .clone()
      .add(this.#followed ?? ORIGIN)
      .sub(this.#restPosition);
    const depth = center.clone().sub(this.camera.position).dot(this.#direction.negate());
    this.#moveTarget(on ? radius * FLY_DISTANCE : Math.max(depth, radius * FLY_DISTANCE));
    this.#isUntouched &&= !on;
    this.#adjustDepth();
    this.#request();
  }

  /** Moves the target along the line of sight to a distance from the camera in metres. */
  #moveTarget(distance: number): void {
    const { camera, controls } = this;
    const direction = this.#direction;
    controls.minDistance = Math.min(controls.minDistance, distance);
    controls.maxDistance = Math.max(controls.maxDistance, distance);
    controls.target.copy(camera.position).addScaledVector(direction, -distance);
  }

  /**
   * Moves the camera by `step` (right, up, back) in metres, and rotates it by `yaw` and `pitch` in
   * radians.
   */
  fly(step: Vector3, yaw: number, pitch: number): void {
    if (!this.#isFlying) return;
    const { camera, controls } = this;
    camera.updateMatrix();
    const moved = step.clone().applyQuaternion(camera.quaternion);
    camera.position.add(moved);
    const { radius, phi, theta } = new Spherical().setFromVector3(controls.target.clone().add(moved).sub(camera.position));
    controls.target.setFromSphericalCoords(radius, MathUtils.clamp(phi - pitch, 0.02, Math.PI - 0.02), theta + yaw).add(camera.position);
    controls.update();
    this.#request();
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.#reshape();
  }

  /**
   * Areas of the picture that other elements cover. Content is framed and centred in the remaining
   * area.
   */
  get insets(): Insets {
    return this.#insets;
  }

  set insets(insets: Insets) {
    const { top, right, bottom, left } = this.#insets;
    if (top === insets.top && right === insets.right && bottom === insets.bottom && left === insets.left) return;
    this.#insets = insets;
    this.#reshape();
    this.#request();
  }

  get #freeArea(): FreeArea {
    const { top, right, bottom, left } = this.#insets;
    return { width: 1 - left - right, height: 1 - top - bottom };
  }

  #reshape(): void {
    const { top, right, bottom, left } = this.#insets;
    const { camera } = this;
    const { aspect } = camera;
    if (top === bottom && left === right) camera.clearViewOffset();
    else camera.setViewOffset(aspect, 1, ((right - left) / 2) * aspect, (bottom - top) / 2, aspect, 1);
    if (this.#isUntouched && !this.#external) this.reset(this.controls.autoRotate ? this.#direction : undefined);
    this.#fitExternalCamera();
  }

  /**
   * Moves the camera with the followed node and updates the controls. Must be called before each
   * frame, with the seconds since the last one. Returns the new position of the followed node,
   * projected onto the floor; null if the node has not moved.
   */
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
    this.#continueMovement(seconds);
    if (!this.#external) this.controls.update(seconds);
    this.#adjustDepth();
    return step && followed!;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#orbit?.dispose();
  }

  #applyLimits(radius: number, distance: number): void {
    const { controls, limits } = this;
    controls.minDistance = limits.distance?.[0] ?? Math.min(radius * 0.05, distance);
    controls.maxDistance = limits.distance?.[1] ?? Math.max(radius * 25, distance * 2);
    [controls.minPolarAngle, controls.maxPolarAngle] = limits.polar ?? [0, Math.PI];
    [controls.minAzimuthAngle, controls.maxAzimuthAngle] = limits.azimuth ?? [-Infinity, Infinity];
  }

  #adjustDepth(): void {
    const { camera } = this;
    const radius = Math.max(this.#extent?.radius ?? 1, this.#animatedExtent?.radius ?? 0);
    const { near, far } = depthRange(camera.position.distanceTo(this.controls.target), radius);
    if (Math.abs(near - camera.near) > near * 0.01 || Math.abs(far - camera.far) > far * 0.01) {
      camera.near = near;
      camera.far = far;
      camera.updateProjectionMatrix();
    }
  }

  /**
   * Adapts the external camera to the aspect ratio of the picture, so that everything in its
   * original frustum stays visible.
   */
  #fitExternalCamera(): void {
    if (!this.#external) return;
    const { camera, halfHeight, halfWidth } = this.#external;
    camera.aspect = this.camera.aspect;
    camera.fov = MathUtils.radToDeg(2 * Math.atan(Math.max(halfHeight, halfWidth / camera.aspect) * EXTERNAL_CAMERA_MARGIN));
    camera.updateProjectionMatrix();
  }
}
