// Decides which views are drawn in a frame, and measures the time since the last frame of each
// view. This is real time, so slow frames do not slow down animations.

/**
 * Time budget for drawing views in one frame, in milliseconds. When it is used up, the remaining
 * views are drawn in the next frame.
 */
const FRAME_BUDGET = 12;

/**
 * Maximum duration of a frame in seconds. A longer gap between frames means that the computer was
 * asleep or that the browser suspended the page.
 */
const LONGEST_FRAME = 5;

/**
 * Maximum number of seconds by which time advances after a gap longer than LONGEST_FRAME, or after
 * the page was hidden.
 */
const AFTER_PAUSE = 1;

/** The members of a view that the frame loop uses. */
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
 * Requests frames and reports the time in milliseconds. On a page, the methods are
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
   * Time of the view's last frame on the loop's clock, in seconds; null if the view was not moving
   * at that time.
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
  /** Clock of the loop, in seconds. It advances only while the page draws frames. */
  #time = 0;
  /** Timestamp of the last frame in milliseconds. */
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

  /**
   * Limits the time that passes until the next frame to one second. Call this when the page is
   * hidden.
   */
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
    // For invisible views, no time passes.
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
      // Draw the view that shows the shared canvas last, because all other views are drawn on that
      // canvas too.
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

/** Resolves when the page has shown the last frame and is idle. */
export async function idle(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  await new Promise<unknown>(resolve =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(resolve, { timeout: 500 }) : setTimeout(resolve),
  );
}
