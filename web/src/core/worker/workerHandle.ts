// Pings workers and detects when they end.
import type { Settings } from '../settings.ts';
import type { WorkerAnswer, WorkerRequest } from './worker.ts';
import { RigcastError } from '../error.ts';

/** A worker, and the script from which it was created. */
export interface WorkerHandle {
  worker: Worker;
  script: Settings['worker'];
  /**
   * Name of the lock that the worker holds while it is active, or null. The page detects the end of
   * the worker by acquiring this lock. Locks exist in secure contexts only.
   */
  lock: string | null;
  watch: AbortController | null;
  isEnded: boolean;
  onEnded: () => void;
}

let locks = 0;

/** Sends a ping. Resolves when the worker answers; rejects if its script cannot be loaded. */
export function ping(handle: WorkerHandle): Promise<true> {
  const { worker } = handle;
  const lock = handle.lock ?? `rigcast ${Math.random()} ${locks++}`;
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if (data.kind !== 'ready' || data.lock !== lock) return;
      if (data.isHeld) watchLock(handle, lock);
      resolve(true);
    };
    worker.onerror = event => {
      event.preventDefault?.();
      reject(new RigcastError('WORKER_REFUSED', event.message || 'the worker script could not be loaded'));
    };
    post(worker, { kind: 'ping', lock });
  });
}

function watchLock(handle: WorkerHandle, lock: string): void {
  if (handle.watch) return;
  handle.lock = lock;
  handle.watch = new AbortController();
  const onLock = (): void => {
    handle.isEnded = true;
    handle.onEnded();
  };
  navigator.locks.request(lock, { signal: handle.watch.signal }, onLock).catch(() => {});
}

export function endWatch(handle: WorkerHandle): void {
  handle.watch?.abort();
  handle.watch = handle.lock = null;
}

export function post(worker: Worker, request: WorkerRequest, transfer: Transferable[] = []): void {
  worker.postMessage(request, transfer);
}
