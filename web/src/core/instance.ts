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
  /** Where `runJob` was to leave for later what can wait, and did. */
  later?: Later;
}

export interface Watch {
  /** Bytes that are in the instance, of how many. */
  onProgress?: ((loaded: number, total: number | null) => void) | undefined;
  /** All of them are. */
  onRead?: (() => void) | undefined;
}

/** What can wait: the contents of blocks that are zeros until then. Holds the instance and what it needs of the file. */
export class Later {
  readonly #glue: RigcastGlue;
  readonly #gaps: Map<number, Uint8Array>;

  constructor(glue: RigcastGlue, gaps: Map<number, Uint8Array>) {
    this.#glue = glue;
    this.#gaps = gaps;
  }

  /** Makes what is left of a block, so that nothing is missing in it. */
  make(block: number): void {
    const gap = this.#gaps.get(block);
    if (!gap) return;
    gap.set(memoryAt(this.#glue, this.#glue.make(block), gap.length));
    this.#gaps.delete(block);
    if (this.#gaps.size === 0) recycle(this.#glue);
  }

  makeAll(): void {
    for (const block of this.#gaps.keys()) this.make(block);
  }
}

/** A page's address space has room for some hundred heaps: the oldest of so many instances is not kept any longer. */
const mostKept = 16;
const kept: WeakRef<Later>[] = [];

/** Below that an instance is not worth keeping. */
const leastLater = 2 ** 20;

function keep(later: Later): Later {
  if (kept.push(new WeakRef(later)) > mostKept) kept.shift()!.deref()?.makeAll();
  return later;
}

/**
 * Reads a file in a fresh instance that is dropped afterwards, or, with `mayDefer`, kept for what can wait. Bad bytes never reject: where the core itself fails, the description holds no
 * scene and a report with INTERNAL_TRAP or OUT_OF_MEMORY. Rejects where the bytes do not come.
 */
export async function runJob(
  module: WebAssembly.Module | Promise<WebAssembly.Module>,
  job: Job,
  input: Flow | Promise<Flow>,
  { onProgress, onRead }: Watch = {},
  mayDefer = false,
): Promise<RawResult> {
  const [glue, flow] = await Promise.all([Promise.resolve(module).then(compiled => instantiate(compiled, job.maxMemory)), input]);
  glue.start(job.maxMemory, job.maxWork);
  const taken = await takeIn(glue, { ...flow, name: job.name || flow.name }, onProgress);
  if (mayDefer) glue.defer(flow.lasting !== undefined);
  onRead?.();
  let later: Later | undefined;
  const result = guarded(glue, job, () => {
    for (const { kind, name, bytes } of job.supplied) {
      const room = memoryAt(glue, glue.supply(kind, name, bytes.length), bytes.length);
      if (room.length > 0) room.set(bytes);
    }
    const done =
      job.task === 'scene'
        ? glue.read(taken.name, job.format, job.options, job.strict, job.tangents)
        : glue.outline(taken.name, job.format, job.options);
    const { gaps, ...result } = results(glue, done);
    const size = [...gaps.values()].reduce((sum, gap) => sum + gap.length, 0);
    if (size >= leastLater) later = keep(new Later(glue, gaps));
    else {
      for (const [block, gap] of gaps) gap.set(memoryAt(glue, glue.make(block), gap.length));
      if (result.text.length < largeText) recycle(glue);
    }
    return result;
  });
  return {
    ...result,
    ...(later && { later }),
    heapSize: glue.HEAPU8.length,
    cost: { memory: glue.cost(0), allocated: glue.cost(1), steps: glue.cost(2) },
    taken,
  };
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
function results(glue: RigcastGlue, address: number): Pick<RawResult, 'text' | 'blocks'> & { gaps: Map<number, Uint8Array> } {
  const words = new Uint32Array(glue.HEAPU8.buffer, address);
  const gaps = new Map<number, Uint8Array>(); // what was left for later, by block
  let at = 0;
  const next = (): { address: number; length: number } => ({ address: words[at++]!, length: words[at++]! });
  const copied = ({ address, length }: ReturnType<typeof next>): Uint8Array => memoryAt(glue, address, length);
  const text = new TextDecoder().decode(copied(next()));
  const blocks = Array.from({ length: words[at++]! }, (_, index) => {
    const pieces = Array.from({ length: words[at++]! }, next);
    const block = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let end = 0;
    for (const piece of pieces) {
      if (piece.address) block.set(copied(piece), end);
      else if (piece.length) gaps.set(index, block.subarray(end, end + piece.length));
      end += piece.length;
    }
    return block.buffer;
  });
  return { text, blocks, gaps };
}

function emptyDescription(task: Job['task'], report: Report): string {
  return JSON.stringify({ format: '', version: '', references: [], ...(task === 'scene' ? { scene: null } : { outline: [] }), report });
}
