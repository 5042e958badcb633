// The download sizes of pages (.ci/size.mjs).
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lightEnough } from '../../.ci/browser.mjs';
import { weigh } from '../../.ci/size.mjs';

/** Writes files into a temporary folder that is removed after the test. Returns its path. */
function siteOf(files) {
  const site = mkdtempSync(join(tmpdir(), 'rigcast-size-'));
  onTestFinished(() => rmSync(site, { recursive: true }));
  mkdirSync(join(site, 'assets'));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(site, name), bytes);
  return site;
}

const address = name => `http://localhost/${name}`;

test('files of a first load are counted once, without models and scripts for the time after the first picture', () => {
  const files = {
    'index.html': 'page',
    'assets/show-a1.js': 'show',
    'assets/onPage-b2.js': 'late',
    'assets/OrbitControls-c3.js': 'drag',
    'hero.psk': 'model',
  };
  const site = siteOf(files);
  const { list, gzip, ...weight } = weigh(
    site,
    [
      '',
      'assets/show-a1.js',
      'assets/show-a1.js?again',
      'assets/onPage-b2.js',
      'assets/OrbitControls-c3.js',
      'hero.psk',
      'not-there.js',
    ].map(address),
  );
  expect(weight).toEqual({ files: 2, brotli: expect.any(Number) });
  expect(list).toMatch(/^\n\d+ \/index\.html\n\d+ \/assets\/show-a1\.js$/);
  expect([...list.matchAll(/\n(\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)).toBe(gzip);
});

test('a first load that exceeds its budget is refused with the files that it consists of', () => {
  const site = siteOf({ 'assets/show-a1.js': randomBytes(400_000) });
  const requests = [{ url: () => address('assets/show-a1.js') }];
  expect(() => lightEnough('element', site, requests)).toThrow(
    /^Too big: first load of embed\.html: .* budget 380\.0 KB\n\n\d+ \/assets\/show-a1\.js$/,
  );
});
