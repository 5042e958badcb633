// Tests the keys that are added within large rotations. Programs that interpolate along the arc and
// programs that interpolate linearly show the same rotations.
import { Quaternion, QuaternionLinearInterpolant } from 'three';
import { expect, it } from 'vitest';
import type { Encoded } from '../../../web/src/convert/gltf/exact.ts';
import { withShortArcs } from '../../../web/src/convert/gltf/shortArcs.ts';

const turn = (degrees: number): number[] =>
  new Quaternion().setFromAxisAngle({ x: 0.6, y: 0, z: 0.8 }, (degrees * Math.PI) / 180).toArray();
const curve = (times: number[], degrees: number[]): Encoded => ({
  interpolation: 'LINEAR',
  times: Float32Array.from(times),
  values: Float32Array.from(degrees.flatMap(turn)),
});

/**
 * Returns the angle at a time in degrees, as a reader calculates it that interpolates quaternions
 * linearly.
 */
function straight({ times, values }: { times: Float32Array; values: Float32Array }, time: number): number {
  const k = Math.max(
    times.findLastIndex(key => key <= time),
    0,
  );
  const last = Math.min(k + 1, times.length - 1);
  const u = last > k ? (time - times[k]!) / (times[last]! - times[k]!) : 0;
  const [x, y, z, w] = [0, 1, 2, 3].map(c => values[4 * k + c]! * (1 - u) + values[4 * last + c]! * u) as [number, number, number, number];
  return (2 * Math.atan2(Math.hypot(x, y, z), w) * 180) / Math.PI;
}

it('linear interpolation is within 0.01° of the arc, and the arc is unchanged', () => {
  const before = curve([0, 1, 1.5], [0, 170, 10]);
  const after = withShortArcs(before);
  expect(Math.abs(straight(before, 0.25) - 42.5)).toBeGreaterThan(1);
  const arc = (made: Encoded) => new QuaternionLinearInterpolant(made.times, made.values, 4);
  for (let time = 0; time <= 1.5; time += 0.013) {
    const meant = time <= 1 ? 170 * time : 170 - 320 * (time - 1);
    expect(straight(after, time), String(time)).toBeCloseTo(meant, 1.9);
    const [was, is] = [arc(before), arc(after)].map(reader => new Quaternion(...(reader.evaluate(time) as Float32Array)));
    expect(was!.angleTo(is!), String(time)).toBeLessThan(1e-3);
  }
});

it('keeps the keys of a curve and adds keys to large rotations only', () => {
  const before = curve([0, 0.1, 0.2, 0.3], [0, 14, 60, 61]);
  const { times, values } = withShortArcs(before);
  expect([...times]).toEqual(
    [0, 0.1, expect.any(Number), expect.any(Number), expect.any(Number), 0.2, 0.3].map(time =>
      typeof time === 'number' ? Math.fround(time) : time,
    ),
  );
  expect([...values.subarray(20, 24)]).toEqual([...before.values.subarray(8, 12)]);
  const near = curve([0, 0.1], [0, 14]);
  expect(withShortArcs(near)).toBe(near);
  const jump = curve([0, 0.0001], [0, 90]);
  expect(withShortArcs(jump)).toBe(jump);
});
