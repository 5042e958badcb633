// The installed package in pages of other people: their bundler, their release of three. `folder` has node_modules/rigcast.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Trouble, inRoot } from './lib.mjs';
import { firstLoads, weigh } from './size.mjs';

/** Content security policy of a page that allows what rigcast needs, and nothing else. */
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** Links packages of this repository's own set-up into the folder: their users have them installed. */
export function linkPackages(folder, names) {
  for (const name of names) {
    const link = join(folder, 'node_modules', name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(inRoot('node_modules', name), link);
  }
}

/** A page of one module script; `files` by name, text or the path of a file to copy into public/. */
export function writePage(folder, { script, publicFiles = [], body = '' }) {
  mkdirSync(join(folder, 'public'), { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><title>consumer</title>${body}<script type="module" src="./${script}"></script>\n`,
  );
  for (const [name, path] of publicFiles) cpSync(path, join(folder, 'public', name));
}

/** What a page waits for comes in its own time, and is waited for by what it says; a machine so busy that nothing comes in this time (milliseconds) is given up. */
const PATIENCE = 180_000;

/**
 * Opens an address in Chromium; `use` gets the page, and the list of its requests as it grows. Throws with what the console said as soon as it has
 * errors: nobody waits for a page that is broken.
 */
export async function inPage(address, use) {
  const { chromium } = await import('playwright');
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 640, height: 480 } });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const trouble = [];
    const requests = [];
    page.on('request', request => requests.push(request));
    const broken = new Promise((_, reject) => {
      const say = text => {
        trouble.push(text);
        reject(new Trouble('The page is broken.'));
      };
      page.on(
        'console',
        message =>
          /error|warning/.test(message.type()) && !isOfOthers(message.text()) && say(`${message.text()} ${message.location().url}`),
      );
      page.on('pageerror', error => say(String(error)));
    });
    await page.addInitScript(() => {
      const tell = ({ target }) => target.localName === 'rigcast-viewer' && performance.mark('rigcast-shown');
      document.addEventListener('load', tell, true); // the viewer says so itself
    });
    await page.route('**/favicon.ico', route => route.fulfill({ status: 204 }));
    const used = page.goto(address, { waitUntil: 'load' }).then(() => use(page, requests));
    return await Promise.race([used, broken]).catch(async error => {
      await Promise.race([page.waitForTimeout(100), used]).catch(() => {}); // what is said with it
      throw new Trouble([error.message, ...trouble].join('\n'));
    });
  } finally {
    await browser.close();
  }
}

/** It may come after the first file, which waits a second for it: a machine may be that busy. */
export async function expectWorker(page, what) {
  const one = page.workers()[0] ?? (await page.waitForEvent('worker').catch(() => null));
  if (!one) throw new Trouble(`${what} reads without a worker.`);
}

/** Chromium's own words about a machine without a graphics card, and three's about react-three-fiber, which still uses its Clock. */
const isOfOthers = text =>
  /GPU stall|software WebGL|GL Driver Message|Automatic fallback|THREE.Clock: This module has been deprecated/i.test(text);

/** Serves built files as a static server would, under the policy. */
export async function served(folder, use, headers = { 'content-security-policy': policy }) {
  const { preview } = await import('vite');
  const server = await preview({
    root: folder,
    configFile: false,
    logLevel: 'error',
    appType: 'mpa', // what is not there is a 404
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0, headers },
  });
  try {
    return await use(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}

/** Bundled as a Vite user does it, with another release of three where `three` names its folder. */
export async function bundled(root, outDir, three = 'three') {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    base: './',
    resolve: {
      alias: [
        { find: /^three(?=$|\/)/, replacement: three },
        { find: '#tests', replacement: inRoot('tests') },
      ],
    },
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: false, target: 'es2022', assetsInlineLimit: 0 },
  });
  return readdirSync(outDir, { recursive: true }).map(file => join(outDir, file));
}

/** Opens a PSK of one mesh in a page that has `open` of rigcast as `openFile`, in a worker. Returns how many workers there are then. */
export async function openFile(page, bytes) {
  await page.waitForFunction(() => 'openFile' in globalThis);
  const opened = await page.evaluate(
    async numbers => {
      // A worker that takes longer than a second to start is left for the next file: a machine may be that busy.
      for (let tries = 1; ; tries++) {
        const { format, scene, report } = await globalThis.openFile(new Uint8Array(numbers), { name: 'triangle.psk', worker: true });
        const codes = report.items.map(({ code }) => code).filter(code => code !== 'TEXTURE_MISSING');
        if (tries === 10 || !codes.includes('WORKER_REFUSED')) return { format, meshes: scene?.meshes.length, codes };
        await new Promise(resolve => setTimeout(resolve, 1000));
      }
    },
    [...bytes],
  );
  if (JSON.stringify(opened) !== '{"format":"psk","meshes":1,"codes":[]}') throw new Trouble(`The page opened ${JSON.stringify(opened)}.`);
  return page.workers().length;
}

/** RGBA of what the page shows, decoded in another page, which no policy binds. */
async function screenshotOf(page, decoder) {
  const png = (await page.screenshot()).toString('base64');
  return decoder.evaluate(async base64 => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    return Array.from(context.getImageData(0, 0, width, height).data);
  }, png);
}

/** Looks until something is drawn, as long as is waited for anything (a busy machine has no graphics card, either); throws what is wrong with the last picture. */
export async function untilDrawn(page, what) {
  // In a window of its own: another page in front would keep this one from drawing.
  const window = await page.context().browser().newContext();
  const decoder = await window.newPage();
  try {
    for (const end = Date.now() + PATIENCE; ; await page.waitForTimeout(200)) {
      try {
        return checkPicture(await screenshotOf(page, decoder), what);
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  } finally {
    await window.close();
  }
}

// ------------------------------------------------------------------------------------------------------------------------------------------------

/** The oldest release that `peerDependencies` allows, one between, and the one that the tests use: all draw the same. */
const releases = ['three-160', 'three-172', 'three'];
/** Files and their motions; `chain` is made by the page. A share of pixels may differ: three's own shading has changed. */
const pictures = [
  { name: 'Pip.psk', motion: 'Pip.psa', share: 0.001 },
  { name: 'Tock.cast', motion: null, share: 0.01 },
  { name: 'Lotl.vgo', motion: null, share: 0.001 },
  { name: 'chain', motion: null, share: 0.001, isGrey: true },
];
const demo = inRoot('web/src/viewer/demo');

/** Pixels of which a channel differs by more than 8. */
export function differing(a, b) {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some(c => Math.abs(a[i + c] - b[i + c]) > 8)) count++;
  return count;
}

/** Throws where a picture shows nothing: all background, black, or grey all over. Returns the share of its pixels that is drawn. */
export function checkPicture(pixels, what, isGrey = false) {
  const isBackground = i => [0, 1, 2].every(c => Math.abs(pixels[i + c] - pixels[c]) <= 2);
  let drawn = 0;
  let lit = 0;
  let coloured = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (isBackground(i)) continue;
    drawn++;
    const [r, g, b] = pixels.slice(i, i + 3);
    if (r + g + b > 60) lit++;
    if (Math.max(r, g, b) - Math.min(r, g, b) > 30) coloured++;
  }
  const share = drawn / (pixels.length / 4);
  if (share < 0.01) throw new Trouble(`${what} is an empty picture.`);
  if (lit / drawn < 0.5) throw new Trouble(`${what} is black.`);
  if (!isGrey && coloured / drawn < 0.1) throw new Trouble(`${what} is grey.`);
  return share;
}

/** Draws the same files with each release and compares them with the newest. Returns what differs, in words. */
export async function checkReleases(folder) {
  linkPackages(folder, releases);
  const root = join(folder, 'pictures');
  writePage(root, {
    script: 'page.js',
    publicFiles: readdirSync(demo)
      .filter(name => /^(Pip|Tock|Lotl)/.test(name))
      .map(name => [name, join(demo, name)]),
  });
  cpSync(inRoot('tests/consumers/pictures.js'), join(root, 'page.js'));
  const drawn = new Map();
  for (const three of releases) {
    const site = join(folder, `site-${three}`);
    await bundled(root, site, three);
    await served(site, address =>
      inPage(address, async page => {
        await page.waitForFunction(() => 'draw' in globalThis);
        const revision = await page.evaluate(() => globalThis.revision);
        const shown = [];
        for (const { name, motion } of pictures)
          shown.push(await page.evaluate(([file, clip]) => globalThis.draw(file, clip), [name, motion]));
        drawn.set(three, { revision, shown });
      }),
    );
  }
  const { shown: newest, revision: last } = drawn.get('three');
  pictures.forEach(({ name, isGrey }, i) => checkPicture(newest[i].pixels, `${name} with three r${last}`, isGrey));
  const words = [];
  for (const [three, { revision, shown }] of drawn) {
    if (three === 'three') continue;
    pictures.forEach(({ name, share }, i) => {
      const count = differing(shown[i].pixels, newest[i].pixels);
      const all = shown[i].pixels.length / 4;
      if (count > share * all) throw new Trouble(`${name} with three r${revision}: ${count} of ${all} pixels differ from r${last}.`);
      if (shown[i].codes.join() !== newest[i].codes.join())
        throw new Trouble(
          `${name} with three r${revision} reports ${shown[i].codes.join(', ')}, with r${last} ${newest[i].codes.join(', ')}.`,
        );
      if (count > 0) words.push(`${name} r${revision} ${count}`);
    });
  }
  return words.join(', ');
}

// ------------------------------------------------------------------------------------------------------------------------------------------------

const readmeFiles = [
  ['hero.psk', 'Pip.psk'],
  ['run.psa', 'Pip.psa'],
  ['hero_D.png', 'Pip_D.png'],
  ['avatar.vgo', 'Lotl.vgo'],
].map(([name, file]) => [name, join(demo, file)]);

/** What a page may do that has the element and nothing else: no eval, no inline style, no markup out of text. */
const elementPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob:",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types rigcast',
].join('; ');

/** What a page loads of the element before one is seen, gzipped. */
const shellBudget = 6200;

/** Shows README's tag, word for word, in a page under a strict policy, and weighs what the page loads. */
export async function checkElement(folder) {
  linkPackages(folder, ['three', '@types/three']);
  const [, tag] = /^(<rigcast-viewer .*)$/m.exec(readFileSync(inRoot('README.md'), 'utf8')) ?? [];
  if (!tag) throw new Trouble('README.md has no <rigcast-viewer>.');
  const root = join(folder, 'element');
  writePage(root, { script: 'page.js', publicFiles: readmeFiles, body: tag });
  writeFileSync(join(root, 'page.js'), "import 'rigcast/element';\n");
  const site = join(root, 'site');
  await bundled(root, site);
  const load = await served(
    site,
    address =>
      inPage(address, async (page, requests) => {
        const load = lightEnough('bundled', site, await untilShown(page, requests));
        await page.waitForSelector('rigcast-viewer:state(playing)');
        await expectWorker(page, 'rigcast/element');
        const asked = requests.map(request => request.url()).filter(url => /\.(mat|json|config)$/.test(url));
        if (asked.length > 0) throw new Trouble(`The element requests files that nobody listed: ${asked.join(', ')}`);
        return load;
      }),
    { 'content-security-policy': elementPolicy },
  );
  const entry = /<script[^>]* src="\.\/(assets\/[^"]+)"/.exec(readFileSync(join(site, 'index.html'), 'utf8'))?.[1];
  const shell = shellOf(site, entry, new Set());
  if (shell > shellBudget) throw new Trouble(`The shell of the element takes ${shell} bytes gzipped, budget ${shellBudget}.`);
  return `shell ${(shell / 1000).toFixed(1)} KB gzipped; ${load}`;
}

/** Gzipped bytes of a chunk and of all that it imports at once. */
function shellOf(site, file, seen) {
  if (seen.has(file)) return 0;
  seen.add(file);
  const text = readFileSync(join(site, file), 'utf8');
  const imports = Array.from(text.matchAll(/(?:^|[;}])(?:import|export)\b[^'"();]*?["'](\.[^"']+)["']/g), match =>
    join(dirname(file), match[1]),
  );
  return imports.reduce((sum, each) => sum + shellOf(site, each, seen), gzipSync(text, { level: 9 }).byteLength);
}

/** As docs/start.md says for bundlers that do not follow addresses of files: one place for addresses, also of the element with three.js inside. */
export async function checkEsbuild(folder) {
  const { build } = await import('esbuild');
  const root = join(folder, 'esbuild');
  const out = join(root, 'static');
  const publicFiles = ['Pip.psk', 'Pip_D.png'].map(name => [name, join(demo, name)]);
  const body = '<rigcast-viewer src="public/Pip.psk" files="public/Pip_D.png"></rigcast-viewer>';
  writePage(root, { script: 'static/main.js', publicFiles, body });
  writeFileSync(
    join(root, 'main.js'),
    `import 'rigcast/browser/element.js';
    import { configure, open } from 'rigcast';
    configure({ wasm: '/static/rigcast.wasm', worker: '/static/worker.js' });
    globalThis.openFile = open;`,
  );
  const entryPoints = [
    { in: join(root, 'main.js'), out: 'main' },
    { in: 'rigcast/worker', out: 'worker' },
  ];
  await build({ entryPoints, absWorkingDir: root, bundle: true, format: 'esm', splitting: true, outdir: out, logLevel: 'error' });
  cpSync(join(folder, 'node_modules/rigcast/dist/core/wasm/rigcast.wasm'), join(out, 'rigcast.wasm'));
  const workers = await served(root, address =>
    inPage(address, async page => {
      await page.waitForSelector('rigcast-viewer:state(ready)');
      await openFile(page, readFileSync(join(demo, 'Pip.psk')));
      return new Set(page.workers().map(worker => new URL(worker.url()).pathname));
    }),
  );
  if ([...workers].join() !== '/static/worker.js')
    throw new Trouble(`The page bundled by esbuild reads in these workers: ${[...workers].join()}`);
}

/** The built viewer under the policy that it brings itself: its demo opens, in a worker, without a word in the console. */
export async function checkSite() {
  const site = inRoot('dist/site');
  if (!existsSync(join(site, 'index.html'))) throw new Trouble('There is no dist/site: run npm run build first.');
  for (const name of ['three ', '@pixiv/three-vrm-materials-mtoon ', 'RapidJSON']) checkNotice(join(site, 'THIRD-PARTY-NOTICES.txt'), name);
  return served(
    site,
    address =>
      inPage(address, async (page, requests) => {
        if (
          !(await page.evaluate(
            () => globalThis.trustedTypes?.createPolicy && document.querySelector('meta[http-equiv=Content-Security-Policy]') !== null,
          ))
        )
          throw new Trouble('The site has no policy of its own.');
        const before = await untilShown(page, requests);
        await expectWorker(page, 'The site');
        await page.waitForFunction(() => document.querySelector('.title')?.textContent && document.querySelectorAll('.row').length > 1);
        const said = lightEnough('viewer', site, before);
        const foreign = requests
          .filter(request => request.serviceWorker() === null && request.url().includes('/assets/ja'))
          .map(request => request.url());
        if (foreign.length > 0) throw new Trouble(`A page in English asks for another language: ${foreign.join(', ')}`);
        await page.goto(`${address}?lang=ja`);
        await page.waitForFunction(
          () => document.documentElement.lang === 'ja' && document.querySelector('nav button')?.textContent === '開く',
        );
        return said;
      }),
    {},
  );
}

/** Waits for the first picture of a viewer or of an element. Returns what was asked for until then, except by a service worker. */
export async function untilShown(page, requests) {
  const shown = await page.waitForFunction(() => {
    const [mark] = performance.getEntriesByName('rigcast-shown');
    return mark && performance.timeOrigin + mark.startTime;
  });
  const when = await shown.jsonValue();
  return requests.filter(request => request.timing().startTime <= when && request.serviceWorker() === null);
}

/** Throws where a first load is over its budget; says what it is. */
export function lightEnough(name, site, requests) {
  const { files, gzip, brotli } = weigh(
    site,
    requests.map(request => request.url()),
  );
  const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`;
  const { what, budget, files: most = Infinity } = firstLoads[name];
  const text = `first load of ${what}: ${kilobytes(gzip)} gzipped in ${files} files (${kilobytes(brotli)} by brotli), budget ${kilobytes(budget)}`;
  if (gzip > budget) throw new Trouble(`Too big: ${text}`);
  if (files > most) throw new Trouble(`Too many files (${most} are enough): ${text}`);
  return text;
}

/** Throws where a file of notices says nothing of a library. */
export function checkNotice(file, name) {
  if (!readFileSync(file, 'utf8').includes(`\n${name}`)) throw new Trouble(`${file} does not have ${name}.`);
}
