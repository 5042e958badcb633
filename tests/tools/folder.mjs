// node tests/tools/folder.mjs OUT FOLDER [SITE]: drops a folder of many models on the built viewer.
// Prints the times until the first picture and until all thumbnails are drawn, the longest tasks of
// the page, and the memory. Then opens the folder again, with the thumbnails of the first time.
// Writes screenshots of the library to OUT. SITE: folder of the built viewer (default: dist/site).
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSite } from './openSite.mjs';

const [out, folder, site = fileURLToPath(new URL('../../dist/site', import.meta.url))] = process.argv.slice(2);
if (!out || !folder) throw new Error('usage: node tests/tools/folder.mjs OUT FOLDER [SITE]');
/** Maximum time until all thumbnails are drawn, in milliseconds. */
const PATIENCE = 600_000;
/** Number of models that are shown one after another. */
const STEPS = 60;
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

mkdirSync(out, { recursive: true });
const { page, address, close } = await openSite(site, { viewport: WIDE });
page.setDefaultTimeout(PATIENCE);
page.on('pageerror', error => console.log(`error of the page: ${error.message}`));
const cdp = await page.context().newCDPSession(page);

try {
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver(list => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await page.goto(address);
  await page.locator('h1.title').filter({ hasText: /\S/ }).waitFor();
  await measure('first drop', 'first');
  await tour();
  await page.reload();
  await page.locator('h1.title').filter({ hasText: /\S/ }).waitFor();
  await measure('the same folder again', 'again');
} finally {
  await close();
}

/** Drops the folder and waits for all thumbnails. */
async function measure(what, name) {
  await page.waitForTimeout(2000);
  const demo = await page.locator('h1.title').textContent();
  const before = await memory();
  await page.evaluate(() => void (globalThis.longTasks.length = 0));
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  const data = { items: [], files: [resolve(folder)], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await cdp.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  await page.waitForFunction(old => document.querySelector('h1.title').textContent !== old, demo);
  const shown = seconds();
  await page.locator('.library-view .item img').first().waitFor();
  const first = seconds();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.library-view .item')].every(item => {
      const { bottom } = item.getBoundingClientRect();
      return bottom > innerHeight || item.querySelector('img');
    }),
  );
  const visible = seconds();
  const count = await untilDrawn();
  const tasks = await page.evaluate(() => globalThis.longTasks.sort((a, b) => b - a));
  console.log(
    `${what}: first model ${shown} s, first thumbnail ${first} s, visible thumbnails ${visible} s, all ${count} thumbnails ${count.seconds(began)} s; ` +
      `${tasks.length} long tasks, longest ${tasks.slice(0, 3).map(Math.round).join(', ')} ms; memory ${before} before, ${await memory()} after`,
  );
  await shoot(`library-${name}`);
}

/** Waits until no thumbnail was added for ten seconds. Returns the number of thumbnails and the time of the last one. */
async function untilDrawn() {
  let [last, at] = [-1, 0];
  for (;;) {
    const now = await page.evaluate(
      () =>
        new Promise(done => {
          const opening = indexedDB.open('rigcast-thumbnails');
          opening.onsuccess = () => {
            const counting = opening.result.transaction('pictures').objectStore('pictures').count();
            counting.onsuccess = () => (opening.result.close(), done(counting.result));
          };
        }),
    );
    if (now !== last) [last, at] = [now, performance.now()];
    else if (performance.now() - at > 10_000) break;
    await page.waitForTimeout(200);
  }
  return { seconds: began => ((at - began) / 1000).toFixed(1), toString: () => String(last) };
}

/** Shows many models one after another. */
async function tour() {
  await page.getByRole('button', { name: 'Back to model' }).click();
  const before = await memory();
  for (let i = 0; i < STEPS; i++) {
    const old = await page.locator('h1.title').textContent();
    await page.keyboard.press('n');
    await page.waitForFunction(last => document.querySelector('h1.title').textContent !== last, old);
  }
  await page.waitForTimeout(2000);
  console.log(`${STEPS} models shown one after another: memory ${before} before, ${await memory()} after`);
  await shoot('model');
  await page.keyboard.press('h');
}

async function shoot(name) {
  for (const [size, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(1500);
      await page.screenshot({ path: join(out, `${name}-${size}-${colorScheme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(WIDE);
}

/** Describes the JavaScript heap, and the memory of all processes of the browser that belongs only to them. */
async function memory() {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const parents = new Map();
  for (const name of readdirSync('/proc').filter(each => /^\d+$/.test(each))) {
    try {
      parents.set(Number(name), Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'latin1'))[1]));
    } catch {
      // The process has ended.
    }
  }
  const isOurs = id => id === process.pid || (parents.has(id) && isOurs(parents.get(id)));
  let bytes = 0;
  for (const id of parents.keys()) {
    if (id === process.pid || !isOurs(id)) continue;
    try {
      bytes += 1024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'latin1'))[1]);
    } catch {
      // The process has ended.
    }
  }
  const megabytes = size => `${(size / 1e6).toFixed(0)} MB`;
  return `heap ${megabytes(usedSize)}, processes ${megabytes(bytes)}`;
}
