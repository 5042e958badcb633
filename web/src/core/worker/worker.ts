// The script of the worker. Runs one job at a time, each in a fresh instance.
import { openStream } from '../input.ts';
import type { Address, ByteStream } from '../byteStream.ts';
import { runJob, type Job, type RawResult } from '../instance.ts';
import type { Family } from '../formats.ts';
import type { Wasm } from '../wasm.ts';

/**
 * Messages to the worker, in this order: `ping`; `job`; `module`, again if the file belongs to
 * another family; `piece` and `end` if the page reads the file; `idle` when the worker has no job.
 * `job` is sent before the module, so that the worker fetches a URL while the page compiles the
 * module. `stop` may be sent at any time.
 */
export type WorkerRequest =
  | { kind: 'ping'; lock: string }
  | { kind: 'idle' }
  | {
      kind: 'job';
      job: Job;
      /**
       * The input. Bytes are returned when they have been read, or with the result if the result
       * refers to them. The chunks of a stream follow in later messages.
       */
      input: Uint8Array | Blob | Address | Omit<ByteStream, 'pieces'>;
      /** True if the worker must report progress. */
      isWatched: boolean;
    }
  /** The module of a family that the worker requested; '' for the first module. */
  | { kind: 'module'; family: Family | ''; module: WebAssembly.Module }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'end' }
  | { kind: 'stop' };

/**
 * Messages from the worker. `bytes`: the input buffer, or null if it has already been returned to
 * the page. `loaded`: number of bytes read.
 */
export type WorkerAnswer =
  /**
   * The worker is ready. `isHeld`: true if the worker holds the lock `lock`, which it releases on
   * `idle`.
   */
  | { kind: 'ready'; lock: string; isHeld: boolean }
  | { kind: 'progress'; loaded: number; total: number | null }
  /** Requests the module of a family, because the first module cannot read the file. */
  | { kind: 'moduleNeeded'; family: Family }
  | { kind: 'read'; bytes: Uint8Array | null }
  | ({ kind: 'done'; bytes: Uint8Array | null } & RawResult)
  /**
   * The job has failed. An error that cannot be cloned is sent as an object with its name, message
   * and stack.
   */
  | { kind: 'failed'; error: unknown; code: string | null; bytes: Uint8Array | null; loaded: number }
  /** The job has ended without a result; no further messages follow. */
  | { kind: 'stopped'; bytes: Uint8Array | null; loaded: number };

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(message: WorkerAnswer, transfer?: Transferable[]): void;
};

interface PendingModule {
  module: Promise<WebAssembly.Module>;
  resolve(module: WebAssembly.Module): void;
}

function pendingModule(): PendingModule {
  let resolve!: PendingModule['resolve'];
  return { module: new Promise(done => (resolve = done)), resolve };
}

/** The job that the worker runs, and its data. */
class CurrentJob {
  readonly #modules = new Map<Family | '', PendingModule>();
  readonly wasm: Wasm = {
    first: this.pending('').module,
    with: family => {
      scope.postMessage({ kind: 'moduleNeeded', family });
      return this.pending(family).module;
    },
  };
  readonly stop = new AbortController();
  bytes: Uint8Array | null;
  loaded = 0;
  readonly #pieces: Uint8Array[] = [];
  #isEnded = false;
  #onPiece = (): void => {};

  constructor(bytes: Uint8Array | null) {
    this.bytes = bytes;
  }

  pending(family: Family | ''): PendingModule {
    const known = this.#modules.get(family) ?? pendingModule();
    this.#modules.set(family, known);
    return known;
  }

  /** Adds a chunk of the file; null indicates the end of the file. */
  put(piece: Uint8Array | null): void {
    if (piece) this.#pieces.push(piece);
    else this.#isEnded = true;
    this.#onPiece();
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) yield piece;
      else if (this.#isEnded) return;
      else await new Promise<void>(resolve => (this.#onPiece = resolve));
    }
  }
}

let current = new CurrentJob(null);
let heldLock = '';
let releaseLock = (): void => {};

scope.onmessage = ({ data }) => {
  if (data.kind === 'ping') void acquireLock(data.lock).then(isHeld => scope.postMessage({ kind: 'ready', lock: data.lock, isHeld }));
  else if (data.kind === 'idle') releaseLock();
  else if (data.kind === 'job') {
    current = new CurrentJob(data.input instanceof Uint8Array ? data.input : null); // a new object, because the previous job may still use its own
    void answer(data, current);
  } else if (data.kind === 'module') current.pending(data.family).resolve(data.module);
  else if (data.kind === 'stop') {
    const { bytes, loaded } = current;
    current.stop.abort();
    scope.postMessage({ kind: 'stopped', bytes, loaded }, buffersOf(bytes));
  } else current.put(data.kind === 'piece' ? data.piece : null);
};

/**
 * Acquires a lock, which the worker holds until it receives `idle` or ends. Resolves with false if
 * locks are unavailable, for example in insecure contexts and on opaque origins.
 */
function acquireLock(name: string): Promise<boolean> {
  return new Promise(resolve => {
    if (name === heldLock) return resolve(true);
    releaseLock();
    const done = new Promise<void>(go => (releaseLock = () => ((heldLock = ''), go())));
    if (!navigator.locks) return resolve(false);
    navigator.locks
      .request(name, () => {
        heldLock = name;
        resolve(true);
        return done;
      })
      .catch(() => resolve(false));
  });
}

const progressEvery = 50; // minimum ms between two progress messages

async function answer({ job, input, isWatched }: WorkerRequest & { kind: 'job' }, current: CurrentJob): Promise<void> {
  const { signal } = current.stop;
  let last = 0;
  let pendingProgress: WorkerAnswer | undefined;
  const onProgress = (loaded: number, total: number | null): void => {
    current.loaded = loaded;
    if (!isWatched) return;
    pendingProgress = { kind: 'progress', loaded, total };
    if (performance.now() - last < progressEvery) return;
    reportLate();
    last = performance.now();
  };
  const reportLate = (): void => {
    if (pendingProgress) scope.postMessage(pendingProgress);
    pendingProgress = undefined;
  };
  const onRead = (isBeside: boolean): void => {
    signal.throwIfAborted();
    reportLate();
    const bytes = isBeside ? null : current.bytes;
    if (!isBeside) current.bytes = null;
    scope.postMessage({ kind: 'read', bytes }, buffersOf(bytes));
  };
  const inputStream = async (): Promise<ByteStream> => {
    const flow = 'keep' in input ? { ...input, pieces: current.pieces() } : await openStream(input, signal, job.clip !== undefined);
    return { ...flow, pieces: untilStopped(flow.pieces, signal), lasting: flow.lasting ?? input instanceof Uint8Array };
  };
  try {
    const result = await runJob(current.wasm, job, inputStream(), { onProgress, onRead });
    const { bytes } = result.taken;
    current.bytes = null;
    scope.postMessage({ kind: 'done', ...result, bytes }, [...result.blocks, ...buffersOf(bytes)]);
  } catch (error) {
    if (!signal.aborted) fail(error, current);
  }
  current.stop.abort(); // aborts a request that was not read completely
}

async function* untilStopped(pieces: ByteStream['pieces'], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

function fail(error: unknown, { bytes, loaded }: CurrentJob): void {
  const { code } = Object(error) as { code?: unknown };
  const post = (error: unknown): void =>
    scope.postMessage({ kind: 'failed', error, code: typeof code === 'string' ? code : null, bytes, loaded }, buffersOf(bytes));
  try {
    post(error);
  } catch {
    const { name = 'Error', message = error, stack } = Object(error) as Partial<Error>;
    post({ name: String(name), message: String(message), stack: String(stack) });
  }
}

function buffersOf(bytes: Uint8Array | null): Transferable[] {
  return bytes ? [bytes.buffer as ArrayBuffer] : [];
}
