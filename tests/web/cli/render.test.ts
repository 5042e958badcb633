// rigcast render in the installed Chromium: pictures, numbered pictures and videos of real files.
// Skipped if there is no browser (environment variable CHROMIUM_PATH, default /usr/bin/chromium).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { RenderServer } from '../../../web/src/cli/renderServer.ts';
import { decodePng } from '../../../web/src/convert/common/pngDecode.ts';
import type { Pixels } from '../../../web/src/convert/common/png.ts';
import { makePsk } from '../../support/actorx.ts';
import { builtPackageWithBrowser } from '../../support/builtPackage.ts';
import { fmodelExport } from '../../support/fmodelExport.ts';

const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const demo = new URL('../../../web/src/viewer/demo/', import.meta.url).pathname;
/** Options that make pictures small and fast. */
const SMALL = ['--size', '96x64', '--shadow', 'none', '--browser', browser];

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

interface Row {
  out: string | null;
  files: string[];
  isKept?: true;
  byteLength: number | null;
  ledger: { code: string; path: string }[];
  error?: { code: string; detail: string };
}

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), 'render', ...words], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

function rows(expected: number, ...words: string[]): Row[] {
  const { code, out, err } = rigcast(...words, '--json');
  expect([code, err]).toEqual([expected, '']);
  return (JSON.parse(out) as { files: Row[] }).files;
}

const picture = (path: string): Promise<Pixels> => decodePng(readFileSync(path));

/** Number of pixels that are not transparent, and of those that are. */
function coverage({ data }: Pixels): { drawn: number; empty: number } {
  const alphas = Array.from({ length: data.length / 4 }, (_, i) => data[4 * i + 3]!);
  return { drawn: alphas.filter(alpha => alpha > 200).length, empty: alphas.filter(alpha => alpha === 0).length };
}

beforeAll(async () => {
  dist = await builtPackageWithBrowser();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-render-'));
  mkdirSync(at('models/deep'), { recursive: true });
  for (const name of ['Pip.psk', 'Pip.psa', 'Pip_D.png']) copyFileSync(join(demo, name), at('models', name));
  copyFileSync(join(demo, 'Fence.cast'), at('models/deep/Fence.cast'));
  writeFileSync(at('models/broken.psk'), makePsk().subarray(0, 20));
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('wrong usage', () => {
  test.each([
    [['-o', 'a.png', '--size', '12'], 'expected width and height in pixels'],
    [['-o', 'a.mp4', '--size', '95x64'], 'requires an even width and height'],
    [['-o', 'a.mp4', '--transparent'], 'MP4 cannot store transparency'],
    [['-o', 'a.png', '--turntable'], 'give a folder'],
    [['-o', 'a.png', '--camera-orbit', 'left'], 'two angles and a distance are expected'],
    [['-o', 'a.png', '--skybox-image', 'gone.hdr'], 'no such file'],
    [['-o', 'a.gif', '--frame-rate', '60'], 'at most 50'],
    [['-o', 'a.png', '--browser', '/gone/chrome'], 'no such file'],
    [['-o', 'a.png', '--browser', '/'], 'is a folder'],
    [['-o', 'a.png', '--to', 'jpg'], 'expected one of png, webp, mp4, webm, gif'],
    [['-o', 'a.mp4', '--turntable', '--turn-seconds', '-1'], '--turn-seconds -1: expected a number above 0'],
    [
      ['-o', 'a.mp4', '--turntable', '--turn-seconds', '--frames'],
      '--turn-seconds: no value. If the value begins with -, write --turn-seconds=VALUE',
    ],
    [['-o', '-a.mp4'], '-o: no value. If the value begins with -, write --out=VALUE'],
    [['-o'], '-o: no value'],
    [['-a.psk', '-o', 'a.png'], 'unknown option -a. If this is the beginning of a file name, write ./ before it'],
  ])('%j is refused before the browser starts', (words, message) => {
    const { code, err } = rigcast(at('models/Pip.psk'), ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

test('a program that is not a browser is named in the row of the result', () => {
  const [row] = rows(1, at('models/Pip.psk'), '-o', at('none.png'), '--browser', process.execPath);
  expect(row!.error).toEqual({ code: 'NOT_RENDERED', detail: expect.stringMatching(/^the browser .* did not start \(/) });
}, 60_000);

test('the help mentions no standard input and no --format, which render refuses', () => {
  expect(rigcast('--help').out).not.toMatch(/standard input|--format/);
  expect(rigcast(at('models/Pip.psk'), '-o', at('a.png'), '--format', 'psk').err).toContain('remove --format');
  expect(rigcast('-', '-o', at('a.png')).err).toContain('cannot read standard input');
});

describe.skipIf(!existsSync(browser))('in the browser', () => {
  test('a folder: one picture per model, a row for a broken file, --resume after the run was killed', async () => {
    const words = [at('models'), '-o', at('out'), ...SMALL, '--transparent', '--clip', '', '--resume'];
    const killed = spawn(process.execPath, [join(dist, 'cli/main.js'), 'render', ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(killed.stdout, 'data'); // printed when the first result is written
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const first = readFileSync(at('out/Pip.png'));
    const made = rows(1, ...words);
    expect(made.map(({ out, isKept, error }) => [out, isKept, error?.code])).toEqual([
      [at('out/Pip.png'), true, undefined],
      [at('out/deep/Fence.png'), undefined, undefined],
      [null, undefined, 'NOT_RENDERED'],
    ]);
    for (const name of ['Pip.png', 'deep/Fence.png']) {
      const pixels = await picture(at('out', name));
      expect([pixels.width, pixels.height]).toEqual([96, 64]);
      const { drawn, empty } = coverage(pixels);
      expect(drawn, name).toBeGreaterThan(300);
      expect(empty, name).toBeGreaterThan(1500);
    }
    // Equal files and options give equal bytes.
    rmSync(at('out/Pip.png'));
    expect(rows(1, ...words).map(({ isKept }) => isKept)).toEqual([undefined, true, undefined]);
    expect(readFileSync(at('out/Pip.png')).equals(first)).toBe(true);
  }, 300_000);

  test('a file that cannot be read does not prevent the picture of a scene beside it', () => {
    mkdirSync(at('yard'));
    copyFileSync(new URL('../../data/ueformat/yard.ueworld', import.meta.url), at('yard/yard.ueworld'));
    writeFileSync(at('yard/notes.cast'), 'not a Cast file');
    const made = rows(1, at('yard'), '-o', at('yard.out'), ...SMALL);
    expect(made.map(({ out, files, error }) => [out, files[0], error?.code])).toEqual([
      [at('yard.out/yard.png'), at('yard/yard.ueworld'), undefined],
      [null, at('yard/notes.cast'), 'NOT_RENDERED'],
    ]);
  }, 120_000);

  test('the options select the animation and the time, and an animation that does not exist is an error', async () => {
    const files = [at('models/Pip.psk'), at('models/Pip.psa'), ...SMALL];
    for (const [name, ...words] of [['start'], ['later', '--time', '0.4']])
      expect(rows(0, ...files, '--transparent', '--clip', '0', ...words, '-o', at(`${name}.png`))).toHaveLength(1);
    expect((await picture(at('start.png'))).data).not.toEqual((await picture(at('later.png'))).data);
    const [row] = rows(1, ...files, '--clip', 'Nope', '-o', at('nope.png'));
    expect(row!.error).toEqual({ code: 'NOT_RENDERED', detail: 'There is no animation “Nope”.' });
    expect(existsSync(at('nope.png'))).toBe(false);
  }, 300_000);

  test('a turntable in numbered pictures goes around the model', async () => {
    const [row] = rows(0, at('models/Pip.psk'), ...SMALL, '--turntable', '--turn-seconds', '1', '--frame-rate', '4', '-o', at('turn'));
    expect(row!.out).toBe(at('turn/Pip'));
    expect(readdirSync(at('turn/Pip'))).toEqual([1, 2, 3, 4].map(i => `Pip-000${i}.png`));
    const frames = await Promise.all(readdirSync(at('turn/Pip')).map(name => picture(at('turn/Pip', name))));
    expect(new Set(frames.map(({ data }) => data.join())).size).toBe(4);
    expect(coverage(frames[0]!).empty).toBe(0); // opaque by default
  }, 300_000);

  test('a video has one frame for each frame of the animation', async () => {
    const words = [at('models/Pip.psk'), at('models/Pip.psa'), ...SMALL, '--clip', '0', '-o', at('wave.webm')];
    expect(rows(0, ...words)[0]!.byteLength).toBeGreaterThan(1000);
    const track = await new Input({ source: new BufferSource(readFileSync(at('wave.webm'))), formats: ALL_FORMATS }).getPrimaryVideoTrack();
    let frames = 0;
    for await (const _ of new EncodedPacketSink(track!).packets()) frames++;
    const { frameCount } = await firstClip();
    expect(frames).toBe(frameCount);
    expect([await track!.getDisplayWidth(), await track!.getDisplayHeight()]).toEqual([96, 64]);
  }, 300_000);

  test('materials and textures beside the folder of a model are used, and those of its own package', async () => {
    for (const [path, bytes] of fmodelExport()) {
      mkdirSync(dirname(at('fmodel', path)), { recursive: true });
      writeFileSync(at('fmodel', path), bytes);
    }
    const small = ['--size', '32x32', '--shadow', 'none', '--transparent', '--browser', browser];
    /** Returns the colour that most pixels of the picture have: r or g. */
    const colorOf = async (path: string): Promise<string> => {
      const { data } = await picture(path);
      const sum = (channel: number): number => Array.from(data, (value, i) => (i % 4 === channel ? value : 0)).reduce((a, b) => a + b, 0);
      return sum(0) > 2 * sum(1) ? 'red' : sum(1) > 2 * sum(0) ? 'green' : 'neither';
    };
    const content = at('fmodel/Exports/Content');
    const named = rows(0, join(content, 'Villain/Meshes/SK_Villain.psk'), '-o', at('villain.png'), ...small);
    expect([named[0]!.ledger, await colorOf(at('villain.png'))]).toEqual([[], 'green']);
    const all = rows(0, at('fmodel'), '-o', at('fmodel.out'), ...small);
    expect(await Promise.all(all.map(({ out }) => colorOf(out!)))).toEqual(['red', 'green']);
  }, 120_000);

  test('a texture that is not there is reported', () => {
    mkdirSync(at('untextured'), { recursive: true });
    copyFileSync(join(demo, 'Pip.psk'), at('untextured/Pip.psk'));
    const [row] = rows(0, at('untextured/Pip.psk'), '-o', at('untextured.png'), '--size', '64x64', '--shadow', 'none');
    expect(row!.ledger).toMatchObject([{ code: 'TEXTURE_MISSING', path: 'Pip.psk' }]);
  }, 60_000);

  test('a picture in a format that render does not write is refused; no folder with this name is created', () => {
    const { code, err } = rigcast(at('models/Pip.psk'), '-o', at('Pip.jpg'));
    expect([code, existsSync(at('Pip.jpg'))]).toEqual([2, false]);
    expect(err).toContain("can't write .jpg files (expected a folder, or .png, ");
  });

  test('an image without a matching name is used for the only model of a folder, not for one of several', () => {
    const made = (folder: string, ...names: string[]): boolean[] => {
      mkdirSync(at(folder));
      for (const name of names) copyFileSync(join(demo, 'Pip.psk'), at(folder, name));
      copyFileSync(join(demo, 'Pip_D.png'), at(folder, 'paint.png'));
      const rendered = rows(0, at(folder), '-o', at(`${folder}.out`), '--size', '32x32', '--shadow', 'none', '--browser', browser);
      return rendered.map(({ ledger }) => ledger.some(({ code }) => code === 'TEXTURE_MISSING'));
    };
    expect(made('alone', 'Pip.psk')).toEqual([false]);
    expect(made('several', 'Pip.psk', 'Fox.psk')).toEqual([true, true]);
  }, 120_000);

  test('a model that only adds light has a dark background, unless a background is given', async () => {
    mkdirSync(at('light'));
    writeFileSync(at('light/rays.psk'), makePsk({ flags: 2 }));
    const make = async (name: string, ...words: string[]): Promise<[string[], readonly number[], number]> => {
      const [row] = rows(0, at('light/rays.psk'), '--size', '96x64', '--browser', browser, '-o', at(name), ...words);
      const { data } = await picture(at(name));
      const corner = [...data.subarray(0, 4)];
      const others = Array.from({ length: data.length / 4 }, (_, i) => data.subarray(4 * i, 4 * i + 3)).filter(
        ([red]) => red! > corner[0]! + 8,
      );
      return [row!.ledger.map(({ code }) => code).filter(code => code === 'BACKGROUND_DARK'), corner, others.length];
    };
    const [codes, corner, lit] = await make('rays.png');
    expect([codes, corner]).toEqual([['BACKGROUND_DARK'], [0x17, 0x18, 0x1b, 255]]);
    expect(lit).toBeGreaterThan(100);
    expect(await make('white.png', '--background', '#ffffff')).toEqual([[], [255, 255, 255, 255], 0]);
    expect(await make('clear.png', '--transparent')).toEqual([[], [0, 0, 0, 0], expect.any(Number)]);
    const { out } = rigcast(at('light/rays.psk'), '--size', '96x64', '--browser', browser, '-o', at('again.png'));
    expect(out).toContain('The model only adds light to what is behind it');
  }, 300_000);

  test('a background that is not a CSS colour is refused once, before planning', async () => {
    for (const background of ['redd', '#12', 'rgb(1 2)']) {
      const { code, out, err } = rigcast(at('models'), ...SMALL, '-o', at('wrong'), '--background', background);
      expect([code, out, err]).toEqual([2, '', `rigcast: --background ${background}: a CSS colour is expected.\n`]);
    }
    expect(existsSync(at('wrong'))).toBe(false);
    rows(0, at('models/Pip.psk'), ...SMALL, '-o', at('named.png'), '--background', 'rgb(10 20 30)');
    expect([...(await picture(at('named.png'))).data.subarray(0, 4)]).toEqual([10, 20, 30, 255]);
  }, 300_000);

  test('the skeleton of an animation without a model is drawn', async () => {
    mkdirSync(at('bones-only'));
    copyFileSync(join(demo, 'Pip.psa'), at('bones-only/Pip.psa'));
    const [row] = rows(0, at('bones-only'), ...SMALL, '--size', '256x192', '--transparent', '-o', at('bones'));
    expect(row!.out).toBe(at('bones/Pip.png'));
    expect(coverage(await picture(at('bones/Pip.png'))).drawn).toBeGreaterThan(100);
  }, 300_000);

  // Linux lists the processes of a browser in /proc.
  test.skipIf(process.platform !== 'linux')(
    'a result whose graphics context is lost is rendered in a new browser',
    () => {
      const failing = at('failing.mjs');
      writeFileSync(failing, failingBrowser(at('failed')), { mode: 0o755 });
      const words = [at('models/Pip.psk'), '--size', '96x64', '--browser', failing, '-o', at('again.png')];
      expect(rows(0, ...words)[0]!.error).toBeUndefined();
      expect(existsSync(at('failed'))).toBe(true);
    },
    300_000,
  );

  test('a result without progress is stopped, and the next one starts a new browser', () => {
    const found = rows(1, at('models/Pip.psk'), at('models/deep/Fence.cast'), ...SMALL, '--timeout', '0.001', '-o', at('late'));
    expect(found.map(({ error }) => error?.code)).toEqual(['TIME_LIMIT', 'TIME_LIMIT']);
  }, 300_000);
});

/**
 * Returns a program that starts the browser and, unless the file `mark` exists, ends the browser's
 * graphics process once after this has worked for half a second. Then it writes `mark`.
 */
const failingBrowser = (mark: string): string => `#!${process.execPath}
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
const mark = ${JSON.stringify(mark)};
const isFirst = !existsSync(mark);
const stdio = Array(5).fill('inherit'); // the last two are the pipes of Playwright
const child = spawn(${JSON.stringify(browser)}, process.argv.slice(2), { stdio });
child.on('exit', code => process.exit(code ?? 1));
const read = (pid, name) => { try { return readFileSync('/proc/' + pid + '/' + name, 'latin1'); } catch { return ''; } };
const fieldsOf = pid => read(pid, 'stat').split(') ').at(-1).split(' '); // from the third one, which is the state
const isOwn = pid => pid === child.pid || (pid > 1 && isOwn(Number(fieldsOf(pid)[1])));
const timer = isFirst && setInterval(() => {
  for (const pid of readdirSync('/proc').map(Number).filter(Number)) {
    if (!read(pid, 'cmdline').includes('--type=gpu-process') || !isOwn(pid)) continue;
    const [user, system] = fieldsOf(pid).slice(11, 13).map(Number); // in hundredths of a second
    if (user + system < 50) continue;
    writeFileSync(mark, '');
    process.kill(pid, 'SIGKILL');
    clearInterval(timer);
    return;
  }
}, 20);
`;

/** Returns the number of frames of the first animation of the demo, as stored in the file. */
async function firstClip(): Promise<{ frameCount: number }> {
  const { open } = await import('../../../web/src/core/open.ts');
  const { scene } = await open(readFileSync(join(demo, 'Pip.psa')), { name: 'Pip.psa', worker: false });
  return { frameCount: scene!.clips[0]!.frameCount };
}

describe('the server', () => {
  test('serves the files of the current result, and nothing else', async () => {
    mkdirSync(at('private'));
    writeFileSync(at('private/secret.png'), 'secret');
    symlinkSync(at('private/secret.png'), at('models/link.png'));
    writeFileSync(at('models/a b#?.png'), 'odd');
    const server = await RenderServer.start();
    try {
      const serve = (): ReturnType<RenderServer['serve']> =>
        server.serve({ files: [at('models/Pip.psk')], folders: [], listed: async () => ['Pip_D.png'], others: [], onRequest: () => {} });
      const earlier = serve();
      const { urls, manifest, result } = serve();
      const [model = ''] = urls;
      const base = model.slice(0, model.lastIndexOf('/') + 1);
      const status = async (url: string): Promise<number> => (await fetch(url)).status;
      expect(Buffer.from(await (await fetch(model)).arrayBuffer()).equals(readFileSync(at('models/Pip.psk')))).toBe(true);
      expect(await (await fetch(manifest)).json()).toEqual(['files/0/Pip_D.png']);
      expect(await (await fetch(`${base}a%20b%23%3F.png`)).text()).toBe('odd');
      expect(await status(`${base}PIP_d.PNG`)).toBe(200); // names are compared without case
      const refused = ['link.png', '..%2fprivate%2fsecret.png', '%2e%2e/private/secret.png', '..%5cprivate%5csecret.png', 'gone.png'];
      for (const name of refused) expect([name, await status(base + name)]).toEqual([name, 404]);
      expect(await status(earlier.urls[0]!)).toBe(410);
      expect(await status(model.replace(/\/[0-9a-f]{32}\//, `/${'0'.repeat(32)}/`))).toBe(404);
      expect(await status(server.page.replace('page.html', 'dist/..%2fpackage.json'))).toBe(404);
      expect(await status(server.page.replace('page.html', 'dist/convert/index.js'))).toBe(404);
      await fetch(earlier.result, { method: 'POST', body: 'late' });
      expect(server.take()).toBeNull();
      await fetch(result, { method: 'POST', body: 'picture' });
      expect(new TextDecoder().decode(server.take()!)).toBe('picture');
    } finally {
      server.close();
    }
  });
});
