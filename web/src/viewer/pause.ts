// Waits for time in which the page has nothing else to do.

/** Maximum time to wait for such time, in milliseconds. */
const MAX_WAIT = 400;
/** Interval after which a busy page is asked again, in milliseconds. */
const RETRY = 100;

/**
 * Resolves when the browser is idle and `isBusy` returns false. Rejects if the signal is aborted.
 */
export async function untilIdle(isBusy: () => boolean, ended: AbortSignal): Promise<void> {
  do {
    ended.throwIfAborted();
    await idle();
  } while (isBusy() && (await delay(RETRY)));
  ended.throwIfAborted();
}

const delay = (milliseconds: number): Promise<true> => new Promise(resolve => setTimeout(resolve, milliseconds, true));

/** Safari has no `requestIdleCallback`. */
const idle = (): Promise<unknown> =>
  new Promise(resolve =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(resolve, { timeout: MAX_WAIT }) : setTimeout(resolve, RETRY),
  );
