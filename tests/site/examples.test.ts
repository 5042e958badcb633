// The pages of web/examples, as `npm start` serves them: each opens without messages in the console
// and draws a model.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = readdirSync(`${root}/web/examples`)
  .filter(name => name.endsWith('.html') && name !== 'index.html')
  .map(name => name.replace('.html', ''));

let server: ViteDevServer;
let browser: Browser;
let address: string;
beforeAll(async () => {
  server = await createServer({ configFile: `${root}/vite.config.ts`, logLevel: 'error', server: { port: 0, hmr: false, watch: null } });
  await server.listen();
  address = server.resolvedUrls!.local[0]!;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Returns the share of pixels in the picture that differ from the background. */
async function drawnShare(page: Page): Promise<number> {
  const png = (await page.locator('main, .grid').first().screenshot()).toString('base64');
  return page.evaluate(async data => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) if ([0, 1, 2].some(c => Math.abs(pixels[i + c]! - pixels[c]!) > 24)) count++;
    return count / (pixels.length / 4);
  }, png);
}

const element = async (page: Page): Promise<void> =>
  void (await page.waitForSelector('rigcast-viewer:state(playing)', { timeout: 150_000 }));

/** Checks of a page in addition to its picture. */
const checks: Record<string, (page: Page) => Promise<void>> = {
  element,
  many: async page => {
    await page.waitForFunction(() => [...document.querySelectorAll('rigcast-viewer')].some(each => each.matches(':state(playing)')), null, {
      timeout: 150_000,
    });
    expect(await page.locator('rigcast-viewer').count()).toBe(12);
  },
  animations: async page => {
    expect(await page.locator('button').allTextContents()).toEqual(['Wave', 'Hop']);
    await page.getByText('Hop').click();
  },
  morphs: async page => {
    const slider = page.locator('input[name=Joy]');
    await slider.evaluate((input: HTMLInputElement) => {
      input.value = '1';
      input.dispatchEvent(new Event('input'));
    });
    expect(await page.locator('input').count()).toBeGreaterThan(8);
  },
  layers: async page => expect(await page.locator('input').inputValue()).toBe('1'),
  camera: async page => {
    await element(page);
    await page.getByText('Side', { exact: true }).click();
    expect(await page.locator('rigcast-viewer').getAttribute('camera-orbit')).toBe('90deg 80deg auto');
    await expect
      .poll(() => page.getByText('tail', { exact: true }).evaluate(label => label.getBoundingClientRect().width))
      .toBeGreaterThan(0);
  },
  materials: async page => void (await page.locator('select').selectOption('normals')),
  export: async page => {
    const link = page.locator('a[download]');
    await expect.poll(() => link.textContent(), { timeout: 60_000 }).toMatch(/Pip\.glb, \d+ KB/);
    const head = await link.evaluate(async (a: HTMLAnchorElement) => (await (await fetch(a.href)).text()).slice(0, 4));
    expect(head).toBe('glTF');
  },
  retarget: async page => void (await page.waitForSelector('canvas', { timeout: 60_000 })),
  hands: async page => {
    await expect.poll(() => page.locator('pre').textContent(), { timeout: 60_000 }).toMatch(/left: .* m\nright: .* m/);
    const first = await page.locator('pre').textContent();
    await expect.poll(() => page.locator('pre').textContent(), { timeout: 60_000 }).not.toBe(first);
  },
};

it('the index lists all ten examples, and each has a test', async () => {
  expect(names.toSorted()).toEqual(Object.keys(checks).toSorted());
  expect(names).toHaveLength(10);
  const page = await browser.newPage();
  await page.goto(`${address}examples/`);
  expect(await page.locator('li a').evaluateAll(links => links.map(link => link.getAttribute('href')))).toEqual(
    Object.keys(checks).map(name => `./${name}.html`),
  );
  await page.close();
});

it.each(names)('%s.html shows a model without errors', { timeout: 300_000 }, async name => {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  const trouble: string[] = [];
  page.on('pageerror', error => trouble.push(String(error)));
  page.on('console', message => message.type() === 'error' && trouble.push(`${message.text()} ${message.location().url}`));
  await page.route('**/favicon.ico', route => route.fulfill({ status: 204 }));
  await page.goto(`${address}examples/${name}.html`);
  await page.waitForSelector('canvas, rigcast-viewer', { timeout: 60_000 }).catch(error => {
    throw new Error(`${error}\n${trouble.join('\n')}`);
  });
  await checks[name]!(page);
  await expect.poll(() => drawnShare(page), { timeout: 60_000, interval: 500 }).toBeGreaterThan(0.01);
  const folder = process.env.EXAMPLE_PICTURES; // saves pictures for a review
  if (folder) {
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${folder}/${name}-dark.png` });
  }
  await page.close();
  expect(trouble).toEqual([]);
});
