// What wasm/bindings/bindings.cpp offers, as built by Emscripten. tests/web/core/glue.test.ts compares this with the built module.

/** An instance reads one file: `start`, its bytes, then `read` or `outline` once. One that reads none can `make` what others have left for later. */
export interface RigcastGlue {
  readonly HEAPU8: Uint8Array;
  /** As it was given. */
  readonly wasmMemory: WebAssembly.Memory;
  /** 0: by the size of what comes in. */
  start(maxMemory: number, maxWork: number): void;
  /**
   * Address of the file's memory: fill it before the next call. Called again to grow or to cut it; what was written stays. 0 where it does not
   * fit; nothing has changed then, but without a smaller one reading reports OUT_OF_MEMORY.
   */
  input(byteLength: number): number;
  /** How to read a file with this start: "family isLinked outside" (`plan` in bindings.cpp). */
  plan(name: string, format: string, head: string | Uint8Array, byteLength: number): string;
  /**
   * In place of `input`, for a file that stays outside: `pull` copies bytes of it to addresses of the heap when it is asked to. What takes long and is sure to
   * succeed is left for `make`. False where `input` answers 0.
   */
  outside(byteLength: number): boolean;
  pull?: (offset: number, byteLength: number, address: number) => void;
  /** Called while it reads, where it is there: memory for a block, of which the start may be all that is used; 0: none is needed. False where there is none. */
  open?: (block: number, byteLength: number) => boolean;
  /** Called while it reads: takes a copy of bytes of a block that was opened. */
  push?: (block: number, offset: number, byteLength: number, address: number) => void;
  /** Address of what was left for later, `floats` of them, valid until the next call. `pull` brings bytes of the file. */
  make(format: number, recipe: string | Uint8Array, floats: number): number;
  /** Address of the memory of a companion file: fill it before the next call. */
  supply(kind: string, name: string, byteLength: number): number;
  /** Address of what came out (`results` in instance.ts), valid until the next call. */
  read(name: string, format: string, options: string, strict: boolean, tangents: boolean): number;
  /** As `read`. */
  outline(name: string, format: string, options: string): number;
  /** What that took: 0 bytes in use at a time at most, 1 bytes asked for in all, 2 steps of work. */
  cost(which: number): number;
  /** "format role wanted" (`probeFile` in bindings.cpp says what of). */
  probe(name: string, size: number, pieces: string | Uint8Array): string;
  heapSpent(): boolean;
}

export interface GlueOptions {
  /** The heap, with zeros where code and data of the instance will be. */
  wasmMemory?: WebAssembly.Memory;
  instantiateWasm(imports: object, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object;
  print?(text: string): void;
  printErr?(text: string): void;
}

export default function createRigcast(options: GlueOptions): Promise<RigcastGlue>;
