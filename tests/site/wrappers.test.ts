// The extensions for content systems in web/examples: their markup, with values that authors of
// hostile content would write. `.ci/wrappers.mjs` opens their pages in Chromium.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ATTRIBUTES } from '../../web/src/element/attributes.ts';
import { formatTable } from '../../web/src/core/formatTable.ts';
import { OTHER_FORMATS } from '../../web/src/core/otherFormats.ts';
import { PARAMETERS } from '../../web/src/embed/parameters.ts';
import { root } from '../support/buildOnce.ts';

const at = (path: string): string => join(root, 'web/examples', path);
const jsonOf = (path: string): Record<string, unknown> => JSON.parse(readFileSync(at(path), 'utf8')) as Record<string, unknown>;
const HOSTILE = `"'><img src=x onerror=alert(1)>&amp; \\ \${1}`;
const PAGE = 'https://models.example/rigcast/embed.html';

const folder = mkdtempSync(join(tmpdir(), 'rigcast-wrappers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns tags in HTML with their attributes, both undecoded. Every `<` must begin a tag. */
const tagsIn = (html: string): string[] => Array.from(html.matchAll(/<([a-z-]+)/g), ([, name]) => name!);

describe('share.mjs', async () => {
  const { sharedFiles } = (await import(at('share/share.mjs'))) as {
    sharedFiles: (page: string, models: object[]) => Record<string, string>;
  };
  const hero = { name: 'hero', title: HOSTILE, src: 'models/hero.psk', files: ['models/run.psa'], animation: HOSTILE, image: 'hero.png' };

  it('writes a page with og: tags and an oEmbed response per model, and a description of the provider', () => {
    const files = sharedFiles(PAGE, [hero, { name: 'fox', title: 'Fox', src: 'fox.vgo', width: 300, height: 200 }]);
    expect(Object.keys(files)).toEqual(['hero.oembed.json', 'hero.html', 'fox.oembed.json', 'fox.html', 'oembed.json']);
    const response = JSON.parse(files['hero.oembed.json']!) as Record<string, string | number>;
    // Required by the specification for the type `rich`, and for thumbnails.
    expect(response).toMatchObject({ version: '1.0', type: 'rich', width: 640, height: 400, title: HOSTILE });
    expect(response).toMatchObject({
      thumbnail_url: 'https://models.example/rigcast/hero.png',
      thumbnail_width: 640,
      thumbnail_height: 400,
    });
    expect(tagsIn(response['html'] as string)).toEqual(['iframe']);
    const page = files['hero.html']!;
    expect(page).toContain('<link rel="alternate" type="application/json+oembed" href="https://models.example/rigcast/hero.oembed.json"');
    expect(page).toContain('<meta property="og:image" content="https://models.example/rigcast/hero.png" />');
    expect(tagsIn(page).filter(name => name === 'img')).toEqual([]);
    expect(JSON.parse(files['oembed.json']!)).toEqual([
      {
        provider_name: 'models.example',
        provider_url: 'https://models.example/',
        endpoints: ['hero', 'fox'].map(name => ({
          schemes: [`https://models.example/rigcast/${name}.html`],
          url: `https://models.example/rigcast/${name}.oembed.json`,
          formats: ['json'],
          discovery: true,
        })),
      },
    ]);
  });

  it('refuses a name that leads out of the folder', () =>
    expect(() => sharedFiles(PAGE, [{ ...hero, name: '../index' }])).toThrow('is not a name'));

  it('runs from the command line', () => {
    writeFileSync(join(folder, 'models.json'), JSON.stringify([hero]));
    execFileSync(process.execPath, [at('share/share.mjs'), PAGE, join(folder, 'models.json'), folder]);
    expect(readFileSync(join(folder, 'hero.html'), 'utf8')).toContain('embed.html?src=');
  });
});

describe('WordPress', () => {
  it('the editor encodes the attributes in the URL of the preview', async () => {
    await import(at('wordpress/editor.js'));
    const { rigcastFrameUrl } = globalThis as unknown as { rigcastFrameUrl: (page: string, attributes: object) => string };
    const url = new URL(rigcastFrameUrl(PAGE, { src: `https://a.example/&x=1#${HOSTILE}`, files: ' ', animation: HOSTILE, title: 'Fox' }));
    expect([...url.searchParams]).toEqual([
      ['src', `https://a.example/&x=1#${HOSTILE}`],
      ['animation', HOSTILE],
      ['alt', 'Fox'],
      ['controls', '1'],
    ]);
    expect(url.hash).toBe('');
  });

  it('block.json declares the attributes that the editor and PHP use', () => {
    const { attributes, editorScript } = jsonOf('wordpress/block.json') as { attributes: object; editorScript: string };
    const used = ['frame.php', 'editor.js'].map(name => readFileSync(at(`wordpress/${name}`), 'utf8')).join('');
    for (const name of Object.keys(attributes)) expect(used).toContain(`'${name}'`);
    expect(readdirSync(at('wordpress'))).toContain(editorScript.replace('file:./', ''));
  });
});

it('MediaWiki: the attributes of the tag are parameters of embed.html', () => {
  const [, list] = /PARAMETERS = \[(.*?)\]/.exec(readFileSync(at('mediawiki/src/Frame.php'), 'utf8'))!;
  const names = list!.split(', ').map(name => name.slice(1, -1));
  expect(names.filter(name => !PARAMETERS.some(each => each === name))).toEqual([]);
  expect(jsonOf('mediawiki/extension.json')).toMatchObject({ manifest_version: 2, Hooks: { ParserFirstCallInit: 'main' } });
});

it('all of them use embed.html of the current version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const files = readdirSync(at(''), { recursive: true, encoding: 'utf8' }).filter(
    name => /\.(php|js|json|yml)$/.test(name) && !name.includes('viewer/'),
  );
  const used = files.flatMap(name => Array.from(readFileSync(at(name), 'utf8').matchAll(/\/rigcast@([\w.-]+)\//g), ([, found]) => found!));
  expect(used).toEqual([version, version, version]);
});

const hasPhp = spawnSync('php', ['--version']).status === 0;
describe.skipIf(!hasPhp)('PHP (skipped: php is not installed)', () => {
  const sources = ['wordpress', 'mediawiki/src'].flatMap(path => readdirSync(at(path)).map(name => `${path}/${name}`));
  it.each(sources.filter(path => path.endsWith('.php')))('%s has no syntax error', path => {
    expect(execFileSync('php', ['-l', at(path)], { encoding: 'utf8' })).toContain('No syntax errors');
  });

  const php = (code: string): string => execFileSync('php', ['-r', code], { encoding: 'utf8', input: '' });
  const given = `json_decode('${JSON.stringify({ src: `https://a.example/${HOSTILE}`, title: HOSTILE, animation: HOSTILE, height: '9e9', onload: 'x' }).replace(/['\\]/g, '\\$&')}', true)`;

  it('WordPress: encodes the attributes of the block', () => {
    const html = php(`require '${at('wordpress/frame.php')}'; echo rigcast_frame(${given}, '${PAGE}');`);
    expect(tagsIn(html)).toEqual(['iframe']);
    expect(html).toContain('height:2000px');
    expect(html).not.toContain('onload');
    expect(html).toMatch(/^<iframe(?: [a-z]+="[^"<>]*")+><\/iframe>$/);
  });

  it('MediaWiki: encodes the attributes of the tag in the URL', () => {
    const text = php(
      `require '${at('mediawiki/src/Frame.php')}'; echo json_encode(MediaWiki\\Extension\\Rigcast\\Frame::attributes(${given}, '${PAGE}'));`,
    );
    const frame = JSON.parse(text) as Record<string, string>;
    expect(Object.keys(frame)).toEqual(['src', 'title', 'width', 'height', 'style', 'loading', 'allow']);
    expect(new URL(frame['src']!).searchParams.get('animation')).toBe(HOSTILE);
  });
});

describe('Discourse', async () => {
  const { frameUrl } = (await import(at('discourse/javascripts/discourse/lib/rigcastFrame.js'))) as {
    frameUrl: (page: string, href: string) => string | null;
  };
  it('a link to a model becomes the URL of a frame', () => {
    const url = new URL(frameUrl(PAGE, 'https://files.example/a b.psk?x=1&y="#z')!);
    expect([...url.searchParams.keys()]).toEqual(['src', 'controls']);
    expect(url.searchParams.get('src')).toBe('https://files.example/a%20b.psk?x=1&y=%22#z');
  });
  it.each(['javascript:alert(1)//a.psk', 'http://a.example/a.psk', 'https://u:p@a.example/a.psk', 'https://a.example/a.html', 'a.psk'])(
    'ignores the link %s',
    href => expect(frameUrl(PAGE, href)).toBe(null),
  );
  it('knows the extensions of all models', () => {
    const models = formatTable.filter(({ role }) => role === 'rig' || role === 'model').flatMap(({ extensions }) => extensions);
    for (const extension of models) expect(frameUrl(PAGE, `https://a.example/a.${extension}`)).not.toBe(null);
  });
});

it('Docusaurus: the component compiles, and its properties are attributes of the element', async () => {
  const { transform } = await import('esbuild');
  const source = readFileSync(at('docusaurus/RigcastViewer.jsx'), 'utf8');
  const { code } = await transform(source, { loader: 'jsx', jsx: 'automatic' });
  expect(code).toContain('import("rigcast/element")');
  const shown = /<RigcastViewer (.*?) \/>/.exec(readFileSync(at('docusaurus/README.md'), 'utf8'))![1]!;
  const names = Array.from(shown.matchAll(/([\w-]+)(?:="[^"]*")?/g), ([, name]) => name!).filter(name => /^[a-z-]+$/.test(name));
  for (const name of ['src', 'files', 'animation', 'autoplay', 'alt'])
    expect([name, name in ATTRIBUTES, names.includes(name)]).toEqual([name, true, true]);
});

describe('VS Code', () => {
  const { MODELS, ANIMATIONS, RECORDINGS, filesFor, previewPage } = createRequire(import.meta.url)(at('vscode/page.js')) as {
    MODELS: string[];
    ANIMATIONS: string[];
    RECORDINGS: string[];
    filesFor: (name: string, siblings: string[]) => { model: string; files: string[] };
    previewPage: (options: object) => string;
  };

  it('opens all formats; those of other programs are not opened by default', () => {
    const { contributes } = jsonOf('vscode/package.json') as {
      contributes: { customEditors: { priority: string; selector: { filenamePattern: string }[] }[] };
    };
    const [own, others] = ['default', 'option'].map(priority =>
      contributes.customEditors
        .filter(editor => editor.priority === priority)
        .flatMap(({ selector }) => selector.map(({ filenamePattern }) => filenamePattern.replace('*.', '')))
        .toSorted(),
    );
    const shared = formatTable.flatMap(({ sharedExtensions }) => sharedExtensions);
    const all = formatTable.flatMap(({ extensions }) => extensions);
    // A .gltf file has separate files, which the element reads only if they are local.
    const rest = Object.values(OTHER_FORMATS).flat().filter(each => each !== 'gltf'); // prettier-ignore
    expect(own).toEqual(all.filter(each => !shared.includes(each)).toSorted());
    expect(others).toEqual([...shared, ...rest].toSorted());
    expect([...MODELS, ...ANIMATIONS, ...RECORDINGS].toSorted()).toEqual([...all, ...rest].toSorted());
  });

  it('shows a model with the animations and textures of its folder, and an animation on the most similar model', () => {
    const siblings = ['fox.psk', 'Foxglove.psk', 'fox_run.psa', 'fox_D.png', 'notes.md', 'owl.psk'];
    expect(filesFor('fox.psk', siblings)).toEqual({ model: 'fox.psk', files: ['fox_run.psa', 'fox_D.png'] });
    expect(filesFor('fox_run.psa', siblings)).toEqual({ model: 'fox.psk', files: ['fox_run.psa', 'fox_D.png'] });
    expect(filesFor('run.psa', ['run.psa', 'run.config'])).toEqual({ model: 'run.psa', files: ['run.config'] });
    expect(filesFor('hands.bin', ['hands.bin', 'a.psa'])).toEqual({ model: 'hands.bin', files: [] });
  });

  it('escapes names of files, and allows only its own resources', () => {
    const html = previewPage({
      cspSource: 'https://own.example',
      script: 's.js',
      style: 's.css',
      model: HOSTILE,
      files: [HOSTILE],
      title: HOSTILE,
    });
    expect(tagsIn(html)).toEqual(['html', 'head', 'meta', 'meta', 'title', 'link', 'script', 'body', 'rigcast-viewer']);
    expect(html).toContain("default-src 'none'".replaceAll("'", '&#39;'));
    expect(html).not.toContain('unsafe-inline');
  });
});
