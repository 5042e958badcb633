// Draws a thumbnail of an avatar's face for each expression.
import { PerspectiveCamera, Vector3 } from 'three';
import type { Model } from '../../session/model.ts';
import { lookDesignOf } from '../../rig/lookAt.ts';
import type { Viewport } from '../viewport.ts';

/** Size of a thumbnail in pixels. */
const SIZE = 144;
/** Maximum number of expressions with a thumbnail. */
const MAX_COUNT = 48;
/** Pause between drawing two thumbnails, in milliseconds. */
const PAUSE = 60;
const FIELD_OF_VIEW = 24;
const UP = new Vector3(0, 1, 0);

/** Returns a camera in front of the head, or null if the head is unknown. */
export function headCamera({ rig, file }: Model, { view, cameraView }: Viewport): PerspectiveCamera | null {
  const design = lookDesignOf(file.scene!);
  const head = design && rig.nodes[design.head];
  const { extent } = view;
  if (!head || !extent) return null;
  rig.scene.updateWorldMatrix(true, true);
  const at = head.getWorldPosition(new Vector3());
  // The picture contains everything above the neck. The height is limited, so that a tall hat or
  // horns do not make the face tiny.
  const height = Math.min(Math.max(extent.box.max.y - at.y, extent.radius * 0.1), extent.radius * 0.7);
  const center = at.clone().addScaledVector(UP, height * 0.42);
  const distance = (height * 0.62) / Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, distance * 0.05, distance * 10);
  camera.position.setFromSphericalCoords(distance, Math.PI / 2, cameraView.front).add(center);
  camera.lookAt(center);
  return camera;
}

/**
 * Draws the thumbnails one after another. `onPicture` receives the index of an expression and an
 * object URL, which the caller must revoke. Stops if the model is closed or `signal` is aborted.
 */
export async function drawFaces(
  model: Model,
  viewport: Viewport,
  isBusy: () => boolean,
  onPicture: (row: number, address: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { list } = model.rig.expressions;
  for (let row = 0; row < Math.min(list.length, MAX_COUNT); row++) {
    await pause();
    while (isBusy() && !signal.aborted) await pause();
    const drawn = signal.aborted ? null : drawFace(model, viewport, row);
    const blob = await drawn;
    if (!drawn || signal.aborted) return;
    if (blob) onPicture(row, URL.createObjectURL(blob));
  }
}

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PAUSE));

/**
 * Draws the face with one expression; null if the head is unknown. The model is restored before the
 * function returns.
 */
function drawFace(model: Model, viewport: Viewport, row: number): Promise<Blob | null> | null {
  const { view, sharedRenderer } = viewport;
  const { expressions } = model.rig;
  const putBack = putAtRest(model);
  const weights = expressions.list.map(({ weight }) => weight);
  const hidden = [view.ground.object, view.overlays].filter(({ visible }) => visible);
  const { externalCamera } = view.cameraRig;
  const { pass } = view;
  const camera = headCamera(model, viewport);
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

/**
 * Resets the model to its bind pose, so that all thumbnails show the face from the same angle.
 * Returns a function that restores the pose.
 */
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
