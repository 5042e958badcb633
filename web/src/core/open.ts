// `open`: one file from anywhere to its scene, its report and what it still needs.
import { decodeScene, type Description } from './description.ts';
import { unknownGroups } from './formatOptions.ts';
import type { Job, RawResult, Supplied } from './instance.ts';
import { decodeOutline, type OutlineDescription, type OutlineResult } from './outline.ts';
import { runInWorker, workersExist, WorkersRefused } from './pool.ts';
import { addFinding, asStrict } from './report.ts';
import { holdSource, pause, readable, sendable, sliceOf, type HeldSource, type OpenSource, type Progress } from './source.ts';
import type { FormatOptions, Need, Report, RigScene } from './types.ts';
import { compileWasm, type WasmSource } from './wasm.ts';

/** Finds what a file needs to be read (not textures and instances); null where there is none. A Map goes by the name, as written and then without regard to case and folder. */
export type Companions = ((need: Need) => Promise<Uint8Array | null> | Uint8Array | null) | ReadonlyMap<string, Uint8Array | Blob>;

export interface OpenOptions {
  /** File name with extension; default: that of the File or the address. */
  name?: string;
  /** Format id; default: found by content, then by the name. */
  format?: string;
  /** Raises warnings to errors. */
  strict?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Default true where there are workers. */
  worker?: boolean;
  /** Hand the given buffer over instead of copying it: it is detached. `RigFile` keeps it for `outline` and `supply`. */
  transfer?: boolean;
  companions?: Companions;
  formatOptions?: FormatOptions;
  /** Bytes that the file and what is made of it may take in the core's memory. Default: what a 32-bit heap holds. */
  maxMemory?: number;
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
 * Opens a file. Bad bytes never reject: `scene` is then null, or holds what could be read, and `report` tells. Rejects with `signal.reason`
 * (AbortError) when aborted, TypeError on a wrong call, and an Error where the network or rigcast.wasm itself fails. A given buffer is not
 * changed or detached (unless `transfer`); leave it alone until the promise settles.
 */
export async function open(source: OpenSource, options: OpenOptions = {}): Promise<RigFile> {
  checkOptions(options);
  const module = compileWasm(options.wasm);
  module.catch(() => {}); // reported below, once the source is there
  const held = await holdSource(source, options);
  const given = options.formatOptions?.vgo?.key;
  const key = given === undefined ? null : (await import('./decrypt.ts')).keyFromOption(given);
  return read(held, await module, options, key ? [{ kind: 'key', name: '', bytes: key }] : []);
}

async function read(source: HeldSource, module: WebAssembly.Module, options: OpenOptions, supplied: Supplied[]): Promise<RigFile> {
  const { description, blocks } = await readDescription(source, module, options, { ...jobOf(source, options, 'scene'), supplied });
  const open = description.references.filter(reference => !reference.supplied).map(({ kind, name, required, properties }): Need => ({ kind, name, required, ...(properties && { properties }) }));
  const needs = open.filter(({ kind }) => kind !== 'decrypt'); // nobody but us can give that
  const found = options.companions ? await findCompanions(needs, options.companions, supplied) : [];
  for (const need of open) {
    if (need.kind !== 'decrypt' || isGiven(need, supplied)) continue;
    const { decryptNeed } = await import('./decrypt.ts'); // only encrypted files need it
    const bytes = await decryptNeed(need, (offset, byteLength) => sliceOf(source, offset, byteLength));
    if (bytes) found.push({ kind: need.kind, name: need.name, bytes });
  }
  options.signal?.throwIfAborted();
  if (found.length > 0) return read(source, module, options, [...supplied, ...found]);
  const { report } = description;
  for (const finding of unknownGroups(options.formatOptions ?? {})) {
    addFinding(report, { ...finding, severity: asStrict(finding.severity, options.strict ?? false) });
  }
  return {
    name: source.name,
    format: description.format || null,
    version: description.version,
    scene: description.scene && decodeScene(description.scene, blocks, description.references),
    report,
    needs,
    byteLength: source.byteLength,
    outline: async ({ signal } = {}) => {
      const { onProgress: _, signal: __, ...rest } = options;
      const quiet: OpenOptions = signal ? { ...rest, signal } : rest;
      const job = { ...jobOf(source, options, 'outline'), supplied };
      const raw = await readDescription<OutlineDescription>(source, module, quiet, job);
      return decodeOutline(raw.description, raw.blocks, await readable(source, quiet));
    },
    // What was given in vain, a wrong key, gives way to what comes now.
    supply: companions => read(source, module, { ...options, companions }, supplied.filter(given => !open.some(need => isGiven(need, [given])) && (given.kind !== 'decrypt' || description.scene !== null))),
  };
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
    supplied: [],
  };
}

/** Runs a job where it shall run and parses its description. */
async function readDescription<T = Description>(
  source: HeldSource,
  module: WebAssembly.Module,
  options: OpenOptions,
  job: Job,
): Promise<{ description: T; blocks: ArrayBuffer[] }> {
  options.signal?.throwIfAborted();
  const result = ((options.worker ?? true) && workersExist() && (await tryWorker(source, module, options, job))) || (await runHere(source, module, options, job));
  options.signal?.throwIfAborted();
  return { description: JSON.parse(result.text) as T, blocks: result.blocks };
}

async function runHere(source: HeldSource, module: WebAssembly.Module, options: OpenOptions, job: Job): Promise<RawResult> {
  const data = source.data instanceof Blob ? source.data : await readable(source, options);
  const { runJob } = await import('./instance.ts');
  return runJob(module, job, data, () => onRead(source, options));
}

/** Null where workers are refused; nothing was handed over then. */
async function tryWorker(source: HeldSource, module: WebAssembly.Module, options: OpenOptions, job: Job): Promise<RawResult | null> {
  const data = await sendable(source, options);
  const isOwn = source.owned && Array.isArray(data);
  const transfer = Array.isArray(data) ? [...new Set(data.map(chunk => chunk.buffer as ArrayBuffer))] : [];
  try {
    if (isOwn) source.data = []; // on its way; an aborted or failed job loses it
    const { source: returned, ...result } = await runInWorker({ module, job, source: data, returnSource: isOwn }, transfer, options.signal, () => onRead(source, options));
    await pause(); // so much for the arrival of a large result

    if (returned) source.data = returned;
    return result;
  } catch (error) {
    if (!(error instanceof WorkersRefused)) throw error;
    if (isOwn) source.data = data;
    return null;
  }
}

/** The bytes are in the core. */
function onRead(source: HeldSource, { onProgress }: OpenOptions): void {
  if (source.data instanceof Blob) onProgress?.({ phase: 'read', loaded: source.byteLength, total: source.byteLength });
  onProgress?.({ phase: 'decode', loaded: source.byteLength, total: source.byteLength });
}

async function findCompanions(needs: readonly Need[], companions: Companions, supplied: readonly Supplied[]): Promise<Supplied[]> {
  const found: Supplied[] = [];
  for (const need of needs) {
    if (need.kind === 'texture' || need.kind === 'instance') continue; // files of their own, read by whoever draws them
    if (isGiven(need, supplied)) continue; // and of no use
    const bytes = typeof companions === 'function' ? await companions({ ...need }) : await lookUp(companions, need.name);
    if (bytes) found.push({ kind: need.kind, name: need.name, bytes });
  }
  return found;
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

/** Wrong calls are told at once, in words; what formats do not know among `formatOptions` is a finding (BAD_OPTION). */
function checkOptions(options: OpenOptions): void {
  const kinds: Record<keyof OpenOptions, string> = {
    name: 'string', format: 'string', strict: 'boolean', signal: 'object', onProgress: 'function', worker: 'boolean', transfer: 'boolean',
    companions: 'function or Map', formatOptions: 'object', maxMemory: 'number', tangents: 'boolean', wasm: 'any', request: 'object',
  };
  for (const [key, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key as keyof OpenOptions] : undefined;
    if (kind === undefined) throw new TypeError(`open: there is no option "${key}" (known: ${Object.keys(kinds).join(', ')})`);
    if (value === undefined || kind === 'any') continue;
    const isRight = kind === 'function or Map' ? typeof value === 'function' || value instanceof Map : typeof value === kind && value !== null;
    if (!isRight) throw new TypeError(`open: the option "${key}" is not a ${kind}`);
  }
  const { maxMemory } = options;
  if (maxMemory !== undefined && !(maxMemory > 0)) throw new TypeError('open: the option "maxMemory" is a number of bytes above 0');
}
