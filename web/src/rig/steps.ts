// Divides frames into time steps of fixed duration, which make simulations stable and independent
// of the frame rate.

/** Maximum time in seconds that is simulated per frame. The rest of a longer frame is dropped. */
const MAX_SECONDS = 0.5;

export class Steps {
  /** Duration of a time step in seconds. */
  readonly length: number;
  readonly #slack: number;
  #due = 0;

  /**
   * `length`: duration of a time step in seconds. `slack`: fraction of a step by which a step may
   * start early. If steps are as long as frames, it ensures one step per frame although frame times
   * vary slightly.
   */
  constructor(length: number, slack = 1e-6) {
    this.length = length;
    this.#slack = slack;
  }

  /** Advances the clock by `seconds` and returns how many time steps to simulate. */
  take(seconds: number): number {
    this.#due += seconds > 0 ? Math.min(seconds, MAX_SECONDS) : 0;
    const steps = Math.floor(this.#due / this.length + this.#slack);
    this.#due -= steps * this.length;
    return steps;
  }

  /** Drops the remaining time that has not been simulated yet. */
  reset(): void {
    this.#due = 0;
  }
}
