// `npm run coverage`: prints the covered lines and branches of the C++ core per file, and the lines
// with a branch that no test takes (12t: the condition in line 12 is never true; 12f: it is never
// false). `-- --lines FILE` prints one file with its execution counts.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build, runNativeTests } from './cpp.mjs';
import { Trouble, inRoot, root, start, tail, which } from './lib.mjs';
import { setup } from './setup.mjs';

const tool = name => [name, `${name}-14`].find(each => which(each)) ?? name;

/**
 * Lists the lines with branches that no test takes, such as `12t 15f`. The instances of a template
 * are merged; branches that the compiler decides are ignored.
 */
function untaken({ filename, branches }) {
  const lines = readFileSync(filename, 'utf8').split('\n');
  const sums = new Map();
  for (const [line, column, , , taken, refused] of branches) {
    if (lines[line - 1].includes('if constexpr')) continue;
    const sum = sums.get(`${line}:${column}`) ?? { line, taken: 0, refused: 0 };
    sums.set(`${line}:${column}`, { line, taken: sum.taken + taken, refused: sum.refused + refused });
  }
  const words = [...sums.values()].flatMap(({ line, taken, refused }) => [
    ...(taken ? [] : [`${line}t`]),
    ...(refused ? [] : [`${line}f`]),
  ]);
  return [...new Set(words)].join(' ');
}

export async function main(args) {
  await setup(['native', 'test', 'coverage']);
  await build('coverage', { targets: ['rigcast_tests'] });
  const raw = inRoot('build/coverage/raw');
  const merged = inRoot('build/coverage/tests.profdata');
  const program = inRoot('build/coverage/rigcast_tests');
  rmSync(raw, { recursive: true, force: true });
  // All processes write their counters to a few shared files.
  const shards = await runNativeTests('coverage', { env: { LLVM_PROFILE_FILE: join(raw, '%16m.profraw') } });
  const broken = shards.find(({ code }) => code !== 0);
  if (broken) throw new Trouble(`The tests fail:\n\n${tail(broken.output, 30)}`);
  const profiles = existsSync(raw) ? readdirSync(raw).map(file => join(raw, file)) : [];
  const merge = await start(tool('llvm-profdata'), ['merge', '-sparse', ...profiles, '-o', merged]);
  if (merge.code !== 0) throw new Trouble(merge.output);
  const common = [program, `-instr-profile=${merged}`];
  const file = args[args.indexOf('--lines') + 1];
  if (args.includes('--lines') && file) {
    const { output } = await start(tool('llvm-cov'), ['show', ...common, '-show-branches=count']);
    const part = output.split(/^(?=\/.*:$)/m).find(each => each.startsWith(`${inRoot(file)}:`));
    if (!part) throw new Trouble(`${file} is not a part of the tests' program.`);
    console.log(part);
    return 0;
  }
  const told = await start(tool('llvm-cov'), ['export', '-skip-functions', ...common]);
  if (told.code !== 0) throw new Trouble(tail(told.output));
  // llvm-cov can filter files by folder, but doesn't normalize paths. With ccache, paths begin with
  // build/coverage/../..
  const files = JSON.parse(told.output).data[0].files.filter(
    ({ filename }) => !relative(inRoot('wasm'), resolve(filename)).startsWith('..'),
  );
  const total = what =>
    files.reduce((sum, { summary }) => ({ count: sum.count + summary[what].count, covered: sum.covered + summary[what].covered }), {
      count: 0,
      covered: 0,
    });
  const totals = { lines: total('lines'), branches: total('branches') };
  const percent = ({ count, covered }) => (count === 0 ? '     –' : `${((100 * covered) / count).toFixed(1).padStart(5)}%`);
  const missed = ({ summary: { branches } }) => branches.count - branches.covered;
  console.log(`lines     branches  not reached  file`);
  for (const each of files.toSorted((a, b) => missed(b) - missed(a))) {
    if (missed(each) === 0) continue;
    console.log(
      `${percent(each.summary.lines)}    ${percent(each.summary.branches)}   ${String(missed(each)).padStart(10)}  ${relative(root, resolve(each.filename))}`,
    );
    console.log(`                                 ${untaken(each)}`);
  }
  console.log(
    `${percent(totals.lines)}    ${percent(totals.branches)}   ${String(missed({ summary: totals })).padStart(10)}  all ${files.length} files`,
  );
}
