// The code cites the format references in docs/formats by file and section, and other pages as `docs/page.md`. Every cited file and section must exist.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../.ci/lib.mjs';

const references = inRoot('docs/formats');
/** The reference that a bare "section N" means in a format's folder. */
const ofFolder = {
  cast: 'cast.md',
  se: 'se.md',
  ueformat: 'ueformat.md',
  unreal: 'psk-psa.md',
  vgo: 'vgo.md',
  mrtk: 'mrtk-input-animation.md',
};

/** Numbers of all headings: "7", "7.3". */
const sectionsOf = page =>
  new Set(Array.from(readFileSync(join(references, page), 'utf8').matchAll(/^#{2,4} (\d+(?:\.\d+)?)\.? /gm), ([, n]) => n));
const pages = new Map(
  readdirSync(references)
    .filter(name => name !== 'README.md')
    .map(page => [page, sectionsOf(page)]),
);

/**
 * Lists the citations in the comments of a text. Sections belong to the page that is named before them
 * in the same line or at the end of the previous line, otherwise to the page of the folder.
 */
export function citationsIn(text, folderPage) {
  const found = [];
  let lastNamed;
  for (const [i, line] of text.split('\n').entries()) {
    if (!/(^|\s)(\/\/|\/\*|\*|#)/.test(line)) {
      lastNamed = undefined;
      continue; // comments only
    }
    let page = lastNamed ?? folderPage;
    for (const [all, named, numbers] of line.matchAll(/\b((?:docs\/)?[a-z-]+\.md)\b|\bsections? (\d[\d., and to]*)/g)) {
      if (named) {
        found.push({ line: i + 1, page: (page = named) });
      } else if (page) {
        for (const [section] of numbers.matchAll(/\d+(?:\.\d+)?/g)) found.push({ line: i + 1, page, section });
      } else found.push({ line: i + 1, page: null, section: all });
    }
    lastNamed = /\.md\W*$/.test(line) ? page : undefined;
  }
  return found;
}

const isSource = name => /\.(cpp|hpp|def|ts|mjs)$/.test(name);
const sources = ['wasm', 'web/src', 'tests'].flatMap(top =>
  readdirSync(inRoot(top), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && isSource(entry.name) && entry.name !== 'citations.test.mjs')
    .map(entry => join(entry.parentPath, entry.name)),
);

describe('citations of the format references', () => {
  it('are parsed into page and section', () => {
    expect(citationsIn('// as vgo.md sections 5.1 and 11 say', undefined)).toEqual([
      { line: 1, page: 'vgo.md' },
      { line: 1, page: 'vgo.md', section: '5.1' },
      { line: 1, page: 'vgo.md', section: '11' },
    ]);
    expect(citationsIn('int x; // (section 7.3)', 'psk-psa.md')).toEqual([{ line: 1, page: 'psk-psa.md', section: '7.3' }]);
    expect(citationsIn('// docs/convert.md has the table', undefined)).toEqual([{ line: 1, page: 'docs/convert.md' }]);
    expect(citationsIn('// (vgo.md,\n// section 5)\n// section 6', 'psk-psa.md')).toEqual([
      { line: 1, page: 'vgo.md' },
      { line: 2, page: 'vgo.md', section: '5' },
      { line: 3, page: 'psk-psa.md', section: '6' },
    ]);
    expect(citationsIn('// (section 7.3)', undefined)).toEqual([{ line: 1, page: null, section: 'section 7.3' }]);
  });

  it('lead to existing pages and sections', () => {
    const lost = [];
    let count = 0;
    for (const file of sources) {
      const folder = /formats\/([a-z]+)\//.exec(file)?.[1];
      for (const { line, page, section } of citationsIn(readFileSync(file, 'utf8'), ofFolder[folder])) {
        count++;
        const isThere = page?.startsWith('docs/')
          ? !section && existsSync(inRoot(page))
          : page && pages.has(page) && (!section || pages.get(page).has(section));
        if (!isThere) lost.push(`${file.slice(inRoot().length)}:${line}: ${page ?? 'no page'} ${section ?? ''}`);
      }
    }
    expect(lost).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
