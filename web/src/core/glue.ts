// The Emscripten runtime around a compiled rigcast.wasm. The worker has it; a page loads it only to read on its own thread.
import createRigcast, { type GlueOptions, type RigcastGlue } from './wasm/rigcast.mjs';

const pageSize = 2 ** 16;
const initial = 16; // pages, as the module is linked: its data and stack lie in them
const mostPages = 65536;
const spareTime = 10_000; // ms until an unused heap of `spareSize` or less goes; larger ones go earlier
const spareSize = 64 * 2 ** 20;
const largestSpare = 4 * spareSize;

/** The heap of an instance that is done: to touch memory that is new to the process takes longer than to read a file. */
let spare: { memory: WebAssembly.Memory; timer: ReturnType<typeof setTimeout> } | undefined;

/** Of heaps with less than the most, in pages. A file gets none but its own: another would hold more, or less, than the file may take. */
const maxima = new WeakMap<WebAssembly.Memory, number>();

/**
 * A fresh instance, used for one file and then left to the garbage collector. Its heap holds no more than `maxMemory` bytes beside the
 * module's own data and stack (0: what a 32-bit heap holds). It may be that of an earlier one, unless `isSmall`: code, data and stack start anew, and the
 * rest is written before it is read.
 */
export function instantiate(module: WebAssembly.Module, maxMemory = 0, isSmall = false): Promise<RigcastGlue> {
  const ignore = (): void => {}; // what the runtime prints before it aborts is in the error as well
  return new Promise((resolve, reject) => {
    const instantiateWasm: GlueOptions['instantiateWasm'] = (imports, done) => {
      WebAssembly.instantiate(module, imports as WebAssembly.Imports).then(instance => done(instance, module), reject); // the runtime itself would stay silent
      return {};
    };
    const maximum = maxMemory > 0 ? Math.min(mostPages, initial + Math.ceil(maxMemory / pageSize)) : mostPages;
    const wasmMemory = isSmall ? new WebAssembly.Memory({ initial, maximum }) : heapOf(maximum);
    new Uint8Array(wasmMemory.buffer, 0, initial * pageSize).fill(0);
    createRigcast({ print: ignore, printErr: ignore, instantiateWasm, wasmMemory }).then(resolve, reject);
  });
}

/** Keeps the heap of an instance for the next one, for a while. The instance has done its work and is not called again. */
export function recycle({ wasmMemory }: RigcastGlue): void {
  const size = wasmMemory.buffer.byteLength;
  if (size > largestSpare || (spare && spare.memory.buffer.byteLength >= size)) return;
  takeSpare();
  const timer = setTimeout(takeSpare, spareTime * Math.min(1, spareSize / size));
  (timer as { unref?(): void }).unref?.(); // Node need not wait for it
  spare = { memory: wasmMemory, timer };
}

const helpers = new WeakMap<WebAssembly.Module, Promise<RigcastGlue>>();

/** The instance for what leaves nothing behind: what a file is for, what was left for later of one. It serves all files, until its heap is large. */
export async function helperOf(module: WebAssembly.Module): Promise<RigcastGlue> {
  const known = await helpers.get(module);
  if (known && known.HEAPU8.length <= spareSize) return known;
  const helper = instantiate(module, 0, true);
  helpers.set(module, helper);
  helper.catch(() => helpers.delete(module));
  return helper;
}

function heapOf(maximum: number): WebAssembly.Memory {
  if (spare && (maxima.get(spare.memory) ?? mostPages) === maximum) return takeSpare()!;
  const memory = new WebAssembly.Memory({ initial, maximum });
  if (maximum < mostPages) maxima.set(memory, maximum);
  return memory;
}

function takeSpare(): WebAssembly.Memory | undefined {
  const taken = spare;
  spare = undefined;
  clearTimeout(taken?.timer);
  return taken?.memory;
}
