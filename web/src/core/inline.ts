// Entry `rigcast/inline`: rigcast with the WebAssembly module and the worker embedded, for
// environments that allow only a single file. Does not fetch anything. This entry is a third larger
// than the separate files, and is loaded as a whole. Other entries in the same page use the
// embedded module and worker as well.
import { wasm, worker } from './packed.js';
import { configure } from './settings.ts';

export * from './index.ts';

/** The embedded module, which is decompressed when the first file is opened. */
// oxlint-disable-next-line unicorn/no-thenable
const response: PromiseLike<Response> = { then: (resolve, reject) => Promise.resolve().then(unpack).then(resolve, reject) };

function unpack(): Response {
  const bytes = Uint8Array.from(atob(wasm), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream, { headers: { 'content-type': 'application/wasm' } });
}

/**
 * Starts the embedded worker. If the page's policy forbids `blob:` workers, files are read on the
 * page's own thread.
 */
function start(): Worker {
  const address = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return new Worker(address, { type: 'module', name: 'rigcast' });
}

configure({ wasm: response, worker: start });
