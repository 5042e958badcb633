// Translations that are multiplied by the rest scales of all ancestors of their bones, as CUE4Parse
// writes them (docs/formats/ueformat.md section 3.3).
import { numberAt } from './math/column.ts';
import { isBone } from './tree.ts';
import type { NodeTable, Track } from './types.ts';

/**
 * Absolute value of a scale by which translations are not divided, because it is too close to zero.
 */
const SMALLEST_SCALE = 1e-6;

/** Returns true if translations can be divided by a scale. */
export const isDivisor = (scale: number): boolean => Math.abs(scale) > SMALLEST_SCALE && Number.isFinite(scale);

const products = new WeakMap<NodeTable, Float64Array>();

/**
 * Returns the product of the rest scales of each node's ancestors that are bones, 3 numbers per
 * node. Factors by which translations can't be divided are 1.
 */
export function ancestorScales(nodes: NodeTable): Float64Array {
  const known = products.get(nodes);
  if (known) return known;
  const { length, parents, scales, segmentScaleCompensate } = nodes;
  const [own, above] = [new Float64Array(3 * length).fill(1), new Float64Array(3 * length).fill(1)];
  for (let row = 0; row < length; row++) {
    const parent = numberAt(parents, row);
    for (let c = 0; c < 3; c++) {
      const inherited = parent < 0 ? 1 : own[3 * parent + c]!;
      above[3 * row + c] = isDivisor(inherited) ? inherited : 1;
      own[3 * row + c] = (segmentScaleCompensate[row] ? 1 : inherited) * (isBone(nodes, row) ? numberAt(scales, 3 * row + c) : 1);
    }
  }
  products.set(nodes, above);
  return above;
}

/** Returns true if translations of the node are multiplied by scales other than 1. */
export function hasScaledTranslation(nodes: NodeTable, row: number): boolean {
  const scales = ancestorScales(nodes);
  return scales[3 * row] !== 1 || scales[3 * row + 1] !== 1 || scales[3 * row + 2] !== 1;
}

/**
 * Relative difference of two translations that are regarded as equal. It is larger than the error of
 * two multiplications of 32-bit floats.
 */
const SAME = 1e-6;

/**
 * Returns the track with translations divided by the scales of the node's ancestors. Tracks that
 * hold the rest translation, multiplied twice, are divided twice: CUE4Parse writes them for bones
 * that an animation compressed by ACL does not move. The values are computed when they are first
 * read. Other tracks are returned unchanged.
 */
export function unscaledTrack(track: Track, nodes: NodeTable, row: number): Track {
  if (track.path !== 'translation' || !hasScaledTranslation(nodes, row)) return track;
  const scales = ancestorScales(nodes).subarray(3 * row, 3 * row + 3);
  const axisAt = (i: number): number => (track.component >= 0 ? track.component : i % 3);
  const isRestScaledTwice = (value: number, i: number): boolean => {
    const scale = scales[axisAt(i)]!;
    const twice = numberAt(nodes.translations, 3 * row + axisAt(i)) * scale * scale;
    return Math.abs(value - twice) <= SAME * Math.abs(twice);
  };
  const divide = (values: Float32Array): Float32Array => {
    const times = values.every(isRestScaledTwice) ? 2 : 1;
    return values.map((value, i) => value / scales[axisAt(i)]! ** times);
  };
  let made: Float32Array | undefined;
  const result = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(track)) as Track;
  return Object.defineProperty(result, 'values', { get: () => (made ??= divide(track.values)), enumerable: true, configurable: true });
}
