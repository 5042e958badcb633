// Pool of workers. Workers start on demand and are kept while their heap is small. An abort asks a
// worker to stop; it is terminated only while wasm is running, which cannot be interrupted. One
// worker always remains, so that files can be opened even if the worker script can no longer be
// fetched.
import { runJobIn, type WorkerResult, type WorkerTask } from './workerJob.ts';
import { endWatch, type WorkerHandle, post, ping } from './workerHandle.ts';
import { RigcastError } from '../error.ts';
import { newWorker } from './newWorker.ts';
import { type Settings, settings } from '../settings.ts';

/**
 * Thrown if workers cannot be started, either for good (blocked by a content security policy) or
 * for now (a network error). The calling thread then reads the file.
 */
export class WorkersRefused extends RigcastError {
  constructor(message: string, options?: ErrorOptions) {
    super('WORKER_REFUSED', message, options);
  }
}

const maxWorkers = Math.min(4, globalThis.navigator?.hardwareConcurrency ?? 2);
const maxIdle = 2;
const lockTime = 1000; // ms until an idle worker releases its lock, which could keep the page out of the back-forward cache
const idleTime = 10_000; // ms after that until an idle worker with a heap of up to `idleSize` bytes is terminated; larger ones end earlier
const idleSize = 64 * 2 ** 20;
const largestKept = 4 * idleSize; // workers with larger heaps are terminated, which is the only reliable way to release memory
const pingTimeout = 200; // ms in which an idle worker answers, unless the browser has terminated it
const startTime = 1000; // ms that a file waits for a new worker
const firstPause = 1000;
const longestPause = 300_000; // ms between attempts to start a worker after failures

/** A worker that is starting. If the file that requested it is gone, the next file takes it. */
interface Start {
  script: Settings['worker'];
  made: Promise<WorkerHandle>;
  /** Time until which files wait for it. */
  until: number;
}

const idle: { handle: WorkerHandle; timer: ReturnType<typeof setTimeout> }[] = [];
const unclaimed: Start[] = [];
const workers = new Set<Worker>();
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Reason of the last failed start, time until which there is no other attempt, and the script that
 * was tried.
 */
let refusal: { error: WorkersRefused; until: number; pause: number; script: Settings['worker'] } | undefined;

/**
 * Runs a job in a worker. Rejects with `signal.reason` immediately on abort, and with
 * WorkersRefused, before any bytes are transferred, if no worker can be started.
 */
export function runInWorker(task: WorkerTask): Promise<WorkerResult> {
  return new Promise((resolve, reject) => void runTask(task, resolve, reject));
}

/** Starts a worker for the next file if there is none. Never rejects. */
export async function startWorker(): Promise<void> {
  const ready = [...idle.map(({ handle }) => handle), ...unclaimed];
  if (running > 0 || ready.some(({ script }) => script === settings.worker)) return;
  try {
    const start = startNew();
    leaveForNext(start);
    await start.made;
  } catch {} // the file itself reports it
}

/**
 * Runs a task. Continues after its promise has settled, until the worker has finished with the job.
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

/** Passes the slot to the next waiting job. */
function releaseSlot(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
}

/** Returns a worker that has just answered a ping. */
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

/** Starts a worker. Throws WorkersRefused if it is too early to try again. */
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
    throw refusalOf(error, true); // forbidden by a policy, or workers are unavailable
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
    if (idle.length < 2 && heapSize <= idleSize) return; // one worker remains
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

/** Resolves with undefined after `ms`. Rejects when the signal is aborted. */
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
