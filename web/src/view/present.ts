// Determines how a rig is presented: lighting, initial camera direction and, for recordings,
// overlays. Used by the viewer and the element.

import { Group, Quaternion, Vector3 } from 'three';
import { facingOf, nodesWithDeclaredNames } from '../core/facing.ts';
import type { RigScene } from '../core/types.ts';
import { lightsOf } from '../three/build/lights.ts';
import type { Rig } from '../three/rig.ts';
import type { Sky } from './environment.ts';
import { frontAngle, initialDirection } from './framing.ts';
import { fitShadows } from './fitShadows.ts';
import type { RecordingColors, RecordingOverlay } from './recording.ts';
import type { handSpans, recordingView } from './spans.ts';
import type { InitialView, Lighting, View } from './view.ts';

/**
 * Minimum certainty for the detected forward direction of a model. If the certainty is lower, the
 * direction is ignored.
 */
const MIN_CERTAINTY = 0.49;

/** Model to present in a view. */
export interface PresentedModel {
  rig: Rig;
  /** Other rigs that are parts of the same character. */
  otherRigs?: readonly Rig[];
  /** Sky of the file; null if there is none. */
  sky: Sky | null;
  /** Overlay colours for a recording. */
  colors: RecordingColors;
  /**
   * First clip of the recording, which is sampled to find the bounds of all frames; null if there
   * is no clip.
   */
  firstClip: { duration: number; seek(time: number): void } | null;
  /** True to reset the camera. */
  frame: boolean;
  /** Rotation and scale of the model, which the page has chosen. */
  transform?: ModelTransform;
}

export interface ModelTransform {
  rotation: Quaternion;
  scale: Vector3;
}

export interface Presented {
  /** Angle of the forward direction around the vertical axis, in radians. */
  front: number;
  recording: RecordingOverlay | null;
  /** Bounds and initial camera direction of a recording; null for other models. */
  initialView: InitialView | null;
  /** Sky of the file if it is shown; otherwise null. */
  sky: Sky | null;
}

/** Modules that only recordings need. */
export interface RecordingTools {
  RecordingOverlay: typeof RecordingOverlay;
  recordingView: typeof recordingView;
  handSpans: typeof handSpans;
}

/** Loads the modules that only recordings need. Rejects if they can't be fetched. */
export async function recordingTools(): Promise<RecordingTools> {
  return import('./recordingModules.ts');
}

/**
 * Returns true if the scene is a recording: it has hands or a gaze, or a head (camera) and no
 * meshes.
 */
export const isRecording = ({ features, cameras, renderers }: RigScene): boolean =>
  features.some(({ kind }) => kind === 'hand' || kind === 'gaze') || (cameras.length > 0 && renderers.length === 0);

const isAvatar = ({ features }: RigScene): boolean => features.some(({ kind }) => kind === 'humanoid');

/**
 * Returns the lighting for a model whose own lights are off. Models with toon shaders need other
 * lights, because these shaders ignore environment maps.
 */
export const defaultLighting = ({ materials }: RigScene): Lighting =>
  materials.some(({ model }) => model === 'mtoon' || model === 'liltoon') ? 'toon' : 'studio';

/**
 * Rotates an avatar to face +Z and aligns the gravity of spring bones. Returns the forward
 * direction of the rig; undefined if it is unknown.
 */
export function orientUpright(rig: Rig): Vector3 | undefined {
  const scene = rig.file.scene!;
  if (isAvatar(scene)) rig.scene.rotation.y = Math.PI; // avatars face −Z
  rig.springs?.rotateGravity(rig.scene.quaternion);
  rig.scene.updateMatrixWorld(true);
  rig.springs?.reset();
  const facing = facingOf(nodesWithDeclaredNames(scene), [0, 1, 0]);
  return facing && facing.certainty >= MIN_CERTAINTY ? new Vector3(...facing.forward).applyQuaternion(rig.scene.quaternion) : undefined;
}

/**
 * Returns the current forward direction of a rig in world space; undefined if it is unknown or the
 * rig is not upright.
 */
export function forwardOf({ file, scene }: Pick<Rig, 'file' | 'scene'>): Vector3 | undefined {
  const facing = facingOf(nodesWithDeclaredNames(file.scene!));
  if (!facing || facing.certainty < MIN_CERTAINTY) return undefined;
  const rotation = scene.getWorldQuaternion(new Quaternion());
  const up = new Vector3(...facing.up).applyQuaternion(rotation);
  return up.y > 0.9 ? new Vector3(...facing.forward).applyQuaternion(rotation) : undefined;
}

/** Rotates a model, with the gravity of its spring bones, and scales it. */
export function transformModel(rig: Rig, { rotation, scale }: ModelTransform): void {
  rig.scene.quaternion.premultiply(rotation);
  rig.scene.scale.copy(scale);
  rig.scene.updateMatrixWorld(true);
  rig.springs?.rotateGravity(rotation);
  rig.springs?.reset();
}

/** Shows a rig in a view. `tools`: modules for recordings; null for other models. */
export function present(view: View, subject: PresentedModel, tools: RecordingTools | null): Presented {
  const { rig, otherRigs = [], sky, colors, firstClip, frame, transform } = subject;
  const scene = rig.file.scene!;
  const isCharacter = isAvatar(scene);
  let forward = orientUpright(rig);
  if (transform) {
    transformModel(rig, transform);
    forward = forwardOf(rig);
  }
  const lights = lightsOf(rig.scene);
  view.lighting = lights.length > 0 ? 'content' : defaultLighting(scene);
  view.sky = isCharacter ? null : sky;
  if (tools && isRecording(scene)) {
    const recording = new tools.RecordingOverlay(rig, colors);
    const initialView = tools.recordingView(rig, firstClip?.duration ?? 0, time => firstClip?.seek(time));
    view.show(new Group().add(rig.scene, recording.object), frame, initialView);
    return { front: Math.atan2(initialView.direction.x, initialView.direction.z), recording, initialView, sky: view.sky };
  }
  const root = otherRigs.length > 0 ? new Group().add(rig.scene, ...otherRigs.map(other => other.scene)) : rig.scene;
  view.show(root, frame, { direction: initialDirection(forward) });
  if (view.extent) fitShadows(lights, view.extent.box);
  return { front: frontAngle(view.cameraRig.defaultDirection), recording: null, initialView: null, sky: view.sky };
}
