// Types of the functions that wasm/bindings/bindings.cpp exports, in the module that Emscripten
// builds. tests/web/core/glue.test.ts compares them with the built module.

/**
 * An instance of a module, which reads one file: call `start`, write the bytes of the file to the
 * address that `input` returns, then call `readScene` or `outline` once. `decodeColumn` and `probe`
 * can be called without reading a file.
 */
export interface RigcastGlue {
  readonly HEAPU8: Uint8Array;
  /** The memory that was passed to the module. */
  readonly wasmMemory: WebAssembly.Memory;
  /**
   * Starts reading a file. `maxMemory`: maximum memory in bytes. `maxWork`: work budget in steps.
   * If one of them is 0, it is derived from the size of the file.
   */
  start(maxMemory: number, maxWork: number): void;
  /**
   * Allocates memory for the bytes of the file and returns its address. Write the bytes before the
   * next call. Another call resizes the memory and keeps its contents. Returns 0 and changes
   * nothing if the memory cannot be allocated; reading then reports OUT_OF_MEMORY, unless `input`
   * is called again with a smaller size.
   */
  input(byteLength: number): number;
  /**
   * Determines how to read a file. `head`: its first bytes. Returns the text "family isLinked
   * outside" (see `plan` in bindings.cpp).
   */
  plan(name: string, format: string, head: string | Uint8Array, byteLength: number): string;
  /**
   * Replaces `input` for a file outside the heap. While it reads, the core calls `readFile` to copy
   * ranges of the file into the heap. Columns that are slow to decode are deferred, until
   * `decodeColumn` is called for them. Returns false if the memory cannot be allocated.
   */
  useExternalFile(byteLength: number): boolean;
  readFile?: (offset: number, byteLength: number, address: number) => void;
  /** Optional callback: announces a range of the file that the core reads next. */
  announceRange?: (offset: number, byteLength: number) => void;
  /**
   * Selects the clip whose keys `readScene` reads: its index, -1 for no clip, -2 for every clip
   * (default).
   */
  selectClip(clip: number): void;
  /**
   * Optional callback: allocates memory for a block, of which possibly only the start is used. If
   * `byteLength` is 0, releases the memory of the block. Returns false if the allocation fails.
   */
  allocateBlock?: (block: number, byteLength: number) => boolean;
  /** Callback: copies bytes from the heap into an allocated block. */
  writeBlock?: (block: number, offset: number, byteLength: number, address: number) => void;
  /**
   * Decodes a deferred column with `floats` numbers. Returns the address of the numbers, which is
   * valid until the next call. Calls `readFile` to get bytes of the file.
   */
  decodeColumn(format: number, parameters: string | Uint8Array, floats: number): number;
  /**
   * Allocates memory for a companion file and returns its address. Write the bytes of the file
   * before the next call.
   */
  supply(kind: string, name: string, byteLength: number): number;
  /**
   * Reads the scene. Returns the address of the results (see `results` in instance.ts), which is
   * valid until the next call.
   */
  readScene(name: string, format: string, options: string, strict: boolean, tangents: boolean): number;
  /** Reads the outline. Returns the address of the results in the same way as `readScene`. */
  outline(name: string, format: string, options: string): number;
  /**
   * Returns a cost of the last call of `readScene` or `outline`. `which`: 0 for peak memory in
   * bytes, 1 for total allocated memory in bytes, 2 for work steps.
   */
  cost(which: number): number;
  /**
   * Determines the format and the role of a file from ranges of its bytes. Returns the text "format
   * role wanted" (see `probeFile` in bindings.cpp).
   */
  probe(name: string, size: number, pieces: string | Uint8Array): string;
  heapSpent(): boolean;
}

export interface GlueOptions {
  /** The heap. Its initial pages, which contain data and stack, must be zero. */
  wasmMemory?: WebAssembly.Memory;
  instantiateWasm(imports: object, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object;
  print?(text: string): void;
  printErr?(text: string): void;
}

export default function createRigcast(options: GlueOptions): Promise<RigcastGlue>;
