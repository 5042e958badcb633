// Material values of a file NAME.materials.json, in three.js and in converted files.
import { DataTexture, DoubleSide, FrontSide, MeshStandardMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { encodePng } from '../../../web/src/convert/common/png.ts';
import { open } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import {
  isNamedMaterialValues,
  type NamedMaterialValues,
  readMaterialValues,
  valuesFileOf,
  withValue,
  writeMaterialValues,
} from '../../../web/src/textures/materialValues.ts';
import { FileTextures, Rig } from '../../../web/src/three/index.ts';
import { setReplacement } from '../../../web/src/three/materials/materialValues.ts';
import { armScene } from '../../support/armScene.ts';
import { contentOf } from '../../support/glbContent.ts';

const all: readonly NamedMaterialValues[] = [
  {
    material: 'Skin',
    color: '#c08040',
    opacity: 0.5,
    metallic: 0.25,
    roughness: 0.75,
    alphaMode: 'mask',
    alphaCutoff: 0.125,
    uvSet: 1,
    doubleSided: true,
  },
  { material: '__proto__', roughness: 0 },
];

describe('a file with material values', () => {
  it('is written and read without a change', () => {
    expect(readMaterialValues(writeMaterialValues(all))).toEqual(all);
    expect(writeMaterialValues([all[1]!])).toBe(
      '{\n  "materialValues": 1,\n  "materials": [\n    {"material":"__proto__","roughness":0}\n  ]\n}\n',
    );
  });

  it.each([
    ['', 'they are not JSON'],
    ['null', '"materialValues" must be 1'],
    ['{"materialValues":2,"materials":[]}', '"materialValues" must be 1'],
    ['{"materialValues":1,"materials":{"length":1e9}}', '"materials" must be a list'],
    ['{"materialValues":1,"materials":[null]}', 'entry 0 must have'],
    ['{"materialValues":1,"materials":[{"material":"a"},{"material":"a"}]}', 'listed twice'],
    ['{"materialValues":1,"materials":[{"material":"a","color":"red"}]}', '"color" of the material "a" must be a colour'],
    ['{"materialValues":1,"materials":[{"material":"a","roughness":2}]}', '"roughness" of the material "a" must be a number from 0 to 1'],
    ['{"materialValues":1,"materials":[{"material":"a","metallic":"1"}]}', '"metallic"'],
    ['{"materialValues":1,"materials":[{"material":"a","alphaMode":"toString"}]}', '"alphaMode"'],
    ['{"materialValues":1,"materials":[{"material":"a","uvSet":4}]}', '"uvSet"'],
    ['{"materialValues":1,"materials":[{"material":"a","doubleSided":1}]}', '"doubleSided"'],
    [`{"materialValues":1,"materials":[${'0,'.repeat(10_000)}0]}`, 'more than 10000 materials'],
  ])('%# is refused: %.60s', (text, reason) => {
    expect(() => readMaterialValues(text)).toThrow(
      expect.objectContaining({ code: 'MATERIAL_VALUES_INVALID', message: expect.stringContaining(reason) }),
    );
  });

  it('may have members that are unknown, which are ignored', () => {
    expect(readMaterialValues('{"materialValues":1,"materials":[{"material":"a","glow":1}]}')).toEqual([{ material: 'a' }]);
  });

  it('is named after the model', () => {
    expect(['a/hero.v2.psk', 'c:\\b\\hero.glb', 'hero'].map(valuesFileOf)).toEqual([
      'hero.v2.materials.json',
      'hero.materials.json',
      'hero.materials.json',
    ]);
  });
});

it('values from storage are checked', () => {
  expect([all[0], { material: 'a' }].every(isNamedMaterialValues)).toBe(true);
  expect([null, {}, { material: 'a', roughness: 7 }, { material: 'a', toString: 1 }].some(isNamedMaterialValues)).toBe(false);
});

it('a value is set, replaced and removed', () => {
  const one = withValue([], 'a', 'roughness', 0.5);
  expect(one).toEqual([{ material: 'a', roughness: 0.5 }]);
  expect(withValue(one, 'a', 'metallic', 1)).toEqual([{ material: 'a', roughness: 0.5, metallic: 1 }]);
  expect(withValue(one, 'b', 'metallic', 1)).toHaveLength(2);
  expect(withValue(one, 'a', 'roughness', undefined)).toEqual([]);
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const png = await encodePng({ width: 2, height: 1, data: Uint8Array.of(10, 20, 30, 255, 40, 50, 60, 90) });
const base = armScene();
const scene: RigScene = {
  ...base,
  asset: { ...base.asset, name: 'arm' },
  hints: { namedMaterials: true, directXNormals: true },
  materials: base.materials.slice(0, 2).map(material => ({ ...material, slots: [] })),
};
const files = (values: string): Map<string, Uint8Array> =>
  new Map([
    ['T_Skin_D.png', png],
    ['T_Skin_ORM.png', png],
    ['Skin.mat', text('Diffuse=T_Skin_D\nOther[0]=T_Skin_ORM\n')],
    ['arm.materials.json', text(values)],
  ]);
const decode = async (): Promise<DataTexture> => new DataTexture(new Uint8Array(4), 1, 1);

async function rigWith(source: FileTextures): Promise<{ rig: Rig; material: MeshStandardMaterial }> {
  const rig = new Rig({ scene });
  await rig.loadTextures(source, { decode });
  return { rig, material: rig.materialsOf(0)[0] as MeshStandardMaterial };
}

async function glbWith(source: FileTextures, options: Partial<ConvertOptions> = {}) {
  const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
  const file = { ...(await open(new Uint8Array(0), { name: 'arm', worker: false })), scene, report, needs: [] };
  return convert([file], { to: 'glb', images: source, ...options });
}

describe('values of a file beside the model', () => {
  const written = writeMaterialValues(all);

  it('are drawn, also with textures, and restored', async () => {
    const { material, rig } = await rigWith(new FileTextures(files(written)));
    const drawn = (): unknown => ({
      color: material.color.getHexString(),
      metalness: material.metalness,
      roughness: material.roughness,
      opacity: material.opacity,
      alphaTest: material.alphaTest,
      side: material.side,
      channels: [material.map?.channel, material.roughnessMap?.channel],
    });
    expect(drawn()).toEqual({
      color: 'c08040',
      metalness: 0.25,
      roughness: 0.75,
      opacity: 0.5,
      alphaTest: 0.125,
      side: DoubleSide,
      channels: [1, 1],
    });
    expect(rig.materialValues).toEqual(all);
    expect(rig.drawnValues(0)).toEqual({ ...all[0], material: undefined });
    rig.materialValues = [{ material: 'Skin', doubleSided: false }];
    expect(material.side).toBe(FrontSide);
    rig.materialValues = [];
    const original = drawn();
    expect(original).toMatchObject({ metalness: 1, roughness: 1, opacity: 1, alphaTest: 0, channels: [0, 0] });
    rig.materialValues = null;
    expect(material.roughness).toBe(0.75);
    rig.dispose();
  });

  it('stay when a texture is replaced, and are not mistaken for the original', async () => {
    const { material, rig } = await rigWith(new FileTextures(files(written)));
    await rig.setTexture(0, 'roughness', { name: 'r.png', bytes: png }, { decode });
    expect(material.roughness).toBe(0.75);
    rig.materialValues = [];
    expect(material.roughness).toBe(1);
    rig.dispose();
  });

  it('stay when a texture of a material is replaced that a loader of three.js draws', async () => {
    const { material, rig } = await rigWith(new FileTextures(files(written)));
    const drawn = new MeshStandardMaterial();
    setReplacement(material, drawn);
    expect(await rig.setTexture(0, 'baseColor', { name: 'c.png', bytes: png }, { decode })).toBe(true);
    expect([drawn.map?.name, drawn.map?.channel, drawn.roughness]).toEqual(['c.png', 1, 0.75]);
    expect(material.map?.name).not.toBe('c.png');
    rig.dispose();
  });

  it('are replaced by values of the source', async () => {
    const { material, rig } = await rigWith(new FileTextures(files(written), [], [{ material: 'Skin', roughness: 0.1 }]));
    expect([material.roughness, material.metalness]).toEqual([0.1, 1]);
    rig.dispose();
  });

  it('are written to a GLB', async () => {
    const { files: made, report } = await glbWith(new FileTextures(files(writeMaterialValues([{ ...all[0]!, uvSet: 0 }]))));
    const { json } = contentOf(made[0]!.bytes);
    const [r = 0, g = 0, b = 0, a] = json.materials[0]!.pbrMetallicRoughness!.baseColorFactor as number[];
    expect([r, g, b].map(value => Math.round(value * 1000) / 1000)).toEqual([0.527, 0.216, 0.051]);
    expect(a).toBe(0.5);
    expect(json.materials[0]).toMatchObject({
      pbrMetallicRoughness: { metallicFactor: 0.25, roughnessFactor: 0.75, baseColorTexture: {}, metallicRoughnessTexture: {} },
      alphaMode: 'MASK',
      alphaCutoff: 0.125,
      doubleSided: true,
    });
    expect(report.items.filter(({ code }) => code.startsWith('MATERIAL_VALUES'))).toEqual([]);
  });

  it('are ignored and reported if the file is invalid', async () => {
    const { material, rig } = await rigWith(new FileTextures(files('{}')));
    expect(material.roughness).toBe(1);
    expect(rig.report.items).toContainEqual(expect.objectContaining({ code: 'MATERIAL_VALUES_INVALID', severity: 'warning', path: 'arm' }));
    rig.dispose();
    const { report } = await glbWith(new FileTextures(files('{}')));
    expect(report.items).toContainEqual(expect.objectContaining({ code: 'MATERIAL_VALUES_INVALID' }));
  });

  it('are reported if the target cannot store them', async () => {
    const { report } = await glbWith(new FileTextures(files(written)), { to: 'cast' });
    expect(report.items).toContainEqual(
      expect.objectContaining({ code: 'MATERIAL_WORDS_LOST', detail: expect.stringContaining('factors beside textures') }),
    );
  });
});
