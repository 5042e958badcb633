// Checks the built site: the viewer, and the page embed.html of the ZIP file in iframes of a page
// with a content security policy, as on a wiki. Some of the iframes are sandboxed.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectPicture, expectWorker, inPage, lightEnough, served, untilShown } from './browser.mjs';
import { embedZip, unzip } from './embed.mjs';
import { Trouble, inRoot, run } from './lib.mjs';

/** Throws if a notices file doesn't mention a library. */
export function checkNotice(file, name) {
  if (!readFileSync(file, 'utf8').includes(`\n${name}`)) throw new Trouble(`${file} does not have ${name}.`);
}

/**
 * Checks the viewer under its own content security policy: the demo opens in a worker, the console
 * stays empty, and only the chosen language is loaded.
 */
export async function checkViewer() {
  const site = inRoot('dist/site');
  for (const name of ['three ', '@pixiv/three-vrm-materials-mtoon ', 'mediabunny ', 'gifenc ', 'RapidJSON'])
    checkNotice(join(site, 'THIRD-PARTY-NOTICES.txt'), name);
  return served(site, address =>
    inPage(address, async (page, requests) => {
      const hasPolicy = () =>
        globalThis.trustedTypes?.createPolicy && document.querySelector('meta[http-equiv=Content-Security-Policy]') !== null;
      if (!(await page.evaluate(hasPolicy))) throw new Trouble('The site has no policy of its own.');
      const before = await untilShown(page, requests);
      await expectWorker(page, 'The site');
      await page.waitForFunction(() => document.querySelector('.title')?.textContent && document.querySelectorAll('.row').length > 1);
      const words = lightEnough('viewer', site, before);
      const japanese = requests.find(request => request.serviceWorker() === null && request.url().includes('/assets/ja'));
      if (japanese) throw new Trouble(`A page in English requests another language: ${japanese.url()}`);
      await page.goto(`${address}?lang=ja`);
      await page.waitForFunction(
        () =>
          document.documentElement.lang === 'ja' &&
          [...document.querySelectorAll('nav button')].some(({ textContent }) => textContent === '開く'),
      );
      return words;
    }),
  );
}

/**
 * Content security policy of a wiki page: scripts are forbidden, frames of the same origin are
 * allowed.
 */
const wikiPolicy = "default-src 'none'; frame-src 'self'; style-src 'unsafe-inline'";

const hostile = '<img src=x onerror="document.title=1">';

const frames = [
  {
    name: 'plain',
    sandbox: null,
    query: 'src=../models/hero.psk&files=../models/run.psa+../models/hero_D.png&animation=Wave&autoplay&controls&alt=A+fox',
  },
  {
    name: 'opaque',
    sandbox: 'allow-scripts',
    query: 'src=../models/hero.psk&files=../models/run.psa+../models/hero_D.png&autoplay&background=%23fff',
  },
  {
    name: 'wrong',
    sandbox: 'allow-scripts',
    query: `src=../models/hero.psk&files=../models/hero_D.png&animation=Swim&speed=${encodeURIComponent(hostile)}&onload=1`,
  },
  { name: 'damaged', sandbox: 'allow-scripts', query: 'src=../models/zeros.psk' },
  { name: 'outside', sandbox: 'allow-scripts', query: 'src=/api/user' },
  { name: 'nothing', sandbox: 'allow-scripts', query: `src=javascript:alert(1)&alt=${encodeURIComponent(hostile)}` },
];

/** Copies a demo model with its animations and texture into a folder. */
export function placeModels(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of [
    ['hero.psk', 'Pip.psk'],
    ['run.psa', 'Pip.psa'],
    ['hero_D.png', 'Pip_D.png'],
  ])
    cpSync(inRoot('web/src/viewer/demo', file), join(folder, name));
}

/**
 * Unpacks the archive of the package into an empty folder, serves it like a CDN, and checks that
 * dist/embed.html shows a model that moves.
 */
export async function checkEmbedInArchive(archive, folder) {
  const root = join(folder, 'cdn');
  mkdirSync(root);
  const { code, output } = run('tar', ['-xzf', archive, '-C', root]);
  if (code !== 0) throw new Trouble(`The archive can't be unpacked:\n\n${output}`);
  placeModels(join(root, 'package/dist/models'));
  return served(root, address =>
    inPage(
      `${address}package/dist/embed.html?src=models/hero.psk&files=models/run.psa+models/hero_D.png&animation=Hop&autoplay`,
      async page => {
        await expectPicture(page, 'embed.html of the package');
        if ((await page.locator('.problems').count()) > 0) throw new Trouble('embed.html of the package finds its URL wrong.');
        await page.waitForFunction(async () => {
          const element = document.querySelector('rigcast-viewer');
          const picture = async () => new Uint8Array(await (await element.toBlob({ width: 160, height: 120 })).arrayBuffer()).join();
          globalThis.firstPicture ??= await picture();
          return (await picture()) !== globalThis.firstPicture;
        });
        return 'embed.html of the archive shows a moving model';
      },
    ),
  );
}

/**
 * Opens embed.html in several frames. Throws if a frame shows neither the model nor the error that
 * is expected for its URL. Returns a summary.
 */
export async function checkEmbed(folder) {
  if (!existsSync(embedZip())) throw new Trouble(`There is no ${embedZip()}: run npm run build first.`);
  const root = join(folder, 'wiki');
  mkdirSync(join(root, 'models'), { recursive: true });
  await unzip(embedZip(), join(root, 'rigcast'));
  const page = join(root, 'rigcast/embed.html');
  const published = readFileSync(page, 'utf8');
  for (const [name, path] of [
    ['three ', 'rigcast/THIRD-PARTY-NOTICES.txt'],
    ['rigcast', 'rigcast/README.txt'],
  ])
    if (!readFileSync(join(root, path), 'utf8').includes(name)) throw new Trouble(`The ZIP file lacks ${path}.`);
  if (readFileSync(inRoot('dist/site/embed.html'), 'utf8') !== published)
    throw new Trouble('dist/site has another embed.html than the ZIP file.');
  const wider = published.replace('name="rigcast-root" content="./"', 'name="rigcast-root" content="../models/"');
  if (wider === published) throw new Trouble('embed.html does not name its own folder as the one that it reads.');
  if (!published.includes('<meta name="referrer" content="no-referrer" />'))
    throw new Trouble('embed.html tells other servers where it is.');
  writeFileSync(page, wider);
  placeModels(join(root, 'models'));
  writeFileSync(join(root, 'models/zeros.psk'), new Uint8Array(1000));
  const tags = frames.map(
    ({ name, sandbox, query }) =>
      `<iframe name="${name}" src="rigcast/embed.html?${query.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="300" height="200"${sandbox === null ? '' : ` sandbox="${sandbox}"`}></iframe>`,
  );
  writeFileSync(
    join(root, 'index.html'),
    `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${wikiPolicy}"><title>wiki</title>${tags.join('')}`,
  );
  // A sandboxed frame has an opaque origin, so the browser treats its scripts as cross-origin.
  return served(
    root,
    async address => {
      const seen = await inPage(address, look, /There is no animation “Swim”|^zeros\.psk cannot be read/);
      const only = `${address}rigcast/embed.html?src=../models/hero.psk&files=../models/run.psa+../models/hero_D.png&autoplay&controls`;
      const light = await inPage(only, async (page, requests) => {
        return lightEnough('element', root, await untilShown(page, requests));
      });
      return `${seen}; ${light}`;
    },
    { 'access-control-allow-origin': '*' },
  );
}

async function look(page, requests) {
  const frame = name => page.frame({ name });
  for (const name of ['plain', 'opaque']) {
    await expectPicture(frame(name), `embed.html (${name})`);
    if ((await frame(name).locator('.problems').count()) > 0) throw new Trouble(`embed.html (${name}) finds its address wrong.`);
  }
  if ((await frame('plain').title()) !== 'A fox') throw new Trouble('embed.html does not say what it shows.');
  if (await frame('opaque').evaluate(() => window.origin !== 'null')) throw new Trouble('The sandboxed frame has an origin.');
  await frame('wrong').waitForSelector('rigcast-viewer:state(ready)');
  const words = await untilSaid(frame('wrong'), 'Swim');
  if (words !== `speed=${hostile}: a number is expected.\n“onload” is not a parameter of this page.\nThere is no animation “Swim”.`)
    throw new Trouble(`embed.html reports for a wrong URL: ${words}`);
  const ground = await frame('wrong').evaluate(() => getComputedStyle(document.querySelector('.problems')).backgroundColor);
  if (ground === 'rgba(0, 0, 0, 0)') throw new Trouble('The problems of a wrong URL have no background.');
  await frame('damaged').getByText('Advice').click();
  await frame('damaged').waitForSelector('#ALL_ZEROS:target');
  const outside = await frame('outside').locator('.problems').innerText();
  if (
    !/src=\/api\/user: an http or https URL below http:.*\/models\/ is expected\./.test(outside) ||
    requests.some(request => new URL(request.url()).pathname.startsWith('/api/'))
  )
    throw new Trouble(`embed.html reads outside of its folder, or says: ${outside}`);
  const empty = await frame('nothing').locator('.problems').innerText();
  if (!empty.includes('src=javascript:alert(1): an http or https URL below'))
    throw new Trouble(`embed.html without a model says: ${empty}`);
  for (const { name } of frames)
    if ((await frame(name).evaluate(() => document.querySelectorAll('img').length)) > 0)
      throw new Trouble(`embed.html (${name}) has markup of its address.`);
  return `${frames.length} frames`;
}

/**
 * Waits until the frame lists a problem with its URL that contains `word`, and returns the text of
 * the list.
 */
async function untilSaid(frame, word) {
  const list = frame.locator('.problems');
  await list.filter({ hasText: word }).waitFor();
  return list.innerText();
}

/**
 * Checks the documentation in a folder of a server: the landing page shows a model, the search finds
 * a class, its page runs an example, and the examples are there.
 */
export async function checkDocs() {
  for (const name of ['vitepress ', 'vue ', 'minisearch ']) checkNotice(inRoot('dist/site/docs/THIRD-PARTY-NOTICES.txt'), name.trimEnd());
  return served(inRoot('dist'), address =>
    inPage(`${address}site/docs/index.html`, async page => {
      const frame = page.frameLocator('iframe');
      await frame.locator('rigcast-viewer:state(playing)').waitFor();
      await page.keyboard.press('Control+k');
      await page.locator('#localsearch-input').fill('RigcastLoader');
      await page.locator('a.result[href*="api/three/RigcastLoader"]').first().click();
      await page.locator('h1', { hasText: 'RigcastLoader' }).waitFor();
      await page.locator('.run-block button', { hasText: 'Run' }).first().click();
      await frame.locator('canvas').waitFor();
      await page.goto(`${address}site/examples/index.html`);
      await page.getByRole('link', { name: 'A model in one tag' }).click();
      await page.locator('rigcast-viewer:state(playing)').waitFor();
      return 'the documentation is searched and runs its examples';
    }),
  );
}
