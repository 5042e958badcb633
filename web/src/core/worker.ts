// The module worker: one job at a time, each in a fresh instance.
import { runJob, type Job, type RawResult } from './instance.ts';

export interface WorkerRequest {
  module: WebAssembly.Module;
  job: Job;
  /** The file: its bytes in order, or a Blob to be read here. */
  source: Uint8Array[] | Blob;
  /** Whether `source` shall come back with the answer. */
  returnSource: boolean;
}

export type WorkerAnswer = { kind: 'ready' } | { kind: 'read' } | ({ kind: 'done'; source?: Uint8Array[] } & RawResult) | { kind: 'failed'; message: string };

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(message: WorkerAnswer, transfer?: Transferable[]): void;
};

scope.onmessage = ({ data }) => {
  answer(data).catch((error: unknown) => scope.postMessage({ kind: 'failed', message: String(error) }));
};
scope.postMessage({ kind: 'ready' });

async function answer({ module, job, source, returnSource }: WorkerRequest): Promise<void> {
  const result = await runJob(module, job, source, () => {
    if (Array.isArray(source) && !returnSource) source.length = 0; // nobody needs them any more
    scope.postMessage({ kind: 'read' });
  });
  if (returnSource && Array.isArray(source)) scope.postMessage({ kind: 'done', ...result, source }, [...result.blocks, ...buffersOf(source)]);
  else scope.postMessage({ kind: 'done', ...result }, result.blocks);
}

/** Each buffer once: chunks of a stream may share one. */
function buffersOf(chunks: readonly Uint8Array[]): ArrayBuffer[] {
  return [...new Set(chunks.map(chunk => chunk.buffer as ArrayBuffer))];
}
