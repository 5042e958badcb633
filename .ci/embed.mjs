// Builds embed.html, the page for iframes: in the package, in the site, and as a ZIP file for
// people who have no tools to build it.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Trouble, inRoot } from './lib.mjs';
import { policyOf } from './policy.mjs';

const source = name => inRoot('web/src/embed', name);

/** Replaces a text that must occur once. */
function replaced(text, from, to) {
  if (text.split(from).length !== 2) throw new Trouble(`embed.html must contain ${from} once.`);
  return text.replace(from, () => to);
}

/**
 * Returns the text of embed.html for a folder that contains `browser/embed.js`. `roots`: folders
 * that the page may read. `parents`: origins that may control it. Both are lists separated by
 * spaces.
 */
export function embedPage({ roots = './', parents = '' } = {}) {
  // In a sandboxed frame, which has no origin, the page starts its worker from a Blob. Models and
  // posters can be on any server.
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(' http: https:')}" />`;
  return [
    ['<meta charset="utf-8" />', `<meta charset="utf-8" />\n    ${policy}`],
    ['name="rigcast-root" content="./"', `name="rigcast-root" content="${roots}"`],
    ['name="rigcast-parents" content=""', `name="rigcast-parents" content="${parents}"`],
    ['./style.css', './browser/embed.css'],
    ['./embed.ts', './browser/embed.js'],
  ].reduce((text, [from, to]) => replaced(text, from, to), readFileSync(source('embed.html'), 'utf8'));
}

/**
 * Writes dist/embed.html and its style sheet; bundles.mjs has written the script. CDNs for npm
 * serve this page, so it reads every https URL, and every page may control it: it can read nothing
 * that the surrounding page could not fetch itself.
 */
export function writeEmbedPage() {
  copyFileSync(source('style.css'), inRoot('dist/browser/embed.css'));
  writeFileSync(inRoot('dist/embed.html'), embedPage({ roots: './ https:', parents: '*' }));
}

/** Returns the names of the scripts in dist/browser that `names` import, and `names` themselves. */
function scriptsOf(...names) {
  const found = new Set(names);
  for (const name of found)
    for (const [, other] of readFileSync(inRoot('dist/browser', name), 'utf8').matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) found.add(other);
  return [...found];
}

const README = `rigcast: 3D models with animations in an <iframe>

1. Copy this folder to a web server, for example as "rigcast".
2. Copy the models into it, for example into "rigcast/models".
3. Write on your page:
   <iframe src="https://YOUR.SERVER/rigcast/embed.html?src=models/hero.psk&amp;controls" width="640" height="400"></iframe>

The page reads only its own folder. To allow other folders, edit the line "rigcast-root" of embed.html.
To let a page on another server control the playback, edit the line "rigcast-parents".
share.mjs writes pages with link previews and oEmbed for your models; its first lines explain how to run it.
browser/element.js defines the tag <rigcast-viewer> for pages that may contain scripts.
`;

/**
 * Returns the bytes of all files of the page, by path: embed.html, which reads only its own folder,
 * and its scripts, styles and WebAssembly modules. Requires that dist/ has been built.
 */
export function embedFiles() {
  const text = content => new TextEncoder().encode(content);
  const files = { 'embed.html': text(embedPage()) };
  const copied = [
    ...[...scriptsOf('embed.js', 'element.js', 'worker.js'), 'embed.css'].map(name => `browser/${name}`),
    ...readdirSync(inRoot('dist/core/wasm'))
      .filter(name => name.endsWith('.wasm') && name !== 'rigcast.wasm')
      .map(name => `core/wasm/${name}`),
    'findings.html',
  ];
  for (const path of copied) files[path] = new Uint8Array(readFileSync(inRoot('dist', path)));
  return files;
}

/** Writes files, given by path, into a folder. */
function writeFiles(folder, files) {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

/** Writes the page and its files into a folder, such as dist/site. */
export const placeEmbed = folder => writeFiles(folder, embedFiles());

/**
 * Returns a ZIP file that depends only on the names and bytes of the files: names are sorted, and
 * each file has the earliest date of the format.
 */
export async function zipOf(files) {
  const { zipSync } = await import('fflate');
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return zipSync(sorted, { level: 9, mtime: new Date(1980, 0, 1), os: 3 });
}

/** Unpacks a ZIP file into a folder. */
export async function unzip(zip, folder) {
  const { unzipSync } = await import('fflate');
  writeFiles(folder, unzipSync(new Uint8Array(readFileSync(zip))));
}

/** Path of the ZIP file for releases. */
export function embedZip() {
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return inRoot(`build/release/rigcast-embed-${version}.zip`);
}

/** Writes the ZIP file for releases, which also contains licences, a short README and share.mjs. */
export async function writeEmbedZip() {
  const others = {
    LICENSE: 'LICENSE',
    'THIRD-PARTY-NOTICES.txt': 'dist/THIRD-PARTY-NOTICES.txt',
    'share.mjs': 'web/examples/share/share.mjs',
  };
  const files = { ...embedFiles(), 'README.txt': new TextEncoder().encode(README) };
  for (const [name, path] of Object.entries(others)) files[name] = new Uint8Array(readFileSync(inRoot(path)));
  mkdirSync(dirname(embedZip()), { recursive: true });
  writeFileSync(embedZip(), await zipOf(files));
}
