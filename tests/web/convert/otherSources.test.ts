// glTF, GLB, FBX, OBJ and BVH as sources of `convert`, with their images.
import { expect, test } from 'vitest';
import { convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/open.ts';
import type { OpenSource } from '../../../web/src/core/source.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { castBody, TestBody } from '../../support/bodies.ts';
import { triangle } from '../../support/castFile.ts';
import { fbxTriangle } from '../../support/fbx.ts';

/** PNG with one red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const OBJ = 'mtllib leaf.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl green\nf 1 2 3\n';
const MTL = 'newmtl green\nKd 0.25 0.5 0.75\n';

const fbx = (): Uint8Array<ArrayBuffer> => new Uint8Array(fbxTriangle(PIXEL));
const named = (bytes: BlobPart, name: string): File => new File([bytes], name);
const made = async (
  source: OpenSource,
  to: ConvertOptions['to'],
  how?: ConvertOptions['open'],
): Promise<{ name: string; bytes: Uint8Array }[]> =>
  (await convert([source], { to, ...(how && { open: how }) })).files.map(file => ({ name: file.name, bytes: file.bytes }));

test.each(['glb', 'cast', 'psk', 'uemodel', 'se', 'vgo', 'gltf'] as const)('an FBX becomes %s with its mesh and its image', async to => {
  const files = await made(named(fbx(), 'leaf.fbx'), to);
  const file = await open(files[0]!.bytes, { name: files[0]!.name, worker: false });
  if (to !== 'glb' && to !== 'gltf') expect(file.scene!.meshes[0]!.positions.length).toBe(9);
  const png = Buffer.from(PIXEL, 'base64').subarray(0, 40);
  expect(files.some(({ bytes }) => Buffer.from(bytes).includes(png))).toBe(true);
});

test('sources are recognized as a File, as bytes with a name, as a response and as a URL', async () => {
  const [glb] = await made(named(fbx(), 'leaf.fbx'), 'glb');
  const url = `data:application/octet-stream;base64,${Buffer.from(fbx()).toString('base64')}`;
  for (const [source, name] of [
    [fbx(), 'leaf.fbx'],
    [fbx(), 'leaf'], // recognized by its first bytes
    [new Response(fbx()), 'leaf.fbx'],
    [url, 'leaf.fbx'],
  ] as [OpenSource, string][])
    expect((await made(source, 'glb', { name }))[0]!.bytes).toEqual(glb!.bytes);
});

test('a file that cannot be fetched is an error with its URL', async () => {
  const missing = new Response(null, { status: 404 });
  await expect(convert([missing], { to: 'glb', open: { name: 'a.fbx' } })).rejects.toMatchObject({ code: 'REQUEST_FAILED' });
  await expect(convert([new URL('./none.obj', import.meta.url)], { to: 'glb' })).rejects.toThrow('none.obj');
});

test('files that a source references are requested from companions', async () => {
  const colorOf = (glb: Uint8Array): unknown => {
    const { length } = glb;
    const json = new TextDecoder().decode(glb.subarray(20, 20 + new DataView(glb.buffer, glb.byteOffset, length).getUint32(12, true)));
    return (JSON.parse(json) as { materials: { pbrMetallicRoughness: { baseColorFactor?: number[] } }[] }).materials[0]!
      .pbrMetallicRoughness.baseColorFactor;
  };
  const text = (words: string): Uint8Array => new TextEncoder().encode(words);
  const [alone] = await made(named(OBJ, 'leaf.obj'), 'glb');
  const [both] = await made(named(OBJ, 'leaf.obj'), 'glb', { companions: new Map([['leaf.mtl', text(MTL)]]) });
  expect(colorOf(both!.bytes)).not.toEqual(colorOf(alone!.bytes));
  const [gltf, bin] = await made(named(fbx(), 'leaf.fbx'), 'gltf');
  const source = named(gltf!.bytes as BlobPart, 'leaf.gltf');
  const [glb] = await made(source, 'glb', { companions: name => (name.name === bin!.name ? bin!.bytes : null) });
  expect(glb!.bytes.length).toBeGreaterThan(500);
  await expect(made(source, 'glb')).rejects.toMatchObject({ code: 'SOURCES_UNREADABLE' });
});

/** Returns a glTF of a body with this material, which can use texture 0, as the arguments of `convert`. */
async function bodyWith(material: object): Promise<[OpenSource, ConvertOptions['open']]> {
  const mesh = triangle('cloth', 1, { ul: ['b', [1]], u0: ['2v', [0, 0, 1, 0, 0, 1]] });
  const [glb] = await made(named(castBody(new TestBody(), mesh) as BlobPart, 'body.cast'), 'glb');
  const length = new DataView(glb!.bytes.buffer, glb!.bytes.byteOffset).getUint32(12, true);
  const source = {
    ...(jsonIn(glb!.bytes) as object),
    buffers: [{ byteLength: glb!.bytes.length - length - 28, uri: 'body.bin' }],
    images: [{ uri: `data:image/png;base64,${PIXEL}` }],
    textures: [{ source: 0 }],
    materials: [{ name: 'cloth', ...material }],
    extensionsUsed: ['KHR_materials_unlit', 'KHR_texture_transform'], // GLTFLoader has no use for other entries
  };
  return [named(JSON.stringify(source), 'body.gltf'), { companions: new Map([['body.bin', glb!.bytes.slice(length + 28)]]) }];
}

/** Returns the JSON of a GLB. */
function jsonIn(glb: Uint8Array): unknown {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
}

test.each(['glb', 'vrm'] as const)('factors of a glTF material with textures are kept in %s', async to => {
  const pbrMetallicRoughness = { metallicFactor: 0, roughnessFactor: 0.25, metallicRoughnessTexture: { index: 0 } };
  const [source, how] = await bodyWith({ pbrMetallicRoughness, emissiveTexture: { index: 0 } });
  const [again] = await made(source, to, how);
  const text = new TextDecoder().decode(again!.bytes);
  expect(text).toContain('"metallicRoughnessTexture"');
  expect(text).toMatch(/"roughnessFactor":0\.25\b/);
  expect(text).toMatch(/"metallicFactor":0\b/);
  expect(text).toContain('"emissiveTexture"');
  expect(text).not.toContain('"emissiveFactor"');
});

test.each([
  [
    'strengths of textures',
    { normalTexture: { index: 0, scale: 0.5 }, occlusionTexture: { index: 0, strength: 0.25 } },
    { normalTexture: { scale: 0.5 }, occlusionTexture: { strength: 0.25 } },
  ],
  ['unlit', { extensions: { KHR_materials_unlit: {} } }, { extensions: { KHR_materials_unlit: {} } }],
  [
    'a glow brighter than white',
    { emissiveFactor: [1, 0.5, 0], extensions: { KHR_materials_emissive_strength: { emissiveStrength: 4 } } },
    { emissiveFactor: [1, 0.5, 0], extensions: { KHR_materials_emissive_strength: { emissiveStrength: 4 } } },
  ],
  ...Object.entries({
    KHR_materials_ior: { ior: 1.25 },
    KHR_materials_specular: { specularFactor: 0.5, specularColorFactor: [1, 0.5, 0], specularTexture: { index: 0 } },
    KHR_materials_clearcoat: {
      clearcoatFactor: 0.5,
      clearcoatRoughnessFactor: 0.25,
      clearcoatRoughnessTexture: { index: 0 },
      clearcoatNormalTexture: { index: 0, scale: 0.5 },
    },
    KHR_materials_sheen: { sheenColorFactor: [0.5, 0.25, 0], sheenRoughnessFactor: 0.5, sheenColorTexture: { index: 0 } },
    KHR_materials_transmission: { transmissionFactor: 0.75, transmissionTexture: { index: 0 } },
    KHR_materials_volume: { thicknessFactor: 0.5, attenuationDistance: 2, attenuationColor: [1, 0.5, 0], thicknessTexture: { index: 0 } },
    KHR_materials_iridescence: {
      iridescenceFactor: 0.5,
      iridescenceIor: 1.5,
      iridescenceThicknessMinimum: 200,
      iridescenceThicknessMaximum: 300,
      iridescenceThicknessTexture: { index: 0 },
    },
    KHR_materials_anisotropy: { anisotropyStrength: 0.5, anisotropyRotation: 0.25, anisotropyTexture: { index: 0 } },
    KHR_materials_dispersion: { dispersion: 0.5 },
  }).map(([name, values]): [string, object, object] => [name, { extensions: { [name]: values } }, { extensions: { [name]: values } }]),
  [
    'rotated textures',
    { pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: { KHR_texture_transform: { rotation: 1 } } } } },
    { pbrMetallicRoughness: { baseColorTexture: { extensions: { KHR_texture_transform: { rotation: 1 } } } } },
  ],
])('values of a glTF material are kept in GLB: %s', async (_, material, kept) => {
  const [source, open] = await bodyWith(material);
  const { files, report } = await convert([source], { to: 'glb', ...(open && { open }) });
  expect((jsonIn(files[0]!.bytes) as { materials: unknown[] }).materials[0]).toMatchObject(kept);
  expect(report.items.map(({ code }) => code)).not.toContain('MATERIAL_REDUCED');
  expect(report.items.map(({ code }) => code)).not.toContain('TEXTURE_SLOT_LOST');
});

test('a glTF material without effects has no extensions in GLB', async () => {
  const [source, open] = await bodyWith({
    extensions: { KHR_materials_specular: {}, KHR_materials_clearcoat: { clearcoatRoughnessFactor: 1 } },
  });
  const { files } = await convert([source], { to: 'glb', ...(open && { open }) });
  expect((jsonIn(files[0]!.bytes) as { materials: object[] }).materials[0]).not.toHaveProperty('extensions');
});

test('effects of glTF materials that the target does not have are reported', async () => {
  const [source, open] = await bodyWith({
    pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: { KHR_texture_transform: { rotation: 1 } } } },
    extensions: { KHR_materials_clearcoat: { clearcoatFactor: 0.5 }, KHR_materials_transmission: { transmissionFactor: 1 } },
  });
  const { report } = await convert([source], { to: 'vgo', ...(open && { open }) });
  const lost = report.items.filter(({ code }) => code === 'MATERIAL_REDUCED');
  expect(lost).toMatchObject([{ path: 'cloth', detail: 'clearcoat, transmission, rotated textures' }]);
});

test('animations of a PSA move the model of a GLB', async () => {
  const [glb] = await made(named(makePsk() as BlobPart, 'hero.psk'), 'glb');
  const { files, report } = await convert([named(glb!.bytes as BlobPart, 'hero.glb'), named(makePsa() as BlobPart, 'run.psa')], {
    to: 'uemodel',
  });
  expect(files.map(({ name }) => name.replace(/^.*\./, ''))).toContain('ueanim');
  expect(report.items.map(({ code }) => code)).not.toContain('CLIP_UNMATCHED');
});
