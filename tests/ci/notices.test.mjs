// Notices of others: of whatever a bundle takes, by the folders of its modules.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noticesOf, packageFolder } from '../../.ci/notices.mjs';

describe('notices', () => {
  it.each([
    ['/a/node_modules/three/build/three.core.js', '/a/node_modules/three'],
    ['/a/node_modules/@noble/ciphers/aes.js', '/a/node_modules/@noble/ciphers'],
    ['/a/node_modules/x/node_modules/y/index.js', '/a/node_modules/x/node_modules/y'],
    ['\0/a/node_modules/y/index.js?commonjs', '/a/node_modules/y'],
    ['/a/web/src/core/open.ts', null],
  ])('%s is of %s', (id, folder) => expect(packageFolder(id)).toBe(folder));

  it('name a package with its version and the words of its licence, and what is compiled in', () => {
    const text = noticesOf(['/repo/own.ts', join(process.cwd(), 'node_modules/@noble/ciphers/aes.js')]);
    expect(text).toMatch(/^@noble\/ciphers [\d.]+ \(MIT\)\n-+\n\n[^]*?Copyright \(c\) 2022 Paul Miller/m);
    for (const name of ['RapidJSON', 'Emscripten', 'musl', 'LLVM Exceptions']) expect(text).toContain(name);
    expect(text).not.toContain('three ');
  });

  it('do not pass over a package without a licence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rigcast-notices-'));
    try {
      mkdirSync(join(folder, 'node_modules/bare'), { recursive: true });
      writeFileSync(join(folder, 'node_modules/bare/package.json'), '{ "name": "bare", "version": "1.0.0" }');
      expect(() => noticesOf([join(folder, 'node_modules/bare/index.js')])).toThrow('bare is bundled and has no licence file');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
