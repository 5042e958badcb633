// Opens pages in Chromium: starts servers, waits until something is drawn, and lists downloads.
// Shared by the checks of the package, the site and the documents.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chromiumPath } from './chromium.mjs';
import { Trouble } from './lib.mjs';
import { firstLoads, weigh } from './size.mjs';

/**
 * Timeout for a page, in milliseconds. It is long, because a busy machine is slow. A broken page
 * fails earlier, when it writes an error to the console.
 */
const PATIENCE = 180_000;

/**
 * Returns true for console messages that are accepted: those of Chromium without a graphics card,
 * and the warning of three.js about Clock, which react-three-fiber uses.
 */
const isHarmless = text =>
  /GPU stall|software WebGL|GL Driver Message|Automatic fallback|THREE.Clock: This module has been deprecated/i.test(text);

async function launch() {
  const { chromium } = await import('playwright');
  return chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
}

let shared = null;

/**
 * Starts a browser that all calls of `inPage` share until `use` ends. Each call gets its own
 * browser context. This saves a second per page.
 */
export async function inOneBrowser(use) {
  shared = await launch();
  try {
    return await use();
  } finally {
    await shared.close();
    shared = null;
  }
}

/**
 * Opens an address and calls `use` with the page and the list of its requests, which grows. Throws
 * as soon as the page writes an error or a warning to the console, except messages that contain
 * `expected`.
 */
export async function inPage(address, use, expected = /(?!)/) {
  const browser = shared ?? (await launch());
  const context = await browser.newContext({ viewport: { width: 640, height: 480 } });
  try {
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const messages = [];
    const requests = [];
    page.on('request', request => requests.push(request));
    const broken = new Promise((_, reject) => {
      const add = text => {
        messages.push(text);
        reject(new Trouble('The page is broken.'));
      };
      page.on('pageerror', error => add(String(error)));
      page.on('console', message => {
        const text = message.text();
        if (/error|warning/.test(message.type()) && !isHarmless(text) && !expected.test(text)) add(`${text} ${message.location().url}`);
      });
    });
    await page.addInitScript(() => {
      const mark = ({ target }) => target.localName === 'rigcast-viewer' && performance.mark('rigcast-shown');
      document.addEventListener('load', mark, true); // the viewer itself sets the same mark
    });
    await page.route('**/favicon.ico', route => route.fulfill({ status: 204 }));
    const used = page.goto(address, { waitUntil: 'load' }).then(() => use(page, requests));
    return await Promise.race([used, broken]).catch(async error => {
      await Promise.race([page.waitForTimeout(100), used]).catch(() => {}); // collects the console messages that follow
      throw new Trouble([error.message, ...messages].join('\n'));
    });
  } finally {
    await context.close();
    if (browser !== shared) await browser.close();
  }
}

/** Starts a static server for a folder of built files, and calls `use` with the address. */
export async function served(folder, use, headers = {}) {
  const { preview } = await import('vite');
  const server = await preview({
    root: folder,
    configFile: false,
    logLevel: 'error',
    appType: 'mpa', // answers requests for missing files with 404
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0, headers },
  });
  try {
    return await use(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}

/**
 * Starts the server of a build tool, and calls `use` with the address. The port is appended to the
 * arguments.
 */
export async function serving(root, [command, ...args], use) {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  // The server gets its own process group, because some servers start other processes.
  const server = spawn(command, [...args, String(port)], { cwd: root, stdio: 'ignore', detached: true });
  const ended = once(server, 'exit');
  try {
    const address = `http://127.0.0.1:${port}/`;
    for (let i = 0; i < 600 && !(await fetch(address).catch(() => null)); i++) await new Promise(resolve => setTimeout(resolve, 100));
    return await use(address);
  } finally {
    if (server.exitCode === null) process.kill(-server.pid);
    await ended;
  }
}

/**
 * Waits until a page has started a worker. The page waits at most one second for the worker before
 * it opens its first file, so the worker may start later.
 */
export async function expectWorker(page, what) {
  const worker = page.workers()[0] ?? (await page.waitForEvent('worker').catch(() => null));
  if (!worker) throw new Trouble(`${what} reads without a worker.`);
}

/**
 * Opens a PSK with one mesh in a worker. The page must provide rigcast's `open` as a global
 * function `openFile`.
 */
export async function openFile(page, bytes) {
  await page.waitForFunction(() => 'openFile' in globalThis);
  const opened = await page.evaluate(
    async numbers => {
      // On a busy machine, the worker may take more than a second to start. In that case, only the
      // next file is opened in the worker.
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
}

/**
 * Throws if RGBA pixels show nothing, only black or, unless `isGrey` is true, only grey. `what`
 * names the picture in the error message.
 */
export function checkPicture(pixels, what, isGrey = false) {
  let drawn = 0;
  let lit = 0;
  let coloured = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if ([0, 1, 2].every(c => Math.abs(pixels[i + c] - pixels[c]) <= 2)) continue; // background
    drawn++;
    const [r, g, b] = pixels.slice(i, i + 3);
    if (r + g + b > 60) lit++;
    if (Math.max(r, g, b) - Math.min(r, g, b) > 30) coloured++;
  }
  if (drawn / (pixels.length / 4) < 0.01) throw new Trouble(`${what} is an empty picture.`);
  if (lit / drawn < 0.5) throw new Trouble(`${what} is black.`);
  if (!isGrey && coloured / drawn < 0.1) throw new Trouble(`${what} is grey.`);
}

/**
 * Takes screenshots until one of them shows a model. After the timeout, throws an error that
 * describes the last screenshot.
 */
export async function untilDrawn(page, what) {
  // Decodes the screenshot in a separate page that has no content security policy.
  const window = await page.context().browser().newContext();
  const decoder = await window.newPage();
  try {
    for (const end = Date.now() + PATIENCE; ; await page.waitForTimeout(200)) {
      const png = (await page.screenshot()).toString('base64');
      // Playwright takes seconds to return an array of a million numbers, but not to return a string.
      const url = await decoder.evaluate(async base64 => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        const reader = new FileReader();
        reader.readAsDataURL(new Blob([context.getImageData(0, 0, image.width, image.height).data]));
        await new Promise(resolve => reader.addEventListener('load', resolve));
        return reader.result;
      }, png);
      const pixels = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
      try {
        return checkPicture(pixels, what);
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  } finally {
    await window.close();
  }
}

/**
 * Waits until a viewer or an element has drawn for the first time. Returns the requests up to then,
 * except those of a service worker.
 */
export async function untilShown(page, requests) {
  const shown = await page.waitForFunction(() => {
    const [mark] = performance.getEntriesByName('rigcast-shown');
    return mark && performance.timeOrigin + mark.startTime;
  });
  const when = await shown.jsonValue();
  const listed = [...requests];
  await Promise.all(listed.map(request => request.response())); // until then, the start time of a request is 0
  return listed.filter(request => request.timing().startTime <= when && request.serviceWorker() === null);
}

export const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`;

/**
 * Throws if the downloads before a model is first drawn exceed the budget. Otherwise, returns their
 * size as text.
 */
export function lightEnough(name, site, requests) {
  const addresses = requests.map(request => request.url());
  const { files, gzip, brotli, list } = weigh(site, addresses);
  const { what, budget, files: most = Infinity } = firstLoads[name];
  const text = `first load of ${what}: ${kilobytes(gzip)} gzipped in ${files} files (${kilobytes(brotli)} by brotli), budget ${kilobytes(budget)}`;
  if (gzip > budget) throw new Trouble(`Too big: ${text}\n${list}`);
  if (files > most) throw new Trouble(`Too many files (${most} are enough): ${text}\n${list}`);
  return text;
}

/** Throws if the element in a page or frame draws nothing. */
export async function expectPicture(page, what) {
  await page.waitForSelector('rigcast-viewer:state(playing)');
  const size = await page.evaluate(async () => (await document.querySelector('rigcast-viewer').toBlob()).size);
  if (size < 2000) throw new Trouble(`${what} draws nothing: a picture of ${size} bytes.`);
}
