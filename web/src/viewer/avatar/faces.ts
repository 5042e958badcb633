// Small pictures of an avatar's face, one per expression, drawn one after the other.
import { PerspectiveCamera, Vector3 } from 'three';
import type { Model } from '../../session/model.ts';
import { lookDesignOf } from '../../rig/lookAt.ts';
import type { Scenery } from '../scenery.ts';

/** Pixels of a picture's side. */
const SIZE = 144;
/** Expressions that get a picture. */
const MOST = 48;
/** Milliseconds between two. */
const PAUSE = 60;
const FIELD_OF_VIEW = 24;
const UP = new Vector3(0, 1, 0);

/** Where the head is, to be seen from its front; null where there is none that is known to be one. */
export function headCamera({ rig, file }: Model, { view, eye }: Scenery): PerspectiveCamera | null {
  const design = lookDesignOf(file.scene!);
  const head = design && rig.nodes[design.head];
  const { extent } = view;
  if (!head || !extent) return null;
  rig.scene.updateWorldMatrix(true, true);
  const at = head.getWorldPosition(new Vector3());
  // From the neck to the top of what there is; of hats and horns not more than a head again.
  const height = Math.min(Math.max(extent.box.max.y - at.y, extent.radius * 0.1), extent.radius * 0.7);
  const center = at.clone().addScaledVector(UP, height * 0.42);
  const distance = (height * 0.62) / Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, distance * 0.05, distance * 10);
  camera.position.setFromSphericalCoords(distance, Math.PI / 2, eye.front).add(center);
  camera.lookAt(center);
  return camera;
}

/** `onPicture` is told the row of an expression and an address, which the caller revokes. Ends early where the model goes, or `signal` says so. */
export async function drawFaces(
  model: Model,
  scenery: Scenery,
  isBusy: () => boolean,
  onPicture: (row: number, address: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { list } = model.rig.expressions;
  for (let row = 0; row < Math.min(list.length, MOST); row++) {
    await pause();
    while (isBusy() && !signal.aborted) await pause();
    const drawn = signal.aborted ? null : drawFace(model, scenery, row);
    const blob = await drawn;
    if (!drawn || signal.aborted) return;
    if (blob) onPicture(row, URL.createObjectURL(blob));
  }
}

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PAUSE));

/** All of it is as before when the call returns: the picture has been drawn by then. Null: nobody knows where the head is. */
function drawFace(model: Model, scenery: Scenery, row: number): Promise<Blob | null> | null {
  const { view, sharedRenderer } = scenery;
  const { expressions } = model.rig;
  const putBack = putAtRest(model);
  const weights = expressions.list.map(({ weight }) => weight);
  const hidden = [view.ground.object, view.overlays].filter(({ visible }) => visible);
  const { externalCamera } = view.cameraRig;
  const { pass } = view;
  const camera = headCamera(model, scenery);
  for (const each of hidden) each.visible = false;
  for (const other of weights.keys()) expressions.setAt(other, other === row ? 1 : 0);
  view.pass = null;
  view.cameraRig.externalCamera = camera;
  try {
    return camera && sharedRenderer.toBlob(view, { width: SIZE, height: SIZE });
  } finally {
    putBack();
    view.cameraRig.externalCamera = externalCamera;
    view.pass = pass;
    for (const [other, weight] of weights.entries()) expressions.setAt(other, weight);
    for (const each of hidden) each.visible = true;
    view.invalidate();
  }
}

/** Faces are compared: they must not be turned as a motion has them just now. The result undoes it. */
function putAtRest({ rig, file }: Model): () => void {
  const { translations, rotations, scales } = file.scene!.nodes;
  const poses = rig.nodes.map(({ position, quaternion, scale }) => [position.clone(), quaternion.clone(), scale.clone()] as const);
  for (const [row, { position, quaternion, scale }] of rig.nodes.entries()) {
    position.fromArray(translations, 3 * row);
    quaternion.fromArray(rotations, 4 * row);
    scale.fromArray(scales, 3 * row);
  }
  return () => {
    for (const [row, node] of rig.nodes.entries()) {
      const [position, quaternion, scale] = poses[row]!;
      node.position.copy(position);
      node.quaternion.copy(quaternion);
      node.scale.copy(scale);
    }
  };
}
