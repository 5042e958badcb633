// Chooses the resolution at which moving content is drawn, so that a slow device draws enough frames
// per second.

/** Frame time in seconds above which the resolution is lowered. */
const SLOW = 1 / 22;
/**
 * Frame time in seconds below which the resolution may be raised. The resolution of devices that
 * draw only 30 frames per second to save energy is never lowered.
 */
const FAST = 1 / 28;

/** Factors by which width and height are multiplied, each half the pixels of the previous one. */
const SCALES = [1, Math.SQRT1_2, 0.5];

/** Minimum duration in seconds, and number of frames, whose median frame time is compared. */
const WINDOW = { seconds: 1, frames: 8 };

/**
 * Time in seconds until a change that did not help is tried again. It doubles after each such
 * change, so that the picture does not alternate between sharp and blurred.
 */
const WAIT = 5;

/** A lower resolution must reduce the frame time to this fraction; otherwise, it is undone. */
const GAIN = 0.85;

export class RenderScale {
  #step = 0;
  #wait = WAIT;
  #frames: number[] = [];
  /** Duration of the current window on the page, in seconds. */
  #elapsed = 0;
  /** Time since the last change, in seconds. */
  #sinceChange = Infinity;
  /** Frame time before the last change, which is checked at the end of the current window. */
  #before: number | null = null;

  /** Factor by which width and height of moving views are multiplied. */
  get scale(): number {
    return SCALES[this.#step]!;
  }

  /**
   * Adds a frame of a moving view. `seconds`: time since the view's last frame. `elapsed`: time since
   * the last frame of any view.
   */
  add(seconds: number, elapsed: number): void {
    this.#frames.push(seconds);
    this.#elapsed += elapsed;
    if (this.#elapsed < WINDOW.seconds || this.#frames.length < WINDOW.frames) return;
    // The median ignores single long frames, such as the first one after the page was hidden.
    const frames = this.#frames.sort((a, b) => a - b);
    this.#sinceChange += this.#elapsed;
    this.#decide(frames[frames.length >> 1]!);
    this.#frames = [];
    this.#elapsed = 0;
  }

  #decide(seconds: number): void {
    const before = this.#before;
    this.#before = null;
    const mayChange = this.#sinceChange >= this.#wait;
    if (before !== null && before > SLOW && seconds > before * GAIN) this.#undo(-1);
    else if (before !== null && before < FAST && seconds > SLOW) this.#undo(1);
    else if (seconds > SLOW && this.#step < SCALES.length - 1 && (mayChange || before !== null)) this.#change(1, seconds);
    else if (seconds < FAST && this.#step > 0 && mayChange) this.#change(-1, seconds);
  }

  #change(by: number, seconds: number): void {
    this.#step += by;
    this.#before = seconds;
    this.#sinceChange = 0;
  }

  #undo(by: number): void {
    this.#step += by;
    this.#sinceChange = 0;
    this.#wait *= 2;
  }
}
