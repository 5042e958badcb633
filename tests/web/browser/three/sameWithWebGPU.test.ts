// Scenes with one feature each, and the most demanding files: WebGLRenderer and both back ends of
// WebGPURenderer draw the same picture. webgpuNodes.test.ts compares the features that node materials
// add, and also that the pictures differ without the nodes.
//
// The measure: at most 2 % of the drawn pixels differ by more than 4 of 255 in a channel. The pictures
// are drawn without antialiasing, because the APIs place the samples within a pixel differently. Even
// so, WebGPU draws some edges one pixel further. For scenes whose parts are only a few pixels wide, a
// pixel of WebGPU may also have a color between those of the nine pixels around it with WebGL; the
// WebGL 2 back end must always agree with the pixel itself.
import {
  BasicShadowMap,
  Box3,
  DirectionalLight,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  PointLight,
  SphereGeometry,
  Vector3,
} from 'three';
import { commands } from 'vitest/browser';
import { afterAll, describe, expect, it } from 'vitest';
import '../../../../web/src/three/webgpu/index.ts';
import type { Feature, Material, Mesh as SceneMesh, Properties, RigScene } from '../../../../web/src/core/types.ts';
import type { BuildOptions } from '../../../../web/src/three/build/build.ts';
import { Rig, RigcastLoader } from '../../../../web/src/three/index.ts';
import { assignTexture } from '../../../../web/src/three/materials/assignTexture.ts';
import { assignRelief } from '../../../../web/src/three/materials/relief.ts';
import { armScene } from '../../../support/armScene.ts';
import { unityMaterial } from '../../../support/avatarScene.ts';
import { castFile, instance, model, node } from '../../../support/castFile.ts';
import { chainScene } from '../../../support/chainScene.ts';
import {
  backends,
  differing,
  disposeRenderers,
  pattern,
  targetOfWebGL,
  targetOfWebGPU,
  usableBackends,
  webgl,
} from '../../../support/rendererPictures.ts';

afterAll(disposeRenderers);

const gpu = { isWebGPURenderer: true };
for (const { shadowMap } of [webgl, ...Object.values(backends)]) Object.assign(shadowMap, { enabled: true, type: BasicShadowMap });

const loaderFor = (isWebGPU: boolean): RigcastLoader => (isWebGPU ? new RigcastLoader().detectSupport(gpu) : new RigcastLoader());
const built = (scene: RigScene, isWebGPU: boolean, more: BuildOptions = {}): Promise<Rig> =>
  Rig.make({ scene }, { ...loaderFor(isWebGPU).options, ...more });

/** Bends all bones of a rig, so that every joint moves. */
function bend(rig: Rig, angle = 0.12): Rig {
  const { nodes, file, meshes } = rig;
  const { bones } = file.scene!.nodes;
  for (const [row, each] of nodes.entries()) if (row > 0 && bones[row]! >= 0) each.rotateZ(row % 2 ? angle : -angle / 3).rotateY(angle / 2);
  for (const mesh of meshes) if (mesh && 'morphTargetInfluences' in mesh) mesh.morphTargetInfluences?.fill(0.4);
  return rig;
}

interface Chain {
  influences?: number;
  skinning?: SceneMesh['skinning'];
  isScaled?: boolean;
  material?: Material;
  /** Adds a second set of texture coordinates, tangents and vertex colors. */
  isFull?: boolean;
  /** Turns the normals towards the edges, and shows the ribbon from the back, so that an outline is seen. */
  isOutlined?: boolean;
}

/** Builds a bent, shaded ribbon with a morph target that also changes normals. */
async function chain(
  { influences = 4, skinning = 'linear', isScaled, material, isFull, isOutlined }: Chain,
  isWebGPU: boolean,
): Promise<Rig> {
  const scene = chainScene(influences, skinning);
  const [mesh] = scene.meshes;
  const { positions, vertexCount } = mesh!;
  const uvs = Float32Array.from({ length: 2 * vertexCount }, (_, i) =>
    i % 2 ? positions[(3 * (i - 1)) / 2 + 1]! : positions[(3 * i) / 2]! + 0.3,
  );
  mesh!.uvs = [uvs, ...(isFull ? [uvs.map(value => value * 1.2)] : [])];
  if (isFull) {
    mesh!.tangents = Float32Array.from({ length: 4 * vertexCount }, (_, i) => [1, 0, 0, 1][i % 4]!);
    mesh!.colors = [{ values: Uint8Array.from({ length: 4 * vertexCount }, (_, i) => 255 - ((i * 37) % 120)) }];
  }
  if (isOutlined) mesh!.normals = positions.map((x, i) => [0.8 * Math.sign(x), 0, 0.6][i % 3]!);
  mesh!.morphs = [
    {
      name: 'wide',
      vertices: Uint32Array.from({ length: vertexCount }, (_, v) => v),
      positions: positions.map((x, i) => (i % 3 ? 0 : x)),
      normals: positions.map((x, i) => (i % 3 ? 0 : 2 * x)),
      maximum: 1,
    },
  ];
  scene.materials = [
    {
      ...(material ?? { ...scene.materials[0]!, model: 'standard', color: [0.9, 0.6, 0.3, 1], metalness: 0, roughness: 0.5 }),
      side: 'both',
    },
  ];
  if (isScaled) scene.hints = { dualQuaternionScale: true };
  const rig = await built(scene, isWebGPU, { vertexColors: isFull ?? false });
  bend(rig, 0.5);
  if (isOutlined) rig.scene.rotation.y = Math.PI;
  if (isScaled) for (const row of [4, 7]) rig.nodes[row]!.scale.set(1.6, 0.8, 1.2);
  return rig;
}

/** Detail maps use the second set of texture coordinates. */
const details = { shaderName: 'Standard', floatProperties: { _UVSec: 1 } };

/** Assigns a pattern to each slot of the first material. */
function patterned(rig: Rig, slots: Record<string, number>): Rig {
  if ('detailBaseColor' in slots) rig.materialsOf(0)[0]!.userData['properties'] = details;
  for (const [slot, seed] of Object.entries(slots))
    expect(assignTexture(rig.materialsOf(0)[0]!, slot, pattern(seed), { relief: assignRelief }), slot).toBe(true);
  return rig;
}

const toon = (over: Partial<Material> = {}, outline = { _OutlineWidthMode: 1, _OutlineWidth: 3 }): Material =>
  unityMaterial(
    'skin',
    'mtoon',
    'VRM/MToon',
    {
      floatProperties: { ...outline, _RimLightingMix: 0.5, _ShadeToony: 0.4 },
      colorProperties: { _RimColor: [0.2, 0.5, 0.9, 1], _ShadeColor: [0.3, 0.1, 0.2, 1], _OutlineColor: [0.1, 0.4, 0.1, 1] },
    },
    over,
  );

/** Builds a scene of spheres that overlap, one for each material. */
async function spheres(materials: readonly Partial<Material>[], isWebGPU: boolean): Promise<Rig> {
  const base = armScene().materials[0]!;
  const made = new SphereGeometry(0.5, 32, 16);
  const array = (name: string): Float32Array => made.getAttribute(name).array as Float32Array;
  const positions = array('position');
  const scene = armScene();
  const mesh: SceneMesh = {
    ...scene.meshes[0]!,
    vertexCount: positions.length / 3,
    sourceVertexCount: positions.length / 3,
    positions,
    normals: array('normal'),
    uvs: [array('uv')],
    colors: [{ values: Uint8Array.from({ length: (4 * positions.length) / 3 }, (_, i) => 255 - ((i * 11) % 90)) }],
    indices: Uint16Array.from(made.index!.array),
    groups: [],
    morphs: [],
    min: [-0.5, -0.5, -0.5],
    max: [0.5, 0.5, 0.5],
    center: [0, 0, 0],
    radius: 0.5,
  };
  for (const name of ['joints', 'weights', 'sourceVertices'] as const) delete mesh[name];
  const count = materials.length;
  return built(
    {
      ...scene,
      nodes: {
        ...scene.nodes,
        length: count + 1,
        names: ['', ...materials.map((_, i) => `ball${i}`)],
        parents: Int32Array.from({ length: count + 1 }, (_, i) => (i ? 0 : -1)),
        translations: Float32Array.from({ length: 3 * (count + 1) }, (_, i) =>
          i < 3 ? 0 : [0.55 * (Math.floor(i / 3) - 1), 0.1 * (i % 2), 0.3 * (Math.floor(i / 3) % 2)][i % 3]!,
        ),
        rotations: Float32Array.from({ length: 4 * (count + 1) }, (_, i) => Number(i % 4 === 3)),
        scales: new Float32Array(3 * (count + 1)).fill(1),
        bones: new Int32Array(count + 1).fill(-1),
        visible: new Uint8Array(count + 1).fill(1),
        segmentScaleCompensate: new Uint8Array(count + 1),
        properties: new Map(),
      },
      meshes: materials.map((_, material) => ({ ...mesh, groups: [{ start: 0, count: mesh.indices!.length, material }] })),
      renderers: materials.map((_, i) => ({ name: '', node: i + 1, mesh: i, visible: true })),
      skins: [],
      clips: [],
      features: [],
      materials: materials.map((each, i) => ({ ...base, name: `m${i}`, slots: [], ...each })),
    },
    isWebGPU,
  );
}

/** Builds a particle system half a second after its start. */
async function particles(renderer: Properties, material: Partial<Material>, isWebGPU: boolean): Promise<Rig> {
  const constant = (value: number) => ({ mode: 0, constant: value });
  const sparks: Feature = {
    kind: 'particleSystem',
    name: 'sparks',
    node: 2,
    properties: {
      main: {
        duration: 1,
        loop: true,
        startLifetime: constant(1),
        startSpeed: constant(1.5),
        startSize: constant(0.5),
        startColor: { mode: 0, color: [1, 0.5, 0.25, 0.5] },
        simulationSpeed: 1,
        maxParticles: 50,
      },
      emission: { enabled: true, rateOverTime: constant(40) },
      shape: { enabled: true, shapeType: 0, radius: 1 },
      renderer: { enabled: true, renderMode: 0, sharedMaterialIndex: 1, ...renderer },
    },
  };
  const scene = armScene({ features: [sparks], clips: [] });
  scene.materials[1] = { ...scene.materials[1]!, ...material };
  const rig = await built(scene, isWebGPU);
  for (let i = 0; i < 30; i++) rig.update(1 / 60);
  return rig;
}

/** Builds a scene of a Cast file with instances, mirrored, scaled and with bones. */
async function instances(isWebGPU: boolean): Promise<Rig> {
  const box = new SphereGeometry(0.5, 8, 6);
  const solid = node('mesh', {
    n: ['s', 'solid'],
    vp: ['3v', [...box.getAttribute('position').array]],
    vn: ['3v', [...box.getAttribute('normal').array]],
    f: ['i', [...box.index!.array]],
  });
  const files = {
    'world.cast': castFile(
      instance('stone.cast', { p: [0, 0, 0] }),
      instance('stone.cast', { p: [1.2, 0.2, 0], s: [-1, 1.4, 1], r: [0, 0, 0.38, 0.92] }),
      instance('stone.cast', { p: [-1.2, 0.3, 0], s: [0.6, 1.2, 2] }),
      instance('stone.cast', { p: [0, 1.2, -0.4], s: [2, 0.5, 1] }),
    ),
    'stone.cast': castFile(model('stone', solid)),
  };
  return loaderFor(isWebGPU)
    .setFiles(new Map(Object.entries(files)))
    .parseAsync(files['world.cast'], '', 'world.cast');
}

const strands = castFile(
  model(
    'm',
    node('hair', {
      se: ['i', [3, 3]],
      pt: ['3v', [-1, 0, 0, -0.4, 0.5, 0.2, 0.4, 0.3, 0, 1, 0, 0, -1, -0.4, 0, 0, 0.1, 0.4, 0.5, -0.3, 0, 1, -0.5, 0.3]],
      n: ['s', 'fringe'],
    }),
  ),
);

const hair = (strandWidth: number, strandUnit: 'metres' | 'pixels', isWebGPU: boolean): Promise<Rig> =>
  loaderFor(isWebGPU).setOptions({ strandWidth, strandUnit }).parseAsync(strands, '', 'm.cast');

const world = new URL('../../../../web/src/viewer/demo/Isle.cast', import.meta.url).href;
const robot = new URL('../../../../web/src/viewer/demo/Tock.cast', import.meta.url).href;
const loaded = (url: string, isWebGPU: boolean): Promise<Rig> => loaderFor(isWebGPU).loadAsync(url);

/** Adds a light whose shadow falls on the caster and on a wall behind it. */
function shadowOf({ scene: caster }: Rig, light: DirectionalLight | PointLight): Object3D {
  const center = new Box3().setFromObject(caster).getCenter(new Vector3());
  const wall = new Mesh(new PlaneGeometry(3, 3), new MeshStandardMaterial({ color: 0x888888 }));
  wall.position.copy(center).setZ(-1);
  wall.rotation.z = 0.1; // edges along rows of pixels would be drawn differently
  wall.receiveShadow = true;
  light.position.copy(center).add(new Vector3(0.6, 1.5, 4));
  light.castShadow = true;
  light.shadow.mapSize.set(512, 512);
  light.shadow.bias = -0.004;
  if (light instanceof DirectionalLight) Object.assign(light.shadow.camera, { left: -2, right: 2, top: 2, bottom: -2, near: 1, far: 12 });
  else light.intensity = 60;
  caster.traverse(object => Object.assign(object, { castShadow: true, receiveShadow: true }));
  const group = new Group();
  group.add(wall, caster, light);
  if (!(light instanceof PointLight)) {
    light.target.position.copy(center);
    group.add(light.target);
  }
  return group;
}

const sun = (): DirectionalLight => new DirectionalLight(0xffffff, 3);
const masked: Partial<Material> = { alphaMode: 'mask', alphaCutoff: 0.6, side: 'both' };

const scenes: Record<string, (isWebGPU: boolean) => Promise<Object3D>> = {
  'four linear influences, morphed normals': async gpu => (await chain({}, gpu)).scene,
  'eight dual quaternions, morphed normals': async gpu => (await chain({ influences: 8, skinning: 'dualQuaternion' }, gpu)).scene,
  'four dual quaternions with scale': async gpu => (await chain({ skinning: 'dualQuaternion', isScaled: true }, gpu)).scene,
  'eight influences with all attributes': async gpu =>
    patterned(await chain({ influences: 8, isFull: true }, gpu), { baseColor: 1, normal: 2, detailBaseColor: 3 }).scene,
  'ten dual quaternions with all attributes': async gpu =>
    patterned(await chain({ influences: 10, skinning: 'dualQuaternion', isFull: true }, gpu), {
      baseColor: 1,
      normal: 2,
      detailBaseColor: 3,
      gloss: 3,
    }).scene,
  'a toon material with bones and a morph target': async gpu =>
    patterned(await chain({ material: toon() }, gpu), { baseColor: 1, shade: 2 }).scene,
  'a toon material with eight influences and all attributes': async gpu =>
    (await chain({ influences: 8, isFull: true, material: toon() }, gpu)).scene,
  'an outline in pixels with bones that scale': async gpu =>
    (
      await chain(
        { skinning: 'dualQuaternion', isScaled: true, isOutlined: true, material: toon({}, { _OutlineWidthMode: 2, _OutlineWidth: 8 }) },
        gpu,
      )
    ).scene,
  'materials that differ only in their maps': async gpu => {
    const rig = await spheres([{}, {}, {}], gpu);
    for (const [i, seed] of [1, 2, 3].entries()) {
      const [material] = rig.materialsOf(i);
      material!.userData['properties'] = { shaderName: 'Standard' };
      for (const slot of ['detailBaseColor', 'emissive', 'emissiveMask', 'gloss'])
        assignTexture(material!, slot, pattern(seed), { relief: assignRelief });
    }
    return rig.scene;
  },
  'blended, additive, subtractive and multiplied materials': async gpu =>
    (
      await spheres(
        [
          { alphaMode: 'blend', color: [1, 0.3, 0.2, 0.5] },
          { alphaMode: 'add', color: [0.2, 0.5, 0.1, 0.8] },
          { alphaMode: 'multiply', color: [0.6, 0.8, 0.4, 0.7] },
          {
            alphaMode: 'blend',
            color: [0.5, 0.1, 0.1, 1],
            properties: { shaderName: 'Particles/Standard Unlit', intProperties: { _Mode: 5 } },
            model: 'unlit',
          },
        ],
        gpu,
      )
    ).scene,
  'masked, unlit, coated and emissive materials': async gpu => {
    const rig = await spheres(
      [
        { ...masked },
        { model: 'unlit', side: 'both' },
        unityMaterial('coat', 'standard', 'HDRP/Lit', { floatProperties: { _CoatMask: 1 } }),
        { emissive: [0.2, 0.4, 0.1], metalness: 1, roughness: 0.3 },
      ],
      gpu,
    );
    return patterned(rig, { baseColor: 4 }).scene;
  },
  'particles that face the camera': async gpu => (await particles({}, { alphaMode: 'blend', model: 'unlit' }, gpu)).scene,
  'stretched, additive particles': async gpu =>
    (await particles({ renderMode: 1, velocityScale: 0.3, lengthScale: 1 }, { alphaMode: 'add', model: 'unlit' }, gpu)).scene,
  'particles that copy a mesh': async gpu => (await particles({ renderMode: 4, mesh: 0 }, {}, gpu)).scene,
  'instances of a model': async gpu => (await instances(gpu)).scene,
  'a world of models': async gpu => (await loaded(world, gpu)).scene,
  'hair with a width in metres': async gpu => (await hair(0.2, 'metres', gpu)).scene,
  'hair with a width in pixels': async gpu => (await hair(9, 'pixels', gpu)).scene,
  'hair without a width': async gpu => (await hair(0, 'pixels', gpu)).scene,
  'a robot with hair, metal and expressions': async gpu => (await loaded(robot, gpu)).scene,
  'the shadow of ten linear influences': async gpu => shadowOf(await chain({ influences: 10 }, gpu), sun()),
  'the shadow of ten scaled dual quaternions': async gpu =>
    shadowOf(await chain({ influences: 10, skinning: 'dualQuaternion', isScaled: true }, gpu), sun()),
  'the shadow of eight influences, of a point light': async gpu => shadowOf(await chain({ influences: 8 }, gpu), new PointLight()),
  'the shadow of a toon material': async gpu => shadowOf(await chain({ material: toon() }, gpu), sun()),
  'the shadow of a masked material': async gpu =>
    shadowOf(patterned(await spheres([masked, { model: 'unlit' }], gpu), { baseColor: 4 }), sun()),
  'the shadow of instances': async gpu => shadowOf(await instances(gpu), sun()),
  'the shadow of copied particles': async gpu => shadowOf(await particles({ renderMode: 4, mesh: 0 }, {}, gpu), sun()),
};

/** Scenes with many parts that are only a few pixels wide, and lines. */
const fine = new Set([
  'a world of models',
  'a robot with hair, metal and expressions',
  'hair without a width',
  'cast/generated/valid/skin_300_bones_short_index.cast',
  'cast/generated/valid/world/scene.cast',
  'vgo/generated/avatar_rh_tl_json.vgo',
  'vgo/generated/materials_lh_bl.vgo',
]);

async function compare(make: (isWebGPU: boolean) => Promise<Object3D>, name: string): Promise<void> {
  const wanted = await targetOfWebGL(await make(false));
  for (const [backend, renderer] of usableBackends) {
    await renderer.init();
    const { drawn, shape, colour } = differing(
      wanted,
      await targetOfWebGPU(await make(true), renderer),
      4,
      backend === 'WebGPU' && fine.has(name),
    );
    expect.soft(drawn).toBeGreaterThan(200);
    expect.soft(shape + colour, backend).toBeLessThan(0.02);
  }
}

/** Returns a file of the corpus beside the repository; null if there is none. */
async function corpusFile(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const text = await commands.readFile(`../shared/corpus/${path}`, { encoding: 'base64' }).catch(() => null);
  return text === null ? null : Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

/** The most demanding files of the corpus, and files that they refer to. */
const corpus: Record<string, string[]> = {
  'psk/hp2/skBeaterMesh.psk': [],
  'psk/psk_psa_py/carlos_head_carlos.psk': [],
  'cast/generated/valid/arm_skinned_quaternion_mi2.cast': [],
  'cast/generated/valid/skin_300_bones_short_index.cast': [],
  'cast/generated/valid/blendshapes_with_animation.cast': [],
  'cast/generated/valid/world/scene.cast': ['props/crate.cast', 'props/lamp.cast', 'props/stack.cast'],
  'vgo/generated/avatar_rh_tl_json.vgo': [],
  'vgo/generated/materials_lh_bl.vgo': [],
  'vgo/real/HDRP_VGO_2_5.vgo': [],
  'vgo/real/VGO_2_5.vgo': [],
};

describe('WebGLRenderer and both back ends of WebGPURenderer draw files of the corpus the same', () => {
  it.each(Object.entries(corpus))('%s', async (path, others) => {
    const bytes = await corpusFile(path);
    if (!bytes) return console.log(`skipped: there is no ../shared/corpus/${path}`);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const files = new Map<string, Uint8Array<ArrayBuffer>>([[path.slice(folder.length), bytes]]);
    for (const other of others) files.set(other, (await corpusFile(folder + other))!);
    await compare(async isWebGPU => {
      const rig = await loaderFor(isWebGPU).setFiles(files).parseAsync(bytes, '', path.slice(folder.length));
      return bend(rig, 0.2).scene;
    }, path);
  });
});

describe('WebGLRenderer and both back ends of WebGPURenderer draw the same', () => {
  it.each(Object.entries(scenes))('%s', (name, make) => compare(make, name));
});
