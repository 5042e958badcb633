// Two textured models converted into one folder: each keeps its own images, for every target.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodePng } from '../../../web/src/convert/common/png.ts';
import { TARGETS, type Target } from '../../../web/src/convert/targets.ts';
import { open } from '../../../web/src/core/index.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { castBody, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { node, triangle } from '../../support/castFile.ts';
import { contentOf } from '../../support/glbContent.ts';

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

function put(name: string, content: Uint8Array | string): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  return at(name);
}

interface Row {
  out: string | null;
  ledger: { code: string; path: string }[];
  error?: { detail: string };
}

function rigcast(...words: string[]): { code: number | null; rows: Row[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), 'convert', ...words, '--json'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { code: status, rows: (JSON.parse(stdout) as { files: Row[] }).files };
}

const png = (color: readonly number[]): Promise<Uint8Array> =>
  encodePng({ width: 1, height: 1, data: Uint8Array.of(...(color as [number, number, number]), 255) });
let red: Uint8Array;
let blue: Uint8Array;

/** Creates a humanoid Cast model with one image of the given name. */
function textured(image: string): Uint8Array {
  const file = node('file', { p: ['s', image] });
  const material = node('matl', { n: ['s', 'Skin'], t: ['s', 'pbr'], albedo: ['l', file.hash] }, file);
  const uvs = { ul: ['b', [1]], u0: ['2v', [0, 0, 1, 0, 0, 1]] } as const;
  return castBody(new TestBody({ nameOf: SCHEMES.Mixamo }), material, triangle('skin', 1, { ...uvs, m: ['l', material.hash] }));
}

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-side-'));
  [red, blue] = (await Promise.all([png([255, 0, 0]), png([0, 0, 255])])) as [Uint8Array, Uint8Array];
  for (const [name, image] of [
    ['x', red],
    ['y', blue],
  ] as const) {
    put(`${name}/${name}.psk`, makePsk({ material: 'm' }));
    put(`${name}/m.mat`, 'Diffuse=T\n');
    put(`${name}/T.png`, image);
    put(`bodies/${name}.cast`, textured(`${name}.png`));
    put(`bodies/${name}.png`, image);
  }
  // The same two models with embedded images.
  expect(rigcast(at('x/x.psk'), at('y/y.psk'), '-o', at('inside'), '--to', 'vgo').code).toBe(0);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns the images of a result as a reader finds them: embedded, or by the names in the result
 * and its side files.
 */
async function imagesOf(path: string): Promise<Uint8Array[]> {
  const beside = (name: string): Uint8Array => readFileSync(join(dirname(path), name));
  if (/\.(glb|vrm)$/.test(path)) {
    const { json, image } = contentOf(readFileSync(path));
    return json.images.map((_, i) => image(i));
  }
  if (path.endsWith('.gltf')) {
    const { images = [] } = JSON.parse(readFileSync(path, 'utf8')) as { images?: { uri: string }[] };
    return images.map(({ uri }) => beside(decodeURIComponent(uri)));
  }
  const { scene } = await open(readFileSync(path), { name: path, worker: false });
  if (!path.endsWith('.psk')) return scene!.images.map(({ bytes, path: name = '' }) => bytes ?? beside(name));
  return scene!.materials.map(({ name }) => {
    const stem = /Diffuse=(.*)\r/.exec(new TextDecoder().decode(beside(`${name}.mat`)))?.[1] ?? '';
    return beside(readdirSync(dirname(path)).find(file => file.startsWith(`${stem}.`))!);
  });
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Returns the images of each result, as base64. */
async function imagesIn(rows: readonly Row[]): Promise<string[][]> {
  return Promise.all(rows.map(async ({ out }) => (await imagesOf(out!)).map(base64)));
}

const WITH_IMAGES = TARGETS.filter(to => !['psa', 'mrtk', 'iwer', 'csv', 'json'].includes(to));

describe('two models with an image each', () => {
  test.each(
    WITH_IMAGES.filter(to => to !== 'vrm').flatMap(to => [
      [to, 'inside'] as const,
      ...(['glb', 'gltf', 'vgo'].includes(to) ? [[to, 'beside'] as const] : []),
    ]),
  )('keep it as %s, from images %s', async (to, where) => {
    const words = where === 'inside' ? [at('inside')] : [at('x/x.psk'), at('y/y.psk')];
    for (const jobs of ['1', '2']) {
      const { code, rows } = rigcast(...words, '-o', at('out', where, jobs, to), '--to', to, '--jobs', jobs);
      expect(code).toBe(0);
      // The side file of an Unreal model has the name of its material. Both models have a material
      // with this name, so the second file is left out and reported.
      const isShared = to === 'psk' || to === 'uemodel';
      if (isShared) expect(rows.flatMap(({ ledger }) => ledger).filter(({ code }) => code === 'MATERIAL_FILE_THERE')).toHaveLength(1);
      else expect(await imagesIn(rows)).toEqual([[base64(red)], [base64(blue)]]);
    }
  });

  test('keep their images as psk, with materials of different names', async () => {
    for (const name of ['p', 'q']) {
      put(`${name}/${name}.psk`, makePsk({ material: `mat_${name}` }));
      put(`${name}/mat_${name}.mat`, 'Diffuse=T\n');
      put(`${name}/T.png`, name === 'p' ? red : blue);
    }
    expect(rigcast(at('p/p.psk'), at('q/q.psk'), '-o', at('pq'), '--to', 'vgo').code).toBe(0);
    const { rows } = rigcast(at('pq'), '-o', at('pq.psk.d'), '--to', 'psk');
    expect(await imagesIn(rows)).toEqual([[base64(red)], [base64(blue)]]);
  });

  test('keep their images as vrm', async () => {
    const { code, rows } = rigcast(at('bodies'), '-o', at('avatars'), '--to', 'vrm');
    expect([code, await imagesIn(rows)]).toEqual([0, [[base64(red)], [base64(blue)]]]);
  });

  test.each(['cast', 'se'])('reference images relative to the result, as %s', async to => {
    const { rows } = rigcast(at('x/x.psk'), at('y/y.psk'), '-o', at('deep/er', to), '--to', to);
    expect(await imagesIn(rows)).toEqual([[base64(red)], [base64(blue)]]);
    expect(rows.map(({ ledger }) => ledger.map(({ code }) => code))).toEqual(
      [0, 1].map(() => expect.arrayContaining(['IMAGES_BY_PATH']) as string[]),
    );
  });

  test('keep their images in split results, and in a result with the name of a part of another result', async () => {
    put('split/arm.psk', makePsk({ material: 'm' }));
    put('split/arm.psa', makePsa({ sequences: ['Bend', 'Bend_T'] }));
    put('split/arm_Bend.psk', makePsk({ material: 'n', bones: ['lone'] }));
    put('split/m.mat', 'Diffuse=T\n');
    put('split/n.mat', 'Diffuse=U\n');
    put('split/T.png', red);
    put('split/U.png', blue);
    const { code, rows } = rigcast(at('split'), '-o', at('parts'), '--to', 'gltf', '--split');
    expect([code, rows.map(({ out }) => out)]).toEqual([0, [at('parts/arm.gltf'), at('parts/arm_Bend.gltf')]]);
    const names = readdirSync(at('parts')).sort();
    expect(names.filter(name => name.endsWith('.gltf'))).toEqual(['arm.gltf', 'arm_2_Bend.gltf', 'arm_2_Bend_T.gltf', 'arm_Bend.gltf']);
    for (const name of names.filter(name => name.endsWith('.gltf')))
      expect([name, (await imagesOf(at('parts', name))).map(base64)]).toEqual([name, [base64(name === 'arm_Bend.gltf' ? blue : red)]]);
  });
});

describe('results without images', () => {
  test.each(['psa', 'csv', 'json'] satisfies Target[])('of two models are two files: %s', to => {
    for (const name of ['x', 'y']) {
      const bones = ['root', `${name}1`, `${name}2`];
      put(`moving/${name}.psk`, makePsk({ bones }));
      put(`moving/${name}.psa`, makePsa({ bones, sequences: [`Go${name}`] }));
    }
    const { rows } = rigcast(at('moving'), '-o', at('moved'), '--to', to);
    expect(rows.map(({ out }) => readFileSync(out!, 'latin1').match(/Go[xy]/)?.[0])).toEqual(['Gox', 'Goy']);
  });

  test.each(['mrtk', 'iwer'] satisfies Target[])('of two recordings are two files: %s', to => {
    const recorded = readFileSync(fileURLToPath(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url)));
    for (const name of ['x', 'y']) put(`takes/${name}.bin`, recorded);
    const { rows } = rigcast(at('takes'), '-o', at('taken', to), '--to', to);
    expect(rows.map(({ out }) => readFileSync(out!).length > 1000)).toEqual([true, true]);
  });
});

test('finds the files of a glTF whose names are percent-encoded in URIs', async () => {
  put('odd/a#b %41?.psk', makePsk({ material: 'm' }));
  put('odd/m.mat', 'Diffuse=T#1\n');
  put('odd/T#1.png', red);
  const { rows } = rigcast(at('odd'), '-o', at('odd.out'), '--to', 'gltf');
  const [row] = rows;
  const { buffers } = JSON.parse(readFileSync(row!.out!, 'utf8')) as { buffers: { uri: string }[] };
  expect([buffers[0]!.uri, readdirSync(at('odd.out')).sort()]).toEqual([
    'a%23b%20%2541%3F.bin',
    ['a#b %41?.bin', 'a#b %41?.gltf', 'a#b %41?_T_1.png'],
  ]);
  expect((await imagesOf(row!.out!)).map(base64)).toEqual([base64(red)]);
});
