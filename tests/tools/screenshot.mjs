// npm run screenshot: the README's picture, taken of the real viewer with its demo. `node tests/tools/screenshot.mjs [FILE] [light|dark] [WIDTHxHEIGHT]`
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [file = `${root}web/screenshot.png`, colorScheme = 'light', size = '1000x640'] = process.argv.slice(2);
const [width, height] = size.split('x').map(Number);

const server = await createServer({ configFile: `${root}vite.config.ts`, server: { port: 0 }, logLevel: 'error' });
await server.listen();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  // Without motion nothing plays by itself: the picture is the same every time.
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  page.setDefaultTimeout(180_000);
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
  await page.waitForFunction(() => document.querySelector('.title')?.textContent && document.querySelectorAll('.row').length > 1);
  await page.click('.welcome > button');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(3000);
  await page.screenshot({ path: file });
} finally {
  await browser.close();
  await server.close();
}
