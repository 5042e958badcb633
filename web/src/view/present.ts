// Decides how a rig is presented: its lighting, its initial camera direction, and the overlays of a
// recording. Used by the viewer and the element.

import { Group, Quaternion, Vector3 } from 'three';
import { facingOf, nodesWithDeclaredNames } from '../core/facing.ts';
import type { RigScene } from '../core/types.ts';
import { lightsOf } from '../three/build/lights.ts';
import type { Rig } from '../three/rig.ts';
import type { Sky } from './environment.ts';
import { initialDirection } from './framing.ts';
import { fitShadows } from './fitShadows.ts';
import type { RecordingColors, RecordingOverlay } from './recording.ts';
import type { handSpans, recordingView } from './spans.ts';
import type { Lighting, View } from './view.ts';

/** Minimum certainty at which the detected forward direction of a model is used. */
const MIN_CERTAINTY = 0.49;

/** Model to be presented in a view. */
export interface PresentedModel {
  rig: Rig;
  /** Other rigs that are parts of the same character. */
  otherRigs?: readonly Rig[];
  /** The file's own sky; null if it has none. */
  sky: Sky | null;
  /** Colours of the overlays of a recording. */
  colors: RecordingColors;
  /**
   * First clip of a recording, sampled to find bounds for all its frames; null if nothing plays.
   */
  firstClip: { duration: number; seek(time: number): void } | null;
  /** Resets the camera. */
  frame: boolean;
}

export interface Presented {
  /** Angle of the forward direction around the vertical axis, radians. */
  front: number;
  recording: RecordingOverlay | null;
  /** The file's own sky, if it is shown. */
  sky: Sky | null;
}

/** Modules that only recordings need. */
export interface RecordingTools {
  RecordingOverlay: typeof RecordingOverlay;
  recordingView: typeof recordingView;
  handSpans: typeof handSpans;
}

/**
 * Loaded with the first recording, since most files are not recordings. Rejects if the modules
 * can't be fetched.
 */
export async function recordingTools(): Promise<RecordingTools> {
  const [{ RecordingOverlay }, { handSpans, recordingView }] = await Promise.all([import('./recording.ts'), import('./spans.ts')]);
  return { RecordingOverlay, recordingView, handSpans };
}

/** Returns true for a recording: hands, a gaze or a head, and no meshes. */
export const isRecording = ({ features, cameras, renderers }: RigScene): boolean =>
  features.some(({ kind }) => kind === 'hand' || kind === 'gaze') || (cameras.length > 0 && renderers.length === 0);

const isAvatar = ({ features }: RigScene): boolean => features.some(({ kind }) => kind === 'humanoid');

/** Lighting for a model whose own lights are off. Toon shaders ignore environment maps. */
export const defaultLighting = ({ materials }: RigScene): Lighting =>
  materials.some(({ model }) => model === 'mtoon' || model === 'liltoon') ? 'toon' : 'studio';

/** Rotates a rig upright. Returns its forward direction, or undefined if it is unknown. */
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
 * Returns the current forward direction of a rig, or undefined if it is unknown or the rig does not
 * stand upright.
 */
export function forwardOf({ file, scene }: Pick<Rig, 'file' | 'scene'>): Vector3 | undefined {
  const facing = facingOf(nodesWithDeclaredNames(file.scene!));
  if (!facing || facing.certainty < MIN_CERTAINTY) return undefined;
  const rotation = scene.getWorldQuaternion(new Quaternion());
  const up = new Vector3(...facing.up).applyQuaternion(rotation);
  return up.y > 0.9 ? new Vector3(...facing.forward).applyQuaternion(rotation) : undefined;
}

/** Shows a rig in a view. `tools` are required only for recordings. */
export function present(view: View, subject: PresentedModel, tools: RecordingTools | null): Presented {
  const { rig, otherRigs = [], sky, colors, firstClip, frame } = subject;
  const scene = rig.file.scene!;
  const isCharacter = isAvatar(scene);
  const forward = orientUpright(rig);
  const lights = lightsOf(rig.scene);
  view.lighting = lights.length > 0 ? 'content' : defaultLighting(scene);
  view.sky = isCharacter ? null : sky;
  if (tools && isRecording(scene)) {
    const recording = new tools.RecordingOverlay(rig, colors);
    const initialView = tools.recordingView(rig, firstClip?.duration ?? 0, time => firstClip?.seek(time));
    view.show(new Group().add(rig.scene, recording.object), frame, initialView);
    return { front: Math.atan2(initialView.direction.x, initialView.direction.z), recording, sky: view.sky };
  }
  const whole = otherRigs.length > 0 ? new Group().add(rig.scene, ...otherRigs.map(other => other.scene)) : rig.scene;
  view.show(whole, frame, { direction: initialDirection(forward) });
  if (view.extent) fitShadows(lights, view.extent.box);
  return { front: forward ? Math.atan2(forward.x, forward.z) : 0, recording: null, sky: view.sky };
}
