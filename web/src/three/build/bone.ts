import { Bone, Vector3 } from 'three';
import type { ScaleInheritance } from '../../core/types.ts';

/**
 * A bone that can ignore the scale of its parent (Maya's segment scale compensate: local = T ·
 * S(parent)⁻¹ · R · S), or inherit scale separately for each axis.
 */
export class RigBone extends Bone {
  segmentScaleCompensate = false;
  scaleInheritance: ScaleInheritance = 'matrix';
  /**
   * Product of the scales of all bones from the root to this one. Used only if scale is inherited
   * by axis.
   */
  readonly #axes = new Vector3(1, 1, 1);

  override updateMatrix(): void {
    this.matrix.compose(this.position, this.quaternion, this.scale);
    this.matrixWorldNeedsUpdate = true;
    const parent = this.parent instanceof RigBone ? this.parent : null;
    if (this.segmentScaleCompensate && parent) this.#scaleRows(parent.scale);
    if (this.scaleInheritance === 'axes') {
      above.set(1, 1, 1);
      if (parent) this.#conjugate(above.copy(parent.#axes));
      this.#axes.copy(above).multiply(this.scale);
    }
  }

  /**
   * Multiplies the matrix by the inverse of the parent's scale, unless a component of the scale is
   * zero.
   */
  #scaleRows(s: Vector3): void {
    if (isOne(s) || s.x * s.y * s.z === 0) return;
    const e = this.matrix.elements;
    for (let column = 0; column < 12; column += 4) {
      e[column]! /= s.x;
      e[column + 1]! /= s.y;
      e[column + 2]! /= s.z;
    }
  }

  /** Computes S⁻¹ · R · S, so that inherited scale acts along the axes of this bone. */
  #conjugate(s: Vector3): void {
    if (isOne(s) || s.x * s.y * s.z === 0) return;
    this.#scaleRows(s);
    const e = this.matrix.elements;
    for (let row = 0; row < 3; row++) {
      e[row]! *= s.x;
      e[row + 4]! *= s.y;
      e[row + 8]! *= s.z;
    }
  }

  override copy(source: this, recursive?: boolean): this {
    super.copy(source, recursive);
    this.segmentScaleCompensate = source.segmentScaleCompensate;
    this.scaleInheritance = source.scaleInheritance;
    return this;
  }
}

function isOne(s: Vector3): boolean {
  return s.x === 1 && s.y === 1 && s.z === 1;
}

const above = /*@__PURE__*/ new Vector3();
