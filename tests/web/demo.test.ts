// Compares the committed demos with the output of their tools. Needs programs that
// `npm test` builds first.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error a plain script
import { decodePng, demoFolder, encodePng, makeDemo } from '../tools/demo.mjs';
import { demos } from '../../web/src/viewer/demos.ts';

const committed = readdirSync(demoFolder as string).filter(name => name !== 'README.md');
const isToolOutput = (name: string): boolean => name !== 'wavingHands.bin'; // compared by the recordings' own test

describe('the demos', () => {
  let files: Record<string, Buffer>;
  beforeAll(() => {
    files = makeDemo() as Record<string, Buffer>;
  }, 60_000);

  it('are exactly the files that the tools write', () => {
    expect(committed.filter(isToolOutput).sort()).toEqual(
      Object.keys(files)
        .map(name => name.replace('.rgb', '.png'))
        .sort(),
    );
  });

  it.each(committed.filter(name => isToolOutput(name) && !name.endsWith('.png')))('%s equals the output of its tool byte by byte', name => {
    expect(readFileSync(join(demoFolder as string, name)).equals(files[name]!)).toBe(true);
  });

  it.each(committed.filter(name => name.endsWith('.png')))('%s equals the output of its tool pixel by pixel', name => {
    const pixels = files[name.replace('.png', '.rgb')]!;
    expect((decodePng(readFileSync(join(demoFolder as string, name))) as Buffer).equals(pixels)).toBe(true);
    expect((decodePng(encodePng(pixels, name.replace('.png', '.rgb'))) as Buffer).equals(pixels)).toBe(true);
  });
});

describe('the list of demos', () => {
  it('lists exactly the files of the folder', () => {
    const named = demos.flatMap(({ model, animations = [], companions = [] }) => [model, ...animations, ...companions]);
    expect([...new Set(named.map(({ name }) => name))].sort()).toEqual([...committed].sort());
    for (const { name, address } of named) expect(address.pathname.endsWith(`/demo/${name}`)).toBe(true);
  });

  it('contains the size of each demo and a picture smaller than 6 kB', () => {
    for (const { id, model, animations = [], companions = [], size, picture } of demos) {
      const names = [model, ...animations, ...companions].map(({ name }) => name);
      expect([id, size]).toEqual([id, names.reduce((sum, name) => sum + statSync(join(demoFolder as string, name)).size, 0)]);
      expect(statSync(picture).size).toBeLessThan(6000);
    }
  });

  it('lists demos that are smaller than their size limits', () => {
    const sum = (test: (name: string) => boolean): number =>
      committed.filter(test).reduce((total, name) => total + statSync(join(demoFolder as string, name)).size, 0);
    expect(sum(name => name.startsWith('Pip'))).toBeLessThan(300_000);
    expect(sum(name => name.endsWith('.bin'))).toBeLessThan(150_000);
    expect(sum(name => name.endsWith('.vgo'))).toBeLessThan(153_600);
    expect(sum(name => name.endsWith('.cast') || name.startsWith('Tock_'))).toBeLessThan(300_000);
  });
});
