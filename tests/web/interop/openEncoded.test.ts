// FBX, OBJ and BVH files in Node: meshes, materials and animations as in browsers, and images that
// stay encoded.
import { expect, test } from 'vitest';
import { openSource } from '../../../web/src/convert/convert.ts';
import { openOtherFormat } from '../../../web/src/interop/openEncoded.ts';
import { fbxTriangle } from '../../support/fbx.ts';
import { triangleGltf } from '../../support/gltf.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const nothing = (): null => null;
/** PNG with one red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

test('an FBX has its mesh in metres, its animation, and the path of its texture', async () => {
  const { scene, report } = await openOtherFormat('fbx', new Uint8Array(fbxTriangle()), 'leaf.fbx', nothing);
  expect(report.items).toEqual([]);
  expect(scene!.asset.metresPerUnit).toBe(0.01);
  expect([...scene!.meshes[0]!.positions]).toEqual([0, 0, 0, 100, 0, 0, 0, 200, 0]);
  expect([...scene!.meshes[0]!.uvs[0]!]).toEqual([0, 1, 1, 1, 0, 0.25]); // V counts from the bottom in the file
  const [clip] = scene!.clips;
  expect([clip!.name, clip!.duration]).toEqual(['Rise', 1]);
  expect([...clip!.tracks].map(({ target, path, values }) => [target, path, [...values].at(-2)])).toContainEqual([
    'Leaf',
    'translation',
    50,
  ]);
  const [{ slots, name }] = scene!.materials as [(typeof scene & object)['materials'][number]];
  expect([name, slots]).toEqual(['Green', [{ slot: 'baseColor', source: 'map', texture: 0 }]]);
  expect(scene!.textures[0]).toMatchObject({ image: 0, srgb: true, wrapU: 'repeat', scale: [1, 1], offset: [0, 0] });
  expect(scene!.images).toEqual([{ name: 'skin.png', path: 'skin.png' }]);
  expect('window' in globalThis).toBe(false);
});

test('an image inside an FBX is stored as bytes', async () => {
  const { scene } = await openOtherFormat('fbx', new Uint8Array(fbxTriangle(PIXEL)), 'leaf.fbx', nothing);
  const [image] = scene!.images;
  expect(image).toMatchObject({ name: 'skin', mimeType: 'image/png' });
  expect(Buffer.from(image!.bytes!).toString('base64')).toBe(PIXEL);
});

const OBJ = 'mtllib parts/leaf.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 0.75\nusemtl green\nf 1/1 2/2 3/3\n';

test('an OBJ has the materials and textures of its MTL', async () => {
  const asked: string[] = [];
  const read = (path: string): Uint8Array => {
    asked.push(path);
    return text('newmtl green\nKd 0 1 0\nmap_Kd -s 2 4 1 -o 0.5 0.25 0 maps\\leaf.tga\nmap_Ks shine.png\n');
  };
  const { scene } = await openOtherFormat('obj', text(OBJ), 'leaf.obj', read);
  expect(asked).toEqual(['parts/leaf.mtl']);
  expect([...scene!.meshes[0]!.uvs[0]!]).toEqual([0, 1, 1, 1, 0, 0.25]);
  expect(scene!.materials[0]!.slots.map(({ slot }) => slot).toSorted()).toEqual(['baseColor', 'specular']);
  expect(scene!.images.map(({ path }) => path).toSorted()).toEqual(['maps/leaf.tga', 'shine.png']);
  const base = scene!.materials[0]!.slots.find(({ slot }) => slot === 'baseColor')!;
  // V counts from the top in the scene: 1 - ((1 - v) * 4 + 0.25) = 4 v - 3.25
  expect(scene!.textures[base.texture!]).toMatchObject({ scale: [2, 4], offset: [0.5, -3.25] });
});

test('an OBJ without its MTL is opened', async () => {
  const { scene } = await openOtherFormat('obj', text(OBJ), 'leaf.obj', nothing);
  expect(scene!.meshes[0]!.vertexCount).toBe(3);
  expect(scene!.images).toEqual([]);
});

const BVH =
  'HIERARCHY\nROOT hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 10 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 90 0 0 0 0\n0 95 0 0 0 0\n';

test('a BVH is named after its file', async () => {
  const { scene } = await openOtherFormat('bvh', text(BVH), 'walk.bvh', nothing);
  expect(scene!.clips.map(({ name }) => name)).toEqual(['walk']);
});

/** Text of an FBX with one node. */
const FBX =
  '; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects:  {\n\tModel: 1, "Model::leaf", "Null" {\n\t\tVersion: 232\n\t}\n}\nConnections:  {\n\tC: "OO",1,0\n}\n';

test.each([
  ['walk.bvh', BVH],
  ['leaf.gltf', triangleGltf(`data:application/octet-stream;base64,${btoa('\0'.repeat(36))}`)],
  ['leaf.obj', OBJ],
  ['leaf.fbx', FBX],
])('%s is opened with a byte-order mark and without', async (name, content) => {
  const nodesOf = async (mark: string): Promise<unknown> => {
    const { scene, report } = (await openSource(new File([mark, content], name), { worker: false })).file;
    return [scene?.nodes.names.length, scene?.clips.length, report.errors];
  };
  const plain = await nodesOf('');
  expect(plain).toEqual([expect.any(Number), expect.any(Number), 0]);
  expect(await nodesOf('\uFEFF')).toEqual(plain);
});

test('a damaged file has a report and no scene', async () => {
  for (const format of ['fbx', 'bvh'] as const) {
    const { scene, report } = await openOtherFormat(format, text('; FBX 7.4.0\nnothing'), `a.${format}`, nothing);
    expect(scene).toBeNull();
    expect(report.errors).toBe(1);
  }
});
