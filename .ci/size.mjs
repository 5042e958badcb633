// Measures the download sizes of bundled pages, for the size check of the package and for the
// benchmark.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const isChunk = (names, file) => new RegExp(`(^|[\\\\/])(${names})-[^\\\\/]*\\.js$`).test(file);

/**
 * Sums the gzipped bytes of files by purpose. `wasm` (the largest module for a family of formats)
 * and `js` are loaded to open a file. `spare` is loaded only if the page reads files on its own
 * thread, because it can't start workers or decodes an animation late. `forFew` is loaded with the
 * first encrypted or compressed file.
 */
export function downloads(files) {
  const sizes = { wasm: 0, js: 0, spare: 0, forFew: 0 };
  for (const { name, bytes } of files) {
    const kind = name.endsWith('.wasm')
      ? 'wasm'
      : isChunk('onPage|later', name)
        ? 'spare'
        : isChunk('encrypted|decrypt|aes|keys|decompress|zstd', name)
          ? 'forFew'
          : 'js';
    if (kind !== 'wasm' && !name.endsWith('.js')) continue;
    const size = gzipSync(bytes, { level: 9 }).byteLength;
    if (kind !== 'wasm') sizes[kind] += size;
    else if (!/\brigcast\b[^\\/]*$/.test(name)) sizes.wasm = Math.max(sizes.wasm, size); // rigcast.wasm is loaded only on request
  }
  return sizes;
}

/**
 * Budgets for the downloads of a page before a model is first drawn, in gzipped bytes. The model
 * itself is not included; the tool bar of elements is.
 */
export const firstLoads = {
  viewer: { what: 'the viewer', budget: 445_000 },
  element: { what: 'embed.html', budget: 380_000 },
  // The number of files depends on the release of the bundler: 11 with Vite 8.4, 28 with Vite 8.3. The
  // limit finds a larger change.
  bundled: { what: 'rigcast/element in a page bundled by Vite', budget: 385_000, files: 32 },
  oldVite: { what: 'rigcast/element in a page bundled by Vite 5 to 7', budget: 405_000, files: 24 },
  // The seven files are the page, the shell, the reader, the renderer, a helper of the bundler, the
  // worker and one WebAssembly module.
  browser: { what: 'dist/browser/element.js', budget: 380_000, files: 8 },
};

/**
 * Scripts that are not part of a first load, although a page may have requested them when its model
 * is shown: the code that reads files on the page's own thread, requested only if a worker starts
 * late, as on a busy machine, and the controls of the camera, requested with the first picture.
 */
const AFTER_FIRST_PICTURE = 'onPage|OrbitControls';

/**
 * Sums the gzipped sizes of the requested files of a site. Each file is counted once. Models,
 * animations and textures are ignored, and so are scripts for the time after the first picture.
 * `list` has a line for each counted file.
 */
export function weigh(site, addresses) {
  const files = new Set(addresses.map(address => decodeURIComponent(new URL(address).pathname).replace(/\/$/, '/index.html')));
  const weight = { files: 0, gzip: 0, brotli: 0, list: '' };
  for (const file of files) {
    const path = join(site, file);
    if (!/\.(html|js|css|wasm|svg|webmanifest)$/.test(file) || !existsSync(path)) continue;
    if (isChunk(AFTER_FIRST_PICTURE, file)) continue;
    const bytes = readFileSync(path);
    const gzip = gzipSync(bytes, { level: 9 }).byteLength;
    weight.files++;
    weight.gzip += gzip;
    weight.list += `\n${gzip} ${file}`;
    weight.brotli += brotliCompressSync(bytes).byteLength;
  }
  return weight;
}
