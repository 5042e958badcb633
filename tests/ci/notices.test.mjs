// Tests the third-party notices: each package whose modules are bundled needs one. The folder of a
// module determines its package.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { billOf, librariesOf, noticesOf, packageFolder } from '../../.ci/notices.mjs';

describe('notices', () => {
  it.each([
    ['/a/node_modules/three/build/three.core.js', '/a/node_modules/three'],
    ['/a/node_modules/@noble/ciphers/aes.js', '/a/node_modules/@noble/ciphers'],
    ['/a/node_modules/x/node_modules/y/index.js', '/a/node_modules/x/node_modules/y'],
    ['\0/a/node_modules/y/index.js?commonjs', '/a/node_modules/y'],
    ['/a/web/src/core/open.ts', null],
  ])('%s is of %s', (id, folder) => expect(packageFolder(id)).toBe(folder));

  it('contain packages and compiled-in libraries with version and licence text', () => {
    const text = noticesOf(librariesOf(['/repo/own.ts', join(process.cwd(), 'node_modules/@noble/ciphers/aes.js')]));
    expect(text).toMatch(/^@noble\/ciphers [\d.]+ \(MIT\)\n-+\n\n[^]*?Copyright \(c\) 2022 Paul Miller/m);
    for (const name of ['RapidJSON', 'Emscripten', 'musl', 'LLVM Exceptions']) expect(text).toContain(name);
    expect(text).not.toContain('three ');
  });

  it('name the source code of each package, as the Mozilla Public License requires', () => {
    const folder = join(process.cwd(), 'node_modules/mediabunny');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = noticesOf(librariesOf([join(folder, 'dist/modules/src/index.js')]));
    const notice = text.slice(text.indexOf(`\nmediabunny ${version} (MPL-2.0)\n`));
    expect(notice).toContain(`\nSource code: https://www.npmjs.com/package/mediabunny/v/${version}\n`);
    expect(notice).toContain('Mozilla Public License Version 2.0');
  });

  it('reject a package without a licence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rigcast-notices-'));
    try {
      mkdirSync(join(folder, 'node_modules/bare'), { recursive: true });
      writeFileSync(join(folder, 'node_modules/bare/package.json'), '{ "name": "bare", "version": "1.0.0" }');
      expect(() => librariesOf([join(folder, 'node_modules/bare/index.js')])).toThrow('bare is bundled and has no licence file');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const inThree = name => join(process.cwd(), 'node_modules/three/examples/jsm/libs', name);

  it('contain each library inside three.js once', () => {
    const text = noticesOf(librariesOf([inThree('utif.module.js'), `${inThree('fflate.module.js')}?x`, inThree('fflate.module.js')]));
    for (const name of [
      'three ',
      'fflate (in three.js) (MIT)',
      'UTIF.js (in three.js) (MIT)',
      'JPEG decoder of PDF.js (in UTIF.js) (Apache-2.0)',
    ])
      expect(text.split(`\n${name}`)).toHaveLength(2);
    expect(text).toContain('Copyright (c) 2017 Photopea');
  });

  it('reject an unknown library inside three.js', () => {
    for (const name of ['unknown.module.js', 'draco/draco_decoder.js', 'constructor'])
      expect(() => librariesOf([inThree(name)])).toThrow(`libs/${name}, which is bundled`);
  });

  it('include a bill of materials', () => {
    const { bomFormat, specVersion, metadata, components } = JSON.parse(
      billOf(librariesOf([join(process.cwd(), 'node_modules/@noble/ciphers/aes.js'), inThree('fflate.module.js')])),
    );
    expect([bomFormat, specVersion, metadata.component.name]).toEqual(['CycloneDX', '1.5', 'rigcast']);
    const found = name => components.find(each => each.name === name);
    expect(found('@noble/ciphers')).toMatchObject({
      type: 'library',
      purl: expect.stringMatching(/^pkg:npm\/%40noble\/ciphers@[\d.]+$/),
      licenses: [{ license: { id: 'MIT' } }],
    });
    expect(found('three').version).toMatch(/^\d/);
    expect(found('fflate (in three.js)').purl).toBeUndefined();
    expect(found('libc++, libc++abi, compiler-rt (LLVM)').licenses).toEqual([{ expression: 'Apache-2.0 WITH LLVM-exception' }]);
    expect(new Set(components.map(each => each['bom-ref'])).size).toBe(components.length);
  });
});
