// The interface of wasm/bindings/bindings.cpp, as built by Emscripten. tests/web/core/glue.test.ts
// compares it with the built module.

/**
 * An instance reads one file: call `start`, fill its input, then call `read` or `outline` once. An
 * instance that reads no file can decode deferred columns with `decodeColumn`.
 */
export interface RigcastGlue {
  readonly HEAPU8: Uint8Array;
  /** The memory that was passed to the module. */
  readonly wasmMemory: WebAssembly.Memory;
  /** 0: derived from the size of the file. */
  start(maxMemory: number, maxWork: number): void;
  /**
   * Returns the address of the file's memory, to be filled before the next call. Can be called
   * again to resize it; existing bytes are kept. Returns 0 and changes nothing if the memory does
   * not fit; unless a smaller size follows, reading then reports OUT_OF_MEMORY.
   */
  input(byteLength: number): number;
  /**
   * Plans the reading of a file with this head. Returns "family isLinked outside" (`plan` in
   * bindings.cpp).
   */
  plan(name: string, format: string, head: string | Uint8Array, byteLength: number): string;
  /**
   * Alternative to `input` for a file outside the heap: the core calls `readFile` to copy ranges of
   * the file into the heap, and defers columns that are slow to decode until `decodeColumn` is
   * called. Returns false if the memory does not fit.
   */
  useExternalFile(byteLength: number): boolean;
  readFile?: (offset: number, byteLength: number, address: number) => void;
  /**
   * Optional callback during reading: allocates memory for a block, of which only the start may be
   * used; 0 bytes if none is needed. Returns false if the allocation fails.
   */
  allocateBlock?: (block: number, byteLength: number) => boolean;
  /** Callback during reading: copies bytes into an allocated block. */
  writeBlock?: (block: number, offset: number, byteLength: number, address: number) => void;
  /**
   * Decodes a deferred column. Returns the address of `floats` numbers, valid until the next call.
   * Calls `readFile` for bytes of the file.
   */
  decodeColumn(format: number, parameters: string | Uint8Array, floats: number): number;
  /** Returns the address of a companion file's memory, to be filled before the next call. */
  supply(kind: string, name: string, byteLength: number): number;
  /** Returns the address of the results (`results` in instance.ts), valid until the next call. */
  readScene(name: string, format: string, options: string, strict: boolean, tangents: boolean): number;
  /** Same as `read`. */
  outline(name: string, format: string, options: string): number;
  /** Cost of the last call: 0 peak bytes in use, 1 total bytes allocated, 2 steps of work. */
  cost(which: number): number;
  /** Returns "format role wanted" (see `probeFile` in bindings.cpp). */
  probe(name: string, size: number, pieces: string | Uint8Array): string;
  heapSpent(): boolean;
}

export interface GlueOptions {
  /** The heap, zeroed in the range of the instance's code and data. */
  wasmMemory?: WebAssembly.Memory;
  instantiateWasm(imports: object, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object;
  print?(text: string): void;
  printErr?(text: string): void;
}

export default function createRigcast(options: GlueOptions): Promise<RigcastGlue>;
