// Runs one load at a time and shows its progress. A new load cancels the previous one.
import type { OpeningContext } from '../session/openResult.ts';
import { BusyCard } from './cards.ts';
import { stepText } from './sentences.ts';
import { words } from './words/index.ts';

/** Width of rendered hair strands in CSS pixels. */
const STRAND_WIDTH = 1.25;
/** Delay before the progress card is shown, in milliseconds. */
const BUSY_DELAY = 150;

export interface LoadsEvents {
  graphics: OpeningContext['graphics'];
  /** Returns the images and values that the visitor has chosen for materials. */
  choices: () => Required<Pick<OpeningContext, 'imageAssignments' | 'materialValues'>>;
  onFailed: (error: unknown) => void;
  /** Called when the latest load has ended, with or without success. */
  onDone: () => void;
  announce: (text: string) => void;
}

export class Loads {
  readonly card = new BusyCard(() => this.cancel());
  #events: LoadsEvents;
  #count = 0;
  #abort: AbortController | null = null;
  #target: ProgressTarget = { card: null };

  constructor(events: LoadsEvents) {
    this.#events = events;
  }

  get isBusy(): boolean {
    return this.#abort !== null;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /**
   * Runs a load. `text`: initial text of the progress card; null for a load without a card. The
   * promise never rejects; errors go to `onFailed`.
   */
  run(text: string | null, work: (opening: OpeningContext) => Promise<void>): Promise<void> {
    this.cancel();
    const abort = (this.#abort = new AbortController());
    const token = ++this.#count;
    const isLast = (): boolean => token === this.#count;
    this.card.text = '';
    this.#target.card = null;
    const target: ProgressTarget = { card: this.card };
    this.#target = target;
    const timer = setTimeout(() => {
      if (text !== null && isLast()) this.#events.announce(this.card.show(text || words.busy));
    }, BUSY_DELAY);
    return work(this.#opening(abort.signal, target))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#events.onFailed(error);
        else if (isLast()) this.#events.announce(words.cancelled);
      })
      .finally(() => {
        clearTimeout(timer);
        target.card = null;
        if (!isLast()) return;
        this.card.hide();
        this.#abort = null;
        this.#events.onDone();
      });
  }

  #opening(signal: AbortSignal, target: ProgressTarget): OpeningContext {
    return { ...this.inBackground(signal), ...progressCallbacks(target) };
  }

  /** Returns a context for files that are read in the background, without the progress card. */
  inBackground(signal: AbortSignal): OpeningContext {
    return {
      signal,
      graphics: this.#events.graphics,
      ...this.#events.choices(),
      // One-pixel lines are barely visible on high-density screens.
      strandWidth: devicePixelRatio > 1 ? STRAND_WIDTH : 0,
      ...progressCallbacks({ card: null }),
    };
  }
}

/**
 * Target of the progress callbacks. `card` shows the progress; it is null once the load has ended
 * or another load has started.
 */
interface ProgressTarget {
  card: BusyCard | null;
}

/**
 * Returns progress callbacks. Opened files keep these callbacks permanently, so they must not refer
 * to the page.
 */
const progressCallbacks = (target: ProgressTarget): Pick<OpeningContext, 'onProgress' | 'onInstanceLoaded' | 'onStep'> => ({
  onProgress: ({ loaded, total, phase }) => {
    if (target.card) target.card.share = total && phase !== 'decode' ? loaded / total : null;
  },
  onInstanceLoaded: (done, total) => {
    if (!target.card) return;
    target.card.text = words.placing(done, total);
    target.card.share = done / total;
  },
  onStep: step => {
    if (target.card) target.card.text = stepText(step);
  },
});

/**
 * Returns a promise that rejects as soon as `signal` is aborted, and otherwise settles like
 * `promise`.
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}
