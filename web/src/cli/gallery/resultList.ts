// The results of one search, which the first page of a gallery shows in portions.
import type { Entry } from './terms.ts';

export class ResultList {
  readonly #find: () => AsyncGenerator<Entry[]>;
  #source: AsyncGenerator<Entry[]> | null = null;
  /** Results that are loaded and not shown. */
  #loaded: Entry[] = [];
  #shown: number;
  #isDone = false;
  #isLoading = false;

  /** `find`: starts the search. `shown`: number of results that the page shows already. */
  constructor(find: () => AsyncGenerator<Entry[]>, shown = 0) {
    this.#find = find;
    this.#shown = shown;
  }

  /** Number of results that are shown. */
  get shown(): number {
    return this.#shown;
  }

  /** True if all results are shown. */
  get isComplete(): boolean {
    return this.#isDone && this.#loaded.length === 0;
  }

  /**
   * Yields the next results, `amount` in total, in portions as soon as they are loaded. Yields nothing
   * while an earlier call is loading. If loading fails, the next call continues after the last result
   * that is shown.
   */
  async *next(amount: number): AsyncGenerator<Entry[], void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const end = this.#shown + amount;
      while (this.#shown < end && !this.isComplete) {
        if (this.#loaded.length === 0) await this.#load();
        const added = this.#loaded.splice(0, end - this.#shown);
        this.#shown += added.length;
        if (added.length > 0) yield added;
      }
    } finally {
      this.#isLoading = false;
    }
  }

  async #load(): Promise<void> {
    try {
      this.#source ??= without(this.#find(), this.#shown);
      const next = await this.#source.next();
      if (next.done) this.#isDone = true;
      else this.#loaded = [...next.value];
    } catch (error) {
      this.#source = null; // a generator that has thrown yields nothing else
      throw error;
    }
  }
}

/** Yields all entries except the first `amount`. */
async function* without(source: AsyncGenerator<Entry[]>, amount: number): AsyncGenerator<Entry[]> {
  let rest = amount;
  for await (const entries of source) {
    if (entries.length > rest) yield entries.slice(rest);
    rest = Math.max(rest - entries.length, 0);
  }
}
