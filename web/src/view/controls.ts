// Camera controls of a view. OrbitControls are loaded after the first picture. Until then,
// `PassiveControls` apply the same limits, but ignore the pointer.
import { MathUtils, type PerspectiveCamera, Spherical, Vector3 } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** The members of OrbitControls that `PassiveControls` also implements. */
export type CameraControls = Pick<
  OrbitControls,
  | 'target'
  | 'enabled'
  | 'enableZoom'
  | 'enableDamping'
  | 'dampingFactor'
  | 'autoRotate'
  | 'autoRotateSpeed'
  | 'minDistance'
  | 'maxDistance'
  | 'minPolarAngle'
  | 'maxPolarAngle'
  | 'minAzimuthAngle'
  | 'maxAzimuthAngle'
> & { update(seconds?: number): unknown };

/**
 * Clamps an angle to an interval, in radians. If the interval wraps around ±π, an angle outside of
 * it is set to the nearer end.
 */
function clampAngle(angle: number, from: number, to: number): number {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return angle;
  const wrapped = (bound: number): number => (bound < -Math.PI ? bound + 2 * Math.PI : bound > Math.PI ? bound - 2 * Math.PI : bound);
  const [min, max] = [wrapped(from), wrapped(to)];
  if (min <= max) return MathUtils.clamp(angle, min, max);
  return angle > (min + max) / 2 ? Math.max(min, angle) : Math.min(max, angle);
}

/**
 * Camera controls without pointer input. They support auto-rotation and the limits of
 * OrbitControls.
 */
export class PassiveControls implements CameraControls {
  readonly target = new Vector3();
  enabled = true;
  enableZoom = true;
  enableDamping = false;
  dampingFactor = 0.05;
  autoRotate = false;
  autoRotateSpeed = 2;
  minDistance = 0;
  maxDistance = Infinity;
  minPolarAngle = 0;
  maxPolarAngle = Math.PI;
  minAzimuthAngle = -Infinity;
  maxAzimuthAngle = Infinity;
  readonly #camera: PerspectiveCamera;
  readonly #orbit = new Spherical();

  constructor(camera: PerspectiveCamera) {
    this.#camera = camera;
  }

  update(seconds = 1 / 60): void {
    const { target } = this;
    const { position } = this.#camera;
    const orbit = this.#orbit.setFromVector3(position.sub(target));
    if (this.autoRotate) orbit.theta -= ((2 * Math.PI) / 60) * this.autoRotateSpeed * seconds;
    orbit.theta = clampAngle(orbit.theta, this.minAzimuthAngle, this.maxAzimuthAngle);
    orbit.phi = MathUtils.clamp(orbit.phi, this.minPolarAngle, this.maxPolarAngle);
    orbit.radius = MathUtils.clamp(orbit.radius, this.minDistance, this.maxDistance);
    position.setFromSpherical(orbit.makeSafe()).add(target);
    this.#camera.lookAt(target);
  }
}

/**
 * Loads OrbitControls for `surface`, copies the state of `passive` to them and calls `onLoad`. Does
 * nothing if `isDisposed` returns true after loading. If a pointer was pressed during loading, a
 * drag starts.
 */
export async function fetchControls(
  surface: HTMLElement,
  camera: PerspectiveCamera,
  passive: CameraControls,
  isDisposed: () => boolean,
  onLoad: (controls: OrbitControls) => void,
): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const pressed = new Map<number, PointerEvent>();
  surface.addEventListener('pointerdown', event => pressed.set(event.pointerId, event), { signal });
  for (const type of ['pointerup', 'pointercancel'] as const)
    surface.ownerDocument.addEventListener(type, event => pressed.delete(event.pointerId), { signal });
  try {
    const { OrbitControls } = await import('three/addons/controls/OrbitControls.js');
    if (isDisposed()) return;
    const { touchAction } = surface.style;
    const controls = Object.assign(new OrbitControls(camera, surface), passive);
    controls.update(0); // undoes a change by the constructor, which makes the camera look at the origin
    camera.updateMatrixWorld();
    surface.style.touchAction = touchAction; // OrbitControls disable scrolling by touch
    onLoad(controls);
  } finally {
    waiting.abort();
  }
  for (const event of pressed.values()) surface.dispatchEvent(new PointerEvent('pointerdown', event));
}
