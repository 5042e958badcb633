// `--resume` keeps a result that a new conversion would reproduce, and converts all others again.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ReportFile, type ReportRow, readReports } from '../../../web/src/cli/reportFile.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { tga } from '../../support/images.ts';

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

interface Row {
  out: string;
  isKept?: true;
}

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), 'convert', ...words], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** Runs with --resume. Returns true for each result that was kept. */
function kept(...words: string[]): boolean[] {
  const { code, out, err } = rigcast(...words, '--resume', '--json');
  expect([code, err]).toEqual([0, '']);
  return (JSON.parse(out) as { files: Row[] }).files.map(({ isKept }) => isKept === true);
}

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-resume-'));
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Creates a model with an animation, a companion file of the animation, a material file and a
 * texture.
 */
function putHero(name: string): void {
  const bones = ['root', `arm of ${name}`]; // differs per case, so that no animation matches the model of another case
  mkdirSync(at(name), { recursive: true });
  writeFileSync(at(name, 'hero.psk'), makePsk({ bones }));
  writeFileSync(at(name, 'hero.psa'), makePsa({ bones }));
  writeFileSync(at(name, 'hero.config'), '[RemoveTracks]\nRun.0=trans\n');
  writeFileSync(at(name, 'Skin.mat'), 'Diffuse=Skin_D\n');
  writeFileSync(
    at(name, 'Skin_D.tga'),
    tga(2, 2, () => [1, 2, 3, 255]),
  );
}

/** Converts the model with --ledger. */
function converted(name: string): string[] {
  putHero(`${name}/in`);
  const words = [at(name, 'in'), '-o', at(name, 'out'), '--to', 'gltf', '--ledger', at(name, 'ledger.jsonl')];
  expect(rigcast(...words).code).toBe(0);
  expect(kept(...words)).toEqual([true]);
  return words;
}

describe('--resume converts a result again if', () => {
  const CHANGES: Record<string, (source: string, out: string) => void> = {
    'its model is another one of the same size': source =>
      writeFileSync(join(source, 'hero.psk'), readFileSync(join(source, 'hero.psk')).fill(9, 64, 65)),
    'its model is longer': source => appendFileSync(join(source, 'hero.psk'), 'more'),
    'its animation is another one': source =>
      writeFileSync(
        join(source, 'hero.psa'),
        readFileSync(join(source, 'hero.psa')).map((byte, i, all) => (i === all.length - 8 ? 64 : byte)),
      ),
    'a companion of its animation is another one': source => writeFileSync(join(source, 'hero.config'), '[RemoveTracks]\nRun.1=trans\n'),
    'its material file is another one': source => writeFileSync(join(source, 'Skin.mat'), 'Diffuse=Skin_E\n'),
    'its texture is another one': source =>
      writeFileSync(
        join(source, 'Skin_D.tga'),
        tga(2, 2, () => [9, 2, 3, 255]),
      ),
    'a source is gone': source => rmSync(join(source, 'Skin_D.tga')),
    'it is cut off': (_, out) => writeFileSync(join(out, 'hero.gltf'), readFileSync(join(out, 'hero.gltf')).subarray(0, 100)),
    'a byte of it is another one': (_, out) => writeFileSync(join(out, 'hero.bin'), readFileSync(join(out, 'hero.bin')).fill(7, 0, 1)),
    'a file beside it is gone': (_, out) => rmSync(join(out, 'hero_Skin_D.png')),
    'nothing is known of it': (_, out) => changeLine(out, () => ''),
    'its line in the ledger is cut off': (_, out) => changeLine(out, line => `${line.slice(0, 50)}\n`),
    'it was made by another version': (_, out) => changeLine(out, line => `${line.replace('"key":"', '"key":"0')}\n`),
  };
  const names = Object.keys(CHANGES);
  const again: string[] = [];
  const lines = (): string[] => readFileSync(at('changes.jsonl'), 'utf8').split('\n');
  const changeLine = (out: string, change: (line: string) => string): void =>
    writeFileSync(
      at('changes.jsonl'),
      lines()
        .map(line => (line.includes(JSON.stringify(join(out, 'hero.gltf'))) ? change(line) : line && `${line}\n`))
        .join(''),
    );

  beforeAll(() => {
    for (const name of [...names, 'nothing is changed', 'only times are']) putHero(`changes/${name}`);
    const words = [at('changes'), '-o', at('changed'), '--to', 'gltf', '--ledger', at('changes.jsonl')];
    expect(rigcast(...words).code).toBe(0);
    expect(kept(...words)).not.toContain(false);
    for (const name of names) CHANGES[name]!(at('changes', name), at('changed', name));
    const later = (path: string): void => utimesSync(path, 1, 1);
    for (const name of ['hero.psk', 'Skin_D.tga']) later(at('changes/only times are', name));
    for (const name of ['hero.gltf', 'hero.bin']) later(at('changed/only times are', name));
    const { files } = JSON.parse(rigcast(...words, '--resume', '--json').out) as { files: Row[] };
    again.push(...files.filter(({ isKept }) => !isKept).map(({ out }) => basename(dirname(out))));
    expect(kept(...words)).not.toContain(false);
  }, 60_000);

  test.each(names)('%s', name => expect(again).toContain(name));

  test('and in no other case', () => expect(again.toSorted()).toEqual(names.toSorted()));

  test('the options differ', () => {
    const words = converted('options');
    expect(kept(...words, '--tolerance', '5')).toEqual([false]);
    expect(kept(...words, '--tolerance', '5')).toEqual([true]);
    expect(kept(...words, '--unreal.unit-scale', '1')).toEqual([false]);
    expect(kept(...words, '--clip', 'Run')).toEqual([false]);
    expect(kept(...words)).toEqual([false]);
  });
});

describe('without --ledger', () => {
  test('--resume writes a report into the folder of the results, and converts results that the report does not contain', () => {
    mkdirSync(at('own/in'), { recursive: true });
    writeFileSync(at('own/in/a.psk'), makePsk());
    writeFileSync(at('own/in/b.psk'), makePsk());
    const words = [at('own/in'), '-o', at('own/out')];
    expect(rigcast(...words).code).toBe(0);
    expect(readdirSync(at('own/out'))).toEqual(['a.glb', 'b.glb']);
    expect(kept(...words)).toEqual([false, false]);
    expect(kept(...words)).toEqual([true, true]);
    expect(readdirSync(at('own/out'))).toEqual(['a.glb', 'b.glb', 'rigcast-ledger.jsonl']);
    const single = [at('own/in/a.psk'), '-o', at('own/single.glb')];
    expect([kept(...single), kept(...single)]).toEqual([[false], [true]]);
    expect(existsSync(at('own/single.glb.ledger.jsonl'))).toBe(true);
  });

  test('--resume reads the reports of other shards', () => {
    mkdirSync(at('parts/in'), { recursive: true });
    for (let k = 0; k < 12; k++) writeFileSync(at(`parts/in/${k}.psk`), makePsk());
    const words = [at('parts/in'), '-o', at('parts/out')];
    const first = [1, 2, 3].flatMap(k => kept(...words, '--shard', `${k}/3`));
    expect(first).toEqual(Array.from({ length: 12 }, () => false));
    expect(kept(...words)).toEqual(Array.from({ length: 12 }, () => true));
    expect([1, 2].flatMap(k => kept(...words, '--shard', `${k}/2`))).toEqual(Array.from({ length: 12 }, () => true));
  });
});

test('continues a report whose last line was cut off', () => {
  mkdirSync(at('cut/in'), { recursive: true });
  for (const name of ['a', 'b']) writeFileSync(at(`cut/in/${name}.psk`), makePsk());
  const words = [at('cut/in'), '-o', at('cut/out'), '--ledger', at('cut/l.jsonl')];
  writeFileSync(at('cut/l.jsonl'), '{"out":"half of a li');
  expect(kept(...words)).toEqual([false, false]);
  expect(
    readFileSync(at('cut/l.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => (JSON.parse(line) as Row).out),
  ).toEqual([at('cut/out/a.glb'), at('cut/out/b.glb')]);
});

test.skipIf(process.platform === 'win32')('reports a full disk for the report, and keeps the results', () => {
  mkdirSync(at('full/in'), { recursive: true });
  for (let k = 10; k < 40; k++) writeFileSync(at(`full/in/${k}.psk`), makePsk());
  const words = [join(dist, 'cli/main.js'), 'convert', at('full/in'), '-o', at('full/out'), '--ledger', at('full/l.jsonl'), '--json'];
  // Limits the file size, so that the report exceeds the limit and the results do not.
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -f 16; exec '${process.execPath}' ${words.map(word => `'${word}'`).join(' ')}`],
    { encoding: 'utf8' },
  );
  expect((JSON.parse(stdout) as { files: Row[] }).files).toHaveLength(30);
  expect(readdirSync(at('full/out'))).toHaveLength(30);
  expect(stderr).toMatch(/^rigcast: the conversion report is incomplete: EFBIG[^\n]*--resume[^\n]*\n$/);
  expect([status, readdirSync(at('full'))]).toEqual([2, ['in', 'l.jsonl', 'out']]);
  const again = kept(at('full/in'), '-o', at('full/out'), '--ledger', at('full/l.jsonl'));
  expect([again.length, again.includes(true), again.includes(false)]).toEqual([30, true, true]);
});

test('reads and writes a report in blocks, and ignores lines that were cut off', () => {
  const rowOf = (i: number): ReportRow => ({ out: `${'模型'.repeat(60)}${i}`, files: ['a'.repeat(i % 9)], byteLength: i, ledger: [] });
  const rows = Array.from({ length: 6000 }, (_, i) => rowOf(i));
  const path = at('blocks.jsonl');
  new ReportFile(path, false).finish(rows);
  expect(statSync(path).size).toBeGreaterThan(2 * 2 ** 20);
  expect([...readReports([path]).values()]).toEqual(rows);
  truncateSync(path, statSync(path).size - 5);
  expect(readReports([path]).size).toBe(rows.length - 1);
  new ReportFile(path, true).add(rowOf(7000));
  expect([...readReports([path]).values()]).toEqual([...rows.slice(0, -1), rowOf(7000)]);
});

test('fails before the first conversion if the report cannot be written', () => {
  mkdirSync(at('nowhere/in'), { recursive: true });
  cpSync(at('full/in/10.psk'), at('nowhere/in/a.psk'));
  const { code, err } = rigcast(at('nowhere/in'), '-o', at('nowhere/out'), '--ledger', at('nowhere/gone/l.jsonl'));
  expect([code, err, existsSync(at('nowhere/out'))]).toEqual([
    2,
    expect.stringMatching(/^rigcast: the conversion report cannot be written: the folder .*gone does not exist\n$/) as string,
    false,
  ]);
});
