// What the package has beside its plain modules: rigcast/inline, which is one file, and dist/browser, for pages without a bundler.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inRoot } from './lib.mjs';

const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
  external: ['node:*'],
};

/** dist/core/packed.js: what web/src/core/inline.ts has inside. */
export async function packInline() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ ...common, entryPoints: [inRoot('dist/core/worker.js')], write: false });
  const wasm = gzipSync(readFileSync(inRoot('dist/core/wasm/rigcast.wasm')), { level: 9 }).toString('base64');
  writeFileSync(
    inRoot('dist/core/packed.js'),
    `export const wasm = '${wasm}';\nexport const worker = ${JSON.stringify(outputFiles[0].text)};\n`,
  );
}

/** The wasm file is there once, for plain modules and bundles alike. */
const sharedWasm = {
  name: 'shared wasm',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/]core[\\/]wasm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/new URL\((['"])\.\/wasm\/rigcast\.wasm\1/, "new URL('../core/wasm/rigcast.wasm'");
      if (contents === text) throw new Error(`${path} does not say where rigcast.wasm is.`);
      return { contents };
    });
  },
};

/**
 * dist/browser: `element.js`, the element with three.js inside; `three.js` and `rigcast.js`, the entries of these names, of which the first wants three from
 * the page's import map. Each is one request, with chunks that are fetched when they are needed.
 */
export async function bundleForBrowsers() {
  const { build } = await import('esbuild');
  const shared = { ...common, outdir: inRoot('dist/browser'), splitting: true, chunkNames: '[name]-[hash]', plugins: [sharedWasm] };
  const dist = name => inRoot('dist', name);
  await build({ ...shared, entryPoints: { element: dist('element/index.js'), worker: dist('core/worker.js') } });
  const external = [...common.external, 'three', 'three/*'];
  await build({ ...shared, external, entryPoints: { three: dist('three/index.js'), rigcast: dist('core/index.js') } });
}
