// `npm test [STEP…]`: runs all checks and tests. Prints one line for each step, the output of
// failed steps, and the totals.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { buildPackage, buildSite } from './build.mjs';
import { buildDocs } from './docsSite.mjs';
import { inBackground, leavesNothing, runGroups, saying, strayFiles } from './chain.mjs';
import { checks } from './check.mjs';
import { build, placeWasm, runNativeTests } from './cpp.mjs';
import { isInstalled, packages } from './installedBrowsers.mjs';
import { Trouble, inRoot, installed, start, tail } from './lib.mjs';
import { checkPackage } from './package.mjs';
import { setup } from './setup.mjs';
import { checkPrinted } from './print.mjs';
import { command } from './tools.mjs';
import { packExtension } from './wrappers.mjs';

const reports = inRoot('build/reports');

/** Returns the counts for a step that passes or fails as a whole: one passed, or one failed. */
const single = result => ({ passed: result.code === 0 ? 1 : 0, failed: result.code === 0 ? 0 : 1, output: result.output });

/** Counts passed, failed and skipped tests in an XML report of GoogleTest. */
export function countGoogleTest(xml) {
  const sum = (tag, name) =>
    [...xml.matchAll(new RegExp(`<${tag}\\b[^>]*\\b${name}="(\\d+)"`, 'g'))].reduce((total, [, count]) => total + Number(count), 0);
  const failed = sum('testsuites', 'failures');
  const skipped = sum('testsuite', 'skipped') + sum('testsuites', 'disabled');
  return { passed: sum('testsuites', 'tests') - failed - skipped, failed, skipped };
}

/**
 * Counts passed, failed and skipped tests in a Vitest JSON report. A test file that could not be
 * loaded counts as one failure.
 */
export function countVitest(report) {
  const broken = report.testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken, skipped: report.numPendingTests + report.numTodoTests };
}

/**
 * Describes the failures of a Vitest JSON report, one paragraph each: file, name of the test, and the
 * first lines of the error.
 */
export function describeFailures(report) {
  const firstLines = text => (text ?? '').split('\n').slice(0, 12).join('\n');
  return report.testResults
    .filter(file => file.status === 'failed')
    .flatMap(file => {
      const failed = file.assertionResults.filter(test => test.status === 'failed');
      const name = relative(inRoot('.'), file.name);
      if (failed.length === 0) return [`${name}\n${firstLines(file.message)}`];
      return failed.map(test => `${name} > ${test.fullName}\n${firstLines(test.failureMessages[0])}`);
    })
    .join('\n\n');
}

/**
 * Runs the native tests of one build flavour. Processes that are still running after `timeout`
 * seconds are ended.
 */
async function native(flavour, { env = {}, timeout = 900 } = {}) {
  await build(flavour, { targets: flavour === 'native' ? [] : ['rigcast_tests'] });
  const shards = await runNativeTests(flavour, { env: { UBSAN_OPTIONS: 'print_stacktrace=1', ...env }, timeout });
  const sum = { passed: 0, failed: 0, skipped: 0, output: '' };
  for (const { code, report, output } of shards) {
    const counts = report ? countGoogleTest(report) : { passed: 0, failed: 0, skipped: 0 };
    if (code !== 0 && counts.failed === 0) counts.failed = 1; // the process crashed, timed out or leaked memory
    for (const key of Object.keys(counts)) sum[key] += counts[key];
    if (code !== 0) sum.output += tail(output, 200);
  }
  return sum;
}

/** Runs the tests of projects in vitest.config.ts. */
async function vitest(projects, files = [], env = {}) {
  const report = `${reports}/${projects[0]}.json`;
  const result = await start(
    installed('vitest'),
    [
      'run',
      ...projects.flatMap(project => ['--project', project]),
      ...files,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { env: { NO_COLOR: '1', ...env } },
  );
  const found = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  const counts = found ? countVitest(found) : { passed: 0, failed: 1 };
  // The output of Vitest also lists the tests that passed. It is needed only for an error outside of
  // the tests.
  if (counts.failed > 0 && found) return { ...counts, output: describeFailures(found) };
  if (result.code !== 0) counts.failed = 1;
  return { ...counts, output: tail(result.output, 100) };
}

/**
 * Builds the native programs that tests in Node run. They have sanitizers, because the native tests,
 * too, need the core with sanitizers: it is compiled once.
 */
const buildPrograms = () => build('asan', { targets: ['rigcast_dump', 'rigcast_demo', 'rigcast_castDemo'] });

async function nodeTests() {
  await buildPrograms();
  return vitest(['node']);
}

/** Names of tests that read many files. */
const readingTests = ['firstAnimation', 'later', 'models', 'nativeEqualsWasm', 'open', 'vgo', 'windows'].map(
  name => `tests/web/core/${name}.test.ts`,
);

/** Runs the tests that read many files, with a wasm module that checks each memory access. */
async function checked() {
  await buildPrograms();
  await build('checked');
  placeWasm('checked');
  try {
    // Emscripten's glue code for the web requires that it runs on a page or in a worker, so the
    // tests define a global of workers.
    return await vitest(['node'], readingTests, { NODE_OPTIONS: '--import=data:text/javascript,globalThis.importScripts=()=>{}' });
  } finally {
    placeWasm();
  }
}

/**
 * Runs a part of the browser tests in another browser. Without this browser the step passes with a
 * note.
 */
export const otherBrowser = async browser =>
  isInstalled(browser)
    ? vitest([browser])
    : {
        passed: 0,
        failed: 0,
        note: `not run, because ${browser} is not installed: ${command(packages[browser], process.getuid?.() === 0)}`,
      };

/**
 * The steps of `npm test`, in the groups of `runGroups`. If no steps are named, all steps except the
 * extra ones run.
 */
export const steps = [
  // A group for each check, because most checks use one CPU core.
  ...checks.map(check => ({ name: check.name, group: check.name, run: async () => single(await check.run()) })),
  { name: 'browser', group: 'browsers', run: () => vitest(['browser', 'fresh']) },
  { name: 'webgpu', group: 'browsers', run: () => vitest(['webgpu']) },
  {
    name: 'swiftshader',
    group: 'browsers',
    isExtra: true,
    run: () => vitest(['browser', 'fresh'], [], { CHROMIUM_PATH: '/usr/bin/chromium' }),
  },
  { name: 'firefox', group: 'browsers', run: () => otherBrowser('firefox') },
  { name: 'webkit', group: 'browsers', isExtra: true, run: () => otherBrowser('webkit') },
  { name: 'pages', group: 'browsers', run: () => vitest(['pages']) },
  { name: 'native', group: 'builds', isExtra: true, run: () => native('native') },
  { name: 'printed', group: 'builds', run: saying(checkPrinted) },
  { name: 'sanitizers', group: 'builds', run: () => native('asan') },
  { name: 'libcxx', group: 'builds', isExtra: true, run: () => native('libcxx') },
  { name: 'sweeps', group: 'builds', isExtra: true, run: () => native('asan', { env: { RIGCAST_LONG: '1' }, timeout: 3000 }) },
  { name: 'build', group: 'builds', run: saying(async () => void (await buildPackage(), await buildSite(), await buildDocs())) },
  { name: 'package', group: 'builds', needs: 'build', run: checkPackage },
  { name: 'node', group: 'last', run: nodeTests }, // uses all CPU cores
  { name: 'vscode', group: 'last', isExtra: true, needs: 'build', run: saying(packExtension) },
  { name: 'checked', group: 'last', isExtra: true, run: checked }, // replaces the wasm module that other steps use
];

/** Prints the line of a step, and the output of a failed step. `result` is null if it did not run. */
function print({ name, needs }, result, time) {
  if (!result) return console.log(`not run ${name}: ${needs} failed`);
  const counts = ['passed', 'failed', 'skipped'].filter(key => key === 'passed' || result[key]).map(key => `${result[key]} ${key}`);
  if (result.notRun) counts.push(`${result.notRun} not run`);
  const line = [result.failed ? 'FAILED' : 'ok    ', name.padEnd(12), time.padStart(7), counts.join(', '), result.note];
  console.log(line.filter(Boolean).join('  '));
  if (result.failed) console.log(`\n${result.output ?? ''}\n`);
}

export async function main(names) {
  const unknown = names.filter(name => !steps.some(step => step.name === name));
  if (unknown.length > 0) throw new Trouble(`There is no step ${unknown.join(', ')}. Steps: ${steps.map(step => step.name).join(', ')}.`);
  const before = strayFiles();
  await setup(['native', 'test', ...(names.includes('libcxx') ? ['libcxx'] : [])]);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });

  const chosen = steps.filter(({ name, isExtra }) => (names.length === 0 ? !isExtra : names.includes(name)));
  const tidy = { name: 'tidy', group: 'last', run: saying(() => leavesNothing(before)) };
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const report = (step, result, time) => {
    for (const key of ['passed', 'failed', 'skipped']) sum[key] += result?.[key] ?? 0;
    print(step, result, time);
  };
  await runGroups([...chosen, tidy], report, step => inBackground(import.meta.url, step));
  if (sum.skipped) console.log(`\n${sum.skipped} skipped: they need files or tools that are not here; each says which.`);
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 ? 0 : 1;
}
