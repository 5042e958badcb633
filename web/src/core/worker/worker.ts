// The module worker. Runs one job at a time, each in a fresh instance.
import { openStream } from '../input.ts';
import type { Address, ByteStream } from '../byteStream.ts';
import { runJob, type Job, type RawResult } from '../instance.ts';
import type { Family } from '../formats.ts';
import type { Wasm } from '../wasm.ts';

/**
 * Messages to the worker. `wake` is the first one; `rest` follows when the worker is idle. In
 * between: the job, before the module, so that a URL is fetched while the page compiles; then the
 * module, another one if the file belongs to another family, and the chunks of a file that the page
 * reads. `stop` may arrive at any time.
 */
export type WorkerRequest =
  | { kind: 'wake'; lock: string }
  | { kind: 'rest' }
  | {
      kind: 'job';
      job: Job;
      /**
       * Bytes are returned as soon as they are read, or with the result if it refers to them. The
       * chunks of a stream follow in later messages.
       */
      input: Uint8Array | Blob | Address | Omit<ByteStream, 'pieces'>;
      /** True if progress is reported. */
      isWatched: boolean;
    }
  /** The module of a requested family; '' for the first one. */
  | { kind: 'module'; family: Family | ''; module: WebAssembly.Module }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'end' }
  | { kind: 'stop' };

/**
 * `bytes`: the input buffer, unless it has already been returned to the page. `loaded`: number of
 * bytes read.
 */
export type WorkerAnswer =
  /** The worker is ready. `isHeld`: it holds the lock of that name until it rests. */
  | { kind: 'ready'; lock: string; isHeld: boolean }
  | { kind: 'progress'; loaded: number; total: number | null }
  /** The file belongs to a family that the first module does not read. */
  | { kind: 'wanted'; family: Family }
  | { kind: 'read'; bytes: Uint8Array | null }
  | ({ kind: 'done'; bytes: Uint8Array | null } & RawResult)
  /** An error that cannot be cloned is sent as an object with its name, message and stack. */
  | { kind: 'failed'; error: unknown; code: string | null; bytes: Uint8Array | null; loaded: number }
  /** The job has ended without a result; no further messages follow. */
  | { kind: 'stopped'; bytes: Uint8Array | null; loaded: number };

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(message: WorkerAnswer, transfer?: Transferable[]): void;
};

interface Coming {
  module: Promise<WebAssembly.Module>;
  come(module: WebAssembly.Module): void;
}

function coming(): Coming {
  let come!: Coming['come'];
  return { module: new Promise(resolve => (come = resolve)), come };
}

/** A job and its data. */
class Work {
  readonly #modules = new Map<Family | '', Coming>();
  readonly wasm: Wasm = {
    first: this.coming('').module,
    with: family => {
      scope.postMessage({ kind: 'wanted', family });
      return this.coming(family).module;
    },
  };
  readonly stop = new AbortController();
  bytes: Uint8Array | null;
  loaded = 0;
  readonly #pieces: Uint8Array[] = [];
  #isEnded = false;
  #wake = (): void => {};

  constructor(bytes: Uint8Array | null) {
    this.bytes = bytes;
  }

  coming(family: Family | ''): Coming {
    const known = this.#modules.get(family) ?? coming();
    this.#modules.set(family, known);
    return known;
  }

  /** Null marks the end. */
  put(piece: Uint8Array | null): void {
    if (piece) this.#pieces.push(piece);
    else this.#isEnded = true;
    this.#wake();
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) yield piece;
      else if (this.#isEnded) return;
      else await new Promise<void>(resolve => (this.#wake = resolve));
    }
  }
}

let work = new Work(null);
let held = '';
let letGo = (): void => {};

scope.onmessage = ({ data }) => {
  if (data.kind === 'wake') void hold(data.lock).then(isHeld => scope.postMessage({ kind: 'ready', lock: data.lock, isHeld }));
  else if (data.kind === 'rest') letGo();
  else if (data.kind === 'job') {
    work = new Work(data.input instanceof Uint8Array ? data.input : null); // late messages of the previous job went to its own object
    void answer(data, work);
  } else if (data.kind === 'module') work.coming(data.family).come(data.module);
  else if (data.kind === 'stop') {
    const { bytes, loaded } = work;
    work.stop.abort();
    scope.postMessage({ kind: 'stopped', bytes, loaded }, buffersOf(bytes));
  } else work.put(data.kind === 'piece' ? data.piece : null);
};

/**
 * Holds a lock until the worker rests or ends. Returns false if locks are unavailable: insecure
 * contexts, opaque origins.
 */
function hold(name: string): Promise<boolean> {
  return new Promise(resolve => {
    if (name === held) return resolve(true);
    letGo();
    const done = new Promise<void>(go => (letGo = () => ((held = ''), go())));
    if (!navigator.locks) return resolve(false);
    navigator.locks
      .request(name, () => {
        held = name;
        resolve(true);
        return done;
      })
      .catch(() => resolve(false));
  });
}

const progressEvery = 50; // ms

async function answer({ job, input, isWatched }: WorkerRequest & { kind: 'job' }, work: Work): Promise<void> {
  const { signal } = work.stop;
  let last = 0;
  let late: WorkerAnswer | undefined;
  const onProgress = (loaded: number, total: number | null): void => {
    work.loaded = loaded;
    if (!isWatched) return;
    late = { kind: 'progress', loaded, total };
    if (performance.now() - last < progressEvery) return;
    reportLate();
    last = performance.now();
  };
  const reportLate = (): void => {
    if (late) scope.postMessage(late);
    late = undefined;
  };
  const onRead = (isBeside: boolean): void => {
    signal.throwIfAborted();
    reportLate();
    const bytes = isBeside ? null : work.bytes;
    if (!isBeside) work.bytes = null;
    scope.postMessage({ kind: 'read', bytes }, buffersOf(bytes));
  };
  const taken = async (): Promise<ByteStream> => {
    const flow = 'keep' in input ? { ...input, pieces: work.pieces() } : await openStream(input, signal);
    return { ...flow, pieces: untilStopped(flow.pieces, signal), lasting: flow.lasting ?? input instanceof Uint8Array };
  };
  try {
    const result = await runJob(work.wasm, job, taken(), { onProgress, onRead });
    const { bytes } = result.taken;
    work.bytes = null;
    scope.postMessage({ kind: 'done', ...result, bytes }, [...result.blocks, ...buffersOf(bytes)]);
  } catch (error) {
    if (!signal.aborted) fail(error, work);
  }
  work.stop.abort(); // aborts a request that was not read completely
}

async function* untilStopped(pieces: ByteStream['pieces'], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

function fail(error: unknown, { bytes, loaded }: Work): void {
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
