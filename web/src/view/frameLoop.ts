// Decides which views are drawn in a frame, and how many seconds have passed for each view since
// its last frame. Measures real time, so slow frames don't slow down animations. Draws nothing.

/**
 * Milliseconds of drawing after which a frame ends; the remaining views are drawn in the next
 * frame.
 */
const FRAME_BUDGET = 12;

/**
 * Seconds. Even the slowest graphics draw a frame faster. A longer gap means that the computer was
 * asleep or that the browser suspended the page.
 */
const LONGEST_FRAME = 5;

/**
 * Maximum number of seconds that count for a gap longer than LONGEST_FRAME or for a hidden page.
 */
const AFTER_PAUSE = 1;

/** The members of a view that the loop uses. */
export interface LoopView {
  readonly isVisible: boolean;
  /** The view has changed since it was last drawn. The loop clears the flag before drawing. */
  isDirty: boolean;
  /** Marks the view as changed. */
  invalidate(): void;
}

/**
 * Source of frames: `requestAnimationFrame` and `performance.now` of a page. Times are
 * milliseconds.
 */
export interface FrameSource {
  request(callback: (now: number) => void): number;
  cancel(request: number): void;
  now(): number;
}

export interface LoopEvents<V> {
  /**
   * Called before each frame that would draw something. If it returns false, nothing is drawn and
   * no time passes.
   */
  isReady(): boolean;
  /** Draws one frame, `seconds` after the last one. Returns true while the view is moving. */
  draw(view: V, seconds: number): boolean;
}

interface Entry<V> {
  view: V;
  /** The view shows the canvas on which all views are drawn. */
  isOwner: boolean;
  /** Seconds of the loop's clock at the last frame; null if the view was not moving then. */
  last: number | null;
  /** Sequence number of the view's last frame, counted over all views. */
  drawIndex: number;
}

export class FrameLoop<V extends LoopView> {
  readonly #source: FrameSource;
  readonly #events: LoopEvents<V>;
  readonly #entries = new Map<V, Entry<V>>();
  #request = 0;
  #drawCount = 0;
  /** Seconds that have passed while the page drew frames. */
  #time = 0;
  /** Timestamp of the last frame, milliseconds. */
  #last = 0;
  #wasPaused = false;
  #isStopped = false;

  constructor(source: FrameSource, events: LoopEvents<V>) {
    this.#source = source;
    this.#events = events;
  }

  /** `isOwner`: the view shows the canvas on which all views are drawn, so it is drawn last. */
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
   * Called when the page is hidden. At most one second counts for the time until the next frame.
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
      // Drawing another view has overwritten the canvas that its owner shows.
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
