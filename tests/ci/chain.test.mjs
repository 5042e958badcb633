// Reports of `npm test` about tests that need one another, and about files that they leave behind.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attempt, inBackground, leavesNothing, runChain, runGroups, strayFiles } from '../../.ci/chain.mjs';
import { Trouble } from '../../.ci/lib.mjs';

describe('runChain', () => {
  it('stops at the first failure and names the tests that did not run', async () => {
    const ran = [];
    const test = (name, error) => ({ name, run: async () => void (ran.push(name), error && (await Promise.reject(error))) });
    const sum = await runChain([test('install'), test('types', new Trouble('no types')), test('in node'), test('in a page')]);
    expect(ran).toEqual(['install', 'types']);
    expect(sum).toMatchObject({ passed: 1, failed: 1, notRun: 2 });
    expect(sum.output).toBe('types: no types\n\nnot run: in node, in a page');
  });

  it('returns all notes and no output if every test passes', async () => {
    const sum = await runChain([
      { name: 'a', run: () => 'first' },
      { name: 'b', run: () => 'last' },
      { name: 'c', run: () => {} },
    ]);
    expect(sum).toEqual({ passed: 3, failed: 0, notRun: 0, output: '', note: 'first; last' });
  });
});

describe('runGroups', () => {
  /** Runs steps, and returns the lines `name result` in the order in which the steps ended. */
  const linesOf = async (steps, runBackground = attempt) => {
    const lines = [];
    const report = ({ name }, result) => lines.push(`${name} ${result ? (result.output ?? result.passed) : 'not run'}`);
    await runGroups(steps, report, runBackground);
    return lines;
  };

  it('runs the steps of a group in order, the groups at the same time, and the last group at the end', async () => {
    let open;
    const gate = new Promise(resolve => (open = resolve));
    const lines = await linesOf([
      { name: 'tidy', group: 'last', run: async () => ({ passed: 1 }) },
      { name: 'waiting', group: 'a', run: () => gate.then(() => ({ passed: 2 })) },
      { name: 'next', group: 'a', run: async () => ({ passed: 3 }) },
      { name: 'opening', group: 'b', run: async () => (open(), { passed: 4 }) },
    ]);
    expect(lines).toEqual(['opening 4', 'waiting 2', 'next 3', 'tidy 1']);
  });

  it('does not run a step that needs a failed one, and continues with the others', async () => {
    const lines = await linesOf([
      { name: 'build', group: 'builds', run: () => Promise.reject(new Trouble('no tool')) },
      { name: 'package', group: 'last', needs: 'build', run: async () => ({ passed: 1 }) },
      { name: 'node', group: 'last', run: async () => ({ passed: 5 }) },
    ]);
    expect(lines).toEqual(['build no tool', 'package not run', 'node 5']);
  });

  it('runs the steps of all groups but browsers and last in the background', async () => {
    const steps = ['builds', 'browsers', 'last'].map(name => ({ name, group: name, run: async () => ({ passed: 1 }) }));
    const lines = await linesOf(steps, async () => ({ passed: 2 }));
    expect(lines.toSorted()).toEqual(['browsers 1', 'builds 2', 'last 1']);
  });
});

describe('inBackground', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rigcast-steps-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a step whose function has the given source. */
  const resultOf = source => {
    const file = join(folder, 'steps.mjs');
    writeFileSync(file, `import { execFileSync } from 'node:child_process';\nexport const steps = [{ name: 'it', run: ${source} }];`);
    return inBackground(pathToFileURL(file).href, { name: 'it' });
  };

  it('gives the programs of a step a low priority', async () => {
    const result = await resultOf(
      "async () => ({ passed: 1, note: String(execFileSync(process.execPath, ['-p', 'os.getPriority()'])).trim() })",
    );
    expect(result).toEqual({ passed: 1, note: `${constants.priority.PRIORITY_BELOW_NORMAL}` });
  });

  it('returns a failure if the step throws, or if its process ends early', async () => {
    expect(await resultOf("async () => { throw new Error('no tool'); }")).toMatchObject({
      failed: 1,
      output: expect.stringContaining('no tool'),
    });
    expect(await resultOf('async () => process.exit(3)')).toMatchObject({ failed: 1, output: expect.stringContaining('ended early (3)') });
  });
});

describe('leavesNothing', () => {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rigcast-stray-'));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    writeFileSync(join(folder, '.gitignore'), 'build/\n');
    writeFileSync(join(folder, 'mine.txt'), 'being written');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('names files that were created during the tests, not older ones', () => {
    const before = strayFiles(folder);
    expect(() => leavesNothing(before, folder)).not.toThrow();
    writeFileSync(join(folder, 'triangle.psk'), '');
    expect(() => leavesNothing(before, folder)).toThrow(/^Files are new or changed since the tests began:\n\n\?\? triangle\.psk$/);
  });

  it('returns a note without a git checkout', () => {
    rmSync(join(folder, '.git'), { recursive: true });
    expect(leavesNothing(strayFiles(folder), folder)).toContain('not looked at');
  });
});
