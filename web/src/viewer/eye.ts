// From where the stage is looked at: a side of the model, one of its bones, or a camera of the file.
import { signal } from '@preact/signals-core';
import { MathUtils, type Object3D, PerspectiveCamera, Vector3 } from 'three';
import { type Model, wholeCharacter } from '../session/model.ts';
import { type View, followCandidatesOf } from '../view/index.ts';

export class Eye {
  /** The stage looks through a camera of the file, or a recorded one. */
  readonly isThrough = signal(false);
  #model: Model | null = null;
  readonly #view: View;
  /** The angle around the vertical towards which the model's front looks, radians. */
  front = 0;
  /** What a recorded head saw. */
  #recorded: PerspectiveCamera | null = null;
  /** A camera of the file that is looked through, and the node that carries it. */
  #carried: { camera: PerspectiveCamera; node: Object3D } | null = null;

  constructor(view: View) {
    this.#view = view;
  }

  /** What stands there from now on; null: nothing does. */
  set model(model: Model | null) {
    this.#model = model;
    const drawn = model ? wholeCharacter(model).map(({ rig }) => rig.scene) : [];
    this.#view.cameraRig.followCandidates = model ? followCandidatesOf(model.bones, drawn) : [];
  }

  /** The model is looked at from outside. `front`: where its front looks; `recorded`: what its recording saw, where it is one. */
  begin(front: number, recorded: PerspectiveCamera | null): void {
    this.front = front;
    this.#recorded = recorded;
    this.isThrough.value = false;
  }

  /** The stage is empty. */
  clear(): void {
    this.model = null;
    this.#recorded = this.#carried = null;
    this.isThrough.value = false;
  }

  /** From outside, at the whole model. */
  reset(): void {
    this.#view.cameraRig.reset();
    this.isThrough.value = false;
  }

  /** From the front of the model, its side or above; opposite: from the other side than now. */
  lookFrom(side: 'front' | 'right' | 'top' | 'opposite'): void {
    const { cameraRig } = this.#view;
    const around = side === 'opposite' ? cameraRig.orbit.theta + Math.PI : this.front + (side === 'right' ? Math.PI / 2 : 0);
    const phi = side === 'top' ? 0 : side === 'opposite' ? cameraRig.orbit.phi : Math.PI / 2;
    cameraRig.reset(new Vector3().setFromSphericalCoords(1, phi, around));
    this.isThrough.value = false;
    this.#view.invalidate();
  }

  /** At a bone; null: all of the model. */
  focus(bone: Object3D | null): void {
    const { extent } = this.#view;
    if (!bone || !extent) return this.reset();
    const at = bone.getWorldPosition(new Vector3());
    const lengths = bone.children.map(child => child.getWorldPosition(new Vector3()).distanceTo(at));
    this.#view.cameraRig.focus(at, Math.max(...lengths, extent.radius * 0.12));
  }

  /** The picture as the recorded head saw it, or the visitor's own again. */
  lookThrough(on: boolean): void {
    this.#carried = null;
    this.#view.cameraRig.externalCamera = on ? this.#recorded : null;
    this.isThrough.value = this.#view.cameraRig.externalCamera !== null;
    this.#view.invalidate();
  }

  /** Through a camera of the file, by its row. */
  lookThroughCamera(row: number): void {
    const found = this.#model?.file.scene?.cameras[row];
    const node = this.#model?.rig.nodes[found?.node ?? -1];
    if (!found || !node) return;
    const { verticalFov, aspect } = found;
    const { radius } = this.#view.extent!;
    const camera = new PerspectiveCamera(MathUtils.radToDeg(verticalFov), aspect > 0 ? aspect : 1, radius * 0.01, radius * 100);
    this.#carried = { camera, node };
    this.#view.cameraRig.externalCamera = camera;
    this.isThrough.value = true;
    this.#view.invalidate();
  }

  /** The node that carries the camera has moved. */
  update(): void {
    if (!this.#carried) return;
    const { camera, node } = this.#carried;
    node.matrixWorld.decompose(camera.position, camera.quaternion, new Vector3());
  }
}
