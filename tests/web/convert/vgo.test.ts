// Converts files to VGO. The contents of VGO sources are preserved in the layout of version 2.5;
// other sources keep their shape and animations.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { parseBson, printBson } from '../../../web/src/convert/vgo/bson.ts';
import { readContainer } from '../../../web/src/convert/vgo/container.ts';
import { parseJson, printJson, type Tree } from '../../../web/src/convert/vgo/tree.ts';
import { open, type RigFile, type RigScene, type Track } from '../../../web/src/core/index.ts';
import { type Humanoid, humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { type BodyDesign, type Part, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { differences, farthestCorner, plain } from '../../support/sameScene.ts';
// @ts-expect-error: a script without types
import { cubeVgo as cube } from '../../support/vgoFile.mjs';

const cubeVgo = cube as (over?: object) => { bytes: Uint8Array };
const root = fileURLToPath(new URL('../../..', import.meta.url));
const data = (path: string): string => join(root, 'tests/data', path);
const demo = (path: string): string => join(root, 'web/src/viewer/demo', path);
const corpus = join(root, '../shared/corpus');

const read = (path: string): Promise<RigFile> => {
  const companions = ({ name }: { name: string }): Uint8Array | null => {
    const beside = join(dirname(path), basename(name));
    return existsSync(beside) ? readFileSync(beside) : null;
  };
  return open(readFileSync(path), { name: basename(path), worker: false, companions, formatOptions: { cast: { winding: 'file' } } });
};

async function asVgo(files: readonly RigFile[], options: Partial<ConvertOptions> = {}): Promise<{ file: RigFile; made: Conversion }> {
  const made = await convert(files, { to: 'vgo', ...options });
  const companions = new Map(made.files.map(({ name, bytes }) => [name, bytes]));
  const [{ name, bytes }] = made.files as [Conversion['files'][number]];
  return { file: await open(bytes, { name, worker: false, companions }), made };
}

const codes = ({ report }: Conversion): string[] => [...new Set(report.items.map(({ code }) => code))].sort();
const findings = ({ report }: RigFile): string[] =>
  report.items.filter(({ severity }) => severity !== 'info').map(({ code, detail }) => `${code} ${detail}`);
/** Returns the content of a chunk as text. */
const layoutOf = (bytes: Uint8Array, id = 'LAPJ'): string => new TextDecoder().decode(readContainer(bytes).chunks.get(id));

/** Merges all clips of a file into one, because a node in VGO can have only one clip. */
function merged(file: RigFile, clips = file.scene!.clips): RigFile {
  const tracks = clips.flatMap(clip => [...clip.tracks]);
  const rows = { length: tracks.length, get: (i: number): Track => tracks[i]!, [Symbol.iterator]: () => tracks.values() };
  const duration = Math.max(...clips.map(clip => clip.duration), 0);
  return {
    ...file,
    scene: { ...file.scene!, clips: tracks.length === 0 ? [] : [{ ...clips[0]!, duration, tracks: rows, overrides: clips[0]!.overrides }] },
  };
}

describe('VGO from VGO', () => {
  const fixtures = readdirSync(data('vgo')).filter(name => name.endsWith('.vgo'));

  it.each(fixtures)('%s results in the same scene as 2.5', async name => {
    const file = await read(data(`vgo/${name}`));
    const { file: again, made } = await asVgo([file]);
    expect(findings(again)).toEqual([]);
    expect(again.version).toBe('2.5');
    // `index` is ignored, because colliders in old files have no index.
    expect(differences(plain(file.scene!), plain(again.scene!), new Set(['references', 'index']))).toEqual([]);
    expect(codes(made)).toEqual(name.includes('base64') ? ['ENCRYPTION_LEFT'] : []);
    // Converting the result again gives the same bytes.
    expect((await asVgo([again])).made.files[0]!.bytes).toEqual(made.files[0]!.bytes);
  });

  it('keeps unknown members, extensions, numbers and chunks', async () => {
    const odd = '{"big":12345678901234567890,"list":[1,{"2":1,"1":0.1}],"__proto__":{"x":1}}';
    const { bytes } = cubeVgo({ extensions: { MINE_thing: 'HERE' }, strange: [null, { a: 1e-7 }] });
    const text = layoutOf(bytes).replace('"HERE"', odd);
    const file = await open(withChunks(bytes, { LAPJ: new TextEncoder().encode(text), ZZZZ: Uint8Array.of(1, 2, 3) }), {
      name: 'odd.vgo',
      worker: false,
    });
    expect(file.report.errors).toBe(0);
    const { made } = await asVgo([file]);
    const written = made.files[0]!.bytes;
    expect(layoutOf(written)).toContain(`"extensions":{"MINE_thing":${odd}}`);
    expect(layoutOf(written)).toContain('"strange":[null,{"a":1e-7}]');
    expect(readContainer(written).chunks.get('ZZZZ')).toEqual(Uint8Array.of(1, 2, 3));
    // Chunks with extensions are still written as JSON, because Unity does not accept extensions in
    // BSON.
    const bson = await asVgo([file], { vgo: { encoding: 'bson' } });
    expect(codes(bson.made)).toEqual(['BSON_REFUSED']);
    expect([...readContainer(bson.made.files[0]!.bytes).chunks.keys()]).toEqual(['COMP', 'AIPB', 'LAPJ', 'RAPB', 'REPb', 'ZZZZ']);
  });

  it('moves lights, colliders and renderers of old files to the layout of 2.5', async () => {
    const { made } = await asVgo([await read(data('vgo/puppet-rh-bl-2.1.vgo'))]);
    const layout = JSON.parse(layoutOf(made.files[0]!.bytes)) as {
      nodes: Record<string, unknown>[];
      meshes: object[];
      lights: object[];
      colliders: object[];
    };
    expect(layout.lights.length).toBeGreaterThan(0);
    expect(layout.colliders.length).toBeGreaterThan(0);
    for (const node of layout.nodes) {
      expect(typeof (node['light'] ?? 0)).toBe('number');
      for (const collider of (node['colliders'] as unknown[] | undefined) ?? []) expect(typeof collider).toBe('number');
      expect(node).not.toHaveProperty('mesh');
    }
    for (const mesh of layout.meshes)
      for (const name of ['materials', 'blendShapeKind', 'blendShapePesets']) expect(mesh).not.toHaveProperty(name);
    expect(JSON.stringify(layout)).toContain('"blendShapePresets":[{');
  });

  it('encrypts with a new key, and only this key opens the file', async () => {
    const key = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
    const file = await read(data('vgo/puppet.vgo'));
    const { file: again, made } = await asVgo([file], { name: 'locked', vgo: { key } });
    expect(made.files.map(({ name }) => name)).toEqual(['locked.vgo', 'locked.vgk']);
    expect(made.files[1]!.bytes).toEqual(key);
    expect(findings(again)).toEqual([]);
    expect(differences(plain(file.scene!), plain(again.scene!), new Set(['references', 'name']))).toEqual([]);
    const locked = made.files[0]!.bytes;
    expect(new TextDecoder('latin1').decode(locked)).not.toContain('byteOffset');
    const openWith = (other: Uint8Array): Promise<RigFile> =>
      open(locked, { name: 'locked.vgo', worker: false, formatOptions: { vgo: { key: other } } });
    const wrong = await openWith(key.toReversed());
    await expect(convert([wrong], { to: 'vgo' })).rejects.toThrow(/locked.vgo is encrypted, and the key does not match/);
    await expect(convert([await open(locked, { name: 'locked.vgo', worker: false })], { to: 'glb' })).rejects.toMatchObject({
      code: 'KEY_MISSING',
    });
    // Converts the file with another key, then without a key.
    const other = await asVgo([await openWith(key)], { vgo: { key: '11'.repeat(32), encoding: 'bson' } });
    expect(findings(other.file)).toEqual([]);
    const clear = await asVgo([await openWith(key)]);
    expect(codes(clear.made)).toEqual(['ENCRYPTION_LEFT']);
    expect(clear.made.files).toHaveLength(1);
    expect(differences(plain(file.scene!), plain(clear.file.scene!), new Set(['references', 'name']))).toEqual([]);
    await expect(convert([file], { to: 'vgo', vgo: { key: new Uint8Array(16) } })).rejects.toThrow(/must have 32 bytes, not 16/);
  });

  it('adds animations of other files and removes unwanted ones', async () => {
    const file = await read(data('vgo/puppet.vgo'));
    const [own] = file.scene!.clips;
    const none = await asVgo([file], { clips: [] });
    expect(none.file.scene!.clips).toEqual([]);
    expect(findings(none.file)).toEqual([]);
    const only = await asVgo([file], { clips: [own!.name] });
    expect(only.file.scene!.clips.map(({ name }) => name)).toEqual([own!.name]);
    const node = file.scene!.nodes.names.findIndex(
      (_, row) => row > 1 && !file.scene!.features.some(each => each.kind === 'animation' && each.node === row),
    );
    const track = {
      ...[...own!.tracks][0]!,
      path: 'translation',
      target: file.scene!.nodes.names[node]!,
      node: -1,
      component: -1,
      interpolation: 'linear',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, 2, 3),
      kinds: undefined,
      tangents: undefined,
      weights: undefined,
      before: 'hold',
      after: 'hold',
    } as unknown as Track;
    const foreign = merged({
      ...file,
      name: 'move.psa',
      scene: {
        ...file.scene!,
        renderers: [],
        clips: [
          {
            ...own!,
            name: 'move',
            overrides: [],
            events: [],
            properties: {},
            duration: 1,
            tracks: { length: 1, get: () => track, [Symbol.iterator]: () => [track].values() },
          },
        ],
      },
    });
    const both = await asVgo([file, foreign]);
    expect(findings(both.file)).toEqual([]);
    const move = both.file.scene!.clips.find(({ name }) => name === 'move')!;
    expect([...move.tracks].map(({ node: row, component, values }) => [row, component, values.at(-1)])).toEqual([
      [node, 0, 1],
      [node, 1, 2],
      [node, 2, 3],
    ]);
  });
});

/** Returns the file with some chunks replaced or added. */
function withChunks(bytes: Uint8Array, changes: Record<string, Uint8Array>): Uint8Array {
  const { chunks } = readContainer(bytes);
  const all = new Map([...chunks, ...Object.entries(changes)]);
  const parts: Buffer[] = [];
  let at = 24 + 16 * all.size;
  const index = Buffer.alloc(8 + 16 * all.size);
  index.write('IDX\0', 'latin1');
  index.writeUInt32LE(16 * all.size, 4);
  for (const [i, [id, payload]] of [...all].entries()) {
    const chunk = Buffer.alloc(8 + payload.length + (payload.length % 2));
    chunk.write(id, 'latin1');
    chunk.writeUInt32LE(chunk.length - 8, 4);
    chunk.set(payload, 8);
    index.write(id, 8 + 16 * i, 'latin1');
    index.writeUInt32LE(at, 12 + 16 * i);
    index.writeUInt32LE(chunk.length, 16 + 16 * i);
    index.writeUInt8(payload.length % 2, 20 + 16 * i);
    parts.push(chunk);
    at += chunk.length;
  }
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, 16), index, ...parts]));
}

describe('VGO from other formats', () => {
  it.each([
    ['a PSK with a motion of a PSA', [data('unreal/arm.psk'), data('unreal/arm-motions.psa')]],
    ['a demo PSK with one of its motions', [demo('Pip.psk'), demo('Pip.psa')]],
    ['a PSK with one bone per vertex', [data('unreal/arm-plain.psk')]],
    ['a PSKX', [data('unreal/arm-static.pskx')]],
    ['a demo Cast with its motions', [demo('Tock.cast')]],
    ['a Cast of everything', [data('cast/everything.cast')]],
    ['an SEModel with its motion', [data('se/arm.semodel'), data('se/absolute.seanim')]],
    ['an SEModel with a relative animation', [data('se/arm.semodel'), data('se/relative.seanim')]],
  ])('%s has the same shape and animations', async (_, paths) => {
    const [model, ...motions] = await Promise.all(paths.map(read));
    const clips = [model!, ...motions].flatMap(({ scene }) => scene!.clips).slice(0, 1);
    const { file, made } = await asVgo([model!, ...motions], { clips: [0], tolerance: 1e-5 });
    expect(findings(file)).toEqual([]);
    expect(made.files.map(({ name }) => name)).toEqual([`${basename(paths[0]!).replace(/\.\w+$/, '')}.vgo`]);
    const source = merged(model!, clips);
    expect(farthestCorner(bald(source), merged(file))).toBeLessThan(1e-4);
  });
});

/**
 * Names renderers by their index, because VGO gives unnamed meshes the names of their nodes.
 * Removes the names of materials.
 */
function numbered(file: RigFile): RigFile {
  const scene = file.scene!;
  const isSeen = ({ mesh }: RigScene['renderers'][number]): boolean => scene.meshes[mesh]!.groups.length > 0;
  const materials = scene.materials.map(material => ({ ...material, name: '' }));
  return {
    ...file,
    scene: { ...scene, materials, renderers: scene.renderers.filter(isSeen).map((renderer, i) => ({ ...renderer, name: `${i}` })) },
  };
}

/**
 * Reduces a scene to data that VGO can represent: no hair, one layer of float colours, a maximum
 * weight of 1 for morph targets, no segment scale compensation, no solvers.
 */
function bald(file: RigFile): RigFile {
  const scene = file.scene!;
  const renderers = scene.renderers.filter(({ mesh }) => scene.meshes[mesh]!.topology !== 'strands');
  const floats = (values: Uint8Array | Float32Array): Float32Array =>
    values instanceof Float32Array ? values : Float32Array.from(values, value => value / 255);
  const meshes = scene.meshes.map(mesh => ({
    ...mesh,
    colors: mesh.colors.slice(0, 1).map(({ values }) => ({ values: floats(values) })),
    morphs: mesh.morphs.map(morph => ({ ...morph, maximum: 1 })),
  }));
  const nodes = { ...scene.nodes, segmentScaleCompensate: new Uint8Array(scene.nodes.length) };
  return { ...file, scene: { ...scene, renderers, meshes, nodes, features: [] } };
}

describe('a human body', () => {
  const bare = async (design: BodyDesign): Promise<RigFile> => ({
    ...(await read(data('se/arm.semodel'))),
    scene: new TestBody(design).scene as RigScene,
  });

  it.each(['Unreal Engine', 'Mixamo', 'Source'])('with the bone names of %s is written as a humanoid', async scheme => {
    const body = await bare({ nameOf: SCHEMES[scheme]! });
    const { file, made } = await asVgo([body]);
    expect(findings(file)).toEqual([]);
    const [was, is] = [humanoidOf(body.scene!)!, humanoidOf(file.scene!)!];
    expect([was.detectedFrom, is.detectedFrom]).toEqual(['names', 'file']);
    const names = ({ bones }: Humanoid, { nodes }: RigScene): object =>
      Object.fromEntries([...bones].map(([bone, row]) => [bone, nodes.names[row]]).sort());
    expect(names(is, file.scene!)).toEqual(names(was, body.scene!));
    expect(codes(made)).not.toContain('REST_NO_T');
  });

  it('with lowered arms is reported, and a body without hands is not a humanoid', async () => {
    const hanging = await asVgo([await bare({ nameOf: SCHEMES['Unreal Engine']!, armsDown: 50 })]);
    expect(hanging.made.report.items).toContainEqual(
      expect.objectContaining({ code: 'REST_NO_T', amount: expect.closeTo(50, 3) as number }),
    );
    const nameOf = (part: Part): string => (part.endsWith('Hand') ? 'end' : SCHEMES['Unreal Engine']!(part));
    const { file, made } = await asVgo([await bare({ nameOf, proportions: { hasFingers: false } })]);
    expect(file.scene!.features.some(({ kind }) => kind === 'humanoid')).toBe(false);
    expect(made.report.items).toContainEqual(
      expect.objectContaining({ code: 'HUMAN_BONES_LOST', detail: 'Unity requires leftHand, rightHand' }),
    );
  });
});

describe('data that VGO cannot store', () => {
  it('is reported, with every kind of data', async () => {
    const { made } = await asVgo([await read(data('cast/everything.cast'))]);
    const lost = made.report.items.filter(({ kind }) => kind === 'loss').map(({ code, path }) => `${code} ${path}`);
    for (const each of [
      'NOT_SAID hair',
      'NOT_SAID colour layers',
      'NOT_SAID maximum weights of morph targets',
      'NOT_SAID ik',
      'NOT_SAID constraint',
    ])
      expect(lost).toContain(each);
    const tock = await asVgo([await read(demo('Tock.cast'))]);
    expect(tock.made.report.items).toContainEqual(expect.objectContaining({ code: 'SCALE_INHERITED', path: 'head', amount: 3 }));
    expect(tock.made.report.items).toContainEqual(expect.objectContaining({ code: 'CLIP_LEFT', path: 'March' }));
    await expect(convert([await read(demo('Tock.cast'))], { to: 'vgo', strict: true })).rejects.toThrow(/NOT_SAID/);
  });

  it('does not include several meshes of a node, faces without a material, steps, loops, morph targets and hidden parts', async () => {
    const file = await read(data('cast/everything.cast'));
    const scene = file.scene!;
    const [clip] = scene.clips;
    const step = (path: string, target: string, values: number[], more: object = {}): Track =>
      ({
        target,
        property: '',
        occurrence: 0,
        node: -1,
        times: Float32Array.of(0, 0.5, 1),
        values: Float32Array.from(values),
        blendWeight: 1,
        path,
        component: -1,
        interpolation: 'step',
        mode: 'absolute',
        before: 'hold',
        after: 'hold',
        ...more,
      }) as Track;
    const bone = scene.nodes.names[2]!;
    const tracks = [
      step('visible', bone, [1, 0, 1], { target: bone }),
      step('scale', bone, [1, 2, 1], { component: 1, interpolation: 'linear', after: 'loop' }),
    ];
    const rows = { length: 2, get: (i: number): Track => tracks[i]!, [Symbol.iterator]: () => tracks.values() };
    const bare = { ...scene.meshes[0]!, groups: scene.meshes[0]!.groups.map(({ start, count }) => ({ start, count })) };
    const [renderer] = scene.renderers;
    const changed = {
      ...scene,
      meshes: [bare],
      renderers: [
        { ...renderer!, mesh: 0, materials: undefined } as never,
        { ...renderer!, name: 'again', mesh: 0, materials: undefined, visible: false } as never,
      ],
      clips: [{ ...clip!, name: 'steps', loop: true, duration: 2, tracks: rows, overrides: [], events: [] }],
    };
    const { file: again, made } = await asVgo([{ ...file, scene: changed }]);
    expect(findings(again)).toEqual([]);
    expect(codes(made)).toEqual(expect.arrayContaining(['NODE_ADDED', 'MATERIAL_BLANK']));
    expect(again.scene!.renderers.map(({ name, visible }) => [name, visible])).toEqual([
      [renderer!.name, true],
      ['again', false],
    ]);
    const [made1] = again.scene!.clips;
    expect([made1!.name, made1!.loop, made1!.duration]).toEqual(['steps', true, 2]);
    const found = [...made1!.tracks].map(({ path, component, after, times, values }) => [path, component, after, [...times], [...values]]);
    expect(found).toContainEqual(['visible', -1, 'hold', [0, 0.5, 1], [1, 0, 1]]);
    expect(found).toContainEqual(['scale', 1, 'loop', [0, 0.5, 1], [1, 2, 1]]);
    expect(found).toContainEqual(['scale', 0, 'hold', [0, 2], [1, 1]]); // same duration as the animation
  });
});

/** Yields copies of a file with pseudorandom changes, which are the same in each run. */
function* damaged(bytes: Uint8Array, count: number): Generator<Uint8Array> {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 0x7fffffff) % below;
  for (let i = 0; i < count; i++) {
    const copy = bytes.slice();
    for (let k = random(4); k >= 0; k--) copy[random(2) ? random(Math.min(4000, copy.length)) : random(copy.length)] = random(256);
    yield copy;
  }
}

describe('files with damage', () => {
  it.each(['puppet-rh-bl-2.1.vgo', 'puppet-lh-tl-2.4-bson.vgo'])(
    '%s: whatever can be read can be written, and is read again',
    async name => {
      let written = 0;
      for (const bytes of damaged(Uint8Array.from(readFileSync(data(`vgo/${name}`))), 80)) {
        const file = await open(bytes, { name, worker: false });
        if (!file.scene) continue;
        const { file: again } = await asVgo([file]);
        expect(again.report.items.filter(({ severity }) => severity === 'error')).toEqual([]);
        written++;
      }
      expect(written).toBeGreaterThan(10);
    },
  );
});

describe('trees', () => {
  it('are parsed like Json.NET parses them and written in a form that it accepts', () => {
    const text =
      '\ufeff{ // a remark\n"a" : [1.50, -0, 1E-05, NaN, -Infinity, "\\ud83d", "\t"], /* more */ "b":{}, "c":null,"a2":99999999999999999999 }';
    const value = parseJson(new TextEncoder().encode(text));
    expect(new TextDecoder().decode(printJson(value))).toBe(
      '{"a":[1.5,-0,0.00001,"NaN","-Infinity","\ufffd","\\t"],"b":{},"c":null,"a2":99999999999999999999}',
    );
    for (const bad of ['', '{', '[1,]', '{"a" 1}', '1 2', '"a', '[1 2]', `${'['.repeat(70)}${']'.repeat(70)}`])
      expect(() => parseJson(new TextEncoder().encode(bad)), bad).toThrow(SyntaxError);
  });

  it('are the same in BSON, and truncated BSON is rejected', () => {
    const value = parseJson(
      new TextEncoder().encode('{"a":[1,-2.5,true,null,"é"],"b":{"c":9007199254740993,"d":-0},"e":4294967296}'),
    ) as Tree;
    const bytes = printBson(value);
    expect(printJson(parseBson(bytes))).toEqual(printJson(value));
    for (let end = 0; end < bytes.length; end++) expect(() => parseBson(bytes.slice(0, end))).toThrow();
  });
});

describe.runIf(existsSync(corpus))('files of the corpus', () => {
  if (!existsSync(corpus)) return; // the callback runs even if `describe` is skipped
  const others = readdirSync(corpus, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(pskx?|cast|semodel)$/i.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(path => statSync(path).size < 1e6)
    .sort()
    .filter((_, i) => i % 3 === 0);

  it('of other formats have the same shape and animations as VGO', { timeout: 300_000 }, async () => {
    const bad: string[] = [];
    let count = 0;
    for (const path of others) {
      const file = await read(path);
      if (!file.scene || file.scene.renderers.length === 0) continue;
      const { file: again, made } = await asVgo([file], { clips: [0], tolerance: 1e-5 });
      // Clips are left out if morph targets have a maximum weight, which VGO cannot store.
      const isStill = made.report.items.some(({ path: what }) => what === 'maximum weights of morph targets');
      const source = merged(file, isStill ? [] : file.scene.clips.slice(0, 1));
      try {
        const off = farthestCorner(numbered(bald(source)), numbered(merged(again, isStill ? [] : again.scene!.clips)));
        if (!(off < 1e-4) || again.report.errors > 0) bad.push(`${path.slice(corpus.length)} (${codes(made).join()}): ${off} m`);
      } catch (error) {
        bad.push(`${path.slice(corpus.length)}: ${(error as Error).message}`);
      }
      count++;
    }
    expect(bad).toEqual([]);
    expect(count).toBeGreaterThan(20);
  });

  const paths = ['real', 'generated'].flatMap(folder =>
    readdirSync(join(corpus, 'vgo', folder))
      .filter(name => name.endsWith('.vgo'))
      .map(name => `${folder}/${name}`),
  );

  it.each(paths)('%s results in the same scene as 2.5, in JSON and in BSON', async path => {
    const file = await read(join(corpus, 'vgo', path));
    for (const encoding of ['json', 'bson'] as const) {
      const { file: again, made } = await asVgo([file], { vgo: { encoding } });
      expect(again.report.errors).toBe(0);
      expect(differences(plain(file.scene!), plain(again.scene!), new Set(['references', 'index']))).toEqual([]);
      expect(made.report.items.filter(({ kind }) => kind !== 'note')).toEqual([]);
    }
  });
});
