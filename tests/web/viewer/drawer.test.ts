// Tests the rows and the time axis of the drawer.
import { describe, expect, it } from 'vitest';
import type { BoundTrack } from '../../../web/src/core/bind.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { listedRows, type RowChoice, targetRows } from '../../../web/src/viewer/drawer/sheetRows.ts';
import { isZoomed, moved, revealed, timeAt, wholeAxis, xOf, zoomed } from '../../../web/src/viewer/drawer/timeAxis.ts';

describe('the time axis', () => {
  const axis = wholeAxis(1, 3, 224);

  it('has a margin of 12 pixels at both ends', () => {
    expect([1, 2, 3].map(time => xOf(axis, time))).toEqual([12, 112, 212]);
    expect([-50, 12, 112, 500].map(x => timeAt(axis, x))).toEqual([1, 1, 2, 3]);
  });

  it('zooms around a time that keeps its position', () => {
    const near = zoomed(axis, 0.5, 2.5);
    expect(near.to - near.from).toBeCloseTo(1);
    expect(xOf(near, 2.5)).toBeCloseTo(xOf(axis, 2.5));
    expect([isZoomed(axis), isZoomed(near)]).toEqual([false, true]);
    expect(zoomed(near, 100, 2)).toEqual(axis);
  });

  it('stays inside the animation when it moves', () => {
    const near = zoomed(axis, 0.5, 2);
    expect([moved(near, 9).to, moved(near, -9).from]).toEqual([3, 1]);
    expect(revealed(near, 2)).toBe(near);
    expect(revealed(near, 2.9).from).toBeLessThan(2.9);
    expect(revealed(near, 2.9).to).toBeGreaterThanOrEqual(2.9);
  });
});

describe('the rows', () => {
  // root → hips → (spine → head), leg; `helper` is not a bone.
  const nodes = {
    length: 6,
    names: ['root', 'hips', 'leg', 'spine', 'head', 'helper'],
    parents: Int32Array.of(-1, 0, 1, 1, 3, 0),
    bones: Int32Array.of(0, 1, 2, 3, 4, -1),
    properties: [],
  };
  const scene = { nodes } as unknown as RigScene;
  const track = (node: number, values: number[], morph = ''): BoundTrack =>
    ({
      node,
      morph,
      path: 'weight',
      component: -1,
      times: Float32Array.from(values.keys()),
      values: Float32Array.from(values),
    }) as BoundTrack;
  const rows = targetRows(scene, [track(3, [0, 1]), track(3, [2, 2]), track(4, [5, 5]), track(-1, [0, 1], 'smile')]);
  const choice: RowChoice = { filter: 'all', search: '', hasChannels: false, chosen: new Set() };
  const names = (more: Partial<RowChoice>): string[] => listedRows(rows, { ...choice, ...more }).map(({ name }) => name);

  it('list bones below their parents, then morph targets, without nodes that have no keys', () => {
    expect(names({})).toEqual(['root', 'hips', 'leg', 'spine', 'head', 'smile']);
    expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 2, 2, 3, 0]);
    expect(rows.find(({ name }) => name === 'spine')!.tracks).toHaveLength(2);
  });

  it('can be limited to those that move, that have keys, or that are chosen', () => {
    expect(names({ filter: 'moving' })).toEqual(['spine', 'smile']);
    expect(names({ filter: 'keyed' })).toEqual(['spine', 'head', 'smile']);
    expect(names({ filter: 'chosen', chosen: new Set(['node 1']) })).toEqual(['hips']);
    expect(names({ search: 'HE' })).toEqual(['head']);
  });

  it('list all rows with keys if none of them moves', () => {
    const still = targetRows(scene, [track(4, [5, 5])]);
    expect(listedRows(still, { ...choice, filter: 'moving' }).map(({ name }) => name)).toEqual(['head']);
  });

  it('have a row per channel if there are several', () => {
    const listed = listedRows(rows, { ...choice, filter: 'keyed', hasChannels: true });
    expect(listed.map(({ name, channel }) => name || channel!.path)).toEqual(['spine', 'weight', 'weight', 'head', 'smile']);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(5);
  });
});
