// How a rig wants to be seen: which light suits it, which way it looks, what a recording shows beside its joints.

import { Group, type Light, type Object3D, Vector3 } from 'three';
import { facingOf } from '../core/facing.ts';
import type { Rig } from '../three/rig.ts';
import { firstLook } from './framing.ts';
import { fitShadows } from './lamps.ts';
import type { RecordingColors, RecordingOverlay } from './recording.ts';
import type { Sky } from './environment.ts';
import type { View } from './view.ts';

/** A model turns to us only where it is as sure as this which way it looks. */
const SURE = 0.5;

export interface Presented {
  /** The angle around the vertical towards which its front looks, radians. */
  front: number;
  recording: RecordingOverlay | null;
}

/**
 * Puts a rig into a view. `sky` is the file's own, if it has one. A recording of hands gets bodies for them, and `play` is asked for its moments to
 * find room for all of them; it may be null where nothing plays.
 */
export async function present(
  view: View,
  rig: Rig,
  sky: Sky | null,
  colors: RecordingColors,
  first: { duration: number; seek(time: number): void } | null,
): Promise<Presented> {
  const scene = rig.file.scene!;
  const isAvatar = scene.features.some(({ kind }) => kind === 'humanoid');
  if (isAvatar) rig.scene.rotation.y = Math.PI; // it looks along −Z
  rig.springs?.turnWorld(rig.scene.quaternion);
  rig.scene.updateMatrixWorld(true);
  rig.springs?.reset();
  const lamps = lampsOf(rig.scene);
  const isToon = scene.materials.some(({ model }) => model === 'mtoon' || model === 'liltoon');
  const isRecording =
    scene.features.some(({ kind }) => kind === 'hand' || kind === 'gaze') || (scene.cameras.length > 0 && scene.renderers.length === 0);
  const made = isRecording ? await Promise.all([import('./recording.ts'), import('./spans.ts')]) : null;
  view.lighting = lamps.length > 0 ? 'content' : isToon ? 'toon' : 'studio';
  view.sky = isAvatar ? null : sky;
  if (made) {
    const [{ RecordingOverlay }, { recordingView }] = made;
    const recording = RecordingOverlay.of(rig, colors);
    const look = recordingView(rig, first?.duration ?? 0, time => first?.seek(time));
    view.show(recording ? new Group().add(rig.scene, recording.object) : rig.scene, true, look);
    return { front: Math.atan2(look.direction.x, look.direction.z), recording };
  }
  const facing = facingOf(scene.nodes, [0, 1, 0]);
  const forward = facing && facing.certainty >= SURE ? new Vector3(...facing.forward).applyQuaternion(rig.scene.quaternion) : undefined;
  view.show(rig.scene, true, { direction: firstLook(forward) });
  if (view.extent) fitShadows(lamps, view.extent.box);
  return { front: forward ? Math.atan2(forward.x, forward.z) : 0, recording: null };
}

/** The lights below `object` that shine. */
function lampsOf(object: Object3D): Light[] {
  const lamps: Light[] = [];
  object.traverseVisible(child => {
    if ((child as Light).isLight && (child as Light).intensity > 0) lamps.push(child as Light);
  });
  return lamps;
}
