// Computes the drawn vertices of a mesh as the vertex shaders do (those of three.js and
// skinningShader.ts), for picking, the command line, exports and tests.
//
// Dual quaternions ignore scale: only the rotation and translation of a bone's matrix have an
// effect, as in Matrix4.decompose (docs/formats/cast.md, section 3.2; Maya without "non rigid"). If
// scale is enabled, as in Blender, the matrix is split into a scale about the bone's head at rest
// and a rigid transform; the scales are blended as matrices and applied first. All matrices are in
// the space of the mesh, so a page can scale the rig as a whole.
import {
  type BufferGeometry,
  type DataTexture,
  Matrix4,
  Quaternion,
  SkinnedMesh,
  Vector3,
  type Mesh as ThreeMesh,
  type Object3D,
  type Material,
} from 'three';
import type { Mesh } from '../../core/types.ts';
import { restOf, toRotation } from './restSkeleton.ts';

/** Kind of skinning of a mesh that has more than four linear influences. */
export interface Skinning {
  /**
   * True if the geometry has attributes for the fifth to eighth influence: skinIndex1, skinWeight1.
   */
  eight: boolean;
  /**
   * Texture of all influences beyond the fourth. A texel contains a bone index and a fraction of
   * the total weight; the attribute `skinRange` contains the range of texels of each vertex. Null
   * if all vertices have at most eight influences.
   */
  influences: DataTexture | null;
  /** True if the mesh uses dual quaternion skinning. */
  dual: boolean;
  /**
   * True if the scale of bones has an effect in dual quaternion skinning. The skeleton is then a
   * RestSkeleton.
   */
  scaled: boolean;
  /** Patches a material for this kind of skinning (skinningShader.ts). */
  extend<M extends Material>(material: M): M;
}

/** Returns true if a mesh needs more than four linear influences. */
export function needsMore({ joints, weights, influenceOffsets, skinning }: Mesh): boolean {
  return !!joints && !!weights && (!!influenceOffsets || skinning === 'dualQuaternion');
}

/** Returns a key for the kind of skinning. Meshes with the same key can share patched materials. */
export function keyOf(skinning: Skinning): string {
  return `${programOf(skinning)} ${skinning.influences?.uuid ?? ''}`;
}

/** Returns the cache key of the shader program for a kind of skinning. */
export function programOf({ eight, influences, dual, scaled }: Skinning): string {
  return `${influences ? 'any' : eight ? 8 : 4} ${scaled ? 'scaled' : dual ? 'dual' : 'linear'}`;
}

type Skinned = SkinnedMesh & { skinning?: Skinning | null };

/** Skinning with four linear influences. */
const PLAIN: Skinning = { eight: false, influences: null, dual: false, scaled: false, extend: material => material };

/**
 * Returns the drawn vertices of an object in world space, 3 floats per vertex. The world matrices
 * must be up to date.
 */
export function drawnPositions(object: Object3D, mesh: Mesh): Float64Array {
  const positions = morphed(mesh, (object as ThreeMesh).morphTargetInfluences);
  if (object instanceof SkinnedMesh && mesh.joints && mesh.weights) skin(positions, object);
  transform(positions, object.matrixWorld.elements);
  return positions;
}

function morphed({ positions, morphs }: Mesh, influences: readonly number[] | undefined): Float64Array {
  const result = Float64Array.from(positions);
  for (const [m, influence] of (influences ?? []).entries()) {
    const morph = morphs[m];
    if (!morph || influence === 0) continue;
    for (const [i, vertex] of morph.vertices.entries()) {
      for (let c = 0; c < 3; c++) result[3 * vertex + c]! += influence * morph.positions[3 * i + c]!;
    }
  }
  return result;
}

function transform(positions: Float64Array, e: readonly number[]): void {
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i]!;
    const y = positions[i + 1]!;
    const z = positions[i + 2]!;
    positions[i] = e[0]! * x + e[4]! * y + e[8]! * z + e[12]!;
    positions[i + 1] = e[1]! * x + e[5]! * y + e[9]! * z + e[13]!;
    positions[i + 2] = e[2]! * x + e[6]! * y + e[10]! * z + e[14]!;
  }
}

/**
 * Replaces the positions of all vertices by the skinned ones, in the space of the mesh, like
 * `SkinnedMesh.applyBoneTransform`.
 */
function skin(positions: Float64Array, mesh: Skinned): void {
  const skinning = mesh.skinning ?? PLAIN;
  const blend = new BoneBlend(skinning);
  const bones = mesh.skeleton.bones.map((_, j) => boneEntry(mesh, j, skinning));
  const influences = new Influences(mesh.geometry, skinning);
  for (let i = 0; i < positions.length / 3; i++) {
    influences.read(i);
    blend.begin();
    for (let k = 0; k < influences.count; k++) {
      const weight = influences.weights[k]!;
      if (weight !== 0) blend.add(bones[influences.joints[k]!]!, weight);
    }
    blend.apply(positions, 3 * i);
  }
}

const positionOfOne = new Float64Array(3);

/**
 * Applies the skinning of a vertex to `point`, in the space of the mesh. Slower per vertex than
 * `drawnPositions`, because no bone transforms are cached.
 */
export function applyBones(mesh: Skinned, vertex: number, point: { x: number; y: number; z: number }): void {
  const skinning = mesh.skinning ?? PLAIN;
  const influences = new Influences(mesh.geometry, skinning);
  const blend = new BoneBlend(skinning);
  influences.read(vertex);
  blend.begin();
  for (let k = 0; k < influences.count; k++) {
    const weight = influences.weights[k]!;
    if (weight !== 0) blend.add(boneEntry(mesh, influences.joints[k]!, skinning), weight);
  }
  positionOfOne[0] = point.x;
  positionOfOne[1] = point.y;
  positionOfOne[2] = point.z;
  blend.apply(positionOfOne, 0);
  point.x = positionOfOne[0];
  point.y = positionOfOne[1];
  point.z = positionOfOne[2];
}

/**
 * Reads the influences of one vertex at a time. `count` is the number of influences of the current
 * vertex.
 */
export class Influences {
  readonly joints: number[] = [];
  readonly weights: number[] = [];
  count = 0;
  readonly #geometry: BufferGeometry;
  readonly #skinning: Skinning;

  constructor(geometry: BufferGeometry, skinning?: Skinning | null) {
    this.#geometry = geometry;
    this.#skinning = skinning ?? PLAIN;
  }

  read(vertex: number): void {
    const { skinIndex, skinWeight, skinIndex1, skinWeight1, skinRange } = this.#geometry.attributes;
    const { eight, influences } = this.#skinning;
    this.count = 4;
    let rest = 1;
    const add = (joint: number, weight: number): void => {
      this.joints[this.count] = joint;
      this.weights[this.count++] = weight;
      rest -= weight;
    };
    if (eight) for (let k = 0; k < 4; k++) add(skinIndex1!.getComponent(vertex, k), skinWeight1!.getComponent(vertex, k));
    if (influences) {
      const { data, width } = influences.image as { data: Float32Array; width: number };
      const first = skinRange!.getX(vertex) + width * skinRange!.getY(vertex);
      for (let at = 2 * first, end = at + 2 * skinRange!.getZ(vertex); at < end; at += 2) add(data[at]!, data[at + 1]!);
    }
    for (let k = 0; k < 4; k++) {
      this.joints[k] = skinIndex!.getComponent(vertex, k);
      this.weights[k] = rest * skinWeight!.getComponent(vertex, k);
    }
  }
}

const matrix = /*@__PURE__*/ new Matrix4();
const translation = /*@__PURE__*/ new Vector3();
const rotation = /*@__PURE__*/ new Quaternion();
const size = /*@__PURE__*/ new Vector3();
const scale = /*@__PURE__*/ new Vector3();

/**
 * Returns the transform of a bone in the space of the mesh, for linear skinning as the columns of a
 * matrix (12 numbers). For dual quaternion skinning, it consists of the real part and the dual
 * part, each as x y z w. If scale is applied, the 12 numbers of the scale matrix follow, and then a
 * 1; the weighted sum of these ones over all bones is the total weight.
 */
function boneEntry({ skeleton, bindMatrix, bindMatrixInverse }: SkinnedMesh, joint: number, { dual, scaled }: Skinning): Float64Array {
  matrix.multiplyMatrices(skeleton.bones[joint]!.matrixWorld, skeleton.boneInverses[joint]!).premultiply(bindMatrixInverse);
  if (!dual) return Float64Array.from(columns(matrix.multiply(bindMatrix)));
  if (!scaled) {
    matrix.multiply(bindMatrix).decompose(translation, rotation, size);
    return Float64Array.from(dualQuaternion());
  }
  splitScale(matrix, skeleton.boneInverses[joint]!);
  return Float64Array.of(...dualQuaternion(), ...columns(scaling.multiply(bindMatrix)), 1);
}

/** Returns the dual quaternion of the module variables `rotation` and `translation`, 8 numbers. */
function dualQuaternion(): number[] {
  const { x, y, z, w } = rotation;
  const { x: tx, y: ty, z: tz } = translation;
  const real = [x, y, z, w];
  return [
    ...real,
    0.5 * (tx * w + ty * z - tz * y),
    0.5 * (ty * w + tz * x - tx * z),
    0.5 * (tz * w + tx * y - ty * x),
    -0.5 * (tx * x + ty * y + tz * z),
  ];
}

const columns = ({ elements: e }: Matrix4): number[] => [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14].map(i => e[i]!);

const scaling = /*@__PURE__*/ new Matrix4();
const rigid = /*@__PURE__*/ new Matrix4();
const head = /*@__PURE__*/ new Vector3();

/**
 * Splits the transform of a bone into the module variables `rotation`, `translation` and `scaling`.
 * `scaling` is a scale about the bone's head in the rest pose, and is applied first.
 */
function splitScale(transform: Matrix4, inverse: Matrix4): void {
  const rest = restOf(inverse);
  head.setFromMatrixPosition(rest);
  rest.setPosition(0, 0, 0);
  rigid.copy(transform).setPosition(0, 0, 0).multiply(rest);
  const axes = toRotation(rigid);
  if (axes) axes.multiply(rest.transpose());
  else rigid.identity();
  rotation.setFromRotationMatrix(rigid);
  translation.copy(head).applyMatrix4(transform).sub(scale.copy(head).applyMatrix4(rigid));
  scaling.copy(rigid.setPosition(translation)).invert().multiply(transform);
}

/**
 * Returns an upper limit for the distance by which the scale of a bone moves a point in the box.
 * The 6 numbers of the box start at index `at`, in the space of the bone.
 */
export function scaleReach({ skeleton, bindMatrixInverse }: SkinnedMesh, joint: number, box: ArrayLike<number>, at: number): number {
  const inverse = skeleton.boneInverses[joint]!;
  matrix.multiplyMatrices(skeleton.bones[joint]!.matrixWorld, inverse).premultiply(bindMatrixInverse);
  splitScale(matrix, inverse);
  const rest = rigid.copy(inverse).invert().elements;
  let far = 0;
  for (let c = 0; c < 3; c++)
    far += Math.max(Math.abs(box[at + c]!), Math.abs(box[at + c + 3]!)) * Math.hypot(rest[4 * c]!, rest[4 * c + 1]!, rest[4 * c + 2]!);
  const e = scaling.elements;
  return far * Math.hypot(e[0] - 1, e[1], e[2], e[4], e[5] - 1, e[6], e[8], e[9], e[10] - 1);
}

/** Returns the rotation matrix of a unit quaternion, 9 numbers, column-major. */
function matrixOf(x: number, y: number, z: number, w: number): number[] {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y + w * z),
    2 * (x * z - w * y),
    2 * (x * y - w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z + w * x),
    2 * (x * z + w * y),
    2 * (y * z - w * x),
    1 - 2 * (x * x + y * y),
  ];
}

/** Transforms a point by the columns of a matrix, `m`, 12 numbers. */
function transformOne(positions: Float64Array, at: number, m: ArrayLike<number>): void {
  const x = positions[at]!;
  const y = positions[at + 1]!;
  const z = positions[at + 2]!;
  for (let c = 0; c < 3; c++) positions[at + c] = m[c]! * x + m[c + 3]! * y + m[c + 6]! * z + m[c + 9]!;
}

/** Computes the weighted sum of the transforms of several bones. */
class BoneBlend {
  readonly #dual: boolean;
  /** Weighted sum of the bones' transforms, in the layout that `boneEntry` returns. */
  readonly #sum: Float64Array;
  #pivot: Float64Array | null = null;

  constructor({ dual, scaled }: Skinning) {
    this.#dual = dual;
    this.#sum = new Float64Array(scaled ? 21 : dual ? 8 : 12);
  }

  begin(): void {
    this.#sum.fill(0);
    this.#pivot = null;
  }

  add(bone: Float64Array, weight: number): void {
    const sum = this.#sum;
    const pivot = (this.#pivot ??= bone);
    const isFar = this.#dual && bone[0]! * pivot[0]! + bone[1]! * pivot[1]! + bone[2]! * pivot[2]! + bone[3]! * pivot[3]! < 0;
    for (let i = 0; i < sum.length; i++) sum[i]! += (isFar && i < 8 ? -weight : weight) * bone[i]!;
  }

  apply(positions: Float64Array, at: number): void {
    const sum = this.#sum;
    const m = this.#dual ? this.#matrix() : sum;
    if (!m) return;
    if (sum.length === 21)
      transformOne(
        positions,
        at,
        sum.subarray(8, 20).map(value => value / sum[20]!),
      );
    transformOne(positions, at, m);
  }

  #matrix(): number[] | null {
    const sum = this.#sum;
    const size = Math.hypot(sum[0]!, sum[1]!, sum[2]!, sum[3]!);
    if (size === 0) return null;
    const [x = 0, y = 0, z = 0, w = 1, dx = 0, dy = 0, dz = 0, dw = 0] = Array.from(sum, value => value / size);
    const m = matrixOf(x, y, z, w);
    m[9] = 2 * (w * dx - dw * x + y * dz - z * dy);
    m[10] = 2 * (w * dy - dw * y + z * dx - x * dz);
    m[11] = 2 * (w * dz - dw * z + x * dy - y * dx);
    return m;
  }
}
