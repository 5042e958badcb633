// One file through one fresh instance: bytes in, description and blocks out. The same code runs in a worker and on the calling thread.
import { instantiate } from './glue.ts';
import { failureReport } from './report.ts';
import type { Report } from './types.ts';

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
 * Reads `chunks` (one file, in order) in a fresh instance that is dropped afterwards. Bad bytes never reject: where the core itself fails,
 * the description holds no scene and a report with INTERNAL_TRAP or OUT_OF_MEMORY.
 */
export async function runJob(module: WebAssembly.Module, job: Job, chunks: readonly Uint8Array[]): Promise<RawResult> {
  const glue = await instantiate(module);
  try {
    const session = new glue.Session(totalLength(chunks), job.maxMemory);
    const input = session.input();
    let at = 0;
    if (input.length > 0) {
      for (const chunk of chunks) {
        input.set(chunk, at);
        at += chunk.length;
      }
    }
    for (const { kind, name, bytes } of job.supplied) {
      const view = session.supply(kind, name, bytes.length);
      if (view.length > 0) view.set(bytes);
    }
    if (job.task === 'scene') session.read(job.name, job.format, job.options, job.strict, job.tangents);
    else session.outline(job.name, job.format, job.options);
    const text = new TextDecoder().decode(session.description());
    const blocks = Array.from({ length: session.blockCount() }, (_, index) => {
      const block = new Uint8Array(session.blockSize(index));
      session.copyBlock(index, block);
      return block.buffer;
    });
    return { text, blocks, heapSize: glue.HEAPU8.length };
  } catch (error) {
    const isSpent = glue.heapSpent() || error instanceof RangeError; // RangeError: no memory for a block outside the heap
    const report = isSpent ? failureReport('OUT_OF_MEMORY', 'the memory of the instance is used up') : failureReport('INTERNAL_TRAP', String(error));
    return { text: emptyDescription(job.task, report), blocks: [], heapSize: glue.HEAPU8.length };
  }
}

export function totalLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

function emptyDescription(task: Job['task'], report: Report): string {
  return JSON.stringify({ format: '', version: '', ...(task === 'scene' ? { scene: null } : { outline: [] }), report });
}
