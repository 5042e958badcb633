// `npm run bench`: runs the benchmarks in tests/bench with the built package. Some of them compare
// the package with the native build. The scripts `hostile`, `pose`, `convert`, `viewers`,
// `elements`, `site`, `bodies`, `plan` and `search` run only if they are named, for example `npm run bench -- pose`.
import { existsSync, readdirSync } from 'node:fs';
import { buildPackage } from './build.mjs';
import { build } from './cpp.mjs';
import { Trouble, inRoot, start } from './lib.mjs';
import { setup } from './setup.mjs';

export async function main(args) {
  const folder = inRoot('tests/bench');
  const all = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.bench.mjs')) : [];
  const named = all.filter(file => args.includes(file.replace('.bench.mjs', '')));
  const scripts =
    named.length > 0 ? named : all.filter(file => !/^(hostile|pose|convert|viewers|elements|site|bodies|plan|search)\./.test(file));
  if (scripts.length === 0) throw new Trouble('There is no tests/bench/*.bench.mjs.');
  const isNative = scripts.includes('run.bench.mjs');
  await setup(isNative ? ['native', 'test'] : ['test']);
  if (isNative) await build('native');
  await buildPackage();
  let code = 0;
  for (const script of scripts)
    code ||= (await start(process.execPath, ['--expose-gc', `${folder}/${script}`, ...args], { show: true })).code ?? 1;
  return code;
}
