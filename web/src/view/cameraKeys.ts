/**
 * Camera movement for each key: changes of azimuth and polar angle in radians, and a factor for the
 * distance to the target.
 */
export const CAMERA_KEYS: Readonly<Record<string, readonly [azimuth: number, polar: number, zoom: number]>> = {
  ArrowLeft: [-0.15, 0, 1],
  ArrowRight: [0.15, 0, 1],
  ArrowUp: [0, -0.1, 1],
  ArrowDown: [0, 0.1, 1],
  '+': [0, 0, 1 / 1.15],
  '=': [0, 0, 1 / 1.15],
  '-': [0, 0, 1.15],
};
