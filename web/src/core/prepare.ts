// Loads and warms up what is needed to read a page's first file: modules, a worker and the readers.
import { checkOptions } from './options.ts';
import { traitsFor } from './formats.ts';
import type { FormatTraits } from './formatTraits.ts';
import { open, type OpenOptions } from './open.ts';
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
 * Fetches the readers for the given files, starts a worker, and reads a small built-in file of each
 * of these formats there, because browsers compile code when it first runs. The first file then
 * opens as fast as later ones. Call it before a file is opened, for example in idle time or when
 * the pointer approaches a link. Later calls for the same formats have no effect. Rejects with
 * RigcastError if rigcast.wasm cannot be loaded.
 *
 * @example
 * ```ts
 * import { prepare } from 'rigcast';
 *
 * await prepare({ files: ['hero.psk', 'run.psa'] });
 * ```
 */
export async function prepare(options: PrepareOptions = {}): Promise<void> {
  checkOptions('prepare', options, { files: 'list of strings', worker: 'boolean', wasm: 'any' } satisfies Record<
    keyof PrepareOptions,
    string
  >);
  const { worker = true, wasm } = options;
  for (const { id } of await fetchReaders(options)) await readSample(id, { worker, ...(wasm !== undefined && { wasm }) });
}

/**
 * The part of `prepare` for files that are opened at once: fetches their readers and starts a worker.
 * Returns the formats of the files.
 */
export async function fetchReaders({ files = [], worker = true, wasm }: PrepareOptions): Promise<ReadonlySet<FormatTraits>> {
  const started = worker && typeof document !== 'undefined' ? startWorker() : undefined;
  const formats = new Set(files.flatMap(name => traitsFor(name.replace(/[?#].*$/, '')) ?? []));
  const families = new Set([...formats].map(({ family }) => family));
  await Promise.all([started, ...Array.from(families.size > 0 ? families : [undefined], family => wasmFrom(wasm, family).first)]);
  return formats;
}

/** Formats whose small file has been read, in a worker ("worker") or on the calling thread. */
const warm = new Set<string>();

async function readSample(format: string, options: Pick<OpenOptions, 'worker' | 'wasm'>): Promise<void> {
  const key = `${format} ${options.worker ? 'worker' : 'page'}`;
  if (warm.has(key)) return;
  warm.add(key);
  const { sampleOf } = await import('./samples.ts');
  const bytes = await sampleOf(format);
  if (bytes) await open(bytes, { ...options, format, transfer: true });
}
