// Camera of the viewport: standard views, focus on a bone, and cameras of the file.
import { signal } from '@preact/signals-core';
import { MathUtils, type Object3D, PerspectiveCamera, Vector3 } from 'three';
import { type Model, wholeCharacter } from '../session/model.ts';
import { type CameraPose, type View, followCandidatesOf, moveTo } from '../view/index.ts';

export class CameraView {
  /** True while the viewport renders through a camera of the file or the recorded head. */
  readonly isThroughCamera = signal(false);
  #model: Model | null = null;
  readonly #view: View;
  /** Angle of the model's forward direction around the vertical axis, in radians. */
  front = 0;
  /** Camera at the recorded head; null if the head was not recorded. */
  #recorded: PerspectiveCamera | null = null;
  /**
   * The camera of the file that the viewport renders through, and its node; null if there is none.
   */
  #fileCamera: { camera: PerspectiveCamera; node: Object3D } | null = null;

  constructor(view: View) {
    this.#view = view;
  }

  /** Sets the shown model; null if there is none. */
  set model(model: Model | null) {
    this.#model = model;
    const drawn = model ? wholeCharacter(model).map(({ rig }) => rig.scene) : [];
    this.#view.cameraRig.followCandidates = model ? followCandidatesOf(model.bones, drawn) : [];
  }

  /**
   * Returns to the visitor's camera. `front`: angle of the model's forward direction around the
   * vertical axis, in radians. `recorded`: camera at the recorded head; null if there is none.
   */
  begin(front: number, recorded: PerspectiveCamera | null): void {
    this.front = front;
    this.#recorded = recorded;
    this.isThroughCamera.value = false;
  }

  /**
   * Returns to the visitor's camera and releases the model. Call this when the viewport is emptied.
   */
  clear(): void {
    this.model = null;
    this.#recorded = this.#fileCamera = null;
    this.isThroughCamera.value = false;
  }

  /** Frames the whole model with the visitor's camera. */
  reset(): void {
    this.#view.cameraRig.reset();
    this.isThroughCamera.value = false;
  }

  /**
   * Views the model from its front, its right side or the top, or from the opposite side of the
   * current view.
   */
  lookFrom(side: 'front' | 'right' | 'top' | 'opposite'): void {
    const { cameraRig } = this.#view;
    const around = side === 'opposite' ? cameraRig.orbit.theta + Math.PI : this.front + (side === 'right' ? Math.PI / 2 : 0);
    const phi = side === 'top' ? 0 : side === 'opposite' ? cameraRig.orbit.phi : Math.PI / 2;
    cameraRig.reset(new Vector3().setFromSphericalCoords(1, phi, around));
    this.isThroughCamera.value = false;
    this.#view.invalidate();
  }

  /** Frames a bone; null frames the whole model. */
  focus(bone: Object3D | null): void {
    const { extent } = this.#view;
    if (!bone || !extent) return this.reset();
    const at = bone.getWorldPosition(new Vector3());
    const lengths = bone.children.map(child => child.getWorldPosition(new Vector3()).distanceTo(at));
    this.#view.cameraRig.focus(at, Math.max(...lengths, extent.radius * 0.12));
  }

  /** Returns the pose of the visitor's camera. */
  get pose(): CameraPose {
    return this.#view.cameraRig.pose;
  }

  /** Moves the visitor's camera to a pose. */
  moveTo(pose: CameraPose): void {
    moveTo(this.#view.cameraRig, pose);
    this.isThroughCamera.value = false;
  }

  /** Renders through the recorded camera (true) or the visitor's own camera (false). */
  lookThrough(on: boolean): void {
    this.#fileCamera = null;
    this.#view.cameraRig.externalCamera = on ? this.#recorded : null;
    this.isThroughCamera.value = this.#view.cameraRig.externalCamera !== null;
    this.#view.invalidate();
  }

  /** Renders through a camera of the file. `row`: index of the camera. */
  lookThroughCamera(row: number): void {
    const found = this.#model?.file.scene?.cameras[row];
    const node = this.#model?.rig.nodes[found?.node ?? -1];
    if (!found || !node) return;
    const { verticalFov, aspect } = found;
    const { radius } = this.#view.extent!;
    const camera = new PerspectiveCamera(MathUtils.radToDeg(verticalFov), aspect > 0 ? aspect : 1, radius * 0.01, radius * 100);
    this.#fileCamera = { camera, node };
    this.#view.cameraRig.externalCamera = camera;
    this.isThroughCamera.value = true;
    this.#view.invalidate();
  }

  /** Moves the active camera of the file to its node. */
  update(): void {
    if (!this.#fileCamera) return;
    const { camera, node } = this.#fileCamera;
    node.matrixWorld.decompose(camera.position, camera.quaternion, new Vector3());
  }
}
