// The ZIP file with embed.html depends only on its files, and the page has the values of its copy.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { embedPage, zipOf } from '../../.ci/embed.mjs';
import { inRoot } from '../../.ci/lib.mjs';

const bytes = text => new TextEncoder().encode(text);
const files = { 'b/two.js': bytes('two'), 'a.html': bytes('one') };

it('the ZIP file is the same in every time zone and for every order of the files', async () => {
  const zip = await zipOf(files);
  expect(Object.keys(unzipSync(zip))).toEqual(['a.html', 'b/two.js']);
  const code = `
    import { zipOf } from ${JSON.stringify(`file://${inRoot('.ci/embed.mjs')}`)};
    const bytes = text => new TextEncoder().encode(text);
    process.stdout.write(await zipOf({ 'a.html': bytes('one'), 'b/two.js': bytes('two') }));`;
  const hash = data => createHash('sha256').update(data).digest('hex');
  for (const TZ of ['Asia/Tokyo', 'America/Los_Angeles']) {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...process.env, TZ },
      encoding: 'buffer',
    });
    expect(hash(stdout)).toBe(hash(zip));
  }
});

it('embed.html has a content security policy, previews, and the folders and origins of its copy', () => {
  const page = embedPage({ roots: './ https:', parents: '*' });
  expect(page).toContain('<meta name="rigcast-root" content="./ https:" />');
  expect(page).toContain('<meta name="rigcast-parents" content="*" />');
  expect(page).toContain('<script type="module" src="./browser/embed.js"></script>');
  expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<link'));
  expect(page).toMatch(/script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:;/);
  expect(page).toContain('<meta property="og:title" content="3D model" />');
  // Without choices, the page reads only its own folder, and only its own origin may control it.
  expect(embedPage()).toContain('name="rigcast-root" content="./"');
  expect(embedPage()).toContain('name="rigcast-parents" content=""');
});
