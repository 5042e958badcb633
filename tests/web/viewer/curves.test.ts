// Tests how tracks are converted to lines, and lines to bands.
import { Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import type { BoundTrack } from '../../../web/src/core/bind.ts';
import { bandsOf, MAX_TRACKS } from '../../../web/src/viewer/drawer/curveBands.ts';
import { type Plotted, plotOf, valueText } from '../../../web/src/viewer/drawer/curves.ts';
import type { SheetRow } from '../../../web/src/viewer/drawer/sheetRows.ts';
import { wholeAxis } from '../../../web/src/viewer/drawer/timeAxis.ts';

const plain = { component: -1, before: 'hold', after: 'hold', interpolation: 'linear' } as const;

function track(path: Plotted['path'], times: number[], values: number[], more: Partial<Plotted> = {}): Plotted {
  return { ...plain, path, times: new Float32Array(times), values: new Float32Array(values), ...more };
}

/** Returns a rotation around the y axis as a quaternion. `angle`: degrees. */
const around = (angle: number): number[] => [0, Math.sin((angle * Math.PI) / 360), 0, Math.cos((angle * Math.PI) / 360)];

describe('the plot of a track', () => {
  it('has a line per axis, with the keys on the line', () => {
    const plot = plotOf(track('translation', [0, 2], [0, 1, 2, 4, 1, -2]), { from: 0, to: 4 }, 9)!;
    expect([plot.unit, plot.low, plot.high]).toEqual(['m', -2, 4]);
    expect(plot.lines.map(({ axis }) => axis)).toEqual(['x', 'y', 'z']);
    expect([...plot.lines[0]!.values]).toEqual([0, 1, 2, 3, 4, 4, 4, 4, 4]);
    expect([...plot.lines[2]!.keys]).toEqual([2, -2]);
    expect(plot.at(1)).toEqual([2, 1, 0]);
  });

  it('keeps the steps of a stepped curve', () => {
    const { lines } = plotOf(track('weight', [0, 1], [0, 1], { interpolation: 'step' }), { from: 0, to: 1 }, 5)!;
    expect([...lines[0]!.values]).toEqual([0, 0, 0, 0, 1]);
    expect(lines[0]!.axis).toBe('');
  });

  it('shows rotations as angles that continue beyond 180° without a jump', () => {
    // Rotations around the x axis, because only this Euler angle reaches 180°.
    const keys = [0, 60, 120, 180, 240, 300].map(angle => [around(angle)[1]!, 0, 0, around(angle)[3]!]);
    const plot = plotOf(track('rotation', [0, 1, 2, 3, 4, 5], keys.flat(), { interpolation: 'slerp' }), { from: 0, to: 5 }, 51)!;
    expect(plot.unit).toBe('°');
    const [x] = plot.lines;
    for (const [i, value] of x!.values.entries()) expect(value).toBeCloseTo((i / 10) * 60, 2);
    for (const [i, value] of x!.keys.entries()) expect(value).toBeCloseTo(i * 60, 2);
    expect(plot.high).toBeCloseTo(300, 2);
  });

  it('has tangents per key and axis, except for quaternions', () => {
    const tangents = new Float32Array([1, 2, 3, 4]);
    const { lines } = plotOf(track('weight', [0, 1], [0, 1], { interpolation: 'hermite', tangents }), { from: 0, to: 1 }, 3)!;
    expect(lines[0]!.slopes).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const turned = track('rotation', [0], around(0), { interpolation: 'hermite', tangents: new Float32Array(8) });
    expect(plotOf(turned, { from: 0, to: 1 }, 2)!.lines[0]!.slopes).toBeUndefined();
  });

  it('has the keys of a rotation on its lines, even if the Euler angles jump between them', () => {
    const keys = [
      [-0.4, -0.77, 0.4, -0.29],
      [0.23, 0.44, 0.84, -0.23],
      [-0.39, 0.75, 0.35, 0.4],
      [0.25, -0.7, 0.22, 0.63],
    ].flatMap(([x, y, z, w]) => new Quaternion(x, y, z, w).normalize().toArray());
    const plot = plotOf(track('rotation', [0, 1, 2, 3], keys, { interpolation: 'slerp' }), { from: 0, to: 3 }, 301)!;
    for (const line of plot.lines) for (const [k, value] of line.keys.entries()) expect(value).toBeCloseTo(line.values[k * 100]!, 1);
  });

  it('shows a part of the track with the angles that the whole track has there', () => {
    const keys = [0, 60, 120, 180, 240, 300].map(angle => [around(angle)[1]!, 0, 0, around(angle)[3]!]);
    const plot = plotOf(track('rotation', [0, 1, 2, 3, 4, 5], keys.flat(), { interpolation: 'slerp' }), { from: 3.5, to: 4.5 }, 11)!;
    expect([...plot.keyTimes]).toEqual([4]);
    expect(plot.lines[0]!.keys[0]).toBeCloseTo(240, 2);
    expect(plot.high).toBeCloseTo(270, 2);
    expect(plot.lines[0]!.values[0]).toBeCloseTo(210, 2);
    expect(plot.at(4.25)[0]).toBeCloseTo(255, 2);
  });

  it('is null without keys, and valid for a single key without duration', () => {
    expect(plotOf(track('weight', [], []), { from: 0, to: 1 }, 4)).toBeNull();
    const { lines, low, high } = plotOf(track('weight', [0], [0.5]), { from: 0, to: 0 }, 4)!;
    expect([[...lines[0]!.values], low, high]).toEqual([[0.5, 0.5, 0.5, 0.5], 0.5, 0.5]);
  });

  it('names a single axis', () => {
    expect(plotOf(track('translation', [0], [3], { component: 1 }), { from: 0, to: 1 }, 2)!.lines.map(({ axis }) => axis)).toEqual(['y']);
  });
});

describe('the bands of the chosen rows', () => {
  const bound = (path: Plotted['path'], values: number[]): BoundTrack =>
    ({ ...track(path, [0, 1], values), node: 0, mode: 'absolute', blendWeight: 1 }) as unknown as BoundTrack;
  const row = (id: string, ...tracks: BoundTrack[]): SheetRow => ({ id, node: 0, name: id, channel: null, depth: 0, tracks });
  const axis = wholeAxis(0, 1, 200);
  const moved = bound('translation', [0, 0, 0, 1, 0, 0]);
  const scaled = bound('scale', [1, 1, 1, 2, 1, 1]);
  const weighted = bound('weight', [0, 1]);
  const channels = new Set(['translation', 'rotation', 'scale']);

  it('has one band per channel, which contains the curves of all rows and of the compared animation', () => {
    const other = bound('translation', [0, 0, 0, 3, 0, 0]);
    const compared = new Map([['a', row('a', other)]]);
    const { bands } = bandsOf({ rows: [row('a', weighted, scaled, moved), row('b', moved)], compared, channels }, axis);
    expect(bands.map(({ path, unit, curves }) => [path, unit, curves.length])).toEqual([
      ['translation', 'm', 3],
      ['scale', '', 1],
      ['weight', '', 1],
    ]);
    expect(bands[0]!.high).toBe(3);
    expect(bands[0]!.curves.map(({ row: { id }, isCompared }) => [id, isCompared])).toEqual([
      ['a', false],
      ['a', true],
      ['b', false],
    ]);
  });

  it('omits hidden channels of bones, and curves beyond the maximum', () => {
    const rows = Array.from({ length: 70 }, (_, i) => row(String(i), bound('scale', [1, 1, 1, 2, 1, 1]), moved));
    const { bands, hiddenTracks } = bandsOf({ rows, compared: new Map(), channels: new Set(['scale']) }, axis);
    expect([bands.map(({ path, curves }) => [path, curves.length]), hiddenTracks]).toEqual([[['scale', MAX_TRACKS]], 70 - MAX_TRACKS]);
  });

  it('shows units with values', () => {
    expect([valueText(-0.12345, 'm'), valueText(12.34, '°'), valueText(1, '')]).toEqual(['−0.1235 m', '12.3°', '1.000']);
    expect(valueText(-0.04, '°')).toBe('0.0°');
  });
});
