// Decides which views are drawn in a frame, and how many seconds have passed since the last frame
// of each view. These are real seconds, so slow frames do not slow down animations.

/**
 * Drawing time per frame, milliseconds. When it is used up, the remaining views are drawn in the
 * next frame.
 */
const FRAME_BUDGET = 12;

/**
 * Maximum duration of a frame, seconds. A longer gap between frames means that the computer was
 * asleep or that the browser suspended the page.
 */
const LONGEST_FRAME = 5;

/**
 * Maximum number of seconds by which time advances after a gap longer than LONGEST_FRAME, or after
 * the page was hidden.
 */
const AFTER_PAUSE = 1;

/** Members of a view that the loop uses. */
export interface LoopView {
  readonly isVisible: boolean;
  /**
   * True if the view has changed since it was last drawn. The loop clears this flag before drawing.
   */
  isDirty: boolean;
  /** Marks the view as changed. */
  invalidate(): void;
}

/**
 * Requests frames and reports the time in milliseconds. On a page, these are
 * `requestAnimationFrame`, `cancelAnimationFrame` and `performance.now`.
 */
export interface FrameSource {
  request(callback: (now: number) => void): number;
  cancel(request: number): void;
  now(): number;
}

export interface LoopEvents<V> {
  /**
   * Returns true if views can be drawn. Called before each frame that has something to draw; if the
   * result is false, nothing is drawn and no time passes.
   */
  isReady(): boolean;
  /**
   * Draws one frame of a view. `seconds`: time since its last frame. Returns true while the view is
   * moving.
   */
  draw(view: V, seconds: number): boolean;
}

interface Entry<V> {
  view: V;
  /** True if the view shows the canvas on which all views are drawn. */
  isOwner: boolean;
  /**
   * Time of the view's last frame on the clock of the loop, seconds; null if the view was not
   * moving at that time.
   */
  last: number | null;
  /** Sequence number of the view's last frame. Frames of all views are counted together. */
  drawIndex: number;
}

export class FrameLoop<V extends LoopView> {
  readonly #source: FrameSource;
  readonly #events: LoopEvents<V>;
  readonly #entries = new Map<V, Entry<V>>();
  #request = 0;
  #drawCount = 0;
  /** Clock of the loop, seconds. It advances only while the page draws frames. */
  #time = 0;
  /** Timestamp of the last frame, milliseconds. */
  #last = 0;
  #wasPaused = false;
  #isStopped = false;

  constructor(source: FrameSource, events: LoopEvents<V>) {
    this.#source = source;
    this.#events = events;
  }

  /**
   * Adds a view. `isOwner`: true if the view shows the canvas on which all views are drawn; it is
   * then drawn last.
   */
  add(view: V, isOwner: boolean): void {
    this.#entries.set(view, { view, isOwner, last: null, drawIndex: 0 });
    this.request();
  }

  remove(view: V): void {
    this.#entries.delete(view);
  }

  /** Requests a frame, unless one is already requested. */
  request(): void {
    if (this.#request === 0 && !this.#isStopped) this.#request = this.#source.request(now => this.#step(now));
  }

  /** Limits the time until the next frame to one second. Must be called when the page is hidden. */
  pause(): void {
    this.#wasPaused = true;
  }

  stop(): void {
    this.#isStopped = true;
    this.#source.cancel(this.#request);
  }

  #step(now: number): void {
    this.#request = 0;
    this.#addTime((now - this.#last) / 1000);
    this.#last = now;
    const entries = [...this.#entries.values()];
    const isDue = ({ view }: Entry<V>): boolean => view.isVisible && view.isDirty;
    // Time does not pass for invisible views.
    for (const entry of entries) if (!entry.view.isVisible) entry.last = null;
    const due = entries.filter(isDue).sort((a, b) => a.drawIndex - b.drawIndex);
    if (due.length === 0) return;
    if (!this.#events.isReady()) {
      for (const entry of entries) entry.last = null;
      return;
    }
    const end = this.#source.now() + FRAME_BUDGET;
    try {
      for (const entry of due.filter(({ isOwner }) => !isOwner)) {
        this.#draw(entry);
        if (this.#source.now() > end) break;
      }
      // Draw the owner last, because drawing other views has overwritten its canvas.
      for (const entry of entries) if (entry.isOwner && isDue(entry)) this.#draw(entry);
    } finally {
      if (entries.some(isDue)) this.request();
    }
  }

  #addTime(seconds: number): void {
    const isPause = this.#wasPaused || seconds > LONGEST_FRAME;
    this.#time += isPause ? Math.min(seconds, AFTER_PAUSE) : seconds;
    this.#wasPaused = false;
  }

  #draw(entry: Entry<V>): void {
    const { view, last } = entry;
    entry.last = null;
    entry.drawIndex = ++this.#drawCount;
    view.isDirty = false;
    if (this.#events.draw(view, last === null ? 0 : this.#time - last)) view.invalidate();
    if (view.isDirty) entry.last = this.#time;
  }
}
