// Compares functions that are unrolled for speed with short reference implementations.
import { compose, multiply } from '../../../web/src/core/math/matrix.ts';
import { slerp } from '../../../web/src/core/math/quaternion.ts';
import { describe, expect, it } from 'vitest';
import type { BoundTrack } from '../../../web/src/core/bind.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { CurveCursor } from '../../../web/src/rig/curve.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { blend, CHANNEL_WIDTH, Pose, PoseShape } from '../../../web/src/rig/pose.ts';
import { seeded } from '../../../web/src/rig/random.ts';

const count = 40;
const random = seeded(7);
const fill = (width: number, value: () => number) => Float32Array.from({ length: width * count }, value);

/** A hierarchy of nodes and bones without meshes. */
const scene = {
  nodes: {
    length: count,
    names: Array.from({ length: count }, (_, i) => `node ${i}`),
    parents: Int32Array.from({ length: count }, (_, i) => Math.floor(random() * (i + 1)) - 1),
    bones: Int32Array.from({ length: count }, (_, i) => (i % 3 ? i : -1)),
    translations: fill(3, random),
    rotations: fill(4, () => random() - 0.5),
    scales: fill(3, () => random() + 0.5),
    visible: new Uint8Array(count).fill(1),
    segmentScaleCompensate: new Uint8Array(count),
  },
  meshes: [],
  renderers: [],
  scaleInheritance: 'matrix',
} as unknown as RigScene;

it('world matrices equal the product of parent and local matrix exactly', () => {
  const { pose, world } = new Animator(scene);
  world.update(pose);
  const local = new Float64Array(16);
  local[15] = 1;
  const expected = new Float64Array(16 * count);
  for (let row = 0; row < count; row++) {
    const parent = scene.nodes.parents[row]!;
    const [x, y, z] = pose.scales.subarray(3 * row);
    compose(local, pose.translations, 3 * row, pose.rotations, 4 * row, x!, y!, z!);
    if (parent < 0) expected.set(local, 16 * row);
    else multiply(expected, 16 * row, expected, 16 * parent, local);
  }
  expect(world.matrices).toEqual(expected);
});

const turn = (angle: number): number[] => [Math.sin(angle / 2) * 0.6, 0, Math.sin(angle / 2) * -0.8, Math.cos(angle / 2)];
const angles = [0, 1e-4, 0.01, 0.06, 0.0633, 0.1, 0.5, 0.9, 0.91, 1.5, 3, 3.14, 3.6, 6];

describe('a turn', () => {
  it.each(angles)('of %f is even', angle => {
    for (let u = 0; u <= 1; u += 1 / 16) {
      const between = [0, 0, 0, 0];
      slerp(between, 0, turn(0.3), 0, turn(0.3 + angle), 0, u);
      const expected = turn(0.3 + u * (angle > Math.PI ? angle - 2 * Math.PI : angle));
      for (let c = 0; c < 4; c++) expect(between[c], `${u}`).toBeCloseTo(expected[c]!, 6);
    }
  });

  it.each(angles.filter(angle => angle > 0.07))('of %f is as even as sines make it', angle => {
    const between = [0, 0, 0, 0];
    slerp(between, 0, turn(0.3), 0, turn(0.3 + angle), 0, 0.3);
    const expected = turn(0.3 + 0.3 * (angle > Math.PI ? angle - 2 * Math.PI : angle));
    for (let c = 0; c < 4; c++) expect(between[c]).toBeCloseTo(expected[c]!, 9);
  });
});

const numbersOf = ({ translations, rotations, scales }: Pose) => [...translations, ...rotations, ...scales];

it('curves with common key times give the same pose as separate curves', () => {
  const times = Float32Array.of(0, 1, 2);
  const tracks = Array.from({ length: count }, (_, node): BoundTrack[] => {
    const common = {
      node,
      renderers: [],
      morph: '',
      component: -1,
      mode: 'absolute',
      blendWeight: 1,
      times,
      before: 'hold',
      after: 'hold',
    } as const;
    const turns = [0, angles[node % angles.length]!, angles[(node * 5) % angles.length]!].flatMap(turn);
    return [
      { ...common, path: 'translation', values: Float32Array.from({ length: 9 }, random), interpolation: 'linear' },
      { ...common, path: 'rotation', values: Float32Array.from(turns), interpolation: 'slerp' },
      { ...common, path: 'scale', values: Float32Array.from({ length: 9 }, random), interpolation: 'step' },
    ];
  }).flat();
  const shape = new PoseShape(scene);
  for (const weight of [1, 0.4])
    for (const time of [-1, 0, 0.25, 1, 1.7, 2, 3]) {
      const animator = new Animator(shape);
      animator.layers.push(Object.assign(new Layer(shape, tracks), { time, weight }));
      const expected = new Pose(shape);
      const value = [0, 0, 0, 0];
      for (const track of tracks) {
        const channel = track.path as 'translation' | 'rotation' | 'scale';
        const width = CHANNEL_WIDTH[channel];
        new CurveCursor({ ...track, width }).evaluate(Math.fround(time), value, 0);
        blend(channel, expected.column(channel), width * track.node, value, 0, weight);
      }
      const wanted = numbersOf(expected);
      const off = Math.max(...numbersOf(animator.evaluate()).map((number, i) => Math.abs(number - wanted[i]!)));
      expect(off, `${weight} ${time}`).toBeLessThan(1e-7); // float32 keys are not exactly normalized
    }
});
