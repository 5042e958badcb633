// Serves the built viewer and opens a browser, for the tools in this folder.
import { resolve } from 'node:path';
import { chromium } from 'playwright';
import { preview } from 'vite';

/**
 * Opens a page without an address. `site`: folder of the built viewer. `options`: options of
 * `newPage` of Playwright. Returns the page, the address of the viewer, and a function that ends
 * server and browser.
 */
export async function openSite(site, options) {
  const server = await preview({
    root: resolve(site, '..'),
    build: { outDir: resolve(site) },
    preview: { port: 0, host: '127.0.0.1' },
    logLevel: 'error',
  });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  return {
    page: await browser.newPage(options),
    address: server.resolvedUrls.local[0],
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
