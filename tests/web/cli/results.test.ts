// Files of a result on disk: all or none, and never in place of files of another run or model.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isUnchanged } from '../../../web/src/cli/reading.ts';
import { type ResultFile, UnwritableError, writeResult } from '../../../web/src/cli/results.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
const file = (name: string, text: string): ResultFile => ({
  name,
  *pieces() {
    yield new TextEncoder().encode(text);
  },
});
const broken = (name: string, then: () => void = () => {}): ResultFile => ({
  name,
  *pieces() {
    yield new Uint8Array(10);
    then();
    throw new Error('broken');
  },
});
const plain = { isShared: (name: string) => name.endsWith('.mat'), isStrict: false };
const all = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map(name => [name, readFileSync(at(name), 'utf8')]),
  );

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'rigcast-results-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the files of a result', () => {
  test('are written, and their lengths, times and hashes are returned', () => {
    const { byteLength, states, replaced, left } = writeResult(folder, [file('a.gltf', 'main'), file('a.bin', 'numbers')], plain);
    expect([all(), byteLength, replaced, left]).toEqual([{ 'a.bin': 'numbers', 'a.gltf': 'main' }, 11, [], []]);
    expect(states.map(({ path, byteLength: size }) => [path, size])).toEqual([
      [at('a.bin'), 7],
      [at('a.gltf'), 4],
    ]);
    expect(states.map(isUnchanged)).toEqual([true, true]);
    writeFileSync(at('a.gltf'), 'niam');
    expect(states.map(isUnchanged)).toEqual([true, false]);
  });

  test('are not written if one of them fails, and existing files stay', () => {
    writeFileSync(at('a.bin'), 'before');
    expect(() => writeResult(folder, [broken('a.gltf'), file('a.bin', 'numbers')], plain)).toThrow('broken');
    expect(() => writeResult(folder, [file('a.gltf', 'main'), broken('a.bin')], plain)).toThrow('broken');
    expect(all()).toEqual({ 'a.bin': 'before' });
  });

  test('are removed if one cannot be renamed', () => {
    const blocked: ResultFile = {
      name: 'a.gltf',
      *pieces() {
        yield new Uint8Array(1);
        mkdirSync(at('a.gltf')); // after the check whether the name is free
      },
    };
    expect(() => writeResult(folder, [blocked, file('a.bin', 'numbers'), file('m.mat', 'x')], plain)).toThrow();
    expect(readdirSync(folder)).toEqual(['a.gltf']);
  });

  test('are not written if a folder has the name of one', () => {
    mkdirSync(at('a.bin'));
    expect(() => writeResult(folder, [file('a.gltf', 'main'), file('a.bin', 'numbers')], plain)).toThrow(UnwritableError);
    expect(() => writeResult(folder, [file('a.gltf', 'main'), file('a.bin', 'numbers')], plain)).toThrow('a.bin is a folder');
    expect(readdirSync(folder)).toEqual(['a.bin']);
  });

  test('are renamed when all are written, the main file last', () => {
    const seen: string[][] = [];
    const watched = (name: string): ResultFile => ({
      name,
      *pieces() {
        seen.push(readdirSync(folder).filter(other => !other.endsWith('.part')));
        yield new Uint8Array(1);
      },
    });
    const { states } = writeResult(folder, [watched('a.gltf'), watched('a.bin'), watched('b.png')], plain);
    expect(seen).toEqual([[], [], []]);
    expect(states.at(-1)!.path).toBe(at('a.gltf'));
  });

  test('report the files that they replace', () => {
    for (const name of ['a.gltf', 'a.bin', 'a_x.png']) writeFileSync(at(name), 'old');
    const { replaced } = writeResult(folder, [file('a.gltf', 'new'), file('a.bin', 'new'), file('a_x.png', 'old')], plain);
    expect([replaced, all()]).toEqual([['a.bin'], { 'a.bin': 'new', 'a.gltf': 'new', 'a_x.png': 'old' }]);
  });

  test('that results share are written once; an existing one with other contents stays, and with strict nothing is written', () => {
    expect(writeResult(folder, [file('a.psk', '1'), file('m.mat', 'Diffuse=A')], plain).left).toEqual([]);
    expect(writeResult(folder, [file('b.psk', '2'), file('m.mat', 'Diffuse=A')], plain).left).toEqual([]);
    expect(writeResult(folder, [file('c.psk', '3'), file('m.mat', 'Diffuse=B')], plain).left).toEqual(['m.mat']);
    const strict = writeResult(folder, [file('d.psk', '4'), file('n.mat', 'new'), file('m.mat', 'Diffuse=B')], {
      ...plain,
      isStrict: true,
    });
    expect([strict.left, strict.states]).toEqual([['m.mat'], []]);
    expect(all()).toEqual({ 'a.psk': '1', 'b.psk': '2', 'c.psk': '3', 'm.mat': 'Diffuse=A' });
  });

  test('may have the longest name that the file system supports', () => {
    const name = `${'n'.repeat(251)}.glb`;
    writeResult(folder, [file(name, 'long')], plain);
    expect(all()).toEqual({ [name]: 'long' });
    expect(() => writeResult(folder, [file(`n${name}`, 'longer'), file('n.bin', 'x')], plain)).toThrow('ENAMETOOLONG');
    expect(Object.keys(all())).toEqual([name]);
  });
});

describe('temporary files', () => {
  test('have short random names', () => {
    const names: string[] = [];
    const watched: ResultFile = {
      name: `${'long'.repeat(50)}.glb`,
      *pieces() {
        yield new Uint8Array(1);
        names.push(...readdirSync(folder).filter(name => name.endsWith('.part')));
      },
    };
    for (let k = 0; k < 3; k++) writeResult(folder, [watched], plain);
    expect(names.map(name => /^\.rigcast-[0-9a-z]{12}\.part$/.test(name))).toEqual([true, true, true]);
    expect(new Set(names).size).toBe(3);
  });

  test('of other runs are removed after a day, not before', () => {
    const hour = 60 * 60;
    for (const [name, age] of [
      ['.rigcast-0123456789ab.part', 25],
      ['.rigcast-ab0123456789.part', 23],
      ['.other.1.part', 99],
    ] as const) {
      writeFileSync(at(name), 'x');
      utimesSync(at(name), Date.now() / 1000 - age * hour, Date.now() / 1000 - age * hour);
    }
    writeResult(folder, [file('a.glb', 'x')], plain);
    expect(readdirSync(folder).sort()).toEqual(['.other.1.part', '.rigcast-ab0123456789.part', 'a.glb']);
    expect(existsSync(at('a.glb'))).toBe(true);
  });
});
