// `npm run fuzz -- TARGET|all SECONDS`: fuzzes the targets in tests/fuzz with libFuzzer,
// AddressSanitizer and UndefinedBehaviorSanitizer. SECONDS is processor time, so that a run on a
// busy machine does as much as on an idle one. The native tests also run each target once on each
// fixture (tests/wasm/fuzz.cpp).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { build } from './cpp.mjs';
import { sourceModule } from './sources.mjs';
import { Trouble, inRoot, root, start } from './lib.mjs';
import { ensureTools } from './tools.mjs';

/**
 * Maximum size of a seed file, in bytes. Larger files only slow fuzzing down, and smaller files can
 * exercise every rule of a format.
 */
export const largestSeed = 16 * 1024;

export const targets = () =>
  readdirSync(inRoot('tests/fuzz'))
    .filter(file => file.endsWith('.cpp'))
    .map(file => basename(file, '.cpp'))
    .sort();

/**
 * Lists the seed files for a fuzz target. A target is named after a format or a family of formats;
 * the target `text` reads companion files. A file whose extension belongs to several targets is
 * used only if its folder has the name of the target.
 */
export async function seedsOf(target, folders = [inRoot('tests/data'), inRoot('../shared/corpus')]) {
  const { formatTable } = await sourceModule('core/formatTable.ts');
  const own = formatTable.filter(({ id, family }) => id === target || family === target);
  const shared = own.flatMap(({ sharedExtensions }) => sharedExtensions);
  const extensions = target === 'text' ? formatTable.flatMap(({ companions }) => companions) : own.flatMap(each => each.extensions);
  const isSeed = file => {
    const extension = extname(file).slice(1).toLowerCase();
    return extensions.includes(extension) && (!shared.includes(extension) || file.split('/').includes(target));
  };
  return folders
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder, { recursive: true }).map(path => join(folder, path)))
    .filter(file => isSeed(file) && statSync(file).isFile() && statSync(file).size <= largestSeed);
}

async function plant(target, corpus, folders) {
  mkdirSync(corpus, { recursive: true });
  for (const file of await seedsOf(target, folders)) {
    const bytes = readFileSync(file);
    writeFileSync(join(corpus, createHash('sha1').update(bytes).digest('hex')), bytes);
  }
}

/**
 * Runs one fuzz target on a corpus. Inputs that make it fail are written to the folder `findings`.
 */
function fuzz(target, corpus, findings, limits, options) {
  const dictionary = inRoot('tests/fuzz', `${target}.dict`);
  return start(
    inRoot('build/fuzz', `fuzz_${target}`),
    [
      corpus,
      ...limits,
      `-artifact_prefix=${findings}/`,
      `-max_len=${largestSeed}`,
      '-rss_limit_mb=1024',
      '-print_final_stats=1',
      '-verbosity=1',
      ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
    ],
    { ...options, env: { UBSAN_OPTIONS: 'print_stacktrace=1', ASAN_OPTIONS: 'allocator_may_return_null=0' } },
  );
}

/**
 * Returns the processor time that a process has used, in seconds. Returns undefined if the process
 * has ended, or on systems without /proc (all except Linux).
 */
function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** Number of ticks per second, the unit of processor times in /proc (USER_HZ in proc(5)). */
const ticksPerSecond = 100;

/**
 * Ends libFuzzer after `seconds` of processor time, and calls `tell` with the time used so far.
 * Elapsed time is used if processor time is not available.
 */
function endAfter(seconds, child, tell) {
  const from = performance.now();
  const timer = setInterval(() => {
    const spent = processorTime(child.pid) ?? (performance.now() - from) / 1000;
    tell(spent);
    if (spent >= seconds) child.kill('SIGUSR1');
  }, 500);
  child.on('close', () => clearInterval(timer));
}

/**
 * Elapsed time for one input, in seconds, after which libFuzzer reports a hang. libFuzzer can't
 * measure processor time; on a busy machine, an input that needs 20 ms has taken more than five
 * seconds.
 */
const hang = 60;

async function campaign(target, seconds) {
  const corpus = inRoot('build/fuzz-corpus', target);
  const findings = inRoot('build/fuzz-findings', target);
  mkdirSync(findings, { recursive: true });
  await plant(target, corpus);
  const before = new Set(readdirSync(findings));
  let spent = 0; // processor time in seconds; less than `seconds` if the user stops the run
  const started = child => endAfter(seconds, child, seen => (spent = seen));
  const result = await fuzz(target, corpus, findings, [`-timeout=${hang}`], { show: true, started });
  const found = readdirSync(findings).filter(file => !before.has(file));
  if (result.code === 0 && found.length === 0) {
    console.log(
      `\n${target}: no finding in ${Math.round(spent)} of ${seconds} s of processor time, ${readdirSync(corpus).length} inputs in the corpus.`,
    );
    return 0;
  }
  console.log(`\n${target}: FINDING (exit ${result.code}).`);
  for (const file of found) console.log(`  again: build/fuzz/fuzz_${target} ${relative(root, join(findings, file))}`);
  return 1;
}

export async function main([name, secondsText = '60']) {
  const seconds = Number(secondsText);
  const chosen = name === 'all' ? targets() : targets().filter(target => target === name);
  if (chosen.length === 0 || !(seconds > 0)) {
    throw new Trouble(`usage: npm run fuzz -- TARGET|all SECONDS\ntargets: ${targets().join(', ')}`);
  }
  await ensureTools(['fuzz']);
  await build('fuzz', { targets: chosen.map(target => `fuzz_${target}`) });
  let code = 0;
  for (const target of chosen) code |= await campaign(target, seconds);
  return code;
}
