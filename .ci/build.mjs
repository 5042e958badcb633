// `npm run build`: builds dist/ (the output of tsc, with the glue code and the wasm modules),
// dist/site (the viewer, the documentation and the examples as static files), build/release (the ZIP
// file with embed.html), and build/package (the npm package with dist/ and the documents).
import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { llmsText, preparePackage, projectUrls } from './archive.mjs';
import { bundleForBrowsers, packExport, packInline } from './bundles.mjs';
import { buildDocs } from './docsSite.mjs';
import { placeEmbed, writeEmbedPage, writeEmbedZip } from './embed.mjs';
import { elementManual } from './sources.mjs';
import { findingsPage } from './findings.mjs';
import { Trouble, inRoot, installed, seconds, start } from './lib.mjs';
import { customElementsOf, htmlDataOf, webTypesOf } from './manifest.mjs';
import { noticeFiles, noticesPlugins } from './notices.mjs';
import { setup } from './setup.mjs';
import { pruneTypes, typesOf } from './types.mjs';

/**
 * Returns true for modules that are not bundled, because the user installs them: three.js and
 * modules of Node. HDRLoader is bundled, because it has another name in older releases of three.js.
 */
const isTheUsers = id => /^(three(\/|$)|node:)/.test(id) && !id.endsWith('/HDRLoader.js');

/**
 * Replaces each `vendor/*.js` that tsc has written by a bundle of those parts of other packages
 * that are imported, so that rigcast has no dependencies. (Two of these packages would install
 * three.js even for users who only read files.) three.js itself is not bundled. Returns the bundled
 * modules.
 */
async function bundleVendors() {
  const outputs = readdirSync(inRoot('dist'), { recursive: true }).filter(file => /(^|\/)vendor\/[^/]+\.js$/.test(file));
  const { build } = await import('vite');
  const { transform } = await import('esbuild');
  const modules = new Set();
  // One by one, because several libraries in one build share the helper functions of the bundler.
  for (const file of outputs) {
    const entry = inRoot('web/src', file.replace(/\.js$/, '.ts'));
    const [{ output }] = await build({
      root: inRoot(),
      configFile: false,
      logLevel: 'warn',
      build: { write: false, target: 'es2022', lib: { entry, formats: ['es'] }, rollupOptions: { external: isTheUsers } },
    });
    const [{ code, moduleIds }, other] = output;
    if (other) throw new Trouble(`The bundle of ${file} has a second file: ${other.fileName}.`);
    for (const id of moduleIds) modules.add(id);
    writeFileSync(inRoot('dist', file), (await transform(code, { format: 'esm', target: 'esnext', minify: true })).code);
  }
  return modules;
}

/**
 * Compiles the modules, and writes their declarations and source maps. The source maps contain the
 * sources.
 */
async function compile(folder) {
  const result = await start(installed('tsc'), ['-p', 'tsconfig.build.json', '--outDir', folder]);
  if (result.code !== 0) throw new Trouble(`The package does not compile:\n\n${result.output}`);
}

/** Builds the code of the npm package, which is everything in dist/ except the site. */
export async function buildPackage() {
  for (const name of existsSync(inRoot('dist')) ? readdirSync(inRoot('dist')) : [])
    if (name !== 'site') rmSync(inRoot('dist', name), { recursive: true });
  await compile(inRoot('dist'));
  const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  pruneTypes(inRoot('dist'), typesOf(inRoot(), manifest.exports));
  cpSync(inRoot('web/src/core/wasm'), inRoot('dist/core/wasm'), { recursive: true });
  const vendors = await bundleVendors();
  await packInline();
  await packExport();
  const browsers = await bundleForBrowsers();
  for (const [name, text] of Object.entries(noticeFiles([...vendors, ...browsers]))) writeFileSync(inRoot('dist', name), text);
  const manual = await elementManual();
  const urls = projectUrls();
  for (const [name, data] of Object.entries({
    'customElements.json': customElementsOf(manual),
    'vscode.html-custom-data.json': htmlDataOf(manual, urls),
    'web-types.json': webTypesOf(manual, manifest, urls),
  }))
    writeFileSync(inRoot('dist', name), JSON.stringify(data));
  writeFileSync(inRoot('dist/findings.html'), findingsPage());
  writeEmbedPage();
  const cli = inRoot('dist/cli/main.js');
  if (existsSync(cli)) chmodSync(cli, 0o755);
}

/**
 * Builds the viewer as static files, which any web server can serve from any folder. Adds embed.html
 * and its files from the package, and writes them as a ZIP file for releases. Requires that the
 * package has been built.
 */
export async function buildSite() {
  const { build } = await import('vite');
  const notices = noticesPlugins();
  try {
    await build({
      configFile: inRoot('vite.config.ts'),
      logLevel: 'warn',
      plugins: [notices.page],
      worker: { plugins: () => [notices.worker] },
    });
  } catch (error) {
    throw new Trouble(`The site does not build:\n\n${error.message}`);
  }
  writeFileSync(inRoot('dist/site/llms.txt'), llmsText());
  placeEmbed(inRoot('dist/site'));
  await writeEmbedZip();
}

export async function main() {
  const begin = performance.now();
  await setup();
  await buildPackage();
  await buildSite();
  await buildDocs();
  preparePackage();
  console.log(
    `build/package is the npm package, dist/site the viewer and the documentation as static files, build/release the ZIP file with embed.html. ${seconds(begin)}`,
  );
}
