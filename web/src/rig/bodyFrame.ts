// Computes the up and forward axes of a body at rest.
import { type RestPose } from '../core/restPose.ts';
import { add, cross, normalized, scale, subtract, type Vector } from '../core/math/vector.ts';
import { type Body, type BodyBone, boneOf, planOf } from './bodyPlan.ts';

/** Up and forward axes of a body as unit vectors in scene space. */
export interface Frame {
  up: Vector;
  forward: Vector;
}

/**
 * Returns the axes of a body in the rest pose. `up` is the axis of the scene that is nearest to the
 * trunk of a humanoid or the normal of a quadruped's back, because a trunk may lean. It is not +Y if
 * the body lies.
 */
export function bodyFrame(body: Body, rest: RestPose): Frame {
  const { top, bottom } = planOf(body);
  const at = (bone: BodyBone): Vector => rest.position(boneOf(body, bone));
  const middle = ([left, right]: readonly [BodyBone, BodyBone]): Vector => scale(add(at(left), at(right)), 0.5);
  const across = ([left, right]: readonly [BodyBone, BodyBone]): Vector => subtract(at(left), at(right));
  const left = add(across(bottom), across(top));
  const trunk =
    normalized(subtract(middle(top), middle(bottom))) ??
    normalized(subtract(middle(top), rest.position(body.spine[0] ?? boneOf(body, 'hips'))));
  const normal = body.kind === 'humanoid' ? trunk : trunk && normalized(cross(trunk, left));
  const up = nearestAxis(normal ?? [0, 1, 0]);
  return { up, forward: normalized(cross(left, up)) ?? [0, 0, 1] };
}

/** Returns the positive or negative coordinate axis that is nearest to `direction`. */
function nearestAxis(direction: Vector): Vector {
  const sizes = direction.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  return [0, 1, 2].map(c => (c === axis ? Math.sign(direction[c]!) : 0)) as Vector;
}
