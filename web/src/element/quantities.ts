// Parses numbers with units in attributes, such as `30deg` and `1.5m`.

export interface Quantity {
  value: number;
  unit: string;
}

/**
 * Parses a number with a unit: `1.5rad`, `-30deg`, `2m`, `105%`. Returns null if the word is `auto`
 * or missing, and undefined if it is invalid.
 */
export function parseQuantity(word: string | undefined): Quantity | null | undefined {
  if (word === undefined || word === 'auto') return null;
  const [, number, unit] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(deg|rad|m|cm|mm|%)$/.exec(word) ?? [];
  if (number === undefined) return word === '0' ? { value: 0, unit: '' } : undefined;
  return Number.isFinite(Number(number)) ? { value: Number(number), unit: unit! } : undefined;
}

/** Parses an angle. Returns radians, or null if the word is not an angle. */
export function parseAngle(word: string | undefined): number | null {
  const found = parseQuantity(word);
  if (!found || !['deg', 'rad', ''].includes(found.unit)) return null;
  return found.unit === 'deg' ? found.value * (Math.PI / 180) : found.value;
}

/** Parses a length. Returns metres, or null if the word is not a length. */
export function parseLength(word: string | undefined): number | null {
  const found = parseQuantity(word);
  const scale = { m: 1, cm: 0.01, mm: 0.001, '': 1 }[found?.unit ?? '%'];
  return found && scale !== undefined ? found.value * scale : null;
}

/** Parses a field of view. Returns radians, or null if the word is not an angle from 0.01 to 3. */
export function parseFieldOfView(word: string | undefined): number | null {
  const found = parseAngle(word);
  return found !== null && found > 0.01 && found < 3 ? found : null;
}
