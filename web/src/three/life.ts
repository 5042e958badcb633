// How long what was begun is still wanted.
import { unlessAborted } from '../core/source.ts';

/** The life of an object whose own pending work ends with it. */
export class Life {
  readonly #end = new AbortController();

  /** Ends all that is under way: it rejects with an AbortError. */
  end(): void {
    this.#end.abort();
  }

  /** Aborted with this life, or by the caller. Throws where either is over. */
  until(signal?: AbortSignal): AbortSignal {
    const both = signal ? AbortSignal.any([this.#end.signal, signal]) : this.#end.signal;
    both.throwIfAborted();
    return both;
  }
}

/** Resolves with what is made. If it is no longer wanted by then, it is freed instead. */
export async function madeOrFreed<T>(making: Promise<T>, signal: AbortSignal, free: (made: T) => void): Promise<T> {
  try {
    const made = await unlessAborted(making, signal);
    signal.throwIfAborted();
    return made;
  } catch (error) {
    making.then(free, () => {});
    throw error;
  }
}
