// Runs steps in groups and tests that depend on each other, and finds files that a test run leaves in the checkout.
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { Trouble, inRoot, run, seconds } from './lib.mjs';

/**
 * Formats an error for the terminal: a Trouble as its message, any other error as its stack trace.
 */
const words = error => (error instanceof Trouble ? error.message : String(error.stack));

/**
 * Turns a function into a step of `npm test`. The function throws a Trouble if the step fails, and
 * may return a note that is printed.
 */
export const saying = step => async () => {
  try {
    return { passed: 1, failed: 0, note: await step() };
  } catch (error) {
    return { passed: 0, failed: 1, output: words(error) };
  }
};

/**
 * Runs tests that use the results of earlier ones. Stops at the first failure and lists the tests
 * that did not run.
 */
export async function runChain(tests) {
  const sum = { passed: 0, failed: 0, notRun: 0, output: '', note: '' };
  const notes = [];
  for (const [index, { name, run: test }] of tests.entries()) {
    const { passed, failed, note, output } = await saying(test)();
    sum.passed += passed;
    sum.failed += failed;
    if (typeof note === 'string' && note) notes.push(note);
    if (!failed) continue;
    const rest = tests.slice(index + 1).map(later => later.name);
    sum.notRun = rest.length;
    sum.output = `${name}: ${output}${rest.length > 0 ? `\n\nnot run: ${rest.join(', ')}` : ''}`;
    break;
  }
  return { ...sum, note: notes.join('; ') };
}

/** Runs a step. If it throws, returns a failure with the error as output. */
export const attempt = step => step.run().catch(error => ({ passed: 0, failed: 1, output: words(error) }));

/**
 * Runs a step in its own process with a low priority, which all programs that it starts inherit.
 * Linux can ignore it for browsers: they have their own session, and each session can get an equal
 * share of the processor.
 * `module`: URL of a module that exports `steps`.
 */
export function inBackground(module, { name }) {
  return new Promise(resolve => {
    const child = fork(inRoot('.ci/step.mjs'), [module, name]);
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let result = null;
    child.on('message', message => (result = message));
    child.on('exit', (code, signal) =>
      resolve(result ?? { passed: 0, failed: 1, output: `The process of this step ended early (${signal ?? code}).` }),
    );
  });
}

/**
 * Runs the steps of a group one after the other, except steps that need a failed step. The groups run
 * at the same time, because tests in a browser use little more than one CPU core: `runBackground` runs
 * the steps of all groups but `browsers`. The group `last` runs when the others have ended. Calls
 * `report` with each step, its result (null if it did not run) and its duration.
 */
export async function runGroups(steps, report, runBackground) {
  const broken = new Set();
  const runGroup = async (name, runStep) => {
    for (const step of steps.filter(({ group }) => group === name)) {
      const begin = performance.now();
      const result = broken.has(step.needs) ? null : await runStep(step);
      if (result?.failed) broken.add(step.name);
      report(step, result, seconds(begin));
    }
  };
  const early = new Set(steps.map(({ group }) => group).filter(name => name !== 'last'));
  await Promise.all(Array.from(early, name => runGroup(name, name === 'browsers' ? attempt : runBackground)));
  await runGroup('last', attempt);
}

/**
 * Returns the output lines of `git status`, which list the new and changed files of the checkout.
 * Returns null if git or the checkout is missing.
 */
export function strayFiles(cwd) {
  const { code, stdout } = run('git', ['status', '--porcelain'], cwd && { cwd });
  return code === 0 ? stdout.split('\n').filter(Boolean) : null;
}

/**
 * Throws if the steps of a test run have written files into the checkout that git does not ignore.
 * `before` is the result of `strayFiles` before the steps.
 */
export function leavesNothing(before, cwd) {
  const after = strayFiles(cwd);
  if (!before || !after) return 'not looked at: git knows no checkout here';
  const strays = after.filter(line => !before.includes(line));
  if (strays.length > 0) throw new Trouble(`Files are new or changed since the tests began:\n\n${strays.join('\n')}`);
}
