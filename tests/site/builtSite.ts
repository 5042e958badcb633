// Builds the site, serves it like a web server, and opens it in Chromium.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { build } from 'vite';
import { buildOnce, root } from '../support/buildOnce.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

export interface BuiltSite {
  /** URL of the site, with a trailing slash. */
  address: string;
  folder: string;
  browser: Browser;
  /** Stops the server and closes its open connections. */
  stopServing(): Promise<void>;
  close(): Promise<void>;
}

/** Builds the site and serves a copy. `others`: additional files, by path. */
export async function serveSite(others: Readonly<Record<string, Uint8Array>> = {}): Promise<BuiltSite> {
  const inputs = [
    'web/src',
    'docs/findings.md',
    'package-lock.json',
    '.ci/findings.mjs',
    '.ci/policy.mjs',
    'vite.config.ts',
    'vite.offline.ts',
  ];
  const built = await buildOnce('site', inputs, to =>
    build({ configFile: join(root, 'vite.config.ts'), logLevel: 'error', build: { outDir: to, emptyOutDir: true } }),
  );
  // Tests change the files, so they get a copy.
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-site-'));
  cpSync(built, folder, { recursive: true });
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://site').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const body = others[path.slice(1)] ?? (existsSync(file) ? readFileSync(file) : null);
    if (!body) return response.writeHead(404).end();
    // HTML is cached for ten minutes, as on most hosts.
    const age = file.endsWith('.html') ? { 'cache-control': 'max-age=600' } : {};
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...age }).end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const stopServing = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise(resolve => server.close(() => resolve()));
  };
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    folder,
    browser,
    stopServing,
    close: async () => {
      await browser.close();
      await stopServing();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
