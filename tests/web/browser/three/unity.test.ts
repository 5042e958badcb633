// Unity's shaders and lights, measured in pixels. The tests write files, read them, and render them
// to float targets.
import {
  FloatType,
  LinearFilter,
  LinearSRGBColorSpace,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { afterAll, describe, expect, it } from 'vitest';
import { open } from '../../../../web/src/core/index.ts';
import { Rig } from '../../../../web/src/three/index.ts';
// @ts-expect-error a plain script
import { encodeVgo as encode, VgoResource as Resource } from '../../../support/vgoFile.mjs';

const encodeVgo = encode as (parts: object) => Uint8Array<ArrayBuffer>;
const VgoResource = Resource as new () => { add(values: ArrayBufferView, type: string, kind?: number): number };

const SIZE = 128;
const renderer = new WebGLRenderer({ antialias: false });
renderer.outputColorSpace = LinearSRGBColorSpace;
const target = new WebGLRenderTarget(SIZE, SIZE, { type: FloatType, minFilter: LinearFilter, magFilter: LinearFilter });
const errors: unknown[] = [];
renderer.debug.onShaderError = (...what) => errors.push(what);
afterAll(() => {
  target.dispose();
  renderer.dispose();
});

const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

interface Thing {
  /** Column-major matrix. */
  matrix: number[];
  node?: object;
}

interface Paper {
  material?: object;
  /** PNG files and texture settings, by name of the shader property. */
  textures?: Record<string, { png: Uint8Array; colorSpace?: number }>;
  lights?: object[];
  things?: Thing[];
}

/**
 * Creates a right-handed scene: a white quad at the origin, two metres wide, which faces +z and has
 * its UV origin at the top left, and other objects.
 */
async function paper({ material = {}, textures = {}, lights = [], things = [] }: Paper): Promise<Rig> {
  const resource = new VgoResource();
  const names = Object.keys(textures);
  const images = names.map(name => resource.add(textures[name]!.png, 'u8', 1));
  const attributes = {
    POSITION: resource.add(Float32Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0), 'vec3'),
    NORMAL: resource.add(Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1), 'vec3'),
    TEXCOORD_0: resource.add(Float32Array.of(0, 1, 1, 1, 1, 0, 0, 0), 'vec2'),
  };
  const subMeshes = [resource.add(Uint16Array.of(0, 1, 2, 0, 2, 3), 'u16')];
  resource.add(Float32Array.from([at(0, 0, 0), at(0, 0, 0), ...things.map(({ matrix }) => matrix)].flat()), 'mat4', 2);
  const layout = {
    nodes: [
      { name: 'root', isRoot: true, children: [1, ...things.map((_, i) => i + 2)] },
      { name: 'paper', meshRenderer: { name: 'paper', mesh: 0, materials: [0] } },
      ...things.map(({ node }, i) => ({ name: `thing ${i}`, ...node })),
    ],
    meshes: [{ name: 'paper', attributes, subMeshes }],
    textures: names.map((name, i) => ({
      name,
      source: images[i],
      dimensionType: 2,
      mimeType: 'image/png',
      filterMode: 1,
      wrapModeU: 1,
      wrapModeV: 1,
      colorSpace: textures[name]!.colorSpace ?? 0,
    })),
    materials: [
      {
        name: 'paper',
        shaderName: 'Standard',
        colorProperties: { _Color: [1, 1, 1, 1] },
        floatProperties: { _Glossiness: 0 },
        textureIndexProperties: Object.fromEntries(names.map((name, i) => [name, i])),
        ...material,
      },
    ],
    lights,
  };
  const file = await open(encodeVgo({ assetInfo: { generator: { name: 'rigcast tests', version: '1' } }, layout, resource }), {
    name: 'paper.vgo',
  });
  expect(file.report.items.filter(({ severity }) => severity !== 'info')).toEqual([]);
  const rig = await Rig.make(file);
  await rig.loadTextures(null);
  return rig;
}

const straight = new OrthographicCamera(-1, 1, 1, -1, 0.1, 10);
straight.position.z = 5;

/** Returns the drawn linear red of a point in world space. */
function red(rig: Rig, x: number, y: number, camera: OrthographicCamera | PerspectiveCamera = straight): number {
  const scene = new Scene();
  scene.add(rig.scene);
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  const place = new Vector3(x, y, 0).project(camera);
  const pixel = new Float32Array(4);
  renderer.readRenderTargetPixels(target, Math.floor(((place.x + 1) / 2) * SIZE), Math.floor(((place.y + 1) / 2) * SIZE), 1, 1, pixel);
  expect(errors).toEqual([]);
  return pixel[0]!;
}

/**
 * Camera that looks slightly off the normal, because area lights of three.js divide by zero along
 * the normal.
 */
const aside = new PerspectiveCamera(20, 1, 0.1, 20);
aside.position.set(0.5, 0.3, 6);
aside.lookAt(0, 0, 0);
aside.updateMatrixWorld();

/** Accepts a deviation of 4 %, because surfaces of three.js reflect some light specularly. */
function expectAbout(value: number, wanted: number, label = ''): void {
  expect(value, label).toBeGreaterThan(wanted * 0.96);
  expect(value, label).toBeLessThan(wanted * 1.04);
}

const light = (type: number, more: object = {}): object => ({ type, intensity: 1, color: [1, 1, 1, 1], lightmapBakeType: 4, ...more });
/** Lights point along the node's −z. */
const above = (height: number, x = 0): Thing => ({ matrix: at(x, 0, height), node: { light: 0 } });

describe("Unity's lights", () => {
  const range = 4;
  /**
   * Returns the falloff of a three.js light with a range: inverse square, faded out towards the
   * range.
   */
  const falloff = (distance: number): number => (1 - (distance / range) ** 4) ** 2 / distance ** 2;

  it('draws point lights with π times the intensity, and none beyond the range', async () => {
    for (const distance of [0.5, 1, 2, 3]) {
      const rig = await paper({ lights: [light(2, { range, intensity: 0.5 })], things: [above(distance)] });
      expectAbout(red(rig, 0, 0), 0.5 * falloff(distance), `${distance} m`);
      // Measures off the axis, where the distance is larger and the light arrives at an angle.
      const x = 97 / SIZE;
      const far = Math.hypot(distance, x); // distance to the centre of a pixel
      expectAbout(red(rig, x, 0), (0.5 * falloff(far) * distance) / far, `${distance} m, aside`);
      rig.dispose();
    }
    const dark = await paper({ lights: [light(2, { range, intensity: 100 })], things: [above(4.01)] });
    expect(red(dark, 0, 0)).toBe(0);
    dark.dispose();
  });

  it('draws directional lights independent of distance', async () => {
    for (const distance of [1, 30]) {
      const rig = await paper({ lights: [light(1, { intensity: 0.8 })], things: [above(distance)] });
      expectAbout(red(rig, 0, 0), 0.8);
      rig.dispose();
    }
    const tilt = Math.PI / 3;
    const c = Math.cos(tilt);
    const s = Math.sin(tilt);
    const slanted = await paper({
      lights: [light(1)],
      things: [{ matrix: [c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 1, 1], node: { light: 0 } }],
    });
    expectAbout(red(slanted, 0, 0), 0.5);
    slanted.dispose();
  });

  it('draws spot lights with inner and outer cone', async () => {
    const rig = await paper({ lights: [light(0, { range, spotAngle: 60 })], things: [above(1)] });
    const ratio = (degrees: number): number => {
      const x = Math.tan((degrees * Math.PI) / 180);
      const far = Math.hypot(1, x);
      return red(rig, x, 0) / (falloff(far) / far);
    };
    expectAbout(ratio(0), 1);
    expectAbout(ratio(18), 1);
    expect(ratio(26)).toBeGreaterThan(0.1);
    expect(ratio(26)).toBeLessThan(0.9);
    expect(ratio(32)).toBe(0);
    rig.dispose();
  });

  it('draws area lights by solid angle', async () => {
    // Returns the fraction of the cosine-weighted hemisphere that a square of side 2h covers at
    // distance d, seen from below its centre.
    const share = (h: number, d: number): number => (4 / Math.PI) * (h / Math.hypot(h, d)) * Math.atan(h / Math.hypot(h, d));
    for (const [kind, half] of [
      [light(3, { areaSize: [1, 1] }), 0.5],
      [light(4, { areaRadius: 1 / Math.sqrt(Math.PI) }), 0.5],
    ] as const) {
      for (const distance of [0.5, 1, 2]) {
        const rig = await paper({ lights: [kind], things: [above(distance)] });
        expectAbout(red(rig, 0, 0, aside), Math.PI * share(half, distance), `${distance} m`);
        rig.dispose();
      }
    }
  });

  it('keeps the proportions of HDRP lights in lux, candela and nits', async () => {
    const material = {
      shaderName: 'HDRP/Lit',
      floatProperties: { _Smoothness: 0, _EmissiveExposureWeight: 1 },
      colorProperties: { _BaseColor: [1, 1, 1, 1], _EmissiveColor: [0, 0, 0, 1] },
    };
    const sun = { matrix: at(0, 0, 5), node: { light: 0 } };
    const lamp = { matrix: at(0, 0, 0.5), node: { light: 1 } };
    const noon = await paper({ material, lights: [light(1, { intensity: 100000 })], things: [sun] });
    expectAbout(red(noon, 0, 0), 1);
    noon.dispose();
    const both = await paper({
      material,
      lights: [light(1, { intensity: 100000 }), light(2, { intensity: 5000, range: 50 })],
      things: [sun, lamp],
    });
    expectAbout(red(both, 0, 0), 1.2); // 5000 cd at 0.5 m give 20000 lux
    both.dispose();
    // A white surface in E lux emits E / π nits, so emission of E / π nits is equally bright.
    for (const [weight, nits, wanted] of [
      [1, 100000 / Math.PI, 2],
      [0, 1, 2],
      [0.5, 1, 1.5],
    ] as const) {
      const glowing = {
        ...material,
        floatProperties: { _Smoothness: 0, _EmissiveExposureWeight: weight },
        colorProperties: { _BaseColor: [1, 1, 1, 1], _EmissiveColor: [nits, 0, 0, 1] },
      };
      const rig = await paper({ material: glowing, lights: [light(1, { intensity: 100000 })], things: [sun] });
      expectAbout(red(rig, 0, 0), wanted, `weight ${weight}`);
      rig.dispose();
    }
  });
});

it("colours of UniGLTF's shaders are linear as all others are (their importer forgets that, and shows them darker)", async () => {
  const colorProperties = { _Color: [0.25, 0.25, 0.25, 1] };
  const unlit = await paper({ material: { shaderName: 'UniGLTF/UniUnlit', isUnlit: true, colorProperties } });
  expect(red(unlit, 0, 0)).toBeCloseTo(0.25, 6);
  unlit.dispose();
  const lit = await paper({ material: { shaderName: 'UniGLTF/StandardVColor', colorProperties }, lights: [light(1)], things: [above(3)] });
  expectAbout(red(lit, 0, 0), 0.25);
  lit.dispose();
});

it('draws toon materials with their lit and shade colors at light intensity 1 and 0.5', async () => {
  const colorProperties = { _Color: [0.5, 0.5, 0.5, 1], _ShadeColor: [0.2, 0.2, 0.2, 1], _EmissionColor: [0, 0, 0] };
  const kinds = [
    { shaderName: 'VRM/MToon', floatProperties: { _ShadeShift: 0, _ShadeToony: 0.9, _IndirectLightIntensity: 0 } },
    { shaderName: 'VRM10/MToon10', floatProperties: { _ShadingShiftFactor: -0.05, _ShadingToonyFactor: 0.95 } },
    {
      shaderName: 'lilToon',
      floatProperties: { _UseShadow: 1, _ShadowBorder: 0.5, _ShadowBlur: 0.1, _ShadowStrength: 1 },
      colorProperties: { ...colorProperties, _ShadowColor: [0.4, 0.4, 0.4, 1] },
    },
  ];
  const behind: Thing = { matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, -3, 1], node: { light: 0 } };
  for (const kind of kinds) {
    for (const [thing, intensity, wanted] of [
      [above(3), 1, 0.5],
      [behind, 1, 0.2],
      [above(3), 0.5, 0.25],
    ] as const) {
      const rig = await paper({ material: { colorProperties, ...kind }, lights: [light(1, { intensity })], things: [thing] });
      expect(red(rig, 0, 0), `${kind.shaderName} ${wanted}`).toBeCloseTo(wanted, 2);
      rig.dispose();
    }
  }
});

/** Returns an image whose pixels are computed by a function. */
async function png(
  width: number,
  height: number,
  of: (x: number, y: number) => readonly [number, number, number, number],
): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  const data = context.createImageData(width, height);
  for (let i = 0; i < width * height; i++) data.data.set(of(i % width, Math.floor(i / width)), 4 * i);
  context.putImageData(data, 0, 0);
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

describe("Unity's maps", () => {
  const sun = { lights: [light(1)], things: [above(3)] };

  it('reads the detail mask from alpha with the UV transform of the base texture', async () => {
    const details = await png(4, 4, () => [64, 64, 64, 255]);
    const mask = await png(64, 4, x => [255, 255, 255, x < 32 ? 0 : 255]);
    const keywords = { keywordMap: { _DETAIL_MULX2: true } };
    const masked = await paper({
      ...sun,
      material: keywords,
      textures: { _DetailAlbedoMap: { png: details }, _DetailMask: { png: mask } },
    });
    const whole = await paper({ ...sun, material: keywords, textures: { _DetailAlbedoMap: { png: details } } });
    expect(masked.report.items).toEqual([]);
    expectAbout(red(masked, -0.5, 0), 1);
    expect(red(masked, 0.5, 0)).toBeCloseTo(red(whole, 0.5, 0), 3);
    expect(red(whole, -0.5, 0)).toBeLessThan(0.3);
    // The scale of the base texture repeats the mask twice, so it changes after a quarter of the
    // width.
    const twice = await paper({
      ...sun,
      material: { ...keywords, textureScaleProperties: { _MainTex: [2, 1] } },
      textures: {
        _MainTex: { png: await png(2, 2, () => [255, 255, 255, 255]) },
        _DetailAlbedoMap: { png: details },
        _DetailMask: { png: mask },
      },
    });
    expectAbout(red(twice, -0.75, 0), 1);
    expect(red(twice, -0.25, 0)).toBeLessThan(0.3);
    for (const rig of [masked, whole, twice]) rig.dispose();
  });

  it('applies the detail mask to normals', async () => {
    const normals = await png(4, 4, () => [218, 128, 218, 255]);
    const mask = await png(64, 4, x => [255, 255, 255, x < 32 ? 0 : 255]);
    const rig = await paper({
      ...sun,
      material: { keywordMap: { _DETAIL_MULX2: true } },
      textures: { _DetailNormalMap: { png: normals, colorSpace: 1 }, _DetailMask: { png: mask } },
    });
    expectAbout(red(rig, -0.5, 0), 1);
    expectAbout(red(rig, 0.5, 0), Math.SQRT1_2);
    rig.dispose();
  });

  it('offsets height maps towards the camera by the same amount as Unity', async () => {
    // The base texture has an edge at u = 0.5 (or v = 0.5). The height map is white everywhere, so
    // the height is `_Parallax` / 2.
    const parallax = 0.08;
    const high = await png(2, 2, () => [255, 255, 255, 255]);
    const middle = await png(2, 2, () => [128, 128, 128, 255]);
    const across = await png(256, 256, x => (x < 128 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    const down = await png(256, 256, (_, y) => (y < 128 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
    const make = (base: Uint8Array, heights: Uint8Array, material: object = {}): Promise<Rig> =>
      paper({
        ...sun,
        material: { floatProperties: { _Glossiness: 0, _Parallax: parallax }, keywordMap: { _PARALLAXMAP: true }, ...material },
        textures: { _MainTex: { png: base }, _ParallaxMap: { png: heights } },
      });
    /** Returns the position of the edge between white and black along an axis. */
    const edge = (rig: Rig, axis: 0 | 1, camera: PerspectiveCamera): number => {
      const isWhite = (step: number): boolean => red(rig, axis ? 0 : step, axis ? step : 0, camera) > 0.5;
      let low = -0.3;
      let high = 0.3;
      expect(isWhite(low)).not.toBe(isWhite(high));
      for (let i = 0; i < 9; i++) {
        const middle = (low + high) / 2;
        if (isWhite(middle) === isWhite(low)) low = middle;
        else high = middle;
      }
      return low;
    };
    for (const axis of [0, 1] as const) {
      for (const side of [1, -1]) {
        const eye = new Vector3(axis ? 0 : side, axis ? side : 0, 1).normalize();
        // From a distant camera, the view direction is the same for all pixels.
        const far = new PerspectiveCamera(0.4, 1, 10, 1000);
        far.position.copy(eye).multiplyScalar(100);
        far.lookAt(0, 0, 0);
        far.updateMatrixWorld();
        const plain = await make(axis ? down : across, middle);
        const raised = await make(axis ? down : across, high);
        const moved = (side * ((parallax / 2) * Math.SQRT1_2)) / (Math.SQRT1_2 + 0.42); // fraction of the width of two metres
        expect(edge(plain, axis, far), `plain ${axis} ${side}`).toBeCloseTo(0, 1.9);
        expect(edge(raised, axis, far), `raised ${axis} ${side}`).toBeCloseTo(-2 * moved, 1.9);
        plain.dispose();
        raised.dispose();
      }
    }
    const off = await make(across, high, { keywordMap: { _PARALLAXMAP: false } });
    expect(off.report.items.map(({ code }) => code)).toEqual(['TEXTURE_UNUSED']);
    off.dispose();
  });
});
