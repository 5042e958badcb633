// node tests/tools/wander.mjs [SECONDS] [SEED]: performs random actions in the built viewer. The
// exit code is 1 if the page throws, logs an error, hangs or leaks memory. The same seed results in
// the same actions.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { preview } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const seconds = Number(process.argv[2] ?? 600);
const seed = Number(process.argv[3] ?? Date.now() % 1e6);
/** Time between two measurements of the page with all files closed, in seconds. */
const LAP = 60;
/**
 * Maximum growth of the memory, in bytes, from the second to the last measurement. The first
 * measurement is ignored, because caches are not yet filled.
 */
const MOST_GROWTH = 8e6;
const MOST_NODES = 400;
/** Time after which an action is considered to hang, in milliseconds. */
const PATIENCE = 30_000;
/** Maximum time to wait for an element, which may have disappeared, in milliseconds. */
const REACH = 5_000;

// State of the random number generator (mulberry32).
let state = seed >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const pick = list => list[Math.floor(random() * list.length)];

const folder = `${root}web/src/viewer/demo/`;
const demos = readdirSync(folder).filter(name => !name.endsWith('.md'));
const files = demos.map(name => ({ name, buffer: readFileSync(folder + name) }));
/** Returns the bytes of a random file: unchanged, truncated, or with some bytes changed. */
function given() {
  const { name, buffer } = pick(files);
  const way = random();
  if (way < 0.7) return { name, base64: buffer.toString('base64') };
  if (way < 0.85) return { name, base64: buffer.subarray(0, Math.floor(random() * buffer.length)).toString('base64') };
  const bent = Buffer.from(buffer);
  for (let i = 0; i < 20; i++) bent[Math.floor(random() * bent.length)] = Math.floor(random() * 256);
  return { name, base64: bent.toString('base64') };
}

const KEYS = [...'bwcmxi13795fyglkvtrnupod?s e[]\\.'].filter(key => !'o'.includes(key));
const NAMED = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Escape', 'Tab', 'Control+z', 'Enter', ' '];
// Sizes of the window. They are small, because drawing without a graphics card takes most of the
// time.
const SIZES = [
  [900, 560],
  [740, 360],
  [360, 640],
];

/** Actions of a visitor, each with its relative frequency and a function. */
const ACTIONS = {
  drop: [6, dropSomething],
  key: [20, async page => page.keyboard.press(random() < 0.7 ? pick(KEYS) : pick(NAMED))],
  click: [30, clickSomething],
  choose: [8, chooseSomething],
  slide: [6, slideSomething],
  type: [2, typeSomething],
  drag: [8, dragStage],
  wheel: [4, async page => page.mouse.wheel(0, (random() - 0.5) * 800)],
  resize: [1, async page => page.setViewportSize(((size = pick(SIZES)) => ({ width: size[0], height: size[1] }))())],
  wait: [4, async page => page.waitForTimeout(random() * 600)],
};

/** Returns the index of a random visible element, or null if there is none. */
async function oneOf(page, selector) {
  const seen = await page.evaluate(
    wanted => [...document.querySelectorAll(wanted)].flatMap((element, at) => (element.checkVisibility() && !element.disabled ? [at] : [])),
    selector,
  );
  return seen.length > 0 ? page.locator(selector).nth(pick(seen)) : null;
}

/**
 * Drops files on the page with a script. Playwright's setInputFiles would keep references to
 * earlier pages.
 */
async function dropSomething(page) {
  await page.evaluate(
    given => {
      const held = new DataTransfer();
      for (const { name, base64 } of given) held.items.add(new File([Uint8Array.from(atob(base64), one => one.charCodeAt(0))], name));
      const input = document.querySelector('input[type=file]:not([webkitdirectory])');
      input.files = held.files;
      input.dispatchEvent(new Event('change'));
    },
    Array.from({ length: 1 + Math.floor(random() * 4) }, given),
  );
}

async function clickSomething(page) {
  // File dialogs are avoided, because they would wait for a user. Files are opened by dropping
  // them.
  const found = await oneOf(page, 'button, [role=option], [role=treeitem], [role=tab], summary, input[type=checkbox], .marker');
  const what = await found?.evaluate(element => `${element.getAttribute('aria-label') ?? element.textContent}`.slice(0, 40));
  if (!found || /^(Open|Open files|Open another|Folder|Choose )/.test(what.trim())) return what;
  await found.evaluate(element => element.click());
  return what;
}

async function chooseSomething(page) {
  const list = await oneOf(page, 'select');
  await list?.evaluate((element, at) => {
    element.selectedIndex = Math.floor(at * element.options.length);
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }, random());
}

async function slideSomething(page) {
  const input = await oneOf(page, 'input[type=range]');
  await input?.evaluate((element, at) => {
    element.value = String(Number(element.min) + at * (Number(element.max) - Number(element.min)));
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }, random());
}

async function typeSomething(page) {
  const field = await oneOf(page, 'input[type=search]');
  await field?.evaluate(
    (element, text) => {
      element.value = text;
      element.dispatchEvent(new Event('input', { bubbles: true }));
    },
    pick(['', 'a', 'head', 'x y z', '<b>', '移動']),
  );
}

async function dragStage(page) {
  const box = await page.locator('canvas').first().boundingBox();
  if (!box) return;
  const place = () => [box.x + random() * box.width, box.y + random() * box.height];
  await page.mouse.move(...place());
  await page.mouse.down({ button: random() < 0.8 ? 'left' : 'right' });
  await page.mouse.move(...place(), { steps: 4 });
  await page.mouse.up({ button: 'left' });
  await page.mouse.up({ button: 'right' });
}

const weighted = Object.entries(ACTIONS).flatMap(([name, [often]]) => Array(often).fill(name));

const server = await preview({ configFile: `${root}vite.config.ts`, preview: { port: 0 }, logLevel: 'error' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const done = [];
const troubles = [];
const trouble = text => {
  troubles.push(text);
  console.error(`${text}\n  after: ${done.slice(-8).join(' · ')}`);
};

try {
  const page = await browser.newPage({ viewport: { width: 740, height: 480 } });
  page.setDefaultTimeout(REACH);
  page.on('pageerror', error => trouble(`page error: ${error.stack ?? error}`));
  page.on('crash', () => trouble('the page has crashed'));
  page.on('console', message => message.type() === 'error' && trouble(`console: ${message.text()}`));
  page.on('dialog', dialog => void dialog.dismiss());
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await page.goto(server.resolvedUrls.local[0]);
  await page.waitForFunction(() => document.querySelectorAll('.row').length > 1);

  const laps = [];
  const begun = process.uptime();
  let next = LAP;
  let count = 0;
  while (process.uptime() - begun < seconds && troubles.length < 5) {
    const name = pick(weighted);
    let told = name;
    try {
      const said = await within(ACTIONS[name][1](page));
      if (typeof said === 'string') told += ` “${said.trim()}”`;
    } catch (error) {
      // The element may have disappeared while the pointer moved to it.
      if (/hangs|crash|closed/.test(String(error))) trouble(`${name}: ${error}`);
    }
    done.push(told);
    count++;
    if (process.uptime() - begun < next) continue;
    next += LAP;
    laps.push(await measure(page, cdp));
    const { heap, nodes, listeners } = laps.at(-1);
    console.log(
      `${Math.round(process.uptime() - begun)} s, ${count} actions: ${(heap / 1e6).toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`,
    );
  }
  const [first, last] = [laps[1], laps.at(-1)];
  if (first && last !== first) {
    if (last.heap - first.heap > MOST_GROWTH) trouble(`the heap grew by ${((last.heap - first.heap) / 1e6).toFixed(1)} MB`);
    if (last.nodes - first.nodes > MOST_NODES) trouble(`${last.nodes - first.nodes} more nodes`);
  }
  console.log(`seed ${seed}: ${count} actions, ${troubles.length} troubles.`);
} finally {
  await browser.close();
  server.httpServer.close();
}
if (troubles.length > 0) process.exitCode = 1;

function within(promise) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error('it hangs')), PATIENCE)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Measures the memory and the elements of the page after all files have been closed and a demo is
 * shown.
 */
async function measure(page, cdp) {
  await page.setViewportSize({ width: 740, height: 480 });
  for (let i = 0; i < 4; i++) await page.keyboard.press('Escape');
  await page.evaluate(() => {
    document.querySelectorAll('dialog').forEach(dialog => dialog.close());
    document.querySelector('[data-command=close]')?.click();
  });
  for (const id of ['Pip', 'Tock']) {
    await page.evaluate(
      name => [...document.querySelectorAll('.demos button')].find(({ textContent }) => textContent.includes(name))?.click(),
      id,
    );
    await page.waitForTimeout(3000);
  }
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = name => metrics.find(metric => metric.name === name).value;
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
