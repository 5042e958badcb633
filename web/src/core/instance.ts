// Reads one file in a fresh instance, which converts bytes to a description and blocks. Used in the
// worker and on the calling thread.
import { instantiate, keepHeap } from './glue.ts';
import { blocksFrom, withHead, memoryAt, type Plan, planOf, serveFile, readInput, type InputBytes } from './input.ts';
import type { Family } from './formats.ts';
import { readInParts } from './readInParts.ts';
import { MissingRange } from './ranges.ts';
import type { Wasm } from './wasm.ts';
import { failureReport } from './report.ts';
import type { ByteStream } from './byteStream.ts';
import type { Report } from './types.ts';
import type { RigcastGlue } from './wasm/rigcast.mjs';

/**
 * Maximum length of a description, in characters, up to which the heap is kept for the next file.
 * The objects that are decoded from a longer description take so much memory that the heap is
 * released.
 */
const largeText = 2 ** 20;

/** A companion file. It satisfies the need that has the same kind and name. */
export interface Supplied {
  kind: string;
  name: string;
  bytes: Uint8Array;
}

export interface Job {
  task: 'scene' | 'outline';
  name: string;
  /** Format id; '' to detect it. */
  format: string;
  /** The `formatOptions` object as JSON, without keys. */
  options: string;
  strict: boolean;
  tangents: boolean;
  /** Maximum memory in bytes; 0 to derive it from the size of the file. */
  maxMemory: number;
  /** Work budget in steps; 0 to derive it from the size of the file. */
  maxWork: number;
  /** True if the decoding of keys may be deferred. */
  canDefer?: boolean;
  /**
   * Reads a remote file in parts, if possible. -1 reads all clips without keys, an index only this
   * clip with its keys. Undefined reads the whole file.
   */
  clip?: number | undefined;
  supplied: readonly Supplied[];
}

/**
 * The result of a job. `text` is a description in JSON, documented in description.ts; `blocks` are
 * the blocks that it refers to.
 */
export interface RawResult {
  text: string;
  blocks: ArrayBuffer[];
  /** Size of the instance's heap in bytes after the job. */
  heapSize: number;
  /** Peak memory and total allocated memory, in bytes, and the number of steps of work. */
  cost: { memory: number; allocated: number; steps: number };
  taken: InputBytes;
  /** Family of the file's format; '' if no format recognised it. */
  family: Family | '';
  /**
   * Parts of the blocks that deferredKeys.ts decodes later from `taken.bytes`; null if there are
   * none.
   */
  deferred: DeferredBlocks | null;
}

/**
 * Byte ranges of blocks whose decoding is deferred, with the parameters for decoding them. The
 * ranges contain zeros until they are decoded.
 */
export interface DeferredBlocks {
  format: number;
  gaps: Gap[];
}

export interface Gap {
  block: number;
  offset: number;
  byteLength: number;
  parameters: Uint8Array;
}

export interface Watch {
  /**
   * Called when bytes have been read. `loaded`: number of bytes read so far. `total`: size of the
   * file in bytes; null if unknown.
   */
  onProgress?: ((loaded: number, total: number | null) => void) | undefined;
  /**
   * Called when all bytes have been read. `isBeside`: true if the bytes are outside the heap, so
   * that they are needed until the job ends.
   */
  onRead?: ((isBeside: boolean) => void) | undefined;
}

/** Minimum size, in bytes, of a block whose decoding is deferred. */
const minDeferred = 2 ** 20;

/**
 * Reads a file in a fresh instance that is discarded afterwards. Never rejects because of invalid
 * bytes: if the core itself fails, the description contains no scene and a report with
 * INTERNAL_TRAP or OUT_OF_MEMORY. Rejects if the bytes or the module cannot be loaded.
 */
export async function runJob(
  wasm: Wasm,
  job: Job,
  input: ByteStream | Promise<ByteStream>,
  { onProgress, onRead }: Watch = {},
): Promise<RawResult> {
  const instanceOf = (module: WebAssembly.Module): Promise<RigcastGlue> => instantiate(module, job.maxMemory);
  const [first, given] = await Promise.all([wasm.first.then(instanceOf), input]);
  let flow = given;
  const name = job.name || flow.name;
  if (flow.parts) {
    const instanceFor = async (family: Family | ''): Promise<RigcastGlue> => instanceOf(await (family ? wasm.with(family) : wasm.first));
    const read = (glue: RigcastGlue, taken: InputBytes, family: Family): RawResult => readTaken(glue, job, taken, family);
    const result = await readInParts(job, name, flow.parts, instanceFor, read, onProgress);
    if (!('pieces' in result)) return result;
    flow = result;
  }
  const pieces = withHead(flow.pieces);
  const head = (await pieces.next()).value ?? new Uint8Array();
  const planWith = (glue: RigcastGlue): Plan => planOf(glue, name, job.format, head, flow.byteLength ?? head.length);
  let glue = first;
  let plan = planWith(glue);
  const { family } = plan;
  if (family && !plan.isLinked) {
    keepHeap(glue);
    try {
      glue = await instanceOf(await wasm.with(family));
    } catch (error) {
      await pieces.return();
      throw error;
    }
    plan = planWith(glue);
  }
  glue.start(job.maxMemory, job.maxWork);
  const taken = await readInput(glue, { ...flow, name, pieces }, job.canDefer ? plan.outside : 0, onProgress);
  if (flow.refused) taken.refused = { reason: flow.refused.reason, detail: flow.refused.detail };
  if (taken.bytes) serveFile(glue, taken.bytes);
  onRead?.(taken.bytes !== null);
  return readTaken(glue, job, taken, family);
}

/** Reads a file after its bytes were passed to the instance. */
function readTaken(glue: RigcastGlue, job: Job, taken: InputBytes, family: Family | ''): RawResult {
  const pushed = blocksFrom(glue);
  const result = guarded(glue, job, () => {
    for (const { kind, name, bytes } of job.supplied) {
      const room = memoryAt(glue, glue.supply(kind, name, bytes.length), bytes.length);
      if (room.length > 0) room.set(bytes);
    }
    const done =
      job.task === 'scene'
        ? glue.readScene(taken.name, job.format, job.options, job.strict, job.tangents)
        : glue.outline(taken.name, job.format, job.options);
    const { text, blocks, deferred } = results(glue, done, pushed);
    const isWorthIt = taken.bytes !== null && deferred.gaps.reduce((sum, { byteLength }) => sum + byteLength, 0) >= minDeferred;
    if (!isWorthIt) for (const gap of deferred.gaps) decodeBlock(glue, deferred.format, gap, blocks[gap.block]!);
    if (text.length < largeText) keepHeap(glue);
    return { text, blocks, deferred: isWorthIt ? deferred : null };
  });
  return {
    ...result,
    heapSize: glue.HEAPU8.length,
    cost: { memory: glue.cost(0), allocated: glue.cost(1), steps: glue.cost(2) },
    taken,
    family,
  };
}

/** Decodes a deferred part of a block. Any instance of the same module can do so. */
export function decodeBlock(glue: RigcastGlue, format: number, { offset, byteLength, parameters }: Gap, block: ArrayBuffer): void {
  const floats = byteLength / Float32Array.BYTES_PER_ELEMENT;
  new Uint8Array(block, offset, byteLength).set(memoryAt(glue, glue.decodeColumn(format, parameters, floats), byteLength));
}

type Outcome = Pick<RawResult, 'text' | 'blocks' | 'deferred'>;

/** Runs `work`. If the core fails, returns an outcome whose description contains only a report. */
function guarded(glue: RigcastGlue, job: Job, work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof MissingRange) throw error; // not a failure: the reader starts again when the part has arrived
    const isSpent = glue.heapSpent() || error instanceof RangeError; // a RangeError means that a block outside the heap could not be allocated
    const report = isSpent
      ? failureReport('OUT_OF_MEMORY', 'the memory of the instance is used up')
      : failureReport('INTERNAL_TRAP', String(error));
    return { text: emptyDescription(job.task, report), blocks: [], deferred: null };
  }
}

/**
 * Copies the results of a job from the heap. `address`: address of the result table (see
 * `resultAddress` in bindings.cpp).
 */
function results(glue: RigcastGlue, address: number, pushed: ReadonlyMap<number, ArrayBuffer>): Outcome & { deferred: DeferredBlocks } {
  const words = new Uint32Array(glue.HEAPU8.buffer, address);
  let at = 0;
  const next = (): { address: number; length: number } => ({ address: words[at++]!, length: words[at++]! });
  const copied = ({ address, length }: ReturnType<typeof next>): Uint8Array => memoryAt(glue, address, length);
  const text = new TextDecoder().decode(copied(next()));
  const deferred: DeferredBlocks = { format: words[at++]!, gaps: [] };
  const blocks = Array.from({ length: words[at++]! }, (_, block) => {
    const parameters = copied(next());
    const pieces = Array.from({ length: words[at++]! }, next);
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const room = pushed.get(block) ?? new ArrayBuffer(size);
    const buffer = room.byteLength === size ? room : room.slice(0, size); // the block is smaller than expected if invalid triangles were left out
    const made = new Uint8Array(buffer);
    let end = 0;
    for (const piece of pieces) {
      if (piece.address) made.set(copied(piece), end);
      else if (parameters.length) deferred.gaps.push({ block, offset: end, byteLength: piece.length, parameters: parameters.slice() });
      end += piece.length;
    }
    return buffer;
  });
  return { text, blocks, deferred: deferred };
}

function emptyDescription(task: Job['task'], report: Report): string {
  return JSON.stringify({ format: '', version: '', references: [], ...(task === 'scene' ? { scene: null } : { outline: [] }), report });
}
