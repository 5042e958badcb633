// Tests how the keys of several tracks are merged and searched.
import { describe, expect, it } from 'vitest';
import { changes, mergeKeys, nearestKey, neighbouringKey } from '../../../web/src/rig/keyTimes.ts';

type Track = Parameters<typeof mergeKeys>[0][number];

/** Returns a track with one number per key. */
function track(times: number[], values: number[], more: Partial<Track> = {}): Track {
  return {
    path: 'weight',
    component: -1,
    interpolation: 'linear',
    times: new Float32Array(times),
    values: new Float32Array(values),
    ...more,
  };
}

describe('merged keys', () => {
  it('are ascending, and keys at the same time count once', () => {
    const { times } = mergeKeys([track([0, 1, 2], [0, 0, 0]), track([0.5, 1.00005, 3], [0, 0, 0])]);
    expect([...times]).toEqual([0, 0.5, 1, 2, 3]);
  });

  it('mark the intervals in which no track changes', () => {
    const { held } = mergeKeys([track([0, 1, 2, 3], [5, 5, 7, 7])]);
    expect([...held]).toEqual([1, 0, 1, 0]);
    // The second track changes between 2 and 3.
    expect([...mergeKeys([track([0, 1, 2, 3], [5, 5, 7, 7]), track([0, 2, 3], [1, 1, 2])]).held]).toEqual([1, 0, 0, 0]);
  });

  it('include a change of any component', () => {
    const moved = track([0, 1], [0, 0, 0, 0, 0, 9], { path: 'translation' });
    expect([...mergeKeys([moved]).held]).toEqual([0, 0]);
  });

  it('mark a stepped track as held between its keys, because it changes only at keys', () => {
    expect([...mergeKeys([track([0, 1], [0, 1], { interpolation: 'step' })]).held]).toEqual([1, 0]);
  });

  it('include a curve that leaves its value between two equal keys', () => {
    const tangents = new Float32Array([0, 2, -2, 0]);
    expect([...mergeKeys([track([0, 1], [0, 0], { interpolation: 'hermite', tangents })]).held]).toEqual([0, 0]);
    expect([...mergeKeys([track([0, 1], [0, 0], { interpolation: 'hermite', tangents: new Float32Array(4) })]).held]).toEqual([1, 0]);
  });

  it('are empty without tracks', () => {
    expect(mergeKeys([]).times).toHaveLength(0);
  });
});

it('finds the nearest key, and the next and previous key', () => {
  const times = new Float32Array([0, 1, 4]);
  expect([-5, 0.4, 0.6, 2.4, 2.6, 9].map(time => nearestKey(times, time))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(nearestKey(new Float32Array(), 1)).toBe(-1);
  expect([0, 0.5, 1, 4].map(time => neighbouringKey(times, time, 1))).toEqual([1, 1, 4, null]);
  expect([0, 0.5, 1, 9].map(time => neighbouringKey(times, time, -1))).toEqual([null, 0, 0, 4]);
});

it('detects that a track changes', () => {
  expect(changes(track([0, 1, 2], [3, 3, 3]))).toBe(false);
  expect(changes(track([0, 1], [1, 2, 3, 1, 2, 4], { path: 'translation' }))).toBe(true);
});
