// What lies under a point of the picture.
import { type Camera, type Object3D, Raycaster, type SkinnedMesh, Vector2 } from 'three';
import type { Rig } from '../three/rig.ts';
import { nameOf } from './names.ts';
import type { Picked } from './types.ts';

/** `x` and `y` from −1 to 1, upwards. */
export function pickIn(rig: Rig, camera: Camera, x: number, y: number): Picked | null {
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(x, y), camera);
  const hit = ray.intersectObject(rig.scene, true)[0];
  if (!hit) return null;
  const { object, face, point } = hit;
  const bone = 'isSkinnedMesh' in object && face ? strongestBone(object as SkinnedMesh, face.a) : null;
  return { mesh: nameOf(object), bone: bone && nameOf(bone), position: { x: point.x, y: point.y, z: point.z } };
}

function strongestBone({ geometry, skeleton }: SkinnedMesh, vertex: number): Object3D | null {
  const indices = geometry.getAttribute('skinIndex');
  const weights = geometry.getAttribute('skinWeight');
  if (!indices || !weights) return null;
  let strongest = 0;
  for (let c = 1; c < 4; c++) if (weights.getComponent(vertex, c) > weights.getComponent(vertex, strongest)) strongest = c;
  return skeleton.bones[indices.getComponent(vertex, strongest)] ?? null;
}
