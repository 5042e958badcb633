// How a rig wants to be seen: which light suits it, which way it looks, what a recording shows beside its joints. Every page asks here.

import { Group, Quaternion, Vector3 } from 'three';
import { facingOf, nodesAsTold } from '../core/facing.ts';
import type { RigScene } from '../core/types.ts';
import { lampsOf } from '../three/build/lamps.ts';
import type { Rig } from '../three/rig.ts';
import type { Sky } from './environment.ts';
import { firstLook } from './framing.ts';
import { fitShadows } from './lamps.ts';
import type { RecordingColors, RecordingOverlay } from './recording.ts';
import type { handSpans, recordingView } from './spans.ts';
import type { Lighting, View } from './view.ts';

/** A model turns to us only where it is as sure as this which way it looks. */
const SURE = 0.49;

/** What stands in a view. */
export interface Subject {
  rig: Rig;
  /** What stands with it, as parts of one character. */
  others?: readonly Rig[];
  /** The file's own; null: it has none. */
  sky: Sky | null;
  /** Of a recording. */
  colors: RecordingColors;
  /** Of a recording its motion, which is asked for its moments to find room for all of them. Null where nothing plays. */
  first: { duration: number; seek(time: number): void } | null;
  /** The camera is put in place, too. */
  frame: boolean;
}

export interface Presented {
  /** The angle around the vertical towards which its front looks, radians. */
  front: number;
  recording: RecordingOverlay | null;
  /** What shines around it, if the file says so. */
  sky: Sky | null;
}

/** What recordings need to be seen. */
export interface RecordingTools {
  RecordingOverlay: typeof RecordingOverlay;
  recordingView: typeof recordingView;
  handSpans: typeof handSpans;
}

/** Fetched with the first recording, as most files are none. Rejects where it cannot be. */
export async function recordingTools(): Promise<RecordingTools> {
  const [{ RecordingOverlay }, { handSpans, recordingView }] = await Promise.all([import('./recording.ts'), import('./spans.ts')]);
  return { RecordingOverlay, recordingView, handSpans };
}

/** Hands, a gaze or a head that somebody recorded, and no surface. */
export const isRecording = ({ features, cameras, renderers }: RigScene): boolean =>
  features.some(({ kind }) => kind === 'hand' || kind === 'gaze') || (cameras.length > 0 && renderers.length === 0);

const isAvatar = ({ features }: RigScene): boolean => features.some(({ kind }) => kind === 'humanoid');

/** The light that suits it where its own lights are off. Flat shaders know no surroundings. */
export const plainLighting = ({ materials }: RigScene): Lighting =>
  materials.some(({ model }) => model === 'mtoon' || model === 'liltoon') ? 'toon' : 'studio';

/** Stands a rig up as people look at it. Returns where its front looks; undefined: nothing tells. */
export function stand(rig: Rig): Vector3 | undefined {
  const scene = rig.file.scene!;
  if (isAvatar(scene)) rig.scene.rotation.y = Math.PI; // it looks along −Z
  rig.springs?.turnWorld(rig.scene.quaternion);
  rig.scene.updateMatrixWorld(true);
  rig.springs?.reset();
  const facing = facingOf(nodesAsTold(scene), [0, 1, 0]);
  return facing && facing.certainty >= SURE ? new Vector3(...facing.forward).applyQuaternion(rig.scene.quaternion) : undefined;
}

/** Where its front looks, however it was put; undefined: nothing tells, or it lies. */
export function frontOf({ file, scene }: Pick<Rig, 'file' | 'scene'>): Vector3 | undefined {
  const facing = facingOf(nodesAsTold(file.scene!));
  if (!facing || facing.certainty < SURE) return undefined;
  const turn = scene.getWorldQuaternion(new Quaternion());
  const up = new Vector3(...facing.up).applyQuaternion(turn);
  return up.y > 0.9 ? new Vector3(...facing.forward).applyQuaternion(turn) : undefined;
}

/** Puts a rig into a view. `tools` are asked for where it is a recording. */
export function present(view: View, subject: Subject, tools: RecordingTools | null): Presented {
  const { rig, others = [], sky, colors, first, frame } = subject;
  const scene = rig.file.scene!;
  const isPerson = isAvatar(scene);
  const forward = stand(rig);
  const lamps = lampsOf(rig.scene);
  view.lighting = lamps.length > 0 ? 'content' : plainLighting(scene);
  view.sky = isPerson ? null : sky;
  if (tools && isRecording(scene)) {
    const recording = new tools.RecordingOverlay(rig, colors);
    const look = tools.recordingView(rig, first?.duration ?? 0, time => first?.seek(time));
    view.show(new Group().add(rig.scene, recording.object), frame, look);
    return { front: Math.atan2(look.direction.x, look.direction.z), recording, sky: view.sky };
  }
  const whole = others.length > 0 ? new Group().add(rig.scene, ...others.map(other => other.scene)) : rig.scene;
  view.show(whole, frame, { direction: firstLook(forward) });
  if (view.extent) fitShadows(lamps, view.extent.box);
  return { front: forward ? Math.atan2(forward.x, forward.z) : 0, recording: null, sky: view.sky };
}
