// With `rigcast/three/webgpu`, both back ends of WebGPURenderer draw the same pictures as
// WebGLRenderer.
import {
  DirectionalLight,
  DoubleSide,
  Group,
  type Material,
  Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  SphereGeometry,
} from 'three';
import { positionLocal, vec3, vec4 } from 'three/tsl';
import { afterAll, describe, expect, it } from 'vitest';
import '../../../../web/src/three/webgpu/index.ts';
import { Rig, RigcastLoader, type RigSkinnedMesh } from '../../../../web/src/three/index.ts';
import * as skinning from '../../../../web/src/three/build/skinningShader.ts';
import { assignTexture } from '../../../../web/src/three/materials/assignTexture.ts';
import { assignRelief } from '../../../../web/src/three/materials/relief.ts';
import { keepPlain } from '../../../../web/src/three/materials/shaderPatch.ts';
import * as toon from '../../../../web/src/three/materials/toon.ts';
import { standardOf } from '../../../../web/src/three/materials/toonStandard.ts';
import * as toonNodes from '../../../../web/src/three/webgpu/toonNodes.ts';
import { DEFAULT_MATERIAL } from '../../../../web/src/textures/defaultMaterial.ts';
import { castFile, model, node } from '../../../support/castFile.ts';
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

type Method = 'linear' | 'dualQuaternion' | 'scaled';

/** Returns a bent rig whose bones also scale if `method` is `scaled`. */
function bentRig(influences: number, method: Method, plain: boolean): Rig {
  const isScaled = method === 'scaled';
  const base = chainScene(influences, isScaled ? 'dualQuaternion' : method);
  const vertices = Uint32Array.from({ length: 50 }, (_, v) => v);
  base.meshes[0]!.morphs = [{ name: 'wide', vertices, positions: base.meshes[0]!.positions.map((x, i) => (i % 3 ? 0 : x)), maximum: 1 }];
  const options = { modules: { skinning }, ...(plain && { skinning: 'plain' as const }) };
  const rig = new Rig({ scene: { ...base, hints: { dualQuaternionScale: isScaled } } }, options);
  (rig.meshes[0] as RigSkinnedMesh).morphTargetInfluences![0] = 0.5;
  for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation.set(0, i * 0.12, i % 2 ? 0.55 : 0.1);
  if (isScaled) for (const row of [4, 7]) rig.nodes[row]!.scale.set(1.6, 0.8, 1.2);
  return rig;
}

const bent = (...how: Parameters<typeof bentRig>): Object3D => bentRig(...how).scene;

type Slots = Record<string, number>;

/** Returns a tilted sphere whose material has a pattern in each slot. */
function surface(slots: Slots, properties: object | null, plain: boolean): Object3D {
  const material = new MeshPhysicalMaterial({ side: DoubleSide, metalness: 0, roughness: 0.3 });
  if (plain) keepPlain(material);
  material.userData = { slots: [], properties };
  for (const [slot, seed] of Object.entries(slots)) {
    const texture = pattern(seed);
    const settings = properties ? ({ properties: { mapType: 2, metallicRoughness: 0 } } as never) : null;
    expect(assignTexture(material, slot, texture, { relief: assignRelief, settings })).toBe(true);
  }
  const mesh = new Mesh(new SphereGeometry(1, 48, 24), material);
  mesh.rotation.set(-0.5, 0.4, 0.1);
  return mesh;
}

interface Toon {
  shader: string;
  floats?: Record<string, number>;
  colors?: Record<string, number[]>;
  slots: Slots;
}

/** Returns a sphere with a toon material, its outline, and a pattern in each slot. */
function toonSphere({ shader, floats, colors, slots }: Toon, plain: boolean, isWebGPU: boolean): Object3D {
  const { buildToon, buildOutline } = isWebGPU ? toonNodes : toon;
  const textureIndexProperties = Object.fromEntries(['_SphereAdd', '_MatcapTex'].map(name => [name, 0]));
  const properties = { shaderName: shader, floatProperties: floats ?? {}, colorProperties: colors ?? {}, textureIndexProperties };
  const surface = buildToon({ ...DEFAULT_MATERIAL, model: 'mtoon', properties });
  surface.color.setRGB(0.9, 0.7, 0.5);
  for (const [slot, seed] of Object.entries(slots)) expect(assignTexture(surface, slot, pattern(seed))).toBe(true);
  surface.update(0.3);
  const outline = buildOutline(surface);
  outline?.update(0.3);
  const geometry = new SphereGeometry(1, 48, 24);
  const materials = plain ? [standardOf(surface)] : [surface, ...(outline ? [outline] : [])];
  for (const i of materials.keys()) geometry.addGroup(0, Infinity, i);
  const mesh = new Mesh(geometry, materials);
  mesh.rotation.set(-0.5, 0.4, 0.1);
  mesh.scale.setScalar(0.9);
  return mesh;
}

const scenes: Record<string, (plain: boolean, isWebGPU: boolean) => Object3D> = {
  'toon materials of MToon 0.x': (plain, isWebGPU) =>
    toonSphere(
      {
        shader: 'VRM/MToon',
        floats: { _OutlineWidthMode: 1, _OutlineWidth: 4, _RimLightingMix: 0.5, _RimFresnelPower: 2, _RimLift: 0.1, _ShadeToony: 0.4 },
        colors: { _RimColor: [0.2, 0.5, 0.9, 1], _ShadeColor: [0.3, 0.1, 0.2, 1] },
        slots: { baseColor: 1, shade: 2, outlineWidth: 4, matcap: 5, emissive: 3 },
      },
      plain,
      isWebGPU,
    ),
  ...Object.fromEntries(
    // Not both in one scene: at the edges of a mask, the tangent frame depends on the order of pixels.
    (['normal', 'uvAnimationMask'] as const).map(slot => [
      `toon materials of MToon 1.0 with ${slot}, UV animation and an outline in pixels`,
      (plain: boolean, isWebGPU: boolean): Object3D =>
        toonSphere(
          {
            shader: 'VRM10/MToon10',
            floats: {
              _OutlineWidthMode: 2,
              _OutlineWidth: 0.02,
              _OutlineLightingMix: 0.5,
              _RimFresnelPower: 3,
              _UvAnimScrollXSpeed: 0.4,
              _UvAnimScrollYSpeed: 0.2,
              _UvAnimRotationSpeed: 0.1,
            },
            colors: { _RimColor: [0.2, 0.5, 0.9, 1], _ShadeColor: [0.3, 0.1, 0.2, 1], _OutlineColor: [0.6, 0.1, 0.1, 1] },
            slots: { baseColor: 1, shade: 2, shadingShift: 3, rim: 4, matcap: 5, emissive: 3, outlineWidth: 4, [slot]: 2 },
          },
          plain,
          isWebGPU,
        ),
    ]),
  ),
  'eight linear influences': plain => bent(8, 'linear', plain),
  'ten linear influences': plain => bent(10, 'linear', plain),
  'dual quaternions of four': plain => bent(4, 'dualQuaternion', plain),
  'dual quaternions of ten': plain => bent(10, 'dualQuaternion', plain),
  'dual quaternions of ten with scale': plain => bent(10, 'scaled', plain),
  'a gloss map': plain => surface({ baseColor: 1, gloss: 3 }, null, plain),
  'a packed map': plain => surface({ baseColor: 1, rma: 3 }, null, plain),
  'an emission mask': plain => surface({ emissive: 1, emissiveMask: 3 }, null, plain),
  'specular in red': plain => surface({ baseColor: 1, specular: 2 }, null, plain),
  'anisotropy in red': plain => surface({ anisotropy: 3 }, null, plain),
  'smoothness in alpha': plain =>
    surface({ metallicRoughness: 3 }, { shaderName: 'Standard', floatProperties: { _GlossMapScale: 0.8 } }, plain),
  'smoothness in the base texture': plain =>
    surface({ baseColor: 1 }, { shaderName: 'Standard', floatProperties: { _SmoothnessTextureChannel: 1 } }, plain),
  'detail maps with a mask': plain =>
    surface({ baseColor: 1, normal: 2, detailBaseColor: 3, detailNormal: 4, detailMask: 5 }, { shaderName: 'Standard' }, plain),
  'a height map': plain =>
    surface({ baseColor: 1, normal: 2, height: 3, emissive: 4 }, { shaderName: 'Standard', floatProperties: { _Parallax: 0.08 } }, plain),
  'a height map under detail maps and an emission mask': plain =>
    surface(
      { baseColor: 1, detailBaseColor: 3, detailNormal: 4, height: 3, emissive: 4, emissiveMask: 5 },
      { shaderName: 'Standard', floatProperties: { _Parallax: 0.08 } },
      plain,
    ),
};

describe.each(Object.entries(scenes))('%s', (_, make) => {
  it.each(usableBackends)('look the same with %s as with WebGLRenderer, and differ without nodes', async (_name, renderer) => {
    await renderer.init();
    const wanted = await targetOfWebGL(make(false, false));
    const difference = differing(wanted, await targetOfWebGPU(make(false, true), renderer), 4);
    expect(difference.drawn).toBeGreaterThan(500);
    expect(difference.shape + difference.colour).toBeLessThan(0.02);
    const without = differing(wanted, await targetOfWebGL(make(true, false)), 4);
    expect(without.shape + without.colour).toBeGreaterThan(0.02);
  });
});

describe('with the loader', () => {
  const gpu = { isWebGPURenderer: true };
  const hair = (): Uint8Array =>
    castFile(model('m', node('hair', { se: ['i', [2]], pt: ['3v', [-1, 0, 0, 0, 0.5, 0, 1, 0, 0]], n: ['s', 'fringe'] })));

  it.each(usableBackends)('hair has a width with %s', async (_name, renderer) => {
    await renderer.init();
    const load = (loader: RigcastLoader): Promise<Rig> =>
      loader.setOptions({ strandWidth: 0.2, strandUnit: 'metres' }).parseAsync(hair(), '', 'm.cast');
    const drawn = await load(new RigcastLoader().detectSupport(gpu));
    const difference = differing(
      await targetOfWebGL((await load(new RigcastLoader())).scene),
      await targetOfWebGPU(drawn.scene, renderer),
      8,
    );
    expect(difference.drawn).toBeGreaterThan(200);
    expect(difference.shape + difference.colour).toBeLessThan(0.05);
    expect(drawn.report.items.map(({ code }) => code)).not.toContain('MATERIAL_REDUCED');
  });

  it.each(usableBackends)('an avatar with toon materials and outlines looks the same with %s', async (_name, renderer) => {
    await renderer.init();
    const address = new URL('../../../../web/src/viewer/demo/Lotl.vgo', import.meta.url).href;
    const wanted = await targetOfWebGL((await new RigcastLoader().loadAsync(address)).scene);
    const avatar = await new RigcastLoader().detectSupport(gpu).loadAsync(address);
    const difference = differing(wanted, await targetOfWebGPU(avatar.scene, renderer), 4);
    expect(difference.drawn).toBeGreaterThan(1000);
    expect(difference.shape + difference.colour).toBeLessThan(0.02);
    expect(avatar.report.items.filter(({ code }) => /REDUCED/.test(code))).toEqual([]);
    const standard = await new RigcastLoader().setOptions({ toon: 'standard' }).loadAsync(address);
    const without = differing(wanted, await targetOfWebGL(standard.scene), 4);
    expect(without.shape + without.colour).toBeGreaterThan(0.02);
  });

  it('nothing is reported as reduced', async () => {
    const loader = new RigcastLoader().detectSupport(gpu);
    expect(loader.options).toEqual({ toon: 'nodes', shaders: 'nodes' });
    const rig = await loader.loadAsync(new URL('../../../../web/src/viewer/demo/Tock.cast', import.meta.url).href);
    assignTexture(rig.materialsOf(0)[0]!, 'gloss', pattern(3));
    await targetOfWebGPU(rig.scene, backends['WebGL 2']);
    expect(rig.report.items.filter(({ code }) => /REDUCED/.test(code))).toEqual([]);
  });
});

describe('shadows', () => {
  it.each(usableBackends)('of dual quaternions have the same shape with %s', async (_name, renderer) => {
    await renderer.init();
    webgl.shadowMap.enabled = renderer.shadowMap.enabled = true;
    const shadow = (plain: boolean): Object3D => {
      const group = new Group();
      const wall = new Mesh(new PlaneGeometry(5, 5), new MeshStandardMaterial({ color: 0x888888 }));
      wall.position.set(0, 1, -1);
      wall.receiveShadow = true;
      const light = new DirectionalLight(0xffffff, 3);
      light.position.set(1, 2, 4);
      light.castShadow = true;
      light.shadow.mapSize.set(512, 512);
      Object.assign(light.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3 });
      const caster = bent(8, 'dualQuaternion', plain);
      caster.traverse(object => {
        object.castShadow = true;
        if (object instanceof Mesh) Object.assign(object.material as MeshStandardMaterial, { colorWrite: false, depthWrite: false });
      });
      group.add(wall, light, caster);
      return group;
    };
    const wanted = await targetOfWebGL(shadow(false));
    const difference = differing(wanted, await targetOfWebGPU(shadow(false), renderer), 20);
    expect(difference.drawn).toBeGreaterThan(1000);
    expect(difference.shape + difference.colour).toBeLessThan(0.005); // the edges are filtered differently
    const without = differing(wanted, await targetOfWebGL(shadow(true)), 20);
    expect(without.colour).toBeGreaterThan(0.01);
  });
});

describe('a page', () => {
  const renderer = backends['WebGL 2'];

  it.each(usableBackends)('may replace a material with %s, and the new one is skinned without a warning', async (_name, each) => {
    await each.init();
    const replaced = (isWebGPU: boolean): Rig => {
      const rig = bentRig(8, 'dualQuaternion', false);
      const mesh = rig.meshes[0] as RigSkinnedMesh;
      const made = new MeshStandardMaterial({ side: DoubleSide, color: 0xff8800 });
      mesh.material = isWebGPU ? made : mesh.skinning!.extend(made);
      return rig;
    };
    const drawn = replaced(true);
    const difference = differing(await targetOfWebGL(replaced(false).scene), await targetOfWebGPU(drawn.scene, each), 4);
    expect(difference.drawn).toBeGreaterThan(500);
    expect(difference.shape + difference.colour).toBeLessThan(0.02);
    expect(drawn.report.items).toEqual([]);
  });

  it.each(usableBackends)('keeps its own position and color nodes with %s, and the mesh is still skinned', async (_name, each) => {
    await each.init();
    const own = (isWebGPU: boolean): Object3D => {
      const scene = bent(8, 'dualQuaternion', false);
      const { material } = scene.getObjectByProperty('isMesh', true) as RigSkinnedMesh;
      if (isWebGPU) {
        Object.assign(material, { positionNode: positionLocal.add(vec3(0.3, 0, 0)), colorNode: vec4(0, 1, 0, 1) });
        return scene;
      }
      (material as Material).onBeforeCompile = shader => {
        shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', 'transformed.x += 0.3;\n#include <project_vertex>');
        shader.fragmentShader = shader.fragmentShader.replace('#include <map_fragment>', 'diffuseColor = vec4( 0.0, 1.0, 0.0, 1.0 );');
      };
      return scene;
    };
    const difference = differing(await targetOfWebGL(own(false)), await targetOfWebGPU(own(true), each), 4);
    expect(difference.drawn).toBeGreaterThan(500);
    expect(difference.shape + difference.colour).toBeLessThan(0.02);
  });

  it('keeps its own node if a texture that needs the same one is assigned later', async () => {
    const object = surface({ baseColor: 1, detailBaseColor: 3 }, { shaderName: 'Standard' }, false) as Mesh;
    const material = object.material as MeshPhysicalMaterial & { colorNode: unknown; roughnessNode?: unknown };
    const own = vec4(0, 1, 0, 1);
    material.colorNode = own;
    for (const slot of ['gloss', 'detailNormal']) assignTexture(material, slot, pattern(4), { relief: assignRelief });
    expect(material.colorNode).toBe(own);
    expect(material.roughnessNode).toBeTruthy();
    assignTexture(material, 'gloss', pattern(2));
    await targetOfWebGPU(object, renderer);
  });

  it('may share a skinned material with a mesh that has no bones', async () => {
    const shared = (): Object3D => {
      const group = new Group();
      const scene = bent(4, 'linear', false);
      const { material } = scene.getObjectByProperty('isMesh', true) as RigSkinnedMesh;
      const box = new Mesh(new SphereGeometry(0.4), material);
      box.position.set(1, 1, 0);
      group.add(scene, box);
      return group;
    };
    const difference = differing(await targetOfWebGL(shared()), await targetOfWebGPU(shared(), renderer), 4);
    expect(difference.shape + difference.colour).toBeLessThan(0.02);
  });

  it('can draw and export the same rig with WebGLRenderer afterwards', async () => {
    const scene = bent(8, 'dualQuaternion', false);
    const mesh = scene.getObjectByProperty('isMesh', true) as RigSkinnedMesh;
    await targetOfWebGPU(scene, renderer);
    expect(mesh.isSkinnedMesh).toBe(false);
    expect(mesh.clone().isSkinnedMesh).toBe(true);
    const after = await targetOfWebGL(scene);
    expect(mesh.isSkinnedMesh).toBe(true);
    const difference = differing(await targetOfWebGL(bent(8, 'dualQuaternion', false)), after, 1);
    expect(difference.shape + difference.colour).toBe(0);
  });
});
