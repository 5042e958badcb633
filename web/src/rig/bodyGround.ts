// Finds the ground on which a clip of a body is played. In most rest poses, the feet are on the
// plane through the origin. The rest pose of a BVH usually has its hips at the origin, although its
// keys are heights above the ground. Some game models have their origin at the hips, both in the
// rest pose and in the keys. A skeleton without a mesh can be of either kind, so its keys decide.
// The rest pose of a model with a mesh is trusted: a body that flies with folded legs has keys like
// those of a BVH.
import type { RestPose } from '../core/restPose.ts';
import { dot, type Vec3, vec3, type Vector } from '../core/math/vector.ts';
import type { Animator } from './animator.ts';
import { bodyFrame } from './bodyFrame.ts';
import { positionOf } from './frame.ts';
import { type Body, legLength, planOf } from './bodyPlan.ts';
import type { Layer } from './layer.ts';

/**
 * Lowest and highest position of the ankles of a standing body above the ground, as fractions of
 * the leg length.
 */
const STANDING = [-0.1, 0.3] as const;

const position = vec3();

/** The ground of a body whose clips are retargeted. */
export class BodyGround {
  /** Up axis of the body in the space of its scene. */
  readonly up: Vector;
  /**
   * Height of the lowest foot in the rest pose (the ankle of a humanoid, the toes of a quadruped), measured along `up` from the origin of the scene.
   * Infinity if the body has no feet.
   */
  readonly restHeight: number;
  readonly #hasMesh: boolean;
  readonly #feet: readonly number[];
  /** Length of a leg in metres. */
  readonly leg: number;

  /** `hasMesh`: true if the scene of the body has a mesh. */
  constructor(body: Body, rest: RestPose, hasMesh: boolean) {
    this.#hasMesh = hasMesh;
    const { legs } = planOf(body);
    this.up = bodyFrame(body, rest).up;
    this.#feet = legs.flatMap(({ foot, end }) => body.bones.get(end) ?? body.bones.get(foot) ?? []);
    this.leg = legLength(body, rest) / legs.length;
    this.restHeight = Math.min(...this.#feet.map(row => dot(rest.position(row), this.up)));
  }

  /** True if the feet are on the horizontal plane through the origin in the rest pose. */
  get isAtOrigin(): boolean {
    return !Number.isFinite(this.restHeight) || this.#isStanding(this.restHeight);
  }

  /**
   * Returns the height of the ground in a clip above the ground of the rest pose. Returns 0 if the
   * body has a mesh, if the feet are on the plane through the origin in the rest pose, or if the
   * clip remains near the height of the rest pose. `layer`: layer of `animator` that plays the clip. `ankle`: height of
   * the ankles of a standing body, for clips that never reach the ground.
   */
  offsetIn(animator: Animator, layer: Layer, times: Float32Array, ankle: number): number {
    if (this.#hasMesh || this.isAtOrigin) return 0;
    const heights = times
      .map(time => {
        layer.time = time;
        animator.world.update(animator.evaluate());
        return Math.min(...this.#feet.map(row => this.#height(animator.world.matrices, row)));
      })
      .sort();
    const usual = heights[heights.length >> 1] ?? 0;
    if (Math.abs(usual - this.restHeight) <= Math.abs(usual)) return 0;
    // A BVH may begin with a frame in the rest pose, far below the ground.
    const lowest = heights.find(height => height >= STANDING[0] * this.leg) ?? Infinity;
    return (this.#isStanding(lowest) ? lowest : ankle) - this.restHeight;
  }

  /**
   * Returns the height of a foot above its position in the rest pose, in leg lengths. `foot`: position of the
   * ankle of a humanoid or the toes of a quadruped.
   */
  heightOf(foot: Vec3): number {
    return (dot(foot, this.up) - this.restHeight) / this.leg;
  }

  #height(matrices: Float64Array, row: number): number {
    positionOf(matrices, row, position);
    return dot(position, this.up);
  }

  #isStanding(height: number): boolean {
    return height >= STANDING[0] * this.leg && height <= STANDING[1] * this.leg;
  }
}
