// `npm run nightly [-- SECONDS]`: what is too long for `npm test`. Uses the built viewer at random, plays characters whose heap must not grow, and fuzzes
// every target, each for SECONDS (600). All of them run; the exit code is 1 if one fails.
import { buildPackage, buildSite } from './build.mjs';
import { main as fuzz } from './fuzz.mjs';
import { inRoot, seconds, start } from './lib.mjs';
import { setup } from './setup.mjs';

const node = async (...args) => (await start(process.execPath, args, { show: true })).code ?? 1;

const steps = {
  wander: time => node(inRoot('tests/tools/wander.mjs'), time),
  lives: time => node('--expose-gc', inRoot('tests/tools/lives.mjs'), time),
  fuzz: time => fuzz(['all', time]),
};

export async function main([time = '600']) {
  await setup(['test']);
  await buildPackage();
  await buildSite();
  const lines = [];
  let failed = 0;
  for (const [name, step] of Object.entries(steps)) {
    const begin = performance.now();
    const code = await step(time).catch(error => (console.log(error), 1));
    if (code !== 0) failed = 1;
    lines.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds(begin).padStart(9)}`);
  }
  console.log(`\n${lines.join('\n')}`);
  return failed;
}
