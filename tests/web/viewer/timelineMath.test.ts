// Tests the calculations for the timeline.
import { expect, test } from 'vitest';
import type { BoundTrack } from '../../../web/src/core/bind.ts';
import { clusters, keyDensity, nextIn, niceStep } from '../../../web/src/viewer/timeline/timelineMath.ts';

const track = (node: number, times: Float32Array): BoundTrack => ({ node, times }) as BoundTrack;

test('rounds ruler steps to 1, 2 or 5 times a power of ten', () => {
  expect([0.7, 1, 1.1, 2, 3, 5, 6, 0.03, 40].map(niceStep)).toEqual([1, 1, 2, 2, 5, 5, 10, 0.05, 50]);
});

test('counts keys per interval, for one bone on request, and ignores keys outside', () => {
  const shared = Float32Array.of(0, 0.5, 1);
  const tracks = [track(0, shared), track(1, shared), track(1, Float32Array.of(-1, 0.26, 7))];
  expect([...keyDensity(tracks, { start: 0, end: 1 }, 4)]).toEqual([2, 1, 2, 2]);
  expect([...keyDensity(tracks, { start: 0, end: 1 }, 4, 1)]).toEqual([1, 1, 1, 1]);
  expect([...keyDensity(tracks, { start: 0, end: 0 }, 2)]).toEqual([0, 0]);
});

test('groups thousands of events into clusters without losing one, and steps through a cluster', () => {
  const events = Array.from({ length: 5000 }, (_, i) => ({ time: i / 500, name: `step ${i}` }));
  const found = clusters(events, 0.1);
  expect(found.length).toBeLessThanOrEqual(101);
  expect(found.flatMap(cluster => cluster.events)).toEqual(events);
  expect(found.every(({ from, to }) => to - from < 0.1)).toBe(true);
  const cluster = clusters(events.slice(0, 3), 1)[0]!;
  expect([-1, 0, 0.002, 0.004].map(time => nextIn(cluster, time).name)).toEqual(['step 0', 'step 1', 'step 2', 'step 0']);
  expect(clusters([events[0]!, events[4000]!], 0.1).map(one => one.events.length)).toEqual([1, 1]);
});
