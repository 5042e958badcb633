// Converts values from metres, Y up, to the space of Unreal Engine: left-handed, Z up, in
// centimetres (docs/formats/ueformat.md section 6).

/** Metres per unit of the file. */
export const UNIT = 0.01;
/** The same number in single precision, by which readers multiply the columns of meshes and keys. */
export const UNIT32 = Math.fround(UNIT);

type Numbers = ArrayLike<number>;

/**
 * Converts a length to centimetres and multiplies it by `scale`, so that it becomes the same length
 * again if a reader multiplies it by `unit` and divides it by `scale`. Prefers a number with few
 * decimals, which is likely to be the original one.
 */
export function centimetres(length: number, unit: number, scale = 1): number {
  const exact = Math.fround((length * scale) / unit);
  const short = Math.fround(Math.round(exact * 1e4) / 1e4);
  // A division can change the last bit of the result.
  const isSame =
    scale === 1
      ? Math.fround(short * unit) === Math.fround(length)
      : Math.abs((short * unit) / scale - length) <= 2 ** -23 * Math.abs(length);
  return (isSame ? short : exact) + 0; // + 0 turns negative zero into zero
}

/**
 * Converts a position at `values[at]`. `scales`: factors of the axes of the scene (default: 1), by
 * which readers divide.
 */
export const position = (values: Numbers, at: number, unit: number, scales?: Numbers): [number, number, number] => [
  centimetres(values[at]!, unit, scales?.[0]),
  centimetres(values[at + 2]!, unit, scales?.[2]),
  centimetres(values[at + 1]!, unit, scales?.[1]),
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
