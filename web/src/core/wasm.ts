// Finds and compiles the WebAssembly modules. They are instantiated by glue.ts, which a page does
// not load if it reads in workers.
import { type Family, unnamedFamily } from './formats.ts';
import { moduleAddresses } from './moduleAddresses.ts';
import { resolveAsset } from './assetUrl.ts';
import { settings, type WasmSource } from './settings.ts';
import { invalidArgument, RigcastError } from './error.ts';

export type { WasmSource };

/** Compiled modules by URL. */
const byAddress = new Map<string, Promise<WebAssembly.Module>>();
/** Compiled modules by source object. A module is released together with its source object. */
const byObject = new WeakMap<object, Promise<WebAssembly.Module>>();

/**
 * WebAssembly modules that read files. Each family of formats has a separate module, so that a page
 * only fetches the readers it needs.
 */
export interface Wasm {
  /**
   * The module that is loaded first. It detects all formats, and reads the files of one family or
   * of all families.
   */
  first: Promise<WebAssembly.Module>;
  /** Returns the module that reads files of a family. */
  with(family: Family): Promise<WebAssembly.Module>;
}

/**
 * Compiles the module that reads every format: `source`, or rigcast.wasm next to the script. Each
 * source is compiled once; after a failure, the next call tries again. Rejects with a RigcastError
 * if the server does not return WebAssembly or the page's policy forbids compilation.
 */
export function compileWasm(source: WasmSource | undefined = settings.wasm): Promise<WebAssembly.Module> {
  const from = source ?? addressFor('rigcast');
  const key = from instanceof URL ? from.href : from;
  return once((typeof key === 'string' ? byAddress : byObject) as Map<unknown, Promise<WebAssembly.Module>>, key, () => load(from));
}

/**
 * Returns separate modules for the families, which are fetched on demand. Starts to fetch the
 * module of the family `expected` immediately.
 */
export function modulesByFamily(expected: Family = lastUsed()): Wasm {
  const first = compileWasm(addressFor(expected));
  first.catch(() => {}); // the error is reported when the module is used
  return { first, with: family => compileWasm(addressFor(family)) };
}

/**
 * Returns the module of `source`. If no source is given, returns separate modules for the families;
 * in Node, where modules are read from disk, returns the module that reads every format.
 */
export function wasmFrom(source: WasmSource | undefined = settings.wasm, expected?: Family): Wasm {
  if (source === undefined && !isLocal()) return modulesByFamily(expected);
  const first = compileWasm(source);
  first.catch(() => {}); // the error is reported when the module is used
  return { first, with: () => first };
}

/**
 * Returns a family whose module is already loaded, because every module can detect the format of a
 * file. If none is loaded, returns `unnamedFamily`.
 */
function lastUsed(): Family {
  const families = Object.keys(moduleAddresses) as (Family | 'rigcast')[];
  const used = families.find((name): name is Family => name !== 'rigcast' && byAddress.has(addressFor(name)));
  return used ?? unnamedFamily;
}

const addressFor = (name: Family | 'rigcast'): string => resolveAsset(moduleAddresses[name](), `wasm/${name}.wasm`);

const isLocal = (): boolean => moduleAddresses.rigcast().protocol === 'file:';

/**
 * Returns the cached promise of a key. Calls `start` to create it if it is missing. A rejected
 * promise is removed, so the next call tries again.
 */
function once<Key, Value>(all: Map<Key, Promise<Value>>, key: Key, start: () => Promise<Value>): Promise<Value> {
  let value = all.get(key);
  if (!value) {
    value = start();
    all.set(key, value);
    value.catch(() => all.delete(key));
  }
  return value;
}

async function load(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compile(source, 'the given source');
  if (typeof source !== 'string' && !(source instanceof URL)) return compileResponse(await source);
  const url = addressOf(source);
  return url.protocol === 'file:' ? compile(await readLocalFile(url), url.href) : compileResponse(await fetch(url));
}

/**
 * Parses a URL. Throws WASM_UNAVAILABLE on a server if a bundler replaced the URL by one that is
 * only valid in a page.
 */
function addressOf(source: string | URL): URL {
  try {
    return new URL(source, typeof location === 'undefined' ? undefined : location.href);
  } catch (error) {
    throw new RigcastError(
      'WASM_UNAVAILABLE',
      `rigcast.wasm could not be loaded: ${String(source)} is not a valid URL on a server. Exclude rigcast from the bundle of the server (Next: serverExternalPackages: ["rigcast"]).`,
      { cause: error },
    );
  }
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  const what = nameOf(response);
  if (!response.ok || !isWasm(response)) return compile(await bytesOfResponse(response), what);
  return WebAssembly.compileStreaming(response).catch(error => {
    throw notCompiled(what, error);
  });
}

const nameOf = (response: Response): string => response.url || 'the given response';
const typeOf = (response: Response): string => response.headers.get('content-type') ?? '';
const isWasm = (response: Response): boolean => typeOf(response).split(';', 1)[0]?.trim() === 'application/wasm';

async function bytesOfResponse(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const what = nameOf(response);
  if (!response.ok) throw notLoaded(what, `was not served: ${response.status} ${response.statusText}`);
  return checked(new Uint8Array(await response.arrayBuffer()), what, typeOf(response));
}

function checked<Bytes extends Uint8Array>(bytes: Bytes, what: string, type = ''): Bytes {
  if (bytes[0] === 0x00 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d) return bytes;
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  const found =
    start.startsWith('<') || type.startsWith('text/html')
      ? 'an HTML page: the server returns its index page for unknown paths'
      : type || 'something else';
  throw notLoaded(what, `is not WebAssembly but ${found}`);
}

async function compile(source: ArrayBuffer | ArrayBufferView, what: string): Promise<WebAssembly.Module> {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return WebAssembly.compile(checked(bytes, what)).catch(error => {
    throw notCompiled(what, error);
  });
}

function notCompiled(what: string, cause: unknown): Error {
  const words = cause instanceof Error ? cause.message : String(cause);
  if (/unsafe-eval|content.security|\bCSP\b/i.test(words)) {
    return new RigcastError(
      'WASM_FORBIDDEN',
      `The content security policy of the page forbids WebAssembly: add 'wasm-unsafe-eval' to script-src. (${words})`,
      { cause },
    );
  }
  return notLoaded(what, `is damaged, cut off or not WebAssembly (${words})`, cause);
}

function notLoaded(what: string, why: string, cause?: unknown): Error {
  const advice = what.includes('/.vite/')
    ? 'The development server of Vite 7 and older moves the module away from its file: set optimizeDeps: { exclude: ["rigcast"] } in vite.config.'
    : 'Copy rigcast.wasm (exported as "rigcast/rigcast.wasm") to a folder that the page can fetch from, and pass its URL, once with configure({ wasm: url }), or with open(file, { wasm: url }) or loader.setOptions({ wasm: url }).';
  return new RigcastError('WASM_UNAVAILABLE', `rigcast.wasm could not be loaded: ${what} ${why}. ${advice}`, { cause });
}

/**
 * Reads the file of a `file:` URL in Node. Gets `node:fs` at run time, so that bundlers do not try
 * to include it.
 */
export function readLocalFile(url: URL): Promise<Uint8Array> {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) throw invalidArgument(`A web page cannot read ${url.href}.`);
  return fs.promises.readFile(url);
}
