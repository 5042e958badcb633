// The plan of a batch: child processes read the files within limits; a plan file is written once
// and read by all shards.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Plan } from '../../../web/src/cli/convertPlan.ts';
import { planOf } from '../../../web/src/cli/batch.ts';
import { readPlan, writePlan } from '../../../web/src/cli/planFile.ts';
import { FolderImages } from '../../../web/src/cli/images.ts';
import { HeadOf } from '../../../web/src/cli/reading.ts';
import { probe } from '../../../web/src/core/probe.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { castFile, model, node, triangle } from '../../support/castFile.ts';
import { triangleGltf } from '../../support/gltf.ts';
import { tga } from '../../support/images.ts';

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

function put(name: string, content: Uint8Array | string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
}

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-plan-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Row {
  out: string | null;
  files: string[];
  ledger: { code: string; path: string; detail: string }[];
  error?: { code: string; detail: string };
}

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), 'convert', ...words], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

const rowsOf = (...words: string[]): Row[] => (JSON.parse(rigcast(...words, '--json').out) as { files: Row[] }).files;
const short = ({ out, files, error }: Row): string => `${out ? basename(out) : basename(files[0]!)}${error ? ` ${error.code}` : ''}`;

/** Creates a sparse file of two gigabytes, which takes no disk space but long to read. */
function putHuge(name: string, head: Uint8Array): void {
  put(name, head);
  truncateSync(at(name), 2_000_000_000);
}

describe('planning', () => {
  test('prints the plan without converting, with --dry-run', () => {
    put('dry/a.psk', makePsk());
    put('dry/a.psa', makePsa());
    put('dry/b.psk', makePsk({ bones: ['root', 'tail', 'ear'] }));
    put('dry/x.psa', makePsa({ bones: ['p', 'q', 'r'] }));
    const rows = rowsOf(at('dry'), '-o', at('dry.out'), '--dry-run');
    expect(rows.map(({ out, files, error }) => [out, files, error?.code])).toEqual([
      [at('dry.out/a.glb'), [at('dry/a.psk'), at('dry/a.psa')], undefined],
      [at('dry.out/b.glb'), [at('dry/b.psk')], undefined],
      [null, [at('dry/x.psa')], 'CLIP_UNMATCHED'],
    ]);
    const { out } = rigcast(at('dry'), '-o', at('dry.out'), '--dry-run');
    expect(out.split('\n')).toEqual([
      `${at('dry.out/a.glb')}  from ${at('dry/a.psk')}, ${at('dry/a.psa')}`,
      `${at('dry.out/b.glb')}  from ${at('dry/b.psk')}`,
      `${at('dry/x.psa')}  not converted: no model matches this animation`,
      '',
    ]);
    expect(existsSync(at('dry.out'))).toBe(false);
  });

  test('gives the same plan for any number of processes', () => {
    for (let k = 0; k < 30; k++) {
      const bones = ['root', `a${k % 7}`, `b${k % 7}`];
      put(`jobs/${k}.psk`, makePsk({ bones }));
      put(`jobs/anims/${k}.psa`, makePsa({ bones, sequences: [`Run${k}`] }));
    }
    const [one, ...others] = ['1', '2', '5'].map(jobs => rowsOf(at('jobs'), '-o', at('jobs.out'), '--dry-run', '--jobs', jobs));
    expect(one!.map(({ files }) => files.length).sort()).toContain(5);
    expect(others).toEqual([one, one]);
  });

  test('stops reading a file at the limits of time and memory, and continues with the next', () => {
    put('limits/a.psk', makePsk());
    put('limits/a.psa', makePsa());
    putHuge('limits/huge.psa', makePsa({ bones: ['p'] }).subarray(0, -64));
    const slow = rowsOf(at('limits'), '-o', at('limits.out'), '--timeout', '2');
    expect(slow.map(short)).toEqual(['a.glb', 'huge.psa TIME_LIMIT']);
    const large = rowsOf(at('limits'), '-o', at('limits.out2'), '--max-memory', '50000000');
    expect(large.map(short)).toEqual(['a.glb', 'huge.psa OUT_OF_MEMORY']);
  });

  test('detects an animation among models with the same extension', () => {
    put('mixed/a.psk', makePsa());
    put('mixed/b.psk', makePsk());
    const rows = rowsOf(at('mixed'), '-o', at('mixed.out'), '--dry-run');
    expect(rows.map(({ files }) => files.map(file => basename(file)))).toEqual([['b.psk', 'a.psk']]);
  });

  test('reads only the heads of models', () => {
    put('heads/a.psk', makePsk());
    putHuge('heads/huge.psk', makePsk());
    const rows = rowsOf(at('heads'), '-o', at('heads.out'), '--dry-run', '--max-memory', '1000000', '--timeout', '5');
    expect(rows.map(short)).toEqual(['a.glb', 'huge.glb']);
  });

  test('detects an animation from data after the head of the file', async () => {
    const many = Array.from({ length: 200 }, (_, k) => triangle(`part${k}`, 1, { vn: ['3v', Array.from({ length: 300 }, () => 0.5)] }));
    put('deep/rig.cast', castFile(model('m', ...many), node('anim', { fr: ['f', [30]] })));
    expect(readFileSync(at('deep/rig.cast')).length).toBeGreaterThan(2 ** 17);
    put('late/walk.cast', castFile(node('meta', { c: ['s', 'x'.repeat(2 ** 17)] }), node('anim', { fr: ['f', [30]] })));
    const head = new HeadOf(at('late/walk.cast'));
    expect((await probe(head, 'walk.cast')).role).toBe('animation');
    head.close();
    put('deep/a.psk', makePsk());
    expect(rowsOf(at('deep'), '-o', at('deep.out'), '--dry-run').map(short)).toEqual(['a.glb', 'rig.glb']);
  });

  test('gives the message of the loader for a glTF that it cannot read, and does not list the buffers of others', () => {
    put('gltf/old.gltf', '{"asset":{"version":"1.0"}}');
    put('gltf/tri.gltf', triangleGltf('tri.bin'));
    put('gltf/tri.bin', new Uint8Array(36));
    put('gltf/notes.bin', 'notes');
    const { files, ignored } = JSON.parse(rigcast(at('gltf'), '-o', at('gltf.out'), '--json').out) as {
      files: Row[];
      ignored: { file: string }[];
    };
    expect(files.map(({ error }, i) => error?.detail ?? short(files[i]!))).toEqual([
      'tri.glb',
      'the loader of three.js could not read it: Unsupported asset. glTF versions >=2.0 are supported.',
    ]);
    expect(ignored.map(({ file }) => basename(file))).toEqual(['notes.bin']);
    const { out } = rigcast(at('gltf/old.gltf'), '-o', at('old.cast'));
    expect(out).toContain('Nothing in old.gltf can be read (LOADER_FAILED: Unsupported asset.');
  });

  test('does not take the animations of a damaged model for those of another model', () => {
    const avatar = readFileSync(new URL('../../../web/src/viewer/demo/Lotl.vgo', import.meta.url));
    put('damaged/whole.vgo', avatar);
    put('damaged/half.vgo', avatar.subarray(0, avatar.length / 2));
    put('damaged/run.psa', makePsa());
    const rows = rowsOf(at('damaged'), '-o', at('damaged.out'), '--dry-run');
    expect(rows.map(({ files, error }) => [files.map(file => basename(file)), error?.detail])).toEqual([
      [['whole.vgo', 'run.psa'], undefined],
      [['half.vgo'], 'its meshes cannot be read; run rigcast validate for details'],
    ]);
  });

  test('is wrong usage for folders without models', () => {
    put('nothing/a.txt', 'x');
    expect(rigcast(at('nothing'), '-o', at('nothing.out'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no file with a supported extension/),
    });
  });
});

describe('--plan', () => {
  const words = (): string[] => [at('shards'), '-o', at('shards.out'), '--plan', at('plan.jsonl')];
  beforeAll(() => {
    for (let k = 0; k < 40; k++) put(`shards/${k}/m.psk`, makePsk({ bones: ['root', `bone${k}`] }));
    for (let k = 0; k < 40; k += 2) put(`shards/${k}/m.psa`, makePsa({ bones: ['root', `bone${k}`] }));
    put('shards/lone.psa', makePsa({ bones: ['x', 'y', 'z'] }));
    expect(rigcast(...words(), '--dry-run').code).toBe(1);
  });

  test('reads the plan instead of the files, so that a shard needs only its own files', () => {
    const rows = [1, 2, 3].map(k => rowsOf(...words(), '--shard', `${k}/3`, '--dry-run'));
    const mine = rows[1]!.flatMap(({ files }) => files);
    mkdirSync(at('aside'));
    for (const [k, path] of rows.flatMap(each => each.flatMap(({ files }) => files)).entries())
      if (!mine.includes(path)) linkSync(path, at('aside', `${k}`));
    for (const path of rows.flatMap(each => each.flatMap(({ files }) => files))) if (!mine.includes(path)) rmSync(path);
    const made = rowsOf(...words(), '--shard', '2/3');
    expect(made.map(({ out, error }) => [out, error?.code])).toEqual(rows[1]!.map(({ out, error }) => [out, error?.code]));
    // Every result, and every file without a result, belongs to one shard.
    const all = rows.flat().map(({ out, files }) => out ?? files[0]!);
    expect([all.length, new Set(all).size]).toEqual([41, 41]);
    expect(rows.map(each => each.length > 5)).toEqual([true, true, true]);
    for (const [k, path] of rows.flatMap(each => each.flatMap(({ files }) => files)).entries())
      if (!mine.includes(path)) linkSync(at('aside', `${k}`), path);
  });

  test('keeps the plan when files are added, and a new plan moves no file to another shard', () => {
    const of = (...more: string[]): string[][] =>
      [1, 2, 3].map(k =>
        rowsOf(at('shards'), '-o', at('shards.out'), '--shard', `${k}/3`, '--dry-run', ...more).map(({ out, files }) => out ?? files[0]!),
      );
    const before = of();
    put('shards/20b/m.psk', makePsk({ bones: ['root', 'new'] }));
    const after = of();
    expect(after.map((each, k) => each.filter(out => before[k]!.includes(out)))).toEqual(before);
    expect(after.flat()).toHaveLength(before.flat().length + 1);
    expect(of('--plan', at('plan.jsonl'))).toEqual(before);
    rmSync(at('shards/20b'), { recursive: true });
  });

  test('is refused for other files, options and versions, and if the plan is damaged', () => {
    const refused = (path: string, ...others: string[]): string => {
      const { code, err } = rigcast(...others, '--plan', path, '--dry-run');
      expect(code).toBe(2);
      return err;
    };
    expect(refused(at('plan.jsonl'), at('shards/1'), '-o', at('shards.out'))).toMatch(/^(?!.*damaged).*another command/s);
    expect(refused(at('plan.jsonl'), at('shards'), '-o', at('elsewhere'))).toMatch(/^(?!.*damaged).*another command/s);
    expect(refused(at('plan.jsonl'), at('shards'), '-o', at('shards.out'), '--to', 'cast')).toMatch(/^(?!.*damaged).*another command/s);
    expect(refused(at('plan.jsonl'), at('shards'), '-o', at('shards.out'), '--unreal.unit-scale', '1')).toMatch(
      /^(?!.*damaged).*another command/s,
    );
    put('cut.jsonl', readFileSync(at('plan.jsonl')).subarray(0, -9));
    expect(refused(at('cut.jsonl'), at('shards'), '-o', at('shards.out'))).toContain('is damaged');
    put('broken.jsonl', readFileSync(at('plan.jsonl'), 'utf8').replace('"files":[', '"files":'));
    expect(refused(at('broken.jsonl'), at('shards'), '-o', at('shards.out'))).toContain('is damaged');
    put('old.jsonl', readFileSync(at('plan.jsonl'), 'utf8').replace('"version":"', '"version":"0.'));
    expect(refused(at('old.jsonl'), at('shards'), '-o', at('shards.out'))).toContain('another version');
    expect(rigcast(at('shards'), '-o', at('shards.out'), '--plan', at('gone/plan.jsonl')).err).toContain('the plan cannot be written');
  });

  test('uses the plan of the process that was first', () => {
    const head = { version: '1', words: ['in'], out: 'out', to: 'glb', open: {} };
    const made = (name: string): Plan => ({
      results: [{ out: `${name}.glb`, files: [name], place: name }],
      left: [{ file: `${name}.psa`, place: name, code: 'CLIP_UNMATCHED', detail: 'no model' }],
      ignored: [{ file: `${name}.bin`, reason: 'unknown contents' }],
    });
    expect(writePlan(at('race.jsonl'), head, made('a'), 'x')).toEqual(made('a'));
    expect(writePlan(at('race.jsonl'), head, made('b'), 'y')).toEqual(made('a'));
    expect(readPlan(at('race.jsonl'), head)).toEqual(made('a'));
    expect(readdirSync(folder).filter(name => name.startsWith('race'))).toEqual(['race.jsonl']);
  });

  test('is refused before planning if its folder does not exist, or if its path is a folder', async () => {
    const make = vi.fn();
    const head = { version: '1', words: [], out: '', to: 'glb', open: {} };
    await expect(planOf(at('gone/plan'), head, make)).rejects.toThrow(
      `the plan cannot be written: the folder ${at('gone')} does not exist`,
    );
    await expect(planOf(folder, head, make)).rejects.toThrow(`the plan cannot be read: ${folder} is a folder`);
    expect(make).not.toHaveBeenCalled();
  });

  test('is read in blocks, which can end within a line or a character', () => {
    const head = { version: '1', words: ['in'], out: 'out', to: 'glb', open: {} };
    const name = (i: number): string => `\ufeff${'模型'.repeat(50)}${'x'.repeat(i % 7)}${i}`;
    const results = Array.from({ length: 8000 }, (_, i) => ({ out: `${name(i)}.glb`, files: [name(i)], place: name(i) }));
    const made: Plan = { results, left: [], ignored: [] };
    writePlan(at('blocks.jsonl'), head, made, 'x');
    expect(statSync(at('blocks.jsonl')).size).toBeGreaterThan(5 * 2 ** 20);
    expect(readPlan(at('blocks.jsonl'), head)).toEqual(made);
  });

  test('is rejected if it is empty or its last line is cut off', () => {
    const head = { version: '1', words: ['in'], out: 'out', to: 'glb', open: {} };
    for (const [text, detail] of [
      ['', 'it is empty'],
      [JSON.stringify(head), 'the last line is cut off'],
      [`${JSON.stringify(head)}\n{}`, 'the last line is cut off'],
    ] as const) {
      writeFileSync(at('cut.jsonl'), text);
      expect(() => readPlan(at('cut.jsonl'), head)).toThrow(`damaged (${detail})`);
    }
  });

  test('leaves no temporary file', () => {
    expect(readdirSync(folder).filter(name => name.includes('plan.jsonl'))).toEqual(['plan.jsonl']);
  });
});

describe('names of results', () => {
  test('are unique: two results never get the same name', () => {
    put('names/A.psk', makePsk());
    put('names/a.psk', makePsk({ side: 3 }));
    put('names/a.psk_2.psk', makePsk({ side: 4 }));
    const rows = rowsOf(at('names'), '-o', at('names.out'));
    expect(rows.map(short)).toEqual(['A.psk.glb', 'a.psk_3.glb', 'a.psk_2.glb']);
    expect(readdirSync(at('names.out'))).toHaveLength(3);
  });

  test('are unique in folders that are the same through links', () => {
    for (const name of ['one', 'two']) put(`linked/${name}/m.psk`, makePsk());
    mkdirSync(at('linked.out/one'), { recursive: true });
    symlinkSync(at('linked.out/one'), at('linked.out/two'));
    expect(rowsOf(at('linked'), '-o', at('linked.out')).map(short)).toEqual(['m.psk.glb', 'm.psk_2.glb']);
    expect(readdirSync(at('linked.out/one')).sort()).toEqual(['m.psk.glb', 'm.psk_2.glb']);
  });

  test('are shortened if names of model and animation are too long for one file name', () => {
    const long = '漢'.repeat(120);
    const bones = node(
      'skel',
      {},
      node('bone', { n: ['s', 'root'], p: ['i', [0xffffffff]], lp: ['3v', [0, 0, 0]], lr: ['4v', [0, 0, 0, 1]] }),
    );
    const curve = node('curv', { nn: ['s', 'root'], kp: ['s', 'tx'], kb: ['b', [0, 1]], kv: ['f', [0, 1]], m: ['s', 'absolute'] });
    put(
      'long/m.cast',
      castFile(model('m', bones, triangle('t')), ...[1, 2].map(k => node('anim', { n: ['s', `${long}${k}`], fr: ['f', [30]] }, curve))),
    );
    put(`long/${'n'.repeat(245)}.psk`, makePsk());
    for (const words of [['--split'], ['--to', 'se']]) {
      const rows = rowsOf(at('long'), '-o', at(`long${words.length}.out`), ...words);
      expect(rows.map(({ error }) => error)).toEqual([undefined, undefined]);
      const names = readdirSync(at(`long${words.length}.out`));
      expect(names.filter(name => name.startsWith(`m_${'漢'.repeat(30)}`))).toHaveLength(2);
      expect(names.filter(name => name.startsWith('nnn'))).toHaveLength(1);
    }
  });
});

describe('an obstacle', () => {
  test('to a result is explained, and the next result is converted', () => {
    put('way/a.psk', makePsk());
    put('way/b.psk', makePsk());
    mkdirSync(at('way.out/a.glb'), { recursive: true });
    const { code, out } = rigcast(at('way'), '-o', at('way.out'), '--json');
    expect([code, (JSON.parse(out) as { files: Row[] }).files.map(({ error }) => error)]).toEqual([
      2,
      [{ code: 'IO_ERROR', detail: `${at('way.out/a.glb')} is a folder; choose another name for the result` }, undefined],
    ]);
    expect(readdirSync(at('way.out')).sort()).toEqual(['a.glb', 'b.glb']);
  });

  test('files beside a result with other contents are replaced with a note, once', () => {
    put('beside/a.psk', makePsk());
    put('beside.out/a.bin', 'mine');
    put('beside.out/a.gltf', 'mine');
    const codes = (): string[] => rowsOf(at('beside'), '-o', at('beside.out'), '--to', 'gltf')[0]!.ledger.map(({ code }) => code);
    const usual = ['NORMALS_COMPUTED', 'TEXTURES_NONE'];
    expect([codes(), codes()]).toEqual([[...usual, 'FILE_REPLACED'], usual]);
  });
});

describe.skipIf(process.platform === 'win32')('links, pipes and devices', () => {
  beforeAll(() => {
    put('store/real.psk', makePsk());
    put('store/more/other.psk', makePsk());
    mkdirSync(at('odd'));
    put('odd/a.psk', makePsk());
    symlinkSync(at('store/real.psk'), at('odd/linked.psk'));
    symlinkSync(at('gone.psk'), at('odd/broken.psk'));
    symlinkSync(at('store/more'), at('odd/folder'));
    symlinkSync('/dev/zero', at('odd/zero.psk'));
    symlinkSync(at('gone.txt'), at('odd/notes.txt'));
    expect(spawnSync('mkfifo', [at('odd/pipe.psk')]).status).toBe(0);
  });

  test('in a folder: links to files are followed and reported, everything else is a row with a reason', () => {
    const rows = rowsOf(at('odd'), '-o', at('odd.out'));
    expect(rows.map(row => [short(row), row.error?.detail])).toEqual([
      ['a.glb', undefined],
      ['linked.glb', undefined],
      ['broken.psk IO_ERROR', `a broken link to ${at('gone.psk')}`],
      ['folder NOT_CONVERTED', 'a link to a folder, which is not followed; give the folder itself'],
      ['pipe.psk IO_ERROR', 'a pipe, not a file'],
      ['zero.psk IO_ERROR', 'a device, not a file'],
    ]);
    expect(rows[1]!.ledger.filter(({ code }) => code === 'LINK_FOLLOWED')).toEqual([
      { code: 'LINK_FOLLOWED', path: at('odd/linked.psk'), amount: 1, detail: at('store/real.psk') },
    ]);
    expect(rows[0]!.ledger.map(({ code }) => code)).toEqual(['NORMALS_COMPUTED', 'TEXTURES_NONE']);
  });

  test('given on the command line are refused immediately', () => {
    for (const name of ['pipe.psk', 'zero.psk']) {
      expect(rowsOf(at('odd', name), '-o', at('named.glb'))[0]!.error).toEqual({
        code: 'IO_ERROR',
        detail: expect.stringMatching(/: a \w+, not a file/) as string,
      });
      expect(rowsOf(at('odd', name), at('odd/a.psk'), '-o', at('named.out')).map(short)).toEqual(['a.glb', `${name} IO_ERROR`]);
    }
    expect(rowsOf(at('odd/linked.psk'), '-o', at('named.glb'))[0]!.ledger.map(({ code }) => code)).toContain('LINK_FOLLOWED');
  });
});

test('lists a folder once per process, for any number of models', async () => {
  put('listed/a.psk', '');
  put(
    'listed/A_D.tga',
    tga(1, 1, () => [1, 2, 3, 255]),
  );
  const ask = (name: string): FolderImages => new FolderImages([at('listed')], [at('listed', name)], at('listed.out'));
  expect(ask('a.psk').names).toEqual(['A_D.tga']);
  put('listed/B_D.tga', 'later');
  expect([ask('b.psk').names, await ask('b.psk').image('B_D')]).toEqual([['A_D.tga'], null]);
  // The index is cached per list object, so a copy of the list per model would be indexed again.
  expect(ask('b.psk').beside).toBe(ask('a.psk').beside);
  expect(ask('a.psk').beside).toEqual(['A_D.tga']);
});
