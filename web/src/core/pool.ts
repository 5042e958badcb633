// Workers: started on demand, kept warm while small, asked to stop by an AbortSignal and ended by it only while wasm is at work, which nothing else
// interrupts. One always stays, so that files open when the script of a new one can no longer be fetched.
import type { Job, Watch } from './instance.ts';
import { placed } from './place.ts';
import { type Settings, settings } from './settings.ts';
import type { Address, Flow } from './source.ts';
import type { WorkerAnswer, WorkerRequest } from './worker.ts';

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
const stopTime = 10_000; // ms that a worker has to stop in, where its end would not be noticed
const firstPause = 1000;
const longestPause = 300_000; // ms between attempts to start one while none comes

/** A worker, of the script that was set when it was made. */
interface Hand {
  worker: Worker;
  script: Settings['worker'];
  /** What it holds while it is awake, where there are locks (secure pages): the page hears of its end by getting it. */
  lock: string | null;
  watch: AbortController | null;
  isEnded: boolean;
  onEnded: () => void;
}

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
let locks = 0;
/** Why the last attempt to start one failed, and until when there is no other; of the script that was tried. */
let refusal: { error: WorkersRefused; until: number; pause: number; script: Settings['worker'] } | undefined;

export interface WorkerTask extends Watch {
  module: Promise<WebAssembly.Module>;
  job: Job;
  /** Bytes are handed over, see `onBytes`. A function is called once the worker is there; the flow's buffers are handed over for good. */
  input: Uint8Array | Blob | Address | (() => Promise<Flow>);
  /**
   * Called once where `input` is bytes: when the worker has read them and they are back, or was not given them; null where they are lost with their
   * worker. May come after the promise has rejected.
   */
  onBytes?: ((bytes: Uint8Array | null) => void) | undefined;
  signal: AbortSignal | undefined;
}

type WorkerResult = WorkerAnswer & { kind: 'done' };

/**
 * Runs a job in a worker. Rejects with `signal.reason` at once when the signal fires, and with WorkersRefused, before anything was handed
 * over, where no worker can be started.
 */
export function runInWorker(task: WorkerTask): Promise<WorkerResult> {
  return new Promise((resolve, reject) => void attend(task, resolve, reject));
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
    if (input instanceof Uint8Array) onBytes?.(input);
    return reject(error);
  }
  const heapSize = await converse(hand, task, resolve, reject);
  if (heapSize !== null) keep(hand, heapSize);
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
    worker = create();
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
        throw refuse(isForbidden ? 'the content security policy of the page forbids it' : error, isForbidden);
      },
    )
    .finally(() => document.removeEventListener('securitypolicyviolation', onViolation));
  made.catch(() => {});
  return { script, made, until: performance.now() + startTime };
}

/** True once the worker answers. Rejects where its script cannot be loaded. */
function wake(hand: Hand): Promise<true> {
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
      reject(new Error(event.message || 'the script of the worker could not be loaded'));
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

function endWatch(hand: Hand): void {
  hand.watch?.abort();
  hand.watch = hand.lock = null;
}

function post(worker: Worker, request: WorkerRequest, transfer: Transferable[] = []): void {
  worker.postMessage(request, transfer);
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

/**
 * A job from its first message to the last. Settles the job's promise as soon as its outcome is known, and resolves when the worker has nothing to do
 * with it any more: to the size of its heap, or to null where the worker was ended.
 */
function converse(
  hand: Hand,
  task: WorkerTask,
  resolve: (result: WorkerResult) => void,
  reject: (reason: unknown) => void,
): Promise<number | null> {
  const { worker } = hand;
  const { signal, input, onBytes } = task;
  let isRead = false;
  let isStopping = false;
  let isOver = false;
  let bytes = input instanceof Uint8Array ? input : null;
  let isBack = bytes === null;
  const giveBack = (given: Uint8Array | null): void => {
    if (!isBack) onBytes?.(given);
    isBack = true;
  };
  return new Promise(finish => {
    const settle = (heapSize: number | null): void => {
      if (isOver) return;
      isOver = true;
      worker.onmessage = worker.onerror = worker.onmessageerror = null;
      signal?.removeEventListener('abort', onAbort);
      hand.onEnded = () => {};
      if (heapSize === null) end(hand);
      giveBack(bytes);
      finish(heapSize);
    };
    const lose = (words: string): void => {
      reject(new Error(words));
      settle(null);
    };
    const giveUp = (reason: unknown): void => {
      reject(reason);
      if (isRead) return settle(null); // wasm is at work
      if (isStopping || isOver) return;
      isStopping = true;
      post(worker, { kind: 'stop' });
      if (!hand.lock) setTimeout(settle, stopTime, null);
    };
    const onAbort = (): void => giveUp(signal!.reason);
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if ('bytes' in data && data.bytes) giveBack(data.bytes);
      if (data.kind === 'read') isRead = true;
      if (data.kind === 'stopped') settle(data.loaded);
      else if (isStopping) {
        if (isRead) settle(null);
      } else if (data.kind === 'progress') task.onProgress?.(data.loaded, data.total);
      else if (data.kind === 'read') task.onRead?.();
      else if (data.kind === 'done') {
        resolve(data);
        settle(data.heapSize);
      } else if (data.kind === 'failed') {
        reject(data.error instanceof Error ? data.error : Object.assign(new Error(), data.error));
        settle(data.loaded);
      }
    };
    worker.onerror = event => {
      event.preventDefault?.();
      lose(event.message || 'the worker failed');
    };
    worker.onmessageerror = () => lose('a message of the worker could not be read');
    hand.onEnded = () => lose('the worker that read the file was ended from outside');
    if (hand.isEnded) return hand.onEnded();
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    send(
      worker,
      task,
      () => (bytes = null),
      () => isStopping || isOver,
    ).catch(giveUp);
  });
}

/** A job and what follows it, until the worker has answered. */
async function send(
  worker: Worker,
  { module, job, input, onProgress }: WorkerTask,
  onHandedOver: () => void,
  isOver: () => boolean,
): Promise<void> {
  const sendModule = async (): Promise<void> => {
    const compiled = await module;
    if (!isOver()) post(worker, { kind: 'module', module: compiled });
  };
  if (typeof input !== 'function') {
    post(
      worker,
      { kind: 'job', job, input, isWatched: onProgress !== undefined },
      input instanceof Uint8Array ? [input.buffer as ArrayBuffer] : [],
    );
    onHandedOver();
    return sendModule();
  }
  const { pieces, ...flow } = await input();
  if (isOver()) return;
  post(worker, { kind: 'job', job, input: flow, isWatched: false });
  const sendPieces = async (): Promise<void> => {
    let loaded = 0;
    for await (const piece of pieces) {
      if (isOver()) return;
      loaded += piece.length;
      post(worker, { kind: 'piece', piece }, [piece.buffer as ArrayBuffer]);
      onProgress?.(loaded, flow.byteLength);
    }
    if (!isOver()) post(worker, { kind: 'end' });
  };
  await Promise.all([sendModule(), sendPieces()]);
}

/** The literal that bundlers look for. */
function literal(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'rigcast' });
}

type Place = ConstructorParameters<typeof Worker>;
let place: Place | undefined;

/**
 * Where the worker's script is, and of which kind bundlers made it. Only the literal is rewritten by them, so both are taken from that very
 * call, with a stand-in for the constructor while it runs (synchronously, so no other code sees it).
 */
function findPlace(): Place {
  const original = globalThis.Worker;
  globalThis.Worker = class {
    constructor(...args: Place) {
      place = args;
    }
  } as unknown as typeof Worker;
  try {
    literal();
  } finally {
    globalThis.Worker = original;
  }
  return place!;
}

function create(): Worker {
  const { worker } = settings;
  if (typeof worker === 'function') return worker();
  const [found, options]: Place = worker === undefined ? (place ?? findPlace()) : [worker, { type: 'module', name: 'rigcast' }];
  const address = placed(found, 'worker.js');
  try {
    return new Worker(trusted(address), options);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
  }
  // A script on another origin cannot be a worker, but a module of our own origin may import it.
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' }));
  setTimeout(() => URL.revokeObjectURL(script), 60_000);
  return new Worker(trusted(script), { type: 'module', name: 'rigcast' });
}

interface Policy {
  createScriptURL(address: string): string;
}
let allowed = '';
let policy: Policy | null | undefined;

/** The address as a page under Trusted Types takes it: by a policy named `rigcast`, which allows that of the worker and no other. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  allowed = address;
  if (policy === undefined) {
    const createScriptURL = (asked: string): string => {
      if (asked !== allowed) throw new TypeError(asked);
      return asked;
    };
    try {
      policy = trustedTypes?.createPolicy('rigcast', { createScriptURL }) ?? null;
    } catch {
      policy = null; // the page allows no such policy; perhaps it asks for none either
    }
  }
  return policy ? policy.createScriptURL(address) : address;
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
