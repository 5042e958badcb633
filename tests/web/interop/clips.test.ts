// Keyframe tracks of three.js, converted to curves with the same values at any time.
import {
  AnimationClip,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  type Interpolant,
  InterpolateBezier,
  InterpolateDiscrete,
  InterpolateSmooth,
  type KeyframeTrack,
  LinearInterpolant,
  Mesh,
  NumberKeyframeTrack,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import { expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import type { Track } from '../../../web/src/core/types.ts';
import { importedClip } from '../../../web/src/interop/clips.ts';
import { importedScene } from '../../../web/src/interop/scene.ts';
import { StackCursor } from '../../../web/src/rig/stack.ts';
import { armScene, clip, f32, fileOf, track } from '../../support/armScene.ts';
import { readGlb } from '../../support/gltf.ts';

const root = new Group();
const box = Object.assign(new Mesh(new BufferGeometry()), { name: 'box' });
box.geometry.morphAttributes['position'] = [0, 1].map(() => new Float32BufferAttribute(3, 3));
box.updateMorphTargets();
root.add(box);

const read = (tracks: KeyframeTrack[], of = root) => importedClip(new AnimationClip('clip', -1, tracks), importedScene(of), of);

/**
 * Compares a component of a track with a curve at 200 times, including times before the first and
 * after the last key.
 */
function expectSame(theirs: KeyframeTrack, ours: Track | undefined, component = 0, digits = 5): void {
  const { createInterpolant } = theirs as unknown as { createInterpolant: () => Interpolant };
  const interpolant = createInterpolant.call(theirs);
  const width = ours!.path === 'rotation' ? 4 : ours!.path === 'weight' ? 1 : 3;
  const cursor = new StackCursor({
    parts: [{ curve: { ...ours!, width }, component: 0 }],
    rest: Array.from({ length: width }, () => 0),
    isRotation: width === 4,
  });
  const value = new Float64Array(width);
  const [first, last] = [theirs.times[0]!, theirs.times.at(-1)!];
  for (let i = 0; i <= 200; i++) {
    const time = first - 0.1 + ((last - first + 0.2) * i) / 200;
    cursor.evaluate(Math.fround(time), value);
    const expected = interpolant.evaluate(Math.fround(time)) as ArrayLike<number>;
    for (let c = 0; c < width; c++) expect(value[c]!).toBeCloseTo(expected[component + c]!, digits);
  }
}

const TIMES = [0.1, 0.35, 0.4, 1.2, 2];
const PLACES = [0, 1, 2, 3, -1, 0, 2, 2, 2, -4, 0, 5, 1, 1, 1];

it('linear, stepped and smooth tracks', () => {
  for (const mode of [undefined, InterpolateDiscrete, InterpolateSmooth] as const) {
    const theirs = new VectorKeyframeTrack('box.position', TIMES, PLACES, mode);
    expectSame(theirs, read([theirs]).clip.tracks.get(0));
  }
});

it('smooth tracks with two keys and with one key', () => {
  for (const keys of [1, 2]) {
    const theirs = new VectorKeyframeTrack('box.scale', TIMES.slice(0, keys), PLACES.slice(0, 3 * keys), InterpolateSmooth);
    expectSame(theirs, read([theirs]).clip.tracks.get(0));
  }
});

it('smooth tracks of all morph targets', () => {
  const theirs = new NumberKeyframeTrack('box.morphTargetInfluences', TIMES, PLACES.slice(0, 10), InterpolateSmooth);
  const { clip: ours } = read([theirs]);
  expect(ours.tracks.length).toBe(2);
  for (const morph of [0, 1]) expectSame(theirs, ours.tracks.get(morph), morph);
});

it('Bézier tracks, a handle at the time of its key included', () => {
  const theirs = new VectorKeyframeTrack('box.position', TIMES, PLACES, InterpolateBezier);
  const handles = (side: number): Float32Array =>
    f32(...PLACES.flatMap((value, i) => [TIMES[Math.floor(i / 3)]! + side * (i === 4 ? 0 : 0.008 * ((i % 3) + 1)), value + Math.sin(i)]));
  Object.assign(theirs, { settings: { inTangents: handles(-1), outTangents: handles(1) } });
  expectSame(theirs, read([theirs]).clip.tracks.get(0), 0, 3);
});

it('Bézier tracks without handles are linear', () => {
  const theirs = new VectorKeyframeTrack('box.position', TIMES, PLACES, InterpolateBezier);
  expectSame(theirs, read([theirs]).clip.tracks.get(0));
});

it('rotations', () => {
  const turns = TIMES.flatMap((_, i) => [Math.sin(i), 0, 0, Math.cos(i)]);
  const theirs = new QuaternionKeyframeTrack('box.quaternion', TIMES, turns);
  expectSame(theirs, read([theirs]).clip.tracks.get(0));
});

it('cubic splines of GLTFLoader', async () => {
  const times = f32(0, 0.5, 1.5);
  const tangents = (width: number): Float32Array => Float32Array.from({ length: 6 * width }, (_, i) => Math.sin(i));
  const half = Math.SQRT1_2;
  const curved = clip(
    'curved',
    1.5,
    track({
      target: 'up/per',
      path: 'translation',
      times,
      values: f32(0, 1, 0, 0.2, 1.1, 0.4, 1, 1, 1),
      interpolation: 'hermite',
      tangents: tangents(3),
    }),
    track({
      target: 'up/per',
      path: 'rotation',
      times,
      values: f32(0, 0, 0, 1, 0, half, 0, half, 1, 0, 0, 0),
      interpolation: 'hermite',
      tangents: tangents(4),
    }),
  );
  const { files } = await convert([fileOf(armScene({ clips: [curved] }))], { to: 'glb' });
  const { scene, animations } = await readGlb(files[0]!.bytes);
  const theirs = animations[0]!.tracks;
  expect(theirs.map(({ name }) => name.split('.')[1])).toEqual(expect.arrayContaining(['position', 'quaternion']));
  for (const each of theirs) {
    expect(each.getInterpolation()).toBeUndefined();
    expectSame(each, importedClip(new AnimationClip('one', -1, [each]), importedScene(scene), scene).clip.tracks.get(0));
  }
});

it('reports tracks with a custom interpolant as lost', () => {
  const theirs = new VectorKeyframeTrack('box.position', TIMES, PLACES);
  Object.assign(theirs, { createInterpolant: () => new LinearInterpolant(theirs.times, theirs.values, 3) });
  const { clip: ours, lost } = read([theirs]);
  expect(ours.tracks.length).toBe(0);
  expect(lost).toEqual(['box.position']);
});
