// Models and animations of other formats: their roles, binding with files of rigcast, and that
// nothing is fetched.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Object3D, Vector3 } from 'three';
import { afterEach, expect, test, vi } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/index.ts';
import { openImported } from '../../../web/src/interop/open.ts';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import { disposeModel } from '../../../web/src/session/model.ts';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { LayeredAction } from '../../../web/src/session/layeredAction.ts';
import { roleOf } from '../../../web/src/session/role.ts';
import { rowsOf } from '../../../web/src/session/animationRows.ts';
import { fbxFile } from '../../support/fbx.ts';
import { TestSession } from '../session/support.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const bytesOf = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(root, path)));
const given = (name: string, ...parts: BlobPart[]): InputFile => ({ path: name, file: new File(parts, name) });
const demo = (name: string): InputFile => given(name, bytesOf(`web/src/viewer/demo/${name}`));

async function glb(name: string, ...paths: string[]): Promise<InputFile> {
  const files = await Promise.all(paths.map(path => open(bytesOf(path), { name: path.split('/').at(-1)!, worker: false })));
  return given(name, (await convert(files, { to: 'glb' })).files[0]!.bytes as Uint8Array<ArrayBuffer>);
}

const pip = 'web/src/viewer/demo/Pip.psk';
function seek(page: TestSession, time: number): void {
  const { source, indices } = rowsOf(page.session)[page.session.selected]!;
  new LayeredAction(page.model!, source, indices, 'auto', false).seek(time);
}

const placeOf = (page: TestSession, name: string): Vector3 => {
  const { rig } = page.model!;
  rig.scene.updateMatrixWorld(true);
  const [node] = rig.nodes.filter(each => (each as Object3D).userData['name'] === name || each.name === name);
  return node!.getWorldPosition(new Vector3());
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('detects the role of files by content', async () => {
  expect(await roleOf((await glb('hero.glb', pip)).file)).toBe('model');
  expect(await roleOf((await glb('run.glb', 'web/src/viewer/demo/Pip.psa')).file)).toBe('animation');
  expect(await roleOf(given('a.bvh', 'HIERARCHY').file)).toBe('animation');
  expect(await roleOf(given('a.vrma').file)).toBe('animation'); // as a file whose content was not fetched yet
  expect(await roleOf(given('a.glb').file)).toBe('model');
  expect(await roleOf(given('a.obj', 'v 0 0 0').file)).toBe('model');
  expect(await roleOf(given('a.mtl', '').file)).toBe('companion');
  expect(await roleOf(given('a.fbx', fbxFile([['hips', '', [0, 1, 0]]])).file)).toBe('animation');
});

test('finds files with the same name in the folders that a glTF names', async () => {
  vi.stubGlobal('ProgressEvent', Event); // Node has none
  const triangle = (size: number): Float32Array<ArrayBuffer> => new Float32Array([0, 0, 0, size, 0, 0, 0, size, 0]);
  const numbers = [0, 1];
  const json = {
    asset: { version: '2.0' },
    scenes: [{ nodes: numbers }],
    nodes: numbers.map(mesh => ({ mesh })),
    meshes: numbers.map(POSITION => ({ primitives: [{ attributes: { POSITION } }] })),
    accessors: numbers.map(bufferView => ({ bufferView, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [2, 2, 0] })),
    bufferViews: numbers.map(buffer => ({ buffer, byteLength: 36 })),
    buffers: ['one/data.bin', 'two%20/data.bin'].map(uri => ({ uri, byteLength: 36 })),
  };
  const beside = new CompanionFiles().with([
    { path: 'game/data.bin', file: given('data.bin', triangle(3)).file },
    { path: 'game/two /data.bin', file: given('data.bin', triangle(2)).file },
    { path: 'game/one/data.bin', file: given('data.bin', triangle(1)).file },
  ]);
  const source = { path: 'game/body.gltf', file: new File([JSON.stringify(json)], 'body.gltf') };
  const { scene } = await openImported(source, beside, new AbortController().signal);
  expect(scene!.meshes.map(({ positions }) => positions[3])).toEqual([1, 2]);
});

test('moves a GLB with a PSA like the PSK', async () => {
  const ours = await new TestSession().drop([demo('Pip.psk'), demo('Pip.psa')]);
  const theirs = await new TestSession().drop([await glb('Hero.glb', pip), demo('Pip.psa')]);
  expect(theirs.session.shown?.input.path).toBe('Hero.glb');
  expect(theirs.titles).toEqual(ours.titles);
  expect(theirs.playing).toBe(ours.playing);
  for (const time of [0, 0.2, 0.5]) {
    for (const page of [ours, theirs]) seek(page, time);
    for (const name of ['hips', 'head']) expect(placeOf(theirs, name).distanceTo(placeOf(ours, name))).toBeLessThan(1e-4);
  }
  expect(placeOf(theirs, 'head').length()).toBeGreaterThan(0.1);
  for (const page of [ours, theirs]) disposeModel(page.model!);
});

test('the bones of a glTF without meshes are the nodes of the hierarchies that its animations move, without mere groups', async () => {
  vi.stubGlobal('ProgressEvent', Event); // Node has none
  const json = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0, 5] }],
    nodes: [
      { name: 'armature', children: [1] },
      { name: 'hips', translation: [0, 1, 0], children: [2, 4] },
      { name: 'spine', children: [3] },
      { name: 'head' },
      { name: 'leg' },
      { name: 'camera', translation: [0, 2, 0] },
    ],
    buffers: [
      {
        byteLength: 32,
        uri: `data:application/octet-stream;base64,${Buffer.from(new Float32Array([0, 1, 0, 0, 0, 1, 0, 0]).buffer).toString('base64')}`,
      },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 8 },
      { buffer: 0, byteOffset: 8, byteLength: 24 },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
      { bufferView: 1, componentType: 5126, count: 2, type: 'VEC3' },
    ],
    animations: [{ samplers: [{ input: 0, output: 1 }], channels: [{ sampler: 0, target: { node: 2, path: 'translation' } }] }],
  };
  const source = { path: 'walk.gltf', file: new File([JSON.stringify(json)], 'walk.gltf') };
  const { scene } = await openImported(source, new CompanionFiles(), new AbortController().signal);
  const { names, bones } = scene!.nodes;
  expect(names.filter((_, row) => bones[row]! >= 0)).toEqual(['hips', 'spine', 'head', 'leg']);
});

test('binds animations of a GLB to a rig', async () => {
  const ours = await new TestSession().drop([demo('Pip.psk'), demo('Pip.psa')]);
  const theirs = await new TestSession().drop([demo('Pip.psk'), await glb('Moves.glb', 'web/src/viewer/demo/Pip.psa')]);
  expect(theirs.titles).toEqual(ours.titles);
  for (const page of [ours, theirs]) seek(page, 0.3);
  expect(placeOf(theirs, 'head').distanceTo(placeOf(ours, 'head'))).toBeLessThan(1e-4);
});

test('finds referenced files among the given ones, and fetches nothing', async () => {
  vi.stubGlobal('ProgressEvent', class extends Event {}); // loaders of three.js create one, and Node has none
  const fetched = vi.spyOn(globalThis, 'fetch');
  const json = {
    asset: { version: '2.0' },
    buffers: [{ uri: 'https://tracker.example/mesh.bin', byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0, name: 'leaf' }],
    scenes: [{ nodes: [0] }],
    scene: 0,
  };
  const page = await new TestSession().drop([
    given('leaf.gltf', JSON.stringify(json)),
    given('mesh.bin', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)),
  ]);
  const { scene } = page.session.shown!.file;
  expect(Array.from(scene!.meshes[0]!.positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  for (const [address] of fetched.mock.calls) expect(String(address instanceof Request ? address.url : address)).not.toMatch(/tracker/);
});

test('reports a damaged file', async () => {
  const page = new TestSession();
  await expect(page.drop([given('broken.glb', new Uint8Array(64).fill(7))])).rejects.toMatchObject({
    problem: { code: 'damaged', name: 'broken.glb' },
  });
});
