// The pages of the documentation site.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { apiNames, docsPages, exampleFiles, sections, shownBlocks, sidebar } from '../../.ci/docsPages.mjs';
import { inRoot } from '../../.ci/lib.mjs';

const pages = docsPages();
const guide = name => pages.get(`${name}.md`);

it('every document is in the navigation', () => {
  const listed = sections().flatMap(([, links]) => links.map(([, page]) => page));
  const documents = readdirSync(inRoot('docs')).filter(name => name.endsWith('.md') && name !== 'README.md');
  expect(documents.filter(name => !listed.includes(name))).toEqual([]);
  expect(listed.filter(page => !existsSync(inRoot('docs', page)))).toEqual([]);
});

it('every link of a sidebar is a page', () => {
  const links = items => items.flatMap(({ link, items: inner = [] }) => [...(link ? [link] : []), ...links(inner)]);
  const all = links(Object.values(sidebar()).flat());
  expect(all.length).toBeGreaterThan(250);
  const pageOf = link => `${link.slice(1).replace(/#.*/, '').replace(/\/$/, '/index')}.md`;
  expect(all.filter(link => !pages.has(pageOf(link)))).toEqual([]);
});

it('every link between pages leads to a page', () => {
  const lost = [...pages].flatMap(([path, text]) => {
    const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
    return Array.from(prose.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g), ([, target]) => posix.join(posix.dirname(path), target)).filter(
      target => !pages.has(target) && !existsSync(inRoot('docs', target)),
    );
  });
  expect(lost).toEqual([]);
});

it('every name of an entry has a page of its own, also where case is ignored', () => {
  const names = apiNames();
  expect(new Set(names.map(({ page }) => page.toLowerCase())).size).toBe(names.length);
  const [upper, lower] = apiNames(
    '## rigcast\n\n### Bind\n\nA.\n\n```typescript\ninterface Bind {}\n```\n\n### bind\n\nB.\n\n```typescript\nfunction bind(): void;\n```\n',
  );
  expect([upper.page, lower.page]).toEqual(['api/core/Bind', 'api/core/bind-function']);
});

it('the page of a class has its members, the types that it uses, and examples that can run', () => {
  const page = pages.get('api/three/RigcastLoader.md');
  expect(page).toContain("import { RigcastLoader } from 'rigcast/three';");
  expect(page).toMatch(/### setFiles\n\nSets where companion files/);
  expect(page).toMatch(/Types and functions in this declaration: .*\[`Rig`\]\(\.\.\/\.\.\/api\/three\/Rig\.md\)/);
  expect(page).toMatch(/## Examples\n\n```ts\n[^]*<RunBlock name="README-md-2" \/>/);
});

it('the list of the API begins with the names that examples import most often', () => {
  const [, first] = /## Names in the examples[^]*?\n\| \[`(\w+)`\]/.exec(pages.get('api.md'));
  expect(first).toBe('RigcastLoader');
});

it('blocks that draw something can be run, others cannot', () => {
  const names = shownBlocks().map(({ name }) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(guide('recipes')).toContain('<RunBlock name="docs-recipes-md-2" />'); // draws with help.look
  expect(guide('recipes')).not.toContain('<RunBlock name="docs-recipes-md-0" />'); // returns a clip
  expect(guide('start')).not.toContain('<RunBlock name="docs-start-md-0" />'); // loads rigcast from a CDN
});

it('the page of examples has all of them', () => {
  const files = readdirSync(inRoot('web/examples')).filter(name => name.endsWith('.html') && name !== 'index.html');
  expect(exampleFiles().map(({ file }) => file)).toEqual(expect.arrayContaining(files));
  for (const file of files) expect(pages.get('examples.md')).toContain(`<RunBlock path="../examples/${file}" />`);
});

it('codes on the page of symptoms exist', () => {
  const known =
    readFileSync(inRoot('docs/findings.md'), 'utf8') +
    readFileSync(inRoot('docs/errors.md'), 'utf8') +
    readFileSync(inRoot('docs/convert.md'), 'utf8');
  const codes = readFileSync(inRoot('docs/troubleshooting.md'), 'utf8').match(/\b[A-Z]+_[A-Z_]+\b/g);
  expect(codes.length).toBeGreaterThan(8);
  expect(codes.filter(code => !known.includes(code))).toEqual([]);
});
