// Preloads the modules and the worker that are needed to read a page's first file.
import { checkOptions } from './options.ts';
import { familyFor } from './formats.ts';
import { startWorker } from './worker/pool.ts';
import { wasmFrom, type WasmSource } from './wasm.ts';

export interface PrepareOptions {
  /**
   * Names or URLs of the files that will be opened, or their format ids. The readers of other
   * formats are fetched when a file of that format is opened.
   */
  files?: readonly string[];
  /** Starts a worker (default true). `prepare` does not reject if no worker can be started. */
  worker?: boolean;
  /** Location of rigcast.wasm (see the option `wasm` of `open`). */
  wasm?: WasmSource;
}

/**
 * Fetches and compiles the readers for the given files and starts a worker, so that the first file
 * opens as fast as later ones. Call it before a file is opened, for example in idle time or when
 * the pointer approaches a link. Further calls have no effect. Rejects with RigcastError if
 * rigcast.wasm cannot be loaded.
 */
export async function prepare(options: PrepareOptions = {}): Promise<void> {
  checkOptions('prepare', options, { files: 'object', worker: 'boolean', wasm: 'any' } satisfies Record<keyof PrepareOptions, string>);
  const { files = [], worker = true, wasm } = options;
  const started = worker && typeof document !== 'undefined' ? startWorker() : undefined;
  const families = new Set(files.map(name => familyFor(name.replace(/[?#].*$/, ''))));
  await Promise.all([started, ...Array.from(families.size > 0 ? families : [undefined], family => wasmFrom(wasm, family).first)]);
}
