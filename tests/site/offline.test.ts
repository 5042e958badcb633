// The built site: it keeps itself on the device, opens every format without a network, and asks nobody else for anything.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

let site: string;
let server: Server;
let address: string;
let browser: Browser;

beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'rigcast-site-'));
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'error', build: { outDir: site, emptyOutDir: true } });
  server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://site').pathname;
    const file = join(site, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(site, { recursive: true, force: true });
});

const titleOf = (page: Page): Promise<string | null> => page.locator('.title').textContent();

async function open(page: Page, ...files: string[]): Promise<void> {
  await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(files.map(file => join(root, file)));
  const name = files[0]!.split('/').at(-1)!;
  await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe(name);
}

test('files that another app shares are opened once', { timeout: 120_000 }, async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const { share_target: target } = (await (await page.request.get(`${address}manifest.webmanifest`)).json()) as {
    share_target: { action: string; method: string; params: { files: { name: string }[] } };
  };
  const bytes = readFileSync(join(root, 'web/src/viewer/demo/Pip.psk')).toString('base64');
  // As the system does it: a form with the files goes to that address.
  const landed = await page.evaluate(
    async ([action, method, field, text]) => {
      const form = new FormData();
      form.append(field!, new File([Uint8Array.from(atob(text!), letter => letter.charCodeAt(0))], 'Größe 1.psk'));
      return (await fetch(action!, { method: method!, body: form })).url;
    },
    [target.action, target.method, target.params.files[0]!.name, bytes],
  );
  await page.goto(landed);
  await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe('Größe 1.psk');
  expect(page.url()).toBe(address);
  await page.goto(landed);
  await page.locator('.trouble').waitFor({ timeout: 30_000 });
  await context.close();
});

test('after one visit every format opens without a network', { timeout: 240_000 }, async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const strangers: string[] = [];
  const problems: string[] = [];
  page.on('request', request => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(blob|data):/.test(url)) strangers.push(url);
  });
  page.on('pageerror', error => problems.push(error.message));
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  server.closeAllConnections();
  await new Promise<void>(resolve => server.close(() => resolve()));
  await context.setOffline(true);
  await page.reload();
  await page.locator('.welcome').waitFor();
  for (const files of [
    ['web/src/viewer/demo/Pip.psk', 'web/src/viewer/demo/Pip.psa', 'web/src/viewer/demo/Pip_D.png'],
    ['web/src/viewer/demo/Tock.cast'],
    ['web/src/viewer/demo/Lotl.vgo'],
    ['web/src/viewer/demo/wavingHands.bin'],
    ...readdirSync(join(root, 'tests/data/se'))
      .filter(name => name.endsWith('.semodel'))
      .slice(0, 1)
      .map(name => [`tests/data/se/${name}`]),
  ])
    await open(page, ...files);
  expect([strangers, problems]).toEqual([[], []]);
  await context.close();
});

test('a first visit stays light: what is rarely used is fetched when it is used', () => {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(match => match[1]!);
  const wasm = readdirSync(join(site, 'assets')).filter(name => name.endsWith('.wasm'));
  const sizeOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(site, name))).length, 0);
  expect(named.length).toBeGreaterThan(1);
  // The page itself, half of it three.js; and with the core, before the first model is read.
  expect(sizeOf(named)).toBeLessThan(270_000);
  expect(sizeOf([...named, ...wasm.map(name => `assets/${name}`)])).toBeLessThan(425_000);
});
