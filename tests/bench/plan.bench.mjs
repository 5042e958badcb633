// npm run bench -- plan [MODELS]: plans the conversion of a folder of generated models (100,000 by
// default) with an animation set for every tenth model, and copies the rows of the plan until it has
// a million results. Prints the time and the peak memory of planning and of starting a part, and the
// balance of the parts. Linux only, because the memory is read from /proc.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { motions, tube } from './inputs/content.mjs';
import { writePsa, writePsk } from './inputs/unreal.mjs';
import { load, number, tableOf } from './table.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { shardOf } = await import(new URL('cli/batch.js', dist).href);
const models = Number(process.argv.slice(2).find(word => /^\d+$/.test(word)) ?? 100_000);
const skeletons = 200;
/** Number of models per folder. It does not depend on the number of models, as in real archives. */
const perFolder = 10;
const folder = mkdtempSync(join(tmpdir(), 'rigcast-plan-'));

/** Runs the command line. Returns its time in seconds and its peak memory in MB. */
function run(...words) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [fileURLToPath(new URL('cli/main.js', dist)), 'convert', ...words], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let peak = 0;
    let said = '';
    child.stderr.on('data', text => (said += text));
    const timer = setInterval(() => {
      try {
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
      } catch {} // the process has ended
    }, 50);
    child.on('exit', code => {
      clearInterval(timer);
      if (code > 1) reject(new Error(said));
      else resolve({ seconds: (performance.now() - start) / 1000, peak });
    });
  });
}

/** Returns a copy of a file with other bone names. */
function renamed(bytes, skeleton) {
  const file = Buffer.from(bytes);
  for (let at = file.indexOf('bone_'); at >= 0; at = file.indexOf('bone_', at)) file.write(`b${String(skeleton).padStart(3, '0')}_`, at);
  return file;
}

/** Writes the models and animation sets. Models with the same skeleton have the same bone names. */
function writeModels() {
  const [psk, psa] = [writePsk(tube(2, 3)), writePsa(motions(1, 2))];
  const files = Array.from({ length: skeletons }, (_, i) => ({ psk: renamed(psk, i), psa: renamed(psa, i) }));
  const folders = Math.ceil(models / perFolder);
  for (let i = 0; i < models; i++) {
    const of = join(folder, 'in', String(i % folders));
    if (i < folders) mkdirSync(of, { recursive: true });
    writeFileSync(join(of, `model${i}.psk`), files[i % skeletons].psk);
    if (i % 10 === 0) writeFileSync(join(of, `model${i}.psa`), files[i % skeletons].psa);
  }
}

/** Writes a plan with a million results, which are copies with other paths. */
function enlarge(plan, to) {
  const [head, ...rows] = readFileSync(join(folder, plan), 'utf8').trimEnd().split('\n');
  writeFileSync(join(folder, to), `${head}\n`);
  for (let copy = 0; copy < 1e6 / models; copy++)
    appendFileSync(join(folder, to), rows.map(row => `${row.replaceAll('/model', `/copy${copy}/model`)}\n`).join(''));
}

/**
 * Returns the ratio of the largest part to the average part, by number of models and by their size.
 * Sizes are log-normal with a median of 1 MB; the largest of a million is about 1 GB.
 */
function balance(places, parts) {
  const tests = Array.from({ length: parts }, (_, i) => shardOf(`${i + 1}/${parts}`));
  const [counts, sizes] = [new Float64Array(parts), new Float64Array(parts)];
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (const place of places) {
    const at = tests.findIndex(test => test(place));
    counts[at]++;
    sizes[at] += Math.exp(1.5 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()));
  }
  const ratio = values => (Math.max(...values) * parts) / values.reduce((sum, value) => sum + value, 0);
  return [ratio(counts), ratio(sizes)];
}

try {
  writeModels();
  const command = plan => ['in', '-o', 'out', '--to', 'glb', '--plan', plan, '--dry-run'];
  const rows = [];
  const measure = async (what, plan, ...more) => {
    const { seconds, peak } = await run(...command(plan), ...more);
    rows.push([what, `${number(seconds)} s`, `${peak.toFixed(0)} MB`, `${number(statSync(join(folder, plan)).size / 1e6)} MB`]);
  };
  await measure(`plan of ${models} models with one process`, 'plan.jsonl');
  await measure('start of one part of 512', 'plan.jsonl', '--shard', '1/512');
  enlarge('plan.jsonl', 'large.jsonl');
  await measure('start of one part of 512, a million models', 'large.jsonl', '--shard', '1/512');
  console.log(`Machine load: ${load()}\n`);
  console.log(tableOf(['what', 'time', 'peak memory', 'plan file'], rows));
  const places = Array.from({ length: 1e5 }, (_, i) => `${i % 1000}/model${i}.psk`);
  for (const parts of [64, 512]) {
    const [count, size] = balance(places, parts);
    console.log(
      `${parts} parts: the largest has ${number(count)} times the average number of models, ${number(size)} times the average size`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
