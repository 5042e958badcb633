// Workers: started on demand, kept warm while small, asked to stop by an AbortSignal and ended by it only while wasm is at work, which nothing else
// interrupts. One always stays, so that files open when the script of a new one can no longer be fetched.
import { converse, type WorkerResult, type WorkerTask } from './converse.ts';
import { endWatch, type Hand, post, wake } from './hand.ts';
import { newWorker } from './newWorker.ts';
import { type Settings, settings } from '../settings.ts';

/** Workers are not to be had here (a content security policy) or now (the network): the same code runs on the calling thread instead. */
export class WorkersRefused extends Error {}

const maxWorkers = Math.min(4, globalThis.navigator?.hardwareConcurrency ?? 2);
const maxIdle = 2;
const restTime = 1000; // ms until an unused worker lets go of its lock, which might keep the page out of the browser's back-forward cache
const idleTime = 10_000; // ms from then until it ends whose heap has `idleSize` bytes or fewer; larger ones end earlier
const idleSize = 64 * 2 ** 20;
const largestKept = 4 * idleSize; // a worker that needed more ends, for that is the sure way to give memory back
const wakeTime = 200; // ms in which a worker that has nothing to do answers, unless the browser has ended it
const startTime = 1000; // ms that a file waits for a new worker
const firstPause = 1000;
const longestPause = 300_000; // ms between attempts to start one while none comes

/** A worker that is being started. The file that asked for it may be gone before it comes; then it is for the next. */
interface Start {
  script: Settings['worker'];
  made: Promise<Hand>;
  /** When files no longer wait for it. */
  until: number;
}

const idle: { hand: Hand; timer: ReturnType<typeof setTimeout> }[] = [];
const unclaimed: Start[] = [];
const living = new Set<Worker>();
const waiting: (() => void)[] = [];
let running = 0;

/** Why the last attempt to start one failed, and until when there is no other; of the script that was tried. */
let refusal: { error: WorkersRefused; until: number; pause: number; script: Settings['worker'] } | undefined;

/**
 * Runs a job in a worker. Rejects with `signal.reason` at once when the signal fires, and with WorkersRefused, before anything was handed
 * over, where no worker can be started.
 */
export function runInWorker(task: WorkerTask): Promise<WorkerResult> {
  return new Promise((resolve, reject) => void attend(task, resolve, reject));
}

/** Starts a worker for the file that comes next, where there is none. Never rejects. */
export async function startWorker(): Promise<void> {
  const ready = [...idle.map(({ hand }) => hand), ...unclaimed];
  if (running > 0 || ready.some(({ script }) => script === settings.worker)) return;
  try {
    const start = begin();
    leaveForNext(start);
    await start.made;
  } catch {} // the file will say so
}

/** Goes on after the promise has settled, until the worker has nothing to do with the job any more. */
async function attend(task: WorkerTask, resolve: (result: WorkerResult) => void, reject: (reason: unknown) => void): Promise<void> {
  const { signal, input, onBytes } = task;
  let hand: Hand;
  try {
    await turn(signal);
    hand = await find(signal).catch(error => {
      leave();
      throw error;
    });
  } catch (error) {
    if (input instanceof Uint8Array) onBytes?.(input, false);
    return reject(error);
  }
  const heapSize = await converse(hand, task, resolve, reject);
  if (heapSize === null) end(hand);
  else keep(hand, heapSize);
  leave();
}

/** Waits until fewer than `maxWorkers` jobs run, in the order of those who wait. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  if (running < maxWorkers) return void running++;
  await new Promise<void>((resolve, reject) => {
    const go = (): void => {
      signal?.removeEventListener('abort', give);
      resolve();
    };
    const give = (): void => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', give, { once: true });
    waiting.push(go);
  });
}

/** The place goes to the one who has waited longest. */
function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
}

/** A worker that has just said that it is awake. */
async function find(signal: AbortSignal | undefined): Promise<Hand> {
  for (let hand; (hand = takeIdle()); end(hand)) {
    if (hand.isEnded || hand.script !== settings.worker) continue;
    const isAwake = await within(wakeTime, wake(hand), signal).catch(() => false);
    if (signal?.aborted) keep(hand, 0);
    signal?.throwIfAborted();
    if (isAwake) return hand;
  }
  const start = takeFrom(unclaimed, ({ script }) => script === settings.worker)?.[0] ?? begin();
  try {
    const hand = await within(start.until - performance.now(), start.made, signal);
    if (hand) return hand;
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
  start.made.then(hand => {
    if (isUnclaimed()) keep(hand, 0);
  }, isUnclaimed);
}

/** Starts a worker. Throws WorkersRefused where it is too early to try again. */
function begin(): Start {
  const script = settings.worker;
  const last = refusal?.script === script ? refusal : undefined;
  if (last && performance.now() < last.until) throw last.error;
  const refuse = (cause: unknown, isFinal: boolean): WorkersRefused => {
    const pause = last ? Math.min(2 * last.pause, longestPause) : firstPause;
    const error = new WorkersRefused(cause instanceof Error ? cause.message : String(cause), { cause });
    refusal = { error, until: isFinal ? Infinity : performance.now() + pause, pause, script };
    return error;
  };
  let worker: Worker;
  try {
    worker = newWorker();
  } catch (error) {
    throw refuse(error, true); // no policy allows it, or there are none
  }
  living.add(worker);
  let isForbidden = false;
  const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent): void =>
    void (isForbidden ||= effectiveDirective === 'worker-src');
  document.addEventListener('securitypolicyviolation', onViolation);
  const hand: Hand = { worker, script, lock: null, watch: null, isEnded: false, onEnded() {} };
  const made = wake(hand)
    .then(
      () => {
        refusal = undefined;
        return hand;
      },
      error => {
        living.delete(worker);
        worker.terminate();
        throw refuse(isForbidden ? 'forbidden by the content security policy of the page' : error, isForbidden);
      },
    )
    .finally(() => document.removeEventListener('securitypolicyviolation', onViolation));
  made.catch(() => {});
  return { script, made, until: performance.now() + startTime };
}

function takeIdle(): Hand | undefined {
  const entry = idle.pop();
  clearTimeout(entry?.timer);
  return entry?.hand;
}

function keep(hand: Hand, heapSize: number): void {
  if (heapSize > largestKept || idle.length >= maxIdle) return end(hand);
  const goodbye = (): void => {
    if (idle.length < 2 && heapSize <= idleSize) return; // the one that stays
    idle.splice(idle.indexOf(entry), 1);
    end(hand);
  };
  const rest = (): void => {
    endWatch(hand);
    post(hand.worker, { kind: 'rest' });
    entry.timer = setTimeout(goodbye, idleTime * Math.min(1, idleSize / heapSize));
  };
  const entry = { hand, timer: setTimeout(rest, restTime) };
  idle.push(entry);
}

function end(hand: Hand): void {
  endWatch(hand);
  hand.worker.terminate();
  living.delete(hand.worker);
  if (living.size > 0) return;
  try {
    leaveForNext(begin());
  } catch {} // none is to be had now
}

/** Undefined where it takes longer than that. Rejects when the signal fires. */
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
