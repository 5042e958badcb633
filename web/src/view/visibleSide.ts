// Finds the side from which the faces of the content are visible. Faces with a one-sided material
// are invisible from behind, so a single card or floor can disappear from the default direction.

import { BackSide, DoubleSide, InstancedMesh, Matrix4, type Material, type Mesh, type Object3D, Triangle, Vector3 } from 'three';
import { worldPositionsOf } from './vertexPositions.ts';

/** Approximate maximum number of triangles that represent the surface of the content. */
const MAX_TRIANGLES = 1024;

/**
 * The direction changes if the visible area is smaller than this share of the visible area from
 * the best direction.
 */
const MIN_SHARE = 0.1;

/**
 * Returns `direction` if the faces of `content` are visible from there. Otherwise returns the one
 * of the opposite, left and right directions, from above or below, that shows the largest area.
 * World matrices must be up to date. `direction`: unit vector from the content to the camera.
 */
export function visibleSide(content: Object3D, direction: Vector3): Vector3 {
  const faces = facesOf(content);
  const { x, y, z } = direction;
  const sides = [1, -1].flatMap(side => [
    new Vector3(x, y * side, z),
    new Vector3(-x, y * side, -z),
    new Vector3(z, y * side, -x),
    new Vector3(-z, y * side, x),
  ]);
  const areas = sides.map(side => visibleArea(faces, side));
  const largest = Math.max(...areas);
  return areas[0]! >= largest * MIN_SHARE ? direction : sides[areas.indexOf(largest)]!;
}

/** A face: its normal in world space, with the area that it represents as length. */
interface Face {
  normal: Vector3;
  isTwoSided: boolean;
}

function visibleArea(faces: readonly Face[], direction: Vector3): number {
  let area = 0;
  for (const { normal, isTwoSided } of faces) {
    const shown = normal.dot(direction);
    area += isTwoSided ? Math.abs(shown) : Math.max(shown, 0);
  }
  return area;
}

/** Returns a sample of the visible triangles below `content`. */
function facesOf(content: Object3D): Face[] {
  const meshes: Mesh[] = [];
  content.traverseVisible(child => {
    const mesh = child as Mesh;
    if (mesh.isMesh && mesh.geometry.attributes.position && !('isInstancedBufferGeometry' in mesh.geometry)) meshes.push(mesh);
  });
  return meshes.flatMap(mesh => sample(mesh, Math.max(MAX_TRIANGLES / meshes.length, 4)));
}

/** Returns up to `limit` triangles of a mesh. An instanced mesh has them in different instances. */
function sample(mesh: Mesh, limit: number): Face[] {
  const { index, groups, attributes } = mesh.geometry;
  const total = Math.floor((index?.count ?? attributes.position!.count) / 3);
  const step = Math.max(Math.ceil(total / limit), 1);
  const instances = mesh instanceof InstancedMesh ? mesh.count : 1;
  const matrix = new Matrix4();
  const writePosition = worldPositionsOf(mesh);
  const triangle = new Triangle();
  const corners = [triangle.a, triangle.b, triangle.c];
  const faces: Face[] = [];
  for (let i = 0, taken = 0; i < total; i += step, ++taken) {
    const group = groups.find(({ start, count }) => 3 * i >= start && 3 * i < start + count);
    const material = Array.isArray(mesh.material) ? mesh.material[group?.materialIndex ?? -1] : mesh.material;
    if (!material?.visible) continue;
    matrix.copy(mesh.matrixWorld);
    if (mesh instanceof InstancedMesh) {
      mesh.getMatrixAt(taken % instances, matrix);
      matrix.premultiply(mesh.matrixWorld);
    }
    for (const [k, corner] of corners.entries()) {
      const vertex = index ? index.getX(3 * i + k) : 3 * i + k;
      if (mesh instanceof InstancedMesh) mesh.getVertexPosition(vertex, corner).applyMatrix4(matrix);
      else writePosition(vertex, corner);
    }
    const normal = triangle.getNormal(new Vector3()).multiplyScalar(triangle.getArea() * step * instances);
    if (!Number.isFinite(normal.lengthSq())) continue;
    // three.js draws the same faces of a mirrored object.
    if (isBackFace(material) !== matrix.determinant() < 0) normal.negate();
    faces.push({ normal, isTwoSided: material.side === DoubleSide });
  }
  return faces;
}

const isBackFace = ({ side }: Material): boolean => side === BackSide;
