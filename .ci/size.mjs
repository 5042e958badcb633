// Sizes of downloads from a bundled page, for the size check of the package and the size rows of the benchmark.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const isChunk = (names, file) => new RegExp(`(^|[\\\\/])(${names})-[^\\\\/]*\\.js$`).test(file);

/**
 * Gzipped bytes of files by their names. `wasm` and `js` are what a page loads to open a file: the largest module of a family. Not in them: `spare`, since a page whose workers are
 * refused reads on its own thread and loads the runtime for it, which all others have in the worker alone, as does one that plays motions which wait; and
 * `forFew`, since keys and decrypting come with the first encrypted file.
 */
export function downloads(files) {
  const sizes = { wasm: 0, js: 0, spare: 0, forFew: 0 };
  for (const { name, bytes } of files) {
    const kind = name.endsWith('.wasm')
      ? 'wasm'
      : isChunk('instance|glue|input|later', name)
        ? 'spare'
        : isChunk('decrypt|aes|keys', name)
          ? 'forFew'
          : 'js';
    if (kind !== 'wasm' && !name.endsWith('.js')) continue;
    const size = gzipSync(bytes, { level: 9 }).byteLength;
    if (kind !== 'wasm') sizes[kind] += size;
    else if (!/\brigcast\b[^\\/]*$/.test(name)) sizes.wasm = Math.max(sizes.wasm, size); // rigcast.wasm is only for pages that ask for it
  }
  return sizes;
}

/** Gzipped bytes that a page downloads before the first picture, without the model. Elements include their tool bar. */
export const firstLoads = {
  viewer: { what: 'the viewer', budget: 450_000 },
  element: { what: 'embed.html', budget: 380_000 },
  bundled: { what: 'rigcast/element in a page bundled by Vite', budget: 380_000 },
  // The page, the shell, the reader, the renderer, the worker and one WebAssembly module.
  browser: { what: 'dist/browser/element.js', budget: 380_000, files: 6 },
};

/**
 * Weighs the requested files of a site, each once. Models, animations and textures do not count, nor the reader for the page's own thread, which is requested if a
 * worker is late, as on a busy machine.
 */
export function weigh(site, addresses) {
  const files = new Set(addresses.map(address => decodeURIComponent(new URL(address).pathname).replace(/\/$/, '/index.html')));
  const weight = { files: 0, gzip: 0, brotli: 0 };
  for (const file of files) {
    const path = join(site, file);
    if (!/\.(html|js|css|wasm|svg|webmanifest)$/.test(file) || !existsSync(path)) continue;
    if (isChunk('instance|input|glue', file)) continue;
    const bytes = readFileSync(path);
    weight.files++;
    weight.gzip += gzipSync(bytes, { level: 9 }).byteLength;
    weight.brotli += brotliCompressSync(bytes).byteLength;
  }
  return weight;
}
