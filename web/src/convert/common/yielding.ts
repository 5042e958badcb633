// Yields to the event loop during long work, so that the page stays responsive during a conversion.
import { pause } from '../../core/source.ts';

/** Shortest time between two yields, milliseconds. */
const LONGEST = 16;

/**
 * Yields to the event loop if enough time has passed since the last yield. Call it between the
 * steps of long work. Rejects with the signal's reason if the work was aborted.
 */
export type YieldToEventLoop = () => Promise<void>;

/** Returns a function that yields to the event loop. `signal`: aborts the conversion. */
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
