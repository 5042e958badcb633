// Tests that the built site is cached for offline use, opens every format without a network, and
// sends requests to no other server.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/buildOnce.ts';
import { type BuiltSite, serveSite } from './builtSite.ts';

let built: BuiltSite;
let site: string;
let address: string;
let browser: Browser;

beforeAll(async () => {
  built = await serveSite();
  ({ folder: site, address, browser } = built);
}, 120_000);
afterAll(() => built?.close());

const titleOf = (page: Page): Promise<string | null> => page.locator('.title').textContent();

async function open(page: Page, ...files: string[]): Promise<void> {
  await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(files.map(file => join(root, file)));
  const name = files[0]!.split('/').at(-1)!;
  await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe(name);
}

/** Opens the site and waits until its scripts are cached. */
async function visited(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return page;
}

/**
 * Shares a file with this name like an operating system: posts a form to the URL in the manifest.
 * Returns the URL of the response.
 */
async function share(page: Page, name: string): Promise<string> {
  const { share_target: target } = (await (await page.request.get(`${address}manifest.webmanifest`)).json()) as {
    share_target: { action: string; method: string; params: { files: { name: string }[] } };
  };
  const bytes = readFileSync(join(root, 'web/src/viewer/demo/Pip.psk')).toString('base64');
  return page.evaluate(
    async ([action, method, field, text, file]) => {
      const form = new FormData();
      form.append(field!, new File([Uint8Array.from(atob(text!), letter => letter.charCodeAt(0))], file!));
      return (await fetch(action!, { method: method!, body: form })).url;
    },
    [target.action, target.method, target.params.files[0]!.name, bytes, name],
  );
}

test('files that another app shares are opened once', { timeout: 120_000 }, async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 740, height: 480 } });
  const page = await visited(context);
  const landed = await share(page, 'Größe 1.psk');
  const other = await share(page, 'other.psk');
  await page.goto(landed);
  await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe('Größe 1.psk');
  expect(page.url()).toBe(address);
  await page.goto(landed);
  await page.locator('.problem').waitFor({ timeout: 30_000 });
  await page.goto(other);
  await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe('other.psk');
  await context.close();
});

test('a form of another site opens no file without consent and replaces no shared file', { timeout: 120_000 }, async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 740, height: 480 } });
  const page = await visited(context);
  const waiting = await share(page, 'mine.psk');
  const form = `<form method="post" enctype="multipart/form-data" action="${address}share"><input type="file" name="files" /></form>
    <script>
      const files = new DataTransfer();
      files.items.add(new File(['forged'], 'forged.psk'));
      document.querySelector('input').files = files.files;
      document.querySelector('form').submit();
    </script>`;
  const stranger = createServer((request, response) => {
    const policy = request.url === '/hidden' ? '<meta name="referrer" content="no-referrer" />' : '';
    response.writeHead(200, { 'content-type': 'text/html' }).end(policy + form);
  });
  await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve));
  const strange = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  try {
    await page.goto(strange);
    await page.waitForURL(address);
    await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe('Demo: Pip the fox');
    // A form without an origin looks like the form of a system.
    await page.goto(`${strange}/hidden`);
    const dialog = page.locator('dialog.shared');
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('forged.psk');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe('Demo: Pip the fox');
    await page.goto(`${strange}/hidden`);
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await page.locator('.problem', { hasText: 'forged.psk' }).waitFor();
    await page.goto(waiting);
    await expect.poll(() => titleOf(page), { timeout: 30_000 }).toBe('mine.psk');
  } finally {
    await context.close();
    await new Promise(resolve => stranger.close(resolve));
  }
});

test('a new release does not change open pages, is offered to them, and is complete', { timeout: 240_000 }, async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 740, height: 480 } });
  const page = await visited(context);
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.message));
  const other = await visited(context);
  const bar = (of: Page): Locator => of.locator('.hint', { hasText: 'A new version of rigcast is available' });
  expect(await bar(page).count()).toBe(0);

  const [index, worker] = ['index.html', 'sw.js'].map(name => join(site, name));
  const [oldIndex, oldWorker] = [index!, worker!].map(file => readFileSync(file, 'utf8'));
  // In the new release the script with the spring bones has another name, and the old file is gone.
  const chunk = readdirSync(join(site, 'assets')).find(name => /^sceneModules-.*\.js$/.test(name))!;
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
    await page.locator('#panel-look-tab').click();
    await page.getByRole('heading', { name: 'Spring bones' }).waitFor();
    // After a reload the page still uses the old release and offers the update.
    for (const open of [page, other]) await bar(open).waitFor();
    await other.reload();
    await bar(other).waitFor();
    expect(await other.locator('meta[name=edition]').count()).toBe(0);
    await bar(other).getByRole('button', { name: 'Reload' }).click();
    await other.locator('meta[name=edition]').waitFor({ state: 'attached', timeout: 30_000 });
    expect(await bar(other).count()).toBe(0);
    // The other page keeps its content and its scripts, which the server no longer has.
    await bar(page).waitFor();
    expect(await titleOf(page)).toBe('Lotl.vgo');
    expect(await page.evaluate(name => fetch(`assets/${name}`).then(({ status }) => status), chunk)).toBe(200);
    expect(problems).toEqual([]);
    await page.close();
    await other.close();

    writeFileSync(index!, oldIndex!.replace('<head>', '<head><meta name="edition" content="newest" />'));
    writeFileSync(worker!, oldWorker!.replace('"rigcast-', '"rigcast-newest-').replace(chunk, `newer-${chunk}`));
    const next = await context.newPage();
    await expect
      .poll(
        async () => {
          await next.goto('about:blank'); // closes the last page of the old release
          await next.goto(address);
          return next.locator('meta[content=newest]').count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await expect
      .poll(() => next.evaluate(async () => (await caches.keys()).filter(name => name.startsWith('rigcast-')).length), { timeout: 30_000 })
      .toBe(1);
  } finally {
    renameSync(to, from);
    writeFileSync(index!, oldIndex!);
    writeFileSync(worker!, oldWorker!);
    await context.close();
  }
});

test('opens every format without a network after one visit', { timeout: 240_000 }, async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 740, height: 480 } });
  const page = await context.newPage();
  const externalRequests: string[] = [];
  const problems: string[] = [];
  page.on('request', request => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(blob|data):/.test(url)) externalRequests.push(url);
  });
  page.on('pageerror', error => problems.push(error.message));
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  await built.stopServing();
  await context.setOffline(true);
  // The demo is not available offline, because it was never opened.
  const missed = page.waitForEvent('requestfailed', request => request.url().includes('Pip'));
  await page.reload();
  await missed;
  await page.locator('.welcome').waitFor();
  expect(await page.locator('.problem').isVisible()).toBe(false);
  expect(await page.locator('.welcome .missing').textContent()).toBe(
    'The demo couldn’t be loaded because the server is unreachable. You can still open your own files.',
  );
  // No file is open: panels and timeline are hidden, and the buttons stay at the end of the header.
  expect(await page.locator('.transport, .side').filter({ visible: true }).count()).toBe(0);
  const nav = (await page.locator('header nav').boundingBox())!;
  expect(nav.x + nav.width).toBeGreaterThan(page.viewportSize()!.width - 40);
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
  // Modules that are imported when they are first used.
  await open(page, 'web/src/viewer/demo/Pip.psk');
  await page.locator('.viewport canvas').first().focus();
  for (const [key, part] of [
    ['z', '.fly-bar'],
    ['j', '.measuring'],
    ['?', 'dialog.help'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(part).waitFor();
  }
  expect([externalRequests, problems]).toEqual([[], []]);
  await context.close();
});

test('sends no Referer, and registers for the file types of rigcast', () => {
  expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('<meta name="referrer" content="no-referrer" />');
  const { file_handlers: handlers, share_target: target } = JSON.parse(readFileSync(join(site, 'manifest.webmanifest'), 'utf8')) as {
    file_handlers: { accept: Record<string, string[]> }[];
    share_target: { params: { files: { accept: string[] }[] } };
  };
  const offered = handlers.flatMap(({ accept }) => Object.values(accept).flat());
  const shared = target.params.files.flatMap(({ accept }) => accept);
  expect(
    ['.cast', '.psk', '.vgo', '.glb', '.vrm', '.fbx', '.bvh'].filter(each => !offered.includes(each) || !shared.includes(each)),
  ).toEqual([]);
  expect(['.bin', '.zip'].map(each => [offered.includes(each), shared.includes(each)])).toEqual([
    [false, true],
    [false, true],
  ]);
});

test('a first visit does not load modules that are rarely used', () => {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(match => match[1]!);
  const wasm = readdirSync(join(site, 'assets')).filter(name => /^unreal-.*\.wasm$/.test(name));
  const sizeOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(site, name))).length, 0);
  expect(named.length).toBeGreaterThan(1);
  expect(wasm).toHaveLength(1);
  // Scripts of the page, half of them three.js; then with the core and the reader of the demo.
  expect(sizeOf(named)).toBeLessThan(340_000);
  expect(sizeOf([...named, ...wasm.map(name => `assets/${name}`)])).toBeLessThan(430_000);
});
