// The shape of a chain of joints that reaches a distance: plain positions, no rotations. Two segments in closed form, more of them by FABRIK.
import { length3, setCross } from '../core/math/vector.ts';

/** FABRIK ends when the tip is this near its goal, as a part of the chain's length, or after so many turns. What is missing then, one joint makes up exactly. */
const TOLERANCE = 1e-4;
const MOST_TURNS = 16;

const difference = new Float64Array(3);
const axis = new Float64Array(3);
const along = new Float64Array(3);

/** Joints as places, 3 numbers each; the first stays where it is. */
export class Chain {
  readonly segments: number;
  readonly joints: Float64Array;
  readonly #lengths: Float64Array;

  constructor(segments: number) {
    this.segments = segments;
    this.joints = new Float64Array(3 * (segments + 1));
    this.#lengths = new Float64Array(segments);
  }

  /** From the first joint to the last. */
  get span(): number {
    return this.#between(0, this.segments);
  }

  /** Bends so that the last joint is `distance` from the first, as near as it can come. `side`: the direction into which a straight chain may bend. */
  reach(distance: number, side: Float64Array): void {
    const { segments } = this;
    let total = 0;
    for (let i = 0; i < segments; i++) total += this.#lengths[i] = this.#between(i, i + 1);
    if (segments < 2 || !(total > 0)) return;
    if (segments > 2 && distance >= total) this.#straighten();
    else if (segments > 2) this.#fabrik(distance, total, side);
    this.#bendAt(this.#elbow(distance), distance, side);
  }

  /** The joint that lies farthest off the straight line from first to last, written to `result` as a direction; false where the chain is straight. */
  bulge(result: Float64Array): boolean {
    const { segments } = this;
    const span = this.#line();
    let best = 0;
    for (let i = 1; i < segments; i++) {
      const size = this.#offLine(i);
      if (size <= best) continue;
      best = size;
      result.set(difference);
    }
    return best > 1e-6 * Math.max(span, this.#between(0, 1));
  }

  #between(i: number, j: number): number {
    const p = this.joints;
    return length3(p[3 * j]! - p[3 * i]!, p[3 * j + 1]! - p[3 * i + 1]!, p[3 * j + 2]! - p[3 * i + 2]!);
  }

  /** `along` becomes the direction from first to last, of length one; the first segment's where they are in one place. */
  #line(): number {
    const p = this.joints;
    const isOpen = this.span > 1e-9 * this.#between(0, 1);
    const end = isOpen ? this.segments : 1;
    const span = this.#between(0, end);
    for (let c = 0; c < 3; c++) along[c] = span > 0 ? (p[3 * end + c]! - p[c]!) / span : 0;
    return span;
  }

  /** How far joint i is off the line, `difference` being the way there. After `#line`. */
  #offLine(i: number): number {
    const p = this.joints;
    let dot = 0;
    for (let c = 0; c < 3; c++) dot += along[c]! * (difference[c] = p[3 * i + c]! - p[c]!);
    for (let c = 0; c < 3; c++) difference[c]! -= dot * along[c]!;
    return length3(difference[0]!, difference[1]!, difference[2]!);
  }

  /** Lays all joints on the line from first to last. */
  #straighten(): void {
    const p = this.joints;
    this.#line();
    for (let i = 0; i < this.segments; i++) for (let c = 0; c < 3; c++) p[3 * i + 3 + c] = p[3 * i + c]! + along[c]! * this.#lengths[i]!;
  }

  /** Forward and backward reaching along the line from first to last (Aristidou and Lasenby, 2011). A chain in a plane stays in it. */
  #fabrik(distance: number, total: number, side: Float64Array): void {
    const { segments, joints: p } = this;
    this.#line();
    let bend = 0;
    for (let i = 1; i < segments; i++) bend = Math.max(bend, this.#offLine(i));
    if (bend < 1e-3 * total) this.#buckle(total, side);
    this.#line();
    for (let c = 0; c < 3; c++) axis[c] = p[c]! + along[c]! * distance; // the goal
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const last = 3 * segments;
      if (length3(p[last]! - axis[0]!, p[last + 1]! - axis[1]!, p[last + 2]! - axis[2]!) <= TOLERANCE * total) return;
      const x = p[0]!;
      const y = p[1]!;
      const z = p[2]!;
      p.set(axis, last);
      for (let i = segments - 1; i >= 0; i--) this.#pull(i, i + 1, this.#lengths[i]!);
      p[0] = x;
      p[1] = y;
      p[2] = z;
      for (let i = 1; i <= segments; i++) this.#pull(i, i - 1, this.#lengths[i - 1]!);
    }
  }

  /** A straight chain gets a bow to the side to begin with. */
  #buckle(total: number, side: Float64Array): void {
    const { segments, joints: p } = this;
    for (let i = 1; i < segments; i++)
      for (let c = 0; c < 3; c++) p[3 * i + c]! += side[c]! * 0.1 * total * Math.sin((Math.PI * i) / segments);
  }

  /** Joint i comes as near to joint j as their segment is long. */
  #pull(i: number, j: number, length: number): void {
    const p = this.joints;
    const now = this.#between(i, j);
    if (now > 0) for (let c = 0; c < 3; c++) p[3 * i + c] = p[3 * j + c]! + ((p[3 * i + c]! - p[3 * j + c]!) * length) / now;
  }

  /** The joint that is best placed to reach that distance by itself. */
  #elbow(distance: number): number {
    let best = 1;
    let room = -Infinity;
    for (let i = 1; i < this.segments; i++) {
      const a = this.#between(0, i);
      const b = this.#between(i, this.segments);
      const here = Math.min(a + b - distance, distance - Math.abs(a - b));
      if (here > room) {
        best = i;
        room = here;
      }
    }
    return best;
  }

  /** Turns all behind joint k about it, in the plane in which it bends, until the last is `distance` from the first: the law of cosines. */
  #bendAt(k: number, distance: number, side: Float64Array): void {
    const { segments, joints: p } = this;
    const a = this.#between(0, k);
    const b = this.#between(k, segments);
    if (!(a > 0 && b > 0)) return;
    let cosine = 0;
    const at = 3 * k;
    for (let c = 0; c < 3; c++) {
      along[c] = (p[at + c]! - p[c]!) / a;
      difference[c] = (p[3 * segments + c]! - p[at + c]!) / b;
      cosine += along[c]! * difference[c]!;
    }
    setCross(axis, along, difference);
    let sine = length3(axis[0]!, axis[1]!, axis[2]!);
    const now = Math.atan2(sine, cosine);
    if (sine < 1e-6) {
      // Straight or folded: the joint gives way to `side`, so what is behind it turns to the other.
      setCross(axis, side, along);
      sine = length3(axis[0]!, axis[1]!, axis[2]!);
      if (!(sine > 0)) return;
    }
    for (let c = 0; c < 3; c++) axis[c]! /= sine;
    const wanted = Math.acos(Math.min(Math.max((distance * distance - a * a - b * b) / (2 * a * b), -1), 1));
    const sin = Math.sin(wanted - now);
    const cos = Math.cos(wanted - now);
    for (let i = k + 1; i <= segments; i++) {
      let dot = 0;
      for (let c = 0; c < 3; c++) dot += axis[c]! * (difference[c] = p[3 * i + c]! - p[at + c]!);
      setCross(along, axis, difference);
      for (let c = 0; c < 3; c++) p[3 * i + c] = p[at + c]! + difference[c]! * cos + along[c]! * sin + axis[c]! * dot * (1 - cos);
    }
  }
}

/** A direction at right angles to `v`, as near to `wish` as that allows; any where it does not. */
export function sideways(result: Float64Array, v: Float64Array, wish: Float64Array): void {
  const size = v[0]! ** 2 + v[1]! ** 2 + v[2]! ** 2;
  for (let attempt = 0; attempt < 4; attempt++) {
    for (let c = 0; c < 3; c++) result[c] = attempt === 0 ? wish[c]! : c === 3 - attempt ? 1 : 0;
    const length = length3(result[0]!, result[1]!, result[2]!);
    const dot = size > 0 ? (result[0]! * v[0]! + result[1]! * v[1]! + result[2]! * v[2]!) / size : 0;
    for (let c = 0; c < 3; c++) result[c]! -= dot * v[c]!;
    const left = length3(result[0]!, result[1]!, result[2]!);
    if (!(left > 1e-6 * length)) continue;
    for (let c = 0; c < 3; c++) result[c]! /= left;
    return;
  }
}
