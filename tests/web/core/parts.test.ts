// rigcast.wasm in pieces: what a file needs of it, and that nothing else comes of a file than by the whole.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { instantiate } from '../../../web/src/core/glue.ts';
import { flowOfBytes, type Flow } from '../../../web/src/core/flow.ts';
import { runJob, type Job, type RawResult } from '../../../web/src/core/instance.ts';
import { compileWasm, configure, formats, open, prepare } from '../../../web/src/core/index.ts';
import { partFor, type Part, type Wasm } from '../../../web/src/core/parts.ts';
import { holds, spliced } from '../../../web/src/core/splice.ts';
import { wasmFrom } from '../../../web/src/core/wasm.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pieceOf = (name: string): URL => new URL(`../../../web/src/core/wasm/${name}.wasm`, import.meta.url);
const whole = pieceOf('rigcast');

const jobOf = (name: string, task: Job['task'] = 'scene', format = ''): Job => ({
  task,
  name,
  format,
  options: '{}',
  strict: false,
  tangents: true,
  maxMemory: 0,
  maxWork: 0,
  supplied: [],
});

/** The pieces, of which those that are asked for are noted. */
function watched(): Wasm & { asked: Part[] } {
  const wasm = wasmFrom();
  const asked: Part[] = [];
  return { first: wasm.first, asked, with: name => (asked.push(name), wasm.with(name)) };
}

async function read(bytes: Uint8Array | Flow, job: Job): Promise<{ asked: Part[]; result: RawResult }> {
  const wasm = watched();
  const result = await runJob(wasm, job, bytes instanceof Uint8Array ? flowOfBytes(bytes) : bytes);
  return { asked: wasm.asked, result };
}

const formatOf = ({ text }: RawResult): string => (JSON.parse(text) as { format: string }).format;

const expected: Record<string, Part> = {
  cast: 'cast',
  psk: 'unreal',
  psa: 'unreal',
  mrtk: 'mrtk',
  vgo: 'vgo',
  semodel: 'se',
  seanim: 'se',
};

test('names tell the parts as the core does, and no more than it', async () => {
  const glue = await instantiate(await compileWasm());
  const list = JSON.parse(glue.formats()) as { id: string; part: Part; extensions: string[] }[];
  expect(Object.fromEntries(list.map(({ id, part }) => [id, part]))).toEqual(expected);
  for (const { id, part, extensions } of list) {
    expect(partFor(id)).toBe(part);
    for (const extension of extensions) expect(partFor(`a.b.${extension.toUpperCase()}`)).toBe(extension === 'bin' ? undefined : part);
  }
  for (const name of ['', 'psk.zip', 'constructor', '__proto__', 'a.toString']) expect(partFor(name)).toBeUndefined();
  expect(Object.keys((await formats())[0]!)).toEqual(['id', 'label', 'extensions']);
});

describe('by the core and one part', () => {
  const files = [
    ...['Tock.cast', 'Isle.cast', 'Pip.psk', 'Pip.psa', 'Lotl.vgo', 'wavingHands.bin'].map(name => join('web/src/viewer/demo', name)),
    ...readdirSync(join(root, 'tests/data'), { recursive: true, encoding: 'utf8' })
      .filter(path => /\.(cast|pskx?|psa|vgo|bin|semodel|seanim)$/.test(path))
      .map(path => join('tests/data', path)),
  ];

  test.each(files)('%s gives what the whole gives, bit by bit', async path => {
    const bytes = readFileSync(join(root, path));
    for (const task of ['scene', 'outline'] as const) {
      const { asked, result } = await read(bytes, jobOf(basename(path), task));
      const all = await runJob(wasmFrom(whole), jobOf(basename(path), task), flowOfBytes(bytes));
      expect(result.text).toBe(all.text);
      expect(result.blocks.map(block => Buffer.from(block))).toEqual(all.blocks.map(block => Buffer.from(block)));
      const format = formatOf(result);
      expect(asked).toEqual(format ? [expected[format]] : []);
    }
  });
});

describe('the content decides', () => {
  const psk = makePsk();

  test('whatever the name says, or the pieces in which it comes', async () => {
    const misnamed = await read(psk, jobOf('hero.cast'));
    expect([formatOf(misnamed.result), misnamed.asked]).toEqual(['psk', ['unreal']]);
    const flow = { ...flowOfBytes(psk), byteLength: null, isWhole: false, pieces: Array.from(psk, (_, i) => psk.subarray(i, i + 1)) };
    const byteByByte = await read(flow, jobOf('hero.cast'));
    expect([formatOf(byteByByte.result), byteByByte.asked]).toEqual(['psk', ['unreal']]);
    expect(byteByByte.result.text).toBe(misnamed.result.text);
  });

  test('but what somebody demands', async () => {
    const { asked, result } = await read(psk, jobOf('hero.psk', 'scene', 'vgo'));
    expect([formatOf(result), asked]).toEqual(['vgo', ['vgo']]);
    const empty = await read({ ...flowOfBytes(psk), byteLength: 0, pieces: [] }, jobOf('', 'scene', 'cast'));
    expect([formatOf(empty.result), empty.asked]).toEqual(['cast', ['cast']]);
  });

  test('and asks for nothing where no format knows it', async () => {
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode('no model at all')]) {
      const { asked, result } = await read(bytes, jobOf('hero.psk'));
      expect(asked).toEqual([]);
      expect(JSON.parse(result.text)).toMatchObject({ format: '', scene: null, report: { errors: 1 } });
    }
  });
});

describe('a module', () => {
  const moduleOf = async (name: string): Promise<WebAssembly.Module> => WebAssembly.compile(readFileSync(pieceOf(name)));
  const unpacked = async (name: string): Promise<Uint8Array> =>
    inflateRawSync(new Uint8Array(WebAssembly.Module.customSections(await moduleOf(name), 'part')[0]!));
  const readWith = async (module: WebAssembly.Module): Promise<number> => {
    const glue = await instantiate(module);
    glue.start(0, 0);
    const psk = makePsk();
    const address = glue.input(psk.length);
    glue.HEAPU8.set(psk, address);
    return glue.read('a.psk', '', '{}', false, false);
  };

  test('of the core alone traps where it should read, and knows that it lacks the readers', async () => {
    const core = await compileWasm();
    expect(['cast', 'unreal', ''].map(name => holds(core, name))).toEqual([false, false, false]);
    await expect(readWith(core)).rejects.toThrow(WebAssembly.RuntimeError);
  });

  test('with a part has its readers and no others', async () => {
    const module = await wasmFrom().with('unreal');
    expect(['cast', 'unreal'].map(name => holds(module, name))).toEqual([false, true]);
    expect(await readWith(module)).toBeGreaterThan(0);
    expect(await wasmFrom(module).with('unreal')).toBe(module);
    await expect(readWith(await wasmFrom().with('vgo'))).rejects.toThrow(WebAssembly.RuntimeError);
  });

  test('that is whole lacks nothing', async () => {
    const module = await compileWasm(whole);
    expect(holds(module, 'cast')).toBe(true);
    expect(await wasmFrom(module).with('cast')).toBe(module);
    expect(await readWith(module)).toBeGreaterThan(0);
  });

  test('is not made of pieces of two builds', async () => {
    const core = readFileSync(pieceOf('core'));
    const part = await unpacked('se');
    part[0]! ^= 1;
    expect(() => spliced(core, part, 'se')).toThrow('se.wasm and core.wasm are not of the same build');
    expect(() => spliced(readFileSync(whole), part, 'se')).toThrow('not of the same build');
  });

  test('ends, whatever was sent in place of a part', () => {
    const core = readFileSync(pieceOf('core'));
    for (const length of [0, 7, 8, 9, 100])
      for (const byte of [0, 1, 127, 128, 255]) {
        const part = new Uint8Array(length).fill(byte);
        part.set(core.subarray(-8).subarray(0, length));
        expect(() => new WebAssembly.Module(spliced(core, part, 'se'))).toThrow(/./);
      }
  });
});

test('keys that wait in their file are made by core and part', async () => {
  const bones = Array.from({ length: 100 }, (_, i) => `bone ${i}`);
  const long = makePsa({ bones, frames: 1000, position: (bone, frame) => [frame, bone, 1] });
  const [pieces, nameless, all] = [await open(long, { name: 'a.psa' }), await open(long), await open(long, { name: 'a.psa', wasm: whole })];
  const values = ({ scene }: typeof all): unknown[] => Array.from(scene!.clips[0]!.tracks, track => track.values);
  expect(values(pieces)).toHaveLength(200);
  expect(values(pieces)).toEqual(values(all));
  expect(values(nameless)).toEqual(values(all));
});

test('a core that was compiled by oneself does, too, and so does a whole', async () => {
  for (const wasm of [await compileWasm(), await compileWasm(whole), readFileSync(whole)])
    expect((await open(makePsk(), { wasm })).scene?.meshes).toHaveLength(1);
});

test('prepare takes names of files and ids of formats', async () => {
  await prepare({ files: ['models/hero.psk?2', 'mrtk', 'unknown.bin', ''] });
  await expect(prepare({ files: 7 } as never)).rejects.toThrow(/files/);
  configure({ wasm: whole });
  try {
    await prepare({ files: ['hero.psk'] });
  } finally {
    configure({ wasm: undefined });
  }
});
