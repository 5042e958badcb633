import { Box3, type BufferGeometry, type Material, Matrix4, SkinnedMesh, Sphere } from 'three';

/**
 * A skinned mesh whose bounds follow its bones. `boundingBox` and `boundingSphere` are read by three for culling, picking and framing; they are
 * made from one box a joint each time they are read, so that a character who walks away is neither culled nor framed where it stood, and no
 * vertex is skinned in JavaScript for it.
 */
export class RigSkinnedMesh extends SkinnedMesh {
  /** 6 a joint (min, max) in its bind space, every morph at its maximum included; min > max where it moves nothing. Null: bounds at rest. */
  jointBoxes: Float32Array | null = null;
  readonly #box = new Box3();
  readonly #sphere = new Sphere();

  constructor(geometry?: BufferGeometry, material?: Material | Material[]) {
    super(geometry, material);
    Object.defineProperties(this, {
      boundingBox: {
        get: () => (this.computeBoundingBox(), this.#box),
        set: ignore,
        configurable: true,
        enumerable: true,
      },
      boundingSphere: {
        get: () => (this.computeBoundingSphere(), this.#sphere),
        set: ignore,
        configurable: true,
        enumerable: true,
      },
    });
  }

  /** The box of the drawn vertices in the mesh's own space, for the bones' present world matrices. It holds every vertex; it may be larger. */
  override computeBoundingBox(): void {
    const box = this.#box.makeEmpty();
    const { jointBoxes, skeleton } = this;
    if (!jointBoxes || !skeleton) {
      const { geometry } = this;
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      box.copy(geometry.boundingBox!);
      return;
    }
    for (const [j, bone] of skeleton.bones.entries()) {
      const at = 6 * j;
      if (!bone || !(jointBoxes[at]! <= jointBoxes[at + 3]!)) continue;
      jointBox.min.fromArray(jointBoxes, at);
      jointBox.max.fromArray(jointBoxes, at + 3);
      box.union(jointBox.applyMatrix4(toMesh.multiplyMatrices(this.bindMatrixInverse, bone.matrixWorld)));
    }
  }

  override computeBoundingSphere(): void {
    this.computeBoundingBox();
    this.#box.getBoundingSphere(this.#sphere);
  }

  override copy(source: this, recursive?: boolean): this {
    super.copy(source, recursive);
    this.jointBoxes = source.jointBoxes;
    return this;
  }
}

function ignore(): void {}

const jointBox = /*@__PURE__*/ new Box3();
const toMesh = /*@__PURE__*/ new Matrix4();
