// One file through one fresh instance: bytes in, description and blocks out. The same code runs in a worker and on the calling thread.
import { instantiate, recycle } from './glue.ts';
import { memoryAt, takeIn, type Taken } from './input.ts';
import { failureReport } from './report.ts';
import type { Flow } from './flow.ts';
import type { Report } from './types.ts';
import type { RigcastGlue } from './wasm/rigcast.mjs';

/** The objects that are made of a description take a multiple of its size: beside that much of it no unused heap is kept. */
const largeText = 2 ** 20;

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
  /** Bytes; 0: by the size of the file. */
  maxMemory: number;
  /** Steps; 0: by the size of the file. */
  maxWork: number;
  supplied: readonly Supplied[];
}

/** What came out: JSON (description.ts documents it) and the blocks that it refers to, each an ArrayBuffer of its own. */
export interface RawResult {
  text: string;
  blocks: ArrayBuffer[];
  /** Size of the instance's heap when it was done. */
  heapSize: number;
  /** Bytes in use at a time at most, bytes asked for in all, steps of work: of what was made of the file. */
  cost: { memory: number; allocated: number; steps: number };
  taken: Taken;
}

export interface Watch {
  /** Bytes that are in the instance, of how many. */
  onProgress?: ((loaded: number, total: number | null) => void) | undefined;
  /** All of them are. */
  onRead?: (() => void) | undefined;
}

/**
 * Reads a file in a fresh instance that is dropped afterwards. Bad bytes never reject: where the core itself fails, the description holds no
 * scene and a report with INTERNAL_TRAP or OUT_OF_MEMORY. Rejects where the bytes do not come.
 */
export async function runJob(
  module: WebAssembly.Module | Promise<WebAssembly.Module>,
  job: Job,
  input: Flow | Promise<Flow>,
  { onProgress, onRead }: Watch = {},
): Promise<RawResult> {
  const [glue, flow] = await Promise.all([Promise.resolve(module).then(compiled => instantiate(compiled, job.maxMemory)), input]);
  glue.start(job.maxMemory, job.maxWork);
  const taken = await takeIn(glue, { ...flow, name: job.name || flow.name }, onProgress);
  onRead?.();
  const result = guarded(glue, job, () => {
    for (const { kind, name, bytes } of job.supplied) {
      const room = memoryAt(glue, glue.supply(kind, name, bytes.length), bytes.length);
      if (room.length > 0) room.set(bytes);
    }
    const done =
      job.task === 'scene'
        ? glue.read(taken.name, job.format, job.options, job.strict, job.tangents)
        : glue.outline(taken.name, job.format, job.options);
    const result = results(glue, done);
    if (result.text.length < largeText) recycle(glue);
    return result;
  });
  return { ...result, heapSize: glue.HEAPU8.length, cost: { memory: glue.cost(0), allocated: glue.cost(1), steps: glue.cost(2) }, taken };
}

/** What the core fails at becomes a description. */
function guarded(glue: RigcastGlue, job: Job, work: () => Pick<RawResult, 'text' | 'blocks'>): Pick<RawResult, 'text' | 'blocks'> {
  try {
    return work();
  } catch (error) {
    const isSpent = glue.heapSpent() || error instanceof RangeError; // RangeError: no memory for a block outside the heap
    const report = isSpent
      ? failureReport('OUT_OF_MEMORY', 'the memory of the instance is used up')
      : failureReport('INTERNAL_TRAP', String(error));
    return { text: emptyDescription(job.task, report), blocks: [] };
  }
}

/** Copies what lies in the heap, as the words at `address` tell (`whatCameOut` in bindings.cpp). */
function results(glue: RigcastGlue, address: number): Pick<RawResult, 'text' | 'blocks'> {
  const words = new Uint32Array(glue.HEAPU8.buffer, address);
  let at = 0;
  const nextMemory = (): Uint8Array => memoryAt(glue, words[at++]!, words[at++]!);
  const text = new TextDecoder().decode(nextMemory());
  const blocks = Array.from({ length: words[at++]! }, () => {
    const pieces = Array.from({ length: words[at++]! }, nextMemory);
    const block = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let end = 0;
    for (const piece of pieces) {
      block.set(piece, end);
      end += piece.length;
    }
    return block.buffer;
  });
  return { text, blocks };
}

function emptyDescription(task: Job['task'], report: Report): string {
  return JSON.stringify({ format: '', version: '', references: [], ...(task === 'scene' ? { scene: null } : { outline: [] }), report });
}
