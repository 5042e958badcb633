// Pages of docs/ say what the sources say.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { blocksOf, pagesWithBlocks } from '../../.ci/blocks.mjs';
import { findingsPage } from '../../.ci/findings.mjs';
import { inRoot } from '../../.ci/lib.mjs';
import { firstLoads } from '../../.ci/size.mjs';
import { elementManual } from '../../.ci/sources.mjs';
import { MODEL_VIEWER_ATTRIBUTES } from '../support/modelViewerAttributes.ts';

it('docs/api.md lists the functions and types of all entry points', async () => {
  const page = readFileSync(inRoot('docs/api.md'), 'utf8');
  for (const name of ['open', 'RigFile', 'RigcastLoader', 'Rig', 'createRetargeter', 'Animator', 'convert', 'ConvertOptions'])
    expect(page).toContain(`\n### ${name}\n`);
  expect(page).toMatch(/class Rig \{[^]*?\n {2}dispose\(\): void;\n[^]*?\n\}/);
  expect(page).not.toContain('#built');
});

it('every code block of the documents has a language', () => {
  const blocks = pagesWithBlocks().flatMap(page => blocksOf(page));
  for (const kind of ['ts', 'html', 'sh']) expect(blocks.filter(each => each.kind === kind).length).toBeGreaterThan(4);
  const unchecked = blocks.filter(({ kind, at }) => kind === 'text' && !at.startsWith('docs/start.md')); // consumers.mjs runs those of the quick starts
  expect(unchecked.length).toBeLessThan(5);
  expect(() => blocksOf('docs/x.md', '```\nwhat is it\n```\n')).toThrow('docs/x.md:2: a block of kind ""');
});

it('findings.html contains every code with its advice and no script', () => {
  const page = findingsPage();
  const codes = [...readFileSync(inRoot('docs/findings.md'), 'utf8').matchAll(/^### (.*)$/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(150);
  const order = (a, b) => (a < b ? -1 : 1);
  expect(Array.from(page.matchAll(/<p id=(\w+)>/g), ([, code]) => code).sort(order)).toEqual(codes.sort(order));
  const [, advice, group] = /<h2>What helps: ([^]*?)<\/h2>([^]*?)<\/section>/.exec(
    page.slice(page.lastIndexOf('<section>', page.indexOf('id=TRUNCATED'))),
  );
  expect(advice).toContain('Download or copy the file again');
  expect(group).toContain('<p id=TRUNCATED><b>TRUNCATED</b>Error. The data is cut off; everything before the cut was read.');
  expect(page).not.toMatch(/<script|\]\(|<!--/);
});

/** The address of a heading, as forges make it. */
const anchorOf = heading =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

it('the package page states the first-load budgets that are enforced', () => {
  const page = readFileSync(inRoot('docs/package.md'), 'utf8');
  const stated = Array.from(page.matchAll(/less than (\d+) KB gzipped/g), ([, kilobytes]) => Number(kilobytes) * 1000);
  expect(stated).toEqual([firstLoads.browser.budget, firstLoads.bundled.budget, firstLoads.oldVite.budget]);
  expect(page).toContain(`three steps, at most ${['seven', 'eight', 'nine'][firstLoads.browser.files - 7]} files`);
});

it('the package page states the sizes of the WebAssembly modules, up to 3 KB', () => {
  const page = readFileSync(inRoot('docs/package.md'), 'utf8');
  const stated = Array.from(page.matchAll(/`(\w+)\.wasm` (?:\|[^|]*\| (\d+) \||\((\d+) KB gzipped\))/g), ([, name, ...sizes]) => [
    name,
    Number(sizes.find(Boolean)),
  ]);
  const modules = readdirSync(inRoot('web/src/core/wasm')).filter(name => name.endsWith('.wasm'));
  expect(stated.map(([name]) => `${name}.wasm`).toSorted()).toEqual(modules);
  const sizes = stated.map(([name]) => gzipSync(readFileSync(inRoot(`web/src/core/wasm/${name}.wasm`)), { level: 9 }).byteLength / 1000);
  expect(stated.filter(([, kilobytes], i) => Math.abs(kilobytes - sizes[i]) > 3)).toEqual([]);
});

it('the page of the element names the attributes of model-viewer that it does not have', async () => {
  const { ATTRIBUTE_MANUAL } = await elementManual();
  const page = readFileSync(inRoot('docs/element.md'), 'utf8').split('## Differences from model-viewer')[1];
  const missing = MODEL_VIEWER_ATTRIBUTES.filter(name => !(name in ATTRIBUTE_MANUAL));
  expect(missing.length).toBeGreaterThan(15);
  expect(missing.filter(name => !page.includes(`\`${name}\``))).toEqual([]);
});

it('the comparison counts the formats that only rigcast opens in pages', () => {
  const page = readFileSync(inRoot('docs/compare.md'), 'utf8');
  const rows = Array.from(
    page.matchAll(/^\| (rigcast|three\.js r\d+[^|]*|model-viewer [\d.]+|Babylon viewer [\d.]+|Online3DViewer [^|]*) \| (.*) \|$/gm),
    ([, , cells]) => cells.split(' | '),
  );
  expect(rows).toHaveLength(5);
  const [own, ...others] = rows;
  const count = own.filter((cell, i) => cell === 'yes' && others.every(row => row[i] === '–')).length;
  const [, word] = /rigcast opens (\w+) groups of formats/.exec(page);
  expect(['four', 'five', 'six', 'seven', 'eight'].indexOf(word) + 4).toBe(count);
});

it('links in the documents resolve', () => {
  const lost = pagesWithBlocks().flatMap(page => {
    const prose = readFileSync(inRoot(page), 'utf8').replace(/^```.*?^```$/gms, '');
    return Array.from(prose.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)).flatMap(([link, path, anchor]) => {
      const target = inRoot(path === '' ? page : join(dirname(page), path));
      if (!existsSync(target)) return [`${page}: ${link}`];
      if (!anchor || statSync(target).isDirectory()) return [];
      const headings = Array.from(readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading));
      return headings.includes(anchor) ? [] : [`${page}: ${link}`];
    });
  });
  expect(lost).toEqual([]);
});

it('files, names and scripts in HACKING.md exist', () => {
  const files = ['.ci', '.github', 'docs', 'tests', 'wasm', 'web'].flatMap(top =>
    readdirSync(inRoot(top), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(inRoot(), join(entry.parentPath, entry.name))),
  );
  const sources = files.filter(file => /\.(ts|mjs|cpp|hpp|def)$/.test(file) && !/\/vendor\//.test(file));
  const text = sources.map(file => readFileSync(inRoot(file), 'utf8')).join('\n');
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const isFile = path => files.some(file => `/${file}`.endsWith(`/${path}`) || `/${file}`.includes(`/${path}/`));
  const isWord = name => new RegExp(`\\b${name}\\b`).test(text);
  const prose = readFileSync(inRoot('HACKING.md'), 'utf8');
  const names = Array.from(prose.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\s<*]+)`/g), ([, name]) => name);
  const commands = Array.from(prose.matchAll(/npm run (\w+)/g), ([, name]) => name);
  const tests = Array.from(prose.matchAll(/tests\/\S+\.test\.\w+/g), ([path]) => path);
  const isKnown = name => (/[/]|\.\w+$/.test(name) ? isFile(name) : name.split(/::|\./).every(isWord));
  const ofOthers = ['OWNER', 'README.md', 'CHANGELOG.md', 'package.json'];
  expect(names.filter(name => !ofOthers.includes(name.split(':')[0]) && !isKnown(name))).toEqual([]);
  expect([...commands.filter(name => !scripts[name]), ...tests.filter(path => !isFile(path))]).toEqual([]);
});
