// Checks the extensions of web/examples with the built package: the preview for VS Code in a page
// with its content security policy, the pages of share.mjs, and the links of Discourse.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectPicture, expectWorker, inPage, served } from './browser.mjs';
import { embedZip, unzip } from './embed.mjs';
import { Trouble, inRoot, run } from './lib.mjs';
import { placeModels } from './site.mjs';

const example = name => inRoot('web/examples', name);

/** Copies the extension for VS Code into a folder and adds the viewer of `packageFolder` to it. */
function copyExtension(packageFolder, folder) {
  cpSync(example('vscode'), folder, { recursive: true, filter: path => !/[\\/](viewer|node_modules)$|\.vsix$/.test(path) });
  const { code, output } = run(process.execPath, ['copyViewer.mjs', packageFolder], { cwd: folder });
  if (code !== 0) throw new Trouble(`The extension for VS Code can't be built:\n\n${output}`);
}

/**
 * Opens the preview for VS Code. The page is on another origin than its scripts and files, like a
 * page in VS Code.
 */
async function checkPreview(root, address) {
  const { filesFor, previewPage } = createRequire(import.meta.url)(join(root, 'vscode/page.js'));
  const resources = address.replace('127.0.0.1', 'localhost');
  const { model, files } = filesFor('run.psa', readdirSync(join(root, 'rigcast/models')));
  const at = path => `${resources}${path}`;
  const html = previewPage({
    cspSource: new URL(resources).origin,
    script: at('vscode/viewer/browser/element.js'),
    style: at('vscode/viewer/preview.css'),
    model: at(`rigcast/models/${model}`),
    files: files.map(each => at(`rigcast/models/${each}`)),
    title: 'run.psa',
  });
  writeFileSync(join(root, 'preview.html'), html);
  await inPage(`${address}preview.html`, async page => {
    await expectPicture(page, 'The preview for VS Code');
    const { width, height, names } = await page.evaluate(() => {
      const element = document.querySelector('rigcast-viewer');
      const { width, height } = element.getBoundingClientRect();
      return { width, height, names: element.animations.map(({ name }) => name) };
    });
    if (width !== 640 || height !== 480 || !names.includes('Hop'))
      throw new Trouble(`The preview for VS Code has ${width} × ${height} pixels and the animations ${names.join()}.`);
    await expectWorker(page, 'The preview for VS Code');
  });
}

/** Opens a page of share.mjs, and a link in a post of Discourse. */
async function checkFrames(root, address) {
  const { sharedFiles } = await import(example('share/share.mjs'));
  const page = `${address}rigcast/embed.html`;
  const model = { name: 'hero', title: 'A fox', src: 'models/hero.psk', files: ['models/run.psa', 'models/hero_D.png'], animation: 'Hop' };
  for (const [name, text] of Object.entries(sharedFiles(page, [model]))) writeFileSync(join(root, 'rigcast', name), text);
  await inPage(`${address}rigcast/hero.html`, async shared => {
    const response = await shared.evaluate(async () => {
      const { href } = document.querySelector('link[type="application/json+oembed"]');
      return (await fetch(`${href}?format=json&maxwidth=600`)).json();
    });
    if (!response.html.startsWith(`<iframe src="${page}?src=`)) throw new Trouble(`The oEmbed response has ${response.html}`);
    await expectPicture(await (await shared.$('iframe')).contentFrame(), 'A page of share.mjs');
  });

  cpSync(example('discourse/javascripts/discourse/lib/rigcastFrame.js'), join(root, 'rigcastFrame.js'));
  writeFileSync(
    join(root, 'post.html'),
    `<!doctype html><title>post</title>
    <p><a href="https://a.example/hero.psk">hero.psk</a></p><p>See <a href="https://a.example/b.psk">this</a>.</p>
    <script type="module">
      import { embedLink } from './rigcastFrame.js';
      document.querySelectorAll('p > a').forEach(link => embedLink(link, 'about:blank'));
      document.body.dataset.done = '';
    </script>`,
  );
  await inPage(`${address}post.html`, async post => {
    await post.waitForSelector('[data-done]', { state: 'attached' });
    const paragraphs = await post.evaluate(() => [...document.querySelectorAll('p')].map(each => each.querySelectorAll('iframe').length));
    if (paragraphs.join() !== '1,0') throw new Trouble(`A post of Discourse has ${paragraphs.join()} frames.`);
  });
}

/** `folder` contains the package as node_modules/rigcast. */
export async function checkWrappers(folder) {
  const root = join(folder, 'wrappers');
  mkdirSync(root);
  await unzip(embedZip(), join(root, 'rigcast'));
  placeModels(join(root, 'rigcast/models'));
  copyExtension(join(folder, 'node_modules/rigcast'), join(root, 'vscode'));
  return served(
    root,
    async address => {
      await checkPreview(root, address);
      await checkFrames(root, address);
      return 'preview for VS Code, oEmbed, Discourse';
    },
    { 'access-control-allow-origin': '*' },
  );
}

/**
 * Packs the extension for VS Code with vsce, which npx fetches from the registry, into
 * build/release. Requires that dist/ has been built.
 */
export async function packExtension() {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-vscode-'));
  try {
    copyExtension(inRoot(), folder);
    const out = inRoot('build/release/rigcast-preview.vsix');
    mkdirSync(inRoot('build/release'), { recursive: true });
    const { code, output } = run(
      'npx',
      ['--yes', '@vscode/vsce@3', 'package', '--no-dependencies', '--allow-missing-repository', '--out', out],
      { cwd: folder },
    );
    if (code !== 0 || !existsSync(out)) throw new Trouble(`vsce can't pack the extension:\n\n${output}`);
    await unzip(out, join(folder, 'unpacked'));
    for (const name of ['extension.js', 'page.js', 'viewer/browser/element.js', 'viewer/core/wasm/unreal.wasm', 'viewer/LICENSE'])
      if (!existsSync(join(folder, 'unpacked/extension', name))) throw new Trouble(`The packed extension lacks ${name}.`);
    return `${(readFileSync(out).length / 1e6).toFixed(1)} MB`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
