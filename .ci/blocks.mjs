// Runs every code block of README.md and docs/ unchanged with the installed package. The language
// of a block determines how it runs:
// - ts, js, tsx: a module, which runs in Node if it imports from `node:`, and otherwise in
//   Chromium. TypeScript is compiled first, in strict mode; tsx is only compiled.
// - html: a page.
// - sh: command lines. Those of `rigcast` and `npx rigcast` run; known lines that install or start
//   something don't.
// - typescript, text, json: declarations and output, which don't run.
//
// A comment <!-- run: … --> above a block contains the code that calls the block's exported
// functions.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inPage, served, untilDrawn } from './browser.mjs';
import { chromiumPath } from './chromium.mjs';
import { linkPackages } from './consumers.mjs';
import { Trouble, inRoot, installed, run, start } from './lib.mjs';

const KINDS = ['ts', 'js', 'tsx', 'html', 'sh', 'typescript', 'text', 'json'];

/**
 * Lists the code blocks of a page. Each has a position, a language, the code, and the call that the
 * comment above the block contains.
 */
export function blocksOf(path, text = readFileSync(inRoot(path), 'utf8')) {
  const found = text.matchAll(/(?:^<!-- run: (.*?) -->\n+)?^```([^\n]*)\n(.*?)^```$/gms);
  return Array.from(found, ([, call, kind, code], index) => {
    const at = `${path}:${text.slice(0, text.indexOf(code)).split('\n').length}`;
    if (!KINDS.includes(kind)) throw new Trouble(`${at}: a block of kind "${kind}"; it is one of ${KINDS.join(', ')}.`);
    return { at, name: `${path.replace(/\W+/g, '-')}-${index}`, kind, code, call };
  });
}

export const pagesWithBlocks = () => [
  'README.md',
  ...readdirSync(inRoot('docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

const demo = inRoot('web/src/viewer/demo');
/** Warning of the element in the pages of the documents, because the demo models have other animations. */
const DEMO_NAMES = /There is no animation “/;
const data = inRoot('tests/data');

/** Files that the code blocks open: copies of the demo models, named as in the documents. */
const FILES = [
  ...['hero.psk', 'body.psk', 'head.psk', 'boots.psk'].map(name => [name, join(demo, 'Pip.psk')]),
  ['run.psa', join(demo, 'Pip.psa')],
  ['walk.psa', join(demo, 'Pip.psa')],
  ['models/hero.psk', join(demo, 'Pip.psk')],
  ['models/run.psa', join(demo, 'Pip.psa')],
  ['hero_D.png', join(demo, 'Pip_D.png')],
  ['textures/Hero_D.png', join(demo, 'Pip_D.png')],
  ['robot.cast', join(demo, 'Tock.cast')],
  ['avatar.vgo', join(demo, 'Lotl.vgo')],
  ['hands.bin', join(demo, 'wavingHands.bin')],
  ['arm.semodel', join(data, 'se/arm.semodel')],
  ['bend.seanim', join(data, 'se/absolute.seanim')],
  ...['arm.uemodel', 'bend.ueanim', 'yard.ueworld'].map(name => [name, join(data, 'ueformat', name)]),
];

function placeFiles(folder) {
  for (const [name, path] of FILES) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    cpSync(path, join(folder, name));
  }
  writeFileSync(join(folder, 'textures/manifest.json'), '["Hero_D.png"]');
  if (existsSync(join(folder, 'hero.glb'))) return;
  const alone = join(folder, 'glb'); // the only texture in the folder, so that it is assigned to the model
  mkdirSync(alone, { recursive: true });
  for (const name of ['hero.psk', 'run.psa', 'hero_D.png']) cpSync(join(folder, name), join(alone, name));
  const made = run(process.execPath, [inRoot('dist/cli/main.js'), 'convert', 'hero.psk', 'run.psa', '-o', '../hero.glb'], { cwd: alone });
  if (!existsSync(join(folder, 'hero.glb'))) throw new Trouble(`hero.glb cannot be made:\n${made.output}`);
}

/** Compiles all TypeScript blocks in one run. */
async function compile(folder, blocks) {
  const files = blocks
    .filter(({ kind }) => /^tsx?$/.test(kind))
    .map(({ name, kind, code }) => {
      const file = `${name}.${kind}`;
      writeFileSync(join(folder, file), code);
      return file;
    });
  if (files.length === 0) return;
  const flags = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --jsx react-jsx --types node';
  const { code, output } = await start(installed('tsc'), [...flags.split(' '), ...files], { cwd: folder });
  if (code !== 0) throw new Trouble(`Blocks of the documentation do not compile:\n\n${output}`);
}

async function runInNode(folder, { name, kind, code, call, at }) {
  const { transform } = await import('esbuild');
  const plain = (await transform(code, { loader: kind, format: 'esm' })).code;
  writeFileSync(join(folder, `${name}.mjs`), plain);
  writeFileSync(join(folder, `${name}.run.mjs`), `import * as block from './${name}.mjs';\n${callOf(code, call)}`);
  const { code: exit, output } = run(process.execPath, [`${name}.run.mjs`], { cwd: folder });
  if (exit !== 0) throw new Trouble(`${at} in node:\n\n${output}`);
}

/** Returns code that calls the exports of a block as its `run` comment specifies. */
const callOf = (code, call = '') => {
  const names = Array.from(code.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm), ([, name]) => name);
  return `const { ${names.join(', ')} } = block;\n${call}\n`;
};

const isForNode = ({ kind, code }) => /^(ts|js)$/.test(kind) && /from 'node:/.test(code);
export const isPage = block => block.kind === 'html' || (/^(ts|js)$/.test(block.kind) && !isForNode(block));
/** Returns true if a code block or its `run` comment draws something that a screenshot can show. */
export const isDrawn = ({ code, call = '' }) => /<rigcast-viewer|<iframe|setAnimationLoop/.test(code) || call.includes('help.look');

/** Writes the page of a block: NAME.html, and its modules beside it. All pages are in one folder, with the files that they open. */
function writeBlockPage(root, { name, kind, code, call }, style) {
  if (kind === 'html') {
    writeFileSync(join(root, `${name}.html`), /<html/i.test(code) ? code : `<!doctype html><title>${name}</title>${style}\n${code}`);
    return;
  }
  writeFileSync(join(root, `${name}.block.${kind}`), code);
  writeFileSync(
    join(root, `${name}.js`),
    `import * as help from '#tests/consumers/help.js';
import * as block from './${name}.block.${kind}';
${callOf(code, call)}document.documentElement.dataset.done = 'yes';
void help;
`,
  );
  writeFileSync(
    join(root, `${name}.html`),
    `<!doctype html><title>${name}</title><style>body { margin: 0 }</style>${style}<script type="module" src="./${name}.js"></script>\n`,
  );
}

/** Returns true if a page imports modules from a CDN and is therefore not bundled. */
const isPlain = ({ kind, code }) => kind === 'html' && /https:\/\/cdn\.jsdelivr\.net/.test(code);

/**
 * Builds the pages of all blocks with Vite in one run. Pages that import modules from a CDN are
 * copied. `root` contains the package and the packages that blocks import in node_modules. `style`:
 * HTML that is added to each page.
 */
export async function buildPages(root, blocks, outDir, style = '') {
  const { build } = await import('vite');
  for (const block of blocks) writeBlockPage(root, block, style);
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '#tests': inRoot('tests') }, dedupe: ['three'] },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      rollupOptions: {
        input: Object.fromEntries(blocks.filter(block => !isPlain(block)).map(({ name }) => [name, join(root, `${name}.html`)])),
      },
    },
  });
  for (const block of blocks.filter(isPlain)) writeBlockPage(outDir, block, style);
  placeFiles(outDir);
}

/**
 * Answers requests to other servers with local files: the packages of a CDN, and the files that
 * blocks request from example.com.
 */
async function answerForNetwork(page, folder) {
  const headers = { 'access-control-allow-origin': '*' };
  await page.route(/^https:\/\/(\w+\.)?example\.com\//, route => {
    const file = new URL(route.request().url()).pathname.split('/').at(-1);
    const found = FILES.find(([name]) => name.split('/').at(-1) === file);
    return found ? route.fulfill({ path: found[1], headers }) : route.fulfill({ status: 404, headers });
  });
  await page.route(/^https:\/\/(cdn\.jsdelivr\.net\/npm|unpkg\.com)\//, route => {
    const [, name, file] = /\/(rigcast|three)@[^/]+\/(.*)$/.exec(new URL(route.request().url()).pathname) ?? [];
    const path = name === 'rigcast' ? join(folder, 'node_modules/rigcast', file) : inRoot('node_modules/three', file ?? '');
    return route.fulfill({ path, headers });
  });
}

async function runInPages(folder, blocks) {
  const root = join(folder, 'documentation');
  const site = join(root, 'site');
  mkdirSync(root, { recursive: true });
  await buildPages(root, blocks, site);
  await served(site, async address => {
    const open = async (page, block) => {
      await answerForNetwork(page, folder);
      await page.goto(`${address}${block.name}.html`, { waitUntil: 'load' });
      if (block.kind !== 'html') await page.waitForFunction(() => document.documentElement.dataset.done);
      if (isDrawn(block)) await untilDrawn(page, block.at);
    };
    const waiting = [...blocks];
    const openPages = async () => {
      for (let block = waiting.shift(); block; block = waiting.shift()) {
        const { at } = block;
        await inPage('about:blank', page => open(page, block), DEMO_NAMES).catch(error => {
          throw new Trouble(`${at} in a page: ${error.message}`);
        });
      }
    };
    await Promise.all([openPages(), openPages()]); // a page waits for timers and the network half of its time
  });
}

/** Matches command lines of other programs, which don't run here. They were tried by hand. */
const KNOWN = /^(#|npm |npx (--yes|esbuild) |git |cd |cp |mkdir |esbuild |node |$)/;

function runShell(folder, { code, at }) {
  for (const line of code.replace(/\\\n\s*/g, ' ').split('\n')) {
    const words = /^(?:npx )?rigcast (.*?)(?:\s+#.*)?$/.exec(line)?.[1];
    if (words === undefined) {
      if (!KNOWN.test(line)) throw new Trouble(`${at}: nobody runs "${line}"`);
      continue;
    }
    const cli = join(folder, 'node_modules/rigcast/dist/cli/main.js');
    const { code: exit, output } = run(process.execPath, [cli, ...words.split(/\s+/)], {
      cwd: folder,
      env: { CHROMIUM_PATH: chromiumPath() },
    });
    if (exit !== 0) throw new Trouble(`${at}: rigcast ${words} exits ${exit}:\n${output}`);
  }
}

/** Creates a folder in which blocks can import the package, which `folder` contains as node_modules/rigcast, and other packages. */
export function prepareFolder(folder) {
  const root = join(folder, 'blocks');
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  if (!existsSync(join(root, 'node_modules/rigcast')))
    cpSync(join(folder, 'node_modules/rigcast'), join(root, 'node_modules/rigcast'), { recursive: true, dereference: true });
  linkPackages(root, ['three', '@types/three', '@types/node', '@types/react', 'playwright-core']);
  return root;
}

/**
 * Runs all code blocks. `folder` contains the package as node_modules/rigcast. Returns the number
 * of blocks per language.
 */
export async function runBlocks(folder, only = '') {
  const root = prepareFolder(folder);
  placeFiles(root);
  const blocks = pagesWithBlocks()
    .flatMap(page => blocksOf(page))
    .filter(({ at }) => at.startsWith(only));
  await compile(root, blocks);
  for (const block of blocks) if (block.kind === 'sh') runShell(root, block);
  for (const block of blocks) if (isForNode(block)) await runInNode(root, block);
  await runInPages(root, blocks.filter(isPage));
  const count = kind => `${blocks.filter(block => block.kind === kind).length} ${kind}`;
  return KINDS.map(count).join(', ');
}
