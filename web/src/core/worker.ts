// The module worker: one job at a time, each in a fresh instance.
import { flowOf } from './input.ts';
import type { Address, Flow } from './source.ts';
import { runJob, type Job, type RawResult } from './instance.ts';

/** First the job, so that an address is fetched while the page still compiles; then the module, and the pieces of a file that the page reads. */
export type WorkerRequest =
  | {
    kind: 'job';
    job: Job;
    /** Bytes come back with the answer; a flow's pieces follow. */
    input: Uint8Array | Blob | Address | Omit<Flow, 'pieces'>;
    /** Whether progress shall be told. */
    isWatched: boolean;
  }
  | { kind: 'module'; module: WebAssembly.Module }
  | { kind: 'piece'; piece: Uint8Array }
  | { kind: 'end' };

export type WorkerAnswer =
  | { kind: 'ready' }
  | { kind: 'progress'; loaded: number; total: number | null }
  | { kind: 'read' }
  | ({ kind: 'done'; bytes: Uint8Array | null } & RawResult)
  | { kind: 'failed'; error: unknown };

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(message: WorkerAnswer, transfer?: Transferable[]): void;
};

/** What follows a job. */
class Inbox {
  module!: (module: WebAssembly.Module) => void;
  readonly comingModule = new Promise<WebAssembly.Module>(resolve => (this.module = resolve));
  readonly #pieces: Uint8Array[] = [];
  #isEnded = false;
  #wake = (): void => {};

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

let inbox = new Inbox();

scope.onmessage = ({ data }) => {
  if (data.kind === 'job') {
    inbox = new Inbox(); // what comes late for the last job went into its own
    answer(data, inbox).catch((error: unknown) => scope.postMessage({ kind: 'failed', error }));
  } else if (data.kind === 'module') inbox.module(data.module);
  else inbox.put(data.kind === 'piece' ? data.piece : null);
};
scope.postMessage({ kind: 'ready' });

const progressEvery = 50; // ms

async function answer({ job, input, isWatched }: WorkerRequest & { kind: 'job' }, inbox: Inbox): Promise<void> {
  const flow = 'keep' in input ? { ...input, pieces: inbox.pieces() } : flowOf(input);
  let last = 0;
  let late: WorkerAnswer | undefined;
  const onProgress = (loaded: number, total: number | null): void => {
    late = { kind: 'progress', loaded, total };
    if (performance.now() - last < progressEvery) return;
    tellLate();
    last = performance.now();
  };
  const tellLate = (): void => {
    if (late) scope.postMessage(late);
    late = undefined;
  };
  const onRead = (): void => {
    tellLate();
    scope.postMessage({ kind: 'read' });
  };
  const result = await runJob(inbox.comingModule, job, flow, { onProgress: isWatched ? onProgress : undefined, onRead });
  const bytes = input instanceof Uint8Array ? input : null;
  scope.postMessage({ kind: 'done', ...result, bytes }, bytes ? [...result.blocks, bytes.buffer as ArrayBuffer] : result.blocks);
}
