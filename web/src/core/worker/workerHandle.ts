// Handle of one worker: pings it and detects its end.
import type { Settings } from '../settings.ts';
import type { WorkerAnswer, WorkerRequest } from './worker.ts';
import { RigcastError } from '../error.ts';

/** A worker and the script that was configured when it was created. */
export interface WorkerHandle {
  worker: Worker;
  script: Settings['worker'];
  /**
   * Name of the lock that an active worker holds. The page acquires the lock when the worker ends.
   * Locks exist in secure contexts only.
   */
  lock: string | null;
  watch: AbortController | null;
  isEnded: boolean;
  onEnded: () => void;
}

let locks = 0;

/** Resolves when the worker answers. Rejects if its script cannot be loaded. */
export function ping(hand: WorkerHandle): Promise<true> {
  const { worker } = hand;
  const lock = hand.lock ?? `rigcast ${Math.random()} ${locks++}`;
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if (data.kind !== 'ready' || data.lock !== lock) return;
      if (data.isHeld) watchLock(hand, lock);
      resolve(true);
    };
    worker.onerror = event => {
      event.preventDefault?.();
      reject(new RigcastError('WORKER_REFUSED', event.message || 'the worker script could not be loaded'));
    };
    post(worker, { kind: 'wake', lock });
  });
}

function watchLock(hand: WorkerHandle, lock: string): void {
  if (hand.watch) return;
  hand.lock = lock;
  hand.watch = new AbortController();
  const onLock = (): void => {
    hand.isEnded = true;
    hand.onEnded();
  };
  navigator.locks.request(lock, { signal: hand.watch.signal }, onLock).catch(() => {});
}

export function endWatch(hand: WorkerHandle): void {
  hand.watch?.abort();
  hand.watch = hand.lock = null;
}

export function post(worker: Worker, request: WorkerRequest, transfer: Transferable[] = []): void {
  worker.postMessage(request, transfer);
}
