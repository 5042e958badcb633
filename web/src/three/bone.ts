import { Bone, Vector3 } from 'three';

/**
 * A bone that may refuse its parent's scale (Maya's segment scale compensate: local = T · S(parent)⁻¹ · R · S) and that multiplies its scale by
 * a gain. Additive scale is a product in animation tools and a sum in three's mixer: tracks drive `gain` instead of `scale`.
 */
export class RigBone extends Bone {
  segmentScaleCompensate = false;
  readonly gain = new Vector3(1, 1, 1);

  override updateMatrix(): void {
    const { gain } = this;
    if (gain.x === 1 && gain.y === 1 && gain.z === 1) super.updateMatrix();
    else {
      this.matrix.compose(this.position, this.quaternion, effective.copy(this.scale).multiply(gain));
      this.matrixWorldNeedsUpdate = true;
    }
    if (!this.segmentScaleCompensate || !(this.parent instanceof RigBone)) return;
    const s = effective.copy(this.parent.scale).multiply(this.parent.gain);
    if (s.x === 1 && s.y === 1 && s.z === 1) return;
    if (s.x === 0 || s.y === 0 || s.z === 0) return; // nothing undoes a scale of zero
    const e = this.matrix.elements;
    for (let column = 0; column < 12; column += 4) {
      e[column]! /= s.x;
      e[column + 1]! /= s.y;
      e[column + 2]! /= s.z;
    }
  }

  override copy(source: this, recursive?: boolean): this {
    super.copy(source, recursive);
    this.segmentScaleCompensate = source.segmentScaleCompensate;
    this.gain.copy(source.gain);
    return this;
  }
}

const effective = /*@__PURE__*/ new Vector3();
