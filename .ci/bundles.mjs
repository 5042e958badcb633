// Bundles in the package, beside its plain modules: rigcast/inline, which is one file, and dist/browser, for pages without a bundler.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from './lib.mjs';

/** dist/core/packed.js: what web/src/core/inline.ts has inside. */
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

const out = inRoot('dist/browser');

/** Changes for a page without a bundler, by module of dist/core. */
const changes = {
  // The wasm files are there once, for plain modules and bundles alike.
  'moduleAddresses.js': [/new URL\((['"])\.\/wasm\//g, 'new URL($1../core/wasm/'],
};

const inThePage = () => ({
  name: 'in the page',
  transform(code, id) {
    const [pattern, text] = changes[relative(inRoot('dist/core'), id)] ?? [];
    if (!pattern) return null;
    const changed = code.replace(pattern, text);
    if (changed === code) throw new Error(`${id} is not as these scripts know it.`);
    return changed;
  },
});

/** A module of nothing but others: what is fetched in one request. */
const together = parts => ({
  name: 'together',
  resolveId: id => (id in parts ? `\0${id}` : null),
  load: id => (id.startsWith('\0') && parts[id.slice(1)]) || null,
});

/** Modules of others that the bundles have inside. */
const modules = new Set();
const noticed = { name: 'noticed', moduleParsed: ({ id }) => void modules.add(id) };

/** Bundles `input` into dist/browser. Returns the files by the names of the input. */
async function bundle(input, { plugins = [], external = [], names = '[name].js', groups = [], signatures = 'strict' } = {}) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    input,
    plugins: [inThePage(), noticed, ...plugins],
    external: [/^node:/, ...external],
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    preserveEntrySignatures: signatures,
    transform: { target: 'es2022' },
    checks: { ineffectiveDynamicImport: false }, // parts of `together` are meant to be
    logLevel: 'warn',
  });
  const { output } = await bundled.write({
    dir: out,
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

/** Hashes for `integrity` of a tag and of an import map, by name of the script. */
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

/**
 * dist/browser: `element.js`, the element with three.js inside; `three.js` and `rigcast.js`, the entries of these names. `three.js` imports three from the
 * page's import map. A first model needs few files, fetched in parallel; features that only some files use are fetched with those files. Returns the modules
 * that are bundled.
 */
export async function bundleForBrowsers() {
  const dist = name => inRoot('dist', name);
  await bundle({ worker: dist('core/worker/worker.js') });
  const parts = {
    read: `export * from ${JSON.stringify(dist('core/prepare.js'))};`,
    // All readers are in the other bundle, also for the renderer.
    show: `
      import ${JSON.stringify(dist('core/prepare.js'))};
      export * from ${JSON.stringify(dist('element/presenter.js'))};
      export * from ${JSON.stringify(dist('element/toolbar.js'))};`,
    labels: `export * from ${JSON.stringify(dist('element/hotspots.js'))};`,
  };
  const files = await bundle(Object.fromEntries(Object.keys(parts).map(name => [name, name])), {
    plugins: [together(parts)],
    names: '[name]-[hash].js',
    signatures: 'allow-extension',
    groups: [
      { name: 'read', test: /^\0(read|rolldown)/, priority: 2 },
      { name: 'show', test: /^\0show$/, priority: 1 },
    ],
  });
  // The shell is a bundle of its own: whichever address a page has it by (a CDN's, which leads to another; one with a query), nothing asks for it again.
  const later = { 'presenter.js': 'show', 'toolbar.js': 'show', 'hotspots.js': 'labels', 'prepare.js': 'read' };
  const apart = {
    name: 'apart',
    resolveId: (id, importer) => {
      const part = importer?.startsWith(dist('element')) ? later[id.split('/').at(-1)] : null;
      return part ? { id: `./${files[part]}`, external: 'relative' } : null;
    },
  };
  await bundle({ element: dist('element/index.js') }, { plugins: [apart] });
  // Nor for these two, which are nothing but what they export.
  await bundle(
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
