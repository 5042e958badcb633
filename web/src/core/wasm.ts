// Finding and compiling rigcast.wasm, once. What makes an instance of it is in glue.ts, which a page with workers never loads.
import { placed } from './place.ts';
import { settings, type WasmSource } from './settings.ts';

export type { WasmSource };

/** By address, and by what was given: the latter only as long as somebody else holds it. */
const byAddress = new Map<string, Promise<WebAssembly.Module>>();
const byObject = new WeakMap<object, Promise<WebAssembly.Module>>();

/**
 * The compiled module. A source is compiled once; after a failure the next call tries again.
 * Rejects with an Error that says what to do where the server answers something else than WebAssembly, or the page forbids it.
 */
export function compileWasm(
  source: WasmSource = settings.wasm ?? placed(new URL('./wasm/rigcast.wasm', import.meta.url), 'wasm/rigcast.wasm'),
): Promise<WebAssembly.Module> {
  const key = source instanceof URL ? source.href : source;
  const compiled = (typeof key === 'string' ? byAddress : byObject) as Map<unknown, Promise<WebAssembly.Module>>;
  let module = compiled.get(key);
  if (!module) {
    module = load(source);
    compiled.set(key, module);
    module.catch(() => compiled.delete(key));
  }
  return module;
}

async function load(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compileBytes(source, 'what was given');
  if (typeof source !== 'string' && !(source instanceof URL)) return compileResponse(await source);
  const url = addressOf(source);
  return url.protocol === 'file:' ? compileBytes(await readLocalFile(url), url.href) : compileResponse(await fetch(url));
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
  const what = response.url || 'the given response';
  if (!response.ok) throw notLoaded(what, `answers ${response.status} ${response.statusText}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.split(';', 1)[0]?.trim() !== 'application/wasm') return compileBytes(await response.arrayBuffer(), what, type);
  return WebAssembly.compileStreaming(response).catch(error => {
    throw notCompiled(what, error);
  });
}

async function compileBytes(source: ArrayBuffer | ArrayBufferView, what: string, type = ''): Promise<WebAssembly.Module> {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  const isWasm = bytes[0] === 0x00 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
  if (isWasm) {
    return WebAssembly.compile(bytes).catch(error => {
      throw notCompiled(what, error);
    });
  }
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  const found =
    start.startsWith('<') || type.startsWith('text/html')
      ? 'an HTML page: the server answers unknown paths with its index page'
      : type || 'something else';
  throw notLoaded(what, `is not WebAssembly but ${found}`);
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
