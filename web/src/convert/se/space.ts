// The space of SE files: Z up, centimetres (docs/formats/se.md section 4). Sources that only hint theirs have numbers as SE has them, which stay.
import type { RigScene } from '../../core/types.ts';
import { multiply, rotate } from '../../rig/quaternion.ts';
import type { RestPlaces } from '../bodies.ts';
import { localOf, matrixOf } from '../gltf/placement.ts';
import { product } from '../matrices.ts';

const HALF = Math.SQRT1_2;
/** From metres with Y up. */
const UPRIGHT = matrixOf(Float64Array.of(0, 0, 0, HALF, 0, 0, HALF, 100, 100, 100));
const RAW = new Set(['cast', 'semodel', 'seanim']);

/** From the space of a body into that of the file: turn, then scale, then shift. */
export class SeSpace {
  readonly scale: number;
  /** Whether it is a turn and one scale: others have no place in bones. */
  readonly isPlain: boolean;
  readonly #shift: readonly number[];
  readonly #turn: Float64Array;

  constructor(rest: RestPlaces, owner: number, isRaw: boolean) {
    const placed = owner > 0 ? rest.of(owner, 0) : matrixOf(Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
    const local = localOf(isRaw ? placed : product(UPRIGHT, placed));
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1, sx = 1, sy = 1, sz = 1] = local ?? [];
    this.scale = Math.cbrt(Math.abs(sx * sy * sz)) || 1;
    this.#shift = [x, y, z];
    this.#turn = Float64Array.of(qx, qy, qz, qw);
    this.isPlain = local !== null && [sx, sy, sz].every(s => Math.abs(s - this.scale) <= 1e-5 * this.scale);
  }

  /** Three numbers at `at`. A direction is turned alone, a way is scaled as well, a point shifted on top of that. */
  move(values: Float32Array, at: number, kind: 'point' | 'way' | 'direction'): void {
    if (kind !== 'direction') for (let c = 0; c < 3; c++) values[at + c] = (values[at + c] ?? 0) * this.scale;
    rotate(values, at, this.#turn);
    if (kind === 'point') for (let c = 0; c < 3; c++) values[at + c] = (values[at + c] ?? 0) + (this.#shift[c] ?? 0);
  }

  turn(rotations: Float32Array, at: number): void {
    const turned = new Float64Array(4);
    multiply(turned, 0, this.#turn, 0, rotations, at);
    rotations.set(turned, at);
  }
}

export const isRaw = (format: string): boolean => RAW.has(format);

/** Whether a source whose numbers stay has its root as reading an SE file would place it. */
export function isSeRoot({ nodes }: RigScene): boolean {
  const [x = 0, , , w = 1] = nodes.rotations;
  return Math.abs((nodes.scales[0] ?? 1) - 0.01) < 1e-6 && Math.abs(Math.abs(x) - HALF) < 1e-4 && Math.abs(Math.abs(w) - HALF) < 1e-4;
}
