// Checks that the npm package is complete, typed and small: packs it, installs the archive in an
// empty folder, and uses it there.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documents, packPackage, projectUrls, replaceLinks } from './archive.mjs';
import { runBlocks } from './blocks.mjs';
import { inOneBrowser, kilobytes } from './browser.mjs';
import { runChain } from './chain.mjs';
import { Trouble, inRoot, installed, npmCommand, run, start } from './lib.mjs';
import { checkDocs, checkEmbed, checkEmbedInArchive, checkNotice, checkViewer } from './site.mjs';
import { checkWrappers } from './wrappers.mjs';

/**
 * Budget for the disk space that `npm install rigcast` needs without three.js, in bytes. 0.4 MB of
 * it are documents, 0.6 MB the export of GLB by elements and 0.5 MB the libraries that encode videos,
 * each once for bundlers and once for browsers, and in `dist/browser` 0.2 MB the loaders of compressed
 * glTF and 0.7 MB the renderer for WebGPU.
 */
const installBudget = 17_000 * 1000;

/** Returns a PSK with one triangle and one bone. */
export function trianglePsk() {
  const chunk = (id, recordSize, count, data = new Uint8Array(0)) => {
    const bytes = new Uint8Array(32 + data.byteLength);
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode(id));
    view.setInt32(20, 1999801, true);
    view.setInt32(24, recordSize, true);
    view.setInt32(28, count, true);
    bytes.set(new Uint8Array(data.buffer), 32);
    return bytes;
  };
  const points = new Float32Array([0, 0, 0, 100, 0, 0, 0, 100, 0]);
  const wedges = new DataView(new ArrayBuffer(3 * 16)); // fields: point, padding, u, v, material, padding
  for (let i = 0; i < 3; i++) wedges.setUint16(i * 16, i, true);
  const face = new Uint8Array([0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
  const material = new Uint8Array(88);
  material.set(new TextEncoder().encode('triangle'));
  const bone = new Uint8Array(120); // fields: name, flags, children, parent, orientation, position, length, size
  bone.set(new TextEncoder().encode('root'));
  new DataView(bone.buffer).setFloat32(64 + 12 + 12, 1, true);
  const weights = new DataView(new ArrayBuffer(3 * 12)); // fields: weight, point, bone
  for (let i = 0; i < 3; i++) {
    weights.setFloat32(i * 12, 1, true);
    weights.setInt32(i * 12 + 4, i, true);
  }
  return Buffer.concat([
    chunk('ACTRHEAD', 0, 0),
    chunk('PNTS0000', 12, 3, points),
    chunk('VTXW0000', 16, 3, wedges),
    chunk('FACE0000', 12, 1, face),
    chunk('MATT0000', 88, 1, material),
    chunk('REFSKELT', 120, 1, bone),
    chunk('RAWWEIGHTS', 12, 3, weights),
  ]);
}

const must = (result, what) => {
  if (result.code !== 0) throw new Trouble(`${what}:\n\n${result.output}`);
  return result;
};

/**
 * Packs the package with npm and installs the archive in `folder`. The installation is offline and has an
 * empty cache, which works because the package has no dependencies. Returns the path of the
 * archive.
 */
function installPacked(folder) {
  const [npm, ...before] = npmCommand();
  const env = { npm_config_cache: join(folder, '.npm') };
  const archive = packPackage(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--offline', '--no-audit', '--no-fund', archive];
  must(run(npm, [...before, ...install], { cwd: folder, env }), 'The packed package cannot be installed');
  const names = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'));
  if (names.join() !== 'rigcast') throw new Trouble(`npm install rigcast brings more than itself: ${names.join(', ')}`);
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const size = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  if (size > installBudget) throw new Trouble(`npm install rigcast takes ${kilobytes(size)}, budget ${kilobytes(installBudget)}`);
  return archive;
}

/**
 * Opens a valid and a truncated file with the installed package, first in Node and then with its
 * command-line tool.
 */
function useInNode(folder) {
  writeFileSync(join(folder, 'triangle.psk'), trianglePsk());
  writeFileSync(join(folder, 'bad.psk'), trianglePsk().subarray(0, 150));
  writeFileSync(
    join(folder, 'use.js'),
    `import { readFile } from 'node:fs/promises';
     import { open } from 'rigcast';
     const good = await open(await readFile('triangle.psk'), { name: 'triangle.psk' });
     const bad = await open(await readFile('bad.psk'), { name: 'bad.psk' });
     const unknown = await open(new TextEncoder().encode('no model at all'), { name: 'x.bin' });
     const fail = (what, file) => { console.error(what, JSON.stringify(file.report, null, 1)); process.exitCode = 1; };
     if (good.format !== 'psk' || good.scene?.meshes.length !== 1 || good.report.errors !== 0) fail('the good file:', good);
     if (bad.report.errors === 0) fail('the cut file has no error:', bad);
     if (unknown.scene !== null || unknown.report.items[0]?.code !== 'UNKNOWN_FORMAT') fail('the unknown file:', unknown);`,
  );
  must(run(process.execPath, ['use.js'], { cwd: folder }), 'The installed package does not work in node');
  writeFileSync(
    join(folder, 'use.cjs'),
    `const { readFileSync } = require('node:fs');
     const { open } = require('rigcast');
     open(readFileSync('triangle.psk')).then(({ format }) => { if (format !== 'psk') process.exitCode = 1; });`,
  );
  must(run(process.execPath, ['use.cjs'], { cwd: folder }), 'The installed package does not work in node by require');

  const cli = join(folder, 'node_modules/.bin/rigcast');
  const validate = file => run(cli, ['validate', file, '--json'], { cwd: folder });
  const good = must(validate('triangle.psk'), 'The installed command line calls a good file bad');
  if (JSON.parse(good.stdout).files[0].format !== 'psk') throw new Trouble(`rigcast validate --json prints\n\n${good.output}`);
  const bad = validate('bad.psk');
  const { report } = JSON.parse(bad.stdout).files[0];
  if (bad.code !== 1 || report.errors === 0) throw new Trouble(`rigcast validate on a cut file exits ${bad.code}:\n\n${bad.output}`);
  const said = run(cli, ['validate', 'bad.psk'], { cwd: folder }).stdout;
  const [, page, code] = /Advice by code: (file:\S+)#([A-Z_]+)\n/.exec(said) ?? [];
  if (!page || !readFileSync(fileURLToPath(page), 'utf8').includes(`<p id=${code}>`) || !report.items.some(item => item.code === code))
    throw new Trouble(`rigcast validate does not lead to what helps:\n\n${said}`);
}

/** Checks that the package contains the notices of all bundled code and imports only three.js. */
function checkNotices(folder) {
  const dist = join(folder, 'node_modules/rigcast/dist');
  const names = [
    '@noble/ciphers ',
    '@pixiv/three-vrm-materials-mtoon ',
    '@gltf-transform/core ',
    '@gltf-transform/extensions ',
    'meshoptimizer ',
    'RapidJSON',
    'Emscripten',
    'musl',
    'libc++',
    // Libraries in dist/browser and in three.js
    'three ',
    'fflate ',
    'UTIF.js ',
    'JPEG decoder of PDF.js ',
  ];
  for (const name of names) checkNotice(join(dist, 'THIRD-PARTY-NOTICES.txt'), name);
  const { components } = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'));
  for (const name of names)
    if (!components.some(each => `${each.name} `.startsWith(name))) throw new Trouble(`The bill of materials lacks ${name}.`);
  for (const file of readdirSync(dist, { recursive: true }).filter(each => each.endsWith('.js'))) {
    const text = readFileSync(join(dist, file), 'utf8');
    const imported = text.matchAll(/^(?:import|export)\b(?:[^;'"]*\bfrom)?\s*['"]((?!three(?:\/|['"])|node:|\.)[^'"]+)['"]/gm);
    const [name] = Array.from(imported, match => match[1]).filter(each => each !== 'react' || dirname(file) !== 'react');
    if (name) throw new Trouble(`dist/${file} imports ${name}, which the package does not bring.`);
  }
}

/** Checks that frameworks with server components recognise the modules for React as client modules. */
function checkClientModules(folder) {
  const dist = join(folder, 'node_modules/rigcast/dist');
  for (const name of ['index.js', 'r3f.js'])
    if (!readFileSync(join(dist, 'react', name), 'utf8').startsWith("'use client';\n"))
      throw new Trouble(`dist/react/${name} does not begin with 'use client'.`);
}

/**
 * Checks that TypeScript 5.4 can read the declarations: they must not use type parameters of typed
 * arrays, which were introduced in TypeScript 5.7. `npm run consumers` compiles the declarations
 * with 5.4.
 */
function checkDeclarations(folder) {
  const dist = join(folder, 'node_modules/rigcast/dist');
  for (const file of readdirSync(dist, { recursive: true }).filter(each => each.endsWith('.d.ts'))) {
    const [found] = /\b(?:\w+Array|ArrayBufferView)<\w*ArrayBuffer\w*>/.exec(readFileSync(join(dist, file), 'utf8')) ?? [];
    if (found) throw new Trouble(`dist/${file} has ${found}, which TypeScript 5.4 does not understand.`);
  }
}

/** Checks that every module has a source map that contains its source. */
function checkSourceMaps(folder) {
  const module = join(folder, 'node_modules/rigcast/dist/core/open.js');
  const { sources, sourcesContent } = JSON.parse(readFileSync(`${module}.map`, 'utf8'));
  const isNamed =
    /\n\/\/# sourceMappingURL=open\.js\.map\s*$/.test(readFileSync(module, 'utf8')) && sources.join().endsWith('core/open.ts');
  if (!isNamed || sourcesContent.join() !== readFileSync(inRoot('web/src/core/open.ts'), 'utf8'))
    throw new Trouble('dist/core/open.js does not lead to its source.');
}

/**
 * Checks the links of the documents in the package. A link of README.md must be absolute, and a link
 * of another document must be absolute or lead to a file of the package. Absolute links to the
 * repository must lead to a file of this checkout.
 */
export function checkLinks(installedPackage) {
  const { source, raw } = projectUrls();
  const version = raw('').split('/').at(-2);
  const ours = new RegExp(`^(?:${source}/(?:blob|tree)/${version}/|${raw('')})([^#]*)`);
  const lost = documents().flatMap(path => {
    const text = readFileSync(join(installedPackage, path), 'utf8');
    const links = [];
    replaceLinks(text, target => {
      const file = join(installedPackage, dirname(path), target.split('#')[0]);
      if (path === 'README.md' || !existsSync(file)) links.push(target);
      return target;
    });
    for (const [, url] of text.matchAll(/\]\((https:[^)\s]+)\)/g)) {
      const [, file] = ours.exec(url) ?? [];
      if (file !== undefined && !existsSync(inRoot(file))) links.push(url);
    }
    return links.map(link => `${path}: ${link}`);
  });
  if (lost.length > 0) throw new Trouble(`Links of the package lead nowhere:\n\n${lost.join('\n')}`);
}

/** Checks the fields of package.json that are derived from `repository`. */
function checkManifest(folder) {
  const { homepage, bugs, scripts, devDependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/rigcast/package.json'), 'utf8'));
  const { site, issues } = projectUrls();
  if (homepage !== site || bugs?.url !== issues || scripts || devDependencies) throw new Trouble('package.json in the package is wrong.');
}

/** Runs the offline rows of consumers.mjs in a separate process. */
async function tryConsumers(folder) {
  const { code, output } = await start(process.execPath, [inRoot('.ci/main.mjs'), 'consumers', `--offline=${folder}`]);
  const [, passed, failed] = /\n(\d+) passed, (\d+) failed\s*$/.exec(output) ?? ['', 0, 1];
  const note = Array.from(output.matchAll(/^ok .* lines {2}(.+)$/gm), ([, words]) => words).join('; ');
  return { passed: Number(passed), failed: Math.max(Number(failed), code ? 1 : 0), notRun: 0, output, note };
}

/** Runs all checks of the package in a temporary folder. Requires that dist/ has been built. */
export async function checkPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-package-'));
  let archive;
  const attw = ['--profile', 'esm-only', '--exclude-entrypoints', 'rigcast.wasm', 'findings.html'];
  const tests = [
    { name: 'publint', run: async () => void must(await start(installed('publint'), ['--strict', archive]), 'publint') },
    { name: 'types', run: async () => void must(await start(installed('attw'), [archive, ...attw]), 'attw') },
    { name: 'old types', run: () => checkDeclarations(folder) },
    { name: 'source maps', run: () => checkSourceMaps(folder) },
    { name: 'package.json', run: () => checkManifest(folder) },
    { name: 'links', run: () => checkLinks(join(folder, 'node_modules/rigcast')) },
    { name: 'client modules', run: () => checkClientModules(folder) },
    { name: 'in node', run: () => useInNode(folder) },
    { name: 'notices', run: () => checkNotices(folder) },
    { name: 'documentation', run: () => runBlocks(folder) },
    { name: 'viewer', run: () => checkViewer() },
    { name: 'documentation', run: () => checkDocs() },
    { name: 'embed', run: () => checkEmbed(folder) },
    { name: 'wrappers', run: () => checkWrappers(folder) },
    { name: 'embed in the archive', run: () => checkEmbedInArchive(archive, folder) },
  ];
  try {
    const first = await runChain([{ name: 'install', run: () => void (archive = installPacked(folder)) }]);
    if (first.failed) return { ...first, notRun: tests.length };
    const results = [first, ...(await Promise.all([tryConsumers(folder), inOneBrowser(() => runChain(tests))]))];
    const sum = key => results.reduce((total, result) => total + result[key], 0);
    const text = (key, isWanted) =>
      results
        .filter(isWanted)
        .map(result => result[key])
        .filter(Boolean)
        .join('; ');
    return {
      passed: sum('passed'),
      failed: sum('failed'),
      notRun: sum('notRun'),
      output: text('output', ({ failed }) => failed > 0),
      note: text('note', () => true),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
