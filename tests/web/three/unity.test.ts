// Features of VGO files in three.js: curves for morph targets, visibility and materials, spring
// bones with the rules of UniVGO, inactive objects.
import { AnimationMixer, Box3, Color, type Material, type Mesh, type MeshStandardMaterial, type Object3D, Texture, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { type BuildOptions, Rig } from '../../../web/src/three/index.ts';
import { loadSkybox } from '../../../web/src/three/materials/skybox.ts';
// @ts-expect-error a plain script
import { encodeVgo as encode, VgoResource as Resource } from '../../support/vgoFile.mjs';

type Json = Record<string, unknown>;
const encodeVgo = encode as (file: Json) => Uint8Array<ArrayBuffer>;
const VgoResource = Resource as new () => { add(values: ArrayLike<number>, type: string, kind?: number): number };

type Place = [number, number, number];

/** Opens a VGO with nodes at the given positions. All meshes are the same triangle. */
async function rigOf(nodes: Json[], layout: Json = {}, places: Place[] = [], options: BuildOptions = {}): Promise<Rig> {
  const resource = new VgoResource();
  const matrices = nodes.flatMap((_, i) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...(places[i] ?? [0, 0, 0]), 1]);
  resource.add(Float32Array.from(matrices), 'mat4', 2);
  const position = resource.add(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), 'vec3');
  const index = resource.add(Uint8Array.of(0, 1, 2), 'u8');
  const shape = resource.add(Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1), 'vec3');
  const meshes = [
    {
      name: 'triangle',
      attributes: { POSITION: position },
      subMeshes: [index],
      blendShapes: ['A', 'B'].map(name => ({ name, attributes: { POSITION: shape } })),
    },
  ];
  const bytes = encodeVgo({
    assetInfo: { generator: { name: 'UniVGO', version: '2.5.22' } },
    layout: { nodes, meshes, ...layout },
    resource,
  });
  return Rig.make(await open(bytes, { name: 'a.vgo', worker: false }), options);
}

const root = (...children: number[]): Json => ({ name: 'Root', isRoot: true, children });
const shown = (name: string, more: Json = {}): Json => ({ name, meshRenderer: { name, mesh: 0, materials: [0] }, ...more });
const curve = (type: string, propertyName: string, ...keys: [number, number][]): Json => ({
  type,
  propertyName,
  animationCurve: {
    keys: keys.map(([time, value], i) => ({ time, value, inTangent: slope(keys, i - 1), outTangent: slope(keys, i) })),
    preWrapMode: 8,
    postWrapMode: 8,
  },
});
const slope = (keys: [number, number][], i: number): number =>
  keys[i] && keys[i + 1] ? (keys[i + 1]![1] - keys[i][1]) / (keys[i + 1]![0] - keys[i][0]) : 0;
const clips = (...bindings: Json[][]): Json => ({
  animationClips: bindings.map((curveBindings, i) => ({ name: `clip${i}`, wrapMode: 1, curveBindings })),
});
const plays = (clipIndex: number): Json => ({ animation: { clipIndex, playAutomatically: true } });
const standard = (more: Json = {}): Json => ({
  name: 'M',
  shaderName: 'Standard',
  renderQueue: 2000,
  colorProperties: { _Color: [0.25, 0.5, 0.75, 1] },
  floatProperties: { _Metallic: 0.25, _Glossiness: 0.5 },
  ...more,
});

function at(rig: Rig, time: number, clip = 0): void {
  const mixer = new AnimationMixer(rig.scene);
  mixer.clipAction(rig.animations[clip]!).play();
  mixer.setTime(time);
}
const meshOf = (rig: Rig, r = 0) => rig.meshes[r] as Mesh<never, MeshStandardMaterial>;
const told = (rig: Rig) => rig.report.items.filter(({ code }) => code === 'CURVE_NOT_PLAYED').map(({ detail }) => detail);

describe('curves of meshes and materials', () => {
  it('animate blend shapes by the short and the full type name', async () => {
    for (const type of ['SkinnedMeshRenderer', 'UnityEngine.SkinnedMeshRenderer']) {
      // Two meshes have the same name. The clip animates the mesh of its own node.
      const rig = await rigOf([root(1, 2), shown('Face', plays(0)), shown('Face')], clips([curve(type, 'blendShape.B', [0, 0], [1, 50])]));
      at(rig, 0.5);
      expect(meshOf(rig).morphTargetInfluences, type).toEqual([0, expect.closeTo(0.25)]);
      expect(meshOf(rig, 1).morphTargetInfluences, type).toEqual([0, 0]);
    }
  });

  it('report blend shapes that no mesh has', async () => {
    const rig = await rigOf(
      [root(1), shown('Face', plays(0))],
      clips([
        curve('SkinnedMeshRenderer', 'blendShape.B', [0, 0], [1, 50]),
        curve('SkinnedMeshRenderer', 'blendShape.Wink', [0, 0], [1, 50]),
      ]),
    );
    expect(told(rig)).toEqual(['Wink']);
    at(rig, 0.5);
    expect(meshOf(rig).morphTargetInfluences).toEqual([0, expect.closeTo(0.25)]);
  });

  it('hide a single mesh, or an object with its children', async () => {
    const steps: [number, number][] = [
      [0, 1],
      [0.4999, 1],
      [0.5, 0],
      [0.9999, 0],
      [1, 1],
    ];
    const rig = await rigOf(
      [root(1, 2), shown('a', { children: [3], ...plays(0) }), shown('b', { children: [4], ...plays(1) }), shown('c'), shown('d')],
      clips([curve('MeshRenderer', 'm_Enabled', ...steps)], [curve('UnityEngine.GameObject', 'm_IsActive', ...steps)]),
    );
    const seen = () =>
      rig.meshes.map(mesh => {
        let each: Object3D | null = mesh;
        while (each?.visible) each = each.parent;
        return each === null;
      });
    at(rig, 0.75);
    expect(seen()).toEqual([false, true, true, true]);
    at(rig, 0.25);
    at(rig, 0.75, 1);
    expect(seen()).toEqual([true, false, true, false]);
    at(rig, 1, 1);
    expect(seen()).toEqual([true, true, true, true]);
    expect(told(rig)).toEqual([]);
  });

  it('change the color of one mesh and of no other mesh with the material', async () => {
    const white = ['r', 'g', 'b'].map(letter => curve('MeshRenderer', `material._Color.${letter}`, [0, 0], [1, 1]));
    const rig = await rigOf([root(1, 2), shown('a', plays(0)), shown('b')], { materials: [standard()], ...clips(white) });
    at(rig, 0.5);
    expect(meshOf(rig).material.color.toArray()).toEqual([0.5, 0.5, 0.5].map(value => expect.closeTo(value)));
    expect(meshOf(rig, 1).material.color).toEqual(new Color(0.25, 0.5, 0.75));
  });

  it('set numbers and texture transforms of standard materials', async () => {
    const rig = await rigOf([root(1), shown('a', plays(0))], {
      materials: [standard({ textureIndexProperties: { _MainTex: 0 }, textureScaleProperties: { _MainTex: [2, 3] } })],
      textures: [{ name: 't', dimensionType: 2 }],
      ...clips([
        curve('MeshRenderer', 'material._Metallic', [0, 0], [1, 1]),
        curve('MeshRenderer', 'material._Glossiness', [0, 0], [1, 1]),
        curve('MeshRenderer', 'material._MainTex_ST.x', [0, 1], [1, 3]),
        curve('MeshRenderer', 'material._MainTex_ST.w', [0, 0], [1, 1]),
      ]),
    });
    const { material } = meshOf(rig);
    const shared = new Texture({ width: 1, height: 1 } as never);
    shared.repeat.set(2, 3);
    shared.offset.set(0, -2);
    material.map = shared;
    at(rig, 0.5);
    expect([material.metalness, material.roughness]).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)]);
    expect(material.map.repeat.toArray()).toEqual([expect.closeTo(2), 3]);
    expect(material.map.offset.toArray()).toEqual([0, expect.closeTo(1 - 0.5 - 3)]);
    expect(shared.offset.y).toBe(-2);
    at(rig, 0.75);
    expect(material.map.repeat.x).toBeCloseTo(2.5);
    expect(told(rig)).toEqual([]);
  });

  it('set numbers and colors of toon materials and their outlines', async () => {
    const toon = {
      name: 'T',
      shaderName: 'VRM/MToon',
      colorProperties: { _Color: [1, 1, 1, 1], _ShadeColor: [1, 1, 1, 1] },
      floatProperties: { _OutlineWidthMode: 1, _OutlineWidth: 1, _RimLift: 0.5 },
    };
    const rig = await rigOf([root(1), shown('a', plays(0))], {
      materials: [toon],
      ...clips([
        curve('MeshRenderer', 'material._ShadeColor.g', [0, 0], [1, 1]),
        curve('MeshRenderer', 'material._OutlineWidth', [0, 0], [1, 2]),
        curve('MeshRenderer', 'material._Color.r', [0, 0], [1, 1]),
      ]),
    });
    at(rig, 0.25);
    const [surface, outline] = meshOf(rig).material as unknown as { shadeColorFactor: Color; outlineWidthFactor: number; color: Color }[];
    for (const each of [surface!, outline!]) {
      expect(each.shadeColorFactor.toArray()).toEqual([1, expect.closeTo(0.25), 1]);
      expect(each.outlineWidthFactor).toBeCloseTo(0.005);
      expect(each.color.toArray()).toEqual([expect.closeTo(0.25), 1, 1]);
    }
    expect(told(rig)).toEqual([]);
  });

  it('report properties that are not drawn', async () => {
    const rig = await rigOf([root(1), shown('a', plays(0))], {
      materials: [standard()],
      ...clips([
        curve('UnityEngine.Light', 'm_Intensity', [0, 0], [1, 1]),
        curve('MeshRenderer', 'material._Wobble', [0, 0], [1, 1]),
        curve('MeshRenderer', 'material._Color.r', [0, 0], [1, 1]),
      ]),
    });
    expect(told(rig)).toEqual(['Light.Intensity', '_Wobble']);
  });
});

describe('spring bones of UniVGO', () => {
  const hair = (more: Json = {}): Promise<Rig> => hairWith({}, more);
  const hairWith = (options: BuildOptions, more: Json = {}, children: number[] = [2], mid: Place = [0.2, 0, 0]): Promise<Rig> =>
    rigOf(
      [
        { ...root(1), springBoneGroups: [0], springBoneColliderGroup: 0 },
        { name: 'hair', children },
        { name: 'mid', children: children.length > 1 ? [] : [3] },
        { name: 'tip' },
      ],
      {
        springBoneInfo: {
          springBoneGroups: [
            {
              rootBones: [1],
              stiffnessForce: 1,
              gravityPower: 0.3,
              gravityDirection: [0, -1, 0],
              dragForce: 0.4,
              hitRadius: 0.02,
              ...more,
            },
          ],
          colliderGroups: [{ colliders: [{ offset: [5, 0, 0], radius: 0.1 }] }],
        },
      },
      [[0, 0, 0], [0, 1, 0], mid, [0.2, 0, 0]],
      options,
    );
  const tipAfter = (rig: Rig, seconds: number): number[] => {
    for (let i = 0; i < Math.round(seconds * 60); i++) rig.update(1 / 60);
    rig.scene.updateMatrixWorld(true);
    return rig.nodes[4]!.getWorldPosition(new Vector3()).toArray();
  };

  it('rest as in the runtime of UniVGO', async () => {
    for (const [seconds, x, y] of [
      [0.5, 0.241, 0.691],
      [2, 0.005, 0.6],
      [10, 0, 0.6],
    ] as const) {
      const tip = tipAfter(await hair(), seconds);
      expect(Math.hypot(tip[0]! - x, tip[1]! - y, tip[2]!), `${seconds} s: ${tip.join(' ')}`).toBeLessThan(0.01);
    }
  });

  it('follow the rules of VRM on request', async () => {
    const tip = tipAfter(await hairWith({ springs: 'vrm' }), 2);
    expect(Math.hypot(tip[0]! - 0.362, tip[1]! - 0.838)).toBeLessThan(0.01);
  });

  it('can switch between rules and back', async () => {
    const rig = await hair();
    tipAfter(rig, 1);
    rig.springs!.rules = 'vrm';
    expect(rig.springs!.rules).toBe('vrm');
    const tip = tipAfter(rig, 2);
    expect(Math.hypot(tip[0]! - 0.362, tip[1]! - 0.838)).toBeLessThan(0.01);
    rig.springs!.rules = 'unity';
    const [x, y] = tipAfter(rig, 2);
    expect(Math.hypot(x! - 0.005, y! - 0.6)).toBeLessThan(0.01);
  });

  it("use UniVGO's defaults for values out of range", async () => {
    const [odd, plain] = await Promise.all([
      hair({ stiffnessForce: 5, gravityPower: -1, dragForce: 1.5 }),
      hair({ stiffnessForce: 1, gravityPower: 1, dragForce: 0 }),
    ]);
    expect(tipAfter(odd, 0.5)).toEqual(tipAfter(plain, 0.5));
  });

  it('follow the first child', async () => {
    const rig = await hairWith({}, {}, [3, 2], [0, 0, 0.2]);
    expect(rig.springs!.bones.map(({ name }) => name)).toEqual(['hair']);
    const [x, y] = tipAfter(rig, 3);
    expect(Math.hypot(x!, y! - 0.8)).toBeLessThan(0.01);
  });

  it('keep their pose when an avatar is cloned', async () => {
    for (const springs of ['unity', 'vrm'] as const) {
      const rig = await hairWith({ springs }, { colliderGroups: [0] });
      rig.update(0.1);
      for (const copy of [clone(rig.scene), rig.scene.clone()]) {
        copy.updateMatrixWorld(true);
        expect(new Box3().setFromObject(copy).isEmpty(), springs).toBe(true);
        let objects = 0;
        copy.traverse(() => void objects++);
        expect(objects).toBe(6);
      }
    }
  });
});

describe('disabled objects', () => {
  const sky = (exposure: number): Json => ({
    name: 'Sky',
    shaderName: 'Skybox/Procedural',
    floatProperties: { _Exposure: exposure, _SunDisk: 0 },
  });
  const exposureOf = async (rig: Rig) => {
    const skybox = await loadSkybox(rig.file.scene!, rig.report);
    return ((skybox!.scene.children[0] as Mesh).material as Material & { uniforms: Record<string, { value: unknown }> }).uniforms;
  };

  it('are ignored as skybox; of several, the one higher in the hierarchy is used', async () => {
    const layout = { materials: [sky(0.1), sky(1.3), sky(0.7)] };
    const off = await rigOf(
      [root(1, 2), { name: 'a', isActive: false, skybox: { materialIndex: 0 } }, { name: 'b', skybox: { materialIndex: 1 } }],
      layout,
    );
    expect((await exposureOf(off))['exposure']!.value).toBe(1.3);
    const below = await rigOf(
      [root(1, 3), { name: 'a', children: [2] }, { name: 'b', skybox: { materialIndex: 0 } }, { name: 'c', skybox: { materialIndex: 2 } }],
      layout,
    );
    expect((await exposureOf(below))['exposure']!.value).toBe(0.7);
  });

  it('are ignored as sun', async () => {
    const sun = (color: number[]): Json => ({ type: 1, intensity: 1, color, lightmapBakeType: 4 });
    const nodes = [
      root(1, 2),
      { name: 'a', isActive: false, children: [3] },
      { name: 'b', light: 1, skybox: { materialIndex: 0 } },
      { name: 'c', light: 0 },
    ];
    const rig = await rigOf(nodes, { materials: [sky(1)], lights: [sun([1, 1, 1, 1]), sun([0.25, 0, 0, 1])] });
    expect(((await exposureOf(rig))['sunColor']!.value as Vector3).toArray()).toEqual([expect.closeTo(0.25), 0, 0]);
  });
});
