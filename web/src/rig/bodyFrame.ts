// Computes the up and forward axes of a humanoid at rest.
import { type RestPose } from '../core/restPose.ts';
import { add, cross, normalized, subtract, type Vector } from '../core/math/vector.ts';
import { boneOf, type HumanBone, type Humanoid } from './humanoid.ts';

/** Up and forward axes of a body as unit vectors in scene space. */
export interface Frame {
  up: Vector;
  forward: Vector;
}

/**
 * Returns the axes of a humanoid in the rest pose. `up` is exactly +Y if the trunk deviates from it
 * by less than about 45°.
 */
export function bodyFrame({ bones, spine }: Humanoid, rest: RestPose): Frame {
  const at = (bone: HumanBone): Vector => rest.position(boneOf({ bones }, bone));
  const half = (a: Vector): Vector => [a[0] / 2, a[1] / 2, a[2] / 2];
  const arms = half(add(at('leftUpperArm'), at('rightUpperArm')));
  const legs = half(add(at('leftUpperLeg'), at('rightUpperLeg')));
  const trunk =
    normalized(subtract(arms, legs)) ??
    normalized(subtract(arms, rest.position(spine[0] ?? boneOf({ bones }, 'hips')))) ??
    ([0, 1, 0] as Vector);
  const up: Vector = trunk[1] > 0.7 ? [0, 1, 0] : trunk;
  const left = add(subtract(at('leftUpperLeg'), at('rightUpperLeg')), subtract(at('leftUpperArm'), at('rightUpperArm')));
  return { up, forward: normalized(cross(left, up)) ?? [0, 0, 1] };
}
