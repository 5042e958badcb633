// Applies the camera attributes, rotates the camera automatically, and fires `camerachange`.
import { MathUtils, type Vector3 } from 'three';
import { ATTRIBUTES } from './attributes.ts';
import { parseNumber } from './cssValues.ts';
import { usesFileCamera, limitsOf, cameraPlacementOf } from './cameraAttributes.ts';
import type { Presented } from '../view/present.ts';
import type { View } from '../view/view.ts';
import type { CameraOrbit, PresenterHost } from './types.ts';

/** Time in seconds after the last interaction until automatic rotation resumes. */
const ROTATE_DELAY = 3;
/** Speed of automatic rotation in revolutions per minute. */
const ROTATE_RPM = 5;
/** Duration of a camera movement, as a multiple of `interpolation-decay`. */
const MOVE_DECAYS = 7;

/** A movement of the camera: differences from its end, which decrease to 0. */
interface Movement {
  /** Time since the start, as a fraction of the duration. */
  progress: number;
  /** Duration in seconds. */
  duration: number;
  theta: number;
  phi: number;
  /** Logarithm of the ratio of the distances. */
  zoom: number;
  target: Vector3;
  /** In degrees. */
  fieldOfView: number;
}

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

/** Returns the same angle between −π and π. */
const shortestArc = (angle: number): number => MathUtils.euclideanModulo(angle + Math.PI, 2 * Math.PI) - Math.PI;

export class CameraController {
  /** The presented model; null if nothing is shown. */
  presented: Presented | null = null;
  readonly #host: PresenterHost;
  readonly #view: View;
  #idleSeconds = ROTATE_DELAY;
  /** Orbit, target and field of view at the last `camerachange` event, as text. */
  #lastEmitted = '';
  #movement: Movement | null = null;

  constructor(host: PresenterHost, view: View) {
    this.#host = host;
    this.#view = view;
  }

  /** Ends automatic movements. Called when the visitor moves the camera. */
  onInteraction(): void {
    this.#idleSeconds = 0;
    this.#movement = null;
  }

  /**
   * Applies the camera attributes and moves the camera accordingly. `isSmooth`: true to move it
   * within some time, unless the attribute `interpolation-decay` is 0.
   */
  applyAttributes(isSmooth = false): void {
    const { cameraRig } = this.#view;
    const before = isSmooth && !cameraRig.externalCamera ? this.#state() : null;
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
    const decay = parseNumber(attribute('interpolation-decay')) ?? ATTRIBUTES['interpolation-decay'];
    if (!before || !(decay > 0) || cameraRig.externalCamera) return;
    const after = this.#state();
    this.#movement = {
      progress: 0,
      duration: (decay * MOVE_DECAYS) / 1000,
      theta: shortestArc(before.theta - after.theta),
      phi: before.phi - after.phi,
      zoom: Math.log(before.radius / after.radius),
      target: before.target.clone().sub(after.target),
      fieldOfView: before.fieldOfView - after.fieldOfView,
    };
    this.move(0);
  }

  #state(): { theta: number; phi: number; radius: number; target: Vector3; fieldOfView: number } {
    const { orbit, controls, camera } = this.#view.cameraRig;
    return { theta: orbit.theta, phi: orbit.phi, radius: orbit.radius, target: controls.target.clone(), fieldOfView: camera.fov };
  }

  /** Continues a movement of the camera by `seconds`. Returns true until it has ended. */
  move(seconds: number): boolean {
    const movement = this.#movement;
    if (!movement) return false;
    movement.progress += seconds / movement.duration;
    const { cameraRig } = this.#view;
    cameraRig.reset(); // the end of the movement, which can move with the model
    if (movement.progress >= 1) this.#movement = null;
    else {
      const rest = 1 - MathUtils.smootherstep(movement.progress, 0, 1);
      const { theta, phi, zoom, target, fieldOfView } = movement;
      cameraRig.offsetBy({
        theta: theta * rest,
        phi: phi * rest,
        zoom: Math.exp(zoom * rest),
        target: target.clone().multiplyScalar(rest),
        fieldOfView: fieldOfView * rest,
      });
    }
    return this.#movement !== null;
  }

  /**
   * Resets the camera to the view that the attributes specify. Uses the recorded camera if the
   * attribute `view` requests it.
   */
  reset(): void {
    this.#idleSeconds = ROTATE_DELAY;
    this.#movement = null;
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
