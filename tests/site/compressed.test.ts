// The built viewer opens compressed glTF under its content security policy and Trusted Types.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compressedGlb } from '../support/compressedGlb.ts';
import { serveSite } from './builtSite.ts';

test('a model with Draco is opened, without its KTX2 texture', { timeout: 240_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-compressed-'));
  writeFileSync(join(folder, 'square.glb'), compressedGlb());
  const site = await serveSite();
  try {
    const page = await site.browser.newPage({ viewport: { width: 740, height: 480 } });
    page.setDefaultTimeout(60_000);
    const problems: string[] = [];
    page.on('pageerror', error => problems.push(error.message));
    await page.goto(site.address);
    await page
      .getByRole('status')
      .filter({ hasText: /^Opened / })
      .waitFor({ state: 'attached' });
    await page.locator('input[type=file]').first().setInputFiles(join(folder, 'square.glb'));
    await page.getByRole('heading', { level: 1, name: 'square.glb' }).waitFor();
    await page.getByText('A texture has a format that cannot be displayed').first().waitFor({ state: 'attached' });
    if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], 'compressed.png') });
    expect(problems).toEqual([]);
    // Other scripts stay forbidden.
    const refused = await page.evaluate(() => {
      try {
        document.createElement('script').src = 'https://example.com/x.js';
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toBe(true);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
