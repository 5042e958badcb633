// Steps of a fixed length for simulations: stable, and with the same result for frames of any
// length.

/** Most seconds of a single frame that are simulated; the rest of a longer frame is dropped. */
const MOST_SECONDS = 0.5;

export class Steps {
  /** Seconds. */
  readonly length: number;
  readonly #slack: number;
  #due = 0;

  /**
   * `slack`: share of a step by which a frame may be too early for it. It gives one step per frame
   * if steps are as long as frames, although no two frames are equally long.
   */
  constructor(length: number, slack = 1e-6) {
    this.length = length;
    this.#slack = slack;
  }

  /** Returns the number of steps that are due when `seconds` more have passed. */
  take(seconds: number): number {
    this.#due += seconds > 0 ? Math.min(seconds, MOST_SECONDS) : 0;
    const steps = Math.floor(this.#due / this.length + this.#slack);
    this.#due -= steps * this.length;
    return steps;
  }

  /** Drops the time that has not been simulated. */
  reset(): void {
    this.#due = 0;
  }
}
