// Long work in small steps, so that a page draws and answers while something is converted on its thread.
import { pause } from '../../core/source.ts';

/** Milliseconds. What is done between two breaths adds to it. */
const LONGEST = 16;

/** To be called between the steps of long work. Rejects with the signal's reason where the work is no longer wanted. */
export type Breath = () => Promise<void>;

export function breathing(signal: AbortSignal | undefined): Breath {
  let since = performance.now();
  return async () => {
    signal?.throwIfAborted();
    if (performance.now() - since < LONGEST) return;
    await pause();
    since = performance.now();
    signal?.throwIfAborted();
  };
}
