// Converts values from metres, Y up, to the space of Unreal Engine: left-handed, Z up, in
// centimetres (docs/formats/ueformat.md section 6).

/** Metres per unit of the file. */
export const UNIT = 0.01;
/** The same number in single precision, by which readers multiply the columns of meshes and keys. */
export const UNIT32 = Math.fround(UNIT);

type Numbers = ArrayLike<number>;

/**
 * Converts a length to centimetres, so that it becomes the same length again if a reader multiplies
 * it by `unit`. Prefers a number with few decimals, which is likely to be the original one.
 */
export function centimetres(length: number, unit: number): number {
  const exact = Math.fround(length / unit);
  const short = Math.fround(Math.round(exact * 1e4) / 1e4);
  return (Math.fround(short * unit) === Math.fround(length) ? short : exact) + 0; // + 0 turns negative zero into zero
}

/** Converts a position at `values[at]`. */
export const position = (values: Numbers, at: number, unit: number): [number, number, number] => [
  centimetres(values[at]!, unit),
  centimetres(values[at + 2]!, unit),
  centimetres(values[at + 1]!, unit),
];

/** Converts a direction or a scale at `values[at]`. */
export const direction = (values: Numbers, at: number): [number, number, number] => [
  values[at]! + 0,
  values[at + 2]! + 0,
  values[at + 1]! + 0,
];

/** Converts a quaternion at `values[at]`. The axes are mirrored, so its vector part is negated. */
export const rotation = (values: Numbers, at: number): [number, number, number, number] => [
  -values[at]! + 0,
  -values[at + 2]! + 0,
  -values[at + 1]! + 0,
  values[at + 3]! + 0,
];
