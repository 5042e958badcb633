// Yields to the event loop during a conversion, so that the page stays responsive.
import { pause } from '../../core/source.ts';

/** Minimum time between two yields, in milliseconds. */
const LONGEST = 16;

/**
 * Yields to the event loop if enough time has passed since the last yield. Call this function
 * between the steps of a conversion. Rejects with the signal's reason if the conversion was
 * aborted.
 */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Returns a function that yields to the event loop. `signal`: signal that aborts the conversion.
 */
export function yieldingTo(signal: AbortSignal | undefined): YieldToEventLoop {
  let since = performance.now();
  return async () => {
    signal?.throwIfAborted();
    if (performance.now() - since < LONGEST) return;
    await pause();
    since = performance.now();
    signal?.throwIfAborted();
  };
}
