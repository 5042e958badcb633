import {
  CompressedTexture,
  type DataTexture,
  DoubleSide,
  type MeshStandardMaterial,
  NoColorSpace,
  RED_GREEN_RGTC2_Format,
  RED_RGTC1_Format,
  RGBA_BPTC_Format,
  RGBA_S3TC_DXT1_Format,
  SRGBColorSpace,
  type WebGLProgramParametersWithUniforms,
} from 'three';
import { describe, expect, it } from 'vitest';
import { readDds } from '../../../web/src/three/materials/dds.ts';
import { FileTextures, Rig, UrlTextures } from '../../../web/src/three/index.ts';
import { guessTextures, remainingImage, slotBySuffix } from '../../../web/src/textures/names.ts';
import { Listing } from '../../../web/src/textures/sources.ts';
import { objectName, readMat, readMaterialJson, readProps } from '../../../web/src/textures/sidecars.ts';
import { armScene } from '../../support/armScene.ts';
import { dds, tga } from '../../support/images.ts';

describe('DDS', () => {
  it.each([
    ['DXT1', { fourCC: 'DXT1' }, RGBA_S3TC_DXT1_Format, 8],
    ['BC4 by DX10', { dxgi: 80 }, RED_RGTC1_Format, 8],
    ['BC5 by DX10', { dxgi: 83 }, RED_GREEN_RGTC2_Format, 16],
    ['BC5 by name', { fourCC: 'ATI2' }, RED_GREEN_RGTC2_Format, 16],
    ['BC7 by DX10', { dxgi: 98 }, RGBA_BPTC_Format, 16],
  ])('%s is handed to the GPU with its mipmaps', (_, kind, format, blockBytes) => {
    const data = new Uint8Array((2 + 1 + 1) * blockBytes).map((_byte, i) => i);
    const texture = readDds(dds({ ...kind, mips: 3, data })) as CompressedTexture;
    expect(texture).toBeInstanceOf(CompressedTexture);
    expect(texture.format).toBe(format);
    expect(texture.mipmaps.map(({ width, height, data }) => [width, height, (data as Uint8Array).length])).toEqual([
      [8, 4, 2 * blockBytes],
      [4, 2, blockBytes],
      [2, 1, blockBytes],
    ]);
    expect((texture.mipmaps[1]!.data as Uint8Array)[0]).toBe(2 * blockBytes);
  });

  it('converts uncompressed pixels to RGBA', () => {
    const texture = readDds(
      dds({ width: 1, height: 2, bits: 32, masks: [0xff0000, 0xff00, 0xff, 0xff000000], data: Uint8Array.of(3, 2, 1, 4, 7, 6, 5, 8) }),
    ) as DataTexture;
    expect([...(texture.image.data as Uint8Array)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('throws for truncated files and unknown formats', () => {
    const whole = dds({ dxgi: 98, data: new Uint8Array(32) });
    for (let length = 0; length < whole.length; length++) expect(() => readDds(whole.subarray(0, length))).toThrow();
    expect(() => readDds(dds({ dxgi: 2 }))).toThrow(expect.objectContaining({ code: 'IMAGE_UNSUPPORTED' }));
    expect(() => readDds(dds({ fourCC: 'DXT1', width: 6, data: new Uint8Array(64) }))).toThrow(
      expect.objectContaining({ code: 'IMAGE_UNSUPPORTED' }),
    );
    expect(() => readDds(dds({ fourCC: 'DXT1', width: 1 << 20 }))).toThrow(/pixels/);
    expect(() => readDds(dds({ fourCC: 'DXT1', data: new Uint8Array(64) }), () => false)).toThrow(
      expect.objectContaining({ code: 'IMAGE_UNSUPPORTED' }),
    );
  });
});

describe('sidecars', () => {
  it('reads .mat', () => {
    const { textures } = readMat(
      'Diffuse=T_Body_D\r\nNormal=T_Body_N\nSpecPower=T_Gloss\nMask=T_Body_MRO\nOther[0]=T_Noise\n=\nEmissive=\n',
    );
    expect([...textures]).toEqual([
      ['baseColor', 'T_Body_D'],
      ['normal', 'T_Body_N'],
      ['gloss', 'T_Gloss'],
      ['mro', 'T_Body_MRO'],
    ]);
  });

  it('reads .props.txt', () => {
    const text =
      `BlendMode = BLEND_Masked (1)\nTwoSided = true\nOpacityMaskClipValue = 0.25\nTextureParameterValues[2] =\n{\n  TextureParameterValues[0] =\n  {\n    ParameterInfo = { Name=Base Color }\n` +
      `    ParameterValue = Texture2D'/Game/Body/T_Body_BC.T_Body_BC'\n  }\n  TextureParameterValues[1] =\n  {\n    ParameterName = Mask\n    ParameterValue = Texture2D'/Game/Body/T_Body_ORM.T_Body_ORM'\n  }\n}\n`;
    const { textures, ...flags } = readProps(text);
    expect([...textures]).toEqual([
      ['baseColor', 'T_Body_BC'],
      ['orm', 'T_Body_ORM'],
    ]);
    expect(flags).toEqual({ blend: 'mask', twoSided: true, alphaCutoff: 0.25 });
  });

  it('reads .props.txt of UE Viewer with names after values and an empty ParameterInfo', () => {
    const { textures, ...flags } = readProps(`Parent = Material3'Content/Characters/Knight/M_Master.M_Master'
BasePropertyOverrides =
{
    bOverride_BlendMode = true
    bOverride_TwoSided = true
    BlendMode = BLEND_Masked (1)
    TwoSided = true
    OpacityMaskClipValue = 0.3333
}
ScalarParameterValues[1] =
{
    ScalarParameterValues[0] =
    {
        ParameterInfo = { Name=None }
        ParameterValue = 0.85
        ParameterName = Roughness
    }
}
TextureParameterValues[4] =
{
    TextureParameterValues[0] =
    {
        ParameterInfo = { Name=None }
        ParameterValue = Texture2D'Content/Characters/Knight/T_Knight_BC.T_Knight_BC'
        ParameterName = Albedo
    }
    TextureParameterValues[1] =
    {
        ParameterInfo = { Name=None }
        ParameterValue = Texture2D'Content/Characters/Knight/T_Knight_N.T_Knight_N'
        ParameterName = Normal
    }
    TextureParameterValues[2] =
    {
        ParameterInfo = { Name=None }
        ParameterValue = None
        ParameterName = Emissive
    }
    TextureParameterValues[3] =
    {
        ParameterInfo = { Name=None }
        ParameterValue = Texture2D'Content/Characters/Knight/T_Knight_ORM.T_Knight_ORM'
        ParameterName = Packed Mask
    }
}
VectorParameterValues[1] =
{
    VectorParameterValues[0] =
    {
        ParameterInfo = { Name=None }
        ParameterValue = { R=1, G=0.9, B=0.8, A=1 }
        ParameterName = Tint
    }
}
`);
    expect([...textures]).toEqual([
      ['baseColor', 'T_Knight_BC'],
      ['normal', 'T_Knight_N'],
      ['orm', 'T_Knight_ORM'],
    ]);
    expect(flags).toEqual({ blend: 'mask', twoSided: true, alphaCutoff: 0.3333 });
  });

  it('reads only color and normal of a master material of UE Viewer', () => {
    const block = (index: number, name: string, texture: string): string =>
      `    CollectedTextureParameters[${index}] =\n    {\n        Texture = Texture2D'Content/Props/${texture}.${texture}'\n        Name = ${name}\n        Group = Base\n    }\n`;
    const text =
      `BlendMode = BLEND_Opaque (0)\nTwoSided = false\nReferencedTextures[1] =\n{\n    ReferencedTextures[0] = Texture2D'Content/Props/T_Noise.T_Noise'\n}\n` +
      `CollectedTextureParameters[3] =\n{\n${block(0, 'Diffuse', 'T_Leaf_Atlas')}${block(1, 'NormalMap', 'T_Leaf_N')}${block(2, 'Emissive', 'T_White')}}\n`;
    const { textures, ...flags } = readProps(text);
    expect([...textures]).toEqual([
      ['baseColor', 'T_Leaf_Atlas'],
      ['normal', 'T_Leaf_N'],
    ]);
    expect(flags).toEqual({ blend: 'opaque', twoSided: false });
  });

  it('reads all keys that UE Viewer writes to a .mat', () => {
    const { textures } = readMat(
      'Diffuse=Knight_Diff\nNormal=Knight_Nrm\nSpecular=Knight_Spec\nSpecPower=Knight_Gloss\nOpacity=Knight_Alpha\nEmissive=Knight_Glow\nCube=Sky\nMask=Knight_MRA\n',
    );
    expect([...textures]).toEqual([
      ['baseColor', 'Knight_Diff'],
      ['normal', 'Knight_Nrm'],
      ['specularColor', 'Knight_Spec'],
      ['gloss', 'Knight_Gloss'],
      ['opacity', 'Knight_Alpha'],
      ['emissive', 'Knight_Glow'],
      ['mra', 'Knight_MRA'],
    ]);
  });

  it('reads JSON of CUE4Parse and FModel only', () => {
    const cue4parse = {
      Textures: { PM_Diffuse: '/Game/A/T_A_D.T_A_D', PM_Normals: 'T_A_N', PM_SpecularMasks: 'T_A_S', __proto__x: 3 },
      Parameters: { BlendMode: 'BLEND_Translucent' },
    };
    const first = readMaterialJson(JSON.stringify(cue4parse))!;
    expect([...first.textures]).toEqual([
      ['baseColor', 'T_A_D'],
      ['normal', 'T_A_N'],
      ['specularMasks', 'T_A_S'],
    ]);
    expect(first.blend).toBe('blend');
    const fmodel = [
      {
        Type: 'MaterialInstanceConstant',
        Properties: {
          TextureParameterValues: [
            {
              ParameterInfo: { Name: 'Emissive Color' },
              ParameterValue: { ObjectName: "Texture2D'T_A_E'", ObjectPath: '/Game/A/T_A_E.0' },
            },
            null,
            { ParameterInfo: 3 },
          ],
          BasePropertyOverrides: { bOverride_TwoSided: true, TwoSided: true },
        },
      },
    ];
    expect(readMaterialJson(JSON.stringify(fmodel))).toEqual({ textures: new Map([['emissive', 'T_A_E']]), twoSided: true });
    for (const text of ['', '{', 'null', '[1]', '{"Properties":{}}', '{"Textures":[]}']) expect(readMaterialJson(text), text).toBeNull();
  });

  it('takes roughness, metalness and opacity of JSON if no texture contains them', () => {
    const cue4parse = (Scalars: object, Textures: object = {}, BlendMode: string | number = 0) =>
      readMaterialJson(JSON.stringify({ Textures, Parameters: { Scalars, BlendMode } }))!;
    expect(cue4parse({ 'Roughness Multiplier': 0.2, 'Base Roughness': 0.4, Roughness: 0.9, METALLIC: 1, Opacity: 0.5 })).toEqual({
      textures: new Map(),
      blend: 'opaque',
      roughness: 0.4,
      metalness: 1,
    });
    expect(cue4parse({ Roughness: 0.4, Metallic: 1, Opacity: 0.5 }, { ORM: 'T_A_ORM' }, 'BLEND_Translucent')).toEqual({
      textures: new Map([['orm', 'T_A_ORM']]),
      blend: 'blend',
      opacity: 0.5,
    });
    expect(cue4parse({ Opacity: 0.5 }, { Opacity: 'T_A_O' }, 2)).toEqual({ textures: new Map([['opacity', 'T_A_O']]), blend: 'blend' });
    // Values beyond the range have another meaning, such as that of a factor.
    expect(cue4parse({ Roughness: 1.5, Metallic: '1', Metalness: -1 })).toEqual({ textures: new Map(), blend: 'opaque' });
    const scalar = (Name: string, ParameterValue: number) => ({ ParameterInfo: { Name }, ParameterValue });
    const fmodel = [{ Properties: { ScalarParameterValues: [scalar('Roughness Value', 0.3), null, scalar('Metallic', 0)] } }];
    expect(readMaterialJson(JSON.stringify(fmodel))).toEqual({ textures: new Map(), roughness: 0.3, metalness: 0 });
  });

  it('takes the base colour of JSON without a colour texture', () => {
    const color = (R: number, G: number, B: number) => ({ R, G, B, A: 1, Hex: 'FFFFFFFF' });
    const cue4parse = { Textures: {}, Parameters: { Colors: { Rim: color(1, 1, 1), 'Base Color': color(0.5, 0.25, 0) } } };
    expect(readMaterialJson(JSON.stringify(cue4parse))).toEqual({ textures: new Map(), color: [0.5, 0.25, 0] });
    const textured = { ...cue4parse, Textures: { Diffuse: 'T_A_D' } };
    expect(readMaterialJson(JSON.stringify(textured))).toEqual({ textures: new Map([['baseColor', 'T_A_D']]) });
    const vector = (Name: string, ParameterValue: object) => ({ ParameterInfo: { Name }, ParameterValue });
    const fmodel = [
      { Properties: { VectorParameterValues: [vector('Color', { R: -1, G: 0, B: 'x' }), vector('DiffuseColor', color(0, 1, 0.5))] } },
    ];
    expect(readMaterialJson(JSON.stringify(fmodel))).toEqual({ textures: new Map(), color: [0, 1, 0.5] });
  });

  it('reads a complete export of both', () => {
    const reference = (kind: string, name: string) => ({ ObjectName: `${kind}'${name}'`, ObjectPath: `Game/Characters/Knight/${name}.0` });
    const texture = (parameter: string, name: string) => ({
      ParameterInfo: { Name: parameter, Association: 'EMaterialParameterAssociation::GlobalParameter', Index: -1 },
      ParameterValue: name ? reference('Texture2D', name) : null,
      ExpressionGUID: '4F1C0D7E-4C5A1E5B-9B1D2A8E-3C0F7A11',
    });
    const fmodel = [
      {
        Type: 'MaterialInstanceConstant',
        Name: 'MI_Knight',
        Flags: 'RF_Public | RF_Standalone',
        Class: "UScriptClass'MaterialInstanceConstant'",
        Package: '/Game/Characters/Knight/MI_Knight',
        Properties: {
          Parent: reference('Material', 'M_Master'),
          ScalarParameterValues: [{ ParameterInfo: { Name: 'Roughness', Index: -1 }, ParameterValue: 0.4 }],
          TextureParameterValues: [
            texture('BaseColor', 'T_Knight_BC'),
            texture('Normal Map', 'T_Knight_N'),
            texture('Detail', ''),
            texture('ORM', 'T_Knight_Packed'),
          ],
          BasePropertyOverrides: {
            bOverride_BlendMode: true,
            BlendMode: 'EBlendMode::BLEND_Masked',
            bOverride_OpacityMaskClipValue: true,
            OpacityMaskClipValue: 0.5,
            TwoSided: true,
          },
          StaticParameters: { StaticSwitchParameters: [] },
        },
      },
    ];
    expect(readMaterialJson(JSON.stringify(fmodel, null, 2))).toEqual({
      textures: new Map([
        ['baseColor', 'T_Knight_BC'],
        ['normal', 'T_Knight_N'],
        ['orm', 'T_Knight_Packed'],
      ]),
      blend: 'mask',
      alphaCutoff: 0.5,
    });
    const cue4parse = {
      Textures: {
        Diffuse: 'Game/Characters/Knight/T_Knight_BC.T_Knight_BC',
        Normals: 'Game/Characters/Knight/T_Knight_N.T_Knight_N',
        SpecularMasks: 'Game/Characters/Knight/T_Knight_S.T_Knight_S',
        Emissive: 'Game/Characters/Knight/T_Knight_E.T_Knight_E',
      },
      Parameters: {
        Colors: { Tint: { R: 1, G: 1, B: 1, A: 1, Hex: 'FFFFFF' } },
        Scalars: { Roughness: 0.4 },
        Switches: {},
        ComponentMasks: {},
        Properties: { TwoSided: true },
        BlendMode: 0,
        ShadingModel: 1,
      },
    };
    expect(readMaterialJson(JSON.stringify(cue4parse, null, 2))).toEqual({
      textures: new Map([
        ['baseColor', 'T_Knight_BC'],
        ['normal', 'T_Knight_N'],
        ['specularMasks', 'T_Knight_S'],
        ['emissive', 'T_Knight_E'],
      ]),
      blend: 'opaque',
      twoSided: true,
    });
  });

  it.each([
    [0, 'opaque'],
    [1, 'mask'],
    [2, 'blend'],
    [3, 'add'],
    [4, 'multiply'],
    [5, 'blend'],
    ['EBlendMode::BLEND_Translucent', 'blend'],
    [99, undefined],
  ])('maps the blend mode %s of CUE4Parse to %s', (BlendMode, blend) => {
    expect(readMaterialJson(JSON.stringify({ Textures: {}, Parameters: { BlendMode } }))!.blend).toBe(blend);
  });

  it('prefers named parameters of CUE4Parse over its fallbacks, and reads overrides of instances', () => {
    const cue4parse = {
      Textures: {
        PM_Diffuse: '/Game/T_Dirt_D.T_Dirt_D',
        PM_Normals: '/Game/T_A_N.T_A_N',
        Diffuse: '/Game/T_A_D.T_A_D',
        'Detail Diffuse': 'T_Dirt_D',
      },
      Parameters: {
        BlendMode: 1,
        Properties: {
          TwoSided: true,
          BasePropertyOverrides: {
            bOverride_BlendMode: true,
            BlendMode: 'EBlendMode::BLEND_Masked',
            bOverride_TwoSided: true,
            TwoSided: false,
            bOverride_OpacityMaskClipValue: true,
            OpacityMaskClipValue: 0.7,
          },
        },
      },
    };
    expect(readMaterialJson(JSON.stringify(cue4parse))).toEqual({
      textures: new Map([
        ['baseColor', 'T_A_D'],
        ['normal', 'T_A_N'],
      ]),
      blend: 'mask',
      alphaCutoff: 0.7,
      twoSided: false,
    });
    const inherited = {
      Textures: {},
      Parameters: { BlendMode: 0, Properties: { BasePropertyOverrides: { bOverride_TwoSided: true, TwoSided: true } } },
    };
    expect(readMaterialJson(JSON.stringify(inherited))).toEqual({ textures: new Map(), twoSided: true });
  });

  it('extracts names from object paths', () => {
    const references = ["Texture2D'/Game/A/T_B.T_B'", "Texture2D'A.T_B'", "Texture2D'A.Group.T_B'", '/Game/A/T_B.0', 'T_B', 'a\\b\\T_B'];
    expect(references.map(objectName)).toEqual(references.map(() => 'T_B'));
    expect(objectName('T_B.png')).toBe('T_B.png');
  });

  it.each([
    ['T_Body_D.png', 'baseColor'],
    ['a_BaseColor.tga', 'baseColor'],
    ['a_n', 'normal'],
    ['a_ORM', 'orm'],
    ['a_MRO.dds', 'mro'],
    ['a_AO', 'occlusion'],
    ['body', undefined],
    ['a_x', undefined],
  ])('the name %s speaks of %s', (name, slot) => expect(slotBySuffix(name)).toBe(slot));

  it('infers textures by the name of the material only', () => {
    const names = ['T_Body_D.png', 't_body_n.TGA', 'T_Body_ORM.png', 'T_Head_D.png', 'Body_Arm_D.png', 'Hair.bmp'];
    expect([...guessTextures('MI_Body', names)]).toEqual([
      ['baseColor', 'T_Body_D.png'],
      ['normal', 't_body_n.TGA'],
      ['orm', 'T_Body_ORM.png'],
    ]);
    expect([...guessTextures('HAIR', names)]).toEqual([['baseColor', 'Hair.bmp']]);
    expect(guessTextures('', names).size).toBe(0);
  });

  it('uses the first image of a slot, and the last image named like the material', () => {
    const names = ['Body_D.png', 'T_Body_D.tga', 'Body.png', 'BODY.tga', 'Body_N.png', 'Body_Normal.png'];
    expect([...guessTextures('Body', names)]).toEqual([
      ['baseColor', 'BODY.tga'],
      ['normal', 'Body_N.png'],
    ]);
    expect([...guessTextures('MI_Body', names)]).toEqual([
      ['baseColor', 'Body_D.png'],
      ['normal', 'Body_N.png'],
    ]);
  });

  it('assigns the image named like the model, or the only remaining one, to the remaining material', () => {
    const taken = new Set(['body_d']);
    expect(remainingImage('Hero', taken, ['Body_D.png', 'Body_D.tga', 'Hair.png', 'Hero.png', 'Hero_N.png'])).toBe('Hero.png');
    expect(remainingImage('Hero', taken, ['Body_D.png', 'Body_D.tga', 'Hair.png', 'Hero_N.png'])).toBe('Hair.png');
    expect(remainingImage('Hero', taken, ['Body_D.png', 'Hair.png', 'Eye.png'])).toBeUndefined();
    expect(remainingImage('Hero', new Set(['hero']), ['Hero.png', 'Hair.png', 'Eye.png'])).toBeUndefined();
  });

  it('does not assign the only image to a model if it may belong to another one', () => {
    expect(remainingImage('Hero', new Set(), ['Ape.png'], true)).toBeUndefined();
    expect(remainingImage('Hero', new Set(), ['Hero.png'], true)).toBe('Hero.png');
    const isShared = (...names: string[]): boolean[] => [
      new FileTextures(new Map(names.map(name => [name, new Uint8Array()]))).hasOtherModels,
      new UrlTextures(async () => null, names).hasOtherModels,
    ];
    expect(isShared('a/Hero.psk', 'Ape.uemodel', 'Ape.png')).toEqual([true, true]);
    expect(isShared('Hero.psk', 'Hero_LOD1.psk', 'herolod2.pskx', 'Run.psa', 'island.vgo', 'Ape.png')).toEqual([false, false]);
  });

  it('indexes image names once for all materials', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `T_Part${i}_D.png`);
    let read = 0;
    const counted = new Proxy(names, {
      get: (list, key) => (typeof key === 'string' && /^\d+$/.test(key) && read++, Reflect.get(list, key) as unknown),
    });
    for (let i = 0; i < 100; i++) expect(guessTextures(`Part${i}`, counted).get('baseColor')).toBe(`T_Part${i}_D.png`);
    expect(read).toBe(20_000);
  });

  it('prefers path and extension, then the nearest of images with the same name', () => {
    const files = ['a/Body.tga', 'b/Body.tga', 'b/c/Body.png', 'd/Skin.tga', 'e/Skin.tga'];
    const listing = new Listing(files.map(file => [file, file] as const));
    const near =
      (folder: string) =>
      (name: string): number =>
        name.startsWith(folder) ? 1 : 0;
    expect(listing.image('Skin', near('e'))?.[1]).toBe('e/Skin.tga');
    expect(listing.image('Skin')?.[1]).toBe('d/Skin.tga');
    expect(listing.image('d/Skin.tga', near('e'))?.[1]).toBe('d/Skin.tga');
    expect(listing.image('Body', near('a'))?.[1]).toBe('b/c/Body.png');
    expect(listing.image('Body.tga', near('b'))?.[1]).toBe('b/Body.tga');
    expect(listing.file('skin.TGA', '', near('e'))).toBe('e/Skin.tga');
    expect(listing.file('skin.TGA', '/Game/D/', near('e'))).toBe('d/Skin.tga');
  });
});

describe('textures of a rig', () => {
  const image = tga(2, 2, (x, y) => [x * 255, y * 255, 7, 255]);
  const make = (): Rig => new Rig({ scene: { ...armScene(), hints: { namedMaterials: true, directXNormals: true } } });
  const skin = (rig: Rig) => rig.materialsOf(0)[0] as MeshStandardMaterial;

  it('are found by .mat files, ignoring case and extension', async () => {
    const rig = make();
    const files = new Map([
      ['out/skin.MAT', new TextEncoder().encode('Diffuse=T_Any\nNormal=T_Any_N\nMask=X_MRO\n')],
      ['tex/t_any.tga', image],
      ['tex/T_ANY_N.TGA', image],
      ['X_mro.tga', image],
    ]);
    await rig.loadTextures(files);
    const { map, normalMap, roughnessMap, metalnessMap, aoMap, normalScale } = skin(rig);
    expect([...((map as DataTexture).image.data as Uint8Array)]).toEqual([0, 0, 7, 255, 255, 0, 7, 255, 0, 255, 7, 255, 255, 255, 7, 255]);
    expect([map!.colorSpace, normalMap!.colorSpace, map!.flipY]).toEqual([SRGBColorSpace, NoColorSpace, false]);
    expect([metalnessMap, aoMap]).toEqual([roughnessMap, roughnessMap]);
    expect(normalScale.y).toBe(1); // the inversions by DirectX normals and by tangents that three.js derives cancel out
    const shader = { fragmentShader: '#include <roughnessmap_fragment>\n#include <metalnessmap_fragment>\n#include <aomap_fragment>' };
    skin(rig).onBeforeCompile(shader as WebGLProgramParametersWithUniforms, null as never);
    expect(shader.fragmentShader).toMatch(/texelMetalness\.r;[^]*vAoMapUv \)\.b/);
    expect(rig.report.items.map(({ code, path }) => [code, path])).toEqual([['TEXTURE_MISSING', 'Cloth']]);
  });

  it('are reported if the material has no such slot', async () => {
    const rig = make();
    await rig.loadTextures(
      new Map([
        ['Skin.mat', new TextEncoder().encode('Diffuse=A\nSpecular=B\n')],
        ['A.tga', image],
        ['B.tga', image],
      ]),
    );
    expect(skin(rig).map).not.toBeNull();
    const { code, severity, path, detail } = rig.report.items.find(item => item.path === 'Skin')!;
    expect([code, severity, path, detail]).toEqual(['TEXTURE_UNUSED', 'info', 'Skin', 'specularColor: B.tga']);
  });

  it('are inferred by name among local files, with a finding, and completed by later files', async () => {
    const rig = make();
    await rig.loadTextures(new Map());
    expect(skin(rig).map).toBeNull();
    expect(skin(rig).color.toArray()).toEqual([0.3, 0.15, 0.075]);
    await rig.loadTextures(new Map([['T_Skin_D.tga', image]]));
    expect(skin(rig).map).not.toBeNull();
    expect(skin(rig).color.r).toBeCloseTo(1);
    expect(rig.report.items.map(({ code }) => code)).toContain('TEXTURE_GUESSED');
  });

  it('take sides and blending from material files', async () => {
    const rig = make();
    await rig.loadTextures(new Map([['Skin.props.txt', new TextEncoder().encode('TwoSided = true\nBlendMode = BLEND_Masked (1)\n')]]));
    expect(skin(rig).side).toBe(DoubleSide);
    expect(skin(rig).alphaTest).toBeCloseTo(1 / 3);
  });

  it('take numbers from material files, in the folder that the path of the material indicates', async () => {
    const scene = armScene();
    const materials = scene.materials.map(each => ({ ...each, properties: { path: '/Game/Hero/Materials/Skin.Skin' } }));
    const rig = new Rig({ scene: { ...scene, materials, hints: { namedMaterials: true } } });
    const json = (Roughness: number): Uint8Array =>
      new TextEncoder().encode(
        JSON.stringify({ Textures: {}, Parameters: { BlendMode: 2, Scalars: { Roughness, Metallic: 0.75, Opacity: 0.5 } } }),
      );
    const folders = ['Villain/Materials', 'Hero/Materials', 'Other'];
    await rig.loadTextures(new Map(folders.map((folder, i) => [`Content/${folder}/Skin.json`, json(i / 4)])));
    expect([skin(rig).roughness, skin(rig).metalness, skin(rig).opacity, skin(rig).transparent]).toEqual([0.25, 0.75, 0.5, true]);
  });

  it('are reported if damaged or unsupported, and the material stays unchanged', async () => {
    const rig = make();
    await rig.loadTextures(
      new Map([
        ['Skin_D.tga', image.subarray(0, 20)],
        ['Cloth_D.psd', Uint8Array.of(1, 2, 3)],
      ]),
    );
    expect(
      rig.report.items
        .map(({ code }) => code)
        .filter(code => code !== 'TEXTURE_GUESSED')
        .sort(),
    ).toEqual(['TEXTURE_DAMAGED', 'TEXTURE_UNSUPPORTED']);
    expect(skin(rig).map).toBeNull();
    expect(skin(rig).visible).toBe(true);
  });

  it('requests material files from a server until the first is missing, and never inferred names', async () => {
    const asked: string[] = [];
    const rig = make();
    await rig.loadTextures(new UrlTextures(async name => (asked.push(name), null)));
    expect(asked.sort()).toEqual(['Skin.json', 'Skin.mat']);
    asked.length = 0;
    const named = make();
    await named.loadTextures(
      new UrlTextures(async name => {
        asked.push(name);
        return name === 'Skin.mat' ? new TextEncoder().encode('Diffuse=../../secret/T_A\n') : name === 'T_A.tga' ? image : null;
      }),
    );
    expect(skin(named).map).not.toBeNull();
    expect(asked.some(name => name.includes('/'))).toBe(false);
  });

  it('are created once and freed with the rig', async () => {
    const rig = make();
    const mat = new TextEncoder().encode('Diffuse=T\n');
    await rig.loadTextures(
      new FileTextures(
        new Map([
          ['Skin.mat', mat],
          ['Cloth.mat', mat],
          ['T.tga', image],
        ]),
      ),
    );
    const [cloth] = rig.materialsOf(1) as MeshStandardMaterial[];
    expect(cloth!.map).toBe(skin(rig).map);
    let freed = 0;
    cloth!.map!.addEventListener('dispose', () => freed++);
    rig.dispose();
    expect(freed).toBeGreaterThan(0);
  });
});

describe('files in hand', () => {
  it('chooses the image whose folders match best, ignoring extension and case', async () => {
    const one = Uint8Array.of(1);
    const files = new FileTextures(
      new Map(['Skin.png', 'Other/Skin.png', 'Hero/Skin.png', 'hero/Hat.tga', 'other/Hat.png'].map(name => [name, one])),
    );
    const found = async (path: string): Promise<string | undefined> => (await files.image(path))?.name;
    expect(await found('C:\\game\\hero\\skin.png')).toBe('Hero/Skin.png');
    expect(await found('../other/Skin.png')).toBe('Other/Skin.png');
    expect(await found('Skin.png')).toBe('Skin.png');
    expect(await found('hero/Hat.dds')).toBe('hero/Hat.tga');
    expect(await found('Hat.dds')).toBe('other/Hat.png');
  });
});
