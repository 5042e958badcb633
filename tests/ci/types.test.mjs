// Declarations in the package: all that its entries lead to, and nothing else.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pruneTypes, typesOf } from '../../.ci/types.mjs';

let folder;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'rigcast-types-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const write = files => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};

test('keeps declarations that an entry imports in any way, and deletes all others', () => {
  write({
    'index.d.ts': "export { a } from './a.ts';\nexport type * from './parts/b.js';",
    'a.d.ts': "export declare const a: import('./parts/c.ts').C;",
    'parts/b.d.ts': "import { D } from '../d.ts';\nimport './wasm/glue.mjs';",
    'parts/c.d.ts': "import * as index from '../index.ts';",
    'd.d.ts': "import type { Object3D } from 'three';",
    'index.js': '',
    'inner.d.ts': "import { a } from './a.ts';",
    'parts/inner.d.ts': '',
  });
  expect(pruneTypes(folder, [join(folder, 'index.d.ts')])).toEqual(['inner.d.ts', 'parts/inner.d.ts']);
  const left = readdirSync(folder, { recursive: true }).filter(name => /\.\w+$/.test(name));
  expect(left.sort()).toEqual(['a.d.ts', 'd.d.ts', 'index.d.ts', 'index.js', 'parts/b.d.ts', 'parts/c.d.ts']);
});

test('throws if an entry or an imported declaration is missing', () => {
  write({ 'index.d.ts': "export { a } from './gone.ts';" });
  expect(() => pruneTypes(folder, [join(folder, 'index.d.ts')])).toThrow('gone.d.ts: there are no such types');
});

test('returns all types in exports as entries', () => {
  const exported = {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './x': { browser: { types: './dist/x.d.ts' } },
    './y': './y.css',
  };
  expect(typesOf('/root', exported)).toEqual(['/root/dist/index.d.ts', '/root/dist/x.d.ts']);
});
