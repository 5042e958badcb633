// Decides which views are drawn in a frame, and how many seconds have passed for each: the true time, however long frames take. Draws nothing itself.

/** Milliseconds of drawing after which a frame ends; the remaining views are drawn in the next frame. */
const FRAME_BUDGET = 12;

/** Seconds. Even the slowest graphics draw a frame faster. A longer gap means that the machine slept, or that the browser suspended the page. */
const LONGEST_FRAME = 5;

/** Most seconds that count for a gap of that length, or for the time in a hidden tab. */
const AFTER_PAUSE = 1;

/** A view, as far as the loop needs it. */
export interface Framed {
  readonly isVisible: boolean;
  /** It has changed since it was drawn last. The loop clears it before it draws. */
  isDirty: boolean;
  /** Marks it as changed. */
  invalidate(): void;
}

/** Source of frames: `requestAnimationFrame` and `performance.now` of a page. Times are milliseconds. */
export interface FrameSource {
  request(callback: (now: number) => void): number;
  cancel(request: number): void;
  now(): number;
}

export interface LoopEvents<V> {
  /** Called before each frame in which something would be drawn. False: nothing can be drawn now, and no time passes. */
  isReady(): boolean;
  /** Draws one frame, `seconds` after the last one. True: the view is moving. */
  draw(view: V, seconds: number): boolean;
}

interface Entry<V> {
  view: V;
  /** It shows the canvas that all views are drawn on. */
  isOwner: boolean;
  /** Seconds of the page's clock when it was drawn last; null: it did not move then. */
  last: number | null;
  /** Number of its last drawing, counted over all views. */
  turn: number;
}

export class FrameLoop<V extends Framed> {
  readonly #source: FrameSource;
  readonly #events: LoopEvents<V>;
  readonly #entries = new Map<V, Entry<V>>();
  #request = 0;
  #turn = 0;
  /** Seconds that have passed while the page drew frames. */
  #time = 0;
  /** Milliseconds, of the last frame. */
  #last = 0;
  #wasPaused = false;
  #isStopped = false;

  constructor(source: FrameSource, events: LoopEvents<V>) {
    this.#source = source;
    this.#events = events;
  }

  /** `isOwner`: it shows the canvas that all views are drawn on, so it is drawn last in each frame. */
  add(view: V, isOwner: boolean): void {
    this.#entries.set(view, { view, isOwner, last: null, turn: 0 });
    this.request();
  }

  remove(view: V): void {
    this.#entries.delete(view);
  }

  /** Asks for a frame, unless one is on its way. */
  request(): void {
    if (this.#request === 0 && !this.#isStopped) this.#request = this.#source.request(now => this.#step(now));
  }

  /** The page is hidden: of the time until the next frame at most a second counts. */
  pause(): void {
    this.#wasPaused = true;
  }

  stop(): void {
    this.#isStopped = true;
    this.#source.cancel(this.#request);
  }

  #step(now: number): void {
    this.#request = 0;
    this.#pass((now - this.#last) / 1000);
    this.#last = now;
    const entries = [...this.#entries.values()];
    const isDue = ({ view }: Entry<V>): boolean => view.isVisible && view.isDirty;
    // No time passes for a view that cannot be seen.
    for (const entry of entries) if (!entry.view.isVisible) entry.last = null;
    const due = entries.filter(isDue).sort((a, b) => a.turn - b.turn);
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

  #pass(seconds: number): void {
    const isPause = this.#wasPaused || seconds > LONGEST_FRAME;
    this.#time += isPause ? Math.min(seconds, AFTER_PAUSE) : seconds;
    this.#wasPaused = false;
  }

  #draw(entry: Entry<V>): void {
    const { view, last } = entry;
    entry.last = null;
    entry.turn = ++this.#turn;
    view.isDirty = false;
    if (this.#events.draw(view, last === null ? 0 : this.#time - last)) view.invalidate();
    if (view.isDirty) entry.last = this.#time;
  }
}
