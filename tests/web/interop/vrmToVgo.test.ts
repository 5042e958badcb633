// VRM avatars opened in Node and converted to VGO, and read back.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { restPoseOf } from '../../../web/src/core/restPose.ts';
import type { Expression, RigScene } from '../../../web/src/core/types.ts';
import { openGlb } from '../../../web/src/interop/openEncoded.ts';
import { vrmExtras } from '../../../web/src/interop/vrmExtras.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { springGroupsOf } from '../../../web/src/rig/springGroups.ts';

const path = new URL('../../../web/src/viewer/demo/Lotl.vgo', import.meta.url);
const lotl = await open(new Uint8Array(readFileSync(path)), { name: 'Lotl.vgo', worker: false });

async function converted(file: RigFile, to: 'vrm' | 'vgo'): Promise<{ bytes: Uint8Array; codes: string[] }> {
  const { files, report } = await convert([file], { to });
  expect(files).toHaveLength(1);
  return { bytes: files[0]!.bytes, codes: report.items.map(({ code, path, detail }) => [code, path, detail].filter(Boolean).join(' ')) };
}
const read = (bytes: Uint8Array): Promise<RigFile> => open(bytes, { name: 'avatar.vgo', worker: false });

const vrm = await openGlb((await converted(lotl, 'vrm')).bytes, 'avatar.vrm');
const made = await converted(vrm, 'vgo');
const vgo = (await read(made.bytes)).scene!;
const source = vrm.scene!;

const presetsOf = ({ expressions }: RigScene): string[] =>
  expressions
    .filter(each => each.bindings.length > 0)
    .map(keyOf)
    .toSorted();
const keyOf = ({ preset, name }: Expression): string => preset || name;

describe('a VRM as VGO', () => {
  it('has the humanoid bones at the same positions', () => {
    const [a, b] = [humanoidOf(source)!, humanoidOf(vgo)!];
    expect([...b.bones.keys()].toSorted()).toEqual([...a.bones.keys()].toSorted());
    const [from, to] = [restPoseOf(source.nodes), restPoseOf(vgo.nodes)];
    for (const [bone, row] of a.bones)
      for (const [c, value] of to.position(b.bones.get(bone)!).entries()) expect(value).toBeCloseTo(from.position(row)[c]!, 5);
  });

  it('has the same vertices and weights', () => {
    const sizes = ({ meshes, renderers }: RigScene): unknown => renderers.map(({ mesh }) => meshes[mesh]!.vertexCount).toSorted();
    expect(sizes(vgo)).toEqual(sizes(source));
    const weights = ({ meshes }: RigScene): number => meshes.reduce((sum, mesh) => sum + (mesh.weights?.length ?? 0), 0);
    expect(weights(vgo)).toBe(weights(source));
    expect(weights(vgo)).toBeGreaterThan(0);
  });

  it('has the same expressions', () => {
    expect(presetsOf(source).length).toBeGreaterThan(3);
    expect(presetsOf(vgo)).toEqual(presetsOf(source));
    const total = ({ expressions }: RigScene): number =>
      expressions.flatMap(each => each.bindings).reduce((sum, { weight }) => sum + weight, 0);
    expect(total(vgo)).toBeCloseTo(total(source), 4);
  });

  it('has the same spring bones and colliders', () => {
    const plain = ({ nodes, ...scene }: RigScene): unknown =>
      springGroupsOf({ nodes, ...scene }).map(({ settings, gravity, colliders, chains }) => ({
        settings,
        gravity,
        colliders: colliders.map(({ row, offset, radius }) => ({ node: nodes.names[row], offset, radius })),
        chains: chains.map(chain => chain.map(({ row }) => nodes.names[row])),
      }));
    expect(springGroupsOf(source).flatMap(({ chains }) => chains).length).toBeGreaterThan(1);
    expect(plain(vgo)).toEqual(plain(source));
    expect(springGroupsOf(source).flatMap(({ chains }) => chains.flat())).toHaveLength(
      springGroupsOf(lotl.scene!).flatMap(({ chains }) => chains.flat()).length,
    );
  });

  it('reports what VGO cannot store', () => {
    expect(made.codes).toEqual(
      expect.arrayContaining([
        'SPRINGS_BY_UNITY',
        expect.stringMatching(/^NOT_SAID lookAt|^NOT_SAID firstPerson/),
        expect.stringMatching(/^NOT_SAID permission/),
      ]),
    );
  });
});

it('images of a GLB stay as they are encoded', async () => {
  const demo = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url)));
  const tock = await open(demo('Tock.cast'), { name: 'Tock.cast', worker: false });
  const albedo = demo('Tock_albedo.png');
  const image = async (): Promise<{ name: string; bytes: Uint8Array }> => ({ name: 'Tock_albedo.png', bytes: albedo });
  const { files } = await convert([tock], { to: 'glb', images: { image } });
  const glb = await openGlb(files[0]!.bytes, 'Tock.glb');
  const slots = glb.scene!.materials.flatMap(material => material.slots);
  expect(slots.map(({ slot }) => slot)).toContain('baseColor');
  const bytesOf = ({ images }: RigScene): Uint8Array[] => images.flatMap(({ bytes }) => bytes ?? []);
  expect(bytesOf(glb.scene!)).toContainEqual(albedo);
  const { scene } = await read((await converted(glb, 'vgo')).bytes);
  expect(bytesOf(scene!)).toContainEqual(albedo);
  expect(scene!.materials.some(({ slots }) => slots.some(({ texture }) => texture !== undefined))).toBe(true);
});

describe('spring bones and rights of a VRM', () => {
  /** Rows are glTF nodes plus one. Node 0 has the children 1 and 2; node 1 has the child 3. */
  const rows = { node: (index: number) => index + 1, ofNode: () => [], ofMesh: () => [] };
  const scene = { nodes: { length: 5, parents: Int32Array.of(-1, 0, 1, 1, 2), properties: new Map() } } as unknown as RigScene;
  const kinds = (json: object): string[] => vrmExtras(json, rows, scene).map(({ kind }) => kind);

  it('of VRM 0.x include all descendants, and colliders in right-handed axes', () => {
    const secondaryAnimation = {
      colliderGroups: [{ node: 3, colliders: [{ offset: { x: 1, y: 2, z: 3 }, radius: 0.5 }] }],
      boneGroups: [
        {
          stiffiness: 2,
          gravityPower: 0.5,
          gravityDir: { x: 0, y: -1, z: 0 },
          dragForce: 0.3,
          hitRadius: 0.1,
          bones: [0],
          colliderGroups: [0],
        },
      ],
    };
    const [colliders, springs] = vrmExtras({ extensions: { VRM: { secondaryAnimation } } }, rows, scene);
    expect(colliders).toMatchObject({ node: 4, properties: { index: 0, colliders: [{ offset: [1, 2, -3], radius: 0.5 }] } });
    expect(springs!.properties).toEqual({
      stiffnessForce: 2,
      gravityPower: 0.5,
      gravityDirection: [0, -1, 0],
      dragForce: 0.3,
      hitRadius: 0.1,
      rootBones: [1, 3],
      colliderGroups: [0],
    });
  });

  it('of VRM 1.0 that VGO cannot store become features of their own', () => {
    const springs = (joints: object[], over: object = {}): object => ({
      extensions: { VRMC_vrm: {}, VRMC_springBone: { colliders: [{ node: 0, shape: { capsule: {} } }], springs: [{ joints, ...over }] } },
    });
    const capsule = 'springBone collider that is not a sphere';
    const chain = 'springBone chain that is not the first child of each bone';
    expect(kinds(springs([{ node: 0 }, { node: 1 }, { node: 3 }]))).toEqual(['springBone', capsule]);
    expect(kinds(springs([{ node: 0 }, { node: 2 }]))).toEqual(['springBone', capsule, chain]);
    expect(kinds(springs([{ node: 0 }, { node: 1 }]))).toEqual(['springBone', capsule, chain]);
    expect(kinds(springs([{ node: 0 }, { node: 1, stiffness: 3 }, { node: 3 }]))).toContain('springBone settings of single joints');
    expect(kinds(springs([{ node: 0, stiffness: 5 }, { node: 1, stiffness: 5 }, { node: 3 }]))).toContain(
      'springBone setting outside the range of VGO',
    );
    expect(kinds(springs([{ node: 0 }, { node: 1 }, { node: 3 }], { center: 0 }))).toContain('springBone center');
  });

  it('come with one feature for everything that is not read', () => {
    const mtoon = { extensions: { VRMC_materials_mtoon: {} } };
    const expressions = { preset: { happy: { materialColorBinds: [{}, {}] } }, custom: { x: { textureTransformBinds: [{}] } } };
    const json = {
      materials: [mtoon, {}],
      nodes: [{ extensions: { VRMC_node_constraint: {} } }],
      extensions: { VRMC_vrm: { expressions } },
    };
    const bound = 'material of an expression';
    expect(kinds(json)).toEqual(['toon shading of a material', 'constraint of a node', bound, bound, bound]);
    const older = { materialProperties: [{ shader: 'VRM/MToon' }], blendShapeMaster: { blendShapeGroups: [{ materialValues: [{}] }] } };
    expect(kinds({ extensions: { VRM: older } })).toEqual(['toon shading of a material', bound]);
  });

  it('state title, authors and licence, and each permission', () => {
    const meta = {
      name: 'Ada',
      authors: ['A', 'B'],
      otherLicenseUrl: 'https://a/own',
      licenseUrl: 'https://a/vrm',
      modification: 'prohibited',
      thumbnailImage: 0,
    };
    const [right, ...others] = vrmExtras({ extensions: { VRMC_vrm: { meta } } }, rows, scene);
    expect(right).toMatchObject({ kind: 'right', properties: { title: 'Ada', author: 'A, B', licenseUrl: 'https://a/own' } });
    expect(others).toMatchObject([{ kind: 'permission', name: 'modification' }]);
  });
});

it('title, author and licence of a VRM are those of the VGO', async () => {
  const features = [
    { kind: 'right', name: '', properties: { title: 'Lotl the Wise', author: 'Ada', licenseUrl: 'https://example.com/terms' } },
  ];
  const { bytes } = await converted({ ...vrm, scene: { ...source, features } }, 'vgo');
  const { asset } = (await read(bytes)).scene!;
  expect(asset.author).toBe('Ada');
  expect(asset.properties).toMatchObject({ right: { title: 'Lotl the Wise', licenseUrl: 'https://example.com/terms' } });
});

it('expressions without morph targets and presets that VGO lacks are reported', async () => {
  const [bound] = source.expressions.filter(({ bindings }) => bindings.length > 0);
  const bindings = bound!.bindings.slice(0, 1);
  const expressions = [
    { name: 'empty', bindings: [] },
    { name: 'Up', preset: 'lookUp', bindings },
    { name: 'lookDown', preset: 'lookDown', bindings: bindings.map(each => ({ ...each, weight: 0.5 })) },
    { name: 'A', preset: 'aa', bindings: bindings.map(each => ({ ...each, weight: 1 })) },
    { name: 'Half blink', preset: 'blink', bindings: bindings.map(each => ({ ...each, weight: 0.5 })) },
  ];
  const { bytes, codes } = await converted({ ...vrm, scene: { ...source, expressions } }, 'vgo');
  expect(codes).toContain('NOT_SAID expressions without morph targets');
  expect(codes).toContain('NOT_SAID presets of expressions Up, lookDown, Half blink');
  const made = (await read(bytes)).scene!.expressions.map(({ name, preset = '', bindings }) => [name, preset, bindings[0]?.weight]);
  expect(made).toEqual([
    ['Up', '', bindings[0]!.weight],
    ['lookDown', '', 0.5],
    ['Half blink', '', 0.5],
    ['aa', 'aa', 1],
  ]);
});
