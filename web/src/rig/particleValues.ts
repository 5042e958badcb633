// Numbers and colors of Unity's particles that vary over time or randomly (docs/formats/vgo.md,
// section 5.13). Their curves are sampled into tables. A random number per particle and property
// chooses a value between two curves. `read` runs about twenty times per particle and frame; for
// speed, it indexes without checks (`!`).
import { numberAt } from '../core/math/column.ts';
import { type Numbers } from '../core/math/vector.ts';
import { listIn, member, numberIn, numbersIn } from '../core/properties.ts';
import type { PropertyValue } from '../core/types.ts';
import { type Curve, CurveCursor } from './curve.ts';

/** Number of intervals in a sampled curve or gradient. */
const STEPS = 64;

const clamp01 = (value: number): number => (value > 0 ? Math.min(value, 1) : 0);

/**
 * A setting whose value lies between two curves over normalized time. A random number chooses the
 * value.
 */
export class Amount {
  readonly #low: Float32Array;
  readonly #high: Float32Array;
  /** Largest absolute value that the setting can have. */
  readonly most: number;

  constructor(low: Float32Array, high: Float32Array) {
    this.#low = low;
    this.#high = high;
    this.most = [...low, ...high].reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  }

  get isNothing(): boolean {
    return this.most === 0;
  }

  at(time: number, random: number): number {
    const low = read(this.#low, 1, 0, time);
    return this.#low === this.#high ? low : low + (read(this.#high, 1, 0, time) - low) * random;
  }
}

function read(table: Float32Array, width: number, c: number, time: number): number {
  const steps = table.length / width - 1;
  if (steps === 0) return table[c]!;
  const at = clamp01(time) * steps;
  const i = Math.min(Math.floor(at), steps - 1);
  const from = table[width * i + c]!;
  return from + (table[width * (i + 1) + c]! - from) * (at - i);
}

/**
 * Reads a setting from a MinMaxCurve of Unity, in any mode. Returns the constant `otherwise` if
 * `value` itself is missing. Constants and multipliers that are missing in it are read as −1.
 */
export function amountIn(value: PropertyValue | undefined, otherwise: number): Amount {
  if (value === undefined || value === null) return fixed(otherwise, otherwise);
  const number = (name: string): number => finite(numberIn(value, name, -1));
  const curve = (name: string): Float32Array => sampled(member(value, name), number('curveMultiplier'));
  const mode = numberIn(value, 'mode', 0);
  if (mode === 3) return fixed(number('constantMin'), number('constantMax'));
  if (mode === 2) return new Amount(curve('curveMin'), curve('curveMax'));
  if (mode !== 1) return fixed(number('constant'), number('constant'));
  const table = curve('curve');
  return new Amount(table, table);
}

function fixed(low: number, high: number): Amount {
  const from = Float32Array.of(low);
  return new Amount(from, low === high ? from : Float32Array.of(high));
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/** Samples Unity's AnimationCurve at times from 0 to 1. `factor`: multiplier of the values. */
function sampled(value: PropertyValue | undefined, factor: number): Float32Array {
  const keys = listIn(value, 'keys').filter(key => Number.isFinite(numberIn(key, 'time', NaN)));
  keys.sort((a, b) => numberIn(a, 'time', 0) - numberIn(b, 'time', 0));
  if (keys.length === 0) return new Float32Array(STEPS + 1);
  const all = (names: readonly string[]): Float32Array => Float32Array.from(keys.flatMap(key => names.map(name => numberIn(key, name, 0))));
  // Unweighted tangents are equivalent to a weight of 1/3.
  const weights = keys.flatMap(key => {
    const mode = numberIn(key, 'weightedMode', 0);
    return [mode & 1 ? numberIn(key, 'inWeight', 0) : 1 / 3, mode & 2 ? numberIn(key, 'outWeight', 0) : 1 / 3];
  });
  const curve: Curve = {
    times: all(['time']),
    values: all(['value']),
    width: 1,
    interpolation: 'bezier',
    tangents: all(['inTangent', 'outTangent']),
    weights: Float32Array.from(weights),
    before: 'hold',
    after: 'hold',
  };
  const cursor = new CurveCursor(curve);
  const table = new Float32Array(STEPS + 1);
  for (let i = 0; i <= STEPS; i++) cursor.evaluate(i / STEPS, table, i);
  return table.map(each => finite(each) * factor);
}

/**
 * A linear RGBA color that lies between two gradients over normalized time. A random number chooses
 * the color.
 */
export class Shade {
  readonly #low: Float32Array;
  readonly #high: Float32Array;
  /**
   * True if a random number, instead of the normalized time, chooses the position in the gradient.
   */
  readonly #isByChance: boolean;

  constructor(low: Float32Array, high: Float32Array, isByChance = false) {
    this.#low = low;
    this.#high = high;
    this.#isByChance = isByChance;
  }

  /** Multiplies the color at `color[at]` by this color. */
  tint(color: Numbers, at: number, time: number, random: number): void {
    const when = this.#isByChance ? random : time;
    for (let c = 0; c < 4; c++) {
      const low = read(this.#low, 4, c, when);
      color[at + c]! *= this.#low === this.#high ? low : low + (read(this.#high, 4, c, when) - low) * random;
    }
  }
}

export function shadeIn(value: PropertyValue | undefined): Shade {
  const color = (name: string): Float32Array => Float32Array.from(numbersIn(value, name, [1, 1, 1, 1]), finite);
  const mode = numberIn(value, 'mode', 0);
  if (mode === 2) return new Shade(color('colorMin'), color('colorMax'));
  if (mode === 3) return new Shade(gradient(member(value, 'gradientMin')), gradient(member(value, 'gradientMax')));
  const one = mode === 1 ? gradient(member(value, 'gradient')) : mode === 4 ? gradient(member(value, 'gradientMax')) : color('color');
  return new Shade(one, one, mode === 4);
}

function gradient(value: PropertyValue | undefined): Float32Array {
  const isFixed = numberIn(value, 'mode', 0) === 1;
  const stops = (list: string, of: (key: PropertyValue) => number[]): { time: number; values: number[] }[] =>
    listIn(value, list)
      .slice(0, 8)
      .map(key => ({ time: clamp01(numberIn(key, 'time', 0)), values: of(key).map(finite) }))
      .sort((a, b) => a.time - b.time);
  const colors = stops('colorKeys', key => numbersIn(key, 'color', [1, 1, 1]));
  const alphas = stops('alphaKeys', key => [numberIn(key, 'alpha', 0)]);
  const table = new Float32Array(4 * (STEPS + 1)).fill(1);
  for (let i = 0; i <= STEPS; i++) {
    between(colors, i / STEPS, isFixed).forEach((each, c) => (table[4 * i + c] = each));
    between(alphas, i / STEPS, isFixed).forEach(each => (table[4 * i + 3] = each));
  }
  return table;
}

/**
 * Interpolates the keys of a gradient at `time`. If `isFixed` is true, colors are not blended: each
 * key applies from the time of the previous key to its own.
 */
function between(stops: readonly { time: number; values: number[] }[], time: number, isFixed: boolean): number[] {
  const next = stops.findIndex(stop => stop.time >= time);
  const b = stops[next];
  if (!b) return stops.at(-1)?.values ?? [];
  const a = stops[next - 1];
  if (!a || isFixed) return b.values;
  const share = b.time > a.time ? (time - a.time) / (b.time - a.time) : 1;
  return a.values.map((value, c) => value + (numberAt(b.values, c) - value) * share);
}
