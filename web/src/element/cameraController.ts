// Camera controller: follows the attributes until the visitor interacts, rotates automatically, and
// reports changes.
import { usesFileCamera, limitsOf, cameraPlaceOf } from './cameraAttributes.ts';
import type { Presented } from '../view/present.ts';
import type { View } from '../view/view.ts';
import type { CameraOrbit, PresenterHost } from './types.ts';

/** Seconds without interaction before automatic rotation starts again. */
const ROTATE_DELAY = 3;
/** Revolutions per minute. */
const ROTATE_RPM = 5;

/** Attributes that move the camera. */
export const CAMERA_ATTRIBUTES = [
  'camera-orbit',
  'camera-target',
  'field-of-view',
  'min-camera-orbit',
  'max-camera-orbit',
  'min-field-of-view',
  'max-field-of-view',
  'view',
];

export class CameraController {
  /** The presented model; null if nothing is shown. */
  presented: Presented | null = null;
  readonly #host: PresenterHost;
  readonly #view: View;
  #idleSeconds = ROTATE_DELAY;
  /** State of the camera at the last `camerachange` event. */
  #lastEmitted = '';

  constructor(host: PresenterHost, view: View) {
    this.#host = host;
    this.#view = view;
  }

  /** Restarts the delay of automatic rotation, because the visitor is moving the camera. */
  pauseRotation(): void {
    this.#idleSeconds = 0;
  }

  /** Moves the camera to the view and limits of the attributes. */
  applyAttributes(): void {
    const { cameraRig } = this.#view;
    const of = (name: string): string | null => this.#host.element.getAttribute(name);
    cameraRig.limits = limitsOf(of('min-camera-orbit'), of('max-camera-orbit'));
    cameraRig.placement = cameraPlaceOf(
      {
        orbit: of('camera-orbit'),
        target: of('camera-target'),
        fieldOfView: of('field-of-view'),
        minFieldOfView: of('min-field-of-view'),
        maxFieldOfView: of('max-field-of-view'),
        view: of('view'),
      },
      cameraRig.defaultDirection,
      this.presented?.front ?? 0,
    );
    if (usesFileCamera(of('view')) && !this.presented?.recording?.camera)
      this.#host.emit('error', { message: 'The file contains no camera.', error: null, report: null });
    this.reset();
  }

  /** Moves the camera back to that view, or to the recorded camera. */
  reset(): void {
    this.#idleSeconds = ROTATE_DELAY;
    const recording = this.presented?.recording;
    const recorded = usesFileCamera(this.#host.element.getAttribute('view')) ? recording?.camera : null;
    this.#view.cameraRig.reset();
    if (recorded) this.#view.cameraRig.externalCamera = recorded;
    if (recording) recording.showsGizmos = !recorded;
    this.#view.invalidate();
  }

  /**
   * Rotates the camera if `auto-rotate` is set. Returns true while rotation is enabled. `isCalm`:
   * the visitor prefers reduced motion.
   */
  rotate(seconds: number, isCalm: boolean): boolean {
    const { controls } = this.#view.cameraRig;
    const isWanted = this.#host.element.hasAttribute('auto-rotate') && !isCalm;
    this.#idleSeconds += seconds;
    controls.autoRotate = isWanted && this.#idleSeconds >= ROTATE_DELAY;
    controls.autoRotateSpeed = ROTATE_RPM;
    return isWanted;
  }

  /** Dispatches `camerachange` if the camera has moved. */
  emitChange(): void {
    const { orbit, target } = this;
    const { x, y, z } = target;
    const fieldOfView = (this.#view.cameraRig.externalCamera ?? this.#view.cameraRig.camera).fov;
    const now = `${String(orbit)} ${[x, y, z, fieldOfView].map(value => value.toFixed(4)).join(' ')}`;
    if (now === this.#lastEmitted) return;
    this.#lastEmitted = now;
    this.#host.emit('camerachange', { orbit, target, fieldOfView });
  }

  get orbit(): CameraOrbit {
    const { theta, phi, radius } = this.#view.cameraRig.orbit;
    return { theta, phi, radius, toString: () => `${theta.toFixed(4)}rad ${phi.toFixed(4)}rad ${radius.toFixed(4)}m` };
  }

  get target(): { x: number; y: number; z: number } {
    const { x, y, z } = this.#view.cameraRig.controls.target;
    return { x, y, z };
  }
}
