// Helpers for the benchmarks that load pages: a server that compresses responses and counts their
// bytes, and a visitor that detects when the model is visible.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { chromiumPath } from '../../.ci/chromium.mjs';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
};
const size = { width: 640, height: 480 };

/**
 * Serves `folders` (folder by first segment of the path) and `pages` (HTML by path). Calls `sent`
 * with the path and the size of each response. Code is gzipped.
 */
export async function serve(folders, pages) {
  const packed = new Map();
  const answers = { sent: (_path, _bytes, _isCode) => {} };
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://bench').pathname));
    const [, first = '', rest = ''] = /^\/([^/]+)\/(.*)$/.exec(path) ?? [];
    const file = folders[first] && join(folders[first], rest);
    if (!pages[path] && !(file && existsSync(file) && statSync(file).isFile())) return response.writeHead(404).end();
    const type = types[pages[path] ? '.html' : extname(file)];
    const isCode = type !== undefined && type !== 'image/png';
    if (!packed.has(path)) {
      const bytes = pages[path] ? Buffer.from(pages[path]) : readFileSync(file);
      packed.set(path, isCode ? gzipSync(bytes, { level: 9 }) : bytes);
    }
    const body = packed.get(path);
    answers.sent(path, body.byteLength, isCode);
    response.writeHead(200, {
      'content-type': type ?? 'application/octet-stream',
      'content-length': body.byteLength,
      ...(isCode && { 'content-encoding': 'gzip' }),
    });
    response.end(body);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, answers, close: () => server.close() };
}

/** Starts the browser of the tests, which draws with Mesa's software rasteriser if it is installed. */
export const browse = () => chromium.launch({ executablePath: chromiumPath(), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

/**
 * Opens a new page with an empty cache. Requests to other servers are blocked and added to
 * `refused`.
 */
export async function newVisitor(browser) {
  const context = await browser.newContext({ viewport: size });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  const refused = [];
  await page.route(
    url => url.hostname !== '127.0.0.1' && /^https?:/.test(url.protocol),
    route => (refused.push(route.request().url()), route.abort()),
  );
  await page.route('**/favicon.ico', route => route.fulfill({ status: 204 }));
  return { context, page, refused, session: await context.newCDPSession(page) };
}

/**
 * Returns the time in milliseconds from the start of the navigation until the model is visible: the
 * first frame in which `share` of the pixels have the colours of the model (red above `red` of 255
 * and above the given multiples of green and blue). `decoder` is a page that inspects the recorded
 * frames afterwards.
 */
export async function untilSeen({ page, session }, address, decoder, colors, share) {
  let seen;
  const found = new Promise(resolve => (seen = resolve));
  const left = [];
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    for (let frame; (frame = left.shift());)
      if (await decoder.evaluate(shows, [frame.data, colors, share])) return seen(frame.metadata.timestamp * 1000);
    isLooking = false;
  };
  session.on('Page.screencastFrame', frame => {
    left.push(frame);
    session.send('Page.screencastFrameAck', { sessionId: frame.sessionId }).catch(() => {});
    void look();
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 60, maxWidth: size.width, maxHeight: size.height });
  await page.goto(address, { waitUntil: 'commit' });
  const when = await Promise.race([
    found,
    new Promise((_, reject) => setTimeout(() => reject(new Error(`${address} shows no model in two minutes.`)), 120_000)),
  ]);
  const begin = await page.evaluate(() => performance.timeOrigin);
  await session.send('Page.stopScreencast');
  return when - begin;
}

/**
 * Runs in a page: returns true if the fraction `share` of the pixels of an image have the given
 * colours.
 */
async function shows([base64, colors, share]) {
  const image = new Image();
  image.src = `data:image/jpeg;base64,${base64}`;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue] = data.subarray(i, i + 3);
    if (red > colors.red && red > colors.overGreen * green && red > colors.overBlue * blue) count++;
  }
  return count >= (share * data.length) / 4;
}
