// What the first file of a page would wait for: rigcast.wasm and a worker.
import { checkOptions } from './options.ts';
import { startWorker } from './pool.ts';
import { compileWasm, type WasmSource } from './wasm.ts';

export interface PrepareOptions {
  /** As in `open`: default true. Where no worker is to be had, the page's own thread reads, and nothing is said here. */
  worker?: boolean;
  /** As in `open`. */
  wasm?: WasmSource;
}

/**
 * Fetches and compiles rigcast.wasm and starts a worker, so that the first file of a page opens as fast as later ones. Call it when a file is to be expected: in an
 * idle moment, or when the pointer comes near. A further call costs nothing. Rejects as `open` does where rigcast.wasm cannot be loaded.
 */
export async function prepare(options: PrepareOptions = {}): Promise<void> {
  checkOptions('prepare', options, { worker: 'boolean', wasm: 'any' } satisfies Record<keyof PrepareOptions, string>);
  const { worker = true, wasm } = options;
  const started = worker && typeof document !== 'undefined' ? startWorker() : undefined;
  await Promise.all([compileWasm(wasm), started]);
}
