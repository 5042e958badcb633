// Runs the commands of docs/archive.md for a folder of generated models, and opens the site. Skipped
// if there is no browser. `npm run nightly` uses 200 models. The environment variable
// RIGCAST_ARCHIVE_MODELS sets another number.
import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { builtPackageWithBrowser } from '../../support/builtPackage.ts';
import { largePsa } from '../../support/largePsa.ts';

const browserPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const models = Number(process.env['RIGCAST_ARCHIVE_MODELS'] ?? (process.env['RIGCAST_LONG'] ? 200 : 12));
const large = largePsa(4, 40, 3500);

let folder: string;
let server: Server | undefined;

afterAll(() => {
  server?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Returns the commands of the document that call rigcast, in order. */
const commands = (): string[] =>
  [...readFileSync(new URL('../../../docs/archive.md', import.meta.url), 'utf8').matchAll(/```sh\n(.*?)```/gs)].flatMap(([, lines]) =>
    lines!.split('\n').filter(line => line.startsWith('rigcast ')),
  );

function run(command: string): { code: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, CHROMIUM_PATH: browserPath },
  });
  return { code: status, out: `${stdout}${stderr}` };
}

/** Serves the site with support for range requests. `sent`: number of bytes of each file that were sent. */
async function serve(sent: Map<string, number>): Promise<string> {
  const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript', wasm: 'application/wasm' };
  server = createServer(({ url, headers: { range } }, response) => {
    const name = decodeURIComponent(new URL(url ?? '', 'http://site').pathname).replace(/\/$/, '/index.html');
    const file = join(folder, 'site', name);
    if (!existsSync(file)) return void response.writeHead(404).end();
    const size = statSync(file).size;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    const [start, end] = first ? [Number(first), Math.min(Number(last), size - 1)] : [0, size - 1];
    sent.set(name, (sent.get(name) ?? 0) + end - start + 1);
    response.writeHead(first ? 206 : 200, {
      'content-type': types[file.split('.').at(-1)!] ?? 'application/octet-stream',
      'content-length': end - start + 1,
      ...(first && { 'content-range': `bytes ${start}-${end}/${size}` }),
    });
    createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise<void>(done => server!.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(!existsSync(browserPath))('an archive in an hour', () => {
  beforeAll(async () => {
    const dist = await builtPackageWithBrowser();
    folder = mkdtempSync(join(tmpdir(), 'rigcast-archive-'));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/rigcast'), `#!/bin/sh\nexec '${process.execPath}' '${join(dist, 'cli/main.js')}' "$@"\n`, {
      mode: 0o755,
    });
    for (let i = 0; i < models; i++) {
      const bones = Array.from({ length: 4 }, (_, bone) => `bone${i % 5}_${bone}`);
      const of = join(folder, 'models', `set${i % 7}`, `model${i}`);
      mkdirSync(of, { recursive: true });
      writeFileSync(join(of, `model${i}.psk`), makePsk({ bones, side: 3 + (i % 4) }));
      writeFileSync(join(of, `model${i}.psa`), makePsa({ bones, sequences: [`Run${i}`, 'Idle'] }));
    }
    const giant = join(folder, 'models/giant');
    mkdirSync(giant);
    writeFileSync(join(giant, 'giant.psk'), makePsk({ bones: Array.from({ length: 40 }, (_, bone) => `bone${bone}`) }));
    writeFileSync(join(giant, 'giant.psa'), large.part(0, large.byteLength));
  }, 180_000);

  test('the commands of the document make a site, and running them again keeps it', () => {
    const all = commands();
    expect(all).toHaveLength(5);
    for (const command of all) expect([command, run(command)]).toEqual([command, { code: 0, out: expect.any(String) as string }]);
    expect(readdirSync(join(folder, 'site/models'))).toHaveLength(models + 1);
    expect(readFileSync(join(folder, 'site/index.html'), 'utf8')).toContain(`${models + 1} models`);
    expect(run(all[2]!).out).not.toContain('picture.webp');
  }, 1_800_000);

  test('the page of a model reads one animation of a large file, and its embed code has an absolute URL', async () => {
    const sent = new Map<string, number>();
    const url = await serve(sent);
    const browser = await chromium.launch({ executablePath: browserPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
    try {
      const page = await browser.newPage();
      const slug = readdirSync(join(folder, 'site/models')).find(name => name.startsWith('giant-'))!;
      await page.goto(`${url}models/${slug}/`);
      expect(await page.getByLabel('Embed').inputValue()).toContain(`src="${url}models/${slug}/embed.html"`);
      await page.getByRole('button', { name: 'Play Clip2' }).click();
      await page.waitForFunction(() => document.querySelector('rigcast-viewer')!.currentAnimations.includes('Clip2'));
      expect(large.byteLength).toBeGreaterThan(16 * 2 ** 20);
      expect(sent.get('/files/giant/giant.psa')).toBeLessThan(2 * large.clipSize + 2 ** 17);
    } finally {
      await browser.close();
    }
  }, 120_000);
});
