// Texts of lengths, in metres and in the unit of the file.
import type { Model } from '../session/model.ts';
import { words } from './words/index.ts';

/** Names of common units, by their length in metres. */
const UNITS: readonly (readonly [metres: number, name: string])[] = [
  [1, 'm'],
  [0.01, 'cm'],
  [0.001, 'mm'],
  [0.0254, 'in'],
  [0.3048, 'ft'],
];

const rounded = (value: number): string => Number(value.toPrecision(4)).toLocaleString(undefined, { maximumSignificantDigits: 4 });

/**
 * Returns a length as text, for example "0.35 m (35 cm)". `metres`: length in the viewport. `unit`:
 * length of one unit of the file in the viewport, in metres; undefined if it is unknown.
 */
export function lengthText(metres: number, { unit, scale = 1 }: { unit?: number | undefined; scale?: number } = {}): string {
  const text = `${rounded(metres)} m`;
  if (unit === undefined || !(unit > 0)) return text;
  const [, name] = UNITS.find(([length]) => Math.abs(unit / length - 1) < 1e-3) ?? [];
  if (name === 'm' && scale === 1) return text;
  return words.measure.inFile(text, `${rounded(metres / scale / unit)} ${name ?? words.measure.units}`);
}

/** Returns the unit of a model's file, and the scale that the visitor has set. */
export const unitOf = ({ rig }: Pick<Model, 'rig'>, scale = 1): { unit: number | undefined; scale: number } => ({
  unit: rig.file.scene?.asset.metresPerUnit,
  scale,
});
