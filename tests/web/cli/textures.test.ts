// Textures of a batch: `convert` searches in and below the folders of the command line, like the
// viewer in dropped folders.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodePng } from '../../../web/src/convert/common/pngDecode.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { castFile, model, triangle } from '../../support/castFile.ts';
import { contentOf } from '../../support/glbContent.ts';
import { bmp, BMPS, tga, tiff } from '../../support/images.ts';

let dist: string;
let folder: string;
const at = (name: string): string => join(folder, name);

function put(name: string, content: Uint8Array | string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
}

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-textures-'));
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Row {
  out: string;
  ledger: { code: string; path: string; detail: string }[];
}

function convert(...words: string[]): Row[] {
  const { stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), 'convert', ...words, '--json'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { files: Row[] }).files;
}

/** Returns the colour of the first pixel of each image in a GLB. */
async function colorsIn(glb: string): Promise<number[][]> {
  const { json, image } = contentOf(readFileSync(glb));
  const pixels = await Promise.all(json.images.map(async (_, i) => decodePng(image(i))));
  return pixels.map(({ data }) => [...data.subarray(0, 3)]);
}

const RED = [255, 0, 0];
const GREEN = [0, 255, 0];
const plain = (color: readonly number[]): Uint8Array => tga(4, 4, () => [...color, 255]);
/** PSK models have no normals, which every conversion reports. */
const codes = ({ ledger }: Row): string[] => ledger.map(({ code }) => code).filter(code => code !== 'NORMALS_COMPUTED');

describe('convert finds images', () => {
  test('in the layout of UE Viewer: materials and textures in neighbouring folders, and in another package', async () => {
    put('ue/Cart/SkeletalMesh3/Cart_SK.psk', makePsk({ material: 'Cart_Mat' }));
    put('ue/Cart/MaterialInstanceConstant/Cart_Mat.mat', 'Diffuse=Cart_D\nNormal=Shared_N\n');
    put('ue/Cart/Texture2D/Cart_D.tga', plain(RED));
    put('ue/Common/Texture2D/Shared_N.tga', plain(GREEN));
    const [row] = convert(at('ue'), '-o', at('ue.out'));
    expect(codes(row!)).not.toContain('TEXTURES_NONE');
    expect(await colorsIn(row!.out)).toEqual([RED, [0, 0, 0]]); // the green channel of Unreal's normal maps is inverted
  });

  test('in the layout of FModel: folders Meshes, Materials and Textures', async () => {
    put('fm/Content/Hero/Meshes/SK_Hero.psk', makePsk({ material: 'MI_Hero' }));
    put(
      'fm/Content/Hero/Materials/MI_Hero.json',
      JSON.stringify({ Textures: { Diffuse: '/Game/Hero/Textures/T_Hero_D.T_Hero_D' }, Parameters: {} }),
    );
    put('fm/Content/Hero/Textures/T_Hero_D.tga', plain(RED));
    put('fm/Content/Hero/Images/MI_Hero_D.tga', plain(GREEN)); // any other folder
    expect(await colorsIn(convert(at('fm'), '-o', at('fm.out'))[0]!.out)).toEqual([RED]);
    expect(await colorsIn(convert(at('fm/Content/Hero/Meshes/SK_Hero.psk'), '-o', at('fm.glb'))[0]!.out)).toEqual([RED]);
  });

  test('with equal names in two packages: each model gets those of its package', async () => {
    for (const [name, color] of [
      ['A', RED],
      ['B', GREEN],
    ] as const) {
      put(`two/${name}/Mesh/${name}.psk`, makePsk({ material: 'Body' }));
      put(`two/${name}/Mat/Body.mat`, 'Diffuse=Body_D\n');
      put(`two/${name}/Tex/Body_D.tga`, plain(color));
    }
    const [a, b] = convert(at('two'), '-o', at('two.out'));
    expect([await colorsIn(a!.out), await colorsIn(b!.out)]).toEqual([[RED], [GREEN]]);
  });

  test('in a folder without models that is given on the command line', async () => {
    put('apart/models/Box.psk', makePsk({ material: 'Box' }));
    put('apart/images/Box_D.tga', plain(RED));
    expect(codes(convert(at('apart/models'), '-o', at('apart.out1'))[0]!)).toEqual(['TEXTURES_NONE']);
    const [row, ...others] = convert(at('apart/models'), at('apart/images'), '-o', at('apart.out2'));
    expect([await colorsIn(row!.out), others]).toEqual([[RED], []]);
    const [named] = convert(at('apart/models/Box.psk'), at('apart/images'), '-o', at('apart.glb'));
    expect(await colorsIn(named!.out)).toEqual([RED]);
  });

  test('neither above the given folders nor beside other models given by name', () => {
    put('out/Box.psk', makePsk({ material: 'Box' }));
    put('out/in/Box.psk', makePsk({ material: 'Box' }));
    put('out/Box_D.tga', plain(RED));
    expect(codes(convert(at('out/in'), '-o', at('out.out'))[0]!)).toEqual(['TEXTURES_NONE']);
    put('named/a/Box.psk', makePsk({ material: 'Box' }));
    put('named/b/Case.psk', makePsk({ material: 'Case' }));
    put('named/b/Box_D.tga', plain(RED));
    put('named/b/Lid_D.tga', plain(RED));
    expect(convert(at('named/a/Box.psk'), at('named/b/Case.psk'), '-o', at('named.out')).map(codes)).toEqual([
      ['TEXTURES_NONE'],
      ['TEXTURES_NONE'],
    ]);
  });

  test('with another name only for one model: not in a folder of several, where levels of detail count as one', async () => {
    put('several/Hero.psk', makePsk({ material: 'Torso' }));
    put('several/Ape.psk', makePsk({ material: 'Fur' }));
    put('several/paint.tga', plain(RED));
    expect(convert(at('several'), '-o', at('several.out')).map(codes)).toEqual([['TEXTURES_NONE'], ['TEXTURES_NONE']]);
    for (const name of ['Hero', 'Hero_LOD1']) put(`levels/${name}.psk`, makePsk({ material: 'Torso' }));
    put('levels/paint.tga', plain(GREEN));
    const rows = convert(at('levels'), '-o', at('levels.out'));
    expect(await Promise.all(rows.map(({ out }) => colorsIn(out)))).toEqual([[GREEN], [GREEN]]);
  });

  test.each<[string, Uint8Array]>([
    ['tga', plain(RED)],
    ['tif', tiff(4, 4, () => RED)],
    ['bmp', bmp({ ...BMPS['24 bits']!, rows: [[0, 0, 255, 0, 0, 255, 0, 0, 255]] })],
  ])('below 4 KB: %s', async (kind, bytes) => {
    put(`${kind}/Box.psk`, makePsk({ material: 'Box' }));
    put(`${kind}/Box_D.${kind}`, bytes);
    const [row] = convert(at(kind), '-o', at(`${kind}.out`));
    expect([await colorsIn(row!.out), codes(row!)]).toEqual([[RED], ['TEXTURE_GUESSED', 'TEXTURE_REENCODED']]);
  });
});

describe('a model without any texture', () => {
  test('is reported with its materials, for targets with textures', () => {
    put('bare/Box.psk', makePsk({ material: 'Wood' }));
    for (const to of ['glb', 'gltf', 'cast', 'se', 'psk', 'vgo']) {
      const [row] = convert(at('bare'), '-o', at(`bare.to.${to}s`), '--to', to);
      expect([to, row!.ledger.filter(({ code }) => code === 'TEXTURES_NONE')]).toEqual([
        to,
        [{ code: 'TEXTURES_NONE', path: 'Box', amount: 1, detail: 'Wood' }],
      ]);
    }
    put('bare/Run.psa', makePsa());
    for (const to of ['psa', 'csv', 'json'])
      expect(codes(convert(at('bare'), '-o', at(`bare.to.${to}s`), '--to', to)[0]!)).not.toContain('TEXTURES_NONE');
  });

  test('is not reported if a texture is missing or the model has no material', () => {
    put('missing/Box.psk', makePsk({ material: 'Wood' }));
    put('missing/Wood.mat', 'Diffuse=Wood_D\n');
    expect(codes(convert(at('missing'), '-o', at('missing.out'))[0]!)).toEqual(['TEXTURE_MISSING']);
    put('grey/box.cast', castFile(model('box', triangle('side'))));
    expect(codes(convert(at('grey'), '-o', at('grey.out'))[0]!)).toEqual([]);
  });
});

test('values of a file NAME.materials.json beside the model are converted, and an invalid file is reported', () => {
  put('values/hero.psk', makePsk({ side: 4, materials: ['Skin'] }));
  put('values/hero.materials.json', '{"materialValues":1,"materials":[{"material":"Skin","roughness":0.25,"doubleSided":true}]}');
  const [row] = convert(at('values/hero.psk'), '-o', at('values/hero.glb'));
  const { json } = contentOf(readFileSync(row!.out));
  expect(json.materials[0]).toMatchObject({ pbrMetallicRoughness: { roughnessFactor: 0.25 }, doubleSided: true });
  put('values/hero.materials.json', '{');
  const [again] = convert(at('values/hero.psk'), '-o', at('values/hero.glb'));
  expect(again!.ledger).toContainEqual(expect.objectContaining({ code: 'MATERIAL_VALUES_INVALID', path: 'hero' }));
});
