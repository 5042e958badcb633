// The installed package in pages of other people: their bundler, their release of three, README's own blocks. `folder` has node_modules/rigcast.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Trouble, inRoot } from './lib.mjs';

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
  writeFileSync(join(folder, 'index.html'), `<!doctype html><title>consumer</title>${body}<script type="module" src="./${script}"></script>\n`);
  for (const [name, path] of publicFiles) cpSync(path, join(folder, 'public', name));
}

/** Opens an address in Chromium; `use` gets the page. Throws with what the console said where it had errors. */
export async function inPage(address, use) {
  const { chromium } = await import('playwright');
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
    const trouble = [];
    page.on('console', message => /error|warning/.test(message.type()) && !isOfMachine(message.text()) && trouble.push(message.text()));
    page.on('pageerror', error => trouble.push(String(error)));
    await page.route('**/favicon.ico', route => route.fulfill({ status: 204 }));
    await page.goto(address, { waitUntil: 'load' });
    const result = await use(page).catch(error => {
      throw new Trouble(`${error.message}\n${trouble.join('\n')}`);
    });
    if (trouble.length > 0) throw new Trouble(`The console of the page says:\n${trouble.join('\n')}`);
    return result;
  } finally {
    await browser.close();
  }
}

/** Chromium's own words about a machine without a graphics card. */
const isOfMachine = text => /GPU stall|software WebGL|GL Driver Message|Automatic fallback/i.test(text);

/** Serves built files as a static server would, under the policy. */
export async function served(folder, use) {
  const { preview } = await import('vite');
  const server = await preview({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0, headers: { 'content-security-policy': policy } },
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
    resolve: { alias: [{ find: /^three(?=$|\/)/, replacement: three }, { find: '#tests', replacement: inRoot('tests') }] },
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: false, target: 'es2022', assetsInlineLimit: 0 },
  });
  return readdirSync(outDir, { recursive: true }).map(file => join(outDir, file));
}

/** Opens a PSK of one mesh in a page that has `open` of rigcast as `openFile`, in a worker. Returns how many workers there are then. */
export async function openFile(page, bytes) {
  await page.waitForFunction(() => 'openFile' in globalThis);
  const opened = await page.evaluate(async numbers => {
    const { format, scene, report } = await globalThis.openFile(new Uint8Array(numbers), { name: 'triangle.psk', worker: true });
    return { format, meshes: scene?.meshes.length, codes: report.items.map(({ code }) => code).filter(code => code !== 'TEXTURE_MISSING') };
  }, [...bytes]);
  if (JSON.stringify(opened) !== '{"format":"psk","meshes":1,"codes":[]}') throw new Trouble(`The page opened ${JSON.stringify(opened)}.`);
  return page.workers().length;
}

// ------------------------------------------------------------------------------------------------------------------------------------------------

/** The oldest release that `peerDependencies` allows, one between, and the one that the tests use: all draw the same. */
const releases = ['three-160', 'three-172', 'three'];
/** Files and their motions; `chain` is made by the page. A share of pixels may differ: three's own shading has changed. */
const pictures = [
  { name: 'Pip.psk', motion: 'Pip.psa', share: 0.001 },
  { name: 'Tock.cast', motion: null, share: 0.01 },
  { name: 'Lotl.vgo', motion: null, share: 0.001 },
  { name: 'chain', motion: null, share: 0.001 },
];
const demo = inRoot('web/src/viewer/demo');

/** Pixels of which a channel differs by more than 8. */
export function differing(a, b) {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some(c => Math.abs(a[i + c] - b[i + c]) > 8)) count++;
  return count;
}

/** Throws where a picture shows nothing: all background, or black. Returns the share of its pixels that is drawn. */
export function checkPicture(pixels, what) {
  const isBackground = i => [0, 1, 2].every(c => Math.abs(pixels[i + c] - pixels[c]) <= 2);
  let drawn = 0, lit = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (isBackground(i)) continue;
    drawn++;
    if (pixels[i] + pixels[i + 1] + pixels[i + 2] > 60) lit++;
  }
  const share = drawn / (pixels.length / 4);
  if (share < 0.01) throw new Trouble(`${what} is an empty picture.`);
  if (lit / drawn < 0.5) throw new Trouble(`${what} is black.`);
  return share;
}

/** Draws the same files with each release and compares them with the newest. Returns what differs, in words. */
export async function checkReleases(folder) {
  linkPackages(folder, releases);
  const root = join(folder, 'pictures');
  writePage(root, { script: 'page.js', publicFiles: readdirSync(demo).filter(name => /^(Pip|Tock|Lotl)/.test(name)).map(name => [name, join(demo, name)]) });
  cpSync(inRoot('tests/consumers/pictures.js'), join(root, 'page.js'));
  const drawn = new Map();
  for (const three of releases) {
    const site = join(folder, `site-${three}`);
    await bundled(root, site, three);
    await served(site, address => inPage(address, async page => {
      await page.waitForFunction(() => 'draw' in globalThis);
      const revision = await page.evaluate(() => globalThis.revision);
      const shown = [];
      for (const { name, motion } of pictures) shown.push(await page.evaluate(([file, clip]) => globalThis.draw(file, clip), [name, motion]));
      drawn.set(three, { revision, shown });
    }));
  }
  const { shown: newest, revision: last } = drawn.get('three');
  pictures.forEach(({ name }, i) => checkPicture(newest[i].pixels, `${name} with three r${last}`));
  const words = [];
  for (const [three, { revision, shown }] of drawn) {
    if (three === 'three') continue;
    pictures.forEach(({ name, share }, i) => {
      const count = differing(shown[i].pixels, newest[i].pixels), all = shown[i].pixels.length / 4;
      if (count > share * all) throw new Trouble(`${name} with three r${revision}: ${count} of ${all} pixels differ from r${last}.`);
      if (shown[i].codes.join() !== newest[i].codes.join()) throw new Trouble(`${name} with three r${revision} reports ${shown[i].codes.join(', ')}, with r${last} ${newest[i].codes.join(', ')}.`);
      if (count > 0) words.push(`${name} r${revision} ${count}`);
    });
  }
  return words.join(', ');
}
