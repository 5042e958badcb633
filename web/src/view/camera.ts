// Camera of a view. This is the visitor's own camera, which keeps the content framed, or an
// external camera, for example a recorded one.

import { type Box3, MathUtils, type Object3D, OrthographicCamera, PerspectiveCamera, Spherical, Vector3 } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { ExternalCamera } from './externalCamera.ts';
import type { CameraMovement, CameraLimits, CameraOffset, CameraPlacement, CameraPose, Insets } from './cameraSettings.ts';
import { orthographicOf } from './orthographic.ts';
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
import { visibleSide } from './visibleSide.ts';

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

/** Distance of the target while the visitor flies, as a fraction of the content's radius. */
const FLY_DISTANCE = 0.3;

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
  /** Requests a frame. */
  readonly request: () => void;
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
  #movement: CameraMovement | null = null;
  #isFlying = false;

  /** `surface`: the element that receives pointer input. `request`: requests a frame. */
  constructor(surface: HTMLElement, request: () => void) {
    this.#surface = surface;
    this.request = request;
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
      controls.addEventListener('change', this.request);
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
    return (
      this.#external?.camera ?? (this.#isOrthographic ? orthographicOf(this.camera, this.controls.target, this.#orthographic) : this.camera)
    );
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
    this.request();
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
    this.request();
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
    this.request();
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
    this.#external?.restore();
    this.#external = camera && new ExternalCamera(camera);
    this.controls.enabled = camera === null && !this.#isFlying;
    this.#external?.fit(this.camera.aspect);
    this.request();
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
   * which the camera was placed, is not much smaller than these bounds, and its faces are visible.
   */
  get fitsContent(): boolean {
    const [placed, extent] = [this.#placedFor, this.#extent];
    if (!placed || !extent) return false;
    const room = placed.box.clone().expandByScalar(placed.radius * SLACK);
    if (!room.containsBox(extent.box) || extent.radius * SHRINK_FACTOR < placed.radius) return false;
    const direction = this.#direction;
    return !this.#content || visibleSide(this.#content, direction) === direction;
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
    this.#isUntouched = true;
    this.#adjustDepth();
    this.controls.update();
    this.request();
  }

  /** Keeps the current placement when the aspect ratio or the uncovered area changes. */
  keepPlacement(): void {
    this.#isUntouched = false;
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
    this.request();
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
    this.request();
  }

  /** Pose of the visitor's camera. */
  get pose(): CameraPose {
    const origin = this.#followed ?? ORIGIN;
    return {
      position: this.camera.position.clone().sub(origin).toArray(),
      target: this.controls.target.clone().sub(origin).toArray(),
      fieldOfView: this.camera.fov,
    };
  }

  set pose({ position, target, fieldOfView }: CameraPose) {
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

  /** Movement of the visitor's camera, for example to a saved pose. The visitor's input ends it. */
  get movement(): CameraMovement | null {
    return this.#movement;
  }

  set movement(movement: CameraMovement | null) {
    this.externalCamera = null;
    this.#isUntouched = false;
    this.#movement = movement;
    this.request();
  }

  /**
   * True while the visitor flies through the scene (see `fly`). The pointer then does not orbit the
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
    this.#adjustDepth();
    this.request();
  }

  /** Moves the target along the line of sight to a distance from the camera in metres. */
  #moveTarget(distance: number): void {
    const { camera, controls } = this;
    const direction = this.#direction;
    controls.minDistance = Math.min(controls.minDistance, distance);
    controls.maxDistance = Math.max(controls.maxDistance, distance);
    controls.target.copy(camera.position).addScaledVector(direction, -distance);
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
    this.request();
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
    this.#external?.fit(this.camera.aspect);
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
    if (this.#movement) {
      this.pose = this.#movement.advance(seconds);
      if (this.#movement.isFinished) this.#movement = null;
      else this.request();
    }
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
}
