// From where what is shown is looked at: as the attributes say until somebody drags; how it turns by itself; what the page hears of it.
import { isThroughFile, limitsOf, placeOf } from './camera.ts';
import type { Presented } from '../view/present.ts';
import type { View } from '../view/view.ts';
import type { CameraOrbit, ShowHost } from './types.ts';

/** Seconds that the model stands still after the visitor has turned it, where it turns by itself. */
const ROTATE_DELAY = 3;
/** Turns a minute. */
const ROTATE_SPEED = 5;

/** What says where the camera is. */
export const CAMERA = [
  'camera-orbit',
  'camera-target',
  'field-of-view',
  'min-camera-orbit',
  'max-camera-orbit',
  'min-field-of-view',
  'max-field-of-view',
  'view',
];

export class Looking {
  /** What stands there; null: nothing does. */
  presented: Presented | null = null;
  readonly #host: ShowHost;
  readonly #view: View;
  #stillFor = ROTATE_DELAY;
  /** What the page has heard last. */
  #told = '';

  constructor(host: ShowHost, view: View) {
    this.#host = host;
    this.#view = view;
  }

  /** The visitor has it in hand. */
  use(): void {
    this.#stillFor = 0;
  }

  /** To where the attributes say. */
  place(): void {
    const { cameraRig } = this.#view;
    const of = (name: string): string | null => this.#host.element.getAttribute(name);
    cameraRig.limits = limitsOf(of('min-camera-orbit'), of('max-camera-orbit'));
    cameraRig.placement = placeOf(
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
    if (isThroughFile(of('view')) && !this.presented?.recording?.camera)
      this.#host.emit('error', { message: 'The file has no camera to look through.', error: null, report: null });
    this.reset();
  }

  /** Back there, or through the recorded camera. */
  reset(): void {
    this.#stillFor = ROTATE_DELAY;
    const recording = this.presented?.recording;
    const recorded = isThroughFile(this.#host.element.getAttribute('view')) ? recording?.camera : null;
    this.#view.cameraRig.reset();
    if (recorded) this.#view.cameraRig.externalCamera = recorded;
    if (recording) recording.showsGizmos = !recorded;
    this.#view.invalidate();
  }

  /** Turns by itself where the page wants that; true: it goes on doing so. `isCalm`: the visitor wants less movement. */
  rotate(seconds: number, isCalm: boolean): boolean {
    const { controls } = this.#view.cameraRig;
    const isWanted = this.#host.element.hasAttribute('auto-rotate') && !isCalm;
    this.#stillFor += seconds;
    controls.autoRotate = isWanted && this.#stillFor >= ROTATE_DELAY;
    controls.autoRotateSpeed = ROTATE_SPEED;
    return isWanted;
  }

  /** Tells the page where the camera is now, where it was elsewhere before. */
  tell(): void {
    const { orbit, target } = this;
    const { x, y, z } = target;
    const fieldOfView = (this.#view.cameraRig.externalCamera ?? this.#view.cameraRig.camera).fov;
    const now = `${String(orbit)} ${[x, y, z, fieldOfView].map(value => value.toFixed(4)).join(' ')}`;
    if (now === this.#told) return;
    this.#told = now;
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
