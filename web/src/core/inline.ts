// rigcast/inline: rigcast with rigcast.wasm and the worker inside, for places that take one file and no assets. It fetches nothing; it is a third larger than
// its parts, and a page loads all of it at once. Other entries that are imported beside it use the same.
import { wasm, worker } from './packed.js';
import { configure } from './settings.ts';

export * from './index.ts';

/** Unpacked when the first file is opened, which is when somebody waits for it. */
// oxlint-disable-next-line unicorn/no-thenable
const response: PromiseLike<Response> = { then: (resolve, reject) => Promise.resolve().then(unpack).then(resolve, reject) };

function unpack(): Response {
  const bytes = Uint8Array.from(atob(wasm), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream, { headers: { 'content-type': 'application/wasm' } });
}

/** Where the page's policy knows no `blob:` workers, the page's own thread reads. */
function start(): Worker {
  const address = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return new Worker(address, { type: 'module', name: 'rigcast' });
}

configure({ wasm: response, worker: start });
