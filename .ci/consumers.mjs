// `npm run consumers [-- WORD… --write]`: tests the built package with common tools and frameworks.
// WORDs select rows of the table below. Packages are installed from the registry (half a gigabyte
// for all rows). `--write` updates the table of quick starts in docs/start.md. With
// `--offline=FOLDER`, which `npm test` passes, only rows that are marked `offline` run. They use
// the package installed in FOLDER and the packages of this repository.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packPackage } from './archive.mjs';
import {
  checkPicture,
  expectPicture,
  expectWorker,
  inOneBrowser,
  inPage,
  kilobytes,
  lightEnough,
  openFile,
  served,
  serving,
  untilDrawn,
  untilShown,
} from './browser.mjs';
import { moduleNames } from './cpp.mjs';
import { Trouble, inRoot, npmCommand, run } from './lib.mjs';
import { downloads } from './size.mjs';

/**
 * Budget of a quick start: seconds on an idle machine with an ordinary network, and the number of
 * lines that the user types.
 */
const budget = { seconds: 60, lines: 10 };

/**
 * Budget in gzipped bytes for a page that contains only `import { open } from 'rigcast'`: its
 * JavaScript, bundled and minified, and one WebAssembly module.
 */
const openBudget = 130 * 1000;

/**
 * Budget in gzipped bytes for the shell of the element, which a page loads before an element is
 * visible. Releases of Vite with the same number can differ by 100 bytes.
 */
const shellBudget = 7500;

const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
/**
 * The strictest content security policy that a page with the element can have: no eval, no inline
 * styles, only trusted types.
 */
const strictPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self' blob:; style-src 'self'; require-trusted-types-for 'script'; trusted-types rigcast";

const demo = (name = '') => inRoot('web/src/viewer/demo', name);
const wasm = 'node_modules/rigcast/dist/core/wasm/rigcast.wasm';

const inVite = { build: ['vite', 'build'], site: 'dist', policy };
const devVite = { dev: ['vite', '--host', '127.0.0.1', '--strictPort', '--port'] };
const vite = major => ({
  ...inVite,
  ...devVite,
  packages: [`vite@${major}`, 'three'],
  typed: { 'index.html': 'Vite' },
  policy: strictPolicy,
  prove: element,
  // The bundlers in Vite 5 to 7 write longer code, so the budgets are larger.
  shell: major < 8 ? 8000 : shellBudget,
  load: major < 8 ? 'oldVite' : 'bundled',
});
const inReact = ['react@19', 'react-dom@19'];
const esbuild = 'esbuild main.js worker=rigcast/worker --bundle --format=esm --splitting --outdir=static --log-level=error'.split(' ');
const bundled = { copy: [wasm, 'static/rigcast.wasm'], site: '.', policy };
const withTypes = ['vite@8', 'three', '@types/three', 'typescript@5'];
const reactTypes = major => ({
  ...inVite,
  project: 'reactTypes',
  packages: [
    ...withTypes,
    ...['react', 'react-dom', '@types/react', '@types/react-dom'].map(name => `${name}@${major}`),
    '@vitejs/plugin-react',
  ],
  check: ['tsc', '-p', '.'],
  says: [' animations plays', ' nodes after hydration'],
});
const typescript = (major, three = 'latest') => ({
  project: 'types',
  packages: [`typescript@${major}`, `three@${three}`, `@types/three@${three}`, '@types/node@20', '@types/react@19'],
  types: declarations,
});
const release = number => ({
  ...inVite,
  offline: true,
  project: 'pictures',
  packages: [`three@0.${number}`, 'vite@8'],
  prove: page => compare(page, number),
});

/**
 * Rows of the table. The project of a row consists of the folder `project` of tests/consumers, code
 * blocks of docs/start.md (`typed`: heading by file) and models. `dev` and `serve` are commands
 * that start a server and receive the port as the last argument. `build` is a command that writes
 * the folder `site`, `copy` is the name of a file to copy, and `print` is a command that prints.
 * The page or the output must contain the texts in `says`. `check` compiles templates, `types`
 * compiles the declarations, and `prove` is a function with further checks. Rows with `quick` are
 * listed in docs/start.md.
 */
const consumers = {
  'a page without a bundler': { quick: true, packages: [], typed: { 'index.html': 'A page without a bundler' }, site: '.' },
  Vite: { ...vite(8), quick: true, offline: true },
  webpack: {
    quick: true,
    project: 'static',
    packages: ['webpack@5', 'webpack-cli', 'three'],
    typed: { 'main.js': 'webpack' },
    build: ['webpack', './main.js', '--mode', 'production', '-o', 'static'],
    site: '.',
    policy,
  },
  esbuild: {
    ...bundled,
    quick: true,
    offline: true,
    project: 'static',
    packages: ['esbuild', 'three'],
    typed: { 'main.js': 'esbuild, rollup' },
    build: esbuild,
  },
  Next: {
    quick: true,
    project: 'next',
    packages: ['next@16', ...inReact, 'three'],
    typed: { 'app/page.jsx': 'Next' },
    dev: ['next', 'dev', '-H', '127.0.0.1', '-p'],
  },
  React: { ...devVite, quick: true, project: 'react', packages: ['vite@8', ...inReact, 'three'], typed: { 'hero.jsx': 'React' } },
  'react-three-fiber': {
    ...devVite,
    quick: true,
    project: 'fiber',
    packages: ['vite@8', ...inReact, 'three', '@react-three/fiber@9'],
    typed: { 'main.jsx': 'react-three-fiber' },
  },
  Vue: {
    ...devVite,
    quick: true,
    project: 'vue',
    packages: ['vite@8', '@vitejs/plugin-vue', 'vue@3', 'three'],
    typed: { 'Hero.vue': 'Vue' },
  },
  Svelte: {
    ...devVite,
    quick: true,
    project: 'svelte',
    packages: ['vite@8', '@sveltejs/vite-plugin-svelte', 'svelte@5', 'three'],
    typed: { 'Hero.svelte': 'Svelte' },
  },
  Solid: {
    ...devVite,
    quick: true,
    project: 'solid',
    packages: ['vite@8', 'vite-plugin-solid', 'solid-js@1', 'three'],
    typed: { 'hero.jsx': 'Solid' },
  },
  node: {
    quick: true,
    offline: true,
    packages: [],
    typed: { 'main.mjs': 'Node' },
    print: [process.execPath, 'main.mjs'],
    says: ['psk 1 meshes, 0 errors'],
  },
  'a terminal': {
    quick: true,
    offline: true,
    packages: [],
    lines: 1,
    print: 'rigcast convert hero.psk run.psa -o hero.glb'.split(' '),
    says: ['hero.glb', ' bytes'],
  },
  'Vite 5': vite(5),
  'Vite 6': vite(6),
  'Vite 7': vite(7),
  // The pages of Parcel have inline scripts, which a content security policy would block.
  Parcel: { project: 'parcel', packages: ['parcel@2', 'three'], build: ['parcel', 'build', 'index.html'], site: 'dist' },
  rollup: {
    ...bundled,
    project: 'static',
    packages: ['rollup@4', '@rollup/plugin-node-resolve', 'three'],
    typed: { 'main.js': 'esbuild, rollup' },
    build: 'rollup -i main=main.js -i worker=rigcast/worker -d static -p node-resolve={browser:true}'.split(' '),
  },
  'Next with listeners': {
    project: 'nextListeners',
    packages: ['next@16', ...inReact, 'three'],
    build: ['next', 'build'],
    serve: ['next', 'start', '-H', '127.0.0.1', '-p'],
    says: [' nodes after hydration', 'Run plays'],
    prove: hydrated,
  },
  'Next on a server': {
    project: 'nextServer',
    packages: ['next@16', ...inReact],
    build: ['next', 'build'],
    serve: ['next', 'start', '-H', '127.0.0.1', '-p'],
    says: ['1 mesh on the server'],
    prove: page => openFile(page, readFileSync(demo('Pip.psk'))),
  },
  'TypeScript 5.4': typescript('5.4'),
  'TypeScript 5.9': typescript('5.9'),
  'TypeScript with three 0.160': typescript('5.9', '0.160'),
  'React 18 with types': reactTypes(18),
  'React 19 with types': reactTypes(19),
  'react-three-fiber with types and drei': {
    ...inVite,
    project: 'fiberTypes',
    packages: [
      ...withTypes,
      ...inReact,
      '@types/react@19',
      '@types/react-dom@19',
      '@react-three/fiber@9',
      '@react-three/drei@10',
      '@vitejs/plugin-react',
    ],
    typed: { 'hero.tsx': 'Animations in react-three-fiber' },
    check: ['tsc', '-p', '.'],
    says: ['the clone moves', 'the page of the documentation moves', 'the action of drei passes one second'],
  },
  'Vue with types': {
    ...inVite,
    project: 'vueTypes',
    packages: [...withTypes, 'vue@3', '@vitejs/plugin-vue', 'vue-tsc@3'],
    check: ['vue-tsc', '-p', '.'],
    says: [' nodes, 2 clips', ' bones and more', ' plays'],
  },
  'Svelte with types': {
    ...inVite,
    project: 'svelteTypes',
    packages: [...withTypes, 'svelte@5', '@sveltejs/vite-plugin-svelte', 'svelte-check@4'],
    check: ['svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings'],
    says: [' nodes, 2 clips', ' bones and more', ' plays'],
  },
  'Solid with types': {
    ...inVite,
    project: 'solidTypes',
    packages: [...withTypes, 'solid-js@1', 'vite-plugin-solid'],
    check: ['tsc', '-p', '.'],
    says: [' nodes and more', 'Run plays'],
  },
  // Angular 20 is the newest release that runs in Node 20.
  Angular: {
    project: 'angular',
    packages: [
      ...['compiler', 'compiler-cli', 'core', 'common', 'platform-browser'].map(name => `@angular/${name}@20.3.33`),
      ...['cli', 'build'].map(name => `@angular/${name}@20.3.37`),
      'rxjs@7',
      'tslib@2',
      'typescript@5.8',
      'three',
    ],
    typed: { 'src/hero.ts': 'Angular' },
    build: ['ng', 'build'],
    site: 'dist/browser',
    prove: inlineAndAssets,
  },
  // Astro 5 and Vite 7 are the newest releases that run in Node 20.
  Astro: { project: 'astro', packages: ['astro@5', 'three'], build: ['astro', 'build'], site: 'dist' },
  Nuxt: { project: 'nuxt', packages: ['nuxt@4', 'vue@3', 'three'], build: ['nuxt', 'build'], serve: ['nuxt', 'preview', '--port'] },
  // React Router 7 is the newest release that runs in Node 20. Its packages must have equal versions.
  'React Router': {
    project: 'reactRouter',
    packages: [
      ...['react-router', '@react-router/dev', '@react-router/node', '@react-router/serve'].map(name => `${name}@7.13.1`),
      ...inReact,
      'isbot@5',
      'three',
      'vite@7',
    ],
    typed: { 'app/hero.jsx': 'React' },
    build: ['react-router', 'build'],
    serve: ['sh', '-c', 'PORT=$0 exec node_modules/.bin/react-router-serve build/server/index.js'],
  },
  Bun: { packages: ['bun@1'], typed: { 'main.mjs': 'Node' }, print: ['bun', 'main.mjs'], says: ['psk 1 meshes, 0 errors'] },
  Deno: {
    packages: ['deno@2'],
    typed: { 'main.mjs': 'Node' },
    print: ['deno', 'run', '--allow-read', '--allow-env', 'main.mjs'],
    says: ['psk 1 meshes, 0 errors'],
  },
  'only open': { ...inVite, offline: true, project: 'open', packages: ['vite@8'], prove: opened },
  'esbuild without three': {
    ...bundled,
    offline: true,
    project: 'esbuildBrowser',
    packages: ['esbuild'],
    build: esbuild,
    prove: oneWorker,
  },
  inline: {
    offline: true,
    project: 'inline',
    packages: ['esbuild'],
    print: [process.execPath, 'node.mjs'],
    says: ['1 mesh'],
    build: 'esbuild page.js --bundle --minify --format=esm --outfile=main.js --external:node:* --log-level=error'.split(' '),
    site: '.',
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:",
    prove: oneFile,
  },
  'dist/browser': {
    offline: true,
    project: 'browser',
    packages: ['three'],
    copy: [wasm, 'elsewhere.wasm'],
    site: '.',
    prove: withoutBundler,
  },
  'three 0.187': release(187),
  'three 0.160': release(160),
  'three 0.172': release(172),
};

// --- Checks of the rows
// ----------------------------------------------------------------------------------------------------------------------------

/**
 * Checks that the element shows its model under the strict policy, and that the downloads of a
 * built page are within the budgets.
 */
async function element(page, { requests, site, isBuilt, row }) {
  const before = await untilShown(page, requests);
  await page.waitForSelector('rigcast-viewer:state(playing)');
  await expectWorker(page, 'rigcast/element');
  const asked = requests.map(request => request.url()).filter(url => /\.(mat|json|config)$/.test(url));
  if (asked.length > 0) throw new Trouble(`The element requests files that nobody listed: ${asked.join(', ')}`);
  if (!isBuilt) return '';
  const [, entry] = /<script[^>]* src="\/(assets\/[^"]+)"/.exec(readFileSync(join(site, 'index.html'), 'utf8')) ?? [];
  const shell = shellOf(site, entry, new Set());
  if (shell > row.shell) throw new Trouble(`The shell of the element takes ${shell} bytes gzipped, budget ${row.shell}.`);
  return `shell ${(shell / 1000).toFixed(1)} KB gzipped; ${lightEnough(row.load, site, before)}`;
}

/** Checks that the server has rendered the element, and that it shows its model in the page. */
async function hydrated(page, { requests, address }) {
  const html = await (await fetch(address)).text();
  if (!html.includes('<rigcast-viewer src="/hero.psk"')) throw new Trouble(`The server does not render the element: ${html}`);
  await untilShown(page, requests);
}

/**
 * Checks the page of the documentation, which uses rigcast/inline, and a page that uses copies of the
 * WebAssembly module and of the worker.
 */
async function inlineAndAssets(page, { requests, address }) {
  const fetched = () => requests.map(request => new URL(request.url()).pathname).filter(path => /\.wasm$|worker/.test(path));
  await untilShown(page, requests);
  await expectWorker(page, 'Angular');
  if (fetched().length > 0) throw new Trouble(`Angular with rigcast/inline requests ${fetched()}.`);
  requests.length = 0;
  await page.goto(`${address}?assets`);
  await untilShown(page, requests);
  await expectWorker(page, 'Angular with assets');
  if (!fetched().includes('/rigcast/rigcast.wasm')) throw new Trouble(`Angular with assets requests ${fetched()}.`);
}

/** Returns the gzipped size of a chunk and of the chunks that it imports statically, in bytes. */
function shellOf(site, file, seen) {
  if (seen.has(file)) return 0;
  seen.add(file);
  const text = readFileSync(join(site, file), 'utf8');
  const imports = Array.from(text.matchAll(/(?:^|[;}])(?:import|export)\b[^'"();]*?["'](\.[^"']+)["']/g), match =>
    join(dirname(file), match[1]),
  );
  return imports.reduce((sum, each) => sum + shellOf(site, each, seen), gzipSync(text, { level: 9 }).byteLength);
}

/**
 * Checks that the bundler has included the worker and the wasm modules of all families, and that a
 * file can be opened.
 */
async function opened(page, { site }) {
  const files = readdirSync(site, { recursive: true });
  for (const name of [...moduleNames(), 'worker'])
    if (!files.some(file => new RegExp(`\\b${name}\\b[^/]*\\.(wasm|js)$`).test(file)))
      throw new Trouble(`Vite does not find ${name} of the package: ${files}`);
  await openFile(page, readFileSync(demo('Pip.psk')));
  return sizeOf(site, files);
}

/**
 * Measures the download size, gzipped, of a page that imports only `open`. Throws if it exceeds the
 * budget.
 */
function sizeOf(site, files) {
  const scripts = files.filter(name => /\.(js|wasm)$/.test(name));
  const { wasm, js, spare, forFew } = downloads(scripts.map(name => ({ name, bytes: readFileSync(join(site, name)) })));
  const parts = `the largest WebAssembly module of a family ${kilobytes(wasm)} + JavaScript ${kilobytes(js)} (page and worker; ${kilobytes(spare)} more where workers are refused, ${kilobytes(forFew)} for encrypted files)`;
  const text = `${parts} = ${kilobytes(wasm + js)} gzipped, budget ${kilobytes(openBudget)}`;
  if (wasm + js > openBudget) throw new Trouble(`Too big: ${text}`);
  return text;
}

/**
 * Checks that `configure` affects both the page and the element, although the element has its own
 * copy of three.js.
 */
async function oneWorker(page, { requests }) {
  await untilShown(page, requests);
  await expectWorker(page, 'The page bundled by esbuild');
  const workers = new Set(page.workers().map(worker => new URL(worker.url()).pathname));
  if ([...workers].join() !== '/static/worker.js') throw new Trouble(`The page bundled by esbuild reads in ${[...workers]}.`);
}

/** Checks the size of rigcast/inline, and that it requests no files and reads in a worker. */
async function oneFile(page, { site }) {
  const size = gzipSync(readFileSync(join(site, 'main.js')), { level: 9 }).byteLength / 1000;
  const [, stated] = /in one file: no requests, (\d+) KB gzipped/.exec(readFileSync(inRoot('docs/package.md'), 'utf8')) ?? [];
  if (!(Math.abs(size - Number(stated)) < 5))
    throw new Trouble(`rigcast/inline takes ${size.toFixed(1)} KB gzipped; docs/package.md states ${stated} KB.`);
  await openFile(page, readFileSync(demo('Pip.psk')));
  if (page.workers().length !== 1) throw new Trouble(`rigcast/inline reads in ${page.workers().length} workers.`);
  const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const others = asked.filter(name => !name.endsWith('/main.js') && !name.startsWith('blob:'));
  if (others.length > 0) throw new Trouble(`rigcast/inline requests ${others.join(', ')}`);
}

/**
 * Checks dist/browser on a page with plain script tags: the loader, with three.js from an import
 * map, and the element, with integrity hashes and within its download budget.
 */
async function withoutBundler(page, { requests, site, address }) {
  await page.waitForFunction(() => document.title === "1 skinned mesh of the page's own three, read by /elsewhere.wasm");
  const files = '/node_modules/rigcast/dist/browser/';
  const hashes = JSON.parse(readFileSync(join(site, files, 'integrity.json'), 'utf8'));
  const first = Object.entries(hashes).filter(([name]) => /^(show|read)-/.test(name)); // only hashes of the files for the first model, because hashes add to the download
  const integrity = Object.fromEntries(first.map(([name, hash]) => [`${files}${name}`, hash]));
  writeFileSync(
    join(site, 'element.html'),
    `<!doctype html><title>no bundler</title><script type="importmap">${JSON.stringify({ integrity })}</script>
     <script type="module" src="${files}element.js" integrity="${hashes['element.js']}"></script>
     <rigcast-viewer src="hero.psk" files="run.psa hero_D.png" autoplay controls alt="Hero"></rigcast-viewer>`,
  );
  requests.length = 0;
  await page.goto(`${address}element.html`);
  const load = lightEnough('browser', site, await untilShown(page, requests));
  await expectPicture(page, 'dist/browser/element.js');
  await expectWorker(page, 'dist/browser/element.js');
  return load;
}

/**
 * Models and animations of which screenshots are compared. The page itself creates `chain`. `share`
 * is the maximum fraction of pixels that may differ between three.js releases, because their
 * shading has changed.
 */
const pictures = [
  { name: 'Pip.psk', motion: 'Pip.psa', share: 0.001 },
  { name: 'Tock.cast', motion: null, share: 0.01 },
  { name: 'Lotl.vgo', motion: null, share: 0.001 },
  { name: 'chain', motion: null, share: 0.001, isGrey: true },
];

/** Screenshots with the newest three.js release, which is tested first. */
let newest = null;

async function compare(page, number) {
  await page.waitForFunction(() => 'draw' in globalThis);
  const used = await page.evaluate(() => globalThis.revision);
  if (Number.parseInt(used) !== number) throw new Trouble(`The page has three r${used} instead of r${number}.`);
  const words = [];
  const drawn = [];
  for (const [i, { name, motion, share, isGrey }] of pictures.entries()) {
    const { pixels: url, codes } = await page.evaluate(([file, clip]) => globalThis.draw(file, clip), [name, motion]);
    const pixels = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    drawn.push({ pixels, codes: codes.join() });
    checkPicture(pixels, `${name} with three r${number}`, isGrey);
    const other = newest?.[i] ?? drawn[i];
    let count = 0;
    for (let at = 0; at < pixels.length; at += 4) if ([0, 1, 2].some(c => Math.abs(pixels[at + c] - other.pixels[at + c]) > 8)) count++;
    if (count > (share * pixels.length) / 4)
      throw new Trouble(`${name} with three r${number}: ${count} pixels differ from the newest release.`);
    if (codes.join() !== other.codes)
      throw new Trouble(`${name} with three r${number} reports ${codes}, with the newest release ${other.codes}.`);
    if (count > 0) words.push(`${name} r${number} ${count}`);
  }
  newest ??= drawn;
  return words.join(', ');
}

/**
 * Checks that the templates of a framework compile without errors, and that the compiler reports
 * the mistake in the folder `wrong`.
 */
function checkTemplates(root, [command, ...args], wrong) {
  const right = run(programOf(root, command), args, { cwd: root });
  if (right.code !== 0) throw new Trouble(`${command} reports:\n${right.output}`);
  cpSync(wrong, root, { recursive: true });
  const { code, output } = run(programOf(root, command), args, { cwd: root });
  if (code === 0 || !output.includes('forever')) throw new Trouble(`${command} does not find the mistake in ${wrong}:\n${output}`);
  for (const name of readdirSync(wrong)) rmSync(join(root, name));
}

/**
 * Compiles all declarations with each kind of module resolution, and without the DOM types. Errors
 * in the declarations of three.js are ignored.
 */
function declarations(root) {
  for (const name of ['bundler', 'node16', 'nodenext', 'node']) {
    const { output } = run(programOf(root, 'tsc'), ['-p', `${name}.json`], { cwd: root });
    const wrong = output.split('\n').filter(line => /^(error|\w+\.mts|node_modules\/rigcast\/)/.test(line));
    if (wrong.length > 0) throw new Trouble(`tsc -p ${name}.json reports:\n${wrong.join('\n')}`);
  }
}

// --- Running the rows
// ---------------------------------------------------------------------------------------------------------------------------------

/**
 * Returns the path of a program that is installed in the project or, for offline rows, in this
 * repository.
 */
const programOf = (root, name) => [join(root, 'node_modules/.bin', name), inRoot('node_modules/.bin', name)].find(existsSync) ?? name;

function must(root, [program, ...args]) {
  const env = { NEXT_TELEMETRY_DISABLED: '1', PARCEL_WORKERS: '1', RIGCAST_TESTS: inRoot('tests') };
  const { code, output, stdout } = run(programOf(root, program), args, { cwd: root, env });
  if (code !== 0) throw new Trouble(`${program} ${args.join(' ')} failed:\n${output}`);
  return stdout;
}

/**
 * Links packages of this repository into a project. A release of three.js such as `three@0.160` is
 * linked as `three`.
 */
export function linkPackages(root, names) {
  for (const name of names) {
    const [, release] = /^three@0\.(\d+)$/.exec(name) ?? [];
    const plain = name.replace(/(.)@.*/, '$1');
    const link = join(root, 'node_modules', plain);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(inRoot('node_modules', release && release !== '187' ? `three-${release}` : plain), link);
  }
}

/**
 * Returns the install function for the rows that run offline. It copies the package rigcast, which is installed
 * in `folder`, and links all other packages.
 */
const offlineFrom = folder => (root, packages) => {
  cpSync(join(folder, 'node_modules/rigcast'), join(root, 'node_modules/rigcast'), { recursive: true });
  mkdirSync(join(root, 'node_modules/.bin'));
  symlinkSync('../rigcast/dist/cli/main.js', join(root, 'node_modules/.bin/rigcast'));
  if (!existsSync(join(root, 'package.json'))) writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  linkPackages(root, packages);
};

const online = archive => (root, packages) => {
  if (!existsSync(join(root, 'package.json'))) must(root, [...npmCommand(), 'init', '-y', '--init-type=module']);
  must(root, [...npmCommand(), 'install', '--no-audit', '--no-fund', archive, ...packages]);
};

/**
 * Returns the first code block below a heading of docs/start.md, in which URLs of CDNs are replaced
 * by files of the project.
 */
function blockOf(heading) {
  const pattern = new RegExp(`^##+ ${heading}\\n(?:(?!^##)[^])*?^\`\`\`\\w+\\n([^]*?)^\`\`\`$`, 'm');
  const [, block] = pattern.exec(readFileSync(inRoot('docs/start.md'), 'utf8')) ?? [];
  if (!block) throw new Trouble(`docs/start.md has no block below "${heading}".`);
  return block.replaceAll(/https:\/\/cdn.jsdelivr.net\/npm\/rigcast@[\d.]+\//g, './node_modules/rigcast/');
}

/**
 * Writes the files that a user types to the folder `root`. Returns the number of lines that are not
 * empty.
 */
function writeProject(root, { project, typed = {}, lines }) {
  mkdirSync(root, { recursive: true });
  if (project) cpSync(inRoot('tests/consumers', project), root, { recursive: true, filter: path => !path.endsWith('/wrong') });
  for (const [name, heading] of Object.entries(typed)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), blockOf(heading));
  }
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return lines ?? texts.flatMap(text => text.split('\n').filter(line => line.trim())).length;
}

/** Places the files that the examples of the documentation name: a model with an animation “Run”. */
function placeModels(folder, { project }) {
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of Object.entries({ 'hero.psk': 'Pip.psk', 'hero_D.png': 'Pip_D.png' })) cpSync(demo(file), join(folder, name));
  const animations = readFileSync(demo('Pip.psa'), 'latin1').replaceAll('Hop\0', 'Run\0');
  writeFileSync(join(folder, 'run.psa'), animations, 'latin1');
  if (project === 'pictures') cpSync(demo(), folder, { recursive: true });
}

/**
 * Checks that a page contains the texts in `says`, and that it passes `prove` or, if there is no
 * `prove`, that it draws a model. Calls `seen` when the model is visible.
 */
async function look(row, address, context, seen) {
  return inPage(address, async (page, requests) => {
    for (const text of row.print ? [] : (row.says ?? []))
      await page
        .waitForFunction(wanted => document.body.innerText.includes(wanted), text)
        .catch(() => {
          throw new Trouble(`The page does not contain "${text}".`);
        });
    if (!row.prove) {
      const canvas = await page.waitForSelector('rigcast-viewer, canvas');
      if (await canvas.evaluate(({ localName }) => localName === 'rigcast-viewer')) await untilShown(page, requests).then(seen);
      await untilDrawn(page, address).then(seen);
    }
    const words = await row.prove?.(page, { requests, address, row, ...context });
    seen();
    return words;
  });
}

/**
 * Creates the project of a row in `root` and checks it. Returns a summary, the number of typed
 * lines, the site folder, and two times in seconds: until the packages are installed, and until the
 * first result.
 */
async function tryConsumer(row, root, install) {
  const lines = writeProject(root, row);
  const begin = performance.now();
  const times = [];
  const seen = () => times.push((performance.now() - begin) / 1000);
  install(root, row.packages);
  seen();
  for (const folder of [root, join(root, 'public')]) placeModels(folder, row);
  if (row.check) checkTemplates(root, row.check, inRoot('tests/consumers', row.project, 'wrong'));
  row.types?.(root);
  if (row.print) {
    const text = must(root, row.print);
    if (!row.says.every(each => text.includes(each))) throw new Trouble(`${row.print.join(' ')} prints: ${text}`);
    seen();
  }
  const words = [];
  const site = row.site && join(root, row.site);
  const server = ([program, ...args], isBuilt) =>
    serving(root, [programOf(root, program), ...args], address => look(row, address, { site, isBuilt }, seen));
  if (row.dev) words.push(await server(row.dev, false));
  if (row.build) must(root, row.build);
  if (row.copy) cpSync(join(root, row.copy[0]), join(root, row.copy[1]));
  if (row.serve) words.push(await server(row.serve, true));
  else if (site) {
    placeModels(site, row);
    const headers = row.policy ? { 'content-security-policy': row.policy } : {};
    words.push(await served(site, address => look(row, address, { site, isBuilt: true }, seen), headers));
  }
  return { words: words.filter(Boolean).join(', '), lines, site, installed: times[0], seen: times[1] };
}

/** Replaces rows of the table in docs/start.md. */
function write(tried) {
  const page = readFileSync(inRoot('docs/start.md'), 'utf8');
  const before = Array.from(page.matchAll(/^\| (.+) \| (\d+) \| (\d+) \| (\d+) \|$/gm), ([, ...row]) => row);
  const rows = Object.keys(consumers).flatMap(name => [...tried, ...before].filter(row => row[0] === name).slice(0, 1));
  const table = [
    '| | lines | seconds in total | seconds of `npm install` |',
    '|---|---|---|---|',
    ...rows.map(row => `| ${row.join(' | ')} |`),
  ];
  const marked = /(<!-- quickstart -->\n)[^]*(<!-- \/quickstart -->)/;
  writeFileSync(
    inRoot('docs/start.md'),
    page.replace(marked, (_, from, to) => `${from}${table.join('\n')}\n${to}`),
  );
}

/**
 * Tests rows one after the other and prints a line for each. Returns the number of failures, and
 * the new rows for the table in docs/start.md.
 */
async function tryRows(chosen, folder, install, isTimed) {
  const rows = [];
  let failed = 0;
  for (const [name, row] of chosen) {
    const root = join(folder, name.replace(/\W/g, '-'));
    const result = await tryConsumer(row, root, install).catch(error => ({ error }));
    const { error, words, lines, seen, installed } = result;
    const isOver = row.quick && (lines > budget.lines || (isTimed && seen > budget.seconds));
    if (error || isOver) failed++;
    else if (row.quick) rows.push([name, lines, Math.round(seen), Math.round(installed)].map(String));
    const late = isOver ? `over the budget of ${budget.seconds} s and ${budget.lines} lines: ` : '';
    const text =
      error?.message ?? `${late}${(seen ?? installed).toFixed(1)} s, npm install ${installed.toFixed(1)} s, ${lines} lines  ${words}`;
    console.log(`${error || isOver ? 'FAILED' : 'ok    '} ${name.padEnd(27)} ${text}`);
  }
  return { rows, failed };
}

export async function main(args) {
  const words = args.filter(arg => !arg.startsWith('--')).map(word => word.toLowerCase());
  const offline = args.find(arg => arg.startsWith('--offline='))?.slice('--offline='.length);
  const chosen = Object.entries(consumers)
    .filter(([, row]) => row.offline || !offline)
    .filter(([name]) => words.length === 0 || words.some(word => name.toLowerCase().includes(word)));
  if (chosen.length === 0) throw new Trouble(`There is no such consumer. There are: ${Object.keys(consumers).join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-consumers-'));
  try {
    const install = offline ? offlineFrom(offline) : online(packPackage(folder));
    const { rows, failed } = await inOneBrowser(() => tryRows(chosen, folder, install, !offline));
    if (args.includes('--write')) write(rows);
    console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
}
