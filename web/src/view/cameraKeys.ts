/**
 * Camera movement for each key: changes of the angles in radians, and a factor for the distance.
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
