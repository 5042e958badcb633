// npm run bench -- convert [--write]: measures conversion. Large files are converted in Node, each
// in a separate process, and in a page after they have been dropped. The measurements are the time
// in seconds, the longest time that the page is unresponsive, and the increase of memory at its
// peak. Then folders of small files are converted with the command line on one processor core.
// `--quick`: a tenth of the sizes.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { motions, tube } from './inputs/content.mjs';
import { writePsa, writePsk } from './inputs/unreal.mjs';
import { fact, load, machineWords, median, megabytes, milliseconds, number, putIntoPage, row, verdicts } from './table.mjs';
import { browse, newVisitor, serve } from './visit.mjs';

const self = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = new URL('../../dist/', import.meta.url);
const part = process.argv.includes('--quick') ? 10 : 1;
const ROUNDS = part === 1 ? 3 : 1;

/**
 * Input files and time limit in seconds, by name. Long cases also have limits for the page and its
 * memory.
 */
const cases = {
  '1,000,000 vertices (PSK)': { bars: [1.5, 1], make: () => ({ 'big.psk': writePsk(tube(1000 / part, 1000)) }) },
  '1,000 sequences of 128 bones (PSK and PSA)': {
    bars: [10, 4],
    isLong: true,
    make: () => ({ 'small.psk': writePsk(tube(20, 40)), 'many.psa': writePsa(motions(1000 / part, 30)) }),
  },
};

/** Measures, in a separate process, the conversion of files to GLB. */
async function measure(paths) {
  const { open } = await import(new URL('core/index.js', dist));
  const { convert } = await import(new URL('convert/index.js', dist));
  await open(new Uint8Array(3), { worker: false }); // compiles the wasm module before time is measured
  const inputs = paths.map(path => ({ name: basename(path), bytes: readFileSync(path) }));
  const begin = performance.now();
  const files = [];
  for (const { name, bytes } of inputs) files.push(await open(bytes, { name, worker: false, tangents: true }));
  await convert(files, { to: 'glb' });
  return (performance.now() - begin) / 1000;
}

const page = `<!doctype html><meta charset="utf-8"><title>convert</title><input type="file" multiple>
<script type="importmap">{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }</script>
<script type="module">
import { open } from '/rigcast/core/index.js';
import { convert } from '/rigcast/convert/index.js';
await open(new Uint8Array(3));
await convert([new File([''], 'nothing.psk')], { to: 'glb' }).catch(() => {}); // fetches the code before time is measured
globalThis.run = async () => {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) port2.postMessage(null);
  };
  port2.postMessage(null);
  const begin = last;
  const { files } = await convert(document.querySelector('input').files, { to: 'glb' });
  isOver = true;
  return { seconds: (performance.now() - begin) / 1000, blocked: longest, output: files[0].bytes.length };
};
</script>`;

/**
 * Returns the current memory of the page's process and its peak since the last call, in bytes.
 * Works only on Linux.
 */
async function memoryOf(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const [, now, most] = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      const of = word => 1024 * Number(new RegExp(`${word}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
      return [id, of('VmRSS'), of('VmHWM')];
    })
    .sort((a, b) => b[2] - a[2])[0];
  return { now, most };
}

/** Drops the files on a new page, and opens and converts them there. */
async function visit(paths) {
  const browser = await browse();
  try {
    const { page: window } = await newVisitor(browser);
    await window.goto(`${server.address}/convert.html`);
    await window.waitForFunction(() => globalThis.run);
    await window.setInputFiles('input', paths);
    const before = await memoryOf(browser);
    const run = await window.evaluate(() => globalThis.run());
    const { most } = await memoryOf(browser);
    return { ...run, taken: most - before.now, chromium: browser.version() };
  } finally {
    await browser.close();
  }
}

/**
 * Returns the number of files per second that the command line converts. The folders are converted
 * one after the other.
 */
function folders(temporary) {
  const from = join(temporary, 'in');
  const to = join(temporary, 'out');
  for (let i = 0; i < 100 / part; i++) cpSync(join(root, 'tests/data/unreal'), join(from, String(i)), { recursive: true });
  const begin = performance.now();
  const args = [fileURLToPath(new URL('cli/main.js', dist)), 'convert', from, '-o', to, '--to', 'glb', '--jobs', '1'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status === null || status > 1) throw new Error(stderr); // status 1: the folder contains damaged files
  const files = readdirSync(to, { recursive: true }).filter(name => name.endsWith('.glb')).length;
  return { files, seconds: (performance.now() - begin) / 1000 };
}

const seconds = value => `${number(value)} s`;

function inNode(what, paths, [bar, stretch]) {
  const runs = Array.from({ length: ROUNDS }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [self, '--one', ...paths], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return Number(stdout);
  });
  const best = Math.min(...runs);
  return row(`${what} → GLB, Node`, seconds(best), best, bar, stretch, seconds);
}

async function inPage(what, paths, { bars: [bar, stretch], isLong }) {
  const runs = [];
  for (let round = 0; round < ROUNDS; round++) runs.push(await visit(paths));
  const input = paths.reduce((sum, path) => sum + readFileSync(path).length, 0);
  const [{ output, chromium }] = runs;
  const best = figure => Math.min(...runs.map(figure));
  const [time, taken] = [best(run => run.seconds), best(run => run.taken)];
  const blocked = median(runs.map(run => run.blocked));
  const size = `${megabytes(input)} in, ${megabytes(output)} out`;
  const [pause, memory] = ['… longest pause of the page', "… peak memory of the page's process, above that at the start"];
  const rows = [
    row(`${what} → GLB, dropped on a page (${size})`, seconds(time), time, bar, stretch, seconds),
    isLong ? row(pause, milliseconds(blocked), blocked, 50, 16, milliseconds) : fact(pause, milliseconds(blocked), blocked),
    isLong ? row(memory, megabytes(taken), taken, 2 * (input + output), input + output, megabytes) : fact(memory, megabytes(taken), taken),
  ];
  return { rows, chromium };
}

let server;

async function main() {
  const before = load();
  const temporary = mkdtempSync(join(tmpdir(), 'rigcast-convert-'));
  server = await serve({ rigcast: join(root, 'dist'), three: join(root, 'node_modules/three') }, { '/convert.html': page });
  const rows = [];
  let version;
  try {
    for (const [what, one] of Object.entries(cases)) {
      const paths = Object.entries(one.make()).map(([name, bytes]) => {
        const path = join(temporary, name);
        writeFileSync(path, bytes);
        return path;
      });
      rows.push(inNode(what, paths, one.bars));
      const { rows: seen, chromium } = await inPage(what, paths, one);
      rows.push(...seen);
      version = chromium;
    }
    const { files, seconds: time } = folders(temporary);
    rows.push(
      fact(
        'small models and animations in folders → GLB, command line, per core',
        `${number(files / time)} files per second (${files} files)`,
        0,
      ),
    );
  } finally {
    server.close();
    rmSync(temporary, { recursive: true, force: true });
  }
  const text = `${machineWords(version, before, `Times are the best of ${ROUNDS}.`)}\n\n${verdicts(rows)}\n`;
  process.stdout.write(text);
  if (process.argv.includes('--write')) putIntoPage('bench convert', text);
}

if (process.argv[2] === '--one') console.log(await measure(process.argv.slice(3)));
else await main();
