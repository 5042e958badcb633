// One file through one fresh instance: bytes in, description and blocks out. The same code runs in a worker and on the calling thread.
import { instantiate, recycle } from './glue.ts';
import { blocksFrom, headFirst, memoryAt, type Plan, planOf, pullFrom, takeIn, type Taken } from './input.ts';
import type { Family } from './formats.ts';
import type { Wasm } from './wasm.ts';
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
  /** Whether what can wait may be left for later. */
  mayDefer?: boolean;
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
  /** Family of the file's format; '' if no format recognised it. */
  family: Family | '';
  /** What was left for later (later.ts), of `taken.bytes`; null where nothing was. */
  waiting: Waiting | null;
}

/** Parts of blocks that are zeros until they are made, by a format's recipes. */
export interface Waiting {
  format: number;
  gaps: Gap[];
}

export interface Gap {
  block: number;
  offset: number;
  byteLength: number;
  recipe: Uint8Array;
}

export interface Watch {
  /** Bytes that are in the instance, of how many. */
  onProgress?: ((loaded: number, total: number | null) => void) | undefined;
  /** All of them are; `isBeside`: not in its heap, and needed until it is done. */
  onRead?: ((isBeside: boolean) => void) | undefined;
}

/** Below that, in bytes, nothing waits. */
const leastLater = 2 ** 20;

/**
 * Reads a file in a fresh instance that is dropped afterwards. Bad bytes never reject: where the core itself fails, the description holds no
 * scene and a report with INTERNAL_TRAP or OUT_OF_MEMORY. Rejects where the bytes do not come, or what reads them.
 */
export async function runJob(wasm: Wasm, job: Job, input: Flow | Promise<Flow>, { onProgress, onRead }: Watch = {}): Promise<RawResult> {
  const instanceOf = (module: WebAssembly.Module): Promise<RigcastGlue> => instantiate(module, job.maxMemory);
  const [first, flow] = await Promise.all([wasm.first.then(instanceOf), input]);
  const name = job.name || flow.name;
  const pieces = headFirst(flow.pieces);
  const head = (await pieces.next()).value ?? new Uint8Array();
  const planWith = (glue: RigcastGlue): Plan => planOf(glue, name, job.format, head, flow.byteLength ?? head.length);
  let glue = first;
  let plan = planWith(glue);
  const { family } = plan;
  if (family && !plan.isLinked) {
    recycle(glue);
    try {
      glue = await instanceOf(await wasm.with(family));
    } catch (error) {
      await pieces.return();
      throw error;
    }
    plan = planWith(glue);
  }
  glue.start(job.maxMemory, job.maxWork);
  const taken = await takeIn(glue, { ...flow, name, pieces }, job.mayDefer ? plan.outside : 0, onProgress);
  if (taken.bytes) pullFrom(glue, taken.bytes);
  const pushed = blocksFrom(glue);
  onRead?.(taken.bytes !== null);
  const result = guarded(glue, job, () => {
    for (const { kind, name, bytes } of job.supplied) {
      const room = memoryAt(glue, glue.supply(kind, name, bytes.length), bytes.length);
      if (room.length > 0) room.set(bytes);
    }
    const done =
      job.task === 'scene'
        ? glue.read(taken.name, job.format, job.options, job.strict, job.tangents)
        : glue.outline(taken.name, job.format, job.options);
    const { text, blocks, waiting } = results(glue, done, pushed);
    const isWorthIt = waiting.gaps.reduce((sum, { byteLength }) => sum + byteLength, 0) >= leastLater;
    if (!isWorthIt) for (const gap of waiting.gaps) fill(glue, waiting.format, gap, blocks[gap.block]!);
    if (text.length < largeText) recycle(glue);
    return { text, blocks, waiting: isWorthIt ? waiting : null };
  });
  return {
    ...result,
    heapSize: glue.HEAPU8.length,
    cost: { memory: glue.cost(0), allocated: glue.cost(1), steps: glue.cost(2) },
    taken,
    family,
  };
}

/** Makes what was left for later of a block, by this or another instance, of the file that it pulls. */
export function fill(glue: RigcastGlue, format: number, { offset, byteLength, recipe }: Gap, block: ArrayBuffer): void {
  const floats = byteLength / Float32Array.BYTES_PER_ELEMENT;
  new Uint8Array(block, offset, byteLength).set(memoryAt(glue, glue.make(format, recipe, floats), byteLength));
}

type Outcome = Pick<RawResult, 'text' | 'blocks' | 'waiting'>;

/** What the core fails at becomes a description. */
function guarded(glue: RigcastGlue, job: Job, work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    const isSpent = glue.heapSpent() || error instanceof RangeError; // RangeError: no memory for a block outside the heap
    const report = isSpent
      ? failureReport('OUT_OF_MEMORY', 'the memory of the instance is used up')
      : failureReport('INTERNAL_TRAP', String(error));
    return { text: emptyDescription(job.task, report), blocks: [], waiting: null };
  }
}

/** Copies what lies in the heap, as the words at `address` tell (`whatCameOut` in bindings.cpp). */
function results(glue: RigcastGlue, address: number, pushed: ReadonlyMap<number, ArrayBuffer>): Outcome & { waiting: Waiting } {
  const words = new Uint32Array(glue.HEAPU8.buffer, address);
  let at = 0;
  const next = (): { address: number; length: number } => ({ address: words[at++]!, length: words[at++]! });
  const copied = ({ address, length }: ReturnType<typeof next>): Uint8Array => memoryAt(glue, address, length);
  const text = new TextDecoder().decode(copied(next()));
  const waiting: Waiting = { format: words[at++]!, gaps: [] };
  const blocks = Array.from({ length: words[at++]! }, (_, block) => {
    const recipe = copied(next());
    const pieces = Array.from({ length: words[at++]! }, next);
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const room = pushed.get(block) ?? new ArrayBuffer(size);
    const buffer = room.byteLength === size ? room : room.slice(0, size); // triangles that were left out
    const made = new Uint8Array(buffer);
    let end = 0;
    for (const piece of pieces) {
      if (piece.address) made.set(copied(piece), end);
      else if (recipe.length) waiting.gaps.push({ block, offset: end, byteLength: piece.length, recipe: recipe.slice() });
      end += piece.length;
    }
    return buffer;
  });
  return { text, blocks, waiting };
}

function emptyDescription(task: Job['task'], report: Report): string {
  return JSON.stringify({ format: '', version: '', references: [], ...(task === 'scene' ? { scene: null } : { outline: [] }), report });
}
