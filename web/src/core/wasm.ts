// Finding and compiling rigcast.wasm, once, and in pieces where nobody says where it is. What makes an instance of it is in glue.ts, which a page with workers never loads.
import type { Part, Wasm } from './parts.ts';
import { placed } from './place.ts';
import { settings, type WasmSource } from './settings.ts';
import { holds, spliced } from './splice.ts';

export type { WasmSource };

/** By address, and by what was given: the latter only as long as somebody else holds it. */
const byAddress = new Map<string, Promise<WebAssembly.Module>>();
const byObject = new WeakMap<object, Promise<WebAssembly.Module>>();

/** The core alone, and with a part. */
const pieces = new Map<Part | 'core', Promise<WebAssembly.Module>>();
const files = new Map<'core', Promise<Uint8Array<ArrayBuffer>>>();

/** Where the pieces are. Bundlers look for these literals. */
const places: Readonly<Record<Part | 'core', () => URL>> = {
  core: () => new URL('./wasm/core.wasm', import.meta.url),
  cast: () => new URL('./wasm/cast.wasm', import.meta.url),
  unreal: () => new URL('./wasm/unreal.wasm', import.meta.url),
  vgo: () => new URL('./wasm/vgo.wasm', import.meta.url),
  mrtk: () => new URL('./wasm/mrtk.wasm', import.meta.url),
  se: () => new URL('./wasm/se.wasm', import.meta.url),
};

/**
 * The compiled module: rigcast.wasm from where it was said to be, else core.wasm, to which what a file needs is fetched when it is opened. A source is compiled once;
 * after a failure the next call tries again. Rejects with an Error that says what to do where the server answers something else than WebAssembly, or the page forbids it.
 */
export function compileWasm(source: WasmSource | undefined = settings.wasm): Promise<WebAssembly.Module> {
  if (source === undefined) return once(pieces, 'core', async () => compile(await core(), placeOf('core')));
  const key = source instanceof URL ? source.href : source;
  return once((typeof key === 'string' ? byAddress : byObject) as Map<unknown, Promise<WebAssembly.Module>>, key, () => load(source));
}

/** The core and a part as one module. */
const compileWith = (name: Part): Promise<WebAssembly.Module> =>
  once(pieces, name, async () => {
    const [before, file] = await Promise.all([core(), fetched(name)]);
    const [packed] = WebAssembly.Module.customSections(await compile(file, placeOf(name)), 'part');
    if (!packed) throw notLoaded(placeOf(name), 'is no part of it');
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const part = new Uint8Array(await new Response(stream).arrayBuffer());
    return compile(spliced(before, part, name), `${placeOf('core')} with ${name}.wasm`);
  });

/** Starts to fetch the core, and with it the part that is probably needed, where nobody has said that there is one file. */
export function wasmFrom(source: WasmSource | undefined = settings.wasm, expected?: Part): Wasm {
  const first = source === undefined && expected ? compileWith(expected).catch(() => compileWasm()) : compileWasm(source);
  first.catch(() => {}); // reported where it is used
  return {
    first,
    async with(name) {
      const module = await first;
      return holds(module, name) ? module : compileWith(name);
    },
  };
}

const placeOf = (name: Part | 'core'): string => placed(places[name](), `wasm/${name}.wasm`);

const core = (): Promise<Uint8Array<ArrayBuffer>> => once(files, 'core', () => fetched('core'));

async function fetched(name: Part | 'core'): Promise<Uint8Array<ArrayBuffer>> {
  const url = addressOf(placeOf(name));
  if (url.protocol === 'file:') return readLocalFile(url) as Promise<Uint8Array<ArrayBuffer>>;
  return bytesOfResponse(await fetch(url));
}

/** What is under way or done under that key; what has failed is tried again. */
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
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compile(source, 'what was given');
  if (typeof source !== 'string' && !(source instanceof URL)) return compileResponse(await source);
  const url = addressOf(source);
  return url.protocol === 'file:' ? compile(await readLocalFile(url), url.href) : compileResponse(await fetch(url));
}

/** Bundlers of servers write addresses as pages have them, which mean nothing on the server itself. */
function addressOf(source: string | URL): URL {
  try {
    return new URL(source, typeof location === 'undefined' ? undefined : location.href);
  } catch (error) {
    throw new Error(
      `rigcast.wasm could not be loaded: ${String(source)} is no address on a server. Leave rigcast out of the server's bundle (Next: serverExternalPackages: ["rigcast"]).`,
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
  if (!response.ok) throw notLoaded(what, `answers ${response.status} ${response.statusText}`);
  return checked(new Uint8Array(await response.arrayBuffer()), what, typeOf(response));
}

function checked<Bytes extends Uint8Array>(bytes: Bytes, what: string, type = ''): Bytes {
  if (bytes[0] === 0x00 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d) return bytes;
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  const found =
    start.startsWith('<') || type.startsWith('text/html')
      ? 'an HTML page: the server answers unknown paths with its index page'
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
    return new Error(`The content security policy of the page forbids WebAssembly: its script-src needs 'wasm-unsafe-eval'. (${words})`, {
      cause,
    });
  }
  return notLoaded(what, `is damaged: cut off, or something else sent as application/wasm (${words})`, cause);
}

function notLoaded(what: string, why: string, cause?: unknown): Error {
  const advice = what.includes('/.vite/')
    ? 'Vite 7 and older move the module away from its file while they serve: set optimizeDeps: { exclude: ["rigcast"] } in vite.config.'
    : 'Copy rigcast.wasm (the package exports it as "rigcast/rigcast.wasm") to where the page can fetch it and pass its address, once with configure({ wasm: url }), or with open(file, { wasm: url }) or loader.setOptions({ wasm: url }).';
  return new Error(`rigcast.wasm could not be loaded: ${what} ${why}. ${advice}`, { cause });
}

/** A file: URL, in Node. Asked for at run time, so that no bundler follows it. */
export function readLocalFile(url: URL): Promise<Uint8Array> {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!fs) throw new TypeError(`A page cannot read ${url.href}.`);
  return fs.promises.readFile(url);
}
