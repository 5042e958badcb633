// rigcast for three.js: files as Object3Ds and AnimationClips.
export { type BindReport, type BindOptions } from '../core/bind.ts';
export { RigBone, type ScaleInheritance } from './bone.ts';
export { type BuildOptions, type RigMesh } from './build.ts';
export { type ClipData, Motion } from './clips.ts';
export { disposeTree } from './dispose.ts';
export { Expressions, type ExpressionState } from './expressions.ts';
export { type Hand, HandBody, type HandBodyColors, type HandJoint, handsOf } from './hands.ts';
export type { InstanceOptions, InstanceSource, PlacedFile } from './instances.ts';
export { type Curve, CurveTrack } from './interpolant.ts';
export { RigcastError, RigcastLoader, type RigcastLoaderOptions } from './loader.ts';
export { type MeshPose, type NodePose, type Pose, type PoseOptions, readPose, samplePoses } from './pose.ts';
export { type BindResult, Rig, type RigSource } from './rig.ts';
export { seek } from './seek.ts';
export type { Skybox } from './skybox.ts';
export type { SpringBones } from './springs.ts';
export { type RecordedFrame, RecordedInput, type RecordedInputSource, type RecordedJointPose, type RecordedJointSpace } from './webxr.ts';
export { RigSkinnedMesh } from './skinned.ts';
export { FileTextures, type FoundImage, type TextureOptions, type TextureSource, UrlTextures } from './textures.ts';
