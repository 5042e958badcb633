// Poses of recorded hands over time, and their table.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { handCsv, handCurves } from '../../../web/src/view/handCurves.ts';
import { handSpans } from '../../../web/src/view/spans.ts';

const bytes = readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url));
const scene = (await open(bytes, { name: 'wavingHands.bin', worker: false })).scene!;
const clip = scene.clips[0]!;
const curves = handCurves(scene, clip);

it('are sampled at the frames of the recording, and are null while a hand is not tracked', () => {
  expect(curves.map(({ handedness }) => handedness)).toEqual(['left', 'right']);
  for (const [row, { times, poses, pinching }] of curves.entries()) {
    const { tracked, pinching: pinches } = handSpans(clip)[row]!;
    expect([times[0], times.at(-1)]).toEqual([0, expect.closeTo(clip.duration, 5)]);
    const isIn = (spans: typeof tracked, time: number): boolean => spans.some(({ from, to }) => time >= from + 0.01 && time < to - 0.01);
    for (const [at, time] of times.entries()) {
      if (isIn(tracked, time)) expect(poses[at], `${time} s`).not.toBeNull();
      if (isIn(pinches, time)) expect(pinching[at], `${time} s`).toBe(1);
    }
    expect(poses.filter(pose => pose === null).length > 0).toBe(tracked.length !== 1 || tracked[0]!.from > 0);
  }
});

it('contain a strong pinch while the device reports one, and bends of up to 180°', () => {
  const right = curves[1]!;
  const strengths = right.poses.flatMap((pose, at) => (pose && right.pinching[at] ? [pose.pinch] : []));
  expect(Math.max(...strengths)).toBeGreaterThan(0.5);
  for (const pose of right.poses)
    for (const angles of pose?.flexion ?? []) for (const angle of angles) if (angle !== null) expect(angle >= 0 && angle <= 180).toBe(true);
});

it('are written as CSV, one row per time and hand', () => {
  const [head, ...rows] = handCsv(curves).trim().split('\n');
  expect(head).toMatch(/^time_s,hand,tracked,pinching,pinch_strength,gap_mm,thumb_knuckle_deg,thumb_end_deg,index_knuckle_deg,/);
  expect(rows.length).toBe(2 * curves[0]!.times.length);
  expect(new Set(rows.map(row => row.split(',').length))).toEqual(new Set([head!.split(',').length]));
  const lost = rows.find(row => row.split(',')[2] === '0')!;
  expect(
    lost
      .split(',')
      .slice(4)
      .every(value => value === ''),
  ).toBe(true);
  const seen = rows.find(row => row.split(',')[2] === '1')!.split(',');
  expect(Number(seen[4])).toBeLessThanOrEqual(1);
});
