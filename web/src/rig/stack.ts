// What several curves say together about one value: curves for its components, and differences on top of them. Plain numbers.
import { multiply, normalize, slerp } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { BoundPath } from '../core/bound.ts';
import { type Curve, CurveCursor } from './curve.ts';

/**
 * How a curve's value v meets c, what the curves before it gave. A difference is interpolated first and weighed (w) then
 * (docs/formats/cast.md, section 3.5).
 *
 *     set    v
 *     add    c + w v
 *     scale  c + w (v - 1) c
 *     turn   c slerp(1, v, w)
 */
export type Join = 'set' | 'add' | 'scale' | 'turn';

/** How differences of each path meet what is there. */
export const JOINS = {
  translation: 'add',
  rotation: 'turn',
  scale: 'scale',
  weight: 'add',
  visible: 'set',
  shown: 'set',
  property: 'add',
  material: 'add',
} as const satisfies Record<BoundPath, Join>;

/** One curve and the components it drives: `component` of the value, or the whole value from 0. */
export interface CurvePart {
  curve: Curve;
  component: number;
  /** Default set. */
  join?: Join;
  /** Of a difference; default 1. */
  weight?: number;
}

/** Curves that drive one value, in the order in which they meet. */
export interface Stack {
  parts: readonly CurvePart[];
  /** What holds where no curve speaks, by component. */
  rest: readonly number[];
  isRotation: boolean;
}

/** Reads a stack and remembers where it was. */
export class StackCursor {
  readonly #stack: Stack;
  readonly #cursors: readonly CurveCursor[];

  constructor(stack: Stack) {
    this.#stack = stack;
    this.#cursors = stack.parts.map(({ curve }) => new CurveCursor(curve));
  }

  /** Writes one number per component. */
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

/** Lets a curve of differences meet the value that begins at `result[at]`. */
export function addDifference(
  cursor: CurveCursor,
  component: number,
  join: Exclude<Join, 'set'>,
  weight: number,
  t: number,
  result: Numbers,
  at: number,
): void {
  if (join === 'turn') {
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
