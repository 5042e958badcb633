// Tests how tracks are converted to the lines of a plot.
import { describe, expect, it } from 'vitest';
import { type Plotted, plotOf } from '../../../web/src/viewer/inspect/curves.ts';

const plain = { component: -1, before: 'hold', after: 'hold', interpolation: 'linear' } as const;

function track(path: Plotted['path'], times: number[], values: number[], more: Partial<Plotted> = {}): Plotted {
  return { ...plain, path, times: new Float32Array(times), values: new Float32Array(values), ...more };
}

/** Returns a rotation around the y axis as a quaternion. `angle`: degrees. */
const around = (angle: number): number[] => [0, Math.sin((angle * Math.PI) / 360), 0, Math.cos((angle * Math.PI) / 360)];

describe('the plot of a track', () => {
  it('has a line per axis, with the keys on the line', () => {
    const plot = plotOf(track('translation', [0, 2], [0, 1, 2, 4, 1, -2]), 4, 9)!;
    expect([plot.unit, plot.low, plot.high]).toEqual(['m', -2, 4]);
    expect(plot.lines.map(({ axis }) => axis)).toEqual(['x', 'y', 'z']);
    expect([...plot.lines[0]!.values]).toEqual([0, 1, 2, 3, 4, 4, 4, 4, 4]);
    expect([...plot.lines[2]!.keys]).toEqual([2, -2]);
    expect(plot.at(1)).toEqual([2, 1, 0]);
  });

  it('keeps the steps of a stepped curve', () => {
    const { lines } = plotOf(track('weight', [0, 1], [0, 1], { interpolation: 'step' }), 1, 5)!;
    expect([...lines[0]!.values]).toEqual([0, 0, 0, 0, 1]);
    expect(lines[0]!.axis).toBe('');
  });

  it('shows rotations as angles that continue beyond 180° without a jump', () => {
    // Rotations around the x axis, because only this Euler angle reaches 180°.
    const keys = [0, 60, 120, 180, 240, 300].map(angle => [around(angle)[1]!, 0, 0, around(angle)[3]!]);
    const plot = plotOf(track('rotation', [0, 1, 2, 3, 4, 5], keys.flat(), { interpolation: 'slerp' }), 5, 51)!;
    expect(plot.unit).toBe('°');
    const [x] = plot.lines;
    for (const [i, value] of x!.values.entries()) expect(value).toBeCloseTo((i / 10) * 60, 2);
    for (const [i, value] of x!.keys.entries()) expect(value).toBeCloseTo(i * 60, 2);
    expect(plot.high).toBeCloseTo(300, 2);
  });

  it('has tangents per key and axis, except for quaternions', () => {
    const tangents = new Float32Array([1, 2, 3, 4]);
    const { lines } = plotOf(track('weight', [0, 1], [0, 1], { interpolation: 'hermite', tangents }), 1, 3)!;
    expect(lines[0]!.slopes).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const turned = track('rotation', [0], around(0), { interpolation: 'hermite', tangents: new Float32Array(8) });
    expect(plotOf(turned, 1, 2)!.lines[0]!.slopes).toBeUndefined();
  });

  it('is null without keys, and valid for a single key without duration', () => {
    expect(plotOf(track('weight', [], []), 1, 4)).toBeNull();
    const { lines, low, high } = plotOf(track('weight', [0], [0.5]), 0, 4)!;
    expect([[...lines[0]!.values], low, high]).toEqual([[0.5, 0.5, 0.5, 0.5], 0.5, 0.5]);
  });

  it('names a single axis', () => {
    expect(plotOf(track('translation', [0], [3], { component: 1 }), 1, 2)!.lines.map(({ axis }) => axis)).toEqual(['y']);
  });
});
