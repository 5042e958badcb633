// Workers: started on demand, kept warm while small, ended by an AbortSignal, since wasm cannot be interrupted.
import type { Address, Flow } from './source.ts';
import type { Job, Watch } from './instance.ts';
import type { WorkerAnswer, WorkerRequest } from './worker.ts';

/** Workers are not to be had here (Node, a content security policy): the same code runs on the calling thread instead. */
export class WorkersRefused extends Error {}

const maxWorkers = Math.min(4, globalThis.navigator?.hardwareConcurrency ?? 2);
const maxIdle = 2;
const idleTime = 10_000; // ms until an unused worker ends whose heap has `idleSize` bytes or fewer; larger ones end earlier
const idleSize = 64 * 2 ** 20;
const largestKept = 4 * idleSize; // a worker that needed more ends, for that is the sure way to give memory back

const idle: { worker: Worker; timer: ReturnType<typeof setTimeout> }[] = [];
const waiting: (() => void)[] = [];
let running = 0;
let refusal: WorkersRefused | undefined;

export function workersExist(): boolean {
  return refusal === undefined && typeof Worker === 'function' && typeof document !== 'undefined';
}

export interface WorkerTask extends Watch {
  module: Promise<WebAssembly.Module>;
  job: Job;
  /** Bytes are handed over and come back with the result. A function is called once the worker is there; the flow's buffers are handed over. */
  input: Uint8Array | Blob | Address | (() => Promise<Flow>);
  signal: AbortSignal | undefined;
}

type WorkerResult = WorkerAnswer & { kind: 'done' };

/**
 * Runs a job in a worker. Rejects with `signal.reason` at once when the signal fires, and with WorkersRefused, before anything was handed
 * over, where no worker can be started.
 */
export async function runInWorker(task: WorkerTask): Promise<WorkerResult> {
  const { signal } = task;
  await turn(signal);
  let worker: Worker | undefined;
  try {
    worker = takeIdle() ?? (await start(signal));
    const result = await ask(worker, task);
    keep(worker, result.heapSize);
    return result;
  } catch (error) {
    worker?.terminate();
    throw error;
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Waits until fewer than `maxWorkers` jobs run. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  while (running >= maxWorkers) {
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
  running++;
}

async function ask(worker: Worker, task: WorkerTask): Promise<WorkerResult> {
  let isOver = false;
  try {
    return await listen<WorkerResult>(worker, task.signal, (answer, resolve, reject) => {
      if (answer.kind === 'progress') task.onProgress?.(answer.loaded, answer.total);
      else if (answer.kind === 'read') task.onRead?.();
      else if (answer.kind === 'done') resolve(answer);
      else if (answer.kind === 'failed') reject(answer.error);
    }, fail => void send(worker, task, () => isOver).catch(fail));
  } finally {
    isOver = true;
  }
}

/** A job and what follows it, until the worker has answered. */
async function send(worker: Worker, { module, job, input, onProgress }: WorkerTask, isOver: () => boolean): Promise<void> {
  const post = (request: WorkerRequest, transfer: Transferable[] = []): void => worker.postMessage(request, transfer);
  const postModule = async (): Promise<void> => post({ kind: 'module', module: await module });
  if (typeof input !== 'function') {
    post({ kind: 'job', job, input, isWatched: onProgress !== undefined }, input instanceof Uint8Array ? [input.buffer as ArrayBuffer] : []);
    return postModule();
  }
  const { pieces, ...flow } = await input();
  post({ kind: 'job', job, input: flow, isWatched: false });
  const posted = postModule();
  let loaded = 0;
  for await (const piece of pieces) {
    if (isOver()) return;
    loaded += piece.length;
    post({ kind: 'piece', piece }, [piece.buffer as ArrayBuffer]);
    onProgress?.(loaded, flow.byteLength);
  }
  post({ kind: 'end' });
  return posted;
}

/** A new worker that has said that it is ready. */
async function start(signal: AbortSignal | undefined): Promise<Worker> {
  if (refusal) throw refusal;
  let worker: Worker | undefined;
  try {
    const made = (worker = create());
    await listen<void>(made, signal, (answer, resolve) => {
      if (answer.kind === 'ready') resolve();
    });
    return made;
  } catch (error) {
    worker?.terminate();
    if (signal?.aborted) throw signal.reason;
    refusal = new WorkersRefused('no worker can be started here', { cause: error });
    throw refusal;
  }
}

/** Settles by `handle`, an error of the worker, or the signal; all listeners are gone then. */
function listen<T>(
  worker: Worker,
  signal: AbortSignal | undefined,
  handle: (answer: WorkerAnswer, resolve: (value: T) => void, reject: (reason: unknown) => void) => void,
  begin = (_fail: (reason: unknown) => void): void => {},
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const done = <V>(settle: (value: V) => void) => (value: V): void => {
      worker.onmessage = worker.onerror = worker.onmessageerror = null;
      signal?.removeEventListener('abort', onAbort);
      settle(value);
    };
    const fail = done(reject);
    const finish = done(resolve);
    const onAbort = (): void => fail(signal!.reason);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => handle(data, finish, fail);
    worker.onerror = event => {
      event.preventDefault?.();
      fail(new Error(event.message || 'the worker could not be loaded'));
    };
    worker.onmessageerror = () => fail(new Error('a message to or from the worker could not be read'));
    begin(fail);
  });
}

/** The literal that bundlers look for. */
function construct(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'rigcast' });
}

function create(): Worker {
  try {
    return construct();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
    return createFromBlob();
  }
}

/** A script on another origin cannot be a worker, but a module of our own origin may import it. */
function createFromBlob(): Worker {
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(workerAddress())};`], { type: 'text/javascript' }));
  const worker = new Worker(script, { type: 'module', name: 'rigcast' });
  setTimeout(() => URL.revokeObjectURL(script), 60_000);
  return worker;
}

/**
 * Where the worker's script is. Only the literal in `construct` is rewritten by bundlers, so the address is taken from that very call, with a
 * stand-in for the constructor while it runs (synchronously: nobody else can meet it).
 */
function workerAddress(): string {
  const original = globalThis.Worker;
  let address = '';
  globalThis.Worker = class {
    constructor(url: string | URL) {
      address = String(url);
    }
  } as unknown as typeof Worker;
  try {
    construct();
  } finally {
    globalThis.Worker = original;
  }
  return address;
}

function takeIdle(): Worker | undefined {
  const entry = idle.pop();
  if (entry) clearTimeout(entry.timer);
  return entry?.worker;
}

function keep(worker: Worker, heapSize: number): void {
  if (heapSize > largestKept || idle.length >= maxIdle) return worker.terminate();
  const entry = {
    worker,
    timer: setTimeout(() => {
      idle.splice(idle.indexOf(entry), 1);
      worker.terminate();
    }, idleTime * Math.min(1, idleSize / heapSize)),
  };
  idle.push(entry);
}
