// The browser of the tests.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromiumPath } from '../../.ci/chromium.mjs';
import { inRoot } from '../../.ci/lib.mjs';

it('CHROMIUM_PATH selects another browser', () => {
  expect(chromiumPath({ CHROMIUM_PATH: '/opt/chrome' })).toBe('/opt/chrome');
});

const hasMesa = existsSync('/usr/bin/chromium') && existsSync('/usr/share/glvnd/egl_vendor.d/50_mesa.json');

it.skipIf(!hasMesa)('Chromium draws with the rasteriser of Mesa, if it is installed', async () => {
  expect(chromiumPath({})).toBe(inRoot('.ci/chromium'));
  const browser = await chromium.launch({ executablePath: chromiumPath({}), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const name = await page.evaluate(() => {
      const gl = document.createElement('canvas').getContext('webgl2');
      return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL);
    });
    expect(name).toContain('llvmpipe');
  } finally {
    await browser.close();
  }
});
