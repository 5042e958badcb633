// Preloads the modules and the worker that the first file of a page needs.
import { checkOptions } from './options.ts';
import { familyFor } from './formats.ts';
import { startWorker } from './worker/pool.ts';
import { wasmFrom, type WasmSource } from './wasm.ts';

export interface PrepareOptions {
  /**
   * Names or URLs of files, or format ids, that will be opened. Readers of other formats are
   * fetched with their first file.
   */
  files?: readonly string[];
  /**
   * Starts a worker; default true. If no worker can be started, `prepare` does not reject.
   */
  worker?: boolean;
  /** Same as in `open`. */
  wasm?: WasmSource;
}

/**
 * Fetches and compiles the readers of the given files and starts a worker, so that the first file
 * opens as fast as later ones. Call it when a file is expected: in idle time, or when the pointer
 * approaches. Repeated calls cost nothing. Rejects like `open` if rigcast.wasm cannot be loaded.
 */
export async function prepare(options: PrepareOptions = {}): Promise<void> {
  checkOptions('prepare', options, { files: 'object', worker: 'boolean', wasm: 'any' } satisfies Record<keyof PrepareOptions, string>);
  const { files = [], worker = true, wasm } = options;
  const started = worker && typeof document !== 'undefined' ? startWorker() : undefined;
  const families = new Set(files.map(name => familyFor(name.replace(/[?#].*$/, ''))));
  await Promise.all([started, ...Array.from(families.size > 0 ? families : [undefined], family => wasmFrom(wasm, family).first)]);
}
