// Converts files to UEFormat, and reads the results with rigcast and with a second reader.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { centimetres, UNIT32 } from '../../../web/src/convert/ueformat/space.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { armScene, clip, f32, fileOf, track } from '../../support/armScene.ts';
import { converted, posesOf } from '../../support/convertedPoses.ts';
import type { RigPose } from '../../../web/src/three/index.ts';
import { farthest } from '../../support/samePose.mjs';
import { differences, plain } from '../../support/sameScene.ts';
import { readUeAnim, readUeModel, type UeAnim, type UeModel } from '../../support/ueReference.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const corpus = join(root, '../shared/corpus/ueformat');
const parse = (name: string, bytes: Uint8Array): Promise<RigFile> => open(bytes, { name, worker: false });
const read = (path: string): Promise<RigFile> => parse(path, new Uint8Array(readFileSync(path)));

interface Result {
  made: Conversion;
  codes: string[];
  model: UeModel;
  animations: UeAnim[];
}

async function as(files: readonly RigFile[], options: Partial<ConvertOptions> = {}): Promise<Result> {
  const made = await convert(files, { to: 'uemodel', ...options });
  const bytes = (ending: string): Uint8Array[] => made.files.filter(({ name }) => name.endsWith(ending)).map(file => file.bytes);
  return {
    made,
    codes: [...new Set(made.report.items.map(({ code }) => code))].sort(),
    model: bytes('.uemodel').map(readUeModel)[0]!,
    animations: bytes('.ueanim').map(readUeAnim),
  };
}

/** Returns the largest distance between the bones or the bounding boxes of two poses in metres. */
function farthestOf(a: readonly RigPose[], b: readonly RigPose[]): number {
  return Math.max(
    ...a.map((pose, i) => {
      const { bones, box, missing } = farthest(pose, b[i]!);
      expect(missing).toEqual([]);
      return Math.max(bones, box);
    }),
  );
}

const arm = (over: Parameters<typeof armScene>[0] = {}): RigFile => fileOf(armScene(over));

it('reports metalness and roughness only if the source states them', async () => {
  const lostWords = async (file: RigFile): Promise<string> =>
    (await as([file])).made.report.items
      .filter(({ code }) => code === 'MATERIAL_WORDS_LOST')
      .map(({ detail }) => detail)
      .join();
  expect(await lostWords(await read(join(root, 'tests/data/unreal/arm.psk')))).not.toContain('metalness');
  expect(await lostWords(arm())).toContain('metalness 0 and roughness 0.8');
});

describe('UEFormat from UEFormat', () => {
  // Other files of the corpus have another version, compression or order, or no normals.
  it.skipIf(!existsSync(corpus)).each(['model-v09', 'model-v10', 'model-v10-noscale', 'model-v10-skeleton'])(
    '%s has the same bytes',
    async name => {
      const bytes = readFileSync(join(corpus, `${name}.uemodel`));
      const { made } = await as([await parse(`${name}.uemodel`, new Uint8Array(bytes))], { ueformat: { v10: name.includes('v10') } });
      expect(made.report.items).toEqual([]);
      expect(Buffer.compare(made.files[0]!.bytes, bytes)).toBe(0);
    },
  );

  it.skipIf(!existsSync(corpus)).each(['model-v00', 'model-v04', 'model-v08', 'model-v09-zstd', 'anim-v00', 'anim-v09', 'anim-v10-gzip'])(
    '%s has the same contents',
    async name => {
      const path = name.startsWith('model') ? `${name}.uemodel` : `${name}.ueanim`;
      const source = await read(join(corpus, path));
      const { made } = await as([source]);
      expect(made.report.items).toEqual([]);
      const again = await parse(path, made.files[0]!.bytes);
      expect(again.report.items).toEqual([]);
      if (name.startsWith('anim')) {
        // Times differ: reading adds a key before a change, and the file has a further key before that one.
        const motions = [source.scene!.clips[0]!, again.scene!.clips[0]!].map(({ tracks, ...rest }) => ({
          ...rest,
          tracks: [...tracks].map(({ target, property, path }) => ({ target, property, path })),
        }));
        expect(differences(motions[0], motions[1])).toEqual([]);
        return;
      }
      // Files of the first versions have one set of colours, without a name.
      const isNew = (line: string): boolean => line.includes('.colors.0.name');
      const found = differences(plain(source.scene!), plain(again.scene!), new Set(['references']));
      expect(found.filter(line => !isNew(line))).toEqual([]);
    },
  );

  it.skipIf(!existsSync(corpus))('plays the same animation on the model', async () => {
    const [model, motion] = await Promise.all(['model-v09.uemodel', 'anim-v09.ueanim'].map(name => read(join(corpus, name))));
    const times = [0, 0.01, 1 / 30, 0.05, 2 / 30, 0.08, 0.1];
    const { made, poses } = await converted([model!, motion!], 'uemodel', times);
    expect(made.files.map(({ name }) => name.split('.').at(-1))).toEqual(['uemodel', 'ueanim']);
    expect(farthestOf(await posesOf(model!, motion!, times), poses!)).toBeLessThan(1e-6);
  });

  it('has the same numbers in version 10, with sorted weights and without scales of 1', async () => {
    const path = join(root, 'tests/data/ueformat/arm.uemodel');
    const { model } = await as([await read(path)], { ueformat: { v10: true } });
    const source = readUeModel(new Uint8Array(readFileSync(path)));
    for (const { weights } of source.lods) weights.sort(([bone, vertex], [otherBone, other]) => vertex - other || bone - otherBone);
    for (const bone of source.bones) delete bone.scale;
    expect(model).toEqual(source);
  });

  it('has the same numbers if it is converted again', async () => {
    for (const ueformat of [{}, { v10: true }]) {
      const once = await as([arm()], { ueformat });
      const twice = await as(await Promise.all(once.made.files.map(({ name, bytes }) => parse(name, bytes))), { ueformat });
      expect(Buffer.compare(twice.made.files[0]!.bytes, once.made.files[0]!.bytes)).toBe(0);
      // Rotations are normalised when they are read.
      expect(differences(once.animations, twice.animations)).toEqual([]);
    }
  });
});

describe('a model as UEFormat', () => {
  it('is left-handed, with Z up, in centimetres', async () => {
    const { model } = await as([arm()]);
    expect([model.identifier, model.version, model.name]).toEqual(['UEMODEL', 9, 'arm']);
    expect(model.bones.map(({ name, parent, position }) => [name, parent, position])).toEqual([
      ['low.er', -1, [0, 0, 0]],
      ['up/per', 0, [0, 0, 100]],
    ]);
    const [lod] = model.lods;
    expect(lod!.positions[3]).toEqual([Math.fround(10), 0, 100]);
    expect(lod!.normals[0]).toEqual([1, 0, 1, 0]);
    expect(lod!.indices).toEqual([0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4]);
    expect(lod!.uvs).toEqual([[0, 1, 1, 1, 0, 0.5, 1, 0.5, 0, 0, 1, 0]]);
    expect(lod!.materials).toEqual([
      { name: 'Skin', path: '', first: 0, faces: 2 },
      { name: 'Cloth', path: '', first: 6, faces: 2 },
    ]);
    expect(lod!.weights.slice(0, 4)).toEqual([
      [0, 0, 1],
      [0, 1, 1],
      [0, 2, 0.5],
      [1, 2, 0.5],
    ]);
    expect(lod!.morphs).toEqual([
      {
        name: 'Swell',
        deltas: [
          { position: [0, 100, 0], normal: [0, 0, 0], vertex: 1 },
          { position: [0, 200, 0], normal: [0, 0, 0], vertex: 4 },
        ],
      },
      { name: 'Swell', deltas: [{ position: [0, 300, 0], normal: [0, 0, 1], vertex: 0 }] },
    ]);
    expect(model.sockets).toMatchObject([{ name: 'tip', position: [0, 0, 100], scale: [1, 1, 1] }]);
  });

  it('has the binormal sign of its tangents, also if it is mirrored', async () => {
    const scene = armScene();
    const tangents = f32(...Array.from({ length: 6 }, () => [1, 0, 0, -1]).flat());
    const signs = async (scale: number): Promise<number[]> => {
      const nodes = { ...scene.nodes, scales: scene.nodes.scales.slice() };
      nodes.scales[0] = scale;
      const { model } = await as([fileOf({ ...scene, nodes, clips: [], meshes: [{ ...scene.meshes[0]!, tangents }] })]);
      expect(model.lods[0]!.tangents[0]!.map(Math.abs)).toEqual([1, 0, 0]);
      return [...new Set(model.lods[0]!.normals.map(([sign]) => sign!))];
    };
    expect(await signs(1)).toEqual([-1]);
    expect(await signs(-1)).toEqual([1]);
  });

  it('has one level of detail with all meshes of another format', async () => {
    const scene = armScene({ clips: [] });
    const [mesh] = scene.meshes;
    const second = { ...mesh!, name: 'plain', uvs: [], colors: [], morphs: [] };
    const renderers = [scene.renderers[0]!, { ...scene.renderers[0]!, mesh: 1 }];
    const { model, codes } = await as([fileOf({ ...scene, meshes: [mesh!, second], renderers })]);
    expect(codes).toEqual(expect.arrayContaining(['MESHES_MERGED', 'UVS_BLANK']));
    expect(model.lods).toHaveLength(1);
    const [lod] = model.lods;
    expect([lod!.positions.length, lod!.normals.length, lod!.uvs[0]!.length, lod!.colors[0]!.rgba.length]).toEqual([12, 12, 24, 48]);
    expect(Math.min(...lod!.indices.slice(12))).toBe(6);
    expect(lod!.materials.map(({ first, faces }) => [first, faces])).toEqual([
      [0, 2],
      [6, 2],
      [12, 2],
      [18, 2],
    ]);
    expect(lod!.weights.at(-1)).toEqual([1, 11, 1]);
  });

  it('lists materials that no face uses', async () => {
    const scene = armScene({ clips: [] });
    const materials = [...scene.materials, { ...scene.materials[0]!, name: 'Spare', properties: { path: '/Game/Spare.Spare' } }];
    const { model } = await as([fileOf({ ...scene, materials })]);
    expect(model.lods[0]!.materials[2]).toEqual({ name: 'Spare', path: '/Game/Spare.Spare', first: 12, faces: 0 });
  });

  it('stores bone scales only in version 10', async () => {
    const grows = track({ target: 'low.er', path: 'scale', times: f32(0, 1), values: f32(2, 2, 2, 4, 4, 4) });
    const scene = armScene({ clips: [clip('grow', 1, grows)] });
    scene.nodes.scales.set([2, 2, 2], 3);
    const last = ({ animations }: Result): number[] => animations[0]!.tracks[0]!.scale.at(-1)!.value;
    const nine = await as([fileOf(scene)]);
    expect(nine.codes).toContain('SCALES_BAKED');
    expect(nine.model.bones[1]).toMatchObject({ position: [0, 0, 200] });
    expect(last(nine)).toEqual([2, 2, 2]);
    const ten = await as([fileOf(scene)], { ueformat: { v10: true } });
    expect(ten.codes).not.toContain('SCALES_BAKED');
    expect(ten.model.bones[0]).toMatchObject({ scale: [2, 2, 2] });
    expect(ten.model.bones[1]).toMatchObject({ position: [0, 0, 200], scale: [1, 1, 1] });
    expect(last(ten)).toEqual([4, 4, 4]);
  });

  it('can be compressed', async () => {
    const plainFiles = (await as([arm()])).made.files;
    const made = await convert([arm()], { to: 'uemodel', ueformat: { gzip: true } });
    for (const [i, { name, bytes }] of made.files.entries()) {
      expect(await parse(name, bytes)).toMatchObject({ needs: [], report: { errors: 0 } });
      const start = bytes.findIndex((_, at) => bytes[at] === 0x1f && bytes[at + 1] === 0x8b);
      const body = gunzipSync(bytes.subarray(start));
      expect(Buffer.compare(body, plainFiles[i]!.bytes.subarray(-body.length))).toBe(0);
    }
  });

  it('has lengths that become the same again if they are read', () => {
    for (let i = 1; i < 20_000; i++) {
      const stored = Math.fround(i * 0.7 + 1 / i);
      const length = Math.fround(stored * UNIT32);
      expect(Math.fround(centimetres(length, UNIT32) * UNIT32)).toBe(length);
    }
    expect(centimetres(Math.fround(12.34 * UNIT32), UNIT32)).toBe(Math.fround(12.34));
    expect(Object.is(centimetres(-0, UNIT32), 0)).toBe(true);
  });
});

describe('an animation as UEFormat', () => {
  const rotated = (...times: number[]) =>
    track({
      target: 'up/per',
      path: 'rotation',
      times: f32(...times),
      values: f32(...times.flatMap((_, i) => (i % 2 ? [0, 0, 1, 0] : [0, 0, 0, 1]))),
    });

  it('has a key at every frame that changes, and before a change after a pause', async () => {
    const steps = track({
      target: 'low.er',
      path: 'translation',
      interpolation: 'step',
      times: f32(0, 10 / 30),
      values: f32(0, 0, 0, 0, 1, 0),
    });
    const { animations } = await as([arm({ clips: [clip('walk', 20 / 30, steps, rotated(0, 3 / 30))] })]);
    const [{ name, frames, tracks }] = animations as [UeAnim];
    const scale = frames > 21 ? (frames - 1) / 20 : 1; // sampled at a multiple of the rate, because of the step
    expect(name).toBe('walk');
    const moved = new Map(tracks.map(each => [each.bone, each]));
    expect(moved.get('low.er')!.position).toEqual([
      { frame: 0, value: [0, 0, 0] },
      { frame: 10 * scale - 1, value: [0, 0, 0] },
      { frame: 10 * scale, value: [0, 0, 100] },
    ]);
    expect(moved.get('low.er')!.rotation).toEqual([]);
    expect(moved.get('up/per')!.rotation.map(({ frame }) => frame)).toEqual(Array.from({ length: 3 * scale + 1 }, (_, i) => i));
  });

  it('keeps the keys of linear curves, and samples others', async () => {
    const weight = (over: object) => track({ target: '', property: 'Swell', path: 'weight', times: f32(0, 1), values: f32(0, 1), ...over });
    const linear = await as([arm({ clips: [clip('a', 1, weight({}))] })]);
    expect(linear.animations[0]!.curves).toEqual([
      {
        name: 'Swell',
        keys: [
          { frame: 0, value: [0] },
          { frame: 30, value: [1] },
        ],
      },
    ]);
    const stepped = await as([arm({ clips: [clip('a', 1, weight({ interpolation: 'step' }))] })]);
    const [{ frames, rate, curves }] = stepped.animations as [UeAnim];
    expect([rate, frames, curves[0]!.keys.length]).toEqual([120, 121, 121]);
    expect(curves[0]!.keys.at(-2)).toEqual({ frame: 119, value: [0] });
  });

  it('never rotates the long way round', async () => {
    const values = f32(0, 0, 0, 1, -0, -0, -0.1, -Math.sqrt(1 - 0.01));
    const { animations } = await as([
      arm({ clips: [clip('a', 1 / 30, track({ target: 'up/per', path: 'rotation', times: f32(0, 1 / 30), values }))] }),
    ]);
    const keys = animations[0]!.tracks.find(({ bone }) => bone === 'up/per')!.rotation;
    expect(keys.every(({ value }) => value[3]! > 0)).toBe(true);
  });

  it('has the same bytes if a long animation is converted again', async () => {
    // Rotations in single precision, whose lengths differ from 1 in their last bits.
    const count = 20_000;
    const values = new Float32Array(4 * count);
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [Math.sin(0.1 * i), Math.sin(0.037 * i), Math.sin(0.0711 * i)] as const;
      const length = Math.hypot(x, y, z, 2) * (1 + 4e-7 * Math.sin(i));
      values.set([x / length, y / length, z / length, 2 / length], 4 * i);
    }
    const times = Float32Array.from({ length: count }, (_, i) => i / 30);
    const long = clip('long', (count - 1) / 30, track({ target: 'up/per', path: 'rotation', times, values }));
    const once = await as([arm({ clips: [long] })]);
    const twice = await as(await Promise.all(once.made.files.map(({ name, bytes }) => parse(name, bytes))));
    expect(once.animations[0]!.tracks[0]!.rotation).toHaveLength(count);
    for (const [i, { bytes }] of once.made.files.entries()) expect(Buffer.compare(twice.made.files[i]!.bytes, bytes)).toBe(0);
  });

  it.each(['pose', 'scaled'])('plays as in the source (%s)', async what => {
    const tracks = [
      rotated(0, 0.5, 1),
      track({ target: 'low.er', path: 'translation', component: 0, times: f32(0, 1), values: f32(0, 4) }),
      ...(what === 'scaled' ? [track({ target: 'up/per', path: 'scale', times: f32(0, 1), values: f32(1, 1, 1, 2, 2, 2) })] : []),
    ];
    const source = arm({ clips: [clip('bend', 1, ...tracks)], scaleInheritance: 'axes' });
    const times = [0, 0.21, 0.5, 0.87, 1];
    const { poses } = await converted([source], 'uemodel', times);
    const wanted = await posesOf(source, null, times);
    expect(farthestOf(wanted, poses!)).toBeLessThan(1e-4);
  });

  it('is added to the rest pose if the source declares it as additive', async () => {
    const scene = armScene();
    const moving = track({ target: 'up/per', path: 'translation', mode: 'additive', times: f32(0, 1), values: f32(0, 0, 0, 0, 1, 0) });
    const { animations, codes } = await as([fileOf({ ...scene, clips: [clip('a', 1, moving)] })]);
    expect(codes).toContain('CLIP_ON_REST');
    const [{ additiveType, tracks }] = animations as [UeAnim];
    expect([additiveType, tracks[0]!.position.at(-1)]).toEqual([0, { frame: 30, value: [0, 0, 200] }]);
  });
});

it.each([
  ['web/src/viewer/demo/Pip.psk', 'web/src/viewer/demo/Pip.psa'],
  ['web/src/viewer/demo/Lotl.vgo'],
  ['tests/data/se/arm.semodel', 'tests/data/se/absolute.seanim'],
  ['tests/data/ueformat/arm.uemodel', 'tests/data/ueformat/bend.ueanim'],
  ['tests/data/ueformat/arm.uemodel', 'tests/data/ueformat/grow.ueanim'],
])('%s plays the same animation', async (...paths) => {
  const files = await Promise.all(paths.map(path => read(join(root, path))));
  const [model, motion = null] = files;
  const times = [0, 0.1, 0.33, 0.5];
  const { made, poses } = await converted(files, 'uemodel', times);
  for (const { name, bytes } of made.files) if (name.endsWith('.ueanim')) readUeAnim(bytes);
  if (!paths[0]!.endsWith('.uemodel')) expect(readUeModel(made.files[0]!.bytes).lods).toHaveLength(1);
  expect(farthestOf(await posesOf(model!, motion, times), poses!)).toBeLessThan(1e-4);
});
