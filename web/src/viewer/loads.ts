// One load at a time: a new one ends the one before. Whoever waits sees what is being done.
import type { OpeningContext } from '../session/openResult.ts';
import { BusyCard } from './cards.ts';
import { stepText } from './say.ts';
import { words } from './words/index.ts';

/** Of hair, in pixels of the page. */
const STRAND_WIDTH = 1.25;
/** Work that takes longer is shown to people; milliseconds. */
const PATIENCE = 150;

export interface LoadsEvents {
  /** Whether the graphics card draws a kind of compressed texture. */
  draws: OpeningContext['supportsTexture'];
  onFailed: (error: unknown) => void;
  /** The last load has come to its end, whichever. */
  onDone: () => void;
  announce: (text: string) => void;
}

export class Loads {
  readonly card = new BusyCard(() => this.cancel());
  #events: LoadsEvents;
  #count = 0;
  #abort: AbortController | null = null;
  #told: Told = { card: null };

  constructor(events: LoadsEvents) {
    this.#events = events;
  }

  get isBusy(): boolean {
    return this.#abort !== null;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /** `text`: what is being done, until a step says more. Settles when the work has, also where it failed. */
  run(text: string, work: (opening: OpeningContext) => Promise<void>): Promise<void> {
    this.cancel();
    const abort = (this.#abort = new AbortController());
    const token = ++this.#count;
    const isLast = (): boolean => token === this.#count;
    this.card.text = '';
    this.#told.card = null;
    const told: Told = { card: this.card };
    this.#told = told;
    const timer = setTimeout(() => {
      if (isLast()) this.#events.announce(this.card.show(text || words.busy));
    }, PATIENCE);
    return work(this.#opening(abort.signal, told))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#events.onFailed(error);
        else if (isLast()) this.#events.announce(words.cancelled);
      })
      .finally(() => {
        clearTimeout(timer);
        told.card = null;
        if (!isLast()) return;
        this.card.hide();
        this.#abort = null;
        this.#events.onDone();
      });
  }

  #opening(signal: AbortSignal, told: Told): OpeningContext {
    return {
      signal,
      supportsTexture: this.#events.draws,
      // Lines are one pixel of the screen wide, which fine screens hardly show.
      strandWidth: devicePixelRatio > 1 ? STRAND_WIDTH : 0,
      ...tellers(told),
    };
  }
}

/** Who is told how far a load is; null: nobody any more, as it has ended or another one has begun. */
interface Told {
  card: BusyCard | null;
}

/** Files keep for good what they were opened with: it must lead to no page, which may be gone by then. */
const tellers = (told: Told): Pick<OpeningContext, 'onProgress' | 'onInstanceLoaded' | 'onStep'> => ({
  onProgress: ({ loaded, total, phase }) => {
    if (told.card) told.card.share = total && phase !== 'decode' ? loaded / total : null;
  },
  onInstanceLoaded: (done, total) => {
    if (!told.card) return;
    told.card.text = words.placing(done, total);
    told.card.share = done / total;
  },
  onStep: step => {
    if (told.card) told.card.text = stepText(step);
  },
});

/** Settles as the promise does, or when the signal says so. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}
