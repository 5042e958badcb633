// `open`: one file from anywhere to its scene, its report and what it still needs.
import { decodeScene, type Description } from './description.ts';
import type { Later } from './later.ts';
import { unknownGroups } from './formatOptions.ts';
import type { Job, RawResult, Supplied } from './instance.ts';
import { decodeOutline, type OutlineDescription, type OutlineResult } from './outline.ts';
import { checkOptions } from './options.ts';
import { familyFor, type Family } from './formats.ts';
import { runInWorker, WorkersRefused } from './worker/pool.ts';
import { addFinding, asStrict } from './report.ts';
import {
  borrow,
  bytesOf,
  dataOf,
  flowAway,
  flowHere,
  holdSource,
  pause,
  portable,
  sliceOf,
  unlessAborted,
  type HeldSource,
  type OpenSource,
  type Progress,
} from './source.ts';
import type { FormatOptions, Need, Reference, Report, RigScene } from './types.ts';
import { type Wasm, wasmFrom, type WasmSource } from './wasm.ts';

/** Finds what a file needs to be read (not textures and instances); null where there is none. A Map goes by the name, as written and then without regard to case and folder. */
export type Companions = ((need: Need) => MaybeBytes | Promise<MaybeBytes>) | ReadonlyMap<string, Uint8Array | Blob>;
type MaybeBytes = Uint8Array | null | undefined;

export interface OpenOptions {
  /** File name with extension; default: that of the File or the address. */
  name?: string;
  /** Format id; default: found by content, then by the name. */
  format?: string;
  /** Raises warnings to errors. */
  strict?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Default true: in a page a worker reads, and where none is to be had the page's own thread (WORKER_REFUSED in the report). Elsewhere the calling thread. */
  worker?: boolean;
  /**
   * Hand the given buffer over instead of copying it: it is the `RigFile`'s from then on, and detached where a worker reads. The file keeps it for `outline`
   * and `supply`, also when a read fails or is aborted, and for keys of motions, which are read from it when a track is first asked for.
   */
  transfer?: boolean;
  companions?: Companions;
  formatOptions?: FormatOptions;
  /**
   * Bytes that the file and what is made of it may take in the core's memory; above it there is no scene, and OUT_OF_MEMORY in the report.
   * Default: 64 MB and 25 times the file, at most what a 32-bit heap holds.
   */
  maxMemory?: number;
  /**
   * Steps of some nanoseconds for what a file makes more of than it holds; what is above it is left out, with WORK_LIMIT in the report.
   * Default: 4 million and 4 for each byte of the file.
   */
  maxWork?: number;
  /** Make tangents for meshes with normals and texture coordinates. */
  tangents?: boolean;
  /** Where rigcast.wasm is, where it is not beside the script. */
  wasm?: WasmSource;
  /** For sources that are fetched. */
  request?: RequestInit;
}

/** What `open` gives. Holds on to its source (never a copy of a buffer or Blob that was given), so that it can be read again. */
export interface RigFile {
  readonly name: string;
  /** Null where no format knew the content. */
  readonly format: string | null;
  readonly version: string;
  /** Null where nothing could be read; the report says why. */
  readonly scene: RigScene | null;
  readonly report: Report;
  /** What would complete the file and was not found among the companions. */
  readonly needs: Need[];
  readonly byteLength: number;
  /** What the file says, as a tree. Read on demand in a new instance. */
  outline(options?: { signal?: AbortSignal }): Promise<OutlineResult>;
  /** Reads the file again with more companions. */
  supply(companions: Companions): Promise<RigFile>;
}

/**
 * Opens a file. Bad bytes never reject: `scene` is then null, or holds what could be read, and `report` says what was wrong. Rejects with `signal.reason`
 * (AbortError) when aborted, TypeError on a wrong call, and an Error where the network or rigcast.wasm itself fails. A given buffer is not
 * changed or detached (unless `transfer`); leave it as it is while motions of the file are used: keys of large ones are read from it when a track is first asked for.
 */
export async function open(source: OpenSource, options: OpenOptions = {}): Promise<RigFile> {
  return read(await begin(source, options));
}

/**
 * The outline alone, where nothing is to be shown: no scene is made. Of the options, those that concern the scene have no effect; companions
 * are asked for what the outline itself needs, a key. Rejects as `open` does.
 */
export async function readOutline(source: OpenSource, options: OpenOptions = {}): Promise<OutlineResult> {
  return outlineOf(await begin(source, options));
}

/** A file that is being read. */
interface Reading {
  source: HeldSource;
  wasm: Wasm;
  options: OpenOptions;
  supplied: readonly Supplied[];
  /** Why it was read on the page's own thread although a worker was wanted. */
  refusal?: string | undefined;
}

/** What a scene was read from. */
export interface FileContents {
  bytes: Uint8Array;
  /** What was found or decrypted for it. */
  supplied: readonly Supplied[];
}

const contents = new WeakMap<RigScene, { byteLength: number; read: () => Promise<FileContents> }>();

/** The bytes behind a scene, for writers of its own format; null where it was not read from a file as it is. */
export async function contentsOf(scene: RigScene): Promise<FileContents | null> {
  return (await contents.get(scene)?.read()) ?? null;
}

/** Bytes of the file behind a scene and of its companions; undefined if the scene was not read from a file as it is. */
export function inputOf(scene: RigScene): number | undefined {
  return contents.get(scene)?.byteLength;
}

async function begin(source: OpenSource, given: OpenOptions): Promise<Reading> {
  check(given);
  const signal = given.signal ?? given.request?.signal;
  signal?.throwIfAborted();
  const options = { ...given, ...(signal && { signal }) };
  const wasm = wasmFrom(options.wasm, expectedFamily(source, options));
  const key = options.formatOptions?.vgo?.key;
  const bytes = key === undefined ? null : (await import('./keys.ts')).keyFromOption(key);
  return { source: await holdSource(source, options), wasm, options, supplied: bytes ? [{ kind: 'key', name: '', bytes }] : [] };
}

/** The family that the file's name or address suggests: its module is fetched in parallel with the file. The content decides. */
function expectedFamily(source: OpenSource, { format, name }: OpenOptions): Family | undefined {
  if (format !== undefined || name !== undefined) return familyFor(format ?? name!);
  if (source instanceof Blob) return familyFor((source as Partial<File>).name ?? '');
  const address = source instanceof Response ? source.url : typeof source === 'string' || source instanceof URL ? String(source) : '';
  return familyFor(address.replace(/[?#].*$/, ''));
}

async function read(reading: Reading): Promise<RigFile> {
  const { source, options } = reading;
  let result = await describe<Description>(reading, 'scene', true);
  const later = await laterOf(reading, result);
  if (result.waiting && !later) result = await describe<Description>(reading, 'scene', false);
  const { description, blocks, open, supplied } = result;
  const { report } = description;
  if (reading.refusal !== undefined)
    addFinding(report, { code: 'WORKER_REFUSED', severity: 'info', offset: null, path: '', detail: reading.refusal, count: 1 });
  for (const finding of unknownGroups(options.formatOptions ?? {})) {
    addFinding(report, { ...finding, severity: asStrict(finding.severity, options.strict ?? false) });
  }
  const { onProgress: _, signal: __, ...again } = options;
  const scene = description.scene && decodeScene(description.scene, blocks, description.references, later);
  if (scene) {
    const byteLength = supplied.reduce((sum, { bytes }) => sum + bytes.length, source.byteLength);
    contents.set(scene, { byteLength, read: async () => ({ bytes: await bytesOf(source), supplied }) });
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
    // A wrong key that was supplied earlier is replaced by the new one.
    supply: companions => {
      const isKept = (given: Supplied): boolean =>
        !open.some(need => isGiven(need, [given])) && (given.kind !== 'decrypt' || description.scene !== null);
      return read({ ...reading, supplied: supplied.filter(isKept), options: { ...options, companions } });
    },
  };
}

/** What makes what was left for later. Null where nothing was, and where its script cannot be fetched. */
async function laterOf({ wasm }: Reading, result: RawResult): Promise<Later | null> {
  if (!result.waiting) return null;
  try {
    const { Later } = await import('./later.ts');
    return await Later.of(wasm, result);
  } catch {
    return null;
  }
}

async function outlineOf(reading: Reading): Promise<OutlineResult> {
  const { description, blocks } = await describe<OutlineDescription>(reading, 'outline');
  return { ...decodeOutline(description, blocks, await bytesOf(reading.source)), byteLength: reading.source.byteLength };
}

/** Runs a task, again with what was found for its needs as long as something is. `open`: what was not found. */
async function describe<T extends { references: Reference[] }>(
  reading: Reading,
  task: Job['task'],
  mayDefer = false,
): Promise<RawResult & { description: T; open: Need[]; supplied: readonly Supplied[] }> {
  const { source, options } = reading;
  for (let supplied = reading.supplied; ;) {
    const result = await run(reading, { ...jobOf(source, options, task), supplied, mayDefer });
    options.signal?.throwIfAborted();
    const description = JSON.parse(result.text) as T;
    const open = description.references
      .filter(reference => !reference.supplied)
      .map(({ kind, name, required, properties }): Need => ({ kind, name, required, ...(properties && { properties }) }));
    const found = options.companions ? await findCompanions(open.filter(isForOthers), options.companions, supplied) : [];
    for (const need of open) {
      if (isForOthers(need) || isGiven(need, supplied)) continue;
      const { decryptNeed } = await import('./decrypt.ts'); // only encrypted files need it
      const bytes = await decryptNeed(need, (offset, byteLength) => sliceOf(source, offset, byteLength));
      if (bytes) found.push({ kind: need.kind, name: need.name, bytes });
    }
    options.signal?.throwIfAborted();
    if (found.length === 0) return { ...result, description, open, supplied };
    supplied = [...supplied, ...found];
  }
}

/** Needs that only decryption in here can satisfy, not the caller. */
function isForOthers({ kind }: Need): boolean {
  return kind !== 'decrypt';
}

function jobOf(source: HeldSource, options: OpenOptions, task: Job['task']): Job {
  return {
    task,
    name: source.name,
    format: options.format ?? '',
    options: JSON.stringify({ ...options.formatOptions, vgo: undefined }), // a key is for us alone
    strict: options.strict ?? false,
    tangents: options.tangents ?? false,
    maxMemory: options.maxMemory ?? 0,
    maxWork: options.maxWork ?? 0,
    supplied: [],
  };
}

/** Runs a job where it shall run. What the source is known by from then on is noted in it. */
async function run(reading: Reading, job: Job): Promise<RawResult> {
  const { source, options } = reading;
  options.signal?.throwIfAborted();
  const result = ((options.worker ?? true) && isPage() && (await tryWorker(reading, job))) || (await runHere(reading, job));
  const { name, byteLength, kept, bytes } = result.taken;
  source.name = name;
  source.byteLength = byteLength;
  if (!(source.data instanceof Blob || source.data instanceof Uint8Array)) source.data = kept ?? bytes;
  return result;
}

function isPage(): boolean {
  return typeof document !== 'undefined';
}

async function runHere({ source, wasm, options }: Reading, job: Job): Promise<RawResult> {
  const loan = await borrow(source, options.signal);
  let isInUse = false;
  try {
    const flow = flowHere(source, options.signal).then(known => ({
      ...known,
      lasting: known.lasting ?? source.data instanceof Uint8Array,
    }));
    flow.catch(() => {}); // reported below
    const awaited: Wasm = {
      first: unlessAborted(wasm.first, options.signal),
      with: name => unlessAborted(wasm.with(name), options.signal),
    };
    awaited.first.catch(() => {}); // reported below, too
    const { runJob } = await import('./instance.ts');
    const result = await runJob(awaited, job, flow, watchOf(source, options));
    isInUse = result.waiting !== null;
    return result;
  } finally {
    loan?.end(loan.bytes, isInUse);
  }
}

/** Null if no worker can be started (`reading.refusal` says why); the bytes were not handed over. */
async function tryWorker(reading: Reading, job: Job): Promise<RawResult | null> {
  const { source, wasm, options } = reading;
  const { signal } = options;
  const loan = await borrow(source, signal);
  const data = dataOf(source);
  const whole = loan?.bytes ?? (data instanceof Blob ? data : data && 'url' in data && !(data instanceof Response) ? portable(data) : null);
  try {
    const result = await runInWorker({
      wasm,
      job,
      input: whole ?? (() => flowAway(source, signal)),
      onBytes: loan?.end,
      signal,
      ...watchOf(source, options),
    });
    reading.refusal = undefined;
    await pause(); // so much for the arrival of a large result
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
  let told = 0;
  return {
    onProgress: onProgress && ((loaded, total) => onProgress({ phase, loaded: (told = loaded), total })),
    onRead: () => onProgress?.({ phase: 'decode', loaded: told, total: told }),
  };
}

async function findCompanions(needs: readonly Need[], companions: Companions, supplied: readonly Supplied[]): Promise<Supplied[]> {
  const found: Supplied[] = [];
  for (const need of needs) {
    if (need.kind === 'texture' || need.kind === 'instance') continue; // files of their own, read by whoever draws them
    if (isGiven(need, supplied)) continue; // and of no use
    const bytes = await companionIn(companions, need);
    if (bytes) found.push({ kind: need.kind, name: need.name, bytes });
  }
  return found;
}

/** What companions have for a need. */
export async function companionIn(companions: Companions, need: Need): Promise<MaybeBytes> {
  return typeof companions === 'function' ? companions({ ...need }) : lookUp(companions, need.name);
}

function isGiven(need: Need, supplied: readonly Supplied[]): boolean {
  return supplied.some(({ kind, name }) => kind === need.kind && name === need.name);
}

/** By the name as written, else without regard to case and folder. */
async function lookUp(map: ReadonlyMap<string, Uint8Array | Blob>, name: string): Promise<Uint8Array | null> {
  const plain = (text: string): string => text.replace(/^.*[/\\]/, '').toLowerCase();
  const found = map.get(name) ?? [...map].find(([key]) => plain(key) === plain(name))?.[1];
  return found instanceof Blob ? new Uint8Array(await found.arrayBuffer()) : (found ?? null);
}

/** What formats do not know among `formatOptions` is a finding (BAD_OPTION). */
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
  } satisfies Record<keyof OpenOptions, string>);
  const { maxMemory, maxWork } = options;
  if (maxWork !== undefined && !(maxWork > 0)) throw new TypeError('open: the option "maxWork" must be a number above 0');
  if (maxMemory !== undefined && !(maxMemory > 0)) throw new TypeError('open: the option "maxMemory" must be a number of bytes above 0');
}
