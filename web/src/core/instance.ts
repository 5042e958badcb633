// One file through one fresh instance: bytes in, description and blocks out. The same code runs in a worker and on the calling thread.
import { instantiate } from './glue.ts';
import { failureReport } from './report.ts';
import type { Report } from './types.ts';
import type { RigcastGlue, Session } from './wasm/rigcast.mjs';

/** A companion file that JavaScript found for a need of this name. */
export interface Supplied {
  kind: string;
  name: string;
  bytes: Uint8Array;
}

export interface Job {
  task: 'scene' | 'outline';
  name: string;
  /** Id of the format, '' to find out. */
  format: string;
  /** JSON of the whole `formatOptions` object. */
  options: string;
  strict: boolean;
  tangents: boolean;
  /** Bytes; 0: what the heap holds. */
  maxMemory: number;
  supplied: Supplied[];
}

/** What came out: JSON (description.ts documents it) and the blocks that it refers to, each an ArrayBuffer of its own. */
export interface RawResult {
  text: string;
  blocks: ArrayBuffer[];
  /** Size of the instance's heap when it was done. */
  heapSize: number;
}

/**
 * Reads a file (its bytes in order, or a Blob) in a fresh instance that is dropped afterwards. `onRead`: its bytes are in the instance.
 * Bad bytes never reject: where the core itself fails, the description holds no scene and a report with INTERNAL_TRAP or OUT_OF_MEMORY.
 * Rejects where a Blob cannot be read.
 */
export async function runJob(module: WebAssembly.Module, job: Job, source: readonly Uint8Array[] | Blob, onRead = (): void => {}): Promise<RawResult> {
  const glue = await instantiate(module);
  const session = guarded(glue, job, () => new glue.Session(source instanceof Blob ? source.size : totalLength(source), job.maxMemory));
  if (!('input' in session)) return session;
  const input = session.input();
  if (input.length > 0) {
    let at = 0;
    const put = (chunk: Uint8Array): void => {
      input.set(chunk, at);
      at += chunk.length;
    };
    if (source instanceof Blob) await eachSlice(source, put);
    else source.forEach(put);
  }
  onRead();
  return guarded(glue, job, () => {
    for (const { kind, name, bytes } of job.supplied) {
      const view = session.supply(kind, name, bytes.length);
      if (view.length > 0) view.set(bytes);
    }
    if (job.task === 'scene') session.read(job.name, job.format, job.options, job.strict, job.tangents);
    else session.outline(job.name, job.format, job.options);
    const text = new TextDecoder().decode(session.description());
    const blocks = Array.from({ length: session.blockCount() }, (_, index) => copyBlock(glue, session, index));
    return { text, blocks, heapSize: glue.HEAPU8.length };
  });
}

/** What the core fails at becomes a description. */
function guarded<T>(glue: RigcastGlue, job: Job, work: () => T): T | RawResult {
  try {
    return work();
  } catch (error) {
    const isSpent = glue.heapSpent() || error instanceof RangeError; // RangeError: no memory for a block outside the heap
    const report = isSpent ? failureReport('OUT_OF_MEMORY', 'the memory of the instance is used up') : failureReport('INTERNAL_TRAP', String(error));
    return { text: emptyDescription(job.task, report), blocks: [], heapSize: glue.HEAPU8.length };
  }
}

function copyBlock({ HEAPU8 }: RigcastGlue, session: Session, index: number): ArrayBuffer {
  const block = new Uint8Array(session.blockSize(index));
  const pieces = session.pieces(index);
  for (let i = 0, at = 0; i < pieces.length; i += 2) {
    const address = pieces[i]!, size = pieces[i + 1]!;
    block.set(HEAPU8.subarray(address, address + size), at);
    at += size;
  }
  return block.buffer;
}

const sliceSize = 8 * 2 ** 20;

/** The bytes of a Blob in order: never all of them at once, the next ones on their way while `use` has the last. */
async function eachSlice(blob: Blob, use: (bytes: Uint8Array) => void): Promise<void> {
  const read = (at: number): Promise<ArrayBuffer> => blob.slice(at, at + sliceSize).arrayBuffer();
  let next = read(0);
  for (let at = 0; at < blob.size; at += sliceSize) {
    const bytes = await next;
    if (at + sliceSize < blob.size) next = read(at + sliceSize);
    use(new Uint8Array(bytes));
  }
}

export function totalLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

function emptyDescription(task: Job['task'], report: Report): string {
  return JSON.stringify({ format: '', version: '', ...(task === 'scene' ? { scene: null, references: [] } : { outline: [] }), report });
}
