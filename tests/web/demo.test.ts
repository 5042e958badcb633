// The committed demo is what its script makes. Needs the native build (`npm test` makes it first).
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error a plain script
import { decodePng, demoFolder, encodePng, makeDemo, tool } from '../tools/demo.mjs';

if (!existsSync(tool)) console.log('skipped: the demo is not compared, rigcast_demo is not built');

describe.skipIf(!existsSync(tool))('the demo', () => {
  let made: Record<string, Buffer>;
  beforeAll(() => {
    made = makeDemo() as Record<string, Buffer>;
  }, 60_000);

  it.each(['Pip.psk', 'Pip.psa'])('%s is made again byte by byte', name => {
    expect(readFileSync(join(demoFolder as string, name)).equals(made[name])).toBe(true);
  });

  it('Pip_D.png is painted again pixel by pixel', () => {
    const pixels = made['Pip_D.rgb'];
    expect((decodePng(readFileSync(join(demoFolder as string, 'Pip_D.png'))) as Buffer).equals(pixels)).toBe(true);
    expect((decodePng(encodePng(pixels)) as Buffer).equals(pixels)).toBe(true);
  });

  it('is small, fox and recording each', () => {
    const sizes = readdirSync(demoFolder as string).map(name => ({ name, size: statSync(join(demoFolder as string, name)).size }));
    const sum = (test: (name: string) => boolean): number => sizes.filter(({ name }) => test(name)).reduce((total, { size }) => total + size, 0);
    expect(sum(name => !name.endsWith('.bin'))).toBeLessThan(300_000);
    expect(sum(name => name.endsWith('.bin'))).toBeLessThan(150_000);
  });
});
