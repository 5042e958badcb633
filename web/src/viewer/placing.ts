// A model that stands wrong is put otherwise than its file says.
import { MathUtils, Quaternion, Vector3 } from 'three';
import { defaultPlacement, type Placement } from '../session/viewSettings.ts';
import type { Rig } from '../three/index.ts';
import { initialDirection, forwardOf, type View } from '../view/index.ts';
import type { Eye } from './eye.ts';

const UP = /*@__PURE__*/ new Vector3(0, 1, 0);

export class Placing {
  readonly #view: View;
  readonly #eye: Eye;
  /** How it is turned already, and which of its directions points up. */
  readonly #turned = new Quaternion();
  #up: Placement['up'] = defaultPlacement.up;

  constructor(view: View, eye: Eye) {
    this.#view = view;
    this.#eye = eye;
  }

  /** Something else stands there from now on, as its file says. */
  reset(): void {
    this.#turned.identity();
    this.#up = defaultPlacement.up;
  }

  /** Whether it stands otherwise now. Then whoever calls looks at it anew. */
  place({ scene, springs, file }: Rig, { up, yaw: turn, scale }: Placement): boolean {
    const { content } = this.#view;
    if (!content) return false;
    const above = new Vector3().setComponent('xyz'.indexOf(up.at(-1)!), up.startsWith('-') ? -1 : 1);
    const wanted = new Quaternion().setFromAxisAngle(UP, MathUtils.degToRad(turn));
    wanted.multiply(new Quaternion().setFromUnitVectors(above, UP));
    if (this.#turned.angleTo(wanted) < 1e-6 && content.scale.x === scale) return false;
    // From how it stood before to how it shall stand.
    content.quaternion.premultiply(this.#turned.clone().invert()).premultiply(wanted);
    content.scale.setScalar(scale);
    this.#turned.copy(wanted);
    content.updateMatrixWorld(true);
    springs?.turnWorld(scene.getWorldQuaternion(new Quaternion()));
    springs?.reset();
    if (up === this.#up) this.#look(this.#view.cameraRig.defaultDirection);
    else this.lookAtFront({ file, scene });
    this.#up = up;
    return true;
  }

  /** Looks anew at a model that stands otherwise now, from its front where that is known. */
  lookAtFront(rig: Pick<Rig, 'file' | 'scene'>): void {
    const front = forwardOf(rig);
    if (front) this.#eye.front = Math.atan2(front.x, front.z);
    this.#look(front ? initialDirection(front) : this.#view.cameraRig.defaultDirection);
  }

  #look(direction: Vector3): void {
    this.#view.show(this.#view.content, true, { direction });
  }
}
