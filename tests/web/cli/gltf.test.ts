// `rigcast pose` of a .gltf: the same output as for the GLB with the same content. Buffers are read
// only from below the folder of the file.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinedGltf } from '../../../web/src/interop/joinedGltf.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';

let dist: string;
let folder: string;
let expected: unknown;
const at = (...names: string[]): string => join(folder, ...names);

function run(...words: string[]): { code: number | null; out: string } {
  const { status, stdout } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), ...words], { encoding: 'utf8', maxBuffer: 2 ** 27 });
  return { code: status, out: stdout };
}

const posed = (path: string): unknown => (JSON.parse(run('pose', path, '--frame', '2', '--json').out) as { poses: unknown }).poses;

interface Json {
  buffers: { uri?: string; byteLength: number }[];
  bufferViews: { buffer: number; byteOffset?: number; byteLength: number }[];
}

const jsonOf = (): Json => JSON.parse(readFileSync(at('made/hero.gltf'), 'utf8')) as Json;

function put(name: string, json: Json): string {
  mkdirSync(at(name), { recursive: true });
  cpSync(at('made/hero.bin'), at(name, 'hero.bin'));
  writeFileSync(at(name, 'hero.gltf'), JSON.stringify(json));
  return at(name, 'hero.gltf');
}

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-gltf-'));
  mkdirSync(at('in'));
  writeFileSync(at('in/hero.psk'), makePsk({ side: 12 }));
  writeFileSync(at('in/hero.psa'), makePsa());
  for (const out of [['made/hero.gltf'], ['made/hero.glb'], ['packed/hero.gltf', '--meshopt']])
    expect(run('convert', at('in/hero.psk'), at('in/hero.psa'), '-o', at(out[0]!), ...out.slice(1)).code).toBe(0);
  expected = posed(at('made/hero.glb'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('pose prints the same for a .gltf as for the GLB', () => {
  test('as convert writes it, compressed or not', () => {
    expect((expected as { nodes: { name: string }[] }[])[0]!.nodes.some(({ name }) => name === 'arm')).toBe(true);
    expect(posed(at('made/hero.gltf'))).toEqual(expected);
    expect(posed(at('packed/hero.gltf'))).toEqual(expected);
  });

  test('with an embedded buffer, a buffer in a subfolder, and a percent-encoded name', () => {
    const json = jsonOf();
    const [buffer] = json.buffers;
    const data = readFileSync(at('made/hero.bin')).toString('base64');
    expect(posed(put('inside', { ...json, buffers: [{ ...buffer!, uri: `data:application/octet-stream;base64,${data}` }] }))).toEqual(
      expected,
    );
    mkdirSync(at('below/parts'), { recursive: true });
    cpSync(at('made/hero.bin'), at('below/parts/a b#.bin'));
    expect(posed(put('below', { ...json, buffers: [{ ...buffer!, uri: 'parts/a%20b%23.bin' }] }))).toEqual(expected);
  });

  test('with several buffers', () => {
    const json = jsonOf();
    const all = readFileSync(at('made/hero.bin'));
    const [first, ...views] = json.bufferViews;
    const start = first!.byteLength;
    const path = put('several', {
      ...json,
      buffers: [
        { uri: 'b.bin', byteLength: all.length - start },
        { uri: 'a.bin', byteLength: start },
      ],
      bufferViews: [
        { ...first!, buffer: 1, byteOffset: 0 },
        ...views.map(view => ({ ...view, buffer: 0, byteOffset: (view.byteOffset ?? 0) - start })),
      ],
    });
    writeFileSync(at('several/a.bin'), all.subarray(0, start));
    writeFileSync(at('several/b.bin'), all.subarray(start));
    expect(posed(path)).toEqual(expected);
  });
});

test('with many buffers of one file, which is read once', async () => {
  const buffers = Array.from({ length: 1000 }, () => ({ uri: 'a.bin', byteLength: 100 }));
  const bufferViews = buffers.map((_, buffer) => ({ buffer, byteOffset: 8, byteLength: 4 }));
  let reads = 0;
  const glb = await joinedGltf(new TextEncoder().encode(JSON.stringify({ buffers, bufferViews })), () => {
    reads++;
    return new Uint8Array(100);
  });
  expect(reads).toBe(1);
  expect(glb.length).toBeLessThan(1000 * 100);
});

describe('pose refuses a .gltf with a reason', () => {
  const refused = (name: string, uri: string | undefined, byteLength = jsonOf().buffers[0]!.byteLength): string => {
    const { code, out } = run('pose', put(name, { ...jsonOf(), buffers: [{ ...(uri !== undefined && { uri }), byteLength }] }));
    expect(code).toBe(1);
    return out;
  };

  test.each([
    '../made/hero.bin',
    '/etc/hostname',
    'https://example.com/hero.bin',
    'file:///etc/hostname',
    'gone.bin',
    '..\\made\\hero.bin',
    '%2e%2e/made/hero.bin',
  ])('if its buffer is not below its folder: %s', uri =>
    expect(refused('out', uri)).toContain(`the buffer "${uri}" was not found in the folder of the file`),
  );

  test.skipIf(process.platform === 'win32')('if a link leaves its folder', () => {
    mkdirSync(at('link'), { recursive: true });
    symlinkSync(at('made/hero.bin'), at('link/linked.bin'));
    expect(refused('link', 'linked.bin')).toContain('was not found in the folder of the file');
  });

  test('if its buffer is too short, has no URI, or its JSON is damaged', () => {
    expect(refused('short', 'hero.bin', 10_000_000)).toMatch(/the buffer "hero\.bin" has \d+ of 10000000 bytes/);
    expect(refused('none', undefined)).toContain('the buffer without a URI was not found');
    mkdirSync(at('damaged'));
    writeFileSync(at('damaged/hero.gltf'), '{"asset":');
    expect(run('pose', at('damaged/hero.gltf')).code).toBe(1);
  });
});
