// What is used of @pixiv/three-vrm-springbone. The build puts the library itself in this file's place, so that the package needs no other.
import * as library from '@pixiv/three-vrm-springbone';
import type { Matrix4, Object3D, Vector3 } from 'three';

// As much of the library as is used here: its own declarations cannot be read by Node's rules of modules.
export interface Shape {
  offset: Vector3;
  radius: number;
  calculateCollision(colliderMatrix: Matrix4, position: Vector3, radius: number, target: Vector3): number;
}
export type Collider = Object3D & { shape: Shape };
export interface ColliderGroup {
  colliders: Collider[];
}
export interface Joint {
  bone: Object3D;
  child: Object3D | null;
  settings: Settings;
}
export interface Settings {
  hitRadius: number;
  stiffness: number;
  gravityPower: number;
  gravityDir: Vector3;
  dragForce: number;
}
export interface Manager {
  addJoint(joint: Joint): void;
  setInitState(): void;
  reset(): void;
  update(seconds: number): void;
}
interface Library {
  VRMSpringBoneManager: new () => Manager;
  VRMSpringBoneJoint: new (bone: Object3D, child: Object3D | null, settings: Settings, colliderGroups: ColliderGroup[]) => Joint;
  VRMSpringBoneCollider: new (shape: Shape) => Collider;
  VRMSpringBoneColliderShapeSphere: new (sphere: { offset: Vector3; radius: number }) => Shape;
}
// One by one, so that bundlers see what of it is used: two thirds are left out.
export const VRMSpringBoneManager: Library['VRMSpringBoneManager'] = (library as unknown as Library).VRMSpringBoneManager;
export const VRMSpringBoneJoint: Library['VRMSpringBoneJoint'] = (library as unknown as Library).VRMSpringBoneJoint;
export const VRMSpringBoneCollider: Library['VRMSpringBoneCollider'] = (library as unknown as Library).VRMSpringBoneCollider;
export const VRMSpringBoneColliderShapeSphere: Library['VRMSpringBoneColliderShapeSphere'] = (library as unknown as Library)
  .VRMSpringBoneColliderShapeSphere;
