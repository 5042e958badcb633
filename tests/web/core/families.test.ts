// The modules of the families: which one a file needs, and that each reads its files like
// rigcast.wasm, which reads every format.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { instantiate } from '../../../web/src/core/glue.ts';
import { streamOfBytes, type ByteStream } from '../../../web/src/core/byteStream.ts';
import { runJob, type Job, type RawResult } from '../../../web/src/core/instance.ts';
import { compileWasm, configure, formats, open, prepare, probe } from '../../../web/src/core/index.ts';
import { familyFor, type Family, modelExtensionsFor } from '../../../web/src/core/formats.ts';
import { formatTable } from '../../../web/src/core/formatTable.ts';
import { modulesByFamily, type Wasm, wasmFrom } from '../../../web/src/core/wasm.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const addressOf = (name: string): URL => new URL(`../../../web/src/core/wasm/${name}.wasm`, import.meta.url);
const whole = addressOf('rigcast');

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

/**
 * Reads with one module per family and starts with that of `first`. `asked`: the other families
 * that were requested.
 */
async function read(bytes: Uint8Array | ByteStream, job: Job, first?: Family): Promise<{ asked: Family[]; result: RawResult }> {
  const asked: Family[] = [];
  const modules = modulesByFamily(first);
  const wasm: Wasm = { first: modules.first, with: name => (asked.push(name), modules.with(name)) };
  const result = await runJob(wasm, job, bytes instanceof Uint8Array ? streamOfBytes(bytes) : bytes);
  return { asked, result };
}

const formatOf = ({ text }: RawResult): string => (JSON.parse(text) as { format: string }).format;

const expected: Record<string, Family> = {
  cast: 'cast',
  mprt: 'cast',
  psk: 'unreal',
  psa: 'unreal',
  mrtk: 'mrtk',
  vgo: 'vgo',
  semodel: 'se',
  seanim: 'se',
  uemodel: 'ueformat',
  ueanim: 'ueformat',
  uepose: 'ueformat',
  ueworld: 'ueformat',
};

test('maps file names to families, except shared extensions', () => {
  expect(Object.fromEntries(formatTable.map(({ id, family }) => [id, family]))).toEqual(expected);
  expect(formatTable.flatMap(({ sharedExtensions }) => sharedExtensions)).toEqual(['bin']);
  for (const { id, family, extensions } of formatTable) {
    expect(familyFor(id)).toBe(family);
    for (const extension of extensions) expect(familyFor(`a.b.${extension.toUpperCase()}`)).toBe(extension === 'bin' ? undefined : family);
  }
  for (const name of ['', 'psk.zip', 'constructor', '__proto__', 'a.toString']) expect(familyFor(name)).toBeUndefined();
  expect(Object.keys(formats()[0]!)).toEqual(['id', 'label', 'extensions']);
});

test('lists the model extensions for a format that contains only animations', () => {
  expect(['psa', 'seanim', 'cast', 'psk', 'none', null].map(modelExtensionsFor)).toEqual([['psk', 'pskx'], ['semodel'], [], [], [], []]);
});

test('states for each format whether its root is ambiguous and its file space is kept', () => {
  expect(formatTable.filter(row => row.isRootAmbiguous).map(({ id }) => id)).toEqual(['psk', 'psa']);
  expect(formatTable.filter(row => row.keepsFileSpace).map(({ id }) => id)).toEqual(['cast', 'mprt', 'semodel', 'seanim']);
});

describe('the module of a family', () => {
  const files = [
    ...['Tock.cast', 'Isle.cast', 'Pip.psk', 'Pip.psa', 'Lotl.vgo', 'wavingHands.bin'].map(name => join('web/src/viewer/demo', name)),
    ...readdirSync(join(root, 'tests/data'), { recursive: true, encoding: 'utf8' })
      .filter(path => /\.(cast|pskx?|psa|vgo|bin|semodel|seanim)$/.test(path))
      .map(path => join('tests/data', path)),
  ];

  test.each(files)('reads %s like rigcast.wasm, bit by bit', async path => {
    const bytes = readFileSync(join(root, path));
    for (const task of ['scene', 'outline'] as const) {
      const { asked, result } = await read(bytes, jobOf(basename(path), task), 'mrtk');
      const all = await runJob(wasmFrom(whole), jobOf(basename(path), task), streamOfBytes(bytes));
      expect(result.text).toBe(all.text);
      expect(result.blocks.map(block => Buffer.from(block))).toEqual(all.blocks.map(block => Buffer.from(block)));
      const format = formatOf(result);
      expect(asked).toEqual(format && format !== 'mrtk' ? [expected[format]] : []);
    }
  });
});

describe('the family', () => {
  const psk = makePsk();

  test('follows the content, not the file name, for every kind of source', async () => {
    const misnamed = await read(psk, jobOf('hero.cast'), 'cast');
    expect([formatOf(misnamed.result), misnamed.asked]).toEqual(['psk', ['unreal']]);
    const flow = { ...streamOfBytes(psk), byteLength: null, isWhole: false, pieces: Array.from(psk, (_, i) => psk.subarray(i, i + 1)) };
    const byteByByte = await read(flow, jobOf('hero.cast'), 'cast');
    expect([formatOf(byteByByte.result), byteByByte.asked]).toEqual(['psk', ['unreal']]);
    expect(byteByByte.result.text).toBe(misnamed.result.text);
  });

  test('follows the format option', async () => {
    const { asked, result } = await read(psk, jobOf('hero.psk', 'scene', 'vgo'), 'unreal');
    expect([formatOf(result), asked]).toEqual(['vgo', ['vgo']]);
    const empty = await read({ ...streamOfBytes(psk), byteLength: 0, pieces: [] }, jobOf('', 'scene', 'cast'), 'mrtk');
    expect([formatOf(empty.result), empty.asked]).toEqual(['cast', ['cast']]);
  });

  test('requires no other module for unknown content', async () => {
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode('no model at all')]) {
      const { asked, result } = await read(bytes, jobOf('hero.psk'), 'unreal');
      expect(asked).toEqual([]);
      expect(JSON.parse(result.text)).toMatchObject({ format: '', scene: null, report: { errors: 1 } });
    }
  });
});

describe('the module', () => {
  const readWith = async (module: WebAssembly.Module): Promise<number> => {
    const glue = await instantiate(module);
    glue.start(0, 0);
    const psk = makePsk();
    const address = glue.input(psk.length);
    glue.HEAPU8.set(psk, address);
    return glue.readScene('a.psk', '', '{}', false, false);
  };

  test('traps on a file of another family, which callers exclude', async () => {
    const modules = modulesByFamily();
    await expect(readWith(await modules.with('vgo'))).rejects.toThrow(WebAssembly.RuntimeError);
    expect(await readWith(await modules.with('unreal'))).toBeGreaterThan(0);
  });

  test('identifies files of every family', async () => {
    for (const family of ['cast', 'unreal', 'vgo', 'mrtk', 'se', 'ueformat'] as const)
      expect(await probe(makePsk(), 'a', addressOf(family))).toEqual({ format: 'psk', role: 'model' });
  });

  test('with all formats reads the files of every family', async () => {
    const module = await compileWasm(whole);
    expect(await wasmFrom(module).with('cast')).toBe(module);
    expect(await readWith(module)).toBeGreaterThan(0);
  });
});

test('decodes deferred keys with the module of the family', async () => {
  const bones = Array.from({ length: 100 }, (_, i) => `bone ${i}`);
  const long = makePsa({ bones, frames: 1000, position: (bone, frame) => [frame, bone, 1] });
  const [own, all] = [await open(long, { name: 'a.psa', wasm: addressOf('unreal') }), await open(long, { name: 'a.psa', wasm: whole })];
  const values = ({ scene }: typeof all): unknown[] => Array.from(scene!.clips[0]!.tracks, track => track.values);
  expect(values(own)).toHaveLength(200);
  expect(values(own)).toEqual(values(all));
});

test('accepts a compiled module or the bytes of a module', async () => {
  for (const wasm of [await compileWasm(), await compileWasm(whole), readFileSync(whole)])
    expect((await open(makePsk(), { wasm })).scene?.meshes).toHaveLength(1);
});

test('accepts file names and format ids in `prepare`', async () => {
  await prepare({ files: ['models/hero.psk?2', 'mrtk', 'unknown.bin', ''] });
  for (const files of [7, 'hero.psk', [7], {}])
    await expect(prepare({ files } as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'prepare: the option "files" must be a list of strings',
    });
  configure({ wasm: whole });
  try {
    await prepare({ files: ['hero.psk'] });
  } finally {
    configure({ wasm: undefined });
  }
});

test('the module of UEFormat is at most 16 KB larger than the smallest, gzipped', () => {
  const sizeOf = (family: string): number => gzipSync(readFileSync(addressOf(family)), { level: 9 }).length;
  const smallest = Math.min(...new Set(formatTable.map(({ family }) => sizeOf(family))));
  expect(sizeOf('ueformat') - smallest).toBeGreaterThan(0);
  expect(sizeOf('ueformat') - smallest).toBeLessThan(16_000);
});
