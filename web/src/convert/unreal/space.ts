// Converts transforms to the space of PSK and PSA files: Z up, in the unit of the file
// (docs/formats/psk-psa.md sections 5 and 6).
import { identity } from '../../core/math/matrix.ts';
import type { RigScene } from '../../core/types.ts';
import type { RestTransforms } from '../common/bodies.ts';
import { BodySpace } from '../common/space.ts';

/** Metres per unit of the written file if the source is neither a PSK nor a PSA. */
const CENTIMETRE = 0.01;
const ONE = identity();

export const isUnreal = (format: string): boolean => format === 'psk' || format === 'psa';

/**
 * Returns the metres per unit of the written file. If the source is a PSK or PSA, its unit is kept,
 * so that its numbers stay unchanged.
 */
export const unitOf = ({ asset }: RigScene, format: string): number => (isUnreal(format) ? asset.metresPerUnit : CENTIMETRE);

/** Returns a space that leaves all values unchanged. */
export const identitySpace = (): BodySpace => new BodySpace(ONE);

/**
 * Returns the matrix that converts the space of a body to the space of the file. For PSK and PSA
 * sources it is the identity, so that their numbers stay unchanged.
 */
export const bodyMatrix = (rest: RestTransforms, owner: number, format: string): Float64Array =>
  isUnreal(format) ? ONE : rest.inScene(owner).slice();

/** Converts a position or direction from Y up to Z up. */
export const upright = ([x = 0, y = 0, z = 0]: Iterable<number>, scale = 1): [number, number, number] => [x * scale, -z * scale, y * scale];

export const uprightRotation = ([x = 0, y = 0, z = 0, w = 1]: Iterable<number>): [number, number, number, number] => [x, -z, y, w];

/** Converts a scale from Y up to Z up. */
export const uprightScale = ([x = 1, y = 1, z = 1]: Iterable<number>): [number, number, number] => [x, z, y];

/**
 * Converts a rotation to its stored form. The rotation of the first bone is stored unchanged, and
 * those of all other bones are inverted (docs/formats/psk-psa.md section 5).
 */
export function storedRotation(turn: Iterable<number>, bone: number): [number, number, number, number] {
  const [x, y, z, w] = uprightRotation(turn);
  return bone === 0 ? [x, y, z, w] : [-x, -y, -z, w];
}
