// The space of SE files: Z up, centimetres (docs/formats/se.md section 4). Sources that only hint theirs have numbers as SE has them, which stay.
import type { RigScene } from '../../core/types.ts';
import type { RestPlaces } from '../bodies.ts';
import { matrixOf } from '../gltf/placement.ts';
import { product } from '../matrices.ts';
import { BodySpace } from '../space.ts';

const HALF = Math.SQRT1_2;
/** From metres with Y up. */
const UPRIGHT = matrixOf(Float64Array.of(0, 0, 0, HALF, 0, 0, HALF, 100, 100, 100));
const ONE = matrixOf(Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
const RAW = new Set(['cast', 'semodel', 'seanim']);

/** Where a body of the scene is in a file. */
export function seSpace(rest: RestPlaces, owner: number, isRaw: boolean): BodySpace {
  const placed = owner > 0 ? rest.of(owner, 0) : ONE;
  return new BodySpace(isRaw ? placed : product(UPRIGHT, placed));
}

export const isRaw = (format: string): boolean => RAW.has(format);

/** Whether a source whose numbers stay has its root as reading an SE file would place it. */
export function isSeRoot({ nodes }: RigScene): boolean {
  const [x = 0, , , w = 1] = nodes.rotations;
  return Math.abs((nodes.scales[0] ?? 1) - 0.01) < 1e-6 && Math.abs(Math.abs(x) - HALF) < 1e-4 && Math.abs(Math.abs(w) - HALF) < 1e-4;
}
