// Bends a chain of joints until its first and last joint are a given distance apart: in closed form
// for two segments, by FABRIK for more.
import { numberAt } from '../core/math/column.ts';
import {
  addScaled,
  copyVector,
  divideScalar,
  dot,
  length,
  multiplyScalar,
  setCross,
  setDifference,
  vec3,
  type VectorLike,
} from '../core/math/vector.ts';

/**
 * Tolerance of FABRIK in chain lengths, and its maximum number of iterations. After FABRIK, one
 * joint is bent so that the chain reaches the goal exactly.
 */
const TOLERANCE = 1e-4;
const MAX_ITERATIONS = 16;

/** Unit vector from the first joint to the last. */
const line = vec3();
const offset = vec3();
const segment = vec3();
const axis = vec3();
const root = vec3();
const goal = vec3();

export class Chain {
  readonly segments: number;
  /** Positions of the joints, 3 numbers per joint. The first joint is fixed. */
  readonly joints: Float64Array;
  readonly #lengths: Float64Array;

  constructor(segments: number) {
    this.segments = segments;
    this.joints = new Float64Array(3 * (segments + 1));
    this.#lengths = new Float64Array(segments);
  }

  /** Distance between the first joint and the last. */
  get span(): number {
    return this.#distance(0, this.segments);
  }

  /**
   * Bends the chain so that the distance between its first and last joint is `distance`, or as
   * close to it as possible. A straight chain bends towards `side`.
   */
  reach(distance: number, side: VectorLike): void {
    const { segments } = this;
    let total = 0;
    for (let i = 0; i < segments; i++) total += this.#lengths[i] = this.#distance(i, i + 1);
    if (segments < 2 || !(total > 0)) return;
    if (segments > 2 && distance >= total) this.#straighten();
    else if (segments > 2) this.#fabrik(distance, total, side);
    this.#bendAt(this.#elbow(distance), distance, side);
  }

  /**
   * Writes the bend of the chain: the vector from the line between first and last joint to the
   * joint that is farthest from this line. Returns false if the chain is straight.
   */
  bulge(result: VectorLike): boolean {
    const span = this.#findLine();
    let farthest = 0;
    for (let i = 1; i < this.segments; i++) {
      const size = this.#offLine(i);
      if (size <= farthest) continue;
      farthest = size;
      copyVector(result, 0, offset, 0);
    }
    return farthest > 1e-6 * Math.max(span, this.#distance(0, 1));
  }

  /**
   * Returns the distance from joint i to joint j, and writes the vector between them to `segment`.
   */
  #distance(i: number, j: number): number {
    setDifference(segment, this.joints, 3 * j, this.joints, 3 * i);
    return length(segment);
  }

  /**
   * Writes `line`: the unit vector from the first joint to the last, or along the first segment if
   * both joints coincide. Returns the length of the vector before normalization.
   */
  #findLine(): number {
    const isOpen = this.span > 1e-9 * this.#distance(0, 1);
    const span = this.#distance(0, isOpen ? this.segments : 1);
    copyVector(line, 0, segment, 0);
    if (span > 0) divideScalar(line, span);
    else line.fill(0);
    return span;
  }

  /**
   * Returns the distance of joint i from the line between first and last joint, and writes the
   * vector from the line to the joint to `offset`.
   */
  #offLine(i: number): number {
    setDifference(offset, this.joints, 3 * i, this.joints, 0);
    addScaled(offset, 0, line, -dot(line, offset));
    return length(offset);
  }

  /** Straightens the chain along the line from first to last joint. */
  #straighten(): void {
    const { joints } = this;
    this.#findLine();
    for (let i = 0; i < this.segments; i++) {
      copyVector(joints, 3 * i + 3, joints, 3 * i);
      addScaled(joints, 3 * i + 3, line, numberAt(this.#lengths, i));
    }
  }

  /**
   * Uses FABRIK (Aristidou and Lasenby, 2011) to move the last joint to the point of the line that
   * is `distance` from the first joint. Planar chains stay in their plane.
   */
  #fabrik(distance: number, total: number, side: VectorLike): void {
    const { segments, joints } = this;
    this.#findLine();
    let bend = 0;
    for (let i = 1; i < segments; i++) bend = Math.max(bend, this.#offLine(i));
    if (bend < 1e-3 * total) this.#buckle(total, side);
    this.#findLine();
    copyVector(root, 0, joints, 0);
    copyVector(goal, 0, root, 0);
    addScaled(goal, 0, line, distance);
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      setDifference(offset, joints, 3 * segments, goal, 0);
      if (length(offset) <= TOLERANCE * total) return;
      copyVector(joints, 3 * segments, goal, 0);
      for (let i = segments - 1; i >= 0; i--) this.#pull(i, i + 1, numberAt(this.#lengths, i));
      copyVector(joints, 0, root, 0);
      for (let i = 1; i <= segments; i++) this.#pull(i, i - 1, numberAt(this.#lengths, i - 1));
    }
  }

  /** Bends a straight chain sideways. FABRIK needs this initial bend. */
  #buckle(total: number, side: VectorLike): void {
    for (let i = 1; i < this.segments; i++) addScaled(this.joints, 3 * i, side, 0.1 * total * Math.sin((Math.PI * i) / this.segments));
  }

  /** Moves joint i along the line from joint j until their distance is `wanted`. */
  #pull(i: number, j: number, wanted: number): void {
    const now = this.#distance(j, i);
    if (!(now > 0)) return;
    multiplyScalar(segment, wanted);
    divideScalar(segment, now);
    copyVector(this.joints, 3 * i, this.joints, 3 * j);
    addScaled(this.joints, 3 * i, segment, 1);
  }

  /**
   * Returns the joint at which a rotation can best bring the ends of the chain to this distance:
   * the one with the largest margin to its fully straight and fully folded position.
   */
  #elbow(distance: number): number {
    let best = 1;
    let largestRoom = -Infinity;
    for (let i = 1; i < this.segments; i++) {
      const a = this.#distance(0, i);
      const b = this.#distance(i, this.segments);
      const room = Math.min(a + b - distance, distance - Math.abs(a - b));
      if (room > largestRoom) {
        best = i;
        largestRoom = room;
      }
    }
    return best;
  }

  /**
   * Rotates all joints after joint k about joint k, in the plane of the bend, until the ends of the
   * chain are `distance` apart (law of cosines).
   */
  #bendAt(k: number, distance: number, side: VectorLike): void {
    const { segments, joints } = this;
    const a = this.#distance(0, k);
    copyVector(line, 0, segment, 0);
    const b = this.#distance(k, segments);
    if (!(a > 0 && b > 0)) return;
    divideScalar(line, a);
    divideScalar(segment, b);
    const cosine = dot(line, segment);
    setCross(axis, line, segment);
    let sine = length(axis);
    const now = Math.atan2(sine, cosine);
    if (sine < 1e-6) {
      // Straight or folded: joint k bends towards `side`.
      setCross(axis, side, line);
      sine = length(axis);
      if (!(sine > 0)) return;
    }
    divideScalar(axis, sine);
    const wanted = Math.acos(Math.min(Math.max((distance * distance - a * a - b * b) / (2 * a * b), -1), 1));
    const sin = Math.sin(wanted - now);
    const cos = Math.cos(wanted - now);
    for (let i = k + 1; i <= segments; i++) {
      // Rodrigues' formula.
      this.#distance(k, i);
      setCross(offset, axis, segment);
      const along = dot(axis, segment);
      copyVector(joints, 3 * i, joints, 3 * k);
      addScaled(joints, 3 * i, segment, cos);
      addScaled(joints, 3 * i, offset, sin);
      copyVector(offset, 0, axis, 0);
      multiplyScalar(offset, along);
      addScaled(joints, 3 * i, offset, 1 - cos);
    }
  }
}

const AXES = [vec3(0, 0, 1), vec3(0, 1, 0), vec3(1, 0, 0)];

/**
 * Writes the unit vector perpendicular to `v` that is closest to `wish`, or any perpendicular
 * vector if `wish` is parallel to `v`.
 */
export function sideways(result: VectorLike, v: VectorLike, wish: VectorLike): void {
  if (flatten(result, v, wish)) return;
  for (const axis of AXES) if (flatten(result, v, axis)) return;
}

/**
 * Writes the normalized component of `wish` perpendicular to `v`. Returns false if the component is
 * zero.
 */
function flatten(result: VectorLike, v: VectorLike, wish: VectorLike): boolean {
  const squared = dot(v, v);
  copyVector(result, 0, wish, 0);
  const before = length(result);
  addScaled(result, 0, v, squared > 0 ? -dot(result, v) / squared : 0);
  const left = length(result);
  if (!(left > 1e-6 * before)) return false;
  divideScalar(result, left);
  return true;
}
