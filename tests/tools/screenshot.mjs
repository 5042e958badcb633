// npm run screenshot [NAME …]: takes screenshots of the viewer for the README, and of the demos for
// the tiles of the start page (`tiles`). Without names, takes all of them.
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const demos = `${root}web/src/viewer/demo/`;

/** Actions in the viewer before each screenshot. */
const PICTURES = {
  screenshot: async page => {
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowRight');
  },
  library: async page => {
    const files = readdirSync(demos).filter(name => !name.endsWith('.md') && !name.endsWith('.bin') && name !== 'Isle.cast');
    await page.setInputFiles(
      'input[type=file]:not([webkitdirectory])',
      files.map(name => demos + name),
    );
    await page.waitForFunction(() => document.querySelectorAll('.choice').length > 10);
    await page.click('#panel-files-tab');
    // Thumbnails are rendered one after another while playback is paused.
    await page.waitForFunction(() => document.querySelectorAll('.thumb').length > 10);
    for (const name of ['Lotl.vgo', 'Pip.psk', 'Mushroom.cast']) {
      await page.locator(`.files button[aria-label="Add ${name} to the scene"]`).click();
      await page.locator(`.files button[aria-pressed=true][aria-label="Add ${name} to the scene"]`).waitFor();
    }
    await page.evaluate(() => document.querySelector('.files').scrollTo(0, 0));
  },
  timeline: async page => {
    await page.keyboard.press('b');
    await page.click('#panel-details-tab');
    await page.fill('.inspect input[type=search]', 'forearm_r');
    await page.click('.leaf.bone');
    await page.focus('canvas');
    await page.keyboard.press('y');
    for (let i = 0; i < 14; i++) await page.locator('[aria-label^="Next frame"]').click();
  },
  avatar: async page => {
    await openDemo(page, 'Lotl');
    await page.click('#panel-look-tab');
    await page.waitForFunction(() => document.querySelectorAll('.tile img').length > 12);
    await page.click('.tile:nth-child(2)');
  },
  hands: async page => {
    await openDemo(page, 'hands');
    for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowRight');
  },
};

async function openDemo(page, name) {
  await page.click(`.demos button:has-text("${name}")`);
  await page.waitForFunction(wanted => document.querySelector('.title')?.textContent.includes(wanted), name);
}

/** Files of each demo. The first one is the model. */
const TILES = {
  pip: ['Pip.psk', 'Pip.psa', 'Pip_D.png'],
  tock: readdirSync(demos).filter(name => name.startsWith('Tock')),
  isle: ['Isle.cast', ...readdirSync(demos).filter(name => /\.cast$|^Tock/.test(name) && name !== 'Isle.cast')],
  lotl: ['Lotl.vgo'],
  hands: ['wavingHands.bin'],
};

/** Takes the pictures for the tiles with the element, because its background is transparent. */
async function makeTiles(browser, address) {
  const page = await browser.newPage({ viewport: { width: 480, height: 360 }, reducedMotion: 'reduce' });
  const blank = `${address}blank.html`;
  await page.route(blank, route => route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }));
  await page.goto(blank);
  for (const [id, files] of Object.entries(TILES)) {
    const base64 = await page.evaluate(
      async ([module, folder, [model, ...others]]) => {
        await import(module);
        const element = document.createElement('rigcast-viewer');
        element.style.cssText = 'display: block; width: 480px; height: 360px';
        for (const [name, value] of Object.entries({
          src: folder + model,
          files: others.map(name => folder + name).join(' '),
          loading: 'eager',
          time: '1.3',
        }))
          element.setAttribute(name, value);
        document.body.replaceChildren(element);
        await element.ready;
        await new Promise(resolve => setTimeout(resolve, 2000));
        const blob = await element.toBlob({ width: 200, height: 150, mime: 'image/webp', quality: 0.7 });
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(String.fromCharCode(...bytes));
      },
      [`${address}@fs/${root}web/src/element/index.ts`, `${address}demo/`, files],
    );
    writeFileSync(`${root}web/src/viewer/tiles/${id}.webp`, Buffer.from(base64, 'base64'));
  }
  await page.close();
}

const wanted = process.argv.slice(2);
const server = await createServer({ configFile: `${root}vite.config.ts`, server: { port: 0 }, logLevel: 'error' });
await server.listen();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const address = `http://127.0.0.1:${server.httpServer.address().port}/`;
  if (wanted.length === 0 || wanted.includes('tiles')) await makeTiles(browser, address);
  for (const [name, prepare] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    // With reduced motion, nothing plays automatically, so the screenshots are always the same.
    const page = await browser.newPage({
      viewport: name === 'screenshot' ? { width: 1000, height: 640 } : { width: 1100, height: 720 },
      colorScheme: name === 'hands' ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(180_000);
    await page.goto(address);
    await page.waitForFunction(() => document.querySelector('.title')?.textContent && document.querySelectorAll('.row').length > 1);
    await page.click('.welcome > button');
    await prepare(page);
    await page.waitForTimeout(3000);
    await page.screenshot({ path: `${root}${name === 'screenshot' ? 'web' : 'docs/pictures'}/${name}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
