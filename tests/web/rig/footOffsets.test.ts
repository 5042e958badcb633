// Compares the offsets of a foot with offsets that are calculated by hand.
import { expect, it } from 'vitest';
import { type FootMovement, footOffsets } from '../../../web/src/rig/footOffsets.ts';

/** A foot at 30 frames per second. `x`: its position; `missed`: x of the missed vector; `angle` about +Y. */
interface Frame {
  x: number;
  missed: number;
  angle?: number;
  weight?: number;
}

const movementOf = (frames: readonly Frame[]): FootMovement => ({
  goals: Float64Array.from(frames.flatMap(({ x }) => [x, 0, 0])),
  missed: Float64Array.from(frames.flatMap(({ missed }) => [missed, 0, 0])),
  headings: Float64Array.from(frames.flatMap(({ angle = 0 }) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)])),
  weights: Float64Array.from(frames, ({ weight = 1 }) => weight),
});
const offsetsOf = (frames: readonly Frame[], isLoop = false): number[][] => {
  const { offsets } = footOffsets(movementOf(frames), 1, { rate: 30, isLoop });
  return frames.map((_, i) => [...offsets.subarray(3 * i, 3 * i + 3)].map(value => Math.round(value * 1e6) / 1e6));
};
const repeat = (count: number, frame: (i: number) => Frame): Frame[] => Array.from({ length: count }, (_, i) => frame(i));
/** A foot that stands, moves by 1 in four frames, and stands again. */
const twoSteps = [
  ...repeat(6, i => ({ x: 0, missed: 0.01 * i })),
  ...repeat(3, i => ({ x: 0.25 * (i + 1), missed: 9 })),
  ...repeat(6, () => ({ x: 1, missed: 0.1 })),
];
const xOf = (offsets: number[][]): number[] => offsets.map(([x]) => x!);

it('the offset is the mean while the foot is planted, and changes gradually between steps', () => {
  const between = [0.25, 0.5, 0.75].map(t => 0.025 + 0.075 * t * t * (3 - 2 * t));
  const rounded = between.map(value => Math.round(value * 1e6) / 1e6);
  expect(xOf(offsetsOf(twoSteps))).toEqual([...Array<number>(6).fill(0.025), ...rounded, ...Array<number>(6).fill(0.1)]);
});

it('the offset turns with the foot between steps', () => {
  const angle = Math.PI / 2;
  const frames = [
    ...repeat(6, () => ({ x: 0, missed: 0.1 })),
    { x: 0.5, missed: 9, angle },
    ...repeat(6, () => ({ x: 1, missed: -0.1, angle: 2 * angle })),
  ];
  // Both steps have the same offset relative to the foot.
  expect(offsetsOf(frames).slice(5, 8)).toEqual([
    [0.1, 0, 0],
    [0, 0, -0.1],
    [-0.1, 0, 0],
  ]);
  const { isTurning } = footOffsets(movementOf(frames), 1, { rate: 30, isLoop: false });
  expect([...isTurning]).toEqual([...Array<number>(6).fill(0), 1, ...Array<number>(6).fill(0)]);
});

it('the offset is constant before the first step and after the last one', () => {
  const moving = (from: number) => repeat(4, i => ({ x: from + 0.25 * i, missed: 9 }));
  const offsets = xOf(offsetsOf([...moving(-1), ...repeat(6, () => ({ x: 0, missed: 0.2 })), ...moving(0.25)]));
  expect(offsets).toEqual(Array(14).fill(0.2));
});

it('a loop that ends in its first step has one offset in both parts', () => {
  const offsets = xOf(offsetsOf(twoSteps, true));
  expect(offsets[0]).toBeCloseTo(0.0625, 6);
  expect(offsets[14]).toBeCloseTo(0.0625, 6);
});

it('the offset of a loop changes from the last step to the first one across the end', () => {
  const frames = [...twoSteps, ...repeat(3, i => ({ x: 1 + 0.25 * (i + 1), missed: 9 }))];
  const offsets = xOf(offsetsOf(frames, true));
  expect(offsets.slice(15)).toEqual([0.088281, 0.0625, 0.036719]);
  expect(xOf(offsetsOf(frames)).slice(15)).toEqual([0.1, 0.1, 0.1]);
});

it('a foot that only reverses its direction is not planted', () => {
  const swing = repeat(60, i => ({ x: Math.cos((2 * Math.PI * i) / 30), missed: i === 0 ? 0.6 : 0 }));
  expect(xOf(offsetsOf(swing))).toEqual(Array(60).fill(0.01));
});

it('the offset of a foot that is never planted turns with the foot', () => {
  const frames = [
    { x: 0, missed: 0.1 },
    { x: 1, missed: 0, angle: Math.PI / 2 },
  ];
  // Half of the offset, because the second frame has none.
  expect(offsetsOf(frames)).toEqual([
    [0.05, 0, 0],
    [0, 0, -0.05],
  ]);
});

it('frames in the air count only if there are no others', () => {
  const frames = (weight: number): Frame[] => [
    { x: 0, missed: 0.1, weight },
    { x: 1, missed: 0.3, weight: 0 },
  ];
  expect(xOf(offsetsOf(frames(1)))).toEqual([0.1, 0.1]);
  expect(xOf(offsetsOf(frames(0)))).toEqual([0.2, 0.2]);
});
