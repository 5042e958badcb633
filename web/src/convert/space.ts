// From the space of a body into another one: turned, scaled, shifted.
import { multiply, rotate } from '../rig/quaternion.ts';
import { localOf } from './gltf/placement.ts';

export class BodySpace {
  readonly scale: number;
  /** Whether it is a turn and one scale: others have no place in bones. */
  readonly isPlain: boolean;
  readonly #shift: readonly number[];
  readonly #turn: Float64Array;

  /** Where the body's space is in the other one, column-major. */
  constructor(matrix: Float64Array) {
    const local = localOf(matrix);
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1, sx = 1, sy = 1, sz = 1] = local ?? [];
    this.scale = Math.cbrt(Math.abs(sx * sy * sz)) || 1;
    this.#shift = [x, y, z];
    this.#turn = Float64Array.of(qx, qy, qz, qw);
    this.isPlain = local !== null && [sx, sy, sz].every(s => Math.abs(s - this.scale) <= 1e-5 * this.scale);
  }

  /** Three numbers at `at`. A direction is turned alone, a way is scaled as well, a point shifted on top of that. */
  move(values: Float32Array | Float64Array, at: number, kind: 'point' | 'way' | 'direction'): void {
    if (kind !== 'direction') for (let c = 0; c < 3; c++) values[at + c] = (values[at + c] ?? 0) * this.scale;
    rotate(values, at, this.#turn);
    if (kind === 'point') for (let c = 0; c < 3; c++) values[at + c] = (values[at + c] ?? 0) + (this.#shift[c] ?? 0);
  }

  turn(rotations: Float32Array | Float64Array, at: number): void {
    const turned = new Float64Array(4);
    multiply(turned, 0, this.#turn, 0, rotations, at);
    rotations.set(turned, at);
  }
}
