// `npm run fuzz -- TARGET SECONDS`: libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer on one target of tests/fuzz.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build } from './cpp.mjs';
import { Trouble, inRoot, root, start } from './lib.mjs';
import { ensureTools } from './tools.mjs';

/** Big files only slow the search down. */
const largestSeed = 256 * 1024;

export const targets = () =>
  readdirSync(inRoot('tests/fuzz'))
    .filter(file => file.endsWith('.cpp'))
    .map(file => basename(file, '.cpp'))
    .sort();

/** Extensions of a target's seeds, where they are not its name. */
const extensions = { psk: ['psk', 'pskx'], text: ['config', 'json'] };

/** Files of the target's own kind: by extension, or `.bin` below a folder of its name. */
export function seedsOf(target, folders = [inRoot('tests/data'), inRoot('../shared/corpus')]) {
  const ends = (extensions[target] ?? [target]).map(end => `.${end}`);
  return folders
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder, { recursive: true }).map(path => join(folder, path)))
    .filter(file => ends.some(end => file.toLowerCase().endsWith(end)) || (file.endsWith('.bin') && file.split('/').includes(target)))
    .filter(file => statSync(file).isFile() && statSync(file).size <= largestSeed);
}

export async function main([target, secondsText = '60']) {
  const seconds = Number(secondsText);
  if (!targets().includes(target) || !(seconds > 0)) {
    throw new Trouble(`usage: npm run fuzz -- TARGET SECONDS\ntargets: ${targets().join(', ')}`);
  }
  await ensureTools(['fuzz']);
  await build('fuzz', { targets: [`fuzz_${target}`] });

  const corpus = inRoot('build/fuzz-corpus', target);
  const findings = inRoot('build/fuzz-findings', target);
  mkdirSync(corpus, { recursive: true });
  mkdirSync(findings, { recursive: true });
  for (const file of seedsOf(target)) {
    const bytes = readFileSync(file);
    writeFileSync(join(corpus, createHash('sha1').update(bytes).digest('hex')), bytes);
  }
  const before = new Set(readdirSync(findings));
  const dictionary = inRoot('tests/fuzz', `${target}.dict`);
  const result = await start(
    inRoot('build/fuzz', `fuzz_${target}`),
    [
      corpus,
      `-max_total_time=${Math.ceil(seconds)}`,
      `-artifact_prefix=${findings}/`,
      `-max_len=${largestSeed}`,
      '-timeout=10',
      '-rss_limit_mb=2048',
      '-print_final_stats=1',
      '-verbosity=1',
      ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
    ],
    { show: true, env: { UBSAN_OPTIONS: 'print_stacktrace=1', ASAN_OPTIONS: 'allocator_may_return_null=0' } },
  );
  const found = readdirSync(findings).filter(file => !before.has(file));
  const corpusSize = readdirSync(corpus).length;
  if (result.code === 0 && found.length === 0) {
    console.log(`\n${target}: no finding in ${seconds} s, ${corpusSize} inputs in the corpus.`);
    return 0;
  }
  console.log(`\n${target}: FINDING (exit ${result.code}).`);
  for (const file of found) console.log(`  again: build/fuzz/fuzz_${target} ${relative(root, join(findings, file))}`);
  return 1;
}
