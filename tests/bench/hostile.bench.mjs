// npm run bench -- hostile [WORD…]: opens hostile files (tests/support/hostile.mjs) and honest
// files of the same size, each in a separate process. Prints the processor time of all threads in
// milliseconds, the increase of memory in megabytes, and how the time grows when the size doubles.
// WORDs select rows. The exit code is 1 if a row exceeds a limit:
// - Time: 500 ms plus 50 times the time of an honest file of the same size, with a growth exponent
//   of at most 1.3.
// - Memory: 64 MB plus 24 times the size of the file; with three.js objects, 128 MB plus 64 times.
// - Report: 256 KB plus a quarter of the size of the file.
// - Rows `glb-…`, which three's loader opens: 2,000 ms.
// - Rows `NAME → TARGET`, which are also converted: 3,500 ms more; memory of 192 MB plus 64 times
//   the size of the file; a result of 64 MB plus 24 times; a report of 512 KB plus the size of the
//   file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { costly, hostile, hostileImports, honest, hostileToConvert } from '../support/hostile.mjs';

const self = fileURLToPath(import.meta.url);
const dist = new URL('../../dist/', import.meta.url);
const words = process.argv.slice(2).filter(word => word !== 'hostile' && !word.startsWith('--'));

const kept = [];

/** Rows for conversions. `what` is the name of a row and contains the target. */
const converted = [...hostileToConvert, ...costly].flatMap(row => row.to.map(to => ({ ...row, what: `${row.what} → ${to}`, target: to })));
const rowOf = what => [...hostile, ...hostileImports, ...honest, ...converted].find(row => row.what === what);

/** Measures the cost of one row in this process. `path` is the path of its file. */
async function measure(what, path) {
  const { few = 1, make, task, target } = rowOf(what);
  const { name } = make(few);
  const bytes = new Uint8Array(readFileSync(path));
  const supplied = JSON.parse(readFileSync(`${path}.companions`, 'utf8')).map(([, name, content]) => [
    name,
    new TextEncoder().encode(content),
  ]);
  const { open, readOutline } = await import(new URL('core/index.js', dist));
  const { Rig } = task === 'objects' ? await import(new URL('three/index.js', dist)) : {};
  const { openGlb } = task === 'imported' ? await import(new URL('interop/openEncoded.js', dist)) : {};
  await (openGlb ? openGlb(make(1).bytes, name) : open(new Uint8Array(3), { worker: false })); // compiles and imports code before time is measured
  const { convert, ConversionError } = target ? await import(new URL('convert/index.js', dist)) : {};
  await convert?.([make(2).bytes], { to: target, open: { name, worker: false } }).catch(() => {}); // imports the writer before time is measured
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  const begin = process.cpuUsage();
  const file = await (openGlb
    ? openGlb(bytes, name)
    : (task === 'outline' ? readOutline : open)(bytes, { name, worker: false, companions: new Map(supplied) }));
  if (task === 'objects' && file.scene) kept.push((await Rig.make(file)).animations[0]?.tracks);
  let result = { files: [], report: file.report };
  let refusal = '';
  if (convert)
    result = await convert([file], { to: target }).catch(error => {
      if (!(error instanceof ConversionError)) throw error;
      refusal = error.code;
      return result;
    });
  let length = 0;
  for (const each of result.files) for (const piece of each.pieces()) length += piece.length;
  const { user, system } = process.cpuUsage(begin);
  const ms = (user + system) / 1000;
  clearInterval(timer);
  peak = Math.max(peak, process.memoryUsage().rss, process.resourceUsage().maxRSS * 1024);
  const outcome = file.report.items.filter(item => item.severity === 'error').map(item => item.code);
  return {
    size: supplied.reduce((size, [, content]) => size + content.length, bytes.length),
    ms,
    mb: (peak - before) / 1e6,
    report: JSON.stringify(result.report).length,
    length,
    outcome: refusal || [...new Set(outcome)].join(' ') || (convert ? `${length} bytes` : 'scene'),
  };
}

/**
 * Creates the file in another process, because creating some files needs more memory than reading
 * them.
 */
function inProcess(what, n) {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-hostile-'));
  const path = join(folder, 'file');
  const start = (...words) =>
    spawnSync(process.execPath, ['--expose-gc', self, ...words], { encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 26 });
  try {
    const maker = start('--make', what, path, String(n));
    const child = maker.status === 0 ? start('--one', what, path) : maker;
    if (child.status !== 0) return { died: child.signal ?? `exit ${child.status}`, words: child.stderr.trim().split('\n').at(-1) };
    return JSON.parse(child.stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function main() {
  /** Time per byte of an honest file in milliseconds, by format. */
  const prices = new Map();
  const priceOf = format => {
    if (!prices.has(format)) {
      const row = honest.find(({ what }) => what.startsWith(format));
      const runs = [1, 2, 3].map(() => inProcess(row.what, row.n));
      prices.set(format, Math.min(...runs.map(run => run.ms / run.size)));
    }
    return prices.get(format);
  };
  const rows = [...hostile, ...hostileImports, ...converted].filter(({ what }) => words.every(word => what.includes(word)));
  console.log(`| input | n | bytes | ms | bound | MB | bound | exponent | outcome |\n|---|---|---|---|---|---|---|---|---|`);
  let broken = 0;
  for (const { what, n, task, target } of rows) {
    const half = inProcess(what, n >> 1);
    const full = inProcess(what, n);
    if (full.died) {
      broken++;
      console.log(`| ${what} | ${n} | | | | | | | **dies: ${full.died} ${full.words}** |`);
      continue;
    }
    const isImported = task === 'imported';
    const msBound = isImported ? 2000 : (target ? 4000 : 500) + 50 * priceOf(what.split('-')[0]) * full.size;
    const megabytes = full.size / 1e6;
    const mbBound = target ? 192 + 64 * megabytes : task === 'objects' || isImported ? 128 + 64 * megabytes : 64 + 24 * megabytes;
    // If the result of a conversion is much larger than its source, its growth is limited only by
    // the conversion limits.
    const isLarge = full.outcome === 'WORK_LIMIT' || full.length > 2 ** 22 + 8 * full.size;
    const isMeasured = full.ms > 200 && half.ms > 50 && full.size > half.size && !isLarge;
    const exponent = isMeasured ? Math.log(full.ms / half.ms) / Math.log(full.size / half.size) : 1;
    const isBroken =
      full.ms > msBound ||
      full.mb > mbBound ||
      (exponent > 1.3 && full.size > 1.5 * half.size) ||
      full.report > (target ? 512 * 1024 + full.size : 256 * 1024 + full.size / 4) ||
      full.length > 64 * 2 ** 20 + 24 * full.size;
    broken += isBroken;
    const cell = (value, bound) => (value > bound ? `**${Math.round(value)}**` : Math.round(value));
    console.log(
      `| ${what} | ${n} | ${full.size} | ${cell(full.ms, msBound)} | ${Math.round(msBound)} | ${cell(full.mb, mbBound)} | ${Math.round(mbBound)} | ${exponent.toFixed(2)} | ${full.outcome} |`,
    );
  }
  console.log(`\n${rows.length - broken} of ${rows.length} within their bounds`);
  process.exitCode = broken ? 1 : 0;
}

const [flag, what, path, n] = process.argv.slice(2);
if (flag === '--make') {
  const { bytes, supplied = [] } = rowOf(what).make(Number(n));
  writeFileSync(path, bytes);
  writeFileSync(`${path}.companions`, JSON.stringify(supplied));
} else if (flag === '--one') console.log(JSON.stringify(await measure(what, path)));
else main();
