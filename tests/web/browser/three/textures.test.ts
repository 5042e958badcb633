// Textures in pixels: formats that browsers don't decode, both conventions for normal maps, packed
// masks in cloned materials.
import {
  AmbientLight,
  Color,
  DirectionalLight,
  type Material,
  type Mesh,
  MeshStandardMaterial,
  OrthographicCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { afterAll, describe, expect, it } from 'vitest';
import type { RigScene } from '../../../../web/src/core/types.ts';
import { Rig } from '../../../../web/src/three/index.ts';
import { armScene } from '../../../support/armScene.ts';
import { dds, tga, tiff } from '../../../support/images.ts';

const SIZE = 200;
const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());
const errors: unknown[] = [];
renderer.debug.onShaderError = (...what) => errors.push(what);

/** Orthographic camera, six metres wide, centred at the origin. */
const camera = new OrthographicCamera(-3, 3, 3, -3, 0.1, 10);
camera.position.z = 5;

/** Returns the drawn colors of points in world space. */
function drawn(rig: Rig, light: AmbientLight | DirectionalLight, ...points: Vector3[]): number[][] {
  const scene = new Scene();
  scene.background = new Color(0, 0, 1);
  scene.add(light, rig.scene);
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  return points.map(point => {
    const { x, y } = point.clone().project(camera);
    const pixel = new Uint8Array(4);
    gl.readPixels(Math.round(((x + 1) / 2) * SIZE), Math.round(((y + 1) / 2) * SIZE), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel.subarray(0, 3)];
  });
}

const top = new Vector3(0, 1.7, 0);
const bottom = new Vector3(0, 0.3, 0);
const whole = new AmbientLight(0xffffff, Math.PI);

/**
 * Returns a scene with a strip. Both of its materials are white and have the material model
 * `model`.
 */
function strip(model: string, over: Partial<RigScene> = {}): RigScene {
  const base = armScene(over);
  const white = { ...base.materials[0]!, color: [1, 1, 1, 1] as [number, number, number, number], roughness: 1, model };
  return {
    ...base,
    materials: [
      { ...white, name: 'Skin' },
      { ...white, name: 'Cloth' },
    ],
  };
}

/** Texture hints of Unreal scenes. */
const UNREAL = { namedMaterials: true, directXNormals: true };

async function dressed(scene: RigScene, suffix: string, extension: string, bytes: Uint8Array, format = 'psk'): Promise<Rig> {
  const rig = new Rig({ scene: { ...scene, ...(format === 'psk' && { hints: UNREAL }) }, format });
  await rig.loadTextures(new Map(['skin', 'cloth'].map(name => [`${name}_${suffix}.${extension}`, bytes] as const)));
  return rig;
}

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const redOverGreen = (_x: number, y: number): number[] => (y < 4 ? RED : GREEN);

/** Blocks of 4 × 4 pixels with red above green, in BC1, BC3 and mode 6 of BC7. */
const bc1 = [0x00, 0xf8, 0, 0, 0, 0, 0, 0, 0xe0, 0x07, 0, 0, 0, 0, 0, 0];
const solid = [255, 255, 0, 0, 0, 0, 0, 0];
const bc3 = [...solid, ...bc1.slice(0, 8), ...solid, ...bc1.slice(8)];
const bc7 = [0, 1].flatMap(channel => {
  // Writes the mode, 7 bits of both endpoints of red, green, blue and alpha, the lowest bits of the
  // endpoints, and 63 bits of indices (0: the first endpoint).
  let bits = 1n << 6n;
  let at = 7n;
  for (const part of [0, 1, 2, 3]) {
    for (const _end of [0, 1]) {
      if (part === channel || part === 3) bits |= 127n << at;
      at += 7n;
    }
  }
  bits |= 3n << at;
  return Array.from({ length: 16 }, (_, i) => Number((bits >> BigInt(8 * i)) & 255n));
});
const plain = Array.from({ length: 32 }, (_, i) => redOverGreen(0, Math.floor(i / 4))).flatMap(([r, g, b, a]) => [b!, g!, r!, a!]);

describe('draws textures with correct orientation and colors', () => {
  it.each<[string, string, Uint8Array]>([
    ['TGA from the top', 'tga', tga(4, 8, redOverGreen)],
    ['TGA from the bottom', 'tga', tga(4, 8, redOverGreen, false)],
    ['TIFF', 'tif', tiff(4, 8, redOverGreen)],
    ['plain DDS', 'dds', dds({ width: 4, height: 8, bits: 32, masks: [0xff0000, 0xff00, 0xff, 0xff000000], data: Uint8Array.from(plain) })],
    ['DXT1', 'dds', dds({ width: 4, height: 8, fourCC: 'DXT1', data: Uint8Array.from(bc1) })],
    ['DXT5', 'dds', dds({ width: 4, height: 8, fourCC: 'DXT5', data: Uint8Array.from(bc3) })],
    ['BC7', 'dds', dds({ width: 4, height: 8, dxgi: 98, data: Uint8Array.from(bc7) })],
  ])('%s', async (_, extension, bytes) => {
    const rig = await dressed(strip('unlit'), 'd', extension, bytes);
    expect(rig.report.items.map(({ code }) => code)).toEqual(['TEXTURE_GUESSED', 'TEXTURE_GUESSED']);
    const [above, below] = drawn(rig, whole, top, bottom);
    expect([above![0]! > 240, above![1]! < 15, above![2]! < 15], `top ${above}`).toEqual([true, true, true]);
    expect([below![0]! < 15, below![1]! > 240, below![2]! < 15], `bottom ${below}`).toEqual([true, true, true]);
    rig.dispose();
  });

  it('reads a one-channel mask (BC4) as roughness', async () => {
    const rig = await dressed(
      strip('standard'),
      'r',
      'dds',
      dds({ width: 4, height: 8, dxgi: 80, data: Uint8Array.from([...solid, ...solid]) }),
    );
    expect((rig.materialsOf(0)[0] as MeshStandardMaterial).roughnessMap).not.toBeNull();
    expect(drawn(rig, whole, top)[0]![0]).toBeGreaterThan(100);
    expect(errors).toEqual([]);
    rig.dispose();
  });
});

it('cuts out the color key of a PNG without alpha on a masked material', async () => {
  const canvas = new OffscreenCanvas(4, 8);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#ff00ff';
  context.fillRect(0, 0, 4, 4);
  context.fillStyle = '#00ff00';
  context.fillRect(0, 4, 4, 4);
  const png = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  const base = strip('unlit');
  for (const isMasked of [true, false]) {
    const scene: RigScene = isMasked ? { ...base, materials: base.materials.map(material => ({ ...material, alphaMode: 'mask' })) } : base;
    const rig = await dressed(scene, 'd', 'png', png);
    const [above, below] = drawn(rig, whole, top, bottom);
    expect(above).toEqual(isMasked ? [0, 0, 255] : [255, 0, 255]);
    expect(below![1]).toBeGreaterThan(240);
    expect(rig.report.items.filter(({ code }) => code === 'TEXTURE_KEYED')).toHaveLength(isMasked ? 2 : 0);
    rig.dispose();
  }
});

describe('normals', () => {
  /**
   * Returns the brightness of a strip that is lit from above. Its normal map has the value `green`
   * in the green channel.
   */
  async function brightness(format: string, green: number, hasTangents: boolean, kind = 'tga'): Promise<number> {
    const pixel = (): number[] => [128, green, 218, 255];
    const channel = (value: number): number[] => [value, value, 0, 0, 0, 0, 0, 0];
    const bytes =
      kind === 'tga'
        ? tga(4, 4, pixel)
        : dds({ width: 4, height: 4, dxgi: 83, data: Uint8Array.from([...channel(128), ...channel(green)]) });
    const base = strip('standard');
    // Equal size in both directions, so that derived tangents have equal lengths.
    const mesh = { ...base.meshes[0]!, uvs: [Float32Array.of(0, 1, 0.1, 1, 0, 0.5, 0.1, 0.5, 0, 0, 0.1, 0)] };
    // Tangents point along U, as in glTF. cross(normal, tangent) points up, in the image and on the
    // strip.
    const tangents = Float32Array.from({ length: 4 * mesh.vertexCount }, (_, i) => [1, 0, 0, 1][i % 4]!);
    const slots = [{ slot: 'normal', source: 'normal', texture: 0 }];
    const own =
      format === 'psk'
        ? {}
        : {
            textures: [
              {
                name: 'n',
                image: 0,
                wrapU: 'repeat',
                wrapV: 'repeat',
                filter: 'linear',
                offset: [0, 0],
                scale: [1, 1],
                uvSet: 0,
                srgb: false,
              },
            ],
            images: [{ name: `n.${kind}`, bytes, path: '' }],
            materials: base.materials.map(material => ({ ...material, slots })),
          };
    const scene = {
      ...base,
      ...own,
      ...(format === 'psk' && { hints: UNREAL }),
      meshes: [hasTangents ? { ...mesh, tangents } : mesh],
    } as RigScene;
    const rig = new Rig({ scene, format });
    await rig.loadTextures(format === 'psk' ? new Map(['skin', 'cloth'].map(name => [`${name}_n.${kind}`, bytes] as const)) : null);
    for (const index of [0, 1]) for (const made of rig.materialsOf(index)) (made as MeshStandardMaterial).color.setScalar(1);
    expect((rig.materialsOf(0)[0] as MeshStandardMaterial).normalMap).not.toBeNull();
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(0, 1, 1);
    const [[red]] = drawn(rig, light, bottom) as [[number]];
    rig.dispose();
    return red;
  }

  it.each([
    [false, 'tga'],
    [true, 'tga'],
    [false, 'dds'],
    [true, 'dds'],
  ])('have the correct direction, with tangents %s, from %s', async (hasTangents, kind) => {
    const flat = await brightness('cast', 128, hasTangents, kind);
    // By default (OpenGL, glTF, Cast), green points up in the image, towards the light.
    expect(await brightness('cast', 200, hasTangents, kind)).toBeGreaterThan(flat + 15);
    expect(await brightness('cast', 56, hasTangents, kind)).toBeLessThan(flat - 15);
    // In Unreal (DirectX), green points down.
    expect(await brightness('psk', 200, hasTangents, kind)).toBeLessThan(flat - 15);
    expect(await brightness('psk', 56, hasTangents, kind)).toBeGreaterThan(flat + 15);
    expect(errors).toEqual([]);
  });
});

describe('toon materials', () => {
  it.each([false, true])('draw normal maps, with tangents %s', async hasTangents => {
    const light = new DirectionalLight(0xffffff, 1);
    light.position.set(0, 1, 0.4);
    const brightness = async (green: number): Promise<number> => {
      const base = strip('mtoon');
      const mesh = { ...base.meshes[0]!, uvs: [Float32Array.of(0, 1, 0.1, 1, 0, 0.5, 0.1, 0.5, 0, 0, 0.1, 0)] };
      const tangents = Float32Array.from({ length: 4 * mesh.vertexCount }, (_, i) => [1, 0, 0, 1][i % 4]!);
      const properties = { shaderName: 'VRM/MToon', floatProperties: { _ShadeToony: 0 }, colorProperties: { _ShadeColor: [0, 0, 0, 1] } };
      const scene = {
        ...base,
        textures: [
          { name: 'n', image: 0, wrapU: 'repeat', wrapV: 'repeat', filter: 'linear', offset: [0, 0], scale: [1, 1], uvSet: 0, srgb: false },
        ],
        images: [{ name: 'n.tga', bytes: tga(4, 4, () => [128, green, 218, 255]), path: '' }],
        materials: base.materials.map(material => ({
          ...material,
          properties,
          slots: [{ slot: 'normal', source: '_BumpMap', texture: 0 }],
        })),
        meshes: [hasTangents ? { ...mesh, tangents } : mesh],
      } as RigScene;
      const rig = await Rig.make({ scene });
      await rig.loadTextures(null);
      const [[red]] = drawn(rig, light, bottom) as [[number]];
      rig.dispose();
      return red;
    };
    const flat = await brightness(128);
    expect(await brightness(200)).toBeGreaterThan(flat + 10);
    expect(await brightness(56)).toBeLessThan(flat - 10);
    expect(errors).toEqual([]);
  });
});

describe('packed masks', () => {
  it('are read by their channels in clones of the material', async () => {
    // The material has roughness 1, metalness 0 and full occlusion, so it is dark under ambient
    // light. With glTF's order of channels, it would be a bright mirror.
    const rig = await dressed(
      strip('standard'),
      'rma',
      'tga',
      tga(2, 2, () => [255, 0, 0, 255]),
    );
    const mesh = rig.meshes[0] as Mesh;
    const made = mesh.material as Material[];
    const red = (): number => drawn(rig, whole, bottom)[0]![0]!;
    expect(red()).toBeLessThan(20);
    mesh.material = made.map(material => material.clone());
    expect(red()).toBeLessThan(20);
    mesh.material = mesh.material.map(material => material.clone());
    expect(red()).toBeLessThan(20);
    mesh.material = made.map(material => new MeshStandardMaterial().copy(material as MeshStandardMaterial)); // copies without the patch, to see the test fail
    expect(red()).toBeGreaterThan(100);
    expect(errors).toEqual([]);
    rig.dispose();
  });
});

describe("Unity's details", () => {
  /** Returns the drawn red of a grey strip with detail maps. */
  async function red(
    maps: Record<string, (x: number, y: number) => number[]>,
    properties: object,
    light: AmbientLight | DirectionalLight = whole,
  ): Promise<number> {
    const base = strip('standard');
    const names = Object.keys(maps);
    const scene = {
      ...base,
      textures: names.map((name, image) => ({
        name,
        image,
        wrapU: 'repeat',
        wrapV: 'repeat',
        filter: 'linear',
        offset: [0, 0],
        scale: [1, 1],
        uvSet: 0,
        srgb: name === 'detailBaseColor' || name === 'baseColor',
      })),
      images: names.map(name => ({ name: `${name}.tga`, bytes: tga(4, 4, maps[name]!), path: '' })),
      materials: base.materials.map(material => ({
        ...material,
        color: [0.25, 0.25, 0.25, 1],
        slots: names.map((slot, texture) => ({ slot, source: slot, texture })),
        properties: { shaderName: 'Standard', ...properties },
      })),
      meshes: [{ ...base.meshes[0]!, uvs: [Float32Array.of(0, 1, 0.1, 1, 0, 0.5, 0.1, 0.5, 0, 0, 0.1, 0), new Float32Array(12)] }],
    } as unknown as RigScene;
    const rig = await Rig.make({ scene });
    await rig.loadTextures(null);
    expect(rig.report.items).toEqual([]);
    const [[value]] = drawn(rig, light, bottom) as [[number]];
    rig.dispose();
    expect(errors).toEqual([]);
    return value;
  }

  it('have no effect at half grey, and darken or brighten otherwise, with both UV sets', async () => {
    const grey = (value: number) => () => [value, value, value, 255];
    const plain = await red({}, {});
    for (const _UVSec of [0, 1]) {
      const detailed = (value: number): Promise<number> => red({ detailBaseColor: grey(value) }, { intProperties: { _UVSec } });
      expect(Math.abs((await detailed(128)) - plain)).toBeLessThan(3);
      expect(await detailed(64)).toBeLessThan(plain - 40);
      expect(await detailed(180)).toBeGreaterThan(plain + 30);
    }
  });

  it('tilt in the same direction as the base normal map, with and without one', async () => {
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(0, 1, 1);
    const lean = (green: number) => () => [128, green, 218, 255];
    for (const below of [{}, { normal: lean(128) }] as Record<string, () => number[]>[]) {
      const flat = await red({ ...below, detailNormal: lean(128) }, {}, light);
      expect(await red({ ...below, detailNormal: lean(200) }, {}, light)).toBeGreaterThan(flat + 8);
      expect(await red({ ...below, detailNormal: lean(56) }, {}, light)).toBeLessThan(flat - 8);
      expect(await red({ ...below, detailNormal: lean(56) }, { floatProperties: { _DetailNormalMapScale: 0 } }, light)).toBe(flat);
    }
  });

  it('draws smoothness from the alpha of the base texture', async () => {
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(0, 0, 1);
    const shiny = (alpha: number): Promise<number> =>
      red({ baseColor: () => [128, 128, 128, alpha] }, { intProperties: { _SmoothnessTextureChannel: 1 } }, light);
    expect(await shiny(220)).toBeGreaterThan((await shiny(20)) + 20);
  });
});
