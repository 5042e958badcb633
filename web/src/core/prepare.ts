// Loads what the first file of a page would wait for: the modules that read it, and a worker.
import { checkOptions } from './options.ts';
import { familyFor } from './formats.ts';
import { startWorker } from './worker/pool.ts';
import { wasmFrom, type WasmSource } from './wasm.ts';

export interface PrepareOptions {
  /** Names or addresses of files, or ids of formats, that will be opened. Readers of other formats are fetched with their first file. */
  files?: readonly string[];
  /** As in `open`: default true. Where no worker is to be had, the page's own thread reads, and nothing is said here. */
  worker?: boolean;
  /** As in `open`. */
  wasm?: WasmSource;
}

/**
 * Fetches and compiles what reads the given files and starts a worker, so that the first file of a page opens as fast as later ones. Call it when a file is to be
 * expected: in an idle moment, or when the pointer comes near. A further call costs nothing. Rejects as `open` does where rigcast's wasm cannot be loaded.
 */
export async function prepare(options: PrepareOptions = {}): Promise<void> {
  checkOptions('prepare', options, { files: 'object', worker: 'boolean', wasm: 'any' } satisfies Record<keyof PrepareOptions, string>);
  const { files = [], worker = true, wasm } = options;
  const started = worker && typeof document !== 'undefined' ? startWorker() : undefined;
  const families = new Set(files.map(name => familyFor(name.replace(/[?#].*$/, ''))));
  await Promise.all([started, ...Array.from(families.size > 0 ? families : [undefined], family => wasmFrom(wasm, family).first)]);
}
