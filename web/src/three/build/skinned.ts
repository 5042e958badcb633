import { Box3, type BufferGeometry, type Material, Matrix4, type Skeleton, SkinnedMesh, Sphere, type Vector3, type Vector4 } from 'three';
import { hasPatch } from '../materials/shaderPatch.ts';
import { nodeMaterials } from '../nodeMaterials.ts';
import { applyBones, scaleReach, type Skinning } from './skinning.ts';

/**
 * A skinned mesh whose bounds follow its bones. three.js reads `boundingBox` and `boundingSphere`
 * for culling, picking and framing. Both are computed when they are read, from one box per joint
 * and without skinning any vertices in JavaScript.
 */
export class RigSkinnedMesh extends SkinnedMesh {
  /**
   * For each joint, a box around its vertices in the bind space of the joint, with all morph
   * targets at their maximum: 6 floats (minimum, maximum). The minimum is greater than the maximum
   * for a joint without vertices. If `jointBoxes` is null, the bounds at rest are used.
   */
  jointBoxes: Float32Array | null = null;
  /**
   * Skinning beyond four linear influences, for which the materials of the mesh and its shadow are
   * patched (skinningShader.ts). Null for four linear influences, which need no patch.
   */
  skinning: Skinning | null = null;
  /**
   * Callback that is called once if the mesh is drawn without `skinning`, because of the renderer or
   * because of a material that isn't patched.
   */
  onReduced: ((cause: 'renderer' | 'material') => void) | null = null;
  readonly #box = new Box3();
  readonly #sphere = new Sphere();

  constructor(geometry?: BufferGeometry, material?: Material | Material[]) {
    super(geometry, material);
    Object.defineProperties(this, {
      boundingBox: { get: () => (this.computeBoundingBox(), this.#box), set: ignore, configurable: true, enumerable: true },
      boundingSphere: { get: () => (this.computeBoundingSphere(), this.#sphere), set: ignore, configurable: true, enumerable: true },
    });
  }

  /**
   * Computes a box that contains all drawn vertices, in the space of the mesh, from the current
   * world matrices of the bones. At rest, the box equals that of the geometry; in other poses it
   * may be larger than necessary.
   */
  override computeBoundingBox(): void {
    const box = this.#box.makeEmpty();
    const { jointBoxes, skeleton, geometry } = this;
    const isAtRest = !jointBoxes || !skeleton || (!this.morphTargetInfluences?.some(weight => weight !== 0) && movesAsOne(skeleton, asOne));
    if (isAtRest) {
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      box.copy(geometry.boundingBox!);
      if (jointBoxes && skeleton) box.applyMatrix4(toMesh.multiplyMatrices(this.bindMatrixInverse, asOne).multiply(this.bindMatrix));
      return;
    }
    const { min, max } = box;
    let largest = 0;
    let scaled = 0;
    for (let j = 0, at = 0; j < skeleton.bones.length; j++, at += 6) {
      const bone = skeleton.bones[j];
      if (!bone || !(jointBoxes[at]! <= jointBoxes[at + 3]!)) continue;
      const e = toMesh.multiplyMatrices(this.bindMatrixInverse, bone.matrixWorld).elements;
      // Computes the bounds of the transformed box: its centre is multiplied by the matrix, and its
      // half sizes by the absolute values of the matrix.
      const cx = (jointBoxes[at]! + jointBoxes[at + 3]!) / 2;
      const cy = (jointBoxes[at + 1]! + jointBoxes[at + 4]!) / 2;
      const cz = (jointBoxes[at + 2]! + jointBoxes[at + 5]!) / 2;
      const hx = jointBoxes[at + 3]! - cx;
      const hy = jointBoxes[at + 4]! - cy;
      const hz = jointBoxes[at + 5]! - cz;
      const x = e[0] * cx + e[4] * cy + e[8] * cz + e[12];
      const dx = Math.abs(e[0]) * hx + Math.abs(e[4]) * hy + Math.abs(e[8]) * hz;
      const y = e[1] * cx + e[5] * cy + e[9] * cz + e[13];
      const dy = Math.abs(e[1]) * hx + Math.abs(e[5]) * hy + Math.abs(e[9]) * hz;
      const z = e[2] * cx + e[6] * cy + e[10] * cz + e[14];
      const dz = Math.abs(e[2]) * hx + Math.abs(e[6]) * hy + Math.abs(e[10]) * hz;
      min.set(Math.min(min.x, x - dx), Math.min(min.y, y - dy), Math.min(min.z, z - dz));
      max.set(Math.max(max.x, x + dx), Math.max(max.y, y + dy), Math.max(max.z, z + dz));
      largest = Math.max(largest, dx * dx + dy * dy + dz * dz);
      if (this.skinning?.scaled) scaled = Math.max(scaled, scaleReach(this, j, jointBoxes, at));
    }
    // Dual quaternions move a vertex around the joint, out of the boxes, by up to r (1 − cos(α /
    // 2)), where r is its distance from the joint and α is the angle of the bend.
    if (this.skinning?.dual) box.expandByScalar(Math.sqrt(largest) / 2);
    // The scales of two bones are blended before the bones rotate the vertex, so the box is
    // expanded by twice the maximum distance by which a scale moves a vertex.
    box.expandByScalar(2 * scaled);
  }

  override applyBoneTransform<T extends Vector3 | Vector4>(index: number, target: T): T {
    if (this.skinning) applyBones(this, index, target);
    else super.applyBoneTransform(index, target as Vector3 & Vector4);
    return target;
  }

  /**
   * Prepares the mesh for a WebGPURenderer. If the page has not imported the nodes for it
   * (nodeMaterials.ts), the mesh is drawn with four linear influences from now on. Also checks that
   * the page has not replaced a patched material by one without the patch.
   */
  override onBeforeRender(renderer: object, _scene?: unknown, _camera?: unknown, _geometry?: unknown, material?: Material): void {
    const isWebGPU = 'isWebGPURenderer' in renderer;
    const nodes = isWebGPU ? nodeMaterials() : null;
    if (nodes && material) return nodes.skin(this, material);
    (this as { isSkinnedMesh: boolean }).isSkinnedMesh = true;
    if (!this.skinning) return;
    if (isWebGPU) this.skinning = null;
    else if (!material || hasPatch(material, 'skinning')) return;
    this.onReduced?.(isWebGPU ? 'renderer' : 'material');
    this.onReduced = null;
  }

  override computeBoundingSphere(): void {
    this.computeBoundingBox();
    this.#box.getBoundingSphere(this.#sphere);
  }

  override copy(source: this, recursive?: boolean): this {
    super.copy(source, recursive);
    this.jointBoxes = source.jointBoxes;
    this.skinning = source.skinning;
    this.customDepthMaterial = source.customDepthMaterial;
    this.customDistanceMaterial = source.customDistanceMaterial;
    return this;
  }
}

function ignore(): void {}

const toMesh = /*@__PURE__*/ new Matrix4();
const moved = /*@__PURE__*/ new Matrix4();
const asOne = /*@__PURE__*/ new Matrix4();

/**
 * Returns true if the same transform has moved all bones from the bind pose. The mesh then still
 * has its rest shape. Writes the transform to `how`.
 */
function movesAsOne({ bones, boneInverses }: Skeleton, how: Matrix4): boolean {
  if (!bones[0]) return false;
  const { elements: first } = how.multiplyMatrices(bones[0].matrixWorld, boneInverses[0]!);
  return bones.every((bone, j) => {
    const { elements } = moved.multiplyMatrices(bone.matrixWorld, boneInverses[j]!);
    return elements.every((value, i) => Math.abs(value - first[i]!) <= 1e-5 * (1 + Math.abs(value)));
  });
}
