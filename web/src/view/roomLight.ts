// Lights that imitate the default room until its environment map exists: a light probe for diffuse
// light, and additional intensity of the view's own lights for the reflections of metals.

import { type DirectionalLight, type LightProbe, SphericalHarmonics3, Vector3 } from 'three';

/**
 * Directions and irradiances of nine lights with the same spherical harmonics up to order 2 as
 * RoomEnvironment of three.js r187. Irradiances can be negative.
 */
const ROOM: readonly (readonly [direction: Vector3, irradiance: number])[] = [
  [new Vector3(1, 0, 0), 1.982],
  [new Vector3(-1, 0, 0), 1.255],
  [new Vector3(0, 1, 0), 2.453],
  [new Vector3(0, -1, 0), 0.637],
  [new Vector3(0, 0, 1), 3.712],
  [new Vector3(0, 0, -1), 1.338],
  [new Vector3(1, 1, 0).normalize(), 0.428],
  [new Vector3(0, 1, 1).normalize(), 1.975],
  [new Vector3(1, 0, 1).normalize(), -0.622],
];

/** Additional intensity of the key light and the rim light for an environment intensity of 1. */
export const ROOM_KEY = 1.5;
export const ROOM_RIM = 1;

const UP = new Vector3(0, 1, 0);

/**
 * Sets the coefficients of `probe` to the light of the room without the additional light of `key`
 * and `rim`. `rotation`: rotation of the room around the vertical axis, in radians.
 */
export function setRoomProbe(probe: LightProbe, rotation: number, key: DirectionalLight, rim: DirectionalLight): void {
  const lights = ROOM.map(([direction, irradiance]) => [direction.clone().applyAxisAngle(UP, rotation), irradiance] as const);
  lights.push([key.position.clone().normalize(), -ROOM_KEY], [rim.position.clone().normalize(), -ROOM_RIM]);
  const { coefficients } = probe.sh;
  const basis = Array.from({ length: 9 }, () => 0);
  for (const coefficient of coefficients) coefficient.set(0, 0, 0);
  for (const [direction, irradiance] of lights) {
    SphericalHarmonics3.getBasisAt(direction, basis);
    for (const [i, coefficient] of coefficients.entries()) coefficient.addScalar(basis[i]! * irradiance);
  }
}
