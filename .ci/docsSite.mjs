// Builds the documentation site in dist/site/docs, and the examples in dist/site/examples.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { preparePackage } from './archive.mjs';
import { buildPages, prepareFolder } from './blocks.mjs';
import { docsPages, exampleFiles, shownBlocks } from './docsPages.mjs';
import { Trouble, inRoot } from './lib.mjs';

/** Style of the pages in frames: an element fills its frame. */
const inFrame =
  '<style>:root { color-scheme: light dark } html, body { height: 100%; margin: 0 } rigcast-viewer { width: 100%; height: 100% }</style>';

/** Folder of the Markdown pages that VitePress reads. `web/docs/.vitepress/config.mjs` names it too. */
const sources = () => inRoot('build/docs');

/**
 * Builds the example pages with the package, as a user's project would. Their models are copied
 * beside them.
 */
async function buildExamples(root, outDir) {
  const folder = join(root, 'examples');
  cpSync(inRoot('web/examples'), folder, { recursive: true });
  const input = ['index.html', ...exampleFiles().map(({ file }) => file)].map(file => join(folder, file));
  for (const file of [...input, join(folder, 'scene.js')])
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('../src/viewer/demo/', './models/'));
  const { build } = await import('vite');
  await build({
    root: folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    resolve: { dedupe: ['three'] },
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, rollupOptions: { input } },
  });
  cpSync(inRoot('web/src/viewer/demo'), join(outDir, 'models'), { recursive: true });
}

/** Builds the documentation and the examples into dist/site. Requires that the package and the site have been built. */
export async function buildDocs() {
  const pages = sources();
  rmSync(pages, { recursive: true, force: true });
  for (const [path, text] of docsPages()) {
    mkdirSync(dirname(join(pages, path)), { recursive: true });
    writeFileSync(join(pages, path), text);
  }
  cpSync(inRoot('docs/pictures'), join(pages, 'pictures'), { recursive: true });
  cpSync(inRoot('web/docs/index.md'), join(pages, 'index.md'));
  const { build } = await import('vitepress');
  try {
    await build(inRoot('web/docs'));
  } catch (error) {
    throw new Trouble(`The documentation does not build:\n\n${error.message}`);
  }
  const temporary = mkdtempSync(join(tmpdir(), 'rigcast-docs-'));
  try {
    mkdirSync(join(temporary, 'node_modules'));
    preparePackage(join(temporary, 'node_modules/rigcast'));
    const root = prepareFolder(temporary);
    await buildPages(root, shownBlocks(), inRoot('dist/site/docs/run'), inFrame);
    await buildExamples(root, inRoot('dist/site/examples'));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
