// Defers updates of panels and timeline when a model is shown. Each update runs in a separate task,
// so that the page can draw and respond between them.
import { batch, effect } from '@preact/signals-core';

let isDeferring = false;

/** Runs a function in a separate task, after all functions that were deferred earlier. */
export function defer(run: () => void): void {
  setTimeout(run);
}

/**
 * Changes signals in a batch. Each `deferredEffect` that depends on these signals runs later, in a
 * separate task. Resolves when all of them have run.
 */
export function batchDeferred(change: () => void): Promise<void> {
  isDeferring = true;
  try {
    batch(change);
  } finally {
    isDeferring = false;
  }
  return new Promise(defer);
}

/**
 * Like `effect`, except that a change inside `batchDeferred` runs the function later, in a separate
 * task.
 */
export function deferredEffect(run: () => void): void {
  let stop = (): void => {};
  const rerun = (): void => {
    stop();
    deferredEffect(run);
  };
  let isFirst = true;
  stop = effect(() => {
    // A deferred effect must not subscribe to the signals here, or it would run twice.
    if (isDeferring && !isFirst) defer(rerun);
    else run();
    isFirst = false;
  });
}
