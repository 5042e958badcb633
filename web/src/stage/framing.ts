// Where the camera stands so that something of a given size fills the picture. Pure numbers: nothing here draws.

import { Box3, type InstancedMesh, MathUtils, type Object3D, type PerspectiveCamera, Sphere, Vector3 } from 'three';

/** What a rig takes up, in metres of world space. */
export interface Extent {
  box: Box3;
  center: Vector3;
  radius: number;
}

/** The extent of what is drawn below `object`; a metre around the origin where nothing is. */
export function extentOf(object: Object3D): Extent {
  const box = new Box3();
  object.updateWorldMatrix(true, true);
  object.traverseVisible((child) => {
    const mesh = child as Object3D & { boundingBox?: Box3 | null; geometry?: { boundingBox: Box3 | null; computeBoundingBox(): void } };
    if (!mesh.geometry) return;
    // A skinned mesh has its own box (of its pose), a mesh of many places that of all of them, any other one that of its geometry.
    if ((child as InstancedMesh).isInstancedMesh && !mesh.boundingBox) (child as InstancedMesh).computeBoundingBox();
    let own = mesh.boundingBox ?? null;
    if (!own) {
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      own = mesh.geometry.boundingBox;
    }
    if (own && !own.isEmpty()) box.union(new Box3().copy(own).applyMatrix4(child.matrixWorld));
  });
  return extentIn(box);
}

/** The extent of what is inside `box`; a metre around the origin where that is nothing. */
export function extentIn(given: Box3): Extent {
  const box = given.clone();
  if (box.isEmpty() || ![...box.min, ...box.max].every(Number.isFinite)) box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
  const sphere = box.getBoundingSphere(new Sphere());
  return { box, center: sphere.center.clone(), radius: Math.max(sphere.radius, 1e-4) };
}

/** Distance from which the box fits into both angles of view, seen from `direction` (a unit vector from the centre to the eye). */
export function distanceToFit(box: Box3, direction: Vector3, camera: PerspectiveCamera, margin = 1.06): number {
  const half = box.getSize(new Vector3()).multiplyScalar(0.5);
  const right = new Vector3().crossVectors(camera.up, direction);
  if (right.lengthSq() < 1e-8) right.set(1, 0, 0);
  right.normalize();
  const up = new Vector3().crossVectors(direction, right);
  const tanY = Math.tan(MathUtils.degToRad(camera.fov) / 2);
  const tanX = tanY * camera.aspect;
  // Models rarely fill the near corners of their box: most of that depth would be empty margin. A plain with things on it does.
  const fill = half.y < 0.1 * Math.max(half.x, half.z) ? 1 : 0.45;
  let distance = 0;
  const corner = new Vector3();
  for (let i = 0; i < 8; ++i) {
    corner.set(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    const depth = corner.dot(direction) * fill;
    const x = Math.abs(corner.dot(right)) * margin;
    const y = Math.abs(corner.dot(up)) * margin;
    distance = Math.max(distance, depth + x / tanX, depth + y / tanY);
  }
  return Math.max(distance, 1e-4);
}

/** Depth range for an eye `distance` metres from something `radius` metres big. */
export function depthRange(distance: number, radius: number): { near: number; far: number } {
  const near = Math.max((distance - radius) * 0.5, Math.max(distance, radius) / 500);
  return { near, far: distance + radius * 40 };
}

/** Grid cell for a model of this size: 1, 2 or 5 times a power of ten, about an eighth of it. */
export function gridCell(radius: number): number {
  const raw = radius / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const leading = raw / power;
  return power * (leading < 1.5 ? 1 : leading < 3.5 ? 2 : leading < 7.5 ? 5 : 10);
}
