// Converts transforms to the space of SE files: Z up, in centimetres (docs/formats/se.md section
// 4). If the source does not declare a space, its numbers stay unchanged.
import { quaternionAt } from '../../core/math/quaternion.ts';
import { parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { composed, identity, multiplied } from '../../core/math/matrix.ts';
import { traitsOf } from '../../core/formats.ts';
import type { RigScene } from '../../core/types.ts';
import type { Body, RestTransforms } from '../common/bodies.ts';
import { BodySpace, type BoneSpace } from '../common/space.ts';

const HALF = Math.SQRT1_2;
/** Matrix that converts scene space (metres, Y up) to the space of SE files (centimetres, Z up). */
const UPRIGHT = composed(Float64Array.of(0, 0, 0, HALF, 0, 0, HALF, 100, 100, 100));
const ONE = identity();

/**
 * Returns the column-major matrix that converts the space of a body to the space of an SE file.
 * `isRaw`: true if the source does not declare a space.
 */
export function seMatrix(rest: RestTransforms, owner: number, isRaw: boolean): Float64Array {
  const placed = owner > 0 ? rest.of(owner, 0) : ONE;
  return isRaw ? placed : multiplied(UPRIGHT, placed);
}

/** Returns the length in metres of one unit of the written file. */
export const metresOf = ({ nodes }: RigScene, isRaw: boolean): number => (isRaw ? Math.abs(numberAt(nodes.scales, 0)) : 0.01);

/** A body with the conversions of its points and bones to the space of the file. */
export interface SeBody {
  body: Body;
  place: Float64Array;
  space: BodySpace;
  /** Conversion of each bone's transforms. */
  spaces: readonly BoneSpace[];
}

export function seBody(scene: RigScene, rest: RestTransforms, body: Body, isRaw: boolean): SeBody {
  const place = seMatrix(rest, body.owner, isRaw);
  const space = new BodySpace(place);
  const spaces = body.bones.map((row, i) =>
    numberAt(body.parents, i) < 0 ? space.root : space.below({ rotation: rest.rotation(parentOf(scene.nodes, row), body.owner) }),
  );
  return { body, place, space, spaces };
}

export const isRaw = (format: string): boolean => traitsOf(format)?.keepsFileSpace ?? false;

/**
 * True if the root of the scene has the same transform as in an SE file that rigcast has opened.
 */
export function isSeRoot({ nodes }: RigScene): boolean {
  const [x, , , w] = quaternionAt(nodes.rotations, 0);
  return Math.abs(numberAt(nodes.scales, 0) - 0.01) < 1e-6 && Math.abs(Math.abs(x) - HALF) < 1e-4 && Math.abs(Math.abs(w) - HALF) < 1e-4;
}
