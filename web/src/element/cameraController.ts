// Applies the camera attributes, rotates the camera automatically, and fires `camerachange`.
import { usesFileCamera, limitsOf, cameraPlacementOf } from './cameraAttributes.ts';
import type { Presented } from '../view/present.ts';
import type { View } from '../view/view.ts';
import type { CameraOrbit, PresenterHost } from './types.ts';

/** Time in seconds after the last interaction until automatic rotation resumes. */
const ROTATE_DELAY = 3;
/** Speed of automatic rotation in revolutions per minute. */
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
  /** Orbit, target and field of view at the last `camerachange` event, as text. */
  #lastEmitted = '';

  constructor(host: PresenterHost, view: View) {
    this.#host = host;
    this.#view = view;
  }

  /** Pauses automatic rotation. Called when the visitor moves the camera. */
  pauseRotation(): void {
    this.#idleSeconds = 0;
  }

  /** Applies the camera attributes and moves the camera accordingly. */
  applyAttributes(): void {
    const { cameraRig } = this.#view;
    const attribute = (name: string): string | null => this.#host.element.getAttribute(name);
    cameraRig.limits = limitsOf(attribute('min-camera-orbit'), attribute('max-camera-orbit'));
    cameraRig.placement = cameraPlacementOf(
      {
        orbit: attribute('camera-orbit'),
        target: attribute('camera-target'),
        fieldOfView: attribute('field-of-view'),
        minFieldOfView: attribute('min-field-of-view'),
        maxFieldOfView: attribute('max-field-of-view'),
        view: attribute('view'),
      },
      cameraRig.defaultDirection,
      this.presented?.front ?? 0,
    );
    if (usesFileCamera(attribute('view')) && !this.presented?.recording?.camera)
      this.#host.emit('error', { message: 'The file contains no camera.', error: null, report: null });
    this.reset();
  }

  /**
   * Resets the camera to the view that the attributes specify. Uses the recorded camera if the
   * attribute `view` requests it.
   */
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
   * Updates automatic rotation, which is enabled if `auto-rotate` is set and the visitor does not
   * prefer reduced motion. `seconds`: time since the last call. Returns true if rotation is
   * enabled, even while it is paused.
   */
  rotate(seconds: number, reducedMotion: boolean): boolean {
    const { controls } = this.#view.cameraRig;
    const isEnabled = this.#host.element.hasAttribute('auto-rotate') && !reducedMotion;
    this.#idleSeconds += seconds;
    controls.autoRotate = isEnabled && this.#idleSeconds >= ROTATE_DELAY;
    controls.autoRotateSpeed = ROTATE_RPM;
    return isEnabled;
  }

  /** Fires `camerachange` if the camera has moved since the last call. */
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
