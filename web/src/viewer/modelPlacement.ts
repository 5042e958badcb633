// Changes up axis, rotation and scale of a model, for files that do not specify them correctly.
import { MathUtils, Quaternion, Vector3 } from 'three';
import { defaultPlacement, type Placement } from '../session/viewSettings.ts';
import type { Rig } from '../three/index.ts';
import { forwardOf, frontAngle, initialDirection, type View } from '../view/index.ts';
import type { CameraView } from './cameraView.ts';

const UP = /*@__PURE__*/ new Vector3(0, 1, 0);

/** Returns the rotation of a placement. */
export function rotationOf({ up, yaw }: Pick<Placement, 'up' | 'yaw'>): Quaternion {
  const above = new Vector3().setComponent('xyz'.indexOf(up.at(-1)!), up.startsWith('-') ? -1 : 1);
  const upright = new Quaternion().setFromUnitVectors(above, UP);
  return new Quaternion().setFromAxisAngle(UP, MathUtils.degToRad(yaw)).multiply(upright);
}

export class ModelPlacement {
  readonly #view: View;
  readonly #cameraView: CameraView;
  /** Rotation that is currently applied to the model. */
  readonly #turned = new Quaternion();
  #up: Placement['up'] = defaultPlacement.up;

  constructor(view: View, cameraView: CameraView) {
    this.#view = view;
    this.#cameraView = cameraView;
  }

  /** Resets the applied placement. Call this when another model is shown. */
  reset(): void {
    this.#turned.identity();
    this.#up = defaultPlacement.up;
  }

  /**
   * Applies a placement. Returns true if the model has changed; the caller must then frame it
   * again.
   */
  place({ scene, springs, file }: Rig, { up, yaw, scale }: Placement): boolean {
    const { content } = this.#view;
    if (!content) return false;
    const wanted = rotationOf({ up, yaw });
    if (this.#turned.angleTo(wanted) < 1e-6 && content.scale.x === scale) return false;
    // Replace the previous rotation by the requested one.
    content.quaternion.premultiply(this.#turned.clone().invert()).premultiply(wanted);
    content.scale.setScalar(scale);
    this.#turned.copy(wanted);
    content.updateMatrixWorld(true);
    springs?.rotateGravity(scene.getWorldQuaternion(new Quaternion()));
    springs?.reset();
    if (up === this.#up) this.#look(this.#view.cameraRig.defaultDirection);
    else this.viewFromFront({ file, scene });
    this.#up = up;
    return true;
  }

  /**
   * Views the model from its front if the forward direction is known; otherwise from the default
   * direction.
   */
  viewFromFront(rig: Pick<Rig, 'file' | 'scene'>): void {
    const front = forwardOf(rig);
    this.#look(front ? initialDirection(front) : this.#view.cameraRig.defaultDirection);
  }

  #look(direction: Vector3): void {
    this.#view.show(this.#view.content, true, { direction });
    this.#cameraView.front = frontAngle(this.#view.cameraRig.defaultDirection);
  }
}
