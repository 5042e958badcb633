// What `npm run build` makes of the sources.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { compile } from '../../.ci/build.mjs';
import { inRoot } from '../../.ci/lib.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rigcast-build-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('leads from a module to its source, which the map has inside', async () => {
  await compile(folder);
  expect(readFileSync(join(folder, 'core/open.js'), 'utf8')).toMatch(/\n\/\/# sourceMappingURL=open\.js\.map\s*$/);
  const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, 'core/open.js.map'), 'utf8'));
  expect(sources).toEqual([expect.stringMatching(/core\/open\.ts$/)]);
  expect(sourcesContent).toEqual([readFileSync(inRoot('web/src/core/open.ts'), 'utf8')]);
});
