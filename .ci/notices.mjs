// Collects the original licence texts of third-party code in the package and the site.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble, inRoot } from './lib.mjs';

const textOf = file => readFileSync(inRoot('docs/notices', file), 'utf8');

/**
 * Third-party libraries in rigcast.wasm and its glue code: RapidJSON, and the libraries that
 * Emscripten links.
 */
const compiled = [
  { name: 'RapidJSON', license: 'MIT', file: 'rapidjson.txt' },
  { name: 'Emscripten', license: 'MIT', file: 'emscripten.txt' },
  { name: 'musl', license: 'MIT', file: 'musl.txt' },
  { name: 'libc++, libc++abi, compiler-rt (LLVM)', license: 'Apache-2.0 WITH LLVM-exception', file: 'llvm.txt' },
].map(({ file, ...rest }) => ({ ...rest, text: textOf(file) }));

/**
 * Third-party libraries inside the three.js package, by file name in examples/jsm/libs. Decoders
 * that a loader fetches have the name of the loader.
 */
const insideThree = {
  'DRACOLoader.js': [{ name: 'Draco (in three.js)', license: 'Apache-2.0', file: 'draco.txt' }],
  'KTX2Loader.js': [{ name: 'Basis Universal (in three.js)', license: 'Apache-2.0', file: 'basis.txt' }],
  'ktx-parse.module.js': [{ name: 'ktx-parse (in three.js)', license: 'MIT', file: 'ktxParse.txt' }],
  'zstddec.module.js': [{ name: 'zstddec (in three.js)', license: 'MIT AND BSD-3-Clause', file: 'zstddec.txt' }],
  'fflate.module.js': [{ name: 'fflate (in three.js)', license: 'MIT', file: 'fflate.txt' }],
  'meshopt_decoder.module.js': [{ name: 'meshoptimizer (in three.js)', license: 'MIT', file: 'meshoptimizer.txt' }],
  'utif.module.js': [
    { name: 'UTIF.js (in three.js)', license: 'MIT', file: 'utif.txt' },
    { name: 'JPEG decoder of PDF.js (in UTIF.js)', license: 'Apache-2.0', file: 'pdfjs.txt' },
  ],
};

/**
 * Returns the folder of the npm package to which a bundled module belongs, or null for modules of
 * this repository.
 */
export function packageFolder(moduleId) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(moduleId.replace(/^\0/, ''))?.[0] ?? null;
}

/**
 * Returns the third-party libraries inside three.js to which a module belongs. Throws a Trouble if
 * a library is missing in the table above.
 */
function insideThreeOf(moduleId) {
  const [, file] = /\/three\/examples\/jsm\/(?:libs\/|loaders\/(?=(?:DRACO|KTX2)Loader))([^?]+)/.exec(moduleId) ?? [];
  if (file === undefined) return [];
  const found = Object.hasOwn(insideThree, file) ? insideThree[file] : null;
  if (!found) throw new Trouble(`three.js brings libs/${file}, which is bundled: add its licence to insideThree in .ci/notices.mjs.`);
  return found.map(({ file: text, ...rest }) => ({ ...rest, text: textOf(text) }));
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find(entry => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (!file) throw new Trouble(`${name} is bundled and has no licence file in its folder.`);
  // The Mozilla Public License requires a notice about where the source code is available.
  const source = `Source code: https://www.npmjs.com/package/${name}/v/${version}`;
  return { name, version, license, text: `${source}\n\n${readFileSync(join(folder, file), 'utf8')}` };
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);

/**
 * Lists the third-party code in the given bundled modules and in the compiled core. Each item has a
 * name, version, licence and licence text.
 */
export function librariesOf(moduleIds) {
  const ids = [...moduleIds];
  const folders = new Set(ids.map(packageFolder).filter(Boolean));
  const inside = new Map(ids.flatMap(insideThreeOf).map(each => [each.name, each]));
  return [...[...folders].map(noticeOf).sort(byName), ...[...inside.values()].sort(byName), ...compiled];
}

/** Returns the text of THIRD-PARTY-NOTICES.txt. */
export function noticesOf(libraries) {
  const line = '-'.repeat(80);
  const parts = libraries.map(
    ({ name, version, license, text }) => `${line}\n${[name, version].filter(Boolean).join(' ')} (${license})\n${line}\n\n${text.trim()}\n`,
  );
  return `${textOf('introduction.txt')}\n${parts.join('\n')}`;
}

/**
 * Returns a software bill of materials in the format CycloneDX 1.5. It contains no date, so that
 * equal builds produce equal files.
 */
export function billOf(libraries) {
  const { name, version, license } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const component = each => ({
    type: 'library',
    name: each.name,
    ...(each.version && { version: each.version, purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}` }),
    licenses: [/ /.test(each.license) ? { expression: each.license } : { license: { id: each.license } }],
  });
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { 'bom-ref': 'rigcast', ...component({ name, version, license }) } },
    components: libraries.map((each, i) => ({ 'bom-ref': `${i}`, ...component(each) })),
  };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

/** Returns the text of the third-party notices and the bill of materials, by file name. */
export const noticeFiles = moduleIds => {
  const libraries = librariesOf(moduleIds);
  return { 'THIRD-PARTY-NOTICES.txt': noticesOf(libraries), 'sbom.cdx.json': billOf(libraries) };
};

/**
 * Returns two Vite plugins, one for a page and one for its workers. The first one writes the
 * notices for the modules of both.
 */
export function noticesPlugins() {
  const modules = new Set();
  const moduleParsed = ({ id }) => void modules.add(id);
  const page = {
    name: 'notices',
    moduleParsed,
    generateBundle() {
      for (const [fileName, source] of Object.entries(noticeFiles(modules))) this.emitFile({ type: 'asset', fileName, source });
    },
  };
  return { page, worker: { name: 'notices of workers', moduleParsed } };
}
