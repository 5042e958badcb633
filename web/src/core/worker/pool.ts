// Pool of workers. Workers are started on demand, and kept for a while if their heap is small. When
// a job is aborted, its worker is asked to stop; it is terminated only if wasm is running, which
// cannot be interrupted. One worker with a small heap is always kept, so that files can be opened
// even if the worker script can no longer be fetched.
import { runJobIn, type WorkerResult, type WorkerTask } from './workerJob.ts';
import { endWatch, type WorkerHandle, post, ping } from './workerHandle.ts';
import { RigcastError } from '../error.ts';
import { newWorker } from './newWorker.ts';
import { type Settings, settings } from '../settings.ts';

/**
 * Thrown if workers cannot be started, either permanently (blocked by a content security policy) or
 * temporarily (a network error). The file is then read on the calling thread.
 */
export class WorkersRefused extends RigcastError {
  constructor(message: string, options?: ErrorOptions) {
    super('WORKER_REFUSED', message, options);
  }
}

const maxWorkers = Math.min(4, globalThis.navigator?.hardwareConcurrency ?? 2);
const maxIdle = 2;
const lockTime = 1000; // ms after which an idle worker releases its lock; browsers may not keep a page with a lock in the back-forward cache
const idleTime = 10_000; // further ms after which an idle worker is terminated; workers with heaps above `idleSize` bytes are terminated earlier
const idleSize = 64 * 2 ** 20;
const largestKept = 4 * idleSize; // heap size in bytes above which a worker is terminated, which is the only reliable way to release its memory
const pingTimeout = 200; // ms within which an idle worker must answer; otherwise the browser has probably terminated it
const startTime = 1000; // maximum ms that a job waits for a new worker to start
const firstPause = 1000;
const longestPause = 300_000; // maximum pause in ms before the next attempt to start a worker after failures

/** A worker that is starting. If the job that requested it is aborted, the next job uses it. */
interface Start {
  script: Settings['worker'];
  made: Promise<WorkerHandle>;
  /** Time, as returned by `performance.now()`, until which jobs wait for the worker. */
  until: number;
}

const idle: { handle: WorkerHandle; timer: ReturnType<typeof setTimeout> }[] = [];
const unclaimed: Start[] = [];
const workers = new Set<Worker>();
const waiting: (() => void)[] = [];
let running = 0;

/**
 * The last failed start of a worker: its error, the earliest time of the next attempt, the current
 * pause in milliseconds, and the worker script.
 */
let refusal: { error: WorkersRefused; until: number; pause: number; script: Settings['worker'] } | undefined;

/**
 * Runs a job in a worker. Rejects with `signal.reason` as soon as the signal is aborted. Rejects
 * with WorkersRefused if no worker can be started; the bytes are then not transferred.
 */
export function runInWorker(task: WorkerTask): Promise<WorkerResult> {
  return new Promise((resolve, reject) => void runTask(task, resolve, reject));
}

/** Starts a worker for the next job if none is available. Never rejects. */
export async function startWorker(): Promise<void> {
  const ready = [...idle.map(({ handle }) => handle), ...unclaimed];
  if (running > 0 || ready.some(({ script }) => script === settings.worker)) return;
  try {
    const start = startNew();
    leaveForNext(start);
    await start.made;
  } catch {} // reported when a file is opened
}

/**
 * Runs a task. Settles its promise through `resolve` or `reject`, possibly before the worker has
 * finished with the job; returns when it has.
 */
async function runTask(task: WorkerTask, resolve: (result: WorkerResult) => void, reject: (reason: unknown) => void): Promise<void> {
  const { signal, input, onBytes } = task;
  let handle: WorkerHandle;
  try {
    await acquireSlot(signal);
    handle = await acquireWorker(signal).catch(error => {
      releaseSlot();
      throw error;
    });
  } catch (error) {
    if (input instanceof Uint8Array) onBytes?.(input, false);
    return reject(error);
  }
  const heapSize = await runJobIn(handle, task, resolve, reject);
  if (heapSize === null) end(handle);
  else keep(handle, heapSize);
  releaseSlot();
}

/** Acquires a job slot, first come first served. */
async function acquireSlot(signal: AbortSignal | undefined): Promise<void> {
  if (running < maxWorkers) return void running++;
  await new Promise<void>((resolve, reject) => {
    const onSlot = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = (): void => {
      waiting.splice(waiting.indexOf(onSlot), 1);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.push(onSlot);
  });
}

/** Passes a job slot to the next waiting job, if any. */
function releaseSlot(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
}

/** Returns an idle worker that has just answered a ping, or starts a new one. */
async function acquireWorker(signal: AbortSignal | undefined): Promise<WorkerHandle> {
  for (let handle; (handle = takeIdle()); end(handle)) {
    if (handle.isEnded || handle.script !== settings.worker) continue;
    const hasAnswered = await within(pingTimeout, ping(handle), signal).catch(() => false);
    if (signal?.aborted) keep(handle, 0);
    signal?.throwIfAborted();
    if (hasAnswered) return handle;
  }
  const start = takeFrom(unclaimed, ({ script }) => script === settings.worker)?.[0] ?? startNew();
  try {
    const handle = await within(start.until - performance.now(), start.made, signal);
    if (handle) return handle;
    throw new WorkersRefused('a worker takes longer than a second to start');
  } catch (error) {
    leaveForNext(start);
    throw error;
  }
}

function takeFrom<T>(list: T[], fits: (item: T) => boolean): T[] | null {
  const at = list.findIndex(fits);
  return at < 0 ? null : list.splice(at, 1);
}

function leaveForNext(start: Start): void {
  unclaimed.push(start);
  const isUnclaimed = (): boolean => takeFrom(unclaimed, other => other === start) !== null;
  start.made.then(handle => {
    if (isUnclaimed()) keep(handle, 0);
  }, isUnclaimed);
}

/** Starts a worker. Throws WorkersRefused if the pause after the last failure is not over. */
function startNew(): Start {
  const script = settings.worker;
  const last = refusal?.script === script ? refusal : undefined;
  if (last && performance.now() < last.until) throw last.error;
  const refusalOf = (cause: unknown, isFinal: boolean): WorkersRefused => {
    const pause = last ? Math.min(2 * last.pause, longestPause) : firstPause;
    const error = new WorkersRefused(cause instanceof Error ? cause.message : String(cause), { cause });
    refusal = { error, until: isFinal ? Infinity : performance.now() + pause, pause, script };
    return error;
  };
  let worker: Worker;
  try {
    worker = newWorker();
  } catch (error) {
    throw refusalOf(error, true); // a policy forbids workers, or workers are unavailable
  }
  workers.add(worker);
  let isForbidden = false;
  const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent): void =>
    void (isForbidden ||= effectiveDirective === 'worker-src');
  document.addEventListener('securitypolicyviolation', onViolation);
  const handle: WorkerHandle = { worker, script, lock: null, watch: null, isEnded: false, onEnded() {} };
  const made = ping(handle)
    .then(
      () => {
        refusal = undefined;
        return handle;
      },
      error => {
        workers.delete(worker);
        worker.terminate();
        throw refusalOf(isForbidden ? 'forbidden by the content security policy of the page' : error, isForbidden);
      },
    )
    .finally(() => document.removeEventListener('securitypolicyviolation', onViolation));
  made.catch(() => {});
  return { script, made, until: performance.now() + startTime };
}

function takeIdle(): WorkerHandle | undefined {
  const entry = idle.pop();
  clearTimeout(entry?.timer);
  return entry?.handle;
}

function keep(handle: WorkerHandle, heapSize: number): void {
  if (heapSize > largestKept || idle.length >= maxIdle) return end(handle);
  const expire = (): void => {
    if (idle.length < 2 && heapSize <= idleSize) return; // keeps the last idle worker
    idle.splice(idle.indexOf(entry), 1);
    end(handle);
  };
  const goIdle = (): void => {
    endWatch(handle);
    post(handle.worker, { kind: 'idle' });
    entry.timer = setTimeout(expire, idleTime * Math.min(1, idleSize / heapSize));
  };
  const entry = { handle, timer: setTimeout(goIdle, lockTime) };
  idle.push(entry);
}

function end(handle: WorkerHandle): void {
  endWatch(handle);
  handle.worker.terminate();
  workers.delete(handle.worker);
  if (workers.size > 0) return;
  try {
    leaveForNext(startNew());
  } catch {} // no worker can be started now
}

/**
 * Resolves like `promise`, or with undefined after `ms` milliseconds. Rejects when the signal is
 * aborted.
 */
function within<T>(ms: number, promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal!.reason);
    if (signal?.aborted) return onAbort();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  });
}
