// Finds the mesh, bone and position under a point of the viewport.
import { type Camera, type Face, type Object3D, Raycaster, type SkinnedMesh, Triangle, Vector2, Vector3 } from 'three';
import type { Rig } from '../three/rig.ts';
import { Influences, type Skinning } from '../three/build/skinning.ts';
import { nameOf } from './names.ts';
import type { PickResult } from './types.ts';

/**
 * Returns the model, mesh, bone and position at a point. `rigs`: the models in the scene. `x`, `y`:
 * normalized device coordinates (−1 to 1, Y up). Returns null if there is no mesh at the point.
 */
export function pickIn(rigs: readonly Pick<Rig, 'scene'>[], camera: Camera, x: number, y: number): PickResult | null {
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(x, y), camera);
  const roots = rigs.map(({ scene }) => scene as Object3D);
  const hit = ray.intersectObjects(roots, true)[0];
  if (!hit) return null;
  const { object, face, point } = hit;
  const bone = 'isSkinnedMesh' in object && face ? strongestBone(object as SkinnedMesh, face, point) : null;
  let root: Object3D | null = object;
  while (root && !roots.includes(root)) root = root.parent; // a model can be attached to a bone of another one
  return {
    model: Math.max(roots.indexOf(root!), 0),
    mesh: nameOf(object),
    bone: bone && nameOf(bone),
    position: { x: point.x, y: point.y, z: point.z },
  };
}

/**
 * Returns the bone with the largest skin weight at a point of a triangle. Weights are interpolated
 * between the vertices.
 */
function strongestBone(mesh: SkinnedMesh & { skinning?: Skinning | null }, { a, b, c }: Face, point: Vector3): Object3D | null {
  const vertices = [a, b, c];
  const corners = vertices.map(vertex => mesh.getVertexPosition(vertex, new Vector3()).applyMatrix4(mesh.matrixWorld));
  const shares = Triangle.getBarycoord(point, corners[0]!, corners[1]!, corners[2]!, new Vector3())?.toArray() ?? [1, 0, 0];
  const influences = new Influences(mesh.geometry, mesh.skinning);
  const weights = new Map<number, number>();
  let strongest = -1;
  for (const [k, vertex] of vertices.entries()) {
    influences.read(vertex);
    for (let i = 0; i < influences.count; i++) {
      const joint = influences.joints[i]!;
      weights.set(joint, (weights.get(joint) ?? 0) + shares[k]! * influences.weights[i]!);
    }
  }
  for (const [joint, weight] of weights) if (weight > (weights.get(strongest) ?? 0)) strongest = joint;
  return mesh.skeleton.bones[strongest] ?? null;
}
