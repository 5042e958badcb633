// rigcast gallery: sites made of real files with the installed Chromium, and their pages in it.
// Skipped if there is no browser (environment variable CHROMIUM_PATH, default /usr/bin/chromium).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMade } from '../../../web/src/cli/gallery/parts.ts';
import { makePsk } from '../../support/actorx.ts';
import { builtPackageWithBrowser } from '../../support/builtPackage.ts';
import { fmodelExport } from '../../support/fmodelExport.ts';
import { triangleGltf } from '../../support/gltf.ts';

const browserPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const demo = new URL('../../../web/src/viewer/demo/', import.meta.url).pathname;
/** Names that would break markup, attributes or URLs if they were not escaped. */
const ODD_FOLDER = '日本 #1 100% & more';
const ODD = `<img src=x onerror=alert(1)> "fox" 'n' %2e%2e キツネ`;

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), 'gallery', ...words], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** Hashes of all files of a folder, by relative path. */
function hashes(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => statSync(join(root, name)).isFile());
  return Object.fromEntries(
    files.sort().map(name => [
      name,
      createHash('sha256')
        .update(readFileSync(join(root, name)))
        .digest('hex'),
    ]),
  );
}

/** Times at which all files of a folder were written, by relative path. */
const times = (root: string): Record<string, number> =>
  Object.fromEntries(Object.keys(hashes(root)).map(name => [name, statSync(join(root, name)).mtimeMs]));

const modelsIn = (site: string): string[] => readdirSync(join(site, 'models')).sort();
const pageOf = (site: string, start: string): string => {
  const slug = modelsIn(site).find(name => name.startsWith(start));
  return readFileSync(join(site, 'models', slug ?? start, 'index.html'), 'utf8');
};

beforeAll(async () => {
  dist = await builtPackageWithBrowser();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-gallery-'));
  mkdirSync(at('models', ODD_FOLDER), { recursive: true });
  for (const name of ['Pip.psk', 'Pip.psa']) copyFileSync(join(demo, name), at('models', name));
  copyFileSync(join(demo, 'Lotl.vgo'), at('models', ODD_FOLDER, `${ODD}.vgo`));
  symlinkSync(join(demo, 'Fence.cast'), at('models', ODD_FOLDER, 'Fence.cast'));
  writeFileSync(at('models/broken.psk'), makePsk().subarray(0, 20));
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['glb', ['a.psk'], true],
  ['glb', ['a.GLB'], false],
  ['glb', ['a.glb', 'walk.bvh'], true],
  ['glb', ['a.vrm'], true],
  ['vrm', ['a.vrm'], false],
] as const)('the download %s is made of %j: %j', (to, files, expected) => {
  expect(isMade(to, { place: files[0], files: [...files] })).toBe(expected);
});

describe('wrong usage', () => {
  test.each([
    [['models', '-o', ''], 'no output'],
    [['models/Pip.psk', '-o', 'site'], 'needs one folder'],
    [['models', 'models', '-o', 'site'], 'needs one folder'],
    [['models', '-o', 'models/site'], 'must not contain each other'],
    [['models', '-o', '.'], 'must not contain each other'],
    [['models', '-o', 'site', '--url', 'javascript:alert(1)'], 'expected the address'],
    [['models', '-o', 'site', '--downloads', 'obj'], 'expected a list of glb, vrm'],
    [['models', '-o', 'site', '--browser', '/gone/chrome'], 'no such file'],
  ])('%j is refused', (words, message) => {
    const { code, err } = rigcast(...words.map(word => (/^(-|\/|javascript:|obj|$)/.test(word) ? word : at(word))));
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(at('site'))).toBe(false);
  });

  test('a folder with other files is not touched', () => {
    mkdirSync(at('mine'));
    writeFileSync(at('mine/notes.txt'), 'mine');
    const { code, err } = rigcast(at('models'), '-o', at('mine'), '--browser', process.execPath);
    expect([code, err]).toEqual([2, expect.stringContaining('not empty and not a gallery')]);
    expect(readdirSync(at('mine'))).toEqual(['notes.txt']);
  });
});

test('--dry-run lists the models of a shard, and those of all shards together are all models', () => {
  const listed = (...words: string[]): string[] => {
    const { out, err } = rigcast(at('models'), '-o', at('planned'), '--browser', process.execPath, '--dry-run', '--json', ...words);
    expect(err).toBe('');
    const { models, left } = JSON.parse(out) as { models: { model: string }[]; left: { place: string }[] };
    return [...models.map(({ model }) => model), ...left.map(({ place }) => place)];
  };
  const shards = ['1/3', '2/3', '3/3'].map(shard => listed('--shard', shard));
  expect(shards.flat().toSorted()).toEqual(listed().toSorted());
  expect(existsSync(at('planned'))).toBe(false);
});

describe.skipIf(!existsSync(browserPath))('a site', () => {
  const make = (...words: string[]): { code: number | null; out: string; err: string } =>
    rigcast(at('models'), '-o', at('site'), '--url', 'https://models.example/all', '--browser', browserPath, ...words);
  const site = (...names: string[]): string => at('site', ...names);

  test('killed and run again, it has the bytes of one run; a third run writes nothing', async () => {
    const words = [join(dist, 'cli/main.js'), 'gallery', at('models'), '-o', at('site'), '--url', 'https://models.example/all'];
    const killed = spawn(process.execPath, [...words, '--browser', browserPath], { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const text of killed.stdout) if (String(text).includes('picture.webp')) break;
    killed.kill('SIGKILL');
    expect(existsSync(site('index.html'))).toBe(false);
    const { code, out, err } = make();
    expect([code, err]).toEqual([1, '']); // the broken file
    expect(out).toContain('3 models.');
    const whole = rigcast(at('models'), '-o', at('whole'), '--url', 'https://models.example/all', '--browser', browserPath);
    expect(whole.code).toBe(1);
    expect(hashes(site())).toEqual(hashes(at('whole')));
    const before = times(site());
    expect(make().out).not.toContain('.webp');
    expect(times(site())).toEqual(before);
  }, 300_000);

  test('copies the materials and textures beside the folder that the models use', () => {
    for (const [path, bytes] of fmodelExport()) {
      mkdirSync(dirname(at('fmodel', path)), { recursive: true });
      writeFileSync(at('fmodel', path), bytes);
    }
    writeFileSync(at('fmodel/Exports/Content/Hero/Textures/T_Other_D.tga'), '');
    const { code, err } = rigcast(at('fmodel/Exports/Content/Hero/Meshes'), '-o', at('fmodel.site'), '--browser', browserPath);
    expect([code, err]).toEqual([0, '']);
    const files = Object.keys(hashes(at('fmodel.site/files')));
    expect(files).toEqual(['SK_Hero.psk', '_beside/Materials/MI_Body.json', '_beside/Textures/T_Body_D.tga']);
    const page = pageOf(at('fmodel.site'), 'sk-hero');
    for (const file of files) expect(page).toContain(`files/${file}`);
    expect(page).not.toContain('TEXTURE_MISSING');
  }, 300_000);

  test('an image that was missing and is there now is used', () => {
    expect(pageOf(site(), 'pip')).toContain('TEXTURE_MISSING');
    copyFileSync(join(demo, 'Pip_D.png'), at('models/Pip_D.png'));
    const made = make().out.match(/[^/]+\.(webp|glb|vrm)(?=\s)/g);
    expect(made).toEqual(['picture.webp', 'Pip.glb']);
    expect(pageOf(site(), 'pip')).not.toContain('TEXTURE_MISSING');
  }, 300_000);

  test('nothing of the site refers to the folders of this computer', () => {
    const texts = Object.keys(hashes(site())).filter(name => /\.(html|json|txt|css)$/.test(name));
    for (const name of texts) for (const path of [folder, demo]) expect(readFileSync(site(name), 'utf8'), name).not.toContain(path);
  });

  test('names from files are text and safe URLs', () => {
    for (const name of modelsIn(site())) expect(name).toMatch(/^[a-z0-9-]+-[0-9a-f]{12}$/);
    const page = pageOf(site(), 'img-src');
    expect(page).not.toContain('<img src=x');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;fox&quot; &#39;n&#39; %2e%2e キツネ');
    const copy = [ODD_FOLDER, `${ODD}.vgo`].map(encodeURIComponent).join('/');
    expect(page).toContain(`src="../../files/${copy.replaceAll("'", '&#39;')}"`);
    expect(readFileSync(site('files', ODD_FOLDER, `${ODD}.vgo`)).equals(readFileSync(join(demo, 'Lotl.vgo')))).toBe(true);
  });

  test('a page has the animations, textures, downloads and losses of its model', () => {
    const fox = pageOf(site(), 'pip');
    for (const text of [
      'Wave',
      'Hop',
      '21 of 21',
      'Pip_D.png',
      'Pip.glb',
      'TEXTURE_GUESSED',
      'files="../../files/Pip.psa ../../files/Pip_D.png"',
    ])
      expect(fox).toContain(text);
    expect(fox).not.toContain('VRM');
    expect(pageOf(site(), 'img-src').match(/href="[^"]*\.(vrm|glb)"/g)).toHaveLength(2); // a humanoid
    expect(readFileSync(site('files.html'), 'utf8')).toMatch(/broken\.psk.*cannot be read/s);
  });

  test('a model that only adds light has a picture with a dark background', () => {
    mkdirSync(at('light'));
    writeFileSync(at('light/rays.psk'), makePsk({ flags: 2 }));
    expect(rigcast(at('light'), '-o', at('light-site'), '--downloads', 'none', '--browser', browserPath).code).toBe(0);
    expect(pageOf(at('light-site'), 'rays')).toContain('The picture has a dark background.');
    expect(pageOf(site(), 'pip')).not.toContain('BACKGROUND_DARK');
  }, 120_000);

  test('a folder includes the formats that the loaders of three.js read', () => {
    mkdirSync(at('gltf'));
    writeFileSync(at('gltf/tri.gltf'), triangleGltf('positions.bin'));
    writeFileSync(at('gltf/positions.bin'), new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer));
    expect(
      spawnSync(process.execPath, [join(dist, 'cli/main.js'), 'convert', at('gltf/tri.gltf'), '-o', at('gltf/whole.glb')]).status,
    ).toBe(0);
    const { code, out } = rigcast(at('gltf'), '-o', at('gltf-site'), '--browser', browserPath);
    expect([code, out]).toEqual([0, expect.not.stringContaining('ignored')]);
    expect(Object.keys(hashes(at('gltf-site/files')))).toEqual(['positions.bin', 'tri.gltf', 'whole.glb']);
    const page = pageOf(at('gltf-site'), 'tri');
    for (const text of ['>glTF</a>', '<dd>3</dd>', 'href="tri.glb"', 'files="../../files/positions.bin"', 'picture.webp'])
      expect(page).toContain(text);
    // A GLB is a download already.
    expect(pageOf(at('gltf-site'), 'whole').match(/href="[^"]*\.glb"/g)).toEqual(['href="../../files/whole.glb"']);
  }, 120_000);

  test('link previews and oEmbed have absolute addresses', () => {
    const slug = modelsIn(site()).find(name => name.startsWith('pip'))!;
    const base = `https://models.example/all/models/${slug}/`;
    const page = pageOf(site(), 'pip');
    expect(page).toContain(`<meta property="og:image" content="${base}picture.webp"`);
    expect(page).toContain(`<link rel="alternate" type="application/json+oembed" href="${base}oembed.json"`);
    const answer = JSON.parse(readFileSync(site('models', slug, 'oembed.json'), 'utf8')) as Record<string, unknown>;
    expect(answer).toMatchObject({ version: '1.0', type: 'rich', width: 640, height: 400, thumbnail_url: `${base}picture.webp` });
    const code = `<iframe src="${base}embed.html" width="640" height="400" loading="lazy" allow="fullscreen" title="Pip"></iframe>`;
    expect(answer.html).toBe(code);
    const field = code.replace(/[<>"]/g, each => ({ '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each]!);
    expect(page).toContain(`<input id="embed" readonly value="${field}" />`);
  });

  test('a changed model is made again, and a removed one disappears', () => {
    const before = times(site());
    const slugOf = (start: string): string => modelsIn(site()).find(name => name.startsWith(start))!;
    const [fence, fox] = [slugOf('fence'), slugOf('pip')];
    writeFileSync(at('models/Pip.psk'), readFileSync(join(demo, 'Pip.psk')), { flag: 'w' }); // only the time changes
    rmSync(at('models', ODD_FOLDER, 'Fence.cast'));
    writeFileSync(site('theme.css'), ':root { --radius: 2px; }');
    copyFileSync(join(demo, 'Rock.cast'), at('models/Rock.cast'));
    const { out } = make();
    expect(out.match(/\S+picture\.webp/g)).toEqual([site('models', slugOf('rock'), 'picture.webp')]);
    expect(existsSync(site('models', fence))).toBe(false);
    expect(existsSync(site('files', ODD_FOLDER, 'Fence.cast'))).toBe(false);
    const after = times(site());
    for (const name of Object.keys(after).filter(each => each.startsWith(`models/${fox}/`)))
      expect([name, after[name]]).toEqual([name, before[name]]);
    expect(readFileSync(site('theme.css'), 'utf8')).toContain('2px');
  }, 300_000);

  describe('in the browser, from a subfolder', () => {
    let server: Server;
    let browser: Browser;
    let base = '';

    beforeAll(async () => {
      server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url ?? '', 'http://site').pathname);
        const file = path.startsWith('/sub/folder/') ? site(path.slice('/sub/folder'.length).replace(/\/$/, '/index.html')) : '';
        if (!existsSync(file)) return void response.writeHead(404).end();
        const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript', wasm: 'application/wasm' };
        response.writeHead(200, { 'content-type': types[file.split('.').at(-1)!] ?? 'application/octet-stream' }).end(readFileSync(file));
      });
      await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sub/folder/`;
      browser = await chromium.launch({ executablePath: browserPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
    });

    afterAll(async () => {
      await browser?.close();
      server?.close();
    });

    /** Opens a page, and fails if it violates its policy, throws, or requests a missing file. */
    async function open(path: string, use: (page: Page) => Promise<void>, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
      const page = await browser.newPage({ colorScheme });
      const problems: string[] = [];
      page.on('console', message => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', error => problems.push(error.message));
      page.on('response', response => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`));
      await page.goto(base + path);
      await use(page);
      expect(problems).toEqual([]);
      await page.close();
    }

    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    /** Returns the problems for screen readers and keyboards that axe finds. */
    const problemsOf = async (page: Page): Promise<string[]> => {
      await page.evaluate(axe); // through the debugger, to which the policy of the page does not apply
      return page.evaluate(async () => {
        const { violations } = await (
          globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
        ).axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
    };

    test('a search finds a model by its bones, and its page plays an animation', async () => {
      await open('', async page => {
        await page.getByRole('searchbox').fill('tail wave');
        await page.getByText('1 model', { exact: true }).waitFor();
        await page.getByRole('link', { name: /^Pip/ }).click();
        await page.getByRole('button', { name: 'Play Hop' }).click();
        await page.waitForFunction(() => {
          const viewer = document.querySelector('rigcast-viewer')!;
          return viewer.currentAnimations.includes('Hop') && !viewer.paused;
        });
        expect(await page.getByLabel('Embed').inputValue()).toContain('https://models.example/all/models/pip-');
      });
    }, 120_000);

    test('filters, links with filters, and no result', async () => {
      await open('', async page => {
        await page.getByLabel('Format').selectOption('vgo');
        await page.getByText('1 model', { exact: true }).waitFor();
        expect(new URL(page.url()).search).toBe('?format=vgo');
        expect(await page.locator('.card .name').allTextContents()).toEqual([ODD]);
        await page.getByRole('searchbox').fill('nothing');
        await page.getByText('No model matches.').waitFor();
      });
      await open(`?${new URLSearchParams({ folder: ODD_FOLDER })}`, async page => {
        await page.getByText('1 model', { exact: true }).waitFor();
        await page.getByRole('button', { name: `Folder ${ODD_FOLDER}` }).click();
        await page.waitForFunction(() => document.querySelectorAll('.card').length === 3);
      });
    }, 120_000);

    test.each(['light', 'dark'] as const)(
      'the pages are accessible in the %s theme',
      async scheme => {
        const slug = modelsIn(site()).find(name => name.startsWith('pip'))!;
        for (const path of ['', `models/${slug}/`, 'files.html', 'lists/1.html'])
          await open(path, async page => expect([path, ...(await problemsOf(page))]).toEqual([path]), scheme);
      },
      120_000,
    );

    test('the page for frames shows the model', async () => {
      const slug = modelsIn(site()).find(name => name.startsWith('rock'))!;
      await open(`models/${slug}/embed.html`, page =>
        page.evaluate(async () => {
          await customElements.whenDefined('rigcast-viewer');
          await document.querySelector('rigcast-viewer')!.ready;
        }),
      );
    }, 120_000);
  });
});
