// A folder converted by tools that distribute work, as described in web/examples/batch.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';

const examples = fileURLToPath(new URL('../../../web/examples/batch', import.meta.url));
const hasParallel = /GNU parallel/.test(spawnSync('parallel', ['--version'], { encoding: 'utf8' }).stdout ?? '');
const python = ['python3', '/usr/bin/python3'].find(one => spawnSync(one, ['-c', 'import distributed']).status === 0);

let dist: string;
let folder: string;

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-engines-'));
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    mkdirSync(join(folder, 'in', name), { recursive: true });
    writeFileSync(join(folder, 'in', name, 'hero.psk'), makePsk());
    writeFileSync(join(folder, 'in', name, 'run.psa'), makePsa({ sequences: ['Run'] }));
  }
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/rigcast'), `#!/bin/sh\nexec '${process.execPath}' '${join(dist, 'cli/main.js')}' "$@"\n`, {
    mode: 0o755,
  });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the folder with `rigcast` on the path. */
function run(command: string, words: readonly string[], variables: Record<string, string> = {}): { code: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, RIGCAST: 'rigcast', HOME: folder, ...variables },
  });
  return { code: status, out: `${stdout}${stderr}` };
}

const filesBelow = (name: string): string[] =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.glb'))
    .sort();
const expected = ['a', 'b', 'c', 'd', 'e'].map(name => join(name, 'hero.glb'));

test.skipIf(!hasParallel)(`GNU parallel makes every part${hasParallel ? '' : ' (parallel is not installed)'}`, () => {
  const line = /seq 64 \| parallel (.*)/.exec(readFileSync(join(examples, 'README.md'), 'utf8'))![1]!;
  const { code, out } = run('sh', ['-c', `seq 3 | parallel ${line.replace('--bar ', '').replaceAll('/64', '/3')}`]);
  expect([code, out]).toEqual([0, expect.any(String)]);
  expect(filesBelow('out')).toEqual(expected);
});

test.skipIf(!python)(
  `Dask makes every part on a cluster of its own, and goes on${python ? '' : ' (python3-distributed is not installed)'}`,
  () => {
    cpSync(join(examples, 'convert.py'), join(folder, 'convert.py'));
    const words = ['convert.py', 'in', 'dask', '--parts', '3', '--', '--to', 'glb'];
    expect(run(python!, words)).toMatchObject({ code: 0, out: expect.stringContaining('part 3 of 3: done') as string });
    expect(filesBelow('dask')).toEqual(expected);
    const before = readFileSync(join(folder, 'dask/c/hero.glb'));
    rmSync(join(folder, 'dask/c/hero.glb'));
    expect(run(python!, words).code).toBe(0);
    expect(readFileSync(join(folder, 'dask/c/hero.glb')).equals(before)).toBe(true);
  },
  120_000,
);

test('the Slurm script makes the part of its task', () => {
  cpSync(join(examples, 'slurm.sh'), join(folder, 'slurm.sh'));
  const script = readFileSync(join(folder, 'slurm.sh'), 'utf8');
  writeFileSync(join(folder, 'slurm.sh'), script.replace('-o out --plan plan.jsonl', '-o slurm --plan slurm.jsonl'));
  for (const task of ['1', '2', '3'])
    expect(run('sh', ['slurm.sh'], { SLURM_ARRAY_TASK_ID: task, SLURM_ARRAY_TASK_COUNT: '3' })).toMatchObject({ code: 0 });
  expect(filesBelow('slurm')).toEqual(expected);
});

describe('the Kubernetes manifest', () => {
  const manifest = readFileSync(join(examples, 'job.yaml'), 'utf8');

  test('is an Indexed Job with as many completions as parts', () => {
    expect(manifest).toMatch(/^apiVersion: batch\/v1\nkind: Job$/m);
    expect(manifest).toContain('completionMode: Indexed');
    const parts = /--shard \$\(\(JOB_COMPLETION_INDEX \+ 1\)\)\/(\d+)/.exec(manifest)?.[1];
    expect(/completions: (\d+)/.exec(manifest)?.[1]).toBe(parts);
  });

  test('makes the part of its index', () => {
    const command = /'(rigcast convert .*)'/.exec(manifest)![1]!.replaceAll('/data/', './').replace('/64', '/3');
    const own = command.replace('-o ./out --plan ./plan.jsonl', '-o k8s --plan k8s.jsonl');
    for (const index of ['0', '1', '2']) expect(run('sh', ['-c', own], { JOB_COMPLETION_INDEX: index })).toMatchObject({ code: 0 });
    expect(filesBelow('k8s')).toEqual(expected);
  });
});
