// Creates instances of a compiled module with the Emscripten runtime. Loaded by the worker; a page
// loads this file only if it reads on its own thread.
import createRigcast, { type GlueOptions, type RigcastGlue } from './wasm/rigcast.mjs';

const pageSize = 2 ** 16;
const initial = 16; // initial heap size in pages of 64 KiB, which the linker reserves for data and stack
const maxPages = 65536;
const spareTime = 10_000; // ms after which an unused heap is released; heaps larger than `spareSize` are released earlier
const spareSize = 64 * 2 ** 20;
const largestSpare = 4 * spareSize;

/**
 * Heap of a finished instance. Reusing it avoids first-touch page faults, which take longer than
 * reading a file.
 */
let spare: { memory: WebAssembly.Memory; timer: ReturnType<typeof setTimeout> } | undefined;

/**
 * Maximum size, in pages, of each heap that has a limit below the 32-bit maximum. A heap can be
 * reused only for a file with the same memory limit.
 */
const maxima = new WeakMap<WebAssembly.Memory, number>();

/**
 * Creates an instance for one file. `maxMemory`: maximum heap size in bytes, not counting the
 * module's own data and stack; 0 for the 32-bit maximum. May reuse an earlier heap, unless
 * `isSmall` is set. This is safe, because data and stack are initialized again and all other memory
 * is written before it is read.
 */
export function instantiate(module: WebAssembly.Module, maxMemory = 0, isSmall = false): Promise<RigcastGlue> {
  const ignore = (): void => {}; // ignores what the runtime prints before it aborts; the error contains the same text
  return new Promise((resolve, reject) => {
    const instantiateWasm: GlueOptions['instantiateWasm'] = (imports, done) => {
      WebAssembly.instantiate(module, imports as WebAssembly.Imports).then(instance => done(instance, module), reject); // the runtime would swallow this rejection
      return {};
    };
    const maximum = maxMemory > 0 ? Math.min(maxPages, initial + Math.ceil(maxMemory / pageSize)) : maxPages;
    const wasmMemory = isSmall ? new WebAssembly.Memory({ initial, maximum }) : heapOf(maximum);
    new Uint8Array(wasmMemory.buffer, 0, initial * pageSize).fill(0);
    createRigcast({ print: ignore, printErr: ignore, instantiateWasm, wasmMemory }).then(resolve, reject);
  });
}

/**
 * Keeps the heap of a finished instance for the next instance, for a limited time. Do not use the
 * finished instance afterwards.
 */
export function keepHeap({ wasmMemory }: RigcastGlue): void {
  const size = wasmMemory.buffer.byteLength;
  if (size > largestSpare || (spare && spare.memory.buffer.byteLength >= size)) return;
  takeSpare();
  const timer = setTimeout(takeSpare, spareTime * Math.min(1, spareSize / size));
  (timer as { unref?(): void }).unref?.(); // does not keep Node running
  spare = { memory: wasmMemory, timer };
}

const helpers = new WeakMap<WebAssembly.Module, Promise<RigcastGlue>>();

/**
 * Returns an instance for calls that keep no state, such as probing and decoding deferred blocks.
 * All files share this instance, which is replaced when its heap becomes large.
 */
export async function helperOf(module: WebAssembly.Module): Promise<RigcastGlue> {
  const known = await helpers.get(module);
  if (known && known.HEAPU8.length <= spareSize) return known;
  const helper = instantiate(module, 0, true);
  helpers.set(module, helper);
  helper.catch(() => helpers.delete(module));
  return helper;
}

function heapOf(maximum: number): WebAssembly.Memory {
  if (spare && (maxima.get(spare.memory) ?? maxPages) === maximum) return takeSpare()!;
  const memory = new WebAssembly.Memory({ initial, maximum });
  if (maximum < maxPages) maxima.set(memory, maximum);
  return memory;
}

function takeSpare(): WebAssembly.Memory | undefined {
  const taken = spare;
  spare = undefined;
  clearTimeout(taken?.timer);
  return taken?.memory;
}
