import { expect, test } from 'vitest';
import { animationFrames, turnSeconds, turntableFrames } from '../../../web/src/encode/frameTimes.ts';
import { gifDelay } from '../../../web/src/encode/gif.ts';

const times = (frames: readonly { time: number | null }[]): number[] => frames.map(({ time }) => Number(time?.toFixed(6)));
const whole = { from: 0, to: 1.6, speed: 1 };

test('an animation with 49 keys has 49 frames, from its first key to its last', () => {
  // The durations of files are rounded to 32 bits.
  for (const to of [48 / 30, Math.fround(48 / 30), 1.5999999]) {
    const frames = animationFrames({ ...whole, to }, 30);
    expect(frames).toHaveLength(49);
    expect(frames[0]).toEqual({ time: 0, turn: 0 });
    expect(frames[48]!.time).toBeCloseTo(1.6);
    expect(frames[7]!.time).toBe(7 / 30);
  }
});

test('another frame rate shows exact times within the animation', () => {
  const frames = animationFrames(whole, 24);
  expect(frames).toHaveLength(39);
  expect(frames[38]!.time).toBeCloseTo(38 / 24);
  expect(animationFrames({ from: 0.5, to: 0.5, speed: 1 }, 30)).toEqual([{ time: 0.5, turn: 0 }]);
});

test('a part is played at its speed, also backwards', () => {
  expect(times(animationFrames({ from: 1, to: 1.5, speed: 2 }, 8))).toEqual([1, 1.25, 1.5]);
  expect(times(animationFrames({ from: 1, to: 1.5, speed: -1 }, 4))).toEqual([1.5, 1.25, 1]);
});

test('a turntable ends one step before its first frame', () => {
  const frames = turntableFrames(2, 4, null);
  expect(frames.map(({ turn }) => turn / Math.PI)).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]);
  expect(frames.every(({ time }) => time === null)).toBe(true);
});

test('an animation loops during a turn, which takes a whole number of loops', () => {
  const part = { from: 1, to: 2, speed: 2 };
  expect(times(turntableFrames(1, 4, part))).toEqual([1, 1.5, 1, 1.5]);
  expect(turnSeconds(6, part)).toBe(6);
  expect(turnSeconds(6, whole)).toBeCloseTo(6.4);
  expect(turnSeconds(6, { ...whole, to: 10 })).toBe(10);
  expect(turnSeconds(6, null)).toBe(6);
  expect(times(turntableFrames(1, 2, { from: 1, to: 1, speed: 1 }))).toEqual([1, 1]);
});

test('the durations of GIF frames add up to the exact time', () => {
  const delays = Array.from({ length: 30 }, (_, i) => gifDelay(i, 30));
  expect(new Set(delays)).toEqual(new Set([3, 4]));
  expect(delays.reduce((sum, delay) => sum + delay)).toBe(100);
});
