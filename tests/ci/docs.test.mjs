// Pages of docs/ say what the sources say.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, pagesWithBlocks } from '../../.ci/blocks.mjs';
import { printedPages } from '../../.ci/docs.mjs';
import { inRoot } from '../../.ci/lib.mjs';

it('what is printed into docs/ is not older than what it is printed from', async () => {
  const pages = await printedPages();
  expect(pages.filter(({ now }) => now.includes('<!-- printed: ')).map(({ path }) => path)).toContain('docs/element.md');
  for (const { path, now, printed } of pages) expect(now, `${path}: npm run docs -- --write`).toBe(printed);
});

it('the functions and types of all entries are on the page of the API', async () => {
  const page = readFileSync(inRoot('docs/api.md'), 'utf8');
  for (const name of ['open', 'RigFile', 'RigcastLoader', 'Rig', 'carrierOf', 'Animator', 'convert', 'ConvertOptions'])
    expect(page).toContain(`\n### ${name}\n`);
  expect(page).toMatch(/class Rig \{[^]*?\n {2}dispose\(\): void;\n[^]*?\n\}/);
  expect(page).not.toContain('#built');
});

it('every block of code says what it is, so that it is run (npm run docs -- --run) or shown', () => {
  const kinds = pagesWithBlocks().flatMap(page => blocksOf(page).map(({ kind }) => kind));
  for (const kind of ['ts', 'html', 'sh']) expect(kinds.filter(each => each === kind).length).toBeGreaterThan(4);
  expect(kinds.filter(each => each === 'text').length).toBeLessThan(8);
  expect(() => blocksOf('docs/x.md', '```\nwhat is it\n```\n')).toThrow('docs/x.md:2: a block of kind ""');
});

/** The address of a heading, as forges make it. */
const anchorOf = heading =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

it('links of the pages lead somewhere', () => {
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
