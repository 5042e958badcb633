// Random numbers, directions and rotations for tests.
import { Quaternion, Vector3 } from 'three';
import { seeded } from '../../web/src/rig/random.ts';

/** Returns functions that produce the same random values for the same seed. */
export function randomOf(seed: number) {
  const next = seeded(seed);
  const within = (low: number, high: number): number => low + next() * (high - low);
  const direction = (): Vector3 => new Vector3(within(-1, 1), within(-1, 1), within(-1, 1)).normalize();
  return { within, direction, turn: (most: number): Quaternion => new Quaternion().setFromAxisAngle(direction(), within(0, most)) };
}
