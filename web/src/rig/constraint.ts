// One bone follows another: Cast's point, orient and scale constraints (docs/formats/cast.md, section 3.7). In the world, after the curves of the frame.
import { fromEuler, invert, multiply, slerp, toEuler } from '../core/math/quaternion.ts';
import { directionOf, intoSpace, lengthsOf, localRotation, positionOf, rotationOf } from './frame.ts';
import type { Pose } from './pose.ts';
import type { WorldMatrices } from './world.ts';

export type ConstraintKind = 'translation' | 'rotation' | 'scale';

export interface ConstraintDesign {
  name: string;
  kind: ConstraintKind;
  /** Rows: who follows whom. */
  bone: number;
  target: number;
  /** 0 to 1: how far from where the bone is to where it follows. */
  weight: number;
  /**
   * Axes that are not constrained: those of the parent for a place, of the bone for a scale, and of a rotation the angles about x, y, z in this order (Maya's
   * channels).
   */
  skip: readonly [boolean, boolean, boolean];
  /** The offset that the bone has from its target at rest. It wins over `offset`. */
  keepsOffset: boolean;
  /** In the space of the file: added to a place, factors of a scale, a turn x y z w in the space of the target. */
  offset: readonly number[] | null;
}

export class Constraint {
  readonly kind = 'constraint';
  isOn = true;
  readonly design: ConstraintDesign;
  readonly #offset = new Float64Array(4);

  /** `rest` is the pose of the file, `world` its matrices, all of them up to date. */
  constructor(design: ConstraintDesign, rest: Pose, world: WorldMatrices) {
    this.design = design;
    const { kind, offset, keepsOffset } = design;
    if (kind === 'rotation') this.#offset[3] = 1;
    if (kind === 'scale') this.#offset.fill(1);
    if (keepsOffset) this.#measure(rest, world.matrices);
    else if (offset) {
      this.#offset.set(offset.slice(0, 4));
      if (kind === 'translation') directionOf(world.matrices, 0, offset, this.#offset);
    }
  }

  get name(): string {
    return this.design.name;
  }

  #measure({ scales }: Pose, matrices: Float64Array): void {
    const { kind, bone, target } = this.design;
    if (kind === 'translation') {
      positionOf(matrices, bone, here);
      positionOf(matrices, target, goal);
      for (let c = 0; c < 3; c++) this.#offset[c] = here[c]! - goal[c]!;
    } else if (kind === 'rotation') {
      rotationOf(matrices, bone, scales, here);
      rotationOf(matrices, target, scales, goal);
      invert(goal, goal);
      multiply(this.#offset, 0, goal, 0, here, 0);
    } else {
      lengthsOf(matrices, bone, here);
      lengthsOf(matrices, target, goal);
      for (let c = 0; c < 3; c++)
        this.#offset[c] = goal[c] ? (here[c]! * signOf(scales, bone, c)) / (goal[c]! * signOf(scales, target, c)) : 1;
    }
  }

  solve(pose: Pose, world: WorldMatrices): void {
    const { kind, bone, target } = this.design;
    world.reach(pose, bone);
    world.reach(pose, target);
    if (kind === 'translation') this.#move(pose, world.matrices);
    else if (kind === 'rotation') this.#turn(pose, world.matrices);
    else this.#stretch(pose, world);
    world.touch(bone);
  }

  #move({ shape, translations }: Pose, matrices: Float64Array): void {
    const { bone, target, weight, skip } = this.design;
    positionOf(matrices, target, goal);
    for (let c = 0; c < 3; c++) goal[c]! += this.#offset[c]!;
    if (!intoSpace(matrices, shape.scene.nodes.parents[bone]!, goal, goal)) return;
    for (let c = 0; c < 3; c++) if (!skip[c]) translations[3 * bone + c]! += (goal[c]! - translations[3 * bone + c]!) * weight;
  }

  #turn({ rotations, scales }: Pose, matrices: Float64Array): void {
    const { bone, target, weight, skip } = this.design;
    const at = 4 * bone;
    rotationOf(matrices, target, scales, goal);
    multiply(goal, 0, goal, 0, this.#offset, 0);
    rotationOf(matrices, bone, scales, here);
    localRotation(goal, 0, here, rotations, at, goal);
    slerp(goal, 0, rotations, at, goal, 0, weight);
    if (skip[0] || skip[1] || skip[2]) {
      for (let c = 0; c < 4; c++) here[c] = rotations[at + c]!;
      toEuler(anglesNow, here);
      toEuler(angles, goal);
      for (let c = 0; c < 3; c++) if (skip[c]) angles[c] = anglesNow[c]!;
      fromEuler(goal, angles);
    }
    for (let c = 0; c < 4; c++) rotations[at + c] = goal[c]!;
  }

  #stretch(pose: Pose, world: WorldMatrices): void {
    const { bone, target, weight, skip } = this.design;
    const { scales } = pose;
    const { matrices } = world;
    lengthsOf(matrices, target, goal);
    for (let c = 0; c < 3; c++) {
      goal[c]! *= signOf(scales, target, c) * this.#offset[c]!;
      angles[c] = scales[3 * bone + c]!;
      scales[3 * bone + c] = 1;
    }
    // What the bone has without a scale of its own: what it takes over from above, whichever way it does.
    world.touch(bone);
    world.reach(pose, bone);
    lengthsOf(matrices, bone, here);
    for (let c = 0; c < 3; c++) {
      const now = angles[c]!;
      scales[3 * bone + c] = skip[c] || !(here[c]! > 0) ? now : now + (goal[c]! / here[c]! - now) * weight;
    }
  }
}

const signOf = (scales: Float64Array, row: number, c: number): number => (scales[3 * row + c]! < 0 ? -1 : 1);

const goal = new Float64Array(4);
const here = new Float64Array(4);
const angles = new Float64Array(3);
const anglesNow = new Float64Array(3);
