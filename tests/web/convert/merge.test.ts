// Merges models that share a skeleton, and reads the results.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RestTransforms } from '../../../web/src/convert/common/bodies.ts';
import { Budget } from '../../../web/src/convert/common/budget.ts';
import { ReportBuilder } from '../../../web/src/convert/common/report.ts';
import { convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { mergedGroup } from '../../../web/src/convert/merge.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { multiplied, transformPoint } from '../../../web/src/core/math/matrix.ts';
import { vectorAt } from '../../../web/src/core/math/vector.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { armScene, clip, f32, fileOf, track } from '../../support/armScene.ts';
import { castFile, model } from '../../support/castFile.ts';
import { animation, curve, skeleton, skinned } from '../../support/castRigs.ts';
import { readUeModel } from '../../support/ueReference.ts';
import { BODY, type Bones, HUMAN, makePart, makeWalk, moved } from '../../support/characterParts.ts';

const read = (name: string, bytes: Uint8Array): Promise<RigFile> => open(bytes, { name, worker: false });
const part = (name: string, options: Parameters<typeof makePart>[0]): Promise<RigFile> => read(`${name}.psk`, makePart(options));

/** A head with two bones of hair, which the body does not have. */
const HEAD: Bones = { ...HUMAN, Hair_1: ['Head', 0, 5, 170], Hair_2: ['Hair_1', 0, 10, 160] };
const body = () => part('body', { covers: BODY });
const head = (bones = HEAD) => part('head', { bones, covers: ['Head', 'Hair_1', 'Hair_2'] });

async function merged(
  files: readonly RigFile[],
  options: Partial<ConvertOptions> = {},
): Promise<{ scene: RigScene; codes: string[]; names: string[] }> {
  const made = await convert(files, { to: 'psk', merge: true, ...options });
  const model = await read('merged.psk', made.files[0]!.bytes);
  expect(model.report.items.filter(({ severity }) => severity === 'error')).toEqual([]);
  const codes = made.report.items.map(({ code, amount }) => `${code} ${amount}`);
  return { scene: model.scene!, codes, names: made.files.map(({ name }) => name) };
}

const bonesOf = ({ nodes }: RigScene): string[] => nodes.names.filter((_, row) => nodes.bones[row]! >= 0);

/** Returns the positions of all vertices in the rest pose, in millimetres and sorted. */
function drawn(scene: RigScene): string[] {
  const rest = new RestTransforms(scene);
  return scene.renderers
    .flatMap(({ mesh, skin }) => {
      const { positions, joints, vertexCount } = scene.meshes[mesh]!;
      const { joints: nodes, inverseBindMatrices } = scene.skins[skin!]!;
      const matrices = Array.from(nodes, (node, i) => multiplied(rest.inScene(node), inverseBindMatrices.subarray(16 * i, 16 * i + 16)));
      return Array.from({ length: vertexCount }, (_, v) => {
        const point: [number, number, number] = [0, 0, 0];
        transformPoint(point, matrices[joints![4 * v]!]!, 0, vectorAt(positions, 3 * v));
        return point.map(value => Math.round(value * 1000) + 0).join(' ');
      });
    })
    .sort();
}

describe('merge', () => {
  it('makes one model with the bones and the surfaces of all', async () => {
    const [a, b] = [await body(), await head()];
    const { scene, codes, names } = await merged([a, b]);
    expect(names).toEqual(['head.psk']); // named after the model with the most bones
    expect(bonesOf(scene).sort()).toEqual(Object.keys(HEAD).sort());
    expect(drawn(scene)).toEqual([...drawn(a.scene!), ...drawn(b.scene!)].sort());
    expect(codes).toContain('MODELS_MERGED 2');
    expect(codes.join()).not.toContain('MERGED_REST');
  });

  it('adds other bones below their parents', async () => {
    const hat: Bones = { Head: HUMAN['Head']!, Hat: ['Head', 0, 0, 190] };
    const { scene } = await merged([await body(), await part('hat', { bones: { ...hat, Head: ['', 0, 0, 165] }, covers: ['Hat'] })]);
    const row = scene.nodes.names.indexOf('Hat');
    expect(scene.nodes.names[scene.nodes.parents[row]!]).toBe('Head');
    expect(new RestTransforms(scene).inScene(row)[13]).toBeCloseTo(1.9, 4);
  });

  it('keeps the rest pose of the larger model, and moves the surface of the other', async () => {
    const low = moved({ Root: HUMAN['Root']!, Pelvis: HUMAN['Pelvis']!, Spine: HUMAN['Spine']!, Head: HUMAN['Head']! }, (x, y, z) => [
      x,
      y,
      0.5 * z,
    ]);
    const [a, b] = [await body(), await part('low', { bones: low, covers: ['Head'] })];
    const { scene, codes } = await merged([a, b]);
    const onHead = drawn((await part('at', { covers: ['Head'] })).scene!);
    expect(drawn(scene)).toEqual([...drawn(a.scene!), ...onHead].sort());
    expect(codes).toContain('MERGED_REST 3');
  });

  it('adds a part that shares bones only with another part', async () => {
    // The ribbon has more bones than the head, but must be added after it.
    const tail = Array.from({ length: 12 }, (_, i) => [`Tail_${i}`, ['Hair_2', i, 12, 150]] as const);
    const ribbon: Bones = { Hair_2: ['', 0, 10, 160], Ribbon: ['Hair_2', 0, 12, 150], ...Object.fromEntries(tail) };
    const shortHead: Bones = Object.fromEntries(Object.entries(HEAD).filter(([name]) => !/Foot|Calf|Hand/.test(name)));
    const files = [await part('ribbon', { bones: ribbon, covers: ['Ribbon'] }), await body(), await head(shortHead)];
    const { scene } = await merged(files);
    const row = scene.nodes.names.indexOf('Ribbon');
    expect(scene.nodes.names[scene.nodes.parents[row]!]).toBe('Hair_2');
  });

  it('is one model in a Cast file', async () => {
    const bones = Array.from({ length: 3 }, (_, i) => ({ name: `bone${i}`, parent: i - 1, place: [0, 1, 0] }));
    const rig = (name: string) => read(`${name}.cast`, castFile(model(name, skeleton(bones), skinned('skin', 1))));
    const made = await convert([await rig('one'), await rig('two')], { to: 'cast', merge: true });
    const { scene } = await read('merged.cast', made.files[0]!.bytes);
    expect(scene!.nodes.names.filter((_, row) => scene!.nodes.bones[row]! < 0 && scene!.nodes.parents[row] === 0)).toEqual(['one']);
    expect(scene!.renderers).toHaveLength(2);
  });

  describe('with a skeleton without meshes', () => {
    const bones = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `bone${i}`, parent: i - 1, place: [0, 1, 0] }));
    const body = () => read('body.cast', castFile(model('body', skeleton(bones(3)), skinned('skin', 1))));
    const bare = (count: number) => read('bare.cast', castFile(model('bare', skeleton(bones(count)))));

    it('has its bones', async () => {
      const made = await convert([await body(), await bare(5)], { to: 'cast', merge: true });
      const { scene } = await read('merged.cast', made.files[0]!.bytes);
      expect(bonesOf(scene!)).toEqual(['bone0', 'bone1', 'bone2', 'bone3', 'bone4']);
      expect(made.report.items.map(({ code }) => code)).not.toContain('SKELETON_UNUSED');
    });

    it('is reported if it is not used', async () => {
      const made = await convert([await body(), await bare(5)], { to: 'cast' });
      const { scene } = await read('body.cast', made.files[0]!.bytes);
      expect(bonesOf(scene!)).toEqual(['bone0', 'bone1', 'bone2']);
      expect(made.report.items.map(({ code, path }) => `${code} ${path}`)).toContain('SKELETON_UNUSED bare.cast');
      const [whole] = [await convert([await bare(5)], { to: 'cast' })];
      expect(whole.report.items.map(({ code }) => code)).not.toContain('SKELETON_UNUSED');
    });

    it('is not merged if it has another format', async () => {
      const made = await convert([await part('body', { covers: BODY }), await bare(5)], { to: 'psk', merge: true });
      expect(made.report.items.map(({ code }) => code)).toContain('SKELETON_UNUSED');
    });
  });

  it('shares materials with equal values', async () => {
    const files = [await body(), await head(), await part('boots', { covers: ['Foot_L'], material: 'Leather' })];
    const { scene } = await merged(files);
    expect(scene.materials.map(({ name }) => name)).toEqual(['Skin', 'Leather']);
  });

  it('adds all animations to the merged model', async () => {
    const made = await convert([await body(), await head(), await read('walk.psa', makeWalk())], { to: 'psk', merge: true });
    expect(made.files.map(({ name }) => name)).toEqual(['head.psk', 'head.psa', 'head.config']);
  });

  describe('with animations in the files of the models', () => {
    const bones = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `bone${i}`, parent: i - 1, place: [0, 1, 0] }));
    const animated = (name: string, count: number) =>
      read(
        `${name}.cast`,
        castFile(
          model(name, skeleton(bones(count)), skinned('skin', 1)),
          animation(`${name}Clip`, curve('bone1', 'ty', [0, 10, 20], [1, 5, 1])),
        ),
      );
    // The second file has the most bones, and the third shares the most bones with it.
    const files = () => Promise.all([animated('hat', 2), animated('head', 6), animated('body', 4)]);
    const writtenClips = async (options: Partial<ConvertOptions> = {}) => {
      const made = await convert(await files(), { to: 'cast', merge: true, ...options });
      return (await read('merged.cast', made.files[0]!.bytes)).scene!.clips.map(({ name }) => name);
    };

    it('keeps their order, in which `clips` counts them', async () => {
      expect(await writtenClips()).toEqual(['hatClip', 'headClip', 'bodyClip']);
      expect(await writtenClips({ clips: [0] })).toEqual(['hatClip']);
      expect(await writtenClips({ clips: [2] })).toEqual(['bodyClip']);
    });
  });

  it('rejects models of different formats, and models without a shared bone', async () => {
    const arm = { ...fileOf(armScene()), format: 'cast', name: 'arm.cast' };
    await expect(convert([await body(), arm], { to: 'psk', merge: true })).rejects.toThrow('arm.cast cannot be merged with body.psk');
    const other = await part('table', { bones: { Leg: ['', 0, 0, 0] }, covers: ['Leg'] });
    await expect(convert([await body(), other], { to: 'psk', merge: true })).rejects.toThrow(
      'table.psk cannot be merged, because it has no bone',
    );
    await expect(convert([fileOf(armScene()), fileOf(armScene())], { to: 'psk', merge: true })).rejects.toThrow(
      'Only models of one format',
    );
  });

  it('rejects models whose roots or scale inheritance differ', async () => {
    const { nodes } = armScene();
    const mergedWith = (over: Partial<RigScene>) =>
      convert(
        [armScene(), armScene(over)].map(scene => ({ ...fileOf(scene), format: 'cast' })),
        { to: 'cast', merge: true },
      );
    const rotations = nodes.rotations.with(0, Math.SQRT1_2).with(3, Math.SQRT1_2);
    await expect(mergedWith({ nodes: { ...nodes, rotations } })).rejects.toThrow('up axis');
    await expect(mergedWith({ scaleInheritance: 'axes' })).rejects.toThrow('scaling of bones');
    const negated = nodes.rotations.with(3, -1); // the same rotation
    await expect(mergedWith({ nodes: { ...nodes, rotations: negated } })).resolves.toBeDefined();
  });

  it('pairs bones with the same name in file order', () => {
    const { nodes } = armScene();
    const twins = armScene({ nodes: { ...nodes, names: ['', 'twin', 'twin', 'tip'] } });
    const groups = [twins, twins].map(scene => ({
      model: { file: { ...fileOf(scene), format: 'cast' }, path: '' },
      scene,
      clips: [],
      animations: [],
    }));
    const { scene } = mergedGroup(groups, [], new ReportBuilder(new Budget(undefined)));
    expect(bonesOf(scene)).toEqual(['twin', 'twin']);
    expect([...scene.skins[1]!.joints]).toEqual([1, 2]);
  });

  it('changes nothing for a single model', async () => {
    const [plain, single] = [await convert([await body()], { to: 'psk' }), await convert([await body()], { to: 'psk', merge: true })];
    expect(single.files.map(({ bytes }) => bytes)).toEqual(plain.files.map(({ bytes }) => bytes));
  });
});

describe('a merged scene', () => {
  /**
   * Merges the arm with an arm that has another bone before the shared ones. `over`, `first`:
   * members of the second and of the first scene.
   */
  function arms(over: Partial<RigScene> = {}, first: Partial<RigScene> = {}): RigScene {
    const { nodes, skins, ...scene } = armScene(over);
    const shifted: RigScene = {
      ...scene,
      nodes: {
        ...nodes,
        length: 5,
        names: ['', 'own', 'low.er', 'up/per', 'tip'],
        parents: Int32Array.of(-1, 0, 0, 2, 3),
        translations: f32(0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0),
        rotations: f32(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
        scales: f32(...Array.from({ length: 15 }, () => 1)),
        bones: Int32Array.of(-1, 2, 0, 1, -1),
        visible: new Uint8Array(5).fill(1),
        segmentScaleCompensate: new Uint8Array(5),
        properties: new Map([[4, { tag: 'other' }]]),
      },
      skins: skins.map(skin => ({ ...skin, joints: Uint32Array.of(2, 3), skeletonRoot: 2 })),
    };
    const groupOf = (scene: RigScene) => ({
      model: { file: { ...fileOf(scene), format: 'cast' }, path: '' },
      scene,
      clips: [...scene.clips],
      animations: [],
    });
    const larger = armScene(first);
    const extra = { ...larger.nodes, bones: Int32Array.of(-1, 0, 1, 2) };
    return mergedGroup([groupOf({ ...larger, nodes: extra }), groupOf(shifted)], [], new ReportBuilder(new Budget(undefined))).scene;
  }

  it('has the bones of the first model, and refers to them', () => {
    const { nodes, skins, renderers } = arms();
    expect(nodes.names).toEqual(['', 'low.er', 'up/per', 'tip', 'own', 'tip']);
    expect([...nodes.parents]).toEqual([-1, 0, 1, 2, 0, 2]);
    expect([...nodes.bones]).toEqual([-1, 0, 1, 2, 3, -1]);
    expect(nodes.properties.get(5)).toEqual({ tag: 'other' });
    expect(skins.map(({ joints }) => [...joints])).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(skins[1]!.skeletonRoot).toBe(1);
    expect(renderers.map(({ mesh, skin, node }) => [mesh, skin, node])).toEqual([
      [0, 0, 0],
      [1, 1, 0],
    ]);
  });

  it('moves every index of the second model', () => {
    const texture = {
      name: 't',
      wrapU: 'repeat',
      wrapV: 'repeat',
      filter: 'linear',
      offset: [0, 0],
      scale: [1, 1],
      uvSet: 0,
      srgb: true,
    } as const;
    const materials = armScene().materials.map(each => ({
      ...each,
      name: `${each.name}2`,
      slots: [{ slot: 'baseColor', source: 'c', texture: 0 }],
    }));
    const second: Partial<RigScene> = {
      materials,
      textures: [{ ...texture, image: 0, offset: [0, 0], scale: [1, 1] }],
      images: [{ name: 'image' }],
      lights: [{ name: 'lamp', node: 4 } as RigScene['lights'][number]],
      cameras: [{ name: 'camera', node: 1 } as RigScene['cameras'][number]],
      references: [{ kind: 'instance', name: 'tree.cast', required: false, supplied: false }],
      instances: [{ node: 2, reference: 0, transforms: f32(), names: [] }],
      expressions: [{ name: 'smile', bindings: [{ renderer: 0, morph: 1, weight: 1 }] }],
      features: [
        {
          kind: 'ik',
          name: 'reach',
          node: 3,
          properties: { endBone: { node: 3, name: 'up/per' }, startBone: { node: 1, name: 'own' }, weight: 3 },
        },
      ],
      clips: [clip('own', 1, track({ target: 'tip', node: 4, path: 'translation', times: f32(0), values: f32(0, 0, 0) }))],
    };
    const { textures = [], images = [], references = [] } = second;
    const scene = arms(second, { textures, images, references });
    expect(scene.materials.map(({ name }) => name)).toEqual(['Skin', 'Cloth', 'Skin2', 'Cloth2']);
    expect(scene.meshes[1]!.groups.map(({ material }) => material)).toEqual([2, 3]);
    expect(scene.materials[2]!.slots[0]!.texture).toBe(1);
    expect(scene.textures.map(({ image }) => image)).toEqual([0, 1]);
    expect([scene.lights[0]!.node, scene.cameras[0]!.node, scene.instances[0]!.node, scene.instances[0]!.reference]).toEqual([5, 4, 1, 1]);
    expect(scene.expressions[0]!.bindings[0]!.renderer).toBe(1);
    expect(scene.features[1]).toEqual({
      kind: 'ik',
      name: 'reach',
      node: 2,
      properties: { endBone: { node: 2, name: 'up/per' }, startBone: { node: 4, name: 'own' }, weight: 3 },
    });
    expect([...scene.clips[1]!.tracks].map(({ node }) => node)).toEqual([5]);
  });

  it('combines the levels of detail of UEFormat models, their sockets and virtual bones', async () => {
    const arm = new Uint8Array(readFileSync('tests/data/ueformat/arm.uemodel'));
    const own = readUeModel((await convert([await read('arm.uemodel', arm)], { to: 'uemodel' })).files[0]!.bytes);
    const files = await Promise.all(['arm.uemodel', 'sleeve.uemodel'].map(name => read(name, arm)));
    const { files: made, report } = await convert(files, { to: 'uemodel', merge: true });
    const both = readUeModel(made[0]!.bytes);
    expect(both.lods.map(({ name, positions, indices, weights }) => [name, positions.length, indices.length, weights.length])).toEqual(
      own.lods.map(({ name, positions, indices, weights }) => [name, 2 * positions.length, 2 * indices.length, 2 * weights.length]),
    );
    expect([both.bones, both.sockets, both.virtualBones]).toEqual([own.bones, own.sockets, own.virtualBones]);
    expect(report.items.map(({ code, amount }) => `${code} ${amount}`)).toEqual(
      expect.arrayContaining(['MODELS_MERGED 2', `MESHES_MERGED ${2 * own.lods.length}`]),
    );
    const { scene } = await read('both.uemodel', made[0]!.bytes);
    expect(scene!.renderers.filter(({ visible }) => visible)).toHaveLength(1);
  });

  it('repeats the next finer level of a UEFormat model that has fewer levels', async () => {
    const arm = await read('arm.uemodel', new Uint8Array(readFileSync('tests/data/ueformat/arm.uemodel')));
    const { meshes, renderers } = arm.scene!;
    const [mesh, renderer] = [meshes[0]!, renderers[0]!];
    /** The arm with some levels. The number of faces identifies a level. */
    const withLevels = (name: string, levels: readonly [level: string, faces: number][]): RigFile => {
      const scene: RigScene = {
        ...arm.scene!,
        meshes: levels.map(([level, faces]) => ({ ...mesh, name: level, groups: [{ start: 0, count: 3 * faces, material: 0 }] })),
        renderers: levels.map((_, i) => ({ ...renderer, name: '', mesh: i, visible: i === 0 })),
      };
      return { ...arm, name, scene };
    };
    const facesOf = async (...levels: Parameters<typeof withLevels>[1][]): Promise<[[level: string, faces: number][], string[]]> => {
      const files = levels.map((each, i) => withLevels(`${i}.uemodel`, each));
      const { files: made, report } = await convert(files, { to: 'uemodel', merge: true });
      const { lods } = readUeModel(made[0]!.bytes);
      const codes = report.items.filter(({ code }) => code === 'LEVELS_REPEATED').map(({ amount }) => String(amount));
      return [lods.map(({ name, indices }) => [name, indices.length / 3]), codes];
    };
    expect(mesh.indices!.length).toBeGreaterThanOrEqual(6);
    expect(
      await facesOf(
        [
          ['LOD0', 2],
          ['LOD1', 1],
        ],
        [
          ['LOD0', 2],
          ['LOD1', 1],
        ],
      ),
    ).toEqual([
      [
        ['LOD0', 4],
        ['LOD1', 2],
      ],
      [],
    ]);
    expect(
      await facesOf(
        [
          ['LOD0', 2],
          ['LOD1', 1],
          ['LOD2', 1],
        ],
        [['LOD0', 2]],
      ),
    ).toEqual([
      [
        ['LOD0', 4],
        ['LOD1', 3],
        ['LOD2', 3],
      ],
      ['2'],
    ]);
    // With gaps, in any order, and with a level that only one model has.
    expect(
      await facesOf(
        [['LOD3', 1]],
        [
          ['LOD0', 2],
          ['LOD2', 1],
        ],
        [
          ['Nanite', 2],
          ['LOD0', 1],
        ],
      ),
    ).toEqual([
      [
        ['Nanite', 2 + 2 + 1],
        ['LOD0', 2 + 1 + 1],
        ['LOD2', 1 + 1 + 1],
        ['LOD3', 1 + 1 + 1],
      ],
      ['7'],
    ]);
  });
});
