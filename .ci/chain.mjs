// Tests that need one another, and what a run leaves behind in the checkout.
import { Trouble, run } from './lib.mjs';

/** A failure as a step prints it: an answer for people without its stack trace. */
const words = error => (error instanceof Trouble ? error.message : String(error.stack));

/** A step that throws a Trouble with its words, and returns what is worth a line. */
export const saying = step => async () => {
  try {
    return { passed: 1, failed: 0, note: await step() };
  } catch (error) {
    return { passed: 0, failed: 1, output: words(error) };
  }
};

/** Tests of which each takes what those before it made: after the first that fails the others are not run, and that is said. */
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

/** Lines of `git status` of the checkout: files that are new or changed. Null where it is no checkout, or there is no git. */
export function strayFiles(cwd) {
  const { code, stdout } = run('git', ['status', '--porcelain'], cwd && { cwd });
  return code === 0 ? stdout.split('\n').filter(Boolean) : null;
}

/** Whatever steps write belongs into folders that git ignores, or out of the checkout. `before`: what `strayFiles` said when they began. */
export function leavesNothing(before, cwd) {
  const after = strayFiles(cwd);
  if (!before || !after) return 'not looked at: git knows no checkout here';
  const strays = after.filter(line => !before.includes(line));
  if (strays.length > 0) throw new Trouble(`Files are new or changed since the tests began:\n\n${strays.join('\n')}`);
}
