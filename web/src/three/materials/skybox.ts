// Renders Unity's skyboxes (docs/formats/vgo.md, section 10.2) as a separate scene, for use as
// background and environment.
import {
  BackSide,
  IcosahedronGeometry,
  LinearFilter,
  Mesh,
  Quaternion,
  Scene,
  ShaderMaterial,
  SRGBColorSpace,
  type Texture,
  Vector2,
  Vector3,
} from 'three';
import { numberIn } from '../../core/properties.ts';
import { addFinding } from '../../core/report.ts';
import { childrenOf, isActive } from '../../core/tree.ts';
import type { Feature, Material, Report, RigScene } from '../../core/types.ts';
import { disposeTexture } from '../dispose.ts';
import { ShaderValues } from './shaderValues.ts';
import { decodeTexture } from './decode.ts';
import type { TextureOptions } from './textures.ts';

/** A rendered sky that can be used as background or environment. */
export interface Skybox {
  /** Scene that contains only the sky, to be rendered to a cube map. */
  readonly scene: Scene;
  /** Width of a cube map face at full resolution, in pixels. */
  readonly size: number;
  dispose(): void;
}

/**
 * Factor by which Unity multiplies tints in linear space. With this factor, a tint of 50 % grey has
 * no effect.
 */
const DOUBLE = 4.5947938;

/**
 * Vertex shader that outputs the view direction in Unity's axes, before the rotation by
 * `_Rotation`.
 */
const VERTEX = /* glsl */ `
uniform float rotation;
varying vec3 sight;
void main() {
  vec3 direction = vec3(position.xy, -position.z);
  float s = sin(rotation), c = cos(rotation);
  sight = vec3(c * direction.x + s * direction.z, direction.y, c * direction.z - s * direction.x);
  gl_Position = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
}`;

/**
 * GLSL function that returns the index of the cube face that a direction hits (0 to 5: +x −x +y −y
 * +z −z), and writes the position on this face to `at`: from −1 to 1, right and up. Each face is
 * the view of a camera that has been rotated from +z: about the vertical axis for the sides, and up
 * or down for top and bottom.
 */
const FACE = /* glsl */ `
int face(vec3 d, out vec2 at) {
  vec3 a = abs(d);
  if (a.z >= a.x && a.z >= a.y) { at = vec2(d.z > 0.0 ? d.x : -d.x, d.y) / a.z; return d.z > 0.0 ? 4 : 5; }
  if (a.x >= a.y) { at = vec2(d.x > 0.0 ? -d.z : d.z, d.y) / a.x; return d.x > 0.0 ? 0 : 1; }
  at = vec2(d.x, d.y > 0.0 ? -d.z : d.z) / a.y;
  return d.y > 0.0 ? 2 : 3;
}`;

/** GLSL that samples six separate images, whose origins are at the top left. */
const SIX_SIDED = /* glsl */ `
uniform sampler2D front, back, left, right, up, down;
uniform vec3 tint;
varying vec3 sight;
${FACE}
void main() {
  vec2 at;
  int seen = face(sight, at);
  vec2 uv = vec2(0.5) + 0.5 * vec2(at.x, -at.y);
  vec4 texel = seen == 4 ? texture2D(front, uv) : seen == 5 ? texture2D(back, uv) : seen == 0 ? texture2D(left, uv)
    : seen == 1 ? texture2D(right, uv) : seen == 2 ? texture2D(up, uv) : texture2D(down, uv);
  gl_FragColor = vec4(texel.rgb * tint, 1.0);
}`;

/** GLSL that samples a cube map whose six faces are in one image. */
const SIX_FRAMES = /* glsl */ `
uniform sampler2D panorama;
uniform vec3 tint;
uniform vec2 frames[6];  // column and row of each face
uniform vec2 grid;       // number of columns and rows
uniform vec2 margin;     // half a pixel, so that neighbouring faces are not blended
uniform bool isCross;    // vertical cross, in which the back face is upside down
varying vec3 sight;
${FACE}
void main() {
  vec2 at;
  int seen = face(sight, at);
  if (isCross && seen == 5) at = -at;
  vec2 uv = clamp(vec2(0.5) + 0.5 * vec2(at.x, -at.y), margin, 1.0 - margin);
  gl_FragColor = vec4(textureLod(panorama, (frames[seen] + uv) / grid, 0.0).rgb * tint, 1.0);
}`;

/**
 * Layouts of the six faces of a cube map in one image. An image has the first layout whose `upTo`
 * is at least its aspect ratio; Unity infers the layout in the same way. `frames` contains the
 * column and row of each face, counted from the top left, in the order +x −x +y −y +z −z.
 */
const LAYOUTS = [
  {
    upTo: 11 / 24,
    grid: [1, 6],
    frames: [
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 4],
      [0, 5],
    ],
  },
  {
    upTo: 1,
    grid: [3, 4],
    frames: [
      [2, 1],
      [0, 1],
      [1, 0],
      [1, 2],
      [1, 1],
      [1, 3],
    ],
  },
  {
    upTo: 11 / 3,
    grid: [4, 3],
    frames: [
      [2, 1],
      [0, 1],
      [1, 0],
      [1, 2],
      [1, 1],
      [3, 1],
    ],
  },
  {
    upTo: Infinity,
    grid: [6, 1],
    frames: [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 0],
      [5, 0],
    ],
  },
] as const;

const PANORAMIC = /* glsl */ `
uniform sampler2D panorama;
uniform vec3 tint;
uniform vec2 half180;    // repetitions of the image, and the u coordinate at which it ends
uniform vec4 window;     // area of the image that is drawn: corner and size
varying vec3 sight;
void main() {
  vec3 d = normalize(sight);
  vec2 uv = vec2(0.5, 1.0) - vec2(atan(d.z, d.x) * 0.5, acos(d.y)) / 3.14159265358979;
  if (uv.x > half180.y) { gl_FragColor = vec4(0.0, 0.0, 0.0, 1.0); return; }
  uv.x = fract(uv.x * half180.x);
  uv = window.xy + uv * window.zw;
  gl_FragColor = vec4(textureLod(panorama, vec2(uv.x, 1.0 - uv.y), 0.0).rgb * tint, 1.0);
}`;

/**
 * GLSL of Unity's procedural sky: scattering by O'Neil's method with two samples through the
 * atmosphere.
 */
const PROCEDURAL = /* glsl */ `
uniform vec3 skyTint, ground, sun, sunColor;
uniform float exposure, thickness, sunSize, sunConvergence;
uniform int sunDisk;
varying vec3 sight;
const float outer = 1.025, cameraHeight = 0.0001, scaleDepth = 0.25, samples = 2.0, pi = 3.14159265;
const float scaleOfHeight = 1.0 / (outer - 1.0), scaleOverDepth = scaleOfHeight / scaleDepth;
const float mie = 0.001, brightness = 20.0, maxScatter = 50.0, g = -0.990;
float opticalDepth(float cosine) {
  float x = 1.0 - cosine;
  return scaleDepth * exp(-0.00287 + x * (0.459 + x * (3.83 + x * (-6.80 + x * 5.25))));
}
// Light added by the air along the line of sight, and transmittance.
void scatter(vec3 eye, out vec3 inScatter, out vec3 outScatter) {
  vec3 wavelength = mix(vec3(0.65, 0.57, 0.475) - 0.15, vec3(0.65, 0.57, 0.475) + 0.15, 1.0 - pow(skyTint, vec3(1.0 / 2.2)));
  vec3 inverse4 = 1.0 / pow(wavelength, vec3(4.0));
  float rayleigh = mix(0.0, 0.0025, pow(thickness, 2.5));
  vec3 lost = inverse4 * rayleigh * 4.0 * pi + mie * 4.0 * pi;
  vec3 camera = vec3(0.0, 1.0 + cameraHeight, 0.0);
  vec3 frontColor = vec3(0.0);
  if (eye.y >= 0.0) {
    float far = sqrt(outer * outer + eye.y * eye.y - 1.0) - eye.y;
    float startDepth = exp(scaleOverDepth * -cameraHeight);
    float startOffset = startDepth * opticalDepth(dot(eye, camera) / (1.0 + cameraHeight));
    float stepLength = far / samples;
    vec3 point = camera + eye * stepLength * 0.5;
    for (int i = 0; i < 2; i++) {
      float height = length(point);
      float depth = exp(scaleOverDepth * (1.0 - height));
      float scatter = startOffset + depth * (opticalDepth(dot(sun, point) / height) - opticalDepth(dot(eye, point) / height));
      frontColor += exp(-clamp(scatter, 0.0, maxScatter) * lost) * depth * stepLength * scaleOfHeight;
      point += eye * stepLength;
    }
    inScatter = frontColor * inverse4 * rayleigh * brightness;
    outScatter = frontColor * mie * brightness;
  } else {
    float far = -cameraHeight / min(-0.001, eye.y);
    vec3 end = camera + far * eye;
    float depth = exp(-cameraHeight / scaleDepth);
    float cameraScale = opticalDepth(dot(-eye, end));
    float offset = depth * cameraScale, sum = opticalDepth(dot(sun, end)) + cameraScale;
    float stepLength = far / samples;
    vec3 point = camera + eye * stepLength * 0.5;
    float here = exp(scaleOverDepth * (1.0 - length(point)));
    outScatter = exp(-clamp(here * sum - offset, 0.0, maxScatter) * lost);
    frontColor = outScatter * here * stepLength * scaleOfHeight;
    inScatter = frontColor * (inverse4 * rayleigh * brightness + mie * brightness);
    outScatter = clamp(outScatter, 0.0, 1.0);
  }
}
void main() {
  vec3 eye = normalize(sight);
  // Unity computes this per vertex, so colors near the horizon are interpolated between two rings
  // of vertices.
  vec3 high = normalize(vec3(eye.x, max(eye.y, 0.0), eye.z)), inScatter, outScatter;
  scatter(high, inScatter, outScatter);
  float cosine = dot(sun, -high);
  vec3 color = exposure * inScatter * (0.75 + 0.75 * cosine * cosine);
  if (eye.y < 0.0) {
    vec3 near, left;
    scatter(normalize(vec3(eye.x, min(eye.y, -0.1), eye.z)), near, left);
    vec3 earth = exposure * mix(inScatter + ground * outScatter, near + ground * left, clamp(-eye.y / 0.1, 0.0, 1.0));
    color = mix(color, earth, clamp(-eye.y / 0.02, 0.0, 1.0));
  }
  if (eye.y > 0.0 && sunDisk > 0) {
    vec3 light = sunColor / clamp(length(sunColor), 0.25, 1.0);
    if (sunDisk == 1) {
      float spot = 1.0 - smoothstep(0.0, sunSize, distance(sun, eye));
      color += 27.0 * clamp(outScatter * 400.0 * brightness, 0.0, 1.0) * light * spot * spot;
    } else {
      float focused = pow(clamp(dot(sun, eye), 0.0, 1.0), sunConvergence);
      float phase = max(pow(1.0 + g * g + 2.0 * g * focused, pow(sunSize, 0.65) * 10.0), 1e-4);
      color += 15.0 * clamp(outScatter, 0.0, 1.0) * light * 1.5 * ((1.0 - g * g) / (2.0 + g * g)) * (1.0 + focused * focused) / phase;
    }
  }
  gl_FragColor = vec4(color, 1.0);
}`;

const FACES = { front: '_FrontTex', back: '_BackTex', left: '_LeftTex', right: '_RightTex', up: '_UpTex', down: '_DownTex' } as const;

/**
 * Returns the skybox of the first active object that has one, in breadth-first order, like UniVGO's
 * importer.
 */
function skyOf(scene: RigScene): Feature | undefined {
  const skies = scene.features.filter(({ kind, node }) => kind === 'skybox' && isActive(scene, node ?? -1));
  if (skies.length < 2) return skies[0];
  const children = childrenOf(scene);
  const rows = [0];
  for (const row of rows) for (const child of children[row]!) rows.push(child);
  const places = new Map(rows.map((row, place) => [row, place]));
  return skies.toSorted((a, b) => places.get(a.node ?? -1)! - places.get(b.node ?? -1)!)[0];
}

export async function loadSkybox(scene: RigScene, report: Report, options: TextureOptions = {}): Promise<Skybox | null> {
  const feature = skyOf(scene);
  const material = scene.materials[numberIn(feature?.properties, 'materialIndex', -1)];
  if (!material || feature?.properties?.['enabled'] === false) return null;
  const values = new ShaderValues(material);
  const note = (detail: string): null => {
    const isKnown = report.items.some(({ code, path }) => code === 'TEXTURE_UNSUPPORTED' && path === material.name);
    if (!isKnown)
      addFinding(report, { code: 'TEXTURE_UNSUPPORTED', severity: 'info', offset: null, path: material.name, detail, count: 1 });
    return null;
  };
  const textures: Texture[] = [];
  const get = async (source: string): Promise<Texture | null> => {
    const texture = await textureOf(scene, material, source, options).catch(() => null);
    if (texture) textures.push(texture);
    if (options.signal?.aborted) textures.forEach(disposeTexture);
    options.signal?.throwIfAborted();
    return texture;
  };
  const strength = DOUBLE * values.number('_Exposure', 1);
  const tint = new Vector3(...values.color('_Tint', [0.214, 0.214, 0.214])).multiplyScalar(strength);
  const rotation = (values.number('_Rotation', 0) * Math.PI) / 180;
  const make = (fragmentShader: string, uniforms: Record<string, unknown>, size: number): Skybox =>
    assemble(fragmentShader, { rotation, tint, ...uniforms }, size, textures);

  switch (values.shader) {
    case 'Skybox/6 Sided': {
      const faces = await Promise.all(Object.values(FACES).map(get));
      const shown = faces.find(face => face !== null);
      if (!shown) return note('none of the six pictures of the sky can be drawn');
      return make(SIX_SIDED, Object.fromEntries(Object.keys(FACES).map((name, i) => [name, faces[i] ?? shown])), sizeOf(shown));
    }
    case 'Skybox/Panoramic': {
      const panorama = await get('_MainTex');
      if (!panorama) return note('the picture of the sky cannot be drawn');
      if (values.number('_Mapping', 1) === 0) {
        const { width = 1, height = 1 } = panorama.image as { width?: number; height?: number };
        const { grid, frames } = LAYOUTS.find(({ upTo }) => width / height <= upTo)!;
        const margin = new Vector2((0.5 * grid[0]) / width, (0.5 * grid[1]) / height);
        return make(
          SIX_FRAMES,
          { panorama, margin, grid: new Vector2(...grid), frames: frames.map(([x, y]) => new Vector2(x, y)), isCross: grid[1] === 4 },
          width / grid[0],
        );
      }
      const half180 = values.number('_ImageType', 0) === 0 ? [1, 1] : [2, values.isOn('_MirrorOnBack') ? 1 : 0.5];
      const layout = values.number('_Layout', 0); // of two stereo images, only the left one is drawn
      const window = layout === 1 ? [0, 0, 0.5, 1] : layout === 2 ? [0, 0.5, 1, 0.5] : [0, 0, 1, 1];
      return make(PANORAMIC, { panorama, half180, window }, sizeOf(panorama) / 4);
    }
    case 'Skybox/Procedural': {
      const { direction, color } = sunOf(scene);
      return make(
        PROCEDURAL,
        {
          rotation: 0,
          skyTint: new Vector3(...values.color('_SkyTint', [0.214, 0.214, 0.214])),
          ground: new Vector3(...values.color('_GroundColor', [0.111, 0.1, 0.093])),
          exposure: values.number('_Exposure', 1.3),
          thickness: values.number('_AtmosphereThickness', 1),
          sunDisk: values.number('_SunDisk', 2),
          sunSize: values.number('_SunSize', 0.04),
          sunConvergence: values.number('_SunSizeConvergence', 5),
          sun: direction,
          sunColor: color,
        },
        512,
      );
    }
    default:
      return note(`skies of the kind "${values.shader}" are not drawn`);
  }
}

function assemble(fragmentShader: string, uniforms: Record<string, unknown>, size: number, textures: readonly Texture[]): Skybox {
  const material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader,
    side: BackSide,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
    uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
  });
  const mesh = new Mesh(new IcosahedronGeometry(1, 8), material);
  mesh.frustumCulled = false;
  const scene = new Scene().add(mesh);
  return {
    scene,
    size: Math.min(Math.max(2 ** Math.round(Math.log2(size)), 64), 2048),
    dispose() {
      mesh.geometry.dispose();
      material.dispose();
      textures.forEach(disposeTexture);
    },
  };
}

async function textureOf(scene: RigScene, material: Material, source: string, options: TextureOptions): Promise<Texture | null> {
  const slot = material.slots.find(each => each.source === source && each.texture !== undefined);
  const image = scene.images[scene.textures[slot?.texture ?? -1]?.image ?? -1];
  if (!image?.bytes) return null;
  const texture = await decodeTexture({ name: image.name, bytes: image.bytes }, options.draws);
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.generateMipmaps = false; // avoids seams where neighbouring pixels sample opposite edges of the image
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function sizeOf({ image }: Texture): number {
  return (image as { width?: number } | null)?.width ?? 512;
}

/**
 * Returns the direction and color of the brightest directional light, in Unity's axes. If there is
 * no such light, returns +Z and black.
 */
function sunOf(scene: RigScene): { direction: Vector3; color: Vector3 } {
  const lights = scene.lights.filter(({ type, enabled, node }) => type === 'directional' && enabled && isActive(scene, node));
  const brightest = lights.sort((a, b) => luminance(b.color) * b.intensity - luminance(a.color) * a.intensity)[0];
  if (!brightest) return { direction: new Vector3(0, 0, 1), color: new Vector3(0, 0, 0) };
  const direction = new Vector3(0, 0, 1);
  const turn = new Quaternion();
  for (let row = brightest.node; row >= 0; row = scene.nodes.parents[row]!)
    direction.applyQuaternion(turn.fromArray(scene.nodes.rotations, 4 * row));
  direction.z = -direction.z;
  return { direction: direction.normalize(), color: new Vector3(...brightest.color).multiplyScalar(brightest.intensity / Math.PI) };
}

function luminance([r, g, b]: [number, number, number]): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
