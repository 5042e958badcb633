import { CompressedTexture, type DataTexture, DoubleSide, type MeshStandardMaterial, NoColorSpace, RED_GREEN_RGTC2_Format, RED_RGTC1_Format, RGBA_BPTC_Format, RGBA_S3TC_DXT1_Format, SRGBColorSpace, type WebGLProgramParametersWithUniforms } from 'three';
import { describe, expect, it } from 'vitest';
import { readDds, UnsupportedTexture } from '../../../web/src/three/dds.ts';
import { FileTextures, Rig, UrlTextures } from '../../../web/src/three/index.ts';
import { guessTextures, objectName, readMat, readMaterialJson, readProps, slotBySuffix } from '../../../web/src/three/sidecars.ts';
import { armScene } from '../../support/armScene.ts';

/** A DDS with the header's fields that readers look at. */
function dds({ width = 8, height = 4, mips = 0, fourCC = '', dxgi = -1, bits = 0, masks = [0, 0, 0, 0], data = new Uint8Array(0) }): Uint8Array {
  const head = dxgi >= 0 ? 148 : 128, bytes = new Uint8Array(head + data.length), view = new DataView(bytes.buffer);
  const ascii = (at: number, text: string) => [...text].forEach((char, i) => view.setUint8(at + i, char.charCodeAt(0)));
  ascii(0, 'DDS ');
  view.setUint32(4, 124, true);
  view.setUint32(8, 0x1007 | (mips ? 0x20000 : 0), true);
  view.setUint32(12, height, true);
  view.setUint32(16, width, true);
  view.setUint32(28, mips, true);
  view.setUint32(80, fourCC || dxgi >= 0 ? 4 : 0x41, true);
  ascii(84, dxgi >= 0 ? 'DX10' : fourCC);
  view.setUint32(88, bits, true);
  masks.forEach((mask, i) => view.setUint32(92 + 4 * i, mask, true));
  if (dxgi >= 0) view.setUint32(128, dxgi, true);
  bytes.set(data, head);
  return bytes;
}

/** An uncompressed true-colour TGA, rows from the top. */
function tga(width: number, height: number, pixel: (x: number, y: number) => number[]): Uint8Array {
  const pixels = Array.from({ length: width * height }, (_, i) => pixel(i % width, Math.floor(i / width))).flatMap(([r, g, b, a]) => [b!, g!, r!, a!]);
  return Uint8Array.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, height, 0, 32, 0x28, ...pixels]);
}

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
    expect(texture.mipmaps.map(({ width, height, data }) => [width, height, (data as Uint8Array).length])).toEqual([[8, 4, 2 * blockBytes], [4, 2, blockBytes], [2, 1, blockBytes]]);
    expect((texture.mipmaps[1]!.data as Uint8Array)[0]).toBe(2 * blockBytes);
  });

  it('plain pixels are put in order', () => {
    const texture = readDds(dds({ width: 1, height: 2, bits: 32, masks: [0xff0000, 0xff00, 0xff, 0xff000000], data: Uint8Array.of(3, 2, 1, 4, 7, 6, 5, 8) })) as DataTexture;
    expect([...(texture.image.data as Uint8Array)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('every prefix and unknown kinds throw', () => {
    const whole = dds({ dxgi: 98, data: new Uint8Array(32) });
    for (let length = 0; length < whole.length; length++) expect(() => readDds(whole.subarray(0, length))).toThrow();
    expect(() => readDds(dds({ dxgi: 2 }))).toThrow(UnsupportedTexture);
    expect(() => readDds(dds({ fourCC: 'DXT1', width: 6, data: new Uint8Array(64) }))).toThrow(UnsupportedTexture);
    expect(() => readDds(dds({ fourCC: 'DXT1', width: 1 << 20 }))).toThrow(/pixels/);
    expect(() => readDds(dds({ fourCC: 'DXT1', data: new Uint8Array(64) }), () => false)).toThrow(UnsupportedTexture);
  });
});

describe('sidecars', () => {
  it('reads .mat', () => {
    const { textures } = readMat('Diffuse=T_Body_D\r\nNormal=T_Body_N\nSpecPower=T_Gloss\nMask=T_Body_MRO\nOther[0]=T_Noise\n=\nEmissive=\n');
    expect([...textures]).toEqual([['baseColor', 'T_Body_D'], ['normal', 'T_Body_N'], ['gloss', 'T_Gloss'], ['mro', 'T_Body_MRO']]);
  });

  it('reads .props.txt', () => {
    const text = `BlendMode = BLEND_Masked (1)\nTwoSided = true\nOpacityMaskClipValue = 0.25\nTextureParameterValues[2] =\n{\n  TextureParameterValues[0] =\n  {\n    ParameterInfo = { Name=Base Color }\n`
      + `    ParameterValue = Texture2D'/Game/Body/T_Body_BC.T_Body_BC'\n  }\n  TextureParameterValues[1] =\n  {\n    ParameterName = Mask\n    ParameterValue = Texture2D'/Game/Body/T_Body_ORM.T_Body_ORM'\n  }\n}\n`;
    const { textures, ...flags } = readProps(text);
    expect([...textures]).toEqual([['baseColor', 'T_Body_BC'], ['orm', 'T_Body_ORM']]);
    expect(flags).toEqual({ blend: 'mask', twoSided: true, alphaCutoff: 0.25 });
  });

  it('reads the JSON of CUE4Parse and of FModel, and nothing else', () => {
    const cue4parse = { Textures: { PM_Diffuse: '/Game/A/T_A_D.T_A_D', PM_Normals: 'T_A_N', PM_SpecularMasks: 'T_A_S', __proto__x: 3 }, Parameters: { BlendMode: 'BLEND_Translucent' } };
    const first = readMaterialJson(JSON.stringify(cue4parse))!;
    expect([...first.textures]).toEqual([['baseColor', 'T_A_D'], ['normal', 'T_A_N'], ['specularMasks', 'T_A_S']]);
    expect(first.blend).toBe('blend');
    const fmodel = [{ Type: 'MaterialInstanceConstant', Properties: {
      TextureParameterValues: [{ ParameterInfo: { Name: 'Emissive Color' }, ParameterValue: { ObjectName: "Texture2D'T_A_E'", ObjectPath: '/Game/A/T_A_E.0' } }, null, { ParameterInfo: 3 }],
      BasePropertyOverrides: { TwoSided: true } } }];
    expect(readMaterialJson(JSON.stringify(fmodel))).toEqual({ textures: new Map([['emissive', 'T_A_E']]), twoSided: true });
    for (const text of ['', '{', 'null', '[1]', '{"Properties":{}}', '{"Textures":[]}']) expect(readMaterialJson(text), text).toBeNull();
  });

  it('takes names out of object paths', () => {
    expect(["Texture2D'/Game/A/T_B.T_B'", '/Game/A/T_B.0', 'T_B', 'a\\b\\T_B'].map(objectName)).toEqual(['T_B', 'T_B', 'T_B', 'T_B']);
  });

  it.each([['T_Body_D.png', 'baseColor'], ['a_BaseColor.tga', 'baseColor'], ['a_n', 'normal'], ['a_ORM', 'orm'], ['a_MRO.dds', 'mro'], ['a_AO', 'occlusion'], ['body', undefined], ['a_x', undefined]])(
    'the name %s speaks of %s', (name, slot) => expect(slotBySuffix(name)).toBe(slot));

  it('guesses by name only what belongs to the material', () => {
    const names = ['T_Body_D.png', 't_body_n.TGA', 'T_Body_ORM.png', 'T_Head_D.png', 'Body_Arm_D.png', 'Hair.bmp'];
    expect([...guessTextures('MI_Body', names)]).toEqual([['baseColor', 'T_Body_D.png'], ['normal', 't_body_n.TGA'], ['orm', 'T_Body_ORM.png']]);
    expect([...guessTextures('HAIR', names)]).toEqual([['baseColor', 'Hair.bmp']]);
    expect(guessTextures('', names).size).toBe(0);
  });
});

describe('textures of a rig', () => {
  const image = tga(2, 2, (x, y) => [x * 255, y * 255, 7, 255]);
  const make = (format = 'psk') => new Rig({ scene: armScene(), format });
  const skin = (rig: Rig) => rig.materialsOf(0)[0] as MeshStandardMaterial;

  it('are found by .mat in any case and with a changed extension', async () => {
    const rig = make();
    const files = new Map([['out/skin.MAT', new TextEncoder().encode('Diffuse=T_Any\nNormal=T_Any_N\nMask=X_MRO\n')], ['tex/t_any.tga', image], ['tex/T_ANY_N.TGA', image], ['X_mro.tga', image]]);
    await rig.loadTextures(files);
    const { map, normalMap, roughnessMap, metalnessMap, aoMap, normalScale } = skin(rig);
    expect([...(map as DataTexture).image.data as Uint8Array]).toEqual([0, 0, 7, 255, 255, 0, 7, 255, 0, 255, 7, 255, 255, 255, 7, 255]);
    expect([map!.colorSpace, normalMap!.colorSpace, map!.flipY]).toEqual([SRGBColorSpace, NoColorSpace, false]);
    expect([metalnessMap, aoMap]).toEqual([roughnessMap, roughnessMap]);
    expect(normalScale.y).toBe(1); // DirectX normals and three's derivative tangents turn each other round
    const shader = { fragmentShader: '#include <roughnessmap_fragment>\n#include <metalnessmap_fragment>\n#include <aomap_fragment>' };
    skin(rig).onBeforeCompile(shader as WebGLProgramParametersWithUniforms, null as never);
    expect(shader.fragmentShader).toMatch(/texelMetalness\.r;[^]*vAoMapUv \)\.b/);
    expect(rig.report.items.map(({ code, path }) => [code, path])).toEqual([['TEXTURE_MISSING', 'Cloth']]);
  });

  it('are guessed by name among files in hand, with a note, and later files fill what was missing', async () => {
    const rig = make();
    await rig.loadTextures(new Map());
    expect(skin(rig).map).toBeNull();
    expect(skin(rig).color.toArray()).toEqual([0.6, 0.3, 0.15]);
    await rig.loadTextures(new Map([['T_Skin_D.tga', image]]));
    expect(skin(rig).map).not.toBeNull();
    expect(skin(rig).color.r).toBeCloseTo(1);
    expect(rig.report.items.map(({ code }) => code)).toContain('TEXTURE_GUESSED');
  });

  it('sidecars speak for sides and blending too', async () => {
    const rig = make();
    await rig.loadTextures(new Map([['Skin.props.txt', new TextEncoder().encode('TwoSided = true\nBlendMode = BLEND_Masked (1)\n')]]));
    expect(skin(rig).side).toBe(DoubleSide);
    expect(skin(rig).alphaTest).toBeCloseTo(1 / 3);
  });

  it('that are damaged or cannot be drawn are findings, and the material stays', async () => {
    const rig = make();
    await rig.loadTextures(new Map([['Skin_D.tga', image.subarray(0, 20)], ['Cloth_D.psd', Uint8Array.of(1, 2, 3)]]));
    expect(rig.report.items.map(({ code }) => code).filter(code => code !== 'TEXTURE_GUESSED').sort()).toEqual(['TEXTURE_DAMAGED', 'TEXTURE_UNSUPPORTED']);
    expect(skin(rig).map).toBeNull();
    expect(skin(rig).visible).toBe(true);
  });

  it('a server is asked for sidecars once in vain, never for guesses, and for bare names only', async () => {
    const asked: string[] = [];
    const rig = make();
    await rig.loadTextures(new UrlTextures(async name => (asked.push(name), null)));
    expect(asked.sort()).toEqual(['Skin.json', 'Skin.mat']);
    asked.length = 0;
    const named = make();
    await named.loadTextures(new UrlTextures(async name => {
      asked.push(name);
      return name === 'Skin.mat' ? new TextEncoder().encode('Diffuse=../../secret/T_A\n') : name === 'T_A.tga' ? image : null;
    }));
    expect(skin(named).map).not.toBeNull();
    expect(asked.some(name => name.includes('/'))).toBe(false);
  });

  it('are made once and freed with the rig', async () => {
    const rig = make();
    const mat = new TextEncoder().encode('Diffuse=T\n');
    await rig.loadTextures(new FileTextures(new Map([['Skin.mat', mat], ['Cloth.mat', mat], ['T.tga', image]])));
    const [cloth] = rig.materialsOf(1) as MeshStandardMaterial[];
    expect(cloth!.map).toBe(skin(rig).map);
    let freed = 0;
    cloth!.map!.addEventListener('dispose', () => freed++);
    rig.dispose();
    expect(freed).toBeGreaterThan(0);
  });
});
