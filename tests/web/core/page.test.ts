// The built package in pages that a strict server sends: content security policies, another origin, no workers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePsk } from '../../support/actorx.ts';
import { buildPackage } from '../../support/builtPackage.ts';
import { serve, type Served } from '../../support/serve.ts';

const types: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm', psk: 'application/octet-stream' };
const psk = makePsk();

let browser: Browser;
let built: ReturnType<typeof buildPackage>;
let library: Served; // the package and a model, for everybody
const servers: Served[] = [];

beforeAll(async () => {
  built = buildPackage('page');
  library = await serve((path, response) => {
    const file = join(built.dist, path);
    if (path !== '/hero.psk' && (!file.startsWith(built.dist) || !existsSync(file))) return false;
    const type = types[path.split('.').at(-1)!] ?? 'text/plain';
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*', 'content-security-policy': workerPolicy }).end(path === '/hero.psk' ? psk : readFileSync(file));
    return true;
  });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  for (const server of [library, ...servers]) await server?.close();
  built?.remove();
});

const strict = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
/** A worker goes by the policy of its own script. */
const workerPolicy = strict;

/** Runs `open` of the library's model in a page sent with `policy`, whose script is on the page's own origin or on the library's. */
async function openIn({ policy, isForeign = false }: { policy: string; isForeign?: boolean }): Promise<{ vertices: number | null; workers: number; error: string | null; refused: string[] }> {
  let origin = '';
  const page = await serve((path, response) => {
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy.replaceAll('LIBRARY', library.origin) });
      response.end('<!doctype html><title>page</title><script type="module" src="/page.js"></script>');
    } else if (path === '/page.js') {
      const from = isForeign ? library.origin : origin;
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
        import { open } from '${from}/core/index.js';
        let workers = 0;
        const Original = Worker;
        globalThis.Worker = class extends Original { constructor(...a) { super(...a); workers++; } };
        open('${from}/hero.psk').then(
          file => { globalThis.result = { vertices: file.scene?.meshes[0].vertexCount ?? null, workers, error: null }; },
          error => { globalThis.result = { vertices: null, workers, error: String(error) }; });`);
    } else if (!isForeign) {
      const file = join(built.dist, path);
      if (path !== '/hero.psk' && !existsSync(file)) return false;
      response.writeHead(200, { 'content-type': types[path.split('.').at(-1)!] ?? 'text/plain', 'content-security-policy': policy }).end(path === '/hero.psk' ? psk : readFileSync(file));
    } else return false;
    return true;
  });
  servers.push(page);
  origin = page.origin;
  const tab = await browser.newPage();
  const refused: string[] = [];
  tab.on('console', message => void (message.type() === 'error' && refused.push(message.text())));
  await tab.goto(page.origin);
  await tab.waitForFunction(() => 'result' in globalThis, undefined, { timeout: 20_000 });
  const result = await tab.evaluate(() => (globalThis as unknown as { result: { vertices: number | null; workers: number; error: string | null } }).result);
  await tab.close();
  return { ...result, refused };
}

test('runs in a worker under script-src self and wasm-unsafe-eval', async () => {
  expect(await openIn({ policy: strict })).toEqual({ vertices: 9, workers: 1, error: null, refused: [] });
});

test('starts the worker of another origin through a Blob module', async () => {
  const policy = "default-src 'none'; script-src 'self' LIBRARY 'wasm-unsafe-eval'; worker-src blob:; connect-src LIBRARY";
  expect(await openIn({ policy, isForeign: true })).toEqual({ vertices: 9, workers: 1, error: null, refused: [] });
});

test('reads on the page itself where workers are refused', async () => {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'; connect-src 'self'";
  expect(await openIn({ policy })).toMatchObject({ vertices: 9, error: null });
  const foreign = "default-src 'none'; script-src 'self' LIBRARY 'wasm-unsafe-eval'; worker-src 'self'; connect-src LIBRARY";
  expect(await openIn({ policy: foreign, isForeign: true })).toMatchObject({ vertices: 9, error: null });
});

test('says so where no WebAssembly is allowed at all', async () => {
  const result = await openIn({ policy: "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'" });
  expect(result.vertices).toBeNull();
  expect(result.error).toMatch(/wasm|WebAssembly/i);
});
