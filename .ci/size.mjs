// What visitors download of what a bundler made: the one count behind the size check of the package and the size rows of the benchmark.
import { gzipSync } from 'node:zlib';

const isChunk = (names, file) => new RegExp(`(^|[\\\\/])(${names})-[^\\\\/]*\\.js$`).test(file);

/**
 * Gzipped bytes of files by their names. `wasm` and `js` are what a page loads to open a file. Not in them: `spare`, since a page whose workers are
 * refused reads on its own thread and loads the runtime for it, which all others have in the worker alone; and `forFew`, since decrypting comes
 * with the first encrypted file.
 */
export function downloads(files) {
  const sizes = { wasm: 0, js: 0, spare: 0, forFew: 0 };
  for (const { name, bytes } of files) {
    const kind = name.endsWith('.wasm')
      ? 'wasm'
      : isChunk('instance|glue', name)
        ? 'spare'
        : isChunk('decrypt|aes', name)
          ? 'forFew'
          : 'js';
    if (kind === 'wasm' || name.endsWith('.js')) sizes[kind] += gzipSync(bytes, { level: 9 }).byteLength;
  }
  return sizes;
}
