// Defers updates of panels and timeline to tasks of their own when a model is shown, so that the
// page can draw and respond in between.
import { batch, effect } from '@preact/signals-core';

let isDeferring = false;

/** Runs a function in a task of its own, after those deferred earlier. */
export function defer(run: () => void): void {
  setTimeout(run);
}

/**
 * Changes signals in a batch and defers all `deferredEffect`s that depend on them. Resolves when
 * they have run.
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
 * Like `effect`, but a change inside `batchDeferred` runs the function later, in a task of its own.
 */
export function deferredEffect(run: () => void): void {
  let stop = (): void => {};
  const rerun = (): void => {
    stop();
    deferredEffect(run);
  };
  let isFirst = true;
  stop = effect(() => {
    // A deferred run must not subscribe to signals, or it would run twice.
    if (isDeferring && !isFirst) defer(rerun);
    else run();
    isFirst = false;
  });
}
