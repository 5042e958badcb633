// Calculates bounds of the content, and camera placements from these bounds.

import { Box3, type InstancedMesh, MathUtils, Matrix4, type Mesh, type Object3D, type PerspectiveCamera, Sphere, Vector3 } from 'three';
import type { PlaybackAction } from './playback.ts';
import { worldPositionsOf } from './vertexPositions.ts';

/**
 * Default direction from a model that faces +Z to the camera: in front of the model, slightly to
 * its left and above.
 */
const INITIAL_DIRECTION = /*@__PURE__*/ new Vector3(0.42, 0.2, 1).normalize();

/**
 * Returns the initial direction from a model to the camera. `forward`: forward direction of the
 * model (default +Z).
 */
export function initialDirection(forward?: Vector3): Vector3 {
  return forward ? INITIAL_DIRECTION.clone().applyAxisAngle(new Vector3(0, 1, 0), Math.atan2(forward.x, forward.z)) : INITIAL_DIRECTION;
}

/**
 * Returns the angle of a model's front around the vertical axis, in radians. `direction`: its
 * default direction from the model to the camera.
 */
export const frontAngle = ({ x, z }: Vector3): number => Math.atan2(x, z) - Math.atan2(INITIAL_DIRECTION.x, INITIAL_DIRECTION.z);

/** Space that the content occupies, in metres and in world space. */
export interface Extent {
  box: Box3;
  center: Vector3;
  radius: number;
  /** Points that should be visible, 3 numbers per point; null if only the box is known. */
  points: readonly number[] | null;
  /**
   * Bounds of each mesh over an animation; null if there is no animation or there are too many
   * meshes.
   */
  movingBoxes: readonly Box3[] | null;
}

/** Size of a picture's uncovered area, as fractions of the picture's width and height. */
export interface FreeArea {
  width: number;
  height: number;
}

/**
 * Factor by which the bounds of joints are enlarged, because bones are drawn beyond the last
 * joints.
 */
const TIP_FACTOR = 1.12;

/** Approximate maximum number of points that represent the shape of the content. */
const MAX_POINTS = 4096;

/**
 * Returns the extent of the visible meshes below `object`. If there are none, returns the extent of
 * the bones; if there are no bones either, one metre around the origin.
 */
export function extentOf(object: Object3D): Extent {
  const box = new Box3();
  const drawn: Drawn[] = [];
  const bones: Object3D[] = [];
  object.updateWorldMatrix(true, true);
  object.traverseVisible(child => {
    if ('isBone' in child) bones.push(child);
    const mesh = child as Drawn;
    if (!mesh.geometry) return;
    const own = boxOf(mesh);
    if (!own || own.isEmpty()) return;
    box.union(new Box3().copy(own).applyMatrix4(child.matrixWorld));
    drawn.push(mesh);
  });
  const points: number[] = [];
  for (const mesh of drawn) addPoints(mesh, Math.max(MAX_POINTS / drawn.length, 8), points);
  if (drawn.length === 0) {
    for (const bone of bones) box.expandByPoint(point.setFromMatrixPosition(bone.matrixWorld));
    const middle = box.getCenter(new Vector3());
    for (const bone of bones) {
      point.setFromMatrixPosition(bone.matrixWorld).sub(middle).multiplyScalar(TIP_FACTOR).add(middle).toArray(points, points.length);
    }
  }
  return { ...extentIn(box), points: points.length > 0 && points.every(Number.isFinite) ? points : null };
}

type Drawn = Mesh & { boundingBox?: Box3 | null };

/** Number of samples of an animation, including its start and its end. */
const SAMPLES = 16;

/** Maximum number of meshes whose bounds are kept separately. */
const MAX_MOVING_BOXES = 64;

/**
 * Fraction of the content's size. If a later follow candidate moves away from the selected
 * candidate by more than this, the later one is selected instead.
 */
const FOLLOW_THRESHOLD = 0.25;

/** Bounds of the content over the duration of an animation. */
export interface AnimatedBounds {
  /**
   * Bounds of all meshes, or of all bones if there are no meshes, relative to the followed node.
   */
  box: Box3;
  /** Bounds of each mesh, relative to the followed node. */
  movingBoxes: Map<Object3D, Box3>;
  /** The node that the camera follows; null if the camera stays in place. */
  followed: Object3D | null;
}

/**
 * Samples the bounds of the visible meshes over an animation, using the bounding boxes of joints
 * instead of vertices. Selects the node to follow: the first candidate, or a later one that moves
 * away from it. Afterwards, the animation is at its start. `samples`: maximum number of samples.
 */
export function animatedBoundsOf(
  object: Object3D,
  action: Pick<PlaybackAction, 'duration' | 'seek'>,
  candidates: readonly Object3D[] = [],
  samples = SAMPLES,
): AnimatedBounds {
  const { duration } = action;
  const count = duration > 0 ? samples : 1;
  const samplesTaken: { box: Box3; drawn: Map<Object3D, Box3>; positions: Vector3[] }[] = [];
  // Sample backwards, so that the animation ends up at its start.
  for (let i = count - 1; i >= 0; --i) {
    action.seek(count > 1 ? (duration * i) / (count - 1) : 0);
    object.updateMatrixWorld(true);
    const sample = { ...boxBelow(object), positions: candidates.map(floorPositionOf) };
    if (![...sample.box.min, ...sample.box.max].some(Number.isNaN)) samplesTaken.push(sample);
  }
  const size = Math.max(0, ...samplesTaken.map(({ box }) => (box.isEmpty() ? 0 : box.min.distanceTo(box.max))));
  let chosen = 0;
  for (let other = 1; other < candidates.length; ++other) {
    const offsets = new Box3().setFromPoints(samplesTaken.map(({ positions }) => positions[other]!.clone().sub(positions[chosen]!)));
    if (offsets.min.distanceTo(offsets.max) > size * FOLLOW_THRESHOLD) chosen = other;
  }
  const bounds: AnimatedBounds = { box: new Box3(), movingBoxes: new Map(), followed: candidates[chosen] ?? null };
  for (const { box, drawn, positions } of samplesTaken) {
    const at = positions[chosen]?.clone().negate();
    bounds.box.union(at ? box.translate(at) : box);
    for (const [child, own] of drawn) {
      if (at) own.translate(at);
      const known = bounds.movingBoxes.get(child);
      if (known) known.union(own);
      else bounds.movingBoxes.set(child, own);
    }
  }
  return bounds;
}

/** Returns the world position of a node, projected onto the plane y = 0. */
export const floorPositionOf = (node: Object3D): Vector3 => new Vector3().setFromMatrixPosition(node.matrixWorld).setY(0);

/**
 * Returns the bounds of all visible meshes (of the bones if there are no meshes), and the bounds of
 * each mesh.
 */
function boxBelow(object: Object3D): { box: Box3; drawn: Map<Object3D, Box3> } {
  const box = new Box3();
  const bones = new Box3();
  const drawn = new Map<Object3D, Box3>();
  object.traverseVisible(child => {
    if ('isBone' in child) bones.expandByPoint(point.setFromMatrixPosition(child.matrixWorld));
    const own = (child as Drawn).geometry ? boxOf(child as Drawn) : null;
    if (!own || own.isEmpty()) return;
    const here = new Box3().copy(own).applyMatrix4(child.matrixWorld);
    box.union(here);
    drawn.set(child, here);
  });
  return { box: box.isEmpty() ? bones : box, drawn };
}

/**
 * Returns the extent of the animated content relative to the followed node. `rest`: extent in the
 * bind pose, world space. `origin`: position of the followed node in the bind pose.
 */
export function animatedExtent(moving: Box3, movingBoxes: ReadonlyMap<Object3D, Box3>, rest: Extent, origin: Vector3): Extent {
  const points = rest.points?.map((value, i) => value - origin.getComponent(i % 3)) ?? null;
  const isFew = movingBoxes.size > 0 && movingBoxes.size <= MAX_MOVING_BOXES;
  const all = moving.clone().union(rest.box.clone().translate(origin.clone().negate()));
  if (movingBoxes.size === 0) all.expandByVector(all.getSize(new Vector3()).multiplyScalar((TIP_FACTOR - 1) / 2));
  return { ...extentIn(all), ...(points && isFew && { points, movingBoxes: [...movingBoxes.values()] }) };
}

/**
 * Returns the bounding box of a mesh: in the current pose for a skinned mesh, around all instances
 * for an instanced mesh, and of the geometry for other meshes.
 */
function boxOf(mesh: Drawn): Box3 | null {
  if ('isInstancedMesh' in mesh && !mesh.boundingBox) (mesh as unknown as InstancedMesh).computeBoundingBox();
  if (mesh.boundingBox) return mesh.boundingBox;
  if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
  return mesh.geometry.boundingBox;
}

const point = /*@__PURE__*/ new Vector3();
const instanceMatrix = /*@__PURE__*/ new Matrix4();

/**
 * Appends up to `limit` vertices of a mesh to `points`. Appends the corners of the mesh's bounding
 * box instead if the vertices are unavailable, or if `limit` is too small to represent the shape.
 */
function addPoints(mesh: Drawn, limit: number, points: number[]): void {
  const { position } = mesh.geometry.attributes;
  const add = (matrix: Matrix4): void => void point.applyMatrix4(matrix).toArray(points, points.length);
  const addCorners = (box: Box3, matrix: Matrix4): void => {
    for (let i = 0; i < 8; ++i) {
      corner(box, i);
      add(matrix);
    }
  };
  if ('isInstancedMesh' in mesh) {
    // If there are many instances, their centres are precise enough.
    const { count } = mesh as unknown as InstancedMesh;
    const box = mesh.geometry.boundingBox!;
    for (let i = 0; i < count; i++) {
      (mesh as unknown as InstancedMesh).getMatrixAt(i, instanceMatrix);
      instanceMatrix.premultiply(mesh.matrixWorld);
      if (8 * count <= limit) addCorners(box, instanceMatrix);
      else {
        box.getCenter(point);
        add(instanceMatrix);
      }
    }
  } else if (limit < 64 || !position || !('getVertexPosition' in mesh) || 'isInstancedBufferGeometry' in mesh.geometry) {
    addCorners(boxOf(mesh)!, mesh.matrixWorld);
  } else {
    // Sample vertices of faces, because vertices without a face are invisible.
    const { index } = mesh.geometry;
    const count = index?.count ?? position.count;
    const writePosition = worldPositionsOf(mesh);
    for (let i = 0, step = Math.ceil(count / limit); i < count; i += step)
      writePosition(index ? index.getX(i) : i, point).toArray(points, points.length);
  }
}

/** Returns the extent of a box; one metre around the origin if the box is empty or not finite. */
export function extentIn(bounds: Box3): Extent {
  const box = bounds.clone();
  if (box.isEmpty() || ![...box.min, ...box.max].every(Number.isFinite)) box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1, 0.5));
  const sphere = box.getBoundingSphere(new Sphere());
  return { box, center: sphere.center.clone(), radius: Math.max(sphere.radius, 1e-4), points: null, movingBoxes: null };
}

/**
 * Default factor by which the framed area is larger than the content, so that there is a margin.
 */
const MARGIN = 1.06;

const WHOLE_PICTURE: FreeArea = { width: 1, height: 1 };

/**
 * Returns the distance between centre and camera at which everything fits into the picture,
 * horizontally and vertically. `direction`: unit vector from the centre to the camera. `freeArea`:
 * area of the picture into which the content must fit.
 */
export function distanceToFit(
  { box, center, points, movingBoxes }: Extent,
  direction: Vector3,
  camera: PerspectiveCamera,
  margin = MARGIN,
  freeArea = WHOLE_PICTURE,
): number {
  const right = new Vector3().crossVectors(camera.up, direction);
  if (right.lengthSq() < 1e-8) right.set(1, 0, 0);
  right.normalize();
  const up = new Vector3().crossVectors(direction, right);
  const tan = Math.tan(MathUtils.degToRad(camera.fov) / 2);
  const tanY = tan * freeArea.height;
  const tanX = tan * camera.aspect * freeArea.width;
  let distance = 0;
  const include = (depth: number): void => {
    distance = Math.max(distance, depth + (Math.abs(point.dot(right)) * margin) / tanX, depth + (Math.abs(point.dot(up)) * margin) / tanY);
  };
  const middle = new Vector3();
  // The depth of the corners is reduced, because content rarely fills the corners that are close to
  // the camera.
  const includeBox = (each: Box3): void => {
    const depth = each.getCenter(middle).sub(center).dot(direction);
    for (let i = 0; i < 8; ++i) {
      corner(each, i).sub(center);
      include(depth + (point.dot(direction) - depth) * 0.45);
    }
  };
  if (points) {
    for (let i = 0; i < points.length; i += 3) {
      point.fromArray(points, i).sub(center);
      include(point.dot(direction));
    }
    movingBoxes?.forEach(includeBox);
  } else includeBox(box);
  return Math.max(distance, 1e-4);
}

const corner = ({ min, max }: Box3, i: number): Vector3 => point.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);

/**
 * Returns the near and far planes of a camera, in metres. `distance`: distance between camera and
 * content in metres. `radius`: radius of the content in metres.
 */
export function depthRange(distance: number, radius: number): { near: number; far: number } {
  const near = Math.max((distance - radius) * 0.5, Math.max(distance, radius) / 500);
  return { near, far: distance + radius * 40 };
}

/**
 * Returns the height of the floor in metres. This is 0 if the lowest point of the model is close to
 * 0, for example if a toe of a character is slightly below 0. Otherwise it is the lowest point, for
 * example for a head without a body, or for a landscape whose valleys are below 0.
 */
export function floorHeight({ box, radius }: Extent): number {
  const tolerance = Math.min(radius * 0.08, (box.max.y - box.min.y) * 0.05);
  return Math.abs(box.min.y) < tolerance ? 0 : box.min.y;
}

/**
 * Returns the size of a grid cell in metres: the number of the form 1, 2 or 5 times a power of ten
 * that is close to an eighth of the model's size.
 */
export function gridCell(radius: number): number {
  const raw = radius / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const leading = raw / power;
  return power * (leading < 1.5 ? 1 : leading < 3.5 ? 2 : leading < 7.5 ? 5 : 10);
}
