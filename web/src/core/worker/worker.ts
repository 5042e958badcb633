// The module worker: one job at a time, each in a fresh instance.
import { flowOf } from '../input.ts';
import type { Address, Flow } from '../flow.ts';
import { runJob, type Job, type RawResult } from '../instance.ts';
import type { Family } from '../formats.ts';
import type { Wasm } from '../wasm.ts';

/**
 * `wake` comes first; `rest` when the worker has nothing to do. In between the job, before the module, so that an address is fetched while the page
 * still compiles; then the module, another one if the first is of another family, and the pieces of a file that the page reads. `stop` may come at any time.
 */
export type WorkerRequest =
  | { kind: 'wake'; lock: string }
  | { kind: 'rest' }
  | {
      kind: 'job';
      job: Job;
      /** Bytes come back as soon as they are read, or with the result where it was made of them where they lay; a flow's pieces follow. */
      input: Uint8Array | Blob | Address | Omit<Flow, 'pieces'>;
      /** Whether progress is reported. */
      isWatched: boolean;
    }
  /** The module of a wanted family; without a name the first one. */
  | { kind: 'module'; family: Family | ''; module: WebAssembly.Module }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'end' }
  | { kind: 'stop' };

/** `bytes`: those of the job, where the page does not have them back yet. `loaded`: how many were taken in. */
export type WorkerAnswer =
  /** Awake; `isHeld`: holding the lock of that name until it is to rest. */
  | { kind: 'ready'; lock: string; isHeld: boolean }
  | { kind: 'progress'; loaded: number; total: number | null }
  /** The file belongs to a family that the first module does not read. */
  | { kind: 'wanted'; family: Family }
  | { kind: 'read'; bytes: Uint8Array | null }
  | ({ kind: 'done'; bytes: Uint8Array | null } & RawResult)
  /** An error that cannot be cloned comes as its words. */
  | { kind: 'failed'; error: unknown; bytes: Uint8Array | null; loaded: number }
  /** The job is no longer worked at, and nothing of it follows. */
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

/** A job and what follows it. */
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

  /** Null: there are no more. */
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
    work = new Work(data.input instanceof Uint8Array ? data.input : null); // what comes late for the last job went into its own
    void answer(data, work);
  } else if (data.kind === 'module') work.coming(data.family).come(data.module);
  else if (data.kind === 'stop') {
    const { bytes, loaded } = work;
    work.stop.abort();
    scope.postMessage({ kind: 'stopped', bytes, loaded }, buffersOf(bytes));
  } else work.put(data.kind === 'piece' ? data.piece : null);
};

/** Holds a lock until the worker is to rest or ends. False where there are no locks: insecure pages, opaque origins. */
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
  const taken = async (): Promise<Flow> => {
    const flow = 'keep' in input ? { ...input, pieces: work.pieces() } : await flowOf(input, signal);
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
  work.stop.abort(); // ends a request of which not all was read
}

async function* untilStopped(pieces: Flow['pieces'], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

function fail(error: unknown, { bytes, loaded }: Work): void {
  const post = (error: unknown): void => scope.postMessage({ kind: 'failed', error, bytes, loaded }, buffersOf(bytes));
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
