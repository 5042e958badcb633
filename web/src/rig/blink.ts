// Solver for automatic blinking. Equal seeds give equal blinks at any frame rate.
import type { Solver } from './animator.ts';
import type { ExpressionRules } from './expressionRules.ts';
import { seeded } from './random.ts';

/** Durations in seconds of the three phases of a blink: the lids close, stay closed, and open. */
const CLOSING = 0.08;
const CLOSED = 0.04;
const OPENING = 0.14;
const BLINK = CLOSING + CLOSED + OPENING;
/** Minimum and maximum pause between blinks in seconds. */
const SHORTEST = 1.6;
const LONGEST = 6;
/** Probability that a blink is followed by a second one after a short pause. */
const TWICE = 0.15;
/** Pause in seconds between the two blinks of a double blink. */
const BETWEEN_TWO = 0.12;

export class Blink implements Solver {
  readonly stage = 'blink';
  isOn = true;
  readonly #face: ExpressionRules;
  readonly #presets: readonly string[];
  readonly #random: () => number;
  /** Seconds until the next blink starts; negative during a blink. */
  #due: number;

  /** Returns null if the scene has no expression for blinking. */
  static of(face: ExpressionRules, seed = 1): Blink | null {
    const presets = face.has('blink') ? ['blink'] : ['blinkLeft', 'blinkRight'].filter(preset => face.has(preset));
    return presets.length > 0 ? new Blink(face, presets, seed) : null;
  }

  constructor(face: ExpressionRules, presets: readonly string[], seed: number) {
    this.#face = face;
    this.#presets = presets;
    this.#random = seeded(seed);
    this.#due = this.#pause();
  }

  #pause(): number {
    return this.#random() < TWICE ? BETWEEN_TWO : SHORTEST + (LONGEST - SHORTEST) * this.#random();
  }

  /** Advances the time by `seconds` and returns how far the lids are closed, 0 to 1. */
  advance(seconds: number): number {
    if (!(seconds > 0)) return closed(-this.#due);
    this.#due -= Math.min(seconds, LONGEST);
    while (this.#due < -BLINK) this.#due += BLINK + this.#pause();
    return closed(-this.#due);
  }

  solve(_pose: unknown, _world: unknown, seconds: number): void {
    const weight = this.isOn ? this.advance(seconds) : 0;
    for (const preset of this.#presets) this.#face.drive(preset, weight);
  }
}

/** Returns how far the lids are closed, 0 to 1. `time`: seconds since the start of the blink. */
function closed(time: number): number {
  if (time <= 0 || time >= BLINK) return 0;
  const share = time < CLOSING ? time / CLOSING : time < CLOSING + CLOSED ? 1 : (BLINK - time) / OPENING;
  return share * share * (3 - 2 * share);
}
