// Aborts pending operations of an object at the end of its life.
import { unlessAborted } from '../core/source.ts';

/** The lifetime of an object. When it ends, all pending operations are aborted. */
export class Lifetime {
  readonly #end = new AbortController();

  /** Ends the lifetime: aborts all pending operations, which reject with an AbortError. */
  end(): void {
    this.#end.abort();
  }

  /**
   * Returns a signal that is aborted at the end of the lifetime, or earlier by `signal`. Throws if
   * the lifetime has ended or `signal` is already aborted.
   */
  until(signal?: AbortSignal): AbortSignal {
    const both = signal ? AbortSignal.any([this.#end.signal, signal]) : this.#end.signal;
    both.throwIfAborted();
    return both;
  }
}

/**
 * Resolves with the result of `making`. If `signal` is aborted first, rejects, and calls `free`
 * with the result once it is available.
 */
export async function freeIfAborted<T>(making: Promise<T>, signal: AbortSignal, free: (made: T) => void): Promise<T> {
  try {
    const made = await unlessAborted(making, signal);
    signal.throwIfAborted();
    return made;
  } catch (error) {
    making.then(free, () => {});
    throw error;
  }
}
