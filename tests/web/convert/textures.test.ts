// A converted model has the same textures as in the viewer. Textures that glTF cannot store are
// reported.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { DataTexture, type MeshPhysicalMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { convert, type Conversion } from '../../../web/src/convert/index.ts';
import { encodePng } from '../../../web/src/convert/common/png.ts';
import { decodePng } from '../../../web/src/convert/common/pngDecode.ts';
import { open } from '../../../web/src/core/index.ts';
import type { RigScene, Texture } from '../../../web/src/core/types.ts';
import type { TextureChoice } from '../../../web/src/textures/sources.ts';
import { FileTextures, Rig } from '../../../web/src/three/index.ts';
import { armScene } from '../../support/armScene.ts';
import { contentOf } from '../../support/glbContent.ts';
import { tga } from '../../support/images.ts';

/** For each slot, the name of its image without extension. */
type Worn = Map<string, string>;

const PLACES = {
  baseColor: 'map',
  normal: 'normalMap',
  emissive: 'emissiveMap',
  occlusion: 'aoMap',
  metallicRoughness: 'roughnessMap',
  metalness: 'metalnessMap',
  specularColor: 'specularColorMap',
  opacity: 'alphaMap',
} as const;

const stem = (name: string): string => name.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');

async function wornInThree(scene: RigScene, images: FileTextures): Promise<Worn[]> {
  const rig = new Rig({ scene });
  const decode = async (): Promise<DataTexture> => new DataTexture(new Uint8Array(4), 1, 1);
  await rig.loadTextures(images, { decode });
  return scene.materials.map((_, row) => {
    const worn: Worn = new Map();
    const [material] = rig.materialsOf(row) as MeshPhysicalMaterial[];
    for (const [place, property] of Object.entries(PLACES)) {
      const texture = material?.[property];
      if (texture) worn.set(place, stem(texture.name));
    }
    return worn;
  });
}

function wornInGlb(scene: RigScene, { files }: Conversion): Worn[] {
  const { json } = contentOf(files[0]!.bytes);
  const names = json.textures.map(({ name, source }) => stem(json.images[source]?.name ?? name ?? ''));
  return scene.materials.map(({ name }) => {
    const worn: Worn = new Map();
    const made = json.materials.find(each => each.name === name);
    const specular = made?.extensions?.KHR_materials_specular?.specularColorTexture;
    const places: [string, { index: number } | undefined][] = [
      ['baseColor', made?.pbrMetallicRoughness?.baseColorTexture],
      ['normal', made?.normalTexture],
      ['emissive', made?.emissiveTexture],
      ['occlusion', made?.occlusionTexture],
      ['metallicRoughness', made?.pbrMetallicRoughness?.metallicRoughnessTexture],
      ['metalness', made?.pbrMetallicRoughness?.metallicRoughnessTexture],
      ['specularColor', specular],
    ];
    const isUnlit = made?.extensions?.KHR_materials_unlit !== undefined; // importers of unlit materials only use the base colour
    for (const [place, slot] of places) if (slot && (!isUnlit || place === 'baseColor')) worn.set(place, names[slot.index]!);
    return worn;
  });
}

/**
 * Converts a scene and compares the textures in three.js (`worn`) with those in the GLB (`there`).
 * `lost`: images that the GLB does not use in the same slot. `told`: images that the report lists
 * as lost. `added`: slots and images that only the GLB has.
 */
async function compare(scene: RigScene, name: string, files: ReadonlyMap<string, Uint8Array>, choices: readonly TextureChoice[] = []) {
  const images = new FileTextures(files, choices);
  const worn = await wornInThree(scene, images);
  const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
  const file = { ...(await open(new Uint8Array(0), { name, worker: false })), scene, report, needs: [] };
  const made = await convert([file], { to: 'glb', images });
  const there = wornInGlb(scene, made);
  // In the GLB, metalness and roughness share one texture; in three.js they can have two.
  const isPacked = (row: number, place: string): boolean => there[row]?.get(place)?.endsWith('_metallicRoughness') === true;
  const lost = worn.flatMap((places, row) =>
    [...places].filter(([place, image]) => there[row]?.get(place) !== image && !isPacked(row, place)).map(([, image]) => image),
  );
  const hasSurface = (row: number): boolean => ['metallicRoughness', 'metalness'].some(place => worn[row]?.has(place));
  const added = there.flatMap((places, row) =>
    [...places].filter(([place, image]) => worn[row]?.get(place) !== image && !(isPacked(row, place) && hasSurface(row))),
  );
  const told = made.report.items.filter(({ code }) => code === 'TEXTURE_SLOT_LOST').flatMap(({ detail }) => detail.split(', ').map(stem));
  return { worn, there, lost: new Set(lost), told: new Set(told), added, ...made };
}

const unreal = { namedMaterials: true, directXNormals: true };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const png = await encodePng({ width: 2, height: 1, data: Uint8Array.of(10, 20, 30, 255, 40, 50, 60, 90) });

describe('a GLB has the textures that the viewer shows', () => {
  const [first, second] = armScene().materials;
  const scene: RigScene = { ...armScene(), hints: unreal, materials: [first!, second!].map(material => ({ ...material, slots: [] })) };
  const put = (...names: string[]): [string, Uint8Array][] => names.map(name => [name, png]);

  it('accepts images as a Map of names to files', async () => {
    const files = new Map<string, Uint8Array | Blob>([...put('T_Skin_D.png'), ['Skin.mat', new Blob(['Diffuse=T_Skin_D\n'])]]);
    const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
    const file = { ...(await open(new Uint8Array(0), { name: 'arm', worker: false })), scene, report, needs: [] };
    const { json } = contentOf((await convert([file], { to: 'glb', images: files })).files[0]!.bytes);
    expect(json.images).toMatchObject([{ name: 'T_Skin_D.png' }]);
  });

  it('reads textures and flags from material files, including older and shared ones', async () => {
    const files = new Map([
      ...put('T_Skin_D.png', 'T_Skin_N.png', 'T_Skin_ORM.png', 'T_Skin_E.png', 'T_Master_D.png', 'T_Skin_A.png'),
      [
        'Skin.mat',
        text('Diffuse=T_Skin_D\nNormal=T_Skin_N\nOther[0]=T_Skin_ORM\nOther[1]=T_Skin_E\nOther[2]=T_Master_D\nOpacity=T_Skin_A\n'),
      ],
      ['Cloth.mat', text('Diffuse=T_Skin_D\nNormal=T_Skin_N\n')],
      ['Cloth.props.txt', text('TwoSided = true\nBlendMode = BLEND_Masked (1)\nOpacityMaskClipValue = 0.25\n')],
    ]);
    const { there, lost, told, added, files: made } = await compare(scene, 'arm', files);
    expect(Object.fromEntries(there[0]!)).toEqual({
      baseColor: 'T_Skin_D',
      normal: 'T_Skin_N',
      emissive: 'T_Skin_E',
      occlusion: 'T_Skin_ORM',
      metallicRoughness: 'T_Skin_ORM',
      metalness: 'T_Skin_ORM',
    });
    expect(Object.fromEntries(there[1]!)).toEqual({ baseColor: 'T_Skin_D', normal: 'T_Skin_N' });
    expect(added).toEqual([]);
    expect([...lost]).toEqual(['T_Skin_A']);
    expect(told).toEqual(lost);
    const { json } = contentOf(made[0]!.bytes);
    expect(json.images).toHaveLength(4); // an image that two materials share is stored once, even if only one of them is masked
    expect(json.materials.find(({ name }) => name === 'Cloth')).toMatchObject({ doubleSided: true, alphaMode: 'MASK', alphaCutoff: 0.25 });
  });

  it('writes a material without a base colour as a transparent gloss, like the viewer', async () => {
    const files = new Map([
      ...put('T_Skin_D.png', 'T_Wet_N.png'),
      ['Skin.mat', text('Diffuse=T_Skin_D\n')],
      ['Cloth.mat', text('Normal=T_Wet_N\n')],
    ]);
    const { files: made, report } = await compare(scene, 'arm', files);
    const { json } = contentOf(made[0]!.bytes);
    const gloss = json.materials.find(({ name }) => name === 'Cloth');
    expect(gloss?.alphaMode).toBe('BLEND');
    expect(gloss?.pbrMetallicRoughness.baseColorFactor?.[3]).toBeCloseTo(0.1);
    expect(gloss?.pbrMetallicRoughness.roughnessFactor).toBeCloseTo(0.05);
    expect(report.items.filter(({ code }) => code === 'MATERIAL_GLOSS').map(({ path }) => path)).toEqual(['Cloth']);
  });

  it('assigns textures by name, and the only remaining image to the only remaining material', async () => {
    const files = new Map(put('Skin_D.png', 'Skin_N.png', 'Whatever.png'));
    const { there, lost, added, report } = await compare(scene, 'arm', files);
    expect(there.map(worn => Object.fromEntries(worn))).toEqual([{ baseColor: 'Skin_D', normal: 'Skin_N' }, { baseColor: 'Whatever' }]);
    expect([lost.size, added.length]).toEqual([0, 0]);
    expect(report.items.filter(({ code }) => code === 'TEXTURE_GUESSED').map(({ path, detail }) => `${path}: ${detail}`)).toEqual([
      'Skin_D.png: baseColor of Skin',
      'Skin_N.png: normal of Skin',
      'Whatever.png: baseColor of Cloth',
    ]);
  });

  it('assigns textures by name for other formats, without the defaults of the master material', async () => {
    const { hints: _, ...cast } = scene;
    const { there, lost } = await compare(cast, 'arm', new Map(put('Skin_D.png', 'Whatever.png')));
    expect(there.map(worn => Object.fromEntries(worn))).toEqual([{ baseColor: 'Skin_D' }, {}]);
    expect(lost.size).toBe(0);
  });

  it('reports missing textures that a material file assigns, but not those it only lists', async () => {
    const files = new Map([...put('T_Skin_D.png'), ['Skin.mat', text('Diffuse=T_Skin_D\nNormal=T_Skin_N\nOther[0]=T_Skin_E\n')]]);
    const { report } = await compare(scene, 'arm', files);
    expect(report.items.filter(({ code }) => code === 'TEXTURE_MISSING').map(({ path, detail }) => `${path} ${detail}`)).toEqual([
      'T_Skin_N Skin',
    ]);
  });

  it('inverts gloss into roughness and keeps the metalness of the material', async () => {
    const image = { name: 'gloss.png', mimeType: 'image/png', bytes: png };
    const texture = { name: 'gloss', image: 0, offset: [0, 0], scale: [1, 1], uvSet: 0, wrapU: 'repeat', wrapV: 'repeat', srgb: false };
    const slots = [{ slot: 'gloss', source: 'gloss.png', texture: 0 }];
    const glossy = {
      ...armScene(),
      images: [image],
      textures: [texture as unknown as Texture],
      materials: [{ ...first!, metalness: 0.6, slots }, second!],
    };
    const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
    const file = { ...(await open(new Uint8Array(0), { name: 'arm', worker: false })), scene: glossy, report, needs: [] };
    const { files } = await convert([file], { to: 'glb' });
    const { json, image: stored } = contentOf(files[0]!.bytes);
    const index = json.materials.find(({ name }) => name === first!.name)!.pbrMetallicRoughness!.metallicRoughnessTexture!.index;
    const { data } = await decodePng(stored(json.textures[index]!.source));
    expect([0, 1].map(x => [data[4 * x + 1], data[4 * x + 2]])).toEqual([
      [255 - 20, 153],
      [255 - 50, 153],
    ]);
  });

  it('reports textures whose UV set the mesh lacks', async () => {
    const image = { name: 'skin.png', mimeType: 'image/png', bytes: png };
    const textureOf = (uvSet: number) => ({
      name: 'skin',
      image: 0,
      offset: [0, 0],
      scale: [1, 1],
      uvSet,
      wrapU: 'repeat',
      wrapV: 'repeat',
    });
    const converted = async (uvSet: number): Promise<{ lost: string[]; hasTexture: boolean }> => {
      const scene = {
        ...armScene(),
        images: [image],
        textures: [textureOf(uvSet) as unknown as Texture],
        materials: [{ ...first!, slots: [{ slot: 'baseColor', source: 'skin.png', texture: 0 }] }, second!],
      };
      const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
      const file = { ...(await open(new Uint8Array(0), { name: 'arm', worker: false })), scene, report, needs: [] };
      const made = await convert([file], { to: 'glb' });
      const lost = made.report.items.filter(({ code }) => code === 'TEXTURE_UV_MISSING').map(({ path, detail }) => `${path}: ${detail}`);
      return { lost, hasTexture: contentOf(made.files[0]!.bytes).json.textures?.length > 0 };
    };
    expect(await converted(0)).toEqual({ lost: [], hasTexture: true });
    expect(await converted(3)).toEqual({ lost: [`${first!.name}: skin.png`], hasTexture: false });
  });

  it('uses chosen images instead of those that match by name', async () => {
    const files = new Map(put('Skin_D.png', 'Skin_N.png', 'Other.png'));
    const image = { name: 'Other.png', bytes: png };
    const choices = ['baseColor', 'emissive'].map(slot => ({ material: 'Skin', slot, image }));
    const { there, report, lost, added } = await compare(scene, 'arm', files, choices);
    expect([lost.size, added.length]).toEqual([0, 0]);
    expect(there.map(worn => Object.fromEntries(worn))).toEqual([{ baseColor: 'Other', normal: 'Skin_N', emissive: 'Other' }, {}]);
    expect(report.items.filter(({ code }) => code === 'TEXTURE_GUESSED').map(({ path }) => path)).toEqual(['Skin_N.png']);
  });

  it('packs the channels that were chosen, and keeps the other channels of the file’s own texture', async () => {
    const pixels = (...rgba: number[]): Promise<Uint8Array> => encodePng({ data: new Uint8Array(rgba), width: 1, height: 1 });
    const own = { name: 'orm', image: 0, offset: [0, 0], scale: [1, 1], uvSet: 0, wrapU: 'repeat', wrapV: 'repeat', srgb: false };
    const packed = {
      ...armScene(),
      images: [{ name: 'orm.png', mimeType: 'image/png', bytes: await pixels(10, 20, 30, 255) }],
      textures: [own as unknown as Texture],
      materials: [{ ...first!, slots: [{ slot: 'orm', source: 'orm.png', texture: 0 }] }, second!],
    };
    const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
    const file = { ...(await open(new Uint8Array(0), { name: 'arm', worker: false })), scene: packed, report, needs: [] };
    const chosen = { material: first!.name, image: { name: 'masks.png', bytes: await pixels(40, 50, 60, 70) } };
    const packedAs = async (slot: string): Promise<number[]> => {
      const images = new FileTextures(new Map(), [{ ...chosen, slot }]);
      const { json, image: stored } = contentOf((await convert([file], { to: 'glb', images })).files[0]!.bytes);
      const index = json.materials.find(({ name }) => name === first!.name)!.pbrMetallicRoughness!.metallicRoughnessTexture!.index;
      return [...(await decodePng(stored(json.textures[index]!.source))).data].slice(0, 3);
    };
    expect(await packedAs('packed:m-go')).toEqual([70, 255 - 60, 40]);
    expect(await packedAs('packed:-g--')).toEqual([10, 255 - 50, 30]);
    expect(await packedAs('packed:---m')).toEqual([10, 20, 70]);
  });

  it('makes the mask colour of an image transparent', async () => {
    const masked = {
      ...scene,
      materials: scene.materials.map(material => ({ ...material, alphaMode: 'mask' as const, alphaCutoff: 0.5 })),
    };
    const framed = tga(4, 4, (x, y) => (x % 3 && y % 3 ? [10, 20, 30, 255] : [255, 0, 255, 255]));
    const { files, report } = await compare(masked, 'arm', new Map([['Skin_D.tga', framed]]));
    const { image } = contentOf(files[0]!.bytes);
    const { data } = await decodePng(image(0));
    expect([...data.subarray(0, 4)]).toEqual([10, 20, 30, 0]);
    expect(data.filter((value, i) => i % 4 === 3 && value === 0)).toHaveLength(12);
    expect(report.items.find(({ code }) => code === 'TEXTURE_REENCODED')?.detail).toBe('4 × 4, #ff00ff made transparent');
  });
});

const corpus = new URL('../../../../shared/corpus/psk/', import.meta.url);
if (!existsSync(corpus)) console.log('skipped: real models are not textured, there is no ../shared/corpus');

/**
 * Returns texture and material files as export tools write them. Each material imitates another
 * tool.
 */
function filesFor(names: readonly string[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const put = (...images: string[]): void => images.forEach(name => files.set(`textures/${name}.png`, png));
  const json = (name: string) =>
    JSON.stringify({ Textures: { 'Base Color': `/Game/T_${name}_D.T_${name}_D`, Normal: `T_${name}_N`, Roughness: `T_${name}_R` } });
  for (const [i, name] of names.entries()) {
    const way = i % 5;
    if (way === 0) files.set(`${name}.mat`, text(`Diffuse=T_${name}_D\nNormal=T_${name}_N\nSpecular=T_${name}_S\nEmissive=T_${name}_E\n`));
    if (way === 1) files.set(`${name}.json`, text(json(name)));
    if (way === 2)
      files.set(`${name}.mat`, text(`Diffuse=T_${name}_D\nOther[0]=T_${name}_ORM\nOther[1]=T_${name}_A\nOther[2]=T_Other_N\n`));
    if (way < 3) put(`T_${name}_D`, `T_${name}_N`, `T_${name}_S`, `T_${name}_E`, `T_${name}_R`, `T_${name}_ORM`, `T_${name}_A`);
    if (way === 3) put(`${name}_D`, `${name}_N`, `${name}_RMA`);
  }
  put('LeftOver');
  return files;
}

describe.skipIf(!existsSync(corpus))('real models have the same textures in three.js and in a GLB', () => {
  it.each(existsSync(corpus) ? readdirSync(corpus).filter(name => !name.includes('.')) : [])('%s', async folder => {
    const files = readdirSync(new URL(`${folder}/`, corpus), { recursive: true, encoding: 'utf8' }).filter(name => /\.pskx?$/.test(name));
    for (const path of files) {
      const { scene } = await open(readFileSync(new URL(`${folder}/${path}`, corpus)), { name: path, worker: false });
      const names = [...new Set(scene?.materials.map(({ name }) => name))];
      if (!scene || scene.renderers.length === 0 || names.length < scene.materials.length) continue; // equal names are indistinguishable here
      const { lost, told, added } = await compare(scene, path, filesFor(names));
      expect({ path, added }).toEqual({ path, added: [] });
      expect(
        [...lost].filter(image => !told.has(image)),
        path,
      ).toEqual([]);
    }
  });
});
