// The licences of everything by others that is shipped inside the package and the site, in the words of those others.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble, inRoot } from './lib.mjs';

/** What Emscripten links into rigcast.wasm and its glue, and RapidJSON, which VGO is read with. */
const compiled = [
  { name: 'RapidJSON', license: 'MIT', file: 'rapidjson.txt' },
  { name: 'Emscripten', license: 'MIT', file: 'emscripten.txt' },
  { name: 'musl', license: 'MIT', file: 'musl.txt' },
  { name: 'libc++, libc++abi, compiler-rt (LLVM)', license: 'Apache-2.0 WITH LLVM-exception', file: 'llvm.txt' },
].map(({ file, ...rest }) => ({ ...rest, text: readFileSync(inRoot('docs/notices', file), 'utf8') }));

/** Folder of the package that a module of a bundle comes from; null for the repository's own. */
export function packageFolder(moduleId) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(moduleId.replace(/^\0/, ''))?.[0] ?? null;
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find(entry => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (!file) throw new Trouble(`${name} is bundled and has no licence file in its folder.`);
  return { name: `${name} ${version}`, license, text: readFileSync(join(folder, file), 'utf8') };
}

/** The text for bundles made of these modules, and the compiled core. */
export function noticesOf(moduleIds) {
  const folders = new Set(Array.from(moduleIds, packageFolder).filter(Boolean));
  const all = [...Array.from(folders, noticeOf).sort((a, b) => (a.name < b.name ? -1 : 1)), ...compiled];
  const line = '-'.repeat(80);
  const parts = all.map(({ name, license, text }) => `${line}\n${name} (${license})\n${line}\n\n${text.trim()}\n`);
  return `rigcast contains parts of the following software.\n\n${parts.join('\n')}`;
}

/** A Vite plugin for the page's bundle and one for those of its workers: the first writes the notices of what all of them took. */
export function noticesPlugins() {
  const modules = new Set();
  const moduleParsed = ({ id }) => void modules.add(id);
  const page = {
    name: 'notices',
    moduleParsed,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: noticesOf(modules) });
    },
  };
  return { page, worker: { name: 'notices of workers', moduleParsed } };
}
