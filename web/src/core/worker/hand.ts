// One worker, from the page's side: waking it, and hearing of its end.
import type { Settings } from '../settings.ts';
import type { WorkerAnswer, WorkerRequest } from './worker.ts';

/** A worker, of the script that was set when it was made. */
export interface Hand {
  worker: Worker;
  script: Settings['worker'];
  /** What it holds while it is awake, where there are locks (secure pages): the page hears of its end by getting it. */
  lock: string | null;
  watch: AbortController | null;
  isEnded: boolean;
  onEnded: () => void;
}

let locks = 0;

/** True once the worker answers. Rejects where its script cannot be loaded. */
export function wake(hand: Hand): Promise<true> {
  const { worker } = hand;
  const lock = hand.lock ?? `rigcast ${Math.random()} ${locks++}`;
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if (data.kind !== 'ready' || data.lock !== lock) return;
      if (data.isHeld) watchOver(hand, lock);
      resolve(true);
    };
    worker.onerror = event => {
      event.preventDefault?.();
      reject(new Error(event.message || 'the worker script could not be loaded'));
    };
    post(worker, { kind: 'wake', lock });
  });
}

function watchOver(hand: Hand, lock: string): void {
  if (hand.watch) return;
  hand.lock = lock;
  hand.watch = new AbortController();
  const onLock = (): void => {
    hand.isEnded = true;
    hand.onEnded();
  };
  navigator.locks.request(lock, { signal: hand.watch.signal }, onLock).catch(() => {});
}

export function endWatch(hand: Hand): void {
  hand.watch?.abort();
  hand.watch = hand.lock = null;
}

export function post(worker: Worker, request: WorkerRequest, transfer: Transferable[] = []): void {
  worker.postMessage(request, transfer);
}
