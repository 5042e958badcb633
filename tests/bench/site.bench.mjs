// npm run bench -- site [--write]: the viewer as a visitor meets it: what a first visit loads, when it paints and when the demo stands there, how long its own scripts keep the page
// busy while files are opened, and what it still holds after many files. Needs a finished build (`npm run build`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fact, kilobytes, load, machineWords, median, megabytes, milliseconds, putIntoPage, row, verdicts } from './table.mjs';
import { browse, newVisitor, serve } from './visit.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const demo = name => join(root, 'web/src/viewer/demo', name);
const VISITS = process.argv.includes('--quick') ? 1 : 5;
const FILES = ['Pip.psk', 'Tock.cast', 'Lotl.vgo', 'wavingHands.bin'];
const ROUNDS = 6;

const TRACED = ['disabled-by-default-devtools.timeline', 'disabled-by-default-v8.cpu_profiler'];

/**
 * Milliseconds of the page's own scripts: the most within one task, and all. Tasks are the browser's; what runs in them is told by samples of the main
 * thread. What the graphics driver or the browser does in a task is none of the page's. A sample stands for the time since the one before, in which the
 * thread may have waited, for the rasteriser or for a processor: no task counts for more than its thread has computed in it.
 */
function ownTime({ traceEvents: events }, address) {
  const threads = new Set(events.filter(({ args }) => args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  const isMain = ({ pid, tid }) => threads.has(`${pid} ${tid}`);
  const tasks = events
    .filter(each => each.name === 'RunTask' && each.ph === 'X' && isMain(each))
    .map(({ pid, ts, dur, tdur }) => ({ pid, from: ts, to: ts + dur, computed: tdur / 1000, sampled: 0 }))
    .sort((a, b) => a.from - b.from);
  for (const { pid, id, args, ...thread } of events.filter(each => each.name === 'Profile')) {
    if (!isMain({ pid, ...thread })) continue;
    const own = new Set();
    let time = args.data.startTime;
    let at = 0;
    for (const chunk of events.filter(each => each.name === 'ProfileChunk' && each.pid === pid && each.id === id)) {
      const { cpuProfile, timeDeltas } = chunk.args.data;
      for (const { id: node, callFrame } of cpuProfile?.nodes ?? []) if (callFrame.url?.startsWith(address)) own.add(node);
      for (const [i, node] of (cpuProfile?.samples ?? []).entries()) {
        time += timeDeltas[i];
        while (at < tasks.length && tasks[at].to < time) at++;
        const task = tasks[at];
        if (own.has(node) && task?.pid === pid && task.from <= time) task.sampled += Math.min(timeDeltas[i], time - task.from) / 1000;
      }
    }
  }
  const own = tasks.map(({ sampled, computed }) => Math.min(sampled, computed));
  return { longest: Math.max(...own), all: own.reduce((sum, each) => sum + each, 0) };
}

const titleIs = name => document.querySelector('.title')?.textContent === name && !document.querySelector('.card.loading:not([hidden])');

async function open(page, name) {
  await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(demo(name));
  await page.waitForFunction(titleIs, name);
}

async function visit() {
  const browser = await browse();
  const { page, session } = await newVisitor(browser);
  const answers = [];
  server.answers.sent = (_path, bytes, isCode) => void (isCode && answers.push({ at: Date.now(), bytes }));
  try {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${server.address}/site/index.html`);
    const shown = await page
      .waitForFunction(() => performance.getEntriesByName('rigcast-shown')[0]?.startTime)
      .then(value => value.jsonValue());
    // What is fetched after that picture, the first one did not wait for.
    const origin = await page.evaluate(() => performance.timeOrigin);
    const first = answers.filter(({ at }) => at < origin + shown).reduce((sum, { bytes }) => sum + bytes, 0);
    const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
    await page.waitForTimeout(1500);
    await browser.startTracing(page, { categories: TRACED });
    for (const name of FILES) await open(page, name);
    await page.waitForTimeout(500);
    const busy = ownTime(JSON.parse((await browser.stopTracing()).toString()), server.address);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return page.evaluate(() => performance.memory.usedJSHeapSize);
    };
    const before = await heap();
    for (let i = 0; i < ROUNDS; i++) for (const name of FILES) await open(page, name);
    return { painted, shown, first, busy, before, after: await heap(), chromium: browser.version() };
  } finally {
    await browser.close();
  }
}

const server = await serve({ site: join(root, 'dist/site') }, {});
const before = load();
const visits = [];
try {
  for (let i = 0; i < VISITS; i++) {
    process.stderr.write(`the viewer: visit ${i + 1} of ${VISITS}\n`);
    visits.push(await visit());
  }
} finally {
  server.close();
}

const middle = figure => median(visits.map(figure));
const demoBytes = readFileSync(demo('Pip.psk')).byteLength;
const rows = [
  row(
    'code of a first visit until the demo stands there, gzipped',
    kilobytes(middle(({ first }) => first)),
    middle(({ first }) => first),
    400_000,
    350_000,
    kilobytes,
  ),
  row(
    'first paint',
    milliseconds(middle(({ painted }) => painted)),
    middle(({ painted }) => painted),
    1000,
    300,
    milliseconds,
  ),
  row(
    `the demo stands there (model of ${kilobytes(demoBytes)}, motions, texture)`,
    milliseconds(middle(({ shown }) => shown)),
    middle(({ shown }) => shown),
    3000,
    1000,
    milliseconds,
  ),
  row(
    `longest task of the page's own scripts while ${FILES.length} files are opened, sampled`,
    milliseconds(middle(({ busy }) => busy.longest)),
    middle(({ busy }) => busy.longest),
    50,
    16,
    milliseconds,
  ),
  fact(
    'all of its own scripts then',
    milliseconds(middle(({ busy }) => busy.all)),
    middle(({ busy }) => busy.all),
  ),
  fact(
    `JavaScript's memory after ${FILES.length} files; growth with ${ROUNDS * FILES.length} more, the last twenty kept for undo`,
    `${megabytes(middle(each => each.before))}; ${megabytes(middle(each => each.after - each.before))}`,
    middle(each => each.after - each.before),
  ),
];
const manner = `Figures are ${VISITS > 1 ? `the middle of ${VISITS} visits` : 'those of one visit'} of somebody who was never here; the server stands beside the browser, whose rasteriser is software.`;
const text = `${machineWords(visits[0].chromium, before, manner)}\n\n${verdicts(rows)}\n`;
process.stdout.write(text);
if (process.argv.includes('--write')) putIntoPage('bench site', text);
