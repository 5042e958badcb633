// Entry point of rigcast for three.js: loads files as Object3Ds and AnimationClips.
import type { Object3D } from 'three';
import type { RigFile } from '../core/open.ts';
export type { BindByNameOptions, BindReport } from '../core/bound.ts';
import type { AnimationSource, BindOptions, LoadedObject } from '../interop/bindTo.ts';
import type { InstalledRecording, Iwer, RecordingOptions } from './xr/installRecording.ts';
import type { RigScene } from '../core/types.ts';
import type { RigSource } from './bindResult.ts';
import type { BindResult, Rig } from './rig.ts';
export type { AnimationSource, BindOptions, LoadedObject } from '../interop/bindTo.ts';
export type { RigAnimationEvent, RigAnimator } from './animation/apply.ts';
export type { Avatar, AvatarOptions, LookTarget } from './avatar/avatar.ts';
export type { FirstPerson } from './avatar/firstPerson.ts';
export type { Facing } from '../core/facing.ts';
export { RigBone } from './build/bone.ts';
export { type Layer } from '../rig/layer.ts';
export type { Rigging, RiggingPart } from '../rig/rigging.ts';
export { configure, type Settings } from '../core/settings.ts';
export type { ScaleInheritance } from '../core/types.ts';
export { type BuildOptions, type RigMesh } from './build/build.ts';
export type { MaterialOptions } from './materials/materials.ts';
export type { ModuleOptions } from './modules.ts';
export { type ClipData, RigClip } from './animation/rigClip.ts';
export { disposeTree } from './dispose.ts';
export { Expressions, type ExpressionState } from '../rig/expressions.ts';
export { type Hand, HandBody, type HandBodyColors, type HandJoint, handsOf } from './xr/hands.ts';
export type { InstanceOptions } from './instances/instanceModel.ts';
export type { InstanceSource, PlacedFile } from './instances/instanceSources.ts';
export { CLIP_TOLERANCE } from './animation/keyframes.ts';
export { RigcastError } from '../core/error.ts';
export { RigcastLoader } from './loader.ts';
export type { RigcastLoaderOptions } from './loaderOptions.ts';
export type { StrandUnit } from './build/strands.ts';
export { type MeshPose, type NodePose, type PlacedPose, type PoseOptions, readPose, type RigPose, samplePoses } from './animation/pose.ts';
export type { Particles, RigParticleEmitter } from './particles/particles.ts';
export type { BindResult, BindSource, RigSource } from './bindResult.ts';
export { Rig } from './rig.ts';
export type { Skybox } from './materials/skybox.ts';
export type { SpringBones } from './avatar/springs.ts';
export { clipTime, commonDuration } from './animation/clipTiming.ts';
export type { EmulatedDevice, InstalledRecording, Iwer, RecordingOptions } from './xr/installRecording.ts';
export {
  type RecordedFrame,
  RecordedInput,
  type RecordedInputSource,
  type RecordedJointPose,
  type RecordedJointSpace,
  type RecordedSelect,
  type RecordedSpace,
} from './xr/webxr.ts';
export { RigSkinnedMesh } from './build/skinned.ts';
export { type MaterialValues, type NamedMaterialValues, readMaterialValues, writeMaterialValues } from '../textures/materialValues.ts';
export { FileTextures, type FoundImage, type TextureSource, UrlTextures } from '../textures/sources.ts';
export type { TextureOptions } from './materials/textures.ts';

/**
 * Binds animations to a model of any three.js loader (GLB, FBX, VRM, Collada, BVH) or of rigcast,
 * and returns clips for an AnimationMixer of the model. Bones are matched by name as in `Rig.bind`.
 * If most names don't match, humanoids are matched by body part, which the report lists as
 * BIND_BY_BODY. Differences in axes, units, bone axes and rest poses are converted and listed in the report.
 * Animations can come from rigcast or from other loaders. The bind pose of the skeleton is used as
 * rest pose, so the current pose of the model has no effect. Rejects with a TypeError if `model`
 * contains no Object3D, or if `source` contains no animations.
 */
export async function bind(
  source: AnimationSource,
  model: LoadedObject | { file: Pick<RigFile, 'scene'>; scene: Object3D },
  options: BindOptions = {},
): Promise<BindResult> {
  return (await import('../interop/bindTo.ts')).bindTo(source, model, options);
}

/**
 * Converts the result of any three.js loader to a scene of rigcast, for functions that take a scene
 * (`createRetargeter`, `humanoidOf`, `clipFacts` and others): nodes in their rest pose, names of
 * meshes and morph targets, humanoid bones of a VRM, and clips. The meshes have no vertices. Returns
 * the own scene of a rig or of a file that rigcast opened. Rejects with a TypeError if `loaded`
 * contains no Object3D.
 */
export async function sceneOf(loaded: RigSource | { file: RigSource } | LoadedObject): Promise<RigScene> {
  return (await import('../interop/bindTo.ts')).importedSceneOf(loaded);
}

/**
 * Replaces the headset by a recording, for tests of WebXR pages. Meta's emulator IWER (`import * as
 * iwer from 'iwer'`, version 2) then implements `navigator.xr`: its head, hands with joints, target
 * rays, grips, pinches (`select`) and gaze follow the recording. Call this function before the page
 * uses `navigator.xr`. Rejects if the rig isn't a recording of hands.
 */
export async function installRecording(rig: Rig, iwer: Iwer, options?: RecordingOptions): Promise<InstalledRecording> {
  return (await import('./xr/installRecording.ts')).installRecording(rig, iwer, options);
}
