// Converts files to SEModel and SEAnim and reads the results. Also converts SE to Cast and back.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { castFile, node, type CastNode } from '../../support/castFile.ts';
import { converted, posesOf } from '../../support/convertedPoses.ts';
import { farthest } from '../../support/samePose.mjs';
import { differences, farthestCorner, plain } from '../../support/sameScene.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const data = (path: string): string => join(root, 'tests/data', path);
const demo = (path: string): string => join(root, 'web/src/viewer/demo', path);
const corpus = join(root, '../shared/corpus');
const filesOf = (folder: string, ending: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith(ending))
        .map(name => join(folder, name))
    : [];

const parse = (name: string, bytes: Uint8Array): Promise<RigFile> =>
  open(bytes, { name, worker: false, formatOptions: { cast: { winding: 'file' } } });
const read = (path: string): Promise<RigFile> => parse(basename(path), readFileSync(path));

async function as(
  to: 'se' | 'cast',
  files: readonly RigFile[],
  options: Partial<ConvertOptions> = {},
): Promise<{ files: RigFile[]; made: Conversion }> {
  const made = await convert(files, { to, ...options });
  const models = made.files.filter(({ name }) => /\.(cast|semodel|seanim)$/.test(name));
  return { files: await Promise.all(models.map(({ name, bytes }) => parse(name, bytes))), made };
}

const codes = ({ report }: Conversion): string[] => [...new Set(report.items.map(({ code }) => code))].sort();

/** Members to ignore: the name of the writing program, and the SEAnim type. */
const LABELS = new Set(['generator', 'animType']);

/** Leaves out differences of properties if the report lists them as lost. */
function excused(found: readonly string[], made: Conversion): string[] {
  return found.filter(line => !(codes(made).includes('PROPERTIES_LOST') && line.includes('properties')));
}

const motions = [...filesOf(data('se'), '.seanim'), ...filesOf(join(corpus, 'seanim'), '.seanim')];
const models = [...filesOf(data('se'), '.semodel'), ...filesOf(join(corpus, 'semodel'), '.semodel')];

describe('SE from SE', () => {
  it.each(motions.map(path => [basename(path), path]))('%s results in the same animation', async (_, path) => {
    const source = await read(path);
    const { files, made } = await as('se', [source]);
    expect(made.files).toHaveLength(1);
    expect(files[0]!.report.items).toEqual([]);
    expect(excused(differences(plain(source.scene!), plain(files[0]!.scene!), LABELS), made)).toEqual([]);
  });

  it.each(models.map(path => [basename(path), path]))('%s results in the same model', async (_, path) => {
    const source = await read(path);
    const { files, made } = await as('se', [source]);
    expect(excused(differences(plain(source.scene!), plain(files[0]!.scene!), LABELS), made)).toEqual([]);
  });

  it.each(['absolute.seanim', 'relative.seanim', 'additive.seanim', 'delta.seanim'])(
    '%s has the same bytes where nothing is optional',
    async name => {
      const bytes = readFileSync(data(`se/${name}`));
      const once = await convert([await parse(name, bytes)], { to: 'se' });
      const twice = await convert([await parse(name, once.files[0]!.bytes)], { to: 'se' });
      expect(twice.files[0]!.bytes).toEqual(once.files[0]!.bytes);
    },
  );
});

describe('SE to Cast and back', () => {
  it.each(motions.map(path => [basename(path), path]))('%s keeps its animation', async (_, path) => {
    const source = await read(path);
    const { files: cast, made } = await as('cast', [source]);
    const { files: back } = await as('se', cast);
    expect(excused(differences(plain(source.scene!), plain(back[0]!.scene!), LABELS), made)).toEqual([]);
  });

  it('keeps an SEModel', async () => {
    const source = await read(data('se/arm.semodel'));
    const { files: cast, made } = await as('cast', [source]);
    const { files: back } = await as('se', cast);
    expect(codes(made)).toEqual(['PROPERTIES_LOST', 'UNIT_UNSAID']);
    expect(excused(differences(plain(source.scene!), plain(back[0]!.scene!), LABELS), made)).toEqual([]);
  });

  it('keeps a Cast animation: keys per axis, events, loop, modes and overrides', async () => {
    const curve = (kind: string, frames: number[], values: number[], mode: string, bone = 'arm'): CastNode =>
      node('curv', { nn: ['s', bone], kp: ['s', kind], kb: ['b', frames], kv: [kind === 'rq' ? '4v' : 'f', values], m: ['s', mode] });
    const half = Math.SQRT1_2;
    const motion = node(
      'anim',
      { n: ['s', 'wave'], fr: ['f', [30]], lo: ['b', [1]] },
      curve('tx', [0, 10], [0, 5], 'relative'),
      curve('ty', [0, 4, 10], [0, 2, 0], 'relative'),
      curve('tz', [0], [1], 'relative'),
      curve('rq', [0, 10], [0, 0, 0, 1, 0, half, 0, half], 'absolute'),
      node('CMOV', { nn: ['s', 'arm'], m: ['s', 'relative'], ot: ['b', [1]], or: ['b', [0]], os: ['b', [0]] }),
      node('ntif', { n: ['s', 'step'], kb: ['i', [3, 7]] }),
    );
    const source = await parse('wave.cast', castFile(motion));
    const { files, made } = await as('se', [source]);
    expect(codes(made)).toEqual([]);
    const [clip] = files[0]!.scene!.clips;
    const [moved] = clip!.tracks;
    expect([moved!.mode, [...moved!.times].map(time => Math.round(30 * time))]).toEqual(['relative', [0, 4, 10]]);
    expect([...moved!.values]).toEqual([0, 0, 1, 2, 2, 1, 5, 0, 1]);
    expect([clip!.loop, clip!.events.map(({ name }) => name), clip!.overrides.map(({ node, mode }) => [node, mode])]).toEqual([
      true,
      ['step', 'step'],
      [
        ['arm', 'relative'],
        ['arm', 'absolute'],
      ],
    ]);
  });
});

describe('SEAnim', () => {
  it.each(['relative', 'additive'] as const)(
    'turns and scales %s keys of a root whose parent is placed, and does not move them',
    async mode => {
      const half = Math.SQRT1_2;
      const arm = armScene();
      // The parent of the bones is not a bone. It is moved by 3 units and rotated by 90°.
      const nodes = {
        ...arm.nodes,
        names: ['', 'place', 'low.er', 'up/per'],
        bones: Int32Array.of(-1, -1, 0, 1),
        translations: f32(0, 0, 0, 3, 1, 2, 0, 0.5, 0, 0, 1, 0),
        rotations: f32(0, 0, 0, 1, 0, half, 0, half, 0, 0, 0, 1, 0, 0, 0, 1),
        properties: new Map(),
      };
      const move = track({ target: 'low.er', path: 'translation', mode, times: f32(0, 1), values: f32(0, 0, 0, 0.25, 0.5, 1) });
      const scene = { ...arm, nodes, renderers: [], skins: [], features: [], clips: [clip('move', 1, move)] };
      const source: RigFile = { ...(await read(data('se/relative.seanim'))), name: 'arm.vgo', format: 'vgo', scene };
      const times = [0, 0.5, 1];
      const { made, poses } = await converted([source], 'se', times);
      expect(codes(made)).toEqual(['CLIP_RENAMED', 'MATERIAL_WORDS_LOST']);
      const motion = await parse('move.seanim', made.files.find(({ name }) => name.endsWith('.seanim'))!.bytes);
      expect([...motion.scene!.clips[0]!.tracks].map(each => each.mode)).toEqual([mode]);
      for (const [k, pose] of (await posesOf(source, null, times)).entries()) expect(farthest(pose, poses![k]!).bones).toBeLessThan(1e-5);
    },
  );

  it('has the type of its modes, and delta if the source declares root motion', async () => {
    const types = ['absolute', 'additive', 'relative', 'delta'].map(async name => {
      const { files } = await convert([await read(data(`se/${name}.seanim`))], { to: 'se' });
      return files[0]!.bytes[10];
    });
    expect(await Promise.all(types)).toEqual([0, 1, 2, 3]);
  });

  it('leaves out and reports keys that its type does not allow if there is no rest pose', async () => {
    const curve = (bone: string, mode: string): CastNode =>
      node('curv', { nn: ['s', bone], kp: ['s', 'tx'], kb: ['b', [0, 10]], kv: ['f', [0, 5]], m: ['s', mode] });
    const motion = node('anim', { n: ['s', 'wave'], fr: ['f', [30]] }, curve('arm', 'absolute'), curve('leg', 'relative'));
    const { files, made } = await as('se', [await parse('wave.cast', castFile(motion))]);
    expect([...files[0]!.scene!.clips[0]!.tracks].map(({ target, mode }) => [target, mode])).toEqual([['arm', 'absolute']]);
    expect(made.report.items.find(({ code }) => code === 'TRACKS_UNMATCHED')?.amount).toBe(1);
  });

  it('holds 255 modifiers and reports further ones', async () => {
    const bones = Array.from({ length: 300 }, (_, i) => `bone_${i}`);
    const motion = node(
      'anim',
      { n: ['s', 'wave'], fr: ['f', [30]] },
      node('curv', { nn: ['s', 'bone_0'], kp: ['s', 'tx'], kb: ['b', [0, 10]], kv: ['f', [0, 5]], m: ['s', 'absolute'] }),
      ...bones.map(nn => node('CMOV', { nn: ['s', nn], m: ['s', 'relative'], ot: ['b', [1]], or: ['b', [0]], os: ['b', [0]] })),
    );
    const { files, made } = await as('se', [await parse('wave.cast', castFile(motion))]);
    expect(files[0]!.report.items).toEqual([]);
    const nodesOf = files[0]!.scene!.clips[0]!.overrides.map(each => each.node);
    expect([...new Set(nodesOf)]).toEqual(bones.slice(0, 255));
    expect(made.report.items.find(({ code }) => code === 'OVERRIDE_REDUCED')?.amount).toBe(45);
  });
});

/**
 * Returns the file without data that SE cannot store: names of meshes, hair, morph targets and
 * their curves, visibility, additional colour layers, and UVs of which all are 0.
 */
function bare(file: RigFile): RigFile {
  const scene = file.scene!;
  const renderers = scene.renderers
    .filter(({ mesh }) => scene.meshes[mesh]!.topology === 'triangles')
    .map(each => ({ ...each, name: 'mesh' }));
  const meshes = scene.meshes.map(mesh => ({
    ...mesh,
    morphs: [],
    colors: mesh.colors.slice(0, 1),
    uvs: mesh.uvs.filter(values => values.some(Boolean)),
  }));
  const clips = scene.clips.map(clip => {
    const tracks = [...clip.tracks].filter(({ path }) => path === 'translation' || path === 'rotation' || path === 'scale');
    return { ...clip, tracks: { length: tracks.length, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks.values() } };
  });
  return { ...file, scene: { ...scene, renderers, meshes, clips } };
}

describe('SE from other formats', () => {
  it.each([
    ['a PSK with the motions of a PSA', [data('unreal/arm.psk'), data('unreal/arm-motions.psa')]],
    ['a demo PSK with its motions', [demo('Pip.psk'), demo('Pip.psa')]],
    ['a PSKX', [data('unreal/arm-static.pskx')]],
    ['a VGO', [data('vgo/puppet.vgo')]],
    ['a left-handed VGO', [data('vgo/puppet-lh-tl-2.4-bson.vgo')]],
  ])('%s has the same shape, size, up axis and animations', async (_, paths) => {
    const [model, ...others] = await Promise.all(paths.map(read));
    const { files, made } = await as('se', [model!, ...others]);
    const source = { ...model!, scene: { ...model!.scene!, clips: [model!, ...others].flatMap(({ scene }) => scene?.clips ?? []) } };
    const again = { ...files[0]!, scene: { ...files[0]!.scene!, clips: files.slice(1).flatMap(({ scene }) => scene!.clips) } };
    const shapes = source.scene.meshes.some(({ morphs }) => morphs.length > 0);
    expect(made.report.items.some(({ path }) => path === 'shapes')).toBe(shapes);
    expect(farthestCorner(bare(source), bare(again))).toBeLessThan(1e-4);
  });

  it.each(['Tock.cast', 'Tree.cast'])('%s has the same shape and animations with unchanged numbers', async name => {
    const source = await read(demo(name));
    const made = await convert([source], { to: 'se', name: 'it' });
    const own = { unit: 1, upAxis: 'y' } as const;
    const files = await Promise.all(made.files.map(({ name, bytes }) => open(bytes, { name, worker: false, formatOptions: { se: own } })));
    const again = { ...files[0]!, scene: { ...files[0]!.scene!, clips: files.slice(1).flatMap(({ scene }) => scene!.clips) } };
    expect(again.scene.clips).toHaveLength(source.scene!.clips.length);
    expect(farthestCorner(bare(source), bare(again))).toBeLessThan(1e-4);
  });

  it('reports data that SE cannot store', async () => {
    const { made } = await as('se', [await read(data('cast/everything.cast'))]);
    const said = made.report.items.map(({ code, path }) => `${code} ${path}`);
    expect(said).toEqual(
      expect.arrayContaining([
        'NOT_SAID hair',
        'NOT_SAID shapes',
        'NOT_SAID ik',
        'NOT_SAID constraint',
        'NAMES_LOST meshes',
        'SPACE_UNSAID ',
      ]),
    );
    await expect(convert([await read(data('cast/everything.cast'))], { to: 'se', strict: true })).rejects.toThrow(/NOT_SAID/);
  });
});
