// Evaluates the curves of one animated value: absolute curves, which may animate single components,
// and additive curves. Values are evaluated in every frame; for speed, components are indexed
// without checks (`!`).
import { multiply, normalize, slerp } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { BoundPath } from '../core/bound.ts';
import { type Curve, CurveCursor } from './curve.ts';

/**
 * How the value v of a curve is combined with the result c of the previous curves. Differences are
 * interpolated and then multiplied by the weight w (docs/formats/cast.md, section 3.5).
 *
 *     set    v
 *     add    c + w v
 *     scale  c + w (v - 1) c
 *     rotate c slerp(1, v, w)
 */
export type Join = 'set' | 'add' | 'scale' | 'rotate';

/** How additive curves of each path are combined with the value. */
export const JOINS = {
  translation: 'add',
  rotation: 'rotate',
  scale: 'scale',
  weight: 'add',
  visible: 'set',
  shown: 'set',
  property: 'add',
  material: 'add',
} as const satisfies Record<BoundPath, Join>;

/** A curve in a stack, and the first component that it animates. */
export interface CurvePart {
  curve: Curve;
  component: number;
  /** How the curve is combined with the previous curves (default: `set`). */
  join?: Join;
  /** Weight of an additive curve (default: 1). */
  weight?: number;
}

/** The curves of one animated value. They are combined in the order of `parts`. */
export interface Stack {
  parts: readonly CurvePart[];
  /** Values of the components that have no curve. */
  rest: readonly number[];
  isRotation: boolean;
}

/** Evaluates a stack of curves. Caches the current segment of each curve. */
export class StackCursor {
  readonly #stack: Stack;
  readonly #cursors: readonly CurveCursor[];

  constructor(stack: Stack) {
    this.#stack = stack;
    this.#cursors = stack.parts.map(({ curve }) => new CurveCursor(curve));
  }

  /** Writes the value at time t, in seconds, to `result`, one number per component. */
  evaluate(t: number, result: Numbers): void {
    const { parts, rest, isRotation } = this.#stack;
    for (let c = 0; c < rest.length; c++) result[c] = rest[c]!;
    for (let i = 0; i < parts.length; i++) {
      const { component, join = 'set', weight = 1 } = parts[i]!;
      const cursor = this.#cursors[i]!;
      if (join === 'set') cursor.evaluate(t, result, component);
      else addDifference(cursor, component, join, weight, t, result, 0);
    }
    if (isRotation) normalize(result);
  }
}

const difference = [0, 0, 0, 1];
const identity = [0, 0, 0, 1];

/**
 * Evaluates an additive curve at time t, in seconds, and applies it to the value at `result[at]`.
 */
export function addDifference(
  cursor: CurveCursor,
  component: number,
  join: Exclude<Join, 'set'>,
  weight: number,
  t: number,
  result: Numbers,
  at: number,
): void {
  if (join === 'rotate') {
    for (let c = 0; c < 4; c++) difference[c] = identity[c]!;
    cursor.evaluate(t, difference, component);
    normalize(difference);
    slerp(difference, 0, identity, 0, difference, 0, weight);
    multiply(result, at, result, at, difference, 0);
    return;
  }
  cursor.evaluate(t, difference, 0);
  for (let k = 0; k < cursor.curve.width; k++) {
    const c = component + k;
    result[at + c]! += weight * (join === 'add' ? difference[k]! : (difference[k]! - 1) * result[at + c]!);
  }
}
