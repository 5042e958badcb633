// The built site: it keeps itself on the device, opens every format without a network, and asks nobody else for anything.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltSite, buildSite, root } from './builtSite.ts';

let built: BuiltSite;
let site: string;
let address: string;
let browser: Browser;

beforeAll(async () => {
  built = await buildSite();
  ({ folder: site, address, browser } = built);
}, 120_000);
afterAll(() => built?.close());

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

test('a newer site leaves open pages alone, and comes whole on the next visit', { timeout: 240_000 }, async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.message));
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  const [index, worker] = ['index.html', 'sw.js'].map(name => join(site, name));
  const [oldIndex, oldWorker] = [index!, worker!].map(file => readFileSync(file, 'utf8'));
  // What swings an avatar's hair has another name in the newer site, which has no more of the older one.
  const chunk = readdirSync(join(site, 'assets')).find(name => /^springs-.*\.js$/.test(name))!;
  const [from, to] = [join(site, 'assets', chunk), join(site, 'assets', `newer-${chunk}`)];
  try {
    renameSync(from, to);
    writeFileSync(index!, oldIndex!.replace('<head>', '<head><meta name="edition" content="newer" />'));
    writeFileSync(worker!, oldWorker!.replace('"rigcast-', '"rigcast-newer-').replace(chunk, `newer-${chunk}`));
    const isWaiting = (): Promise<boolean> =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null);
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())!.update()));
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
    await open(page, 'web/src/viewer/demo/Lotl.vgo');
    await page.locator('#panel-scene-tab').click();
    await page.getByLabel('Spring bones').waitFor();
    expect(problems).toEqual([]);
    await page.close();

    const next = await context.newPage();
    await expect
      .poll(
        async () => {
          await next.goto('about:blank'); // whoever only reloads stays with the older one
          await next.goto(address);
          return next.locator('meta[name=edition]').count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
  } finally {
    renameSync(to, from);
    writeFileSync(index!, oldIndex!);
    writeFileSync(worker!, oldWorker!);
    await context.close();
  }
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

  await built.stopServing();
  await context.setOffline(true);
  // The demo is not there, but nobody has asked for it.
  const missed = page.waitForEvent('requestfailed', request => request.url().includes('Pip'));
  await page.reload();
  await missed;
  await page.locator('.welcome').waitFor();
  expect(await page.locator('.trouble').isVisible()).toBe(false);
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
  const wasm = readdirSync(join(site, 'assets')).filter(name => /^(core|unreal)-.*\.wasm$/.test(name));
  const sizeOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(site, name))).length, 0);
  expect(named.length).toBeGreaterThan(1);
  expect(wasm).toHaveLength(2);
  // The page itself, half of it three.js; and with the core and what reads the demo, before the first model is read.
  expect(sizeOf(named)).toBeLessThan(270_000);
  expect(sizeOf([...named, ...wasm.map(name => `assets/${name}`)])).toBeLessThan(425_000);
});
