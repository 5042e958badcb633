// What is shown beside the picture when a model takes the stage follows in tasks of its own, one after the other: the page draws and answers between them.
import { batch, effect } from '@preact/signals-core';

let isPutOff = false;

/** In a task of its own, after those that were asked for before. */
export function soon(run: () => void): void {
  setTimeout(run);
}

/** Changes signals; what `effectSoon` does about it waits. Resolves when all of it is done. */
export function changeCalmly(change: () => void): Promise<void> {
  isPutOff = true;
  try {
    batch(change);
  } finally {
    isPutOff = false;
  }
  return new Promise(soon);
}

/** As `effect`, but what follows from `changeCalmly` is put off. */
export function effectSoon(run: () => void): void {
  let stop = (): void => {};
  const again = (): void => {
    stop();
    effectSoon(run);
  };
  let isFirst = true;
  stop = effect(() => {
    // Who is put off reads nothing, so that nothing else calls before it has run again.
    if (isPutOff && !isFirst) soon(again);
    else run();
    isFirst = false;
  });
}
