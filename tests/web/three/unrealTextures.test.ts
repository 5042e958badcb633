// Textures of Unreal materials in special cases: color keys, material files that list unused
// textures, images whose names don't identify their slot.
import { type DataTexture, MeshPhysicalMaterial, type MeshStandardMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import type { RigScene } from '../../../web/src/core/types.ts';
import { findColorKey, firstPaletteColor } from '../../../web/src/textures/colorKey.ts';
import { decodeTexture } from '../../../web/src/three/materials/decode.ts';
import { Rig, UrlTextures } from '../../../web/src/three/index.ts';
import { addressOf } from '../../../web/src/core/paths.ts';
import { objectName, readMat, readProps } from '../../../web/src/textures/sidecars.ts';
import { armScene } from '../../support/armScene.ts';
import { tga } from '../../support/images.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const image = tga(2, 2, (x, y) => [x * 255, y * 255, 7, 255]);
const codes = (rig: Rig): string[] => rig.report.items.map(({ code }) => code);
const material = (rig: Rig, row: number): MeshStandardMaterial => rig.materialsOf(row)[0] as MeshStandardMaterial;
const make = (over: Partial<RigScene['materials'][number]> = {}, format = 'psk'): Rig => {
  const scene = { ...armScene(), ...(format === 'psk' && { hints: { namedMaterials: true, directXNormals: true } }) };
  return new Rig({ scene: { ...scene, materials: [{ ...scene.materials[0]!, ...over }, scene.materials[1]!] }, format });
};

/** Returns an 8-bit TGA with a palette. */
function indexedTga(width: number, height: number, palette: number[][], index: (x: number, y: number) => number): Uint8Array {
  const indices = Array.from({ length: width * height }, (_, i) => index(i % width, Math.floor(i / width)));
  return Uint8Array.from([
    0,
    1,
    1,
    0,
    0,
    palette.length,
    0,
    24,
    0,
    0,
    0,
    0,
    width,
    0,
    height,
    0,
    8,
    0x20,
    ...palette.flatMap(([r, g, b]) => [b!, g!, r!]),
    ...indices,
  ]);
}

describe('color keys', () => {
  const masked = { alphaMode: 'mask' as const };
  const alphas = (map: DataTexture): number[] => Array.from(map.image.data as Uint8Array).filter((_, i) => i % 4 === 3);
  /**
   * Returns a function that returns the pixels of a 4 × 4 image: 2 × 2 pixels with a border in the
   * key color.
   */
  const framed = (key: number[], inside: number[]) => (x: number, y: number) => (x % 3 && y % 3 ? inside : key);

  it.each<[string, Uint8Array, string]>([
    ['the frame', tga(4, 4, framed([64, 64, 64, 255], [10, 20, 30, 255])), '#404040 (border)'],
    ['magenta, wherever it lies', tga(4, 4, framed([9, 9, 9, 255], [255, 0, 255, 255])), '#ff00ff (key colour)'],
    [
      'entry 0 of a palette, whatever else fills the border',
      indexedTga(
        4,
        4,
        [
          [1, 2, 3],
          [255, 0, 255],
        ],
        (x, y) => (x % 3 && y % 3 ? 0 : 1),
      ),
      '#010203 (palette entry 0)',
    ],
  ])('cut out %s of a masked material, with a finding', async (_, bytes, detail) => {
    const rig = make(masked);
    await rig.loadTextures(
      new Map([
        ['Skin_D.tga', bytes],
        ['Cloth_D.tga', bytes],
      ]),
    );
    expect(rig.report.items.filter(({ code }) => code === 'TEXTURE_KEYED')).toEqual([
      { code: 'TEXTURE_KEYED', severity: 'info', offset: null, path: 'Skin', detail, count: 1 },
    ]);
    const cut = alphas(material(rig, 0).map as DataTexture);
    expect(new Set(cut)).toEqual(new Set([0, 255]));
    expect(cut.filter(alpha => alpha === 0)).toHaveLength(detail.includes('border') ? 12 : 4);
    expect(alphas(material(rig, 1).map as DataTexture)).not.toContain(0); // the material is not masked, so the same image remains opaque
  });

  it('give transparent pixels the color of their neighbours', async () => {
    const rig = make(masked);
    await rig.loadTextures(new Map([['Skin_D.tga', tga(4, 4, framed([255, 0, 255, 255], [10, 20, 30, 255]))]]));
    expect([...((material(rig, 0).map as DataTexture).image.data as Uint8Array).subarray(0, 4)]).toEqual([10, 20, 30, 0]);
  });

  it('are not applied if disabled, if the image has alpha, or if no rule applies', async () => {
    const frame = tga(4, 4, framed([255, 0, 255, 255], [10, 20, 30, 255]));
    const off = make(masked);
    await off.loadTextures(new Map([['Skin_D.tga', frame]]), { colorKey: false });
    const own = make(masked);
    await own.loadTextures(new Map([['Skin_D.tga', tga(4, 4, framed([255, 0, 255, 255], [10, 20, 30, 0]))]]));
    const plain = make(masked);
    await plain.loadTextures(new Map([['Skin_D.tga', tga(4, 4, (x, y) => [16 * x + 9, 16 * y + 9, 7, 255])]]));
    const unity = make(masked, 'vgo');
    await unity.loadTextures(new Map([['Skin_D.tga', frame]]));
    for (const rig of [off, own, plain, unity]) expect(codes(rig)).not.toContain('TEXTURE_KEYED');
    expect(alphas(material(off, 0).map as DataTexture)).not.toContain(0);
  });

  it('are detected in order: full-intensity colors, a whole border, solid black, half of a border', () => {
    const key = (pixel: (x: number, y: number) => number[]): number | undefined => {
      const pixels = Uint8Array.from({ length: 400 }, (_, i) => [...pixel(Math.floor(i / 4) % 10, Math.floor(i / 40)), 255][i % 4]!);
      return findColorKey(pixels, 10, 10, new Uint8Array(0))?.color;
    };
    const edge = (x: number, y: number): boolean => x % 9 === 0 || y % 9 === 0;
    expect(key((x, y) => (edge(x, y) ? [9, 9, 9] : x === 5 ? [0, 0, 0] : [x, y, 99]))).toBe(0xff090909);
    expect(key((x, y) => (x === 0 ? [1, 2, y] : edge(x, y) ? [9, 9, 9] : x === 5 ? [0, 0, 0] : [x, y, 99]))).toBe(0xff000000);
    expect(key((x, y) => (x === 0 ? [1, 2, y] : edge(x, y) ? [9, 9, 9] : [x, y, 99]))).toBe(0xff090909);
    expect(key((x, y) => (edge(x, y) && x + y !== 4 ? [9, 9, 9] : [0, 0, 255]))).toBe(0xffff0000);
    expect(key((x, y) => [x, y, 99])).toBeUndefined();
  });

  it('read palettes of 8-bit images only, and never throw for short files', () => {
    const png = Uint8Array.from([
      0x89,
      0x50,
      0x4e,
      0x47,
      13,
      10,
      26,
      10,
      0,
      0,
      0,
      13,
      ...text('IHDR'),
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      1,
      8,
      3,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      3,
      ...text('PLTE'),
      7,
      8,
      9,
      0,
      0,
      0,
      0,
    ]);
    expect(firstPaletteColor(png)).toBe(0xff090807);
    expect(firstPaletteColor(png.map((byte, i) => (i === 25 ? 2 : byte)))).toBeNull();
    const bmp = new Uint8Array(14 + 40 + 8);
    bmp.set([0x42, 0x4d]);
    bmp.set([40], 14);
    bmp.set([8], 28);
    bmp.set([9, 8, 7], 54);
    expect(firstPaletteColor(bmp)).toBe(0xff090807);
    for (const whole of [png, bmp, indexedTga(1, 1, [[1, 2, 3]], () => 0)])
      for (let length = 0; length < whole.length; length++) expect(() => firstPaletteColor(whole.subarray(0, length))).not.toThrow();
  });
});

describe('PCX', () => {
  /** Returns a PCX header. Each line of the file stores one column more than the image has. */
  const head = (width: number, height: number, planes: number): number[] => {
    const bytes = new Uint8Array(128);
    bytes.set([10, 5, 1, 8, 0, 0, 0, 0, width - 1, 0, height - 1, 0]);
    bytes.set([planes, width + 1, 0], 65);
    return [...bytes];
  };
  const palette = (...colors: number[][]): number[] => [12, ...colors.flat(), ...Array.from({ length: 768 - 3 * colors.length }, () => 0)];
  const pixels = async (...bytes: number[]): Promise<number[]> => [
    ...(((await decodeTexture({ name: 'a.PCX', bytes: Uint8Array.from(bytes) })) as DataTexture).image.data as Uint8Array),
  ];

  it('is decoded with a palette and with planes, runs and single bytes', async () => {
    expect(await pixels(...head(3, 2, 1), 0xc2, 1, 0, 0, 0xc1, 0xc1, 0xc3, 0, ...palette([9, 8, 7], [1, 2, 3]))).toEqual([
      1, 2, 3, 255, 1, 2, 3, 255, 9, 8, 7, 255, 0, 0, 0, 255, 9, 8, 7, 255, 9, 8, 7, 255,
    ]);
    expect(await pixels(...head(3, 1, 3), 0xc4, 1, 0xc4, 2, 5, 6, 7, 0)).toEqual([1, 2, 5, 255, 1, 2, 6, 255, 1, 2, 7, 255]);
  });

  it('uses palette entry 0 as color key of a masked material', async () => {
    const rig = make({ alphaMode: 'mask' });
    await rig.loadTextures(new Map([['Skin.pcx', Uint8Array.from([...head(3, 1, 1), 1, 0, 1, 0, ...palette([9, 8, 7], [1, 2, 3])])]]));
    expect(rig.report.items.find(({ code }) => code === 'TEXTURE_KEYED')?.detail).toBe('#090807 (palette entry 0)');
    expect([...((material(rig, 0).map as DataTexture).image.data as Uint8Array)].filter((_, i) => i % 4 === 3)).toEqual([255, 0, 255]);
  });

  it('throws for truncated files, other formats and wrong sizes', async () => {
    const whole = [...head(3, 1, 1), 1, 0, 1, 0, ...palette()];
    for (const length of [0, 50, 127, 128, 200, whole.length - 1]) await expect(pixels(...whole.slice(0, length))).rejects.toThrow();
    await expect(pixels(...whole.map((byte, i) => (i === 65 ? 4 : byte)))).rejects.toThrow(/8 or 24 bits/);
    await expect(pixels(...whole.map((byte, i) => (i === 9 || i === 11 || i === 67 ? 0x3f : byte)))).rejects.toThrow(/pixels in/);
  });
});

describe("UE Viewer's Other[n]", () => {
  it('is used only with the stem of Diffuse or Normal, and never reported as missing', async () => {
    const { textures, optional: others } = readMat(
      'Diffuse=T_Bag_BC\nNormal=T_Bag_N\nOther[0]=T_Bag_ARM\nOther[1]=T_BS_Wood_Base_Tile_01_M\nOther[2]=T_Default_001_E\n',
    );
    expect([...textures]).toEqual([
      ['baseColor', 'T_Bag_BC'],
      ['normal', 'T_Bag_N'],
    ]);
    expect([...others!]).toEqual([['orm', 'T_Bag_ARM']]);
    const rig = make();
    await rig.loadTextures(
      new Map([
        ['Skin.mat', text('Diffuse=T_Bag_BC\nOther[0]=T_Bag_ARM\nOther[1]=T_Default_001_E\n')],
        ['T_Bag_BC.tga', image],
        ['T_Default_001_E.tga', image],
      ]),
    );
    expect(material(rig, 0)).toMatchObject({ emissiveMap: null, roughnessMap: null });
    expect(rig.report.items.filter(({ path }) => path === 'Skin')).toEqual([]);
    const asked: string[] = [];
    await make().loadTextures(
      new UrlTextures(async name => (asked.push(name), name === 'Skin.mat' ? text('Diffuse=T_Bag_BC\nOther[0]=T_Bag_ARM\n') : null)),
    );
    expect(asked.filter(name => name.includes('ARM'))).toEqual([]);
  });

  it('is the base color if Diffuse contains packed channels', () => {
    const { textures } = readMat('Diffuse=T_Body_ARM\nNormal=T_Body_N\nOther[0]=T_Body_BC\nOther[1]=T_Tint\n');
    expect([...textures].sort()).toEqual([
      ['baseColor', 'T_Body_BC'],
      ['normal', 'T_Body_N'],
      ['orm', 'T_Body_ARM'],
    ]);
  });
});

describe('eyes', () => {
  const head = [
    ['Skin.mat', text('Diffuse=T_Head_BC\n')],
    ['T_Head_BC.tga', image],
  ] as const;

  it('draws a material without color as a clear gloss if other materials have one', async () => {
    const rig = make();
    await rig.loadTextures(new Map([...head, ['Cloth.mat', text('Normal=eye_outer_N\n')], ['eye_outer_N.tga', image]]));
    expect(material(rig, 1)).toMatchObject({ transparent: true, depthWrite: false });
    expect(material(rig, 1).opacity).toBeLessThan(0.2);
    expect(rig.report.items.filter(({ path }) => path === 'Cloth').map(({ code }) => code)).toEqual(['MATERIAL_GLOSS']);
    expect(material(rig, 0)).toMatchObject({ transparent: false, opacity: 1 });
  });

  it('draws no clear gloss if another texture is a color, or no material has one', async () => {
    const hidden = make();
    await hidden.loadTextures(new Map([...head, ['Cloth.mat', text('Normal=no_beard\nOther[0]=T_Head_BC\n')]]));
    const alone = make();
    await alone.loadTextures(
      new Map([
        ['Skin.mat', text('Normal=a_N\n')],
        ['Cloth.mat', text('Normal=b_N\n')],
      ]),
    );
    for (const rig of [hidden, alone]) expect(codes(rig)).not.toContain('MATERIAL_GLOSS');
    expect(material(hidden, 1).transparent).toBe(false);
  });

  it('draws lashes dark and cut out by their mask', async () => {
    const rig = make();
    await rig.loadTextures(new Map([...head, ['Cloth.mat', text('Diffuse=T_Eyelashes_M\n')], ['T_Eyelashes_M.tga', image]]));
    expect(material(rig, 1)).toMatchObject({ map: null, transparent: false });
    expect(material(rig, 1).alphaMap).not.toBeNull();
    expect(material(rig, 1).alphaTest).toBeGreaterThan(0);
    expect(material(rig, 1).color.r).toBeLessThan(0.05);
  });
});

describe('images without a matching name', () => {
  it('assigns the remaining image to the only untextured material', async () => {
    const rig = make();
    await rig.loadTextures(
      new Map([
        ['Skin_D.tga', image],
        ['C4Skin.tga', image],
        ['Other_N.tga', image],
      ]),
    );
    expect(material(rig, 1).map?.name).toBe('C4Skin.tga');
    expect(rig.report.items.find(({ path }) => path === 'Cloth')).toMatchObject({ code: 'TEXTURE_GUESSED', detail: 'C4Skin.tga' });
  });

  it('prefers the image named like the mesh, and ignores several others', async () => {
    const named = make();
    await named.loadTextures(
      new Map([
        ['Skin_D.tga', image],
        ['Arm.tga', image],
        ['More.tga', image],
      ]),
    ); // because the name of the asset is arm
    expect(material(named, 1).map?.name).toBe('Arm.tga');
    const several = make();
    await several.loadTextures(
      new Map([
        ['Skin_D.tga', image],
        ['More.tga', image],
        ['Most.tga', image],
      ]),
    );
    expect(material(several, 1).map).toBeNull();
    const two = make();
    await two.loadTextures(new Map([['Arm.tga', image]]));
    expect([material(two, 0).map, material(two, 1).map]).toEqual([null, null]);
  });
});

describe('findings of an earlier load', () => {
  it("is taken back, and a better file of a damaged one's name is looked at", async () => {
    const rig = make();
    const mats = [
      ['Skin.mat', text('Diffuse=T_A\n')],
      ['Cloth.mat', text('Diffuse=T_B\n')],
    ] as const;
    await rig.loadTextures(new Map([...mats, ['T_A.tga', image.subarray(0, 20)]]));
    expect(codes(rig).sort()).toEqual(['TEXTURE_DAMAGED', 'TEXTURE_MISSING']);
    expect(rig.report).toMatchObject({ warnings: 1, infos: 1 });
    await rig.loadTextures(new Map([...mats, ['T_A.tga', image], ['T_B.tga', image]]));
    expect(material(rig, 0).map).not.toBeNull();
    expect(rig.report).toMatchObject({ errors: 0, warnings: 0, infos: 0, items: [] });
    await rig.loadTextures(new Map(mats)); // loaded textures are not reported as missing
    expect(rig.report.items).toEqual([]);
  });
});

describe('hostile files', () => {
  const many = (n: number): RigScene => {
    const scene = armScene();
    const base = scene.materials[0]!;
    return {
      ...scene,
      materials: Array.from({ length: n }, (_, i) => ({
        ...base,
        name: `m${i}`,
        slots: [{ slot: 'baseColor', source: 'albedo', texture: i }],
      })),
      textures: Array.from({ length: n }, (_, i) => ({
        name: `t${i}`,
        image: i,
        wrapU: 'repeat',
        wrapV: 'repeat',
        filter: 'linear',
        offset: [0, 0],
        scale: [1, 1],
        uvSet: 0,
        srgb: true,
      })),
      images: Array.from({ length: n }, (_, i) => ({ name: `t${i}.png`, path: `maps/t${i}.png` })),
      meshes: [{ ...scene.meshes[0]!, groups: Array.from({ length: n }, (_, i) => ({ start: 3 * (i % 4), count: 3, material: i })) }],
    } as unknown as RigScene;
  };

  it('request at most 512 names from a server, eight in parallel', async () => {
    let asked = 0;
    let running = 0;
    let most = 0;
    const rig = new Rig({ scene: many(1000), format: 'cast' });
    await rig.loadTextures(
      new UrlTextures(async () => {
        asked++;
        most = Math.max(most, ++running);
        await new Promise(resolve => setTimeout(resolve));
        running--;
        return null;
      }),
    );
    expect(asked).toBeLessThanOrEqual(1024);
    expect(most).toBeLessThanOrEqual(8);
    expect(rig.report.items.filter(({ code }) => code === 'TEXTURE_LIMIT')).toEqual([
      { code: 'TEXTURE_LIMIT', severity: 'warning', offset: null, path: 'textures', detail: '488 of 1000 names', count: 1 },
    ]);
    const few = new Rig({ scene: many(20), format: 'cast' });
    asked = 0;
    await few.loadTextures(new UrlTextures(async () => (asked++, null)), { maxTextures: 3 });
    expect(asked).toBeLessThanOrEqual(15);
  });

  it('try the extension that succeeded first, and stop trying one that never does', async () => {
    const asked: string[] = [];
    const source = new UrlTextures(async name => (asked.push(name), name.endsWith('.tga') ? image : null));
    for (let i = 0; i < 100; i++) expect((await source.image(`t${i}`))?.name).toBe(`t${i}.tga`);
    expect(asked.slice(0, 3)).toEqual(['t0.png', 't0.tga', 't1.tga']);
    expect(asked).toHaveLength(101);
    asked.length = 0;
    const none = new UrlTextures(async name => (asked.push(name), null));
    for (let i = 0; i < 100; i++) await none.image(`t${i}.png`);
    expect(asked).toHaveLength(100 + 3 * 16);
  });

  it('ignore truncated UTF-8 in a material file', async () => {
    expect(addressOf(['a b', 'T_\ud800_D'])).toBe('a%20b/T_%EF%BF%BD_D');
    expect(addressOf(['\u{1f600}'])).toBe('%F0%9F%98%80');
  });

  it('parse material files with long runs of blanks and dots in linear time', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(readMat(`Diffuse=a${blanks}b\nNormal=n`).textures.get('normal')).toBe('n');
    expect(readProps(`ParameterName=a${blanks}b\n`).textures.size).toBe(0);
    expect(objectName(`${'a.'.repeat(500_000)}b`)).toHaveLength(1_000_001);
    expect(['T_B.T_B', 't_b.T_B', 'a.b.a.b', 'T_B.T_C'].map(objectName)).toEqual(['T_B', 't_b', 'a.b', 'T_B.T_C']);
  });

  it('report an image that declares more pixels than its size allows', async () => {
    const bomb = new Uint8Array(10_500_000);
    bomb.set([0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 32, 0x20]);
    await expect(decodeTexture({ name: 'a.tga', bytes: bomb })).rejects.toThrow(/16384 × 16384 pixels in 10500000 bytes/);
    const tiff = Uint8Array.from([
      0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 0, 64, 0, 0, 1, 1, 3, 0, 1, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0,
    ]);
    await expect(decodeTexture({ name: 'a.tif', bytes: tiff })).rejects.toThrow(/16384 × 16384 pixels/);
  });

  it('look up thousands of materials and renderers by row', () => {
    const n = 4000;
    let reads = 0;
    const scene = armScene();
    const base = scene.renderers[0]!;
    const mesh = scene.meshes[0]!;
    const renderers = Array.from({ length: n }, (_, i) => ({
      ...base,
      get mesh() {
        return (reads++, i);
      },
    }));
    const rig = new Rig({
      scene: {
        ...scene,
        renderers,
        meshes: Array.from({ length: n }, () => mesh),
        materials: Array.from({ length: n }, (_, i) => ({ ...scene.materials[0]!, name: `m${i}` })),
      },
      format: 'cast',
    });
    expect(rig.meshes).toHaveLength(n);
    expect(reads).toBeLessThan(20 * n);
    expect(rig.materialsOf(0)[0]).not.toBeInstanceOf(MeshPhysicalMaterial);
    rig.dispose();
  });
});
