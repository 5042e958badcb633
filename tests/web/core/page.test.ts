// The built package in pages that a strict server sends: content security policies, another origin,
// no workers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { serve, type Served } from '../../support/serve.ts';

const types: Record<string, string> = {
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
  psk: 'application/octet-stream',
};
const psk = makePsk();

let browser: Browser;
let dist: string;
let library: Served; // the package and a model, shared by all tests
const servers: Served[] = [];

beforeAll(async () => {
  dist = await builtPackage();
  library = await serve((path, response) => {
    const file = join(dist, path);
    if (path !== '/hero.psk' && (!file.startsWith(dist) || !existsSync(file))) return false;
    const type = types[path.split('.').at(-1)!] ?? 'text/plain';
    response
      .writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*', 'content-security-policy': workerPolicy })
      .end(path === '/hero.psk' ? psk : readFileSync(file));
    return true;
  });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  for (const server of [library, ...servers]) await server?.close();
});

const strict = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";
/** Policy that is sent with the worker script. A worker does not use the policy of the page. */
const workerPolicy = strict;

interface Visit {
  policy?: string;
  /** True if the script of the page is loaded from the origin of the library. */
  isForeign?: boolean;
  /**
   * Script of the page. `open`, `configure` and `model` (a URL) are available. Default: opens the
   * model and reports the result.
   */
  script?: string;
  /** Handles a request instead of the server of the page, if it returns true. */
  answer?: (path: string, response: ServerResponse) => boolean;
}

interface Seen {
  vertices?: number | null;
  error?: string | null;
  /** The report's finding about workers. */
  refusal?: string | null;
  /** Number of workers that were constructed. */
  workers: number;
}

const tell = `file => ({ vertices: file.scene?.meshes[0].vertexCount ?? null, refusal: file.report.items.find(({ code }) => code === 'WORKER_REFUSED')?.detail ?? null })`;

/** Opens a page with a `policy`, and collects the errors of its console. */
async function visit({
  policy = '',
  isForeign = false,
  script = `return open(model).then(tell, error => ({ error: String(error) }))`,
  answer,
}: Visit): Promise<{ tab: Page; refused: string[] }> {
  let origin = '';
  const page = await serve((path, response) => {
    const headers = {
      'cache-control': 'no-store',
      ...(policy && { 'content-security-policy': policy.replaceAll('LIBRARY', library.origin) }),
    };
    if (answer?.(path, response)) return true;
    if (path === '/')
      response
        .writeHead(200, { 'content-type': 'text/html', ...headers })
        .end('<!doctype html><title>page</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>');
    else if (path === '/page.js') {
      const from = isForeign ? library.origin : origin;
      response.writeHead(200, { 'content-type': 'text/javascript', ...headers }).end(`
        import { open, configure } from '${from}/core/index.js';
        globalThis.workers = 0;
        globalThis.Worker = class extends Worker { constructor(...a) { super(...a); workers++; this.addEventListener('message', () => { globalThis.awake = true; }); } };
        const model = '${from}/hero.psk', tell = ${tell};
        globalThis.rigcast = { open, configure, model, tell };
        globalThis.result = (async () => { ${script} })();`);
    } else if (!isForeign) {
      const file = join(dist, path);
      if (path !== '/hero.psk' && !existsSync(file)) return false;
      const body = path === '/hero.psk' ? psk : readFileSync(file);
      response
        .writeHead(200, { 'content-type': types[path.split('.').at(-1)!] ?? 'text/plain', 'content-length': body.length, ...headers })
        .end(body);
    } else return false;
    return true;
  });
  servers.push(page);
  origin = page.origin;
  const tab = await (await browser.newContext()).newPage();
  const refused: string[] = [];
  tab.on('console', message => void (message.type() === 'error' && refused.push(message.text())));
  await tab.clock.install({ time: 0 }); // time passes only when a test advances the clock
  await tab.clock.pauseAt(3_600_000); // on a busy machine, seconds can pass between the two calls
  await tab.goto(page.origin);
  await tab.waitForFunction(() => 'result' in globalThis, undefined, { timeout: 20_000 });
  return { tab, refused };
}

const resultOf = (tab: Page): Promise<Seen> =>
  tab.evaluate(async () => {
    const page = globalThis as unknown as { result: Promise<Omit<Seen, 'workers'>>; workers: number };
    return { ...(await page.result), workers: page.workers };
  });

/** Opens the model again, from bytes that the page already has. */
const again = (tab: Page): Promise<Seen> =>
  tab.evaluate(
    async bytes => {
      const page = globalThis as unknown as {
        rigcast: { open(source: Blob): Promise<unknown>; tell(file: unknown): Omit<Seen, 'workers'> };
        workers: number;
      };
      const result = await page.rigcast
        .open(new Blob([Uint8Array.from(bytes)]))
        .then(page.rigcast.tell, error => ({ error: String(error) }));
      return { ...result, workers: page.workers };
    },
    [...psk],
  );

async function openIn(wanted: Visit): Promise<Seen & { refused: string[] }> {
  const { tab, refused } = await visit(wanted);
  const result = await resultOf(tab);
  await tab.context().close();
  return { ...result, refused };
}

const read = { vertices: 9, refusal: null };

test('runs in a worker under script-src self and wasm-unsafe-eval', async () => {
  expect(await openIn({ policy: strict })).toEqual({ ...read, workers: 1, refused: [] });
});

test('starts the worker of another origin through a Blob module', async () => {
  // Imports of a module worker are worker scripts as well, so worker-src must allow the library.
  const policy =
    "default-src 'none'; script-src 'self' LIBRARY 'wasm-unsafe-eval'; worker-src blob: LIBRARY; connect-src LIBRARY; img-src data:";
  expect(await openIn({ policy, isForeign: true })).toEqual({ ...read, workers: 1, refused: [] });
});

test.each(['self', 'LIBRARY'])('runs in a worker under Trusted Types, by a policy named rigcast, the script on %s', async from => {
  const isForeign = from === 'LIBRARY';
  const policy = `default-src 'none'; script-src 'self' LIBRARY 'wasm-unsafe-eval'; worker-src 'self' blob: LIBRARY; connect-src 'self' LIBRARY; img-src data:; require-trusted-types-for 'script'; trusted-types rigcast`;
  expect(await openIn({ policy, isForeign })).toEqual({ ...read, workers: 1, refused: [] });
});

test('reads on the page thread if workers are refused, reports that, and does not request a worker for every file', async () => {
  for (const policy of [
    strict.replace("worker-src 'self'", "worker-src 'none'"),
    `${strict}; require-trusted-types-for 'script'; trusted-types other`,
    `${strict.replace("worker-src 'self'", "worker-src 'none'")}; require-trusted-types-for 'script'; trusted-types rigcast`,
  ]) {
    const { tab } = await visit({ policy });
    const { workers, ...first } = await resultOf(tab);
    expect(first).toMatchObject({ vertices: 9, refusal: expect.stringMatching(/policy|Trusted/) });
    await tab.clock.fastForward(3_600_000);
    expect(await again(tab)).toEqual({ ...first, workers });
    await tab.context().close();
  }
  const foreign = "default-src 'none'; script-src 'self' LIBRARY 'wasm-unsafe-eval'; worker-src 'self'; connect-src LIBRARY; img-src data:";
  expect(await openIn({ policy: foreign, isForeign: true })).toMatchObject({ vertices: 9, refusal: expect.stringMatching(/policy/) });
});

test('explains which policy would allow WebAssembly if the page forbids it', async () => {
  const result = await openIn({ policy: "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; img-src data:" });
  expect(result.error).toMatch(/content security policy.*add 'wasm-unsafe-eval' to script-src/);
});

test('reads on the page thread if the worker script cannot be fetched, and tries again after a pause', async () => {
  let failures = 2;
  const { tab } = await visit({
    answer: (path, response) => path === '/core/worker/worker.js' && failures-- > 0 && !!response.writeHead(503).end(),
  });
  expect(await resultOf(tab)).toMatchObject({ vertices: 9, refusal: expect.stringMatching(/could not be loaded/), workers: 1 });
  expect(await again(tab)).toMatchObject({ vertices: 9, refusal: expect.anything(), workers: 1 }); // too early
  await tab.clock.fastForward(1100);
  expect(await again(tab)).toMatchObject({ refusal: expect.anything(), workers: 2 });
  await tab.clock.fastForward(1100);
  expect(await again(tab)).toMatchObject({ refusal: expect.anything(), workers: 2 }); // the pause grows
  await tab.clock.fastForward(1100);
  expect(await again(tab)).toEqual({ ...read, workers: 3 });
  await tab.context().close();
});

test('does not wait for a slow worker script, and uses the worker once it has started', async () => {
  let late: (() => void) | undefined;
  const { tab } = await visit({
    answer: (path, response) => {
      if (path !== '/core/worker/worker.js') return false;
      late = () => response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(dist, 'core/worker/worker.js')));
      return true;
    },
  });
  const first = resultOf(tab);
  await expect.poll(() => late).toBeDefined();
  await tab.clock.fastForward(900);
  expect(await Promise.race([first, new Promise(resolve => setTimeout(resolve, 100, 'waiting'))])).toBe('waiting');
  await tab.clock.fastForward(200);
  expect(await first).toMatchObject({ vertices: 9, refusal: expect.stringMatching(/longer than a second/), workers: 1 });
  const second = again(tab);
  await tab.clock.fastForward(1);
  expect(await second).toMatchObject({ vertices: 9, refusal: expect.anything(), workers: 1 });
  late!();
  await expect.poll(() => tab.evaluate(() => (globalThis as unknown as { awake?: boolean }).awake), { timeout: 20_000 }).toBe(true);
  expect(await again(tab)).toEqual({ ...read, workers: 1 });
  await tab.context().close();
});

test('keeps one worker, so that files open offline after any time', async () => {
  const { tab } = await visit({
    script: 'await Promise.all(Array.from({ length: 6 }, () => open(model))); return tell(await open(model));',
  });
  expect(await resultOf(tab)).toMatchObject(read);
  for (let i = 0; i < 3; i++) await tab.clock.fastForward(60_000);
  await expect.poll(() => tab.workers().length).toBe(1);
  await tab.context().setOffline(true);
  const { workers, ...offline } = await again(tab);
  expect(offline).toEqual(read);
  expect(
    await tab.evaluate(async () => {
      const { rigcast } = globalThis as unknown as { rigcast: { open(source: string | Blob): Promise<unknown>; model: string } };
      return rigcast.open(rigcast.model).catch((error: Error) => error.name);
    }),
  ).toBe('RigcastError'); // the URL cannot be fetched
  await tab.clock.fastForward(60_000);
  expect(await again(tab)).toEqual({ ...read, workers });
  await tab.context().close();
});

test('configures the URLs of wasm and worker once for all calls', async () => {
  const asked: string[] = [];
  const script = `
    configure({ wasm: new URL('/elsewhere/rig.wasm', location.href), worker: '/core/worker/worker.js?mine' });
    return open(model).then(tell, error => ({ error: String(error) }));`;
  const { tab } = await visit({
    script,
    answer: (path, response) => {
      asked.push(path);
      return (
        path === '/elsewhere/rig.wasm' &&
        !!response.writeHead(200, { 'content-type': 'application/wasm' }).end(readFileSync(join(dist, 'core/wasm/rigcast.wasm')))
      );
    },
  });
  expect(await resultOf(tab)).toEqual({ ...read, workers: 1 });
  expect(asked).toContain('/elsewhere/rig.wasm');
  expect(asked).not.toContain('/core/wasm/rigcast.wasm');
  await tab.context().close();
});
