// The value syntax of the attributes: which values are valid, and how messages describe it. The
// element warns about invalid values; embed.html rejects them.
import type { Syntax } from './attributes.ts';
import { type ExtraModel, parseExtraModels } from './extraModelList.ts';
import { parseAngle, parseFieldOfView, parseLength, parseQuantity } from './quantities.ts';

interface Rule {
  /** Sentence that describes valid values. */
  expected: string;
  isValid(text: string): boolean;
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

const words = (text: string): string[] => text.trim().split(/\s+/);

/** True if the text consists of up to as many words as `checks`, each of which is `auto` or valid. */
const areWords = (text: string, checks: readonly ((word: string) => boolean)[]): boolean =>
  words(text).every((word, i) => word === 'auto' || (checks[i]?.(word) ?? false));

const isAngle = (word: string): boolean => parseAngle(word) !== null;
const isLength = (word: string): boolean => parseLength(word) !== null;
const isDistance = (word: string): boolean => isLength(word) || parseQuantity(word)?.unit === '%';

/** Ways to show a model in the visitor's surroundings, in the default order. */
export const AR_MODES = ['webxr', 'scene-viewer', 'quick-look'] as const;
export type ArMode = (typeof AR_MODES)[number];

const RULES: Readonly<Record<Extract<Syntax, string>, Rule>> = {
  text: { expected: 'a text is expected.', isValid: () => true },
  url: { expected: 'a URL is expected.', isValid: () => true },
  files: { expected: 'URLs, separated by spaces, are expected.', isValid: () => true },
  names: { expected: 'names of animations are expected.', isValid: () => true },
  color: { expected: 'a CSS colour is expected.', isValid: text => CSS.supports('color', text) },
  json: { expected: 'a JSON object is expected.', isValid: isJsonObject },
  models: {
    expected:
      'a JSON list of models is expected, such as [{"src": "sword.psk", "bone": "hand_r"}], with valid positions, orientations and scales.',
    isValid: text => parseExtraModels(text)?.every(isPlacementValid) ?? false,
  },
  flag: {
    expected: 'every value turns this on. Remove the attribute to turn it off.',
    isValid: text => !['false', 'no', 'off', '0'].includes(text.trim().toLowerCase()),
  },
  start: { expected: 'a number is expected.', isValid: isNumber },
  origins: {
    expected: 'origins such as https://cdn.example, separated by spaces, are expected.',
    isValid: text => words(text).every(word => URL.canParse(word)),
  },
  orbit: {
    expected: 'two angles and a distance are expected, such as 30deg 75deg 105%.',
    isValid: text => areWords(text, [isAngle, isAngle, isDistance]),
  },
  'orbit limit': {
    expected: 'two angles and a distance are expected, such as 30deg 75deg 2m.',
    isValid: text => areWords(text, [isAngle, isAngle, isLength]),
  },
  point: { expected: 'three lengths are expected, such as 0m 1m 0m.', isValid: text => areWords(text, [isLength, isLength, isLength]) },
  length: { expected: 'a length above 0 is expected, such as 1.5m.', isValid: text => (parseLength(text.trim()) ?? 0) > 0 },
  'field of view': {
    expected: 'an angle is expected, such as 30deg.',
    isValid: text => areWords(text, [word => parseFieldOfView(word) !== null]),
  },
  angles: {
    expected: 'three angles are expected: roll, pitch and yaw, such as 0deg -90deg 0deg.',
    isValid: text => words(text).length === 3 && words(text).every(isAngle),
  },
  factors: {
    expected: 'one factor or three, other than 0, are expected, such as 2 or 1 2 1.',
    isValid: text => [1, 3].includes(words(text).length) && words(text).every(word => isNumber(word) && Number(word) !== 0),
  },
  opacity: {
    expected: 'a number from 0 to 1, or none, is expected.',
    isValid: text => text.trim() === 'none' || (isNumber(text) && Number(text) >= 0 && Number(text) <= 1),
  },
  'ar modes': {
    expected: `some of ${AR_MODES.join(', ')} are expected, separated by spaces.`,
    isValid: text => words(text).every(word => (AR_MODES as readonly string[]).includes(word)),
  },
  weights: {
    expected: 'names with weights are expected, such as blink:1 aa:0.4.',
    isValid: text => words(text).every(word => !word.includes(':') || isNumber(word.slice(word.lastIndexOf(':') + 1))),
  },
};

/** True if a value has the syntax of its attribute. */
export function isValid(syntax: Syntax, text: string): boolean {
  if (typeof syntax === 'object') return syntax.includes(text);
  return typeof syntax === 'number' ? isNumber(text) : RULES[syntax].isValid(text);
}

/** Returns a sentence that describes valid values, such as “a number is expected.” */
export function expectationOf(syntax: Syntax): string {
  if (typeof syntax === 'object') return `one of ${syntax.join(', ')} is expected.`;
  return typeof syntax === 'number' ? 'a number is expected.' : RULES[syntax].expected;
}

const isPlacementValid = ({ position, orientation, scale }: ExtraModel): boolean =>
  (position === undefined || isValid('point', position)) &&
  (orientation === undefined || isValid('angles', orientation)) &&
  (scale === undefined || isValid('factors', scale));

function isJsonObject(text: string): boolean {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found);
  } catch {
    return false;
  }
}
