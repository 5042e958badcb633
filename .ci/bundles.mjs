// Builds the bundles of the package: rigcast/inline, which is a single file, and dist/browser, for
// pages without a bundler.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from './lib.mjs';

/** Writes dist/core/packed.js, which contains the files that web/src/core/inline.ts needs. */
export async function packInline() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [inRoot('dist/core/worker/worker.js')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    external: ['node:*'],
    write: false,
  });
  const wasm = gzipSync(readFileSync(inRoot('dist/core/wasm/rigcast.wasm')), { level: 9 }).toString('base64');
  writeFileSync(
    inRoot('dist/core/packed.js'),
    `export const wasm = '${wasm}';\nexport const worker = ${JSON.stringify(outputFiles[0].text)};\n`,
  );
}

/**
 * Replaces dist/element/exportGlb.js by a bundle of the converter to GLB, which is imported when a
 * visitor downloads the model. As separate modules, bundlers would split what it shares with the
 * element into many small files, which every page with an element would have to fetch.
 */
export async function packExport() {
  const { build } = await import('esbuild');
  const file = inRoot('dist/element/exportGlb.js');
  await build({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    external: ['node:*', 'three', 'three/*', 'sharp'],
  });
  rmSync(`${file}.map`);
}

/** Changes to the code of dist/core for pages without a bundler, by module. */
const changes = {
  // The address of the wasm files, which modules and bundles share.
  'moduleAddresses.js': [/new URL\((['"])\.\/wasm\//g, 'new URL($1../core/wasm/'],
};

const inThePage = dist => ({
  name: 'in the page',
  transform(code, id) {
    const [pattern, text] = changes[relative(join(dist, 'core'), id)] ?? [];
    if (!pattern) return null;
    const changed = code.replace(pattern, text);
    if (changed === code) throw new Error(`${id} has changed: the expected text was not found.`);
    return changed;
  },
});

/**
 * Plugin that provides virtual modules by name. Each one combines several modules, so that a page
 * fetches them in one request.
 */
const together = parts => ({
  name: 'together',
  resolveId: id => (id in parts ? `\0${id}` : null),
  load: id => (id.startsWith('\0') && parts[id.slice(1)]) || null,
});

/** Ids of the modules that are in any of the bundles. */
const modules = new Set();
const noticed = { name: 'noticed', moduleParsed: ({ id }) => void modules.add(id) };

/**
 * Bundles `input` into the folder `browser` of `dist`. Returns the names of the written files, by
 * their names in `input`.
 */
async function bundle(dist, input, { plugins = [], external = [], names = '[name].js', groups = [], signatures = 'strict' } = {}) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    input,
    plugins: [inThePage(dist), noticed, ...plugins],
    external: [/^node:/, ...external],
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    preserveEntrySignatures: signatures,
    transform: { target: 'es2022' },
    checks: { ineffectiveDynamicImport: false }, // the modules of `together` are imported both statically and dynamically on purpose
    logLevel: 'warn',
  });
  const { output } = await bundled.write({
    dir: join(dist, 'browser'),
    format: 'es',
    minify: true,
    comments: false,
    codeSplitting: { groups },
    entryFileNames: names,
    chunkFileNames: '[name]-[hash].js',
  });
  await bundled.close();
  return Object.fromEntries(output.flatMap(({ isEntry, name, fileName }) => (isEntry ? [[name, fileName]] : [])));
}

/**
 * Returns the `integrity` hashes of all scripts in a folder, for script tags and import maps. The
 * keys are the names of the scripts.
 */
const integrityOf = folder =>
  Object.fromEntries(
    readdirSync(folder)
      .filter(name => name.endsWith('.js'))
      .map(name => [
        name,
        `sha384-${createHash('sha384')
          .update(readFileSync(join(folder, name)))
          .digest('base64')}`,
      ]),
  );

/** Resolves the imports of web/src/embed to the compiled modules of the package. */
const compiled = dist => ({
  name: 'compiled',
  resolveId: (id, importer) =>
    importer?.startsWith(inRoot('web/src/embed')) && id.startsWith('../') ? join(dist, id.slice(3).replace(/\.ts$/, '.js')) : null,
});

/**
 * Builds dist/browser: `element.js` (the element with three.js), `embed.js` (the script of
 * embed.html), `gallery.js` (the script of galleries), and the entry points `three.js` and `rigcast.js`. `three.js` imports three from the page's import map. The first model needs few
 * scripts, which are fetched in parallel; features that only some models need are fetched on
 * demand. `folder`: the compiled package. Returns the bundled modules.
 */
export async function bundleForBrowsers(folder = inRoot('dist')) {
  const dist = name => join(folder, name);
  const out = dist('browser');
  await bundle(folder, { worker: dist('core/worker/worker.js') });
  const parts = {
    read: `export * from ${JSON.stringify(dist('core/prepare.js'))};`,
    // The code that reads files is only in the bundle `read`, from which this bundle imports it.
    show: `
      import ${JSON.stringify(dist('core/prepare.js'))};
      import ${JSON.stringify(dist('element/toolbar.js'))};
      import ${JSON.stringify(dist('element/webgpu.js'))};
      export * from ${JSON.stringify(dist('element/presenter.js'))};`,
  };
  const files = await bundle(folder, Object.fromEntries(Object.keys(parts).map(name => [name, name])), {
    plugins: [together(parts)],
    names: '[name]-[hash].js',
    signatures: 'allow-extension',
    groups: [
      { name: 'read', test: /^\0(read|rolldown)/, priority: 2 },
      { name: 'show', test: /^\0show$/, priority: 1 },
    ],
  });
  // The shell is a separate bundle that no other file imports. A page can therefore load the shell
  // from any URL (redirected, or with a query) without a second request.
  const later = { 'presenter.js': 'show', 'prepare.js': 'read' };
  const apart = {
    name: 'apart',
    resolveId: (id, importer) => {
      const part = importer?.startsWith(dist('element')) ? later[id.split('/').at(-1)] : null;
      return part ? { id: `./${files[part]}`, external: 'relative' } : null;
    },
  };
  await bundle(folder, { element: dist('element/index.js') }, { plugins: [apart] });
  // The script of embed.html is the shell and some code of its own, so that the page needs no
  // second request for the shell.
  await bundle(folder, { embed: inRoot('web/src/embed/embed.ts') }, { plugins: [compiled(folder), apart] });
  // The script of the pages of `rigcast gallery`. It does not import the element.
  await bundle(folder, { gallery: dist('cli/gallery/script.js') });
  // These two entry points contain only exports, and no other bundle imports them.
  await bundle(
    folder,
    { three: dist('three/index.js'), rigcast: dist('core/index.js') },
    {
      external: [/^three($|\/)/],
      groups: [
        { name: 'core', test: /[\\/]dist[\\/]core[\\/](index|prepare)\.js$|^\0rolldown/, priority: 2 },
        { name: 'loader', test: /[\\/]dist[\\/]three[\\/]index\.js$/, priority: 1 },
      ],
    },
  );
  writeFileSync(join(out, 'integrity.json'), JSON.stringify(integrityOf(out), null, 1));
  for (const [name, room] of [
    ['element', 'element'],
    ['three', 'three'],
    ['rigcast', 'core'],
  ])
    writeFileSync(join(out, `${name}.d.ts`), `export * from '../${room}/index.js';\n`);
  return modules;
}
