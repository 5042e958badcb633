// npm run bench -- elements [--write]: measures a page with fifty <rigcast-viewer> elements: what
// is loaded, allocated and drawn before the first element is visible, with one element visible, and
// with all fifty playing in a window that shows them all. Compares this with model-viewer and the
// same model if `npm run bench -- viewers` has fetched model-viewer.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fact, kilobytes, load, machineWords, median, megabytes, milliseconds, putIntoPage, row, verdicts } from './table.mjs';
import { browse, newVisitor, serve } from './visit.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const others = join(root, 'build/bench/viewers');
const COUNT = 50;
const VISITS = process.argv.includes('--quick') ? 1 : 3;

/** Returns a page with fifty models at fifty URLs: `?` is replaced by the index of the model. */
const page = (script, tag) => `<!doctype html><meta charset="utf-8"><title>fifty</title>
<style>body { margin: 0 } main { margin-top: 4000px; display: flex; flex-wrap: wrap; height: 2000px; align-content: start } main > * { width: 120px; height: 120px }</style>
<script type="module" src="${script}"></script><main>${Array.from({ length: COUNT }, (_, i) => tag.replaceAll('?', `?${i}`)).join('')}</main>`;

const contestants = {
  ours: page(
    '/rigcast/element.js',
    '<rigcast-viewer src="/demo/Pip.psk?" files="/demo/Pip.psa? /demo/Pip_D.png?" autoplay></rigcast-viewer>',
  ),
};
if (existsSync(join(others, 'fox.glb')))
  contestants['model-viewer'] = page(
    '/others/@google/model-viewer/dist/model-viewer.min.js',
    '<model-viewer src="/made/fox.glb?" autoplay></model-viewer>',
  );

/** Runs in the page before its scripts: counts the canvases with a WebGL context. */
function countContexts() {
  const having = new Set();
  globalThis.contexts = having;
  for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas]) {
    const { getContext } = prototype;
    prototype.getContext = function (kind, ...more) {
      const context = getContext.call(this, kind, ...more);
      if (context && /webgl/.test(kind)) having.add(this);
      return context;
    };
  }
}

/**
 * Runs in the page: measures the duration of frames, the duration of long tasks, and the seconds of
 * animation that pass in a second, as the mean of all elements.
 */
async function watchFrames(seconds) {
  const frames = [];
  const tasks = [];
  const elements = [...document.querySelectorAll('main > *')];
  const times = () => elements.map(each => each.time ?? each.currentTime ?? 0);
  let before = times();
  let passed = 0;
  const observer = new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const begin = performance.now();
  const end = begin + seconds * 1000;
  for (let last = 0; last < end;) {
    const now = await new Promise(requestAnimationFrame);
    if (last > 0) frames.push(now - last);
    last = now;
    const after = times();
    // Animations are loops, so their time jumps back by their duration.
    for (const [i, { duration }] of elements.entries()) if (duration > 0) passed += (after[i] - before[i] + duration) % duration;
    before = after;
  }
  observer.disconnect();
  return { frames, tasks, speed: passed / elements.length / ((performance.now() - begin) / 1000) };
}

/** Runs in the page: returns true if at least `count` elements are loaded. */
const areLoaded = count =>
  [...document.querySelectorAll('main > *')].filter(each => each.loaded ?? each.matches(':state(ready)')).length >= count;

/** Returns the memory of the page and GPU processes as proportional set size, in bytes. */
async function heldBy(browserSession) {
  const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo');
  let sum = 0;
  for (const { type, id } of processInfo) {
    if (type !== 'renderer' && type !== 'GPU') continue;
    const [, kilo = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
    sum += Number(kilo) * 1024;
  }
  return sum;
}

async function visit(name) {
  const browser = await browse();
  const visitor = await newVisitor(browser);
  const { page: window, session } = visitor;
  const whole = await browser.newBrowserCDPSession();
  let code = 0;
  server.answers.sent = (_path, bytes, isCode) => void (code += isCode ? bytes : 0);
  const now = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return {
      code,
      contexts: await window.evaluate(() => globalThis.contexts.size),
      heap: await window.evaluate(() => performance.memory.usedJSHeapSize),
      held: await heldBy(whole),
    };
  };
  try {
    await window.setViewportSize({ width: 1280, height: 960 });
    await window.addInitScript(countContexts);
    await window.goto(`${server.address}/${name}.html`);
    await window.waitForTimeout(1500);
    const before = await now();
    // Scrolls until the first row of elements enters the window from below.
    await window.evaluate(() => scrollTo(0, 4000 - innerHeight + 60));
    await window.waitForFunction(areLoaded, 1);
    const first = await now();
    const scrolled = window.evaluate(watchFrames, 4);
    await window.evaluate(() => scrollTo({ top: 4000, behavior: 'smooth' }));
    await window.waitForFunction(areLoaded, COUNT);
    const { tasks } = await scrolled;
    await window.waitForTimeout(1000);
    const playing = await window.evaluate(watchFrames, 5);
    const all = await now();
    return { before, first, all, tasks, frames: playing.frames, speed: playing.speed, chromium: browser.version() };
  } finally {
    await browser.close();
  }
}

const server = await serve(
  {
    rigcast: join(root, 'dist/browser'),
    core: join(root, 'dist/core'),
    demo: join(root, 'web/src/viewer/demo'),
    made: others,
    others: join(others, 'node_modules'),
  },
  Object.fromEntries(Object.entries(contestants).map(([name, html]) => [`/${name}.html`, html])),
);
const before = load();
const seen = {};
try {
  for (let round = 0; round < VISITS; round++)
    for (const name of Object.keys(contestants)) {
      process.stderr.write(`fifty elements: ${name}\n`);
      (seen[name] ??= []).push(await visit(name));
    }
} finally {
  server.close();
}

/** Returns the median of a figure over all visits. */
const middle = (name, figure) => median(seen[name].map(figure));
const longest = ({ tasks }) => Math.max(0, ...tasks);

function figuresOf(name) {
  const of = name === 'ours' ? '' : `(for comparison) ${name}: `;
  const grown = when => [
    middle(name, visited => visited[when].heap - visited.before.heap),
    middle(name, visited => visited[when].held - visited.before.held),
  ];
  const both = ([heap, held]) => `${megabytes(heap)}, ${megabytes(held)}`;
  return [
    fact(
      `${of}additional memory with the first row of elements: JavaScript; processes of the page and the graphics`,
      both(grown('first')),
      grown('first')[1],
    ),
    fact(`${of}the same with all fifty elements`, both(grown('all')), grown('all')[1]),
    fact(
      `${of}time per frame while all fifty elements play, 120 × 120 pixels each, software rasteriser`,
      milliseconds(middle(name, ({ frames }) => median(frames))),
      0,
    ),
    fact(`${of}seconds of animation that pass in a second while all fifty elements play`, middle(name, ({ speed }) => speed).toFixed(2), 0),
    fact(`${of}longest task while the elements load and the page scrolls`, milliseconds(middle(name, longest)), middle(name, longest)),
  ];
}

const code = (name, when) => middle(name, visited => visited[when].code);
const contexts = (name, when) => Math.max(...seen[name].map(visited => visited[when].contexts));
const rows = [
  row(
    'code loaded before the first element is visible, gzipped, including the page',
    kilobytes(code('ours', 'before')),
    code('ours', 'before'),
    7500,
    6000,
    kilobytes,
  ),
  row('WebGL contexts before the first element is visible', String(contexts('ours', 'before')), contexts('ours', 'before'), 0, 0, String),
  fact('code loaded with the first element', kilobytes(code('ours', 'first')), code('ours', 'first')),
  row('WebGL contexts while all fifty elements play', String(contexts('ours', 'all')), contexts('ours', 'all'), 1, 1, String),
  ...figuresOf('ours'),
];
for (const name of Object.keys(seen)) {
  if (name === 'ours') continue;
  const of = `(for comparison) ${name}:`;
  rows.push(
    fact(
      `${of} code before the first element is visible; with the first`,
      `${kilobytes(code(name, 'before'))}; ${kilobytes(code(name, 'first'))}`,
      code(name, 'first'),
    ),
    fact(
      `${of} WebGL contexts before the first element is visible; with all fifty`,
      `${contexts(name, 'before')}; ${contexts(name, 'all')}`,
      contexts(name, 'all'),
    ),
    ...figuresOf(name),
  );
}
const manner = `Every element has its own URLs for model, animation and texture. Figures are medians of ${VISITS} visits, in which the programs take turns.`;
const text = `${machineWords(seen.ours[0].chromium, before, manner)}\n\n${verdicts(rows)}\n`;
process.stdout.write(text);
if (process.argv.includes('--write')) putIntoPage('bench elements', text);
