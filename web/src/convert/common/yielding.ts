// Splits long work into short steps, so that a page stays responsive during a conversion.
import { pause } from '../../core/source.ts';

/** Milliseconds of work between two yields. The step that is running adds to it. */
const LONGEST = 16;

/**
 * Yields to the event loop if enough time has passed. Call it between steps of long work. Rejects
 * with the signal's reason if the work was aborted.
 */
export type YieldToEventLoop = () => Promise<void>;

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
