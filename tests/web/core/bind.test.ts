// Bound clips against closed forms, with clips built by hand.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bind, type BoundClip } from '../../../web/src/core/bind.ts';
import { LooseNames, NodeNames } from '../../../web/src/core/names.ts';
import { codes } from '../../../web/src/core/codes.ts';
import { open } from '../../../web/src/core/open.ts';
import type { Clip, RigScene, Track, TrackMode } from '../../../web/src/core/types.ts';
import { armScene, clip, f32, table, track } from '../../support/armScene.ts';

const s = Math.SQRT1_2;
const turnX = [s, 0, 0, s]; // rotations by 90°
const turnY = [0, s, 0, s];
const turnZ = [0, 0, s, s];

interface BoneSpec {
  name: string;
  parent: number;
  bone?: number;
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}

/**
 * Creates a scene of nodes only. Row 0 is the root; `specs` are rows 1, 2 …, with parents as row
 * numbers.
 */
function skeleton(...specs: BoneSpec[]): RigScene {
  const all: BoneSpec[] = [{ name: 'scene', parent: -1, bone: -1 }, ...specs];
  const base = armScene();
  return {
    ...base,
    meshes: [],
    renderers: [],
    skins: [],
    clips: [],
    nodes: {
      ...base.nodes,
      length: all.length,
      names: all.map(spec => spec.name),
      parents: Int32Array.from(all, spec => spec.parent),
      translations: f32(...all.flatMap(spec => spec.translation ?? [0, 0, 0])),
      rotations: f32(...all.flatMap(spec => spec.rotation ?? [0, 0, 0, 1])),
      scales: f32(...all.flatMap(spec => spec.scale ?? [1, 1, 1])),
      bones: Int32Array.from(all, (spec, i) => spec.bone ?? i - 1),
      visible: new Uint8Array(all.length).fill(1),
      segmentScaleCompensate: new Uint8Array(all.length),
    },
  };
}

const bones = (...names: string[]): RigScene => skeleton(...names.map((name, i) => ({ name, parent: i, translation: [0, 1, 0] })));

const moves = (target: string, over: Partial<Track> = {}): Track =>
  track({ target, path: 'translation', times: f32(0, 1), values: f32(0, 1, 0, 0, 2, 0), ...over });

const rowsOf = (bound: BoundClip): number[] => bound.tracks.map(({ node }) => node);

const findingsOf = (bound: BoundClip): string[] => bound.report.findings.map(({ code }) => code);

const near = (values: ArrayLike<number>, wanted: number[]): void => {
  expect(values.length).toBe(wanted.length);
  for (const [i, value] of wanted.entries()) expect(values[i]).toBeCloseTo(value, 6);
};

test('converts the tangents of relative and delta rotations like their keys', () => {
  const model = skeleton({ name: 'arm', parent: 0, rotation: turnX });
  for (const mode of ['relative', 'delta'] as const) {
    const keys = [0, 0, 0, 1, ...turnY, ...turnZ];
    const slopes = [turnZ, [0.5, 0, 0, 0], turnY].flatMap(slope => [...slope, ...slope]); // incoming and outgoing tangents of a key
    const turns = (values: number[]): Track =>
      track({
        target: 'arm',
        path: 'rotation',
        mode,
        interpolation: 'hermite',
        times: f32(0, 1, 2),
        values: f32(...values),
        tangents: f32(...slopes),
      });
    const [bound] = bind(clip('c', 2, turns(keys)), model).tracks;
    // The first key is the identity, so both modes multiply the rest pose from the left: key k
    // becomes r k.
    near(bound!.values.subarray(4, 8), [0.5, 0.5, 0.5, 0.5]);
    near(bound!.tangents!.subarray(0, 4), [0.5, -0.5, 0.5, 0.5]); // r times a quarter turn about z
    near(bound!.tangents!.subarray(8, 12), [0.5 * s, 0, 0, -0.5 * s]); // r times (0.5, 0, 0, 0)
    near(bound!.tangents!.subarray(20, 24), [0.5, 0.5, 0.5, 0.5]);
  }
});

describe('name matching', () => {
  test('prefers exact names, then trimmed and case-insensitive ones, then sanitised ones', () => {
    const model = bones('Hips', 'hips', 'Left Arm', ' Neck ', 'j:gun');
    expect(rowsOf(bind(clip('c', 1, moves('hips'), moves('Hips')), model))).toEqual([2, 1]);
    expect(rowsOf(bind(clip('c', 1, moves('HIPS'), moves('left arm'), moves('neck')), model))).toEqual([1, 3, 4]);
    expect(rowsOf(bind(clip('c', 1, moves('left_arm'), moves('J_GUN')), model))).toEqual([3, 5]);
  });

  test('never assigns a bone to two names', () => {
    const bound = bind(clip('c', 1, moves('hips'), moves('HIPS')), bones('Hips'));
    expect(rowsOf(bound)).toEqual([1]);
    expect(bound.report.unmatched).toEqual(['HIPS']);
  });

  test('assigns the k-th occurrence of a name to the k-th bone of that name in file order', () => {
    const model = skeleton(
      { name: 'root', parent: 0, bone: 0 },
      { name: 'twin', parent: 1, bone: 2 },
      { name: 'twin', parent: 1, bone: 1 },
    );
    const twins = clip('c', 1, moves('twin', { occurrence: 0 }), moves('twin', { occurrence: 1 }), moves('twin', { occurrence: 2 }));
    const bound = bind(twins, model);
    expect(rowsOf(bound)).toEqual([3, 2]);
    expect(bound.report.unmatched).toEqual(['twin']);
    expect(rowsOf(bind(clip('c', 1, moves('twin', { occurrence: 1 })), model))).toEqual([2]);
  });

  test('ignores a common prefix only if no name matches with it', () => {
    const model = bones('mixamorig:Hips', 'mixamorig:Spine', 'mixamorig:Head');
    const bound = bind(clip('c', 1, moves('Hips'), moves('Head')), model);
    expect(rowsOf(bound)).toEqual([1, 3]);
    expect(findingsOf(bound)).toContain('BIND_BY_PREFIX');
    expect(rowsOf(bind(clip('c', 1, moves('Bip01 Hips'), moves('Bip01 Spine')), model))).toEqual([1, 2]);
    const partly = bind(clip('c', 1, moves('mixamorig:Hips'), moves('Head')), model);
    expect(rowsOf(partly)).toEqual([1]);
    expect(findingsOf(partly)).not.toContain('BIND_BY_PREFIX');
  });

  test('ignores a prefix from which a loader has removed the separator', () => {
    const model = bones('mixamorig:Hips', 'mixamorig:Spine', 'mixamorig:Head');
    const bound = bind(clip('c', 1, moves('mixamorigHips'), moves('mixamorigHead')), model);
    expect(rowsOf(bound)).toEqual([1, 3]);
    expect(findingsOf(bound)).toContain('BIND_BY_PREFIX');
    const loaded = bones('mixamorigHips', 'mixamorigSpine', 'mixamorigHead');
    expect(rowsOf(bind(clip('c', 1, moves('mixamorig:Hips'), moves('mixamorig:Spine')), loaded))).toEqual([1, 2]);
    expect(new LooseNames(['mixamorigHips', 'mixamorigHead']).countIn(new LooseNames(['mixamorig:Hips', 'mixamorig:Head']))).toBe(2);
    expect(new LooseNames(['mixamorig:Hips', 'mixamorig:Head']).countIn(new LooseNames(['mixamorigHips', 'mixamorigHead']))).toBe(2);
  });

  test('does not take the side of a body for a prefix', () => {
    const model = bones('Left Arm', 'Left Hand', 'Left Leg');
    expect(rowsOf(bind(clip('c', 1, moves('RightArm'), moves('RightHand')), model))).toEqual([]);
    const one = bind(clip('c', 1, moves('LeftArm'), moves('head'), moves('neck')), model);
    expect(rowsOf(one)).toEqual([]);
  });

  test('prefers bones to other nodes of the same name, and never matches the synthetic root', () => {
    const model = skeleton({ name: 'arm', parent: 0, bone: -1 }, { name: 'arm', parent: 0, bone: 0 });
    expect(rowsOf(bind(clip('c', 1, moves('arm'), moves('scene')), model))).toEqual([2]);
  });

  test('binds the first bone to the root only with `bindRoot`, and only if both are unmatched', () => {
    const model = bones('pelvis', 'spine');
    const motion = clip('c', 1, moves('Armature'), moves('spine'));
    expect(rowsOf(bind(motion, model))).toEqual([2]);
    expect(rowsOf(bind(motion, model, { bindRoot: true }))).toEqual([1, 2]);
    expect(rowsOf(bind(clip('c', 1, moves('Armature'), moves('pelvis')), model, { bindRoot: true }))).toEqual([1]);
  });

  test('reuses the matching for clips with the same targets, and not for others', () => {
    const model = bones('a', 'b', 'c');
    const bounds = ['a b x', 'a b x', 'a b c', 'b a x'].map(names =>
      bind(clip('c', 1, ...names.split(' ').map(name => moves(name))), model),
    );
    expect(bounds.map(rowsOf)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2, 3],
      [2, 1],
    ]);
    expect(bounds.map(bound => bound.report.unmatched)).toEqual([['x'], ['x'], [], ['x']]);
  });

  test('supports names such as __proto__', () => {
    const model = bones('__proto__', 'constructor', 'toString', 'bell\u0007');
    const bound = bind(
      clip('c', 1, moves('__proto__'), moves('constructor'), moves('toString'), moves('bell\u0007'), moves('hasOwnProperty')),
      model,
    );
    expect(rowsOf(bound)).toEqual([1, 2, 3, 4]);
    expect(bound.report.unmatched).toEqual(['hasOwnProperty']);
  });

  test('uses node indices only in the scene of the clip', () => {
    const model = bones('a', 'b');
    const own = clip('c', 1, moves('a', { node: 2 }));
    expect(rowsOf(bind(own, { ...model, clips: [own] }))).toEqual([2]);
    expect(rowsOf(bind(own, model))).toEqual([1]);
  });
});

describe('the report', () => {
  test('lists matched, unmatched and untouched names as infos', () => {
    const { report } = bind(clip('c', 1, moves('a'), moves('x'), moves('y')), bones('a', 'b', 'c'));
    expect(report).toMatchObject({ matched: ['a'], unmatched: ['x', 'y'], untouched: ['b', 'c'] });
    expect(report.findings).toEqual([
      { code: 'BIND_UNMATCHED_TRACKS', severity: 'info', offset: null, path: 'c', detail: 'x, y', count: 2 },
      { code: 'BIND_UNTOUCHED_BONES', severity: 'info', offset: null, path: 'c', detail: 'b, c', count: 2 },
    ]);
  });

  test('warns about a clip of another skeleton', () => {
    const bound = bind(clip('c', 1, moves('x'), moves('y')), bones('a', 'b'));
    expect(bound.tracks).toEqual([]);
    expect(findingsOf(bound)).toEqual(['BIND_NOTHING']);
  });

  test('uses the severities of the table of findings', async () => {
    const table = new Map((await codes()).map(({ code, severity }) => [code, severity]));
    const found = [
      bind(clip('c', 1, moves('a'), moves('x')), bones('a', 'b')),
      bind(clip('c', 1, moves('x')), bones('a')),
      bind(clip('c', 1, moves('Hips'), moves('Head')), bones('m:Hips', 'm:Head')),
      bind(additiveClip(), bones('a', 'b', 'c', 'd')),
      bind(clip('c', 1, moves('a'), moves('b', { values: f32(0, 0, 0, 0, 0, 0) }), moves('c')), bones('a', 'b', 'c')),
    ].flatMap(bound => bound.report.findings);
    expect(new Set(found.map(({ code }) => code)).size).toBe(6);
    for (const { code, severity } of found) expect([code, severity]).toEqual([code, table.get(code)]);
  });
});

describe('modes', () => {
  const model = skeleton(
    { name: 'root', parent: 0 },
    { name: 'arm', parent: 1, translation: [1, 2, 3], rotation: turnX, scale: [2, 3, 4] },
  );
  const only = (over: Partial<Track>): BoundClip['tracks'][number] => bind(clip('c', 1, moves('arm', over)), model).tracks[0]!;

  test('keeps the array of absolute values', () => {
    const values = f32(5, 5, 5, 6, 6, 6);
    expect(only({ values }).values).toBe(values);
  });

  test('relative translation is rest + key, for one axis or all', () => {
    near(only({ mode: 'relative', values: f32(0, 0, 0, 10, 20, 30) }).values, [1, 2, 3, 11, 22, 33]);
    near(only({ mode: 'relative', component: 1, values: f32(0, 20) }).values, [2, 22]);
  });

  test('relative scale is rest * key, also for tangents', () => {
    const made = only({
      path: 'scale',
      mode: 'relative',
      values: f32(1, 1, 1, 0.5, 2, 0.25),
      tangents: f32(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
    });
    near(made.values, [2, 3, 4, 1, 6, 1]);
    near(made.tangents!, [2, 3, 4, 2, 3, 4, 2, 3, 4, 2, 3, 4]);
    near(only({ path: 'scale', mode: 'relative', component: 2, values: f32(1, 2) }).values, [4, 8]);
  });

  test("relative rotation is rest key, in the bone's own space", () => {
    near(only({ path: 'rotation', mode: 'relative', values: f32(0, 0, 0, 1, ...turnY) }).values, [...turnX, 0.5, 0.5, 0.5, 0.5]); // X, then Y, about the bone's own axes
  });

  test('delta tracks are relative to the first key', () => {
    near(only({ mode: 'delta', values: f32(7, 7, 7, 8, 9, 10) }).values, [1, 2, 3, 2, 4, 6]);
    near(only({ path: 'scale', mode: 'delta', values: f32(2, 2, 2, 4, 4, 1) }).values, [2, 3, 4, 4, 6, 2]);
    near(only({ path: 'rotation', mode: 'delta', values: f32(...turnZ, ...turnZ) }).values, [...turnX, ...turnX]);
  });

  test('additive tracks keep their deltas and their weight', () => {
    const made = only({ mode: 'additive', blendWeight: 0.25, values: f32(0, 0, 0, 1, 1, 1) });
    expect(made).toMatchObject({ mode: 'additive', blendWeight: 0.25 });
    near(made.values, [0, 0, 0, 1, 1, 1]);
  });

  test('keeps the other members of a track', () => {
    const kinds = Uint8Array.of(0, 3);
    const weights = new Float32Array(12);
    expect(only({ interpolation: 'perKey', kinds, weights, before: 'loop', after: 'pingPong' })).toMatchObject({
      interpolation: 'perKey',
      kinds,
      weights,
      before: 'loop',
      after: 'pingPong',
    });
  });
});

describe('mode overrides', () => {
  // root > gun > mag > bullet, root > hand
  const model = skeleton(
    { name: 'root', parent: 0, translation: [1, 0, 0] },
    { name: 'gun', parent: 1, translation: [1, 0, 0] },
    { name: 'mag', parent: 2, translation: [1, 0, 0] },
    { name: 'bullet', parent: 3, translation: [1, 0, 0] },
    { name: 'hand', parent: 1, translation: [1, 0, 0] },
  );
  const all = (): Track[] => ['root', 'gun', 'mag', 'bullet', 'hand'].map(name => moves(name, { values: f32(5, 0, 0, 5, 0, 0) }));
  const override = (node: string, mode: TrackMode, over = {}): Clip['overrides'][number] => ({
    node,
    mode,
    translation: true,
    rotation: false,
    scale: false,
    includesNode: false,
    ...over,
  });
  const xs = (motion: Clip, options = {}): (number | undefined)[] => bind(motion, model, options).tracks.map(({ values }) => values[0]);

  test('apply to the descendants of the named bone, not to the bone', () => {
    const motion = { ...clip('c', 1, ...all()), overrides: [override('GUN', 'relative')] };
    expect(xs(motion)).toEqual([5, 5, 6, 6, 5]);
    expect(xs(motion, { includeNamedBone: true })).toEqual([5, 6, 6, 6, 5]);
    expect(xs({ ...motion, overrides: [override('GUN', 'relative', { includesNode: true })] })).toEqual([5, 6, 6, 6, 5]);
  });

  test('the override of the nearest ancestor applies, and only to its paths', () => {
    const motion = { ...clip('c', 1, ...all()), overrides: [override('gun', 'relative'), override('mag', 'absolute')] };
    expect(xs(motion)).toEqual([5, 5, 6, 5, 5]);
    expect(
      xs({ ...motion, overrides: [override('gun', 'relative'), override('mag', 'absolute', { translation: false, rotation: true })] }),
    ).toEqual([5, 5, 6, 6, 5]);
  });

  test('of a missing bone are listed in the report', () => {
    const bound = bind({ ...clip('c', 1, ...all()), overrides: [override('tail', 'relative')] }, model);
    expect(bound.report.unmatched).toEqual(['tail']);
  });
});

/** A clip of a format that cannot declare modes. */
const undeclared = (...tracks: Track[]): Clip => ({ ...clip('breathe', 1, ...tracks), undeclaredModes: true });

function additiveClip(): Clip {
  const small = f32(0.001, 0, 0, 0, 0.002, 0);
  return undeclared(...['a', 'b', 'c', 'd'].map(bone => moves(bone, { values: small })));
}

describe('additive and stripped keys of formats that cannot declare them', () => {
  const model = skeleton(
    { name: 'a', parent: 0, translation: [0, 1, 0] },
    { name: 'b', parent: 1, translation: [0, 1, 0], rotation: turnX },
    { name: 'c', parent: 2, translation: [0, 1, 0] },
    { name: 'd', parent: 3, translation: [0, 1, 0] },
  );

  test('adds small differences to the rest pose, so that the skeleton does not collapse', () => {
    const bound = bind(additiveClip(), model);
    expect(findingsOf(bound)).toEqual(['LOOKS_ADDITIVE']);
    near(bound.tracks[1]!.values, [0.001, 1, 0, 0, 1.002, 0]);
    const stored = bind(additiveClip(), model, { additive: 'as-stated' });
    expect(findingsOf(stored)).toEqual(['LOOKS_ADDITIVE']);
    near(stored.tracks[1]!.values, [0.001, 0, 0, 0, 0.002, 0]);
    const rest = bind(additiveClip(), model, { additive: 'rest' });
    near(rest.tracks[1]!.values, [0.001, 1, 0, 0, 1.002, 0]);
    expect(findingsOf(rest)).toEqual([]);
    expect(bind(additiveClip(), model, { additive: 'layer' }).tracks[1]).toMatchObject({ mode: 'additive' });
  });

  test("applies additive rotations in the parent's space, also as a layer", () => {
    const motion = clip('c', 1, moves('b', { path: 'rotation', values: f32(...turnY), times: f32(0) }));
    near(bind(motion, model, { additive: 'rest' }).tracks[0]!.values, [0.5, 0.5, -0.5, 0.5]); // turnY turnX
    const layer = bind(motion, model, { additive: 'layer' }).tracks[0]!.values;
    near(layer, [0, 0, -s, s]); // turnX^-1 turnY turnX; turnX times it is turnY turnX
  });

  const stripped = (): Clip =>
    clip(
      'c',
      1,
      moves('a'),
      moves('b'),
      moves('c', { values: new Float32Array(6) }),
      moves('c', { path: 'rotation', values: f32(0, 0, 0, 1, 0, 0, 0, -1) }),
      moves('d'),
    );

  test('detects tracks that are zero in all frames as stripped', () => {
    const bound = bind(stripped(), model);
    expect(findingsOf(bound)).toEqual(['LOOKS_STRIPPED']);
    expect(bound.report.findings[0]).toMatchObject({ severity: 'warning', count: 1 });
    expect(rowsOf(bound)).toEqual([1, 2, 3, 3, 4]);
    const healed = bind(stripped(), model, { tracks: 'strip-zero-tracks' });
    expect(rowsOf(healed)).toEqual([1, 2, 4]);
    expect(findingsOf(healed)).toEqual([]);
  });

  test('takes a zero translation of a rotating bone for stripped, or for additive if other translations are small', () => {
    const turning = moves('b', { path: 'rotation', values: f32(...turnX, ...turnY) });
    const zero = { values: new Float32Array(6) };
    const motion = undeclared(moves('a'), moves('b', zero), turning, moves('c'), moves('d'));
    expect(findingsOf(bind(motion, model))).toEqual(['LOOKS_STRIPPED']);
    expect(findingsOf(bind({ ...motion, undeclaredModes: false }, model))).toEqual([]);
    const healed = bind(motion, model, { tracks: 'strip-zero-tracks' });
    expect(healed.tracks.filter(({ node }) => node === 2).map(({ path }) => path)).toEqual(['rotation']);
    expect(findingsOf(healed)).toEqual([]);
    expect(findingsOf(bind(motion, model, { tracks: 'rotation-only' }))).toEqual([]);
    const slight = moves('b', { path: 'rotation', values: f32(0, 0, 0, 1, 0, 0.1, 0, 0.995) });
    const additive = undeclared(moves('a'), moves('b', zero), slight, moves('c', { values: f32(0.001, 0, 0, 0, 0, 0) }));
    expect(findingsOf(bind(additive, model))).toContain('LOOKS_ADDITIVE');
  });

  test('reports neither for a normal clip, for the root, or for bones that rest at zero', () => {
    const zero = { values: new Float32Array(6) };
    expect(findingsOf(bind(clip('c', 1, moves('a', zero), moves('b'), moves('c'), moves('d')), model))).toEqual([]);
    const atZero = skeleton({ name: 'a', parent: 0 }, { name: 'b', parent: 1 }, { name: 'c', parent: 2, translation: [0, 1, 0] });
    expect(findingsOf(bind(clip('c', 1, moves('a'), moves('b', zero), moves('c')), atZero))).toEqual([]);
  });

  test('rotation-only keeps the rest translation of all bones except the root', () => {
    const motion = clip('c', 1, moves('a'), moves('b'), moves('b', { path: 'rotation', values: f32(...turnX, ...turnY) }));
    expect(bind(motion, model, { tracks: 'rotation-only' }).tracks.map(({ node, path }) => [node, path])).toEqual([
      [1, 'translation'],
      [2, 'rotation'],
    ]);
  });

  test('lockRoot keeps the first travelling bone at its first key', () => {
    const still = moves('a', { values: f32(0, 7, 0, 0, 7, 0) });
    const motion = clip('c', 1, still, moves('b', { values: f32(1, 2, 3, 4, 5, 6) }), moves('c', { values: f32(0, 1, 0, 0, 9, 0) }));
    const locked = bind(motion, model, { lockRoot: true }).tracks;
    near(locked[0]!.values, [0, 7, 0, 0, 7, 0]);
    near(locked[1]!.values, [1, 2, 3]);
    near(locked[2]!.values, [0, 1, 0, 0, 9, 0]);
  });
});

describe('morphs', () => {
  const weight = (property: string, target = ''): Track => track({ target, property, path: 'weight', times: f32(0, 1), values: f32(0, 1) });

  test('are bound to every mesh that has them, ignoring case', () => {
    const scene = armScene();
    const second = { ...scene.meshes[0]!, name: 'hair', morphs: [{ ...scene.meshes[0]!.morphs[0]!, name: 'SWELL' }] };
    const two = {
      ...scene,
      meshes: [scene.meshes[0]!, second, { ...second, name: 'plain', morphs: [] }],
      renderers: [0, 1, 2].map(mesh => ({ ...scene.renderers[0]!, name: `r${mesh}`, mesh })),
    };
    const made = bind(clip('c', 1, weight('swell')), two).tracks;
    expect(made.map(({ node, morph, renderers }) => ({ node, morph, renderers }))).toEqual([
      { node: -1, morph: 'Swell', renderers: [0] },
      { node: -1, morph: 'SWELL', renderers: [1] },
    ]);
    expect(bind(clip('c', 1, weight('swell', 'HAIR')), two).tracks.map(({ renderers }) => renderers)).toEqual([[1]]);
  });

  test('without a mesh are reported', () => {
    expect(bind(clip('c', 1, weight('Frown')), armScene()).report.unmatched).toEqual(['Frown']);
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
const isThere = existsSync(corpus);
if (!isThere) console.log('bind: ../shared/corpus is not there, real motions are skipped');

describe.skipIf(!isThere)('real clips', () => {
  const load = async (path: string): Promise<RigScene> =>
    (await open(readFileSync(new URL(path, corpus)), { name: path.split('/').at(-1)! })).scene!;
  const told = (motion: RigScene, model: RigScene): string[] =>
    motion.clips
      .flatMap(each => bind(each, model).report.findings)
      .filter(({ severity }) => severity !== 'info')
      .map(({ code }) => code);

  test.each([
    ['Idle_additive', ['LOOKS_ADDITIVE']],
    ['MOB1_M1_CrouchWalk_Relaxed_Additive', ['LOOKS_ADDITIVE']],
    ['MOB1_M1_Jog_Jump_InAir_01', ['LOOKS_STRIPPED']],
    ['W2_Axe_Offsets_Center_Pose', []],
  ])('%s looks as it is', async (name, wanted) => {
    expect(told(await load(`psa/psk_loaders/${name}.psa`), await load('psk/psk_loaders/SK_MaleBase_01_Body.psk'))).toEqual(wanted);
  });

  test('reports no warning for 29 normal clips', async () => {
    const motion = await load('psa/hp2/skProfMcGonagallAnims.psa');
    expect(motion.clips).toHaveLength(29);
    expect(told(motion, await load('psk/hp2/skProfMcGonagallMesh.psk'))).toEqual([]);
  });
});

describe('bind', () => {
  test('reads the clip only when tracks or report are first read, and only once', () => {
    let reads = 0;
    const tracks = table(moves('a'));
    const counting = {
      length: 1,
      get: tracks.get,
      *[Symbol.iterator]() {
        reads++;
        yield* tracks;
      },
    };
    const bound = bind({ ...clip('c', 1), tracks: counting }, bones('a'));
    expect(reads).toBe(0);
    expect(bound.tracks).toBe(bound.tracks);
    const first = reads;
    expect(first).toBeGreaterThan(0);
    expect(bound.report.matched).toEqual(['a']);
    expect(reads).toBe(first);
  });

  test('throws immediately for unknown options and values', () => {
    expect(() => bind(clip('c', 1), bones('a'), { lokRoot: true } as never)).toThrow(/unknown option "lokRoot"/);
    expect(() => bind(clip('c', 1), bones('a'), { tracks: 'all' } as never)).toThrow(/"tracks" must be one of file/);
  });
});

describe('the first name of a series of Blender', () => {
  const nodesOf = (...names: string[]): NodeNames =>
    new NodeNames({ length: names.length + 1, names: ['', ...names], bones: Int32Array.from(['', ...names], (_, i) => i - 1) } as never);
  const rowsOf = (model: NodeNames, ...names: string[]): number[] => [
    ...model.matchWithoutPrefix(names.map(name => ({ name, occurrence: 0 }))).rows,
  ];
  const series = ['spine', 'spine.001', 'spine.002'];
  const limbs = ['thigh', 'shin', 'foot', 'hand'];
  const withPrefix = (prefix: string, names: string[]): string[] => names.map(name => prefix + name);

  test('does not match the same name without a series', () => {
    expect(rowsOf(nodesOf(...withPrefix('DEF-', [...series, ...limbs])), 'Spine', ...limbs)).toEqual([-1, 4, 5, 6, 7]);
    expect(rowsOf(nodesOf(...withPrefix('rig:', ['Spine', ...limbs])), ...series, ...limbs)).toEqual([-1, -1, -1, 2, 3, 4, 5]);
  });

  test('matches the first name of a series with another prefix', () => {
    expect(rowsOf(nodesOf(...withPrefix('DEF-', [...series, ...limbs])), ...series, ...limbs)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
