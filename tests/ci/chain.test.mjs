// Reports of `npm test` about tests that need one another, and about files that they leave behind.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leavesNothing, runChain, strayFiles } from '../../.ci/chain.mjs';
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
