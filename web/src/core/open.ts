// `open`: reads a file from any source and returns its scene, its report and the files that it
// still needs.
import { rememberContents } from './contents.ts';
import { decodeScene, type Description } from './description.ts';
import type { ReadBytes } from './decrypt.ts';
import type { DeferredKeys } from './deferredKeys.ts';
import { unknownGroups } from './formatOptions.ts';
import type { Job, RawResult, Supplied } from './instance.ts';
import { decodeOutline, type OutlineDescription, type OutlineResult } from './outline.ts';
import { checkOptions } from './options.ts';
import { canReadInParts, familyFor, type Family } from './formats.ts';
import { runInWorker, WorkersRefused } from './worker/pool.ts';
import { nameOf, type Address } from './byteStream.ts';
import { clipReader, reportRanges } from './clipReader.ts';
import { addFinding, asStrict } from './report.ts';
import {
  acquire,
  bytesOf,
  dataOf,
  streamToWorker,
  streamHere,
  holdSource,
  pause,
  toCloneable,
  sliceOf,
  unlessAborted,
  type HeldSource,
  type OpenSource,
  type Progress,
} from './source.ts';
import type { FormatOptions, Need, Reference, Report, RigScene } from './types.ts';
import { type Wasm, wasmFrom, type WasmSource } from './wasm.ts';
import { invalidArgument } from './error.ts';

/**
 * Provides the companion files that are needed to read a file, but not textures and instances. A
 * function returns the bytes for a need, or null. A Map is searched by exact name, then by name
 * without folders and regardless of case.
 */
export type Companions = ((need: Need) => MaybeBytes | Promise<MaybeBytes>) | ReadonlyMap<string, Uint8Array | Blob>;
type MaybeBytes = Uint8Array | null | undefined;

export interface OpenOptions {
  /** File name with extension. Defaults to the name of the File or the last part of the URL. */
  name?: string;
  /** Format id. By default, the format is detected from the content, then from the name. */
  format?: string;
  /** Reports warnings as errors. */
  strict?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /**
   * Reads the file in a worker (default true). Outside a page, or if no worker can be started, the
   * file is read on the calling thread; in a page, this is reported as WORKER_REFUSED.
   */
  worker?: boolean;
  /**
   * Transfers ownership of the buffer to rigcast instead of copying it. If a worker reads the
   * buffer, it is detached. The `RigFile` keeps the bytes for `outline` and `supply`, and to decode
   * animation keys on demand.
   */
  transfer?: boolean;
  companions?: Companions;
  formatOptions?: FormatOptions;
  /**
   * Maximum memory in bytes that the core uses for the file and the result. If it is exceeded,
   * `scene` is null and the report contains OUT_OF_MEMORY. Defaults to 64 MB plus 25 times the file
   * size, and is never more than a 32-bit heap can hold.
   */
  maxMemory?: number;
  /**
   * Work budget for data that expands while it is read, in steps of a few nanoseconds. Data beyond
   * the budget is left out and reported as WORK_LIMIT. Defaults to 4 million steps plus 4 per byte
   * of the file.
   */
  maxWork?: number;
  /** Computes tangents for meshes that have normals and texture coordinates (default false). */
  tangents?: boolean;
  /** Location of rigcast.wasm, if it is not next to the script. */
  wasm?: WasmSource;
  /** Request options for sources that are fetched. */
  request?: RequestInit;
  /**
   * Reads a large file from a URL in parts (default false): first only the list of animations, then
   * the keys of a clip when `clip.tracks.load()` is called. Works for PSA files above 16 MB on a
   * server that answers HTTP range requests; otherwise, the whole file is downloaded. The report
   * states how many animations are not read and checked yet (KEYS_NOT_READ), or why the file was
   * downloaded as a whole (RANGES_…).
   */
  ranges?: boolean;
}

/**
 * The result of `open`. Holds a reference to the source, so that the file can be read again;
 * buffers and Blobs that the caller passed are not copied.
 */
export interface RigFile {
  readonly name: string;
  /** Format id; null if no format recognised the content. */
  readonly format: string | null;
  readonly version: string;
  /** The scene; null if nothing could be read. The report then contains the reason. */
  readonly scene: RigScene | null;
  readonly report: Report;
  /** Files that this file refers to and that `companions` did not provide. */
  readonly needs: Need[];
  readonly byteLength: number;
  /** Returns the contents of the file as a tree. Reads the file again. */
  outline(options?: { signal?: AbortSignal }): Promise<OutlineResult>;
  /** Reads the file again with additional companion files. */
  supply(companions: Companions): Promise<RigFile>;
}

/**
 * Opens a file. Never rejects because of invalid bytes: `scene` is then null or contains the
 * readable part, and `report` lists the problems. Rejects with `signal.reason` (AbortError) when
 * aborted, with TypeError for invalid arguments, and with RigcastError if a request fails or
 * rigcast.wasm cannot be loaded. A buffer is neither changed nor detached, unless `transfer` is
 * set. Do not modify it while the file's animations are in use, because keys of large animations
 * are decoded from it on demand.
 *
 * @example
 * ```ts
 * import { open } from 'rigcast';
 *
 * const file = await open('hero.psk'); // a URL, File, Blob or buffer
 * console.log(file.scene?.meshes.length, file.scene?.clips.length);
 * for (const { severity, code, detail } of file.report.items) console.log(severity, code, detail);
 * ```
 */
export async function open(source: OpenSource, options: OpenOptions = {}): Promise<RigFile> {
  return read(await begin(source, options));
}

/**
 * Reads only the outline of a file. Options for the scene have no effect. Only companion files that
 * the outline itself needs, such as a key, are requested from `companions`. Rejects in the same
 * cases as `open`.
 */
export async function readOutline(source: OpenSource, options: OpenOptions = {}): Promise<OutlineResult> {
  return outlineOf(await begin(source, options));
}

/** A file that is being read, with the options of the call. */
interface Reading {
  source: HeldSource;
  wasm: Wasm;
  options: OpenOptions;
  supplied: readonly Supplied[];
  /** Reason why the file was read on the page's own thread although a worker was requested. */
  refusal?: string | undefined;
}

async function begin(source: OpenSource, openOptions: OpenOptions): Promise<Reading> {
  check(openOptions);
  const signal = openOptions.signal ?? openOptions.request?.signal;
  signal?.throwIfAborted();
  const options = { ...openOptions, ...(signal && { signal }) };
  const wasm = wasmFrom(options.wasm, expectedFamily(source, options));
  const key = options.formatOptions?.vgo?.key;
  const bytes = key === undefined ? null : (await import('./encrypted.ts')).keyFromOption(key);
  return { source: await holdSource(source, options), wasm, options, supplied: bytes ? [{ kind: 'key', name: '', bytes }] : [] };
}

/**
 * Returns the format family that the file's name or URL suggests. Its module is fetched in parallel
 * with the file. If the content belongs to another family, that family's module is used instead.
 */
function expectedFamily(source: OpenSource, { format, name }: OpenOptions): Family | undefined {
  if (format !== undefined || name !== undefined) return familyFor(format ?? name!);
  if (source instanceof Blob) return familyFor((source as Partial<File>).name ?? '');
  const address = source instanceof Response ? source.url : typeof source === 'string' || source instanceof URL ? String(source) : '';
  return familyFor(address.replace(/[?#].*$/, ''));
}

async function read(reading: Reading): Promise<RigFile> {
  const { source, options } = reading;
  let result = await describe<Description>(reading, 'scene', true);
  const deferredKeys = await deferredKeysOf(reading, result);
  if (result.deferred && !deferredKeys) result = await describe<Description>(reading, 'scene', false);
  const { description, blocks, open, supplied } = result;
  const { report } = description;
  if (reading.refusal !== undefined)
    addFinding(report, { code: 'WORKER_REFUSED', severity: 'info', offset: null, path: '', detail: reading.refusal, count: 1 });
  for (const finding of unknownGroups(options.formatOptions ?? {})) {
    addFinding(report, { ...finding, severity: asStrict(finding.severity, options.strict ?? false) });
  }
  reportRanges(report, result.taken, options.strict ?? false);
  const { onProgress: _, signal: __, ...again } = options;
  const readClip =
    result.taken.remote &&
    clipReader(report, description.scene?.clips.length ?? 0, (clip, signal) =>
      run({ ...reading, options: { ...again, ...(signal && { signal }) } }, { ...jobOf(source, options, 'scene'), supplied, clip }),
    );
  const scene = description.scene && decodeScene(description.scene, blocks, description.references, deferredKeys, readClip);
  if (scene) {
    const byteLength = supplied.reduce((sum, { bytes }) => sum + bytes.length, source.byteLength);
    rememberContents(scene, { byteLength, read: async () => ({ bytes: await bytesOf(source), supplied }) });
  }
  return {
    name: source.name,
    format: description.format || null,
    version: description.version,
    scene,
    report,
    needs: open.filter(isForOthers),
    byteLength: source.byteLength,
    outline: ({ signal } = {}) =>
      outlineOf({ ...reading, supplied, options: { ...again, companions: new Map(), ...(signal && { signal }) } }),
    // A new key replaces an earlier, wrong one.
    supply: companions => {
      const isKept = (file: Supplied): boolean =>
        !open.some(need => isSupplied(need, [file])) && (file.kind !== 'decrypt' || description.scene !== null);
      return read({ ...reading, supplied: supplied.filter(isKept), options: { ...options, companions } });
    },
  };
}

/**
 * Returns the decoder of deferred keys, or null if nothing was deferred or its script cannot be
 * fetched.
 */
async function deferredKeysOf({ wasm }: Reading, result: RawResult): Promise<DeferredKeys | null> {
  if (!result.deferred) return null;
  try {
    const { DeferredKeys } = await import('./onPage.ts');
    return await DeferredKeys.of(wasm, result);
  } catch {
    return null;
  }
}

async function outlineOf(reading: Reading): Promise<OutlineResult> {
  const { description, blocks } = await describe<OutlineDescription>(reading, 'outline');
  return { ...decodeOutline(description, blocks, await bytesOf(reading.source)), byteLength: reading.source.byteLength };
}

/**
 * Runs a task, and runs it again as long as files are found for its needs. `open` in the result:
 * the needs for which no file was found.
 */
async function describe<T extends { references: Reference[] }>(
  reading: Reading,
  task: Job['task'],
  mayDefer = false,
): Promise<RawResult & { description: T; open: Need[]; supplied: readonly Supplied[] }> {
  const { source, options } = reading;
  for (let supplied = reading.supplied; ;) {
    const clip = task === 'scene' && mayReadInParts(source, options) ? -1 : undefined;
    const result = await run(reading, { ...jobOf(source, options, task), supplied, canDefer: mayDefer, clip });
    options.signal?.throwIfAborted();
    const description = JSON.parse(result.text) as T;
    const open = description.references
      .filter(reference => !reference.supplied)
      .map(({ kind, name, required, properties }): Need => ({ kind, name, required, ...(properties && { properties }) }));
    const found = options.companions ? await findCompanions(open.filter(isForOthers), options.companions, supplied) : [];
    for (const need of open) {
      if (isForOthers(need) || isSupplied(need, supplied)) continue;
      const bytes = await derive(need, (offset, byteLength) => sliceOf(source, offset, byteLength));
      if (bytes) found.push({ kind: need.kind, name: need.name, bytes });
    }
    options.signal?.throwIfAborted();
    if (found.length === 0) return { ...result, description, open, supplied };
    supplied = [...supplied, ...found];
  }
}

/**
 * True if the caller can satisfy a need. False if it is satisfied by decrypting or decompressing
 * data of the file.
 */
function isForOthers({ kind }: Need): boolean {
  return kind !== 'decrypt' && kind !== 'decompress';
}

/** Decrypts or decompresses data of the file. The code for it is imported only for such files. */
async function derive(need: Need, read: ReadBytes): Promise<Uint8Array | null> {
  return need.kind === 'decrypt'
    ? (await import('./encrypted.ts')).decryptNeed(need, read)
    : (await import('./decompress.ts')).decompressNeed(need, read);
}

function jobOf(source: HeldSource, options: OpenOptions, task: Job['task']): Job {
  return {
    task,
    name: source.name,
    format: options.format ?? '',
    options: JSON.stringify({ ...options.formatOptions, vgo: undefined }), // keys are not passed to the core
    strict: options.strict ?? false,
    tangents: options.tangents ?? false,
    maxMemory: options.maxMemory ?? 0,
    maxWork: options.maxWork ?? 0,
    supplied: [],
  };
}

/**
 * Runs a job in a worker or on the calling thread. Updates the name, size and data of the source.
 */
async function run(reading: Reading, job: Job): Promise<RawResult> {
  const { source, options } = reading;
  options.signal?.throwIfAborted();
  const result = ((options.worker ?? true) && isPage() && (await tryWorker(reading, job))) || (await runHere(reading, job));
  const { name, byteLength, kept, bytes, remote } = result.taken;
  source.name = name;
  source.byteLength = byteLength;
  if (remote) {
    // Only the parts in front of the keys are used again.
    if (job.clip === -1) source.data = { ...(source.data as Address), remote };
  } else if (!(source.data instanceof Blob || source.data instanceof Uint8Array)) source.data = kept ?? bytes;
  return result;
}

/** True if the source is the URL of a file whose format can be read in parts. */
function mayReadInParts({ data, name }: HeldSource, { ranges, format, request }: OpenOptions): boolean {
  if (!ranges || !data || !('url' in data) || data instanceof Response) return false;
  const isPlain = !request?.body && (request?.method ?? 'GET').toUpperCase() === 'GET' && !new Headers(request?.headers).has('range');
  return isPlain && canReadInParts(format ?? (name || nameOf(data.url)));
}

function isPage(): boolean {
  return typeof document !== 'undefined';
}

async function runHere({ source, wasm, options }: Reading, job: Job): Promise<RawResult> {
  const lease = await acquire(source, options.signal);
  let isInUse = false;
  try {
    const flow = streamHere(source, options.signal, job.clip !== undefined).then(known => ({
      ...known,
      lasting: known.lasting ?? source.data instanceof Uint8Array,
    }));
    flow.catch(() => {}); // reported below
    const awaited: Wasm = {
      first: unlessAborted(wasm.first, options.signal),
      with: name => unlessAborted(wasm.with(name), options.signal),
    };
    awaited.first.catch(() => {}); // reported below
    const { runJob } = await import('./onPage.ts');
    const result = await runJob(awaited, job, flow, watchOf(source, options));
    isInUse = result.deferred !== null;
    return result;
  } finally {
    lease?.end(lease.bytes, isInUse);
  }
}

/**
 * Runs a job in a worker. Returns null if no worker can be started; `reading.refusal` then contains
 * the reason, and the bytes were not transferred.
 */
async function tryWorker(reading: Reading, job: Job): Promise<RawResult | null> {
  const { source, wasm, options } = reading;
  const { signal } = options;
  const lease = await acquire(source, signal);
  const data = dataOf(source);
  const input =
    lease?.bytes ?? (data instanceof Blob ? data : data && 'url' in data && !(data instanceof Response) ? toCloneable(data) : null);
  try {
    const result = await runInWorker({
      wasm,
      job,
      input: input ?? (() => streamToWorker(source, signal)),
      onBytes: lease?.end,
      signal,
      ...watchOf(source, options),
    });
    reading.refusal = undefined;
    await pause(); // lets the page paint before a large result is decoded
    return result;
  } catch (error) {
    if (!(error instanceof WorkersRefused)) throw error;
    reading.refusal = error.message;
    return null;
  }
}

function watchOf(
  { data }: HeldSource,
  { onProgress }: OpenOptions,
): { onProgress: ((loaded: number, total: number | null) => void) | undefined; onRead: () => void } {
  const phase = data instanceof Uint8Array || data instanceof Blob ? 'read' : 'fetch';
  let lastLoaded = 0;
  return {
    onProgress: onProgress && ((loaded, total) => onProgress({ phase, loaded: (lastLoaded = loaded), total })),
    onRead: () => onProgress?.({ phase: 'decode', loaded: lastLoaded, total: lastLoaded }),
  };
}

async function findCompanions(needs: readonly Need[], companions: Companions, supplied: readonly Supplied[]): Promise<Supplied[]> {
  const found: Supplied[] = [];
  for (const need of needs) {
    if (need.kind === 'texture' || need.kind === 'instance') continue; // the renderer reads these files
    if (isSupplied(need, supplied)) continue; // the file that was supplied for this need is invalid
    const bytes = await companionIn(companions, need);
    if (bytes) found.push({ kind: need.kind, name: need.name, bytes });
  }
  return found;
}

/** Returns the companion file that satisfies a need. */
export async function companionIn(companions: Companions, need: Need): Promise<MaybeBytes> {
  return typeof companions === 'function' ? companions({ ...need }) : lookUp(companions, need.name);
}

function isSupplied(need: Need, supplied: readonly Supplied[]): boolean {
  return supplied.some(({ kind, name }) => kind === need.kind && name === need.name);
}

/** Finds a file by its exact name, otherwise by its name without folders and regardless of case. */
async function lookUp(map: ReadonlyMap<string, Uint8Array | Blob>, name: string): Promise<Uint8Array | null> {
  const plain = (text: string): string => text.replace(/^.*[/\\]/, '').toLowerCase();
  const found = map.get(name) ?? [...map].find(([key]) => plain(key) === plain(name))?.[1];
  return found instanceof Blob ? new Uint8Array(await found.arrayBuffer()) : (found ?? null);
}

/**
 * Throws TypeError if an option of `open` is unknown, has the wrong type or is out of range. The
 * contents of `formatOptions` are not checked here.
 */
function check(options: OpenOptions): void {
  checkOptions('open', options, {
    name: 'string',
    format: 'string',
    strict: 'boolean',
    signal: 'object',
    onProgress: 'function',
    worker: 'boolean',
    transfer: 'boolean',
    companions: 'function or Map',
    formatOptions: 'object',
    maxMemory: 'number',
    maxWork: 'number',
    tangents: 'boolean',
    wasm: 'any',
    request: 'object',
    ranges: 'boolean',
  } satisfies Record<keyof OpenOptions, string>);
  const { maxMemory, maxWork } = options;
  if (maxWork !== undefined && !(maxWork > 0)) throw invalidArgument('open: the option "maxWork" must be a number above 0');
  if (maxMemory !== undefined && !(maxMemory > 0)) throw invalidArgument('open: the option "maxMemory" must be a number of bytes above 0');
}
