// Retargets every kind of curve between skeletons with the same bone names.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Clip, RigScene, Track } from '../../../web/src/core/types.ts';
import { bind as bindForRig } from '../../../web/src/rig/bind.ts';
import { BoneRetargeter } from '../../../web/src/rig/boneRetargeter.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { Pose, PoseShape } from '../../../web/src/rig/pose.ts';
import { WorldMatrices } from '../../../web/src/rig/world.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { type Bone, boneScene } from '../../support/figure.ts';

const BONES: Bone[] = [
  ['a', '', 0, 1, 0],
  ['b', 'a', 0, 2, 0],
  ['c', 'b', 0, 3, 0],
];
/** Returns the same bones with different rest rotations. */
function turned(bones: Bone[] = BONES): RigScene {
  const scene = boneScene(bones);
  const { nodes } = scene;
  const world = [new Quaternion()];
  for (let row = 1; row < nodes.length; row++) {
    const above = world[nodes.parents[row]!]!;
    const own = new Quaternion().setFromAxisAngle(new Vector3(Math.sin(row), 1, Math.cos(2 * row)).normalize(), row);
    world.push(own);
    nodes.rotations.set(above.clone().invert().multiply(own).toArray(), 4 * row);
    nodes.translations.set(
      new Vector3()
        .fromArray(nodes.translations, 3 * row)
        .applyQuaternion(above.clone().invert())
        .toArray(),
      3 * row,
    );
  }
  return scene;
}
const about = (x: number, y: number, z: number, angle: number): number[] =>
  new Quaternion().setFromAxisAngle(new Vector3(x, y, z).normalize(), angle).toArray();
const retargetedTracks = (from: RigScene, to: RigScene, ...tracks: Track[]) =>
  BoneRetargeter.of(from, to).tracks(bind(clip('move', 2, ...tracks), from));
const source = boneScene(BONES);

/** Returns the position of a bone, and its rotation relative to the rest pose, at a time. */
function played(
  scene: RigScene,
  tracks: ConstructorParameters<typeof Layer>[1],
  time: number,
  name: string,
): { place: Vector3; turn: Quaternion } {
  const shape = new PoseShape(scene);
  const row = scene.nodes.names.indexOf(name);
  const worldOf = (pose: Pose) => {
    const world = new WorldMatrices(shape);
    world.update(pose);
    const m = world.matrices.subarray(16 * row, 16 * row + 16);
    return { place: new Vector3().fromArray(m, 12), turn: new Quaternion().setFromRotationMatrix({ elements: [...m] } as never) };
  };
  const rest = worldOf(new Pose(shape));
  const layer = new Layer(shape, tracks);
  layer.time = time;
  const pose = new Pose(shape);
  layer.apply(pose);
  const { place, turn } = worldOf(pose);
  return { place, turn: turn.multiply(rest.turn.invert()) };
}

function expectAlike(from: RigScene, to: RigScene, tracks: Track[], names = ['a', 'b', 'c'], times = [0, 0.3, 1.1, 1.7, 2]): void {
  const [mine, theirs] = [bind(clip('move', 2, ...tracks), from).tracks, retargetedTracks(from, to, ...tracks)];
  for (const time of times)
    for (const name of names) {
      const [a, b] = [played(from, mine, time, name), played(to, theirs, time, name)];
      expect(b.place.distanceTo(a.place), `${name} at ${time}`).toBeLessThan(1e-3);
      expect(b.turn.angleTo(a.turn), `${name} at ${time}`).toBeLessThan(2e-3);
    }
}

describe('a retargeted curve', () => {
  const swing = track({
    target: 'a',
    path: 'rotation',
    times: f32(0, 1, 2),
    values: f32(...about(1, 0, 0, 0), ...about(1, 2, 0, 1.4), ...about(0, 0, 1, 2)),
  });

  it('keeps the keys of rotations', () => {
    const [one] = retargetedTracks(source, turned(), swing);
    expect([...one!.times]).toEqual([0, 1, 2]);
    expectAlike(source, turned(), [swing]);
  });

  it('is sampled over the whole clip if it loops outside its keys', () => {
    const loop = { ...swing, times: f32(0.5, 1, 1.5), before: 'loop' as const, after: 'pingPong' as const };
    const made = retargetedTracks(source, turned(), loop).find(({ node }) => turned().nodes.names[node] === 'a')!;
    expect([made.times[0], made.times.at(-1)]).toEqual([0, 2]);
    expectAlike(source, turned(), [loop], ['a'], [0.05, 0.25, 0.8, 1.3, 1.9]);
  });

  it('stays stepped, also if several bones are merged into one', () => {
    // The model lacks b: c is a child of a.
    const other = turned([BONES[0]!, ['c', 'a', 0, 3, 0]]);
    const steps = [swing, { ...swing, target: 'b' }].map(each => ({ ...each, interpolation: 'step' as const }));
    const made = retargetedTracks(source, other, ...steps);
    for (const { interpolation, times } of made) expect([interpolation, [...times]]).toEqual(['step', [0, 1, 2]]);
    expectAlike(source, other, steps, ['a', 'c'], [0, 0.5, 1, 1.9]);
  });

  it('is sampled with the shorter rotation between keys if several bones are merged into one', () => {
    const other = turned([BONES[0]!, ['c', 'a', 0, 3, 0]]);
    const spin = (target: string): Track =>
      track({
        target,
        path: 'rotation',
        times: f32(0, 0.5, 1, 1.5, 2),
        values: f32(...[0, 1, 2, 3, 4].flatMap(k => about(0.2, 1, 0.1, 2.5 * k).map(value => (k % 2 ? -value : value)))),
      });
    const made = retargetedTracks(source, other, spin('a'), spin('b'));
    expectAlike(source, other, [spin('a'), spin('b')], ['a', 'c'], [0, 0.21, 0.6, 1.04, 1.9]);
    let keys = 0;
    for (const { path, values } of made.filter(({ times }) => times.length > 5))
      for (let at = 4; path === 'rotation' && at < values.length; at += 4, keys++)
        expect([0, 1, 2, 3].reduce((sum, c) => sum + values[at + c]! * values[at - 4 + c]!, 0)).toBeGreaterThan(0);
    expect(keys).toBeGreaterThan(100);
  });

  it('applies the difference of translations from rest in the axes of the other parent', () => {
    expectAlike(source, turned(), [track({ target: 'b', path: 'translation', times: f32(0, 2), values: f32(0, 1, 0, 0.5, 1.5, -0.25) })]);
  });
});

describe('a retargeted additive curve', () => {
  const target = turned();
  const rowOf = (name: string): number => target.nodes.names.indexOf(name);
  const added = (over: Partial<Track> & Pick<Track, 'path' | 'values'>): Track =>
    track({ target: 'b', mode: 'additive', times: f32(0, 1), ...over } as never);

  it('has three components if axes differ, and stays stepped', () => {
    for (const interpolation of ['step', 'linear'] as const) {
      const [one] = retargetedTracks(source, target, added({ path: 'translation', component: 1, interpolation, values: f32(0, 2) }));
      expect([one!.component, one!.interpolation, one!.mode]).toEqual([-1, interpolation, 'additive']);
      expect(new Vector3().fromArray(one!.values, 0).length()).toBeCloseTo(0, 6);
      expect(new Vector3().fromArray(one!.values, 3).length()).toBeCloseTo(2, 5);
    }
  });

  it('keeps its single component if axes are equal, and ignores rest translations', () => {
    const longer = boneScene([
      ['a', '', 0, 1, 0],
      ['b', 'a', 0, 3.5, 0],
      ['c', 'b', 0, 5, 0],
    ]);
    const [one] = retargetedTracks(
      source,
      longer,
      added({ path: 'translation', component: 1, interpolation: 'linear', values: f32(0, 1) }),
    );
    expect([one!.component, one!.values[0]]).toEqual([1, 0]);
    expect(one!.values[1]).toBeGreaterThan(0);
  });

  it('is omitted for single components of rotations', () => {
    expect(
      retargetedTracks(source, target, added({ path: 'rotation', component: 1, interpolation: 'linear', values: f32(0, 0.2) })),
    ).toEqual([]);
    const [whole] = retargetedTracks(
      source,
      target,
      added({ path: 'rotation', values: f32(...about(0, 0, 1, 0), ...about(0, 0, 1, 0.5)) }),
    );
    expect([whole!.node, whole!.mode, new Quaternion().fromArray(whole!.values, 4).angleTo(new Quaternion())]).toEqual([
      rowOf('b'),
      'additive',
      expect.closeTo(0.5, 5),
    ]);
  });
});

describe('alignment of two skeletons', () => {
  it('aligns limbs, except bones with several children', () => {
    const hips = (side: number): Bone[] => [
      ['hips', '', 0, 1, 0],
      ['left', 'hips', 0.2 + side, 0.9, side],
      ['right', 'hips', -0.2, 0.9, side],
      ['shin', 'left', 0.2 + side, 0.4, side],
    ];
    const codes = BoneRetargeter.of(boneScene(hips(0)), boneScene(hips(0.3))).findings('move');
    expect(codes.map(({ code }) => code)).not.toContain('BIND_OTHER_POSE');
    const bent = boneScene([
      ['hips', '', 0, 1, 0],
      ['left', 'hips', 0.2, 0.9, 0],
      ['right', 'hips', -0.2, 0.9, 0],
      ['shin', 'left', 0.6, 0.6, 0],
    ]);
    expect(BoneRetargeter.of(boneScene(hips(0)), bent).findings('move')).toMatchObject([
      { code: 'BIND_OTHER_POSE', detail: expect.stringContaining('left'), count: 1 },
    ]);
  });

  it('ignores angles below ten degrees', () => {
    const leaning = (degrees: number): RigScene => {
      const angle = (degrees * Math.PI) / 180;
      return boneScene([
        BONES[0]!,
        ['b', 'a', Math.sin(angle), 1 + Math.cos(angle), 0],
        ['c', 'b', Math.sin(angle), 2 + Math.cos(angle), 0],
      ]);
    };
    const codes = (degrees: number): string[] =>
      BoneRetargeter.of(source, leaning(degrees))
        .findings('move')
        .map(({ code }) => code);
    expect([codes(8), codes(12)]).toEqual([[], ['BIND_OTHER_POSE']]);
  });

  it('pairs all nodes if the scene has no bones', () => {
    const plain = (scene: RigScene): RigScene => ({
      ...scene,
      nodes: { ...scene.nodes, bones: new Int32Array(scene.nodes.length).fill(-1) },
    });
    const swing = track({ target: 'b', path: 'rotation', times: f32(0), values: f32(...about(1, 0, 0, 0.5)) });
    expect(retargetedTracks(plain(source), plain(turned()), swing)).toHaveLength(1);
  });
});

it('binds by name unless a skeleton to retarget from is given', () => {
  const swing = clip('swing', 1, track({ target: 'b', path: 'rotation', times: f32(0), values: f32(...about(1, 0, 0, 0.5)) }));
  const rotated = turned();
  expect(bindForRig(swing, rotated).tracks).toEqual(bind(swing, rotated).tracks);
  expect(bindForRig(swing, rotated, { retargetFrom: source }).tracks).not.toEqual(bind(swing, rotated).tracks);
});

describe('keys of a file without a skeleton', () => {
  const nothing: RigScene = boneScene([]);
  const keys = (...lengths: number[]): Clip =>
    clip(
      'move',
      1,
      ...lengths.map((length, i) => track({ target: ['b', 'c', 'a'][i]!, path: 'translation', times: f32(0), values: f32(0, length, 0) })),
    );
  const first = (motion: Clip): number[] => bindForRig(motion, source, { retargetFrom: nothing }).tracks.map(({ values }) => values[1]!);

  it('are converted to the unit of the model if several bones differ by a large factor', () => {
    expect(first(keys(100, 100, 100))).toEqual([1, 1, 1].map(value => expect.closeTo(value, 5)));
    expect(first(keys(0.01, 0.01))).toEqual([1, 1].map(value => expect.closeTo(value, 5)));
  });

  it('keep their unit if the factor is small or only one bone differs', () => {
    expect(first(keys(2, 2))).toEqual([2, 2]);
    expect(first(keys(100))).toEqual([100]);
  });
});

it('reports BIND_NOTHING if a clip animates no bone and no expression of the model', () => {
  const tail = track({ target: 'tail', path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) });
  const talk = (property: string): Clip =>
    clip('talk', 1, tail, track({ target: '', path: 'expression', property, times: f32(0), values: f32(1) }));
  const model: RigScene = { ...armScene(), expressions: [{ name: 'aa', preset: 'aa', bindings: [{ renderer: 0, morph: 0, weight: 1 }] }] };
  const codes = (property: string): string[] =>
    bindForRig(talk(property), model, { retargetFrom: model }).report.findings.map(({ code }) => code);
  expect(codes('aa')).not.toContain('BIND_NOTHING');
  expect(codes('wow')).toEqual(expect.arrayContaining(['BIND_NOTHING', 'BIND_UNMATCHED_TRACKS']));
});
