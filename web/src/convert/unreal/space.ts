// The space of ActorX's files: Z up, their own unit (docs/formats/psk-psa.md sections 5 and 6).
import { identity } from '../../core/math/matrix.ts';
import type { RigScene } from '../../core/types.ts';
import type { RestPlaces } from '../common/bodies.ts';
import { BodySpace } from '../common/space.ts';

/** Metres in a unit, where the source does not say another. */
const CENTIMETRE = 0.01;
const ONE = identity();

export const isUnreal = (format: string): boolean => format === 'psk' || format === 'psa';

/** Of a source of ActorX's the unit that it was read with, so that its numbers come out as they were. */
export const unitOf = ({ asset }: RigScene, format: string): number => (isUnreal(format) ? asset.metresPerUnit : CENTIMETRE);

/** That of what needs no other place. */
export const unturned = (): BodySpace => new BodySpace(ONE);

/** Where a body is in the scene; a turn that somebody gave to ActorX's file when it was opened is no part of it. */
export const placeOf = (rest: RestPlaces, owner: number, format: string): Float64Array =>
  isUnreal(format) ? ONE : rest.inScene(owner).slice();

/** Turned from Y up to Z up: places, directions. */
export const upright = ([x = 0, y = 0, z = 0]: Iterable<number>, scale = 1): [number, number, number] => [x * scale, -z * scale, y * scale];

export const uprightTurn = ([x = 0, y = 0, z = 0, w = 1]: Iterable<number>): [number, number, number, number] => [x, -z, y, w];

/** Factors along axes. */
export const uprightScale = ([x = 1, y = 1, z = 1]: Iterable<number>): [number, number, number] => [x, z, y];

/** Only the first bone's turn is stored as it is, that of all others backwards (psk-psa.md section 5). */
export function storedTurn(turn: Iterable<number>, bone: number): [number, number, number, number] {
  const [x, y, z, w] = uprightTurn(turn);
  return bone === 0 ? [x, y, z, w] : [-x, -y, -z, w];
}
