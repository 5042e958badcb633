// `npm run nightly [-- SECONDS]`: runs tests that take too long for `npm test`: the extra steps of
// `npm test`; an archive of 200 models; complete campaigns, which are otherwise shortened; random actions in the built
// viewer; a test that playback doesn't leak memory; and all fuzz targets. SECONDS (default: 600) is
// the duration of each of the last three. All tests run even if one fails; the exit code is then 1.
import { readFileSync, readdirSync } from 'node:fs';
import { buildPackage, buildSite } from './build.mjs';
import { main as fuzz } from './fuzz.mjs';
import { inRoot, installed, seconds, start } from './lib.mjs';
import { setup } from './setup.mjs';
import { main as test } from './test.mjs';

const node = async (...args) => (await start(process.execPath, args, { show: true })).code ?? 1;

/** Returns the test files with campaigns, which are shortened in `npm test`. */
const campaigns = () =>
  readdirSync(inRoot('tests/web'), { recursive: true })
    .filter(file => file.endsWith('.test.ts') && readFileSync(inRoot('tests/web', file), 'utf8').includes('/campaign.ts'))
    .map(file => `tests/web/${file}`);

const vitest = async (...args) =>
  (await start(installed('vitest'), ['run', ...args], { show: true, env: { RIGCAST_LONG: '1' } })).code ?? 1;

const steps = {
  tests: () => test(['native', 'libcxx', 'sweeps', 'checked', 'swiftshader', 'webkit', 'vscode']),
  archive: () => vitest('--project', 'node', 'tests/web/cli/archive.test.ts'),
  campaigns: () => vitest('--project', 'node', '--project', 'browser', '--project', 'fresh', ...campaigns()),
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
