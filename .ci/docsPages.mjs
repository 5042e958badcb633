// Prepares the Markdown pages of the documentation site from docs/: splits docs/api.md into a page
// per name, adds examples to these pages, and resolves links. `.ci/docsSite.mjs` builds the site.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { projectUrls, replaceLinks } from './archive.mjs';
import { blocksOf, isDrawn, isPage, pagesWithBlocks } from './blocks.mjs';
import { Trouble, inRoot } from './lib.mjs';

const read = path => readFileSync(inRoot(path), 'utf8');

/** Returns the path of a page on the site for a document of the repository. The site has a landing page instead of docs/README.md. */
const siteName = path => (path === 'docs/README.md' ? 'contents.md' : path.replace(/^docs\//, '').replace(/README\.md$/, 'index.md'));

/** Lists the documents that are pages of the site. */
export const sitePages = () => [
  ...['docs', 'docs/formats'].flatMap(folder =>
    readdirSync(inRoot(folder))
      .filter(name => name.endsWith('.md'))
      .map(name => `${folder}/${name}`),
  ),
  'CHANGELOG.md',
];

/** Blocks of the documents that draw a picture in a page. The site can run them. */
export const shownBlocks = () =>
  pagesWithBlocks()
    .flatMap(page => blocksOf(page))
    .filter(block => isPage(block) && isDrawn(block) && !block.code.includes('cdn.jsdelivr.net') && !block.code.includes('example.com'));

/**
 * Returns the sections of docs/README.md with their links, as [title, [text, page][]][]. They are
 * the navigation of the site.
 */
export function sections() {
  return read('docs/README.md')
    .split(/^## /m)
    .slice(1)
    .map(part => [part.split('\n')[0], Array.from(part.matchAll(/^- \[(.+)\]\(([^)]+)\)$/gm), ([, text, page]) => [text, page])])
    .filter(([, links]) => links.length > 0);
}

/** Replaces links to documents by links between pages of the site, and other links to files by URLs of the repository. */
function linked(path, text, kept, urls) {
  return replaceLinks(text, target => {
    const [name, anchor] = target.split('#');
    const file = posix.join(posix.dirname(path), name);
    const suffix = anchor ? `#${anchor}` : '';
    if (kept.has(file)) return posix.relative(posix.dirname(siteName(path)), siteName(file)) + suffix;
    if (/\.(png|svg)$/.test(file) && file.startsWith('docs/')) return `./${target}`;
    if (!existsSync(inRoot(file))) throw new Trouble(`${path} links to ${target}, which does not exist.`);
    return `${urls.file(file)}${suffix}`;
  });
}

const runTag = name => `<RunBlock name="${name}" />`;

/** Adds a button that runs the code below each block that draws a picture. */
function withRuns(path, text, shown) {
  if (!pagesWithBlocks().includes(path)) return text;
  const blocks = blocksOf(path, text);
  let index = 0;
  return text.replace(/^```[^\n]*\n.*?^```$/gms, block => {
    const { name } = blocks[index++];
    return shown.has(name) ? `${block}\n\n${runTag(name)}` : block;
  });
}

/** Returns the first sentence of a comment. */
const firstSentence = text => /^[^]*?[.](?=\s|$)/.exec(text)?.[0] ?? text;

/** Groups of the names of an entry, in the order of the sidebar. */
export const GROUPS = ['Functions', 'Classes', 'Constants', 'Types'];

function groupOf(declaration) {
  if (/^(export )?(declare )?function\b/.test(declaration)) return 'Functions';
  if (/^(export )?(abstract )?class\b/.test(declaration)) return 'Classes';
  return /^const\b/.test(declaration) ? 'Constants' : 'Types';
}

/**
 * Returns the names that docs/api.md lists, each as { entry, name, comment, declaration, group,
 * page }. `page` is the path of its page on the site, without extension. Names that differ only in
 * case have different pages, because some file systems do not distinguish case.
 */
export function apiNames(text = read('docs/api.md')) {
  const taken = new Set();
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap(section => {
      const entry = section.split('\n')[0];
      return section
        .split(/^### /m)
        .slice(1)
        .map(part => {
          const [, name, comment, declaration] = /^(\w+)\n+([^]*?)```typescript\n([^]*?)\n```/.exec(part) ?? [];
          if (!name) throw new Trouble(`docs/api.md has a section without a declaration: ${part.slice(0, 40)}`);
          const group = groupOf(declaration);
          const folder = `api/${entry === 'rigcast' ? 'core' : entry.slice('rigcast/'.length)}`;
          let page = `${folder}/${name}`;
          if (taken.has(page.toLowerCase())) page += group === 'Types' ? '-type' : '-function';
          taken.add(page.toLowerCase());
          return { entry, name, comment: comment.trim(), declaration, group, page };
        });
    });
}

/** Returns the members of a class that have a comment, as { name, comment }. */
const membersOf = declaration =>
  Array.from(
    declaration.matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}((?:static |readonly |get |set |async |override )*)(\w+)/gm),
    ([, comment, , name]) => ({ name, comment }),
  );

/** Returns the names that a block imports from the package, as `entry name`. */
function importsOf(code) {
  const found = code.matchAll(/import (?:type )?\{([^}]*)\} from '(rigcast(?:\/\w+)?)'/g);
  return Array.from(found, ([, names, entry]) => names.split(',').map(name => `${entry} ${name.replace(/\btype /, '').trim()}`)).flat();
}

/** Returns the heading above a position of a page as a link from a page in api/ENTRY. */
function placeOf({ at }) {
  const [path, line] = at.split(':');
  const before = read(path)
    .split('\n')
    .slice(0, Number(line))
    .join('\n')
    .replace(/^```.*?^```$/gms, '');
  const [title, anchor] = [...before.matchAll(/^#+ (.+)$/gm)]
    .map(([, heading]) => heading)
    .slice(-1)
    .map(heading => [heading, slug(heading)])[0];
  return path === 'README.md' ? null : `[${title}](../../${siteName(path)}#${anchor})`;
}

/** Returns the anchor of a heading, as GitHub creates it. The site uses the same anchors. */
export const slug = heading =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Returns the pages of all names, by path. */
function apiPages(names, shown) {
  const blocks = pagesWithBlocks().flatMap(page => blocksOf(page));
  const pages = new Map();
  const linkTo = ({ name, page }) => `[\`${name}\`](../../${page}.md)`;
  for (const each of names) {
    const { entry, name, comment, declaration, page, group } = each;
    const words = new Set(declaration.match(/\b[A-Za-z]\w*\b/g));
    const used = names.filter(other => other !== each && other.entry === entry && words.has(other.name));
    const users = names.filter(other => other !== each && other.entry === entry && new RegExp(`\\b${name}\\b`).test(other.declaration));
    const examples = blocks.filter(({ code }) => importsOf(code).includes(`${entry} ${name}`));
    const parts = [`# ${name}`, comment];
    if (group !== 'Types') parts.push(`\`\`\`typescript\nimport { ${name} } from '${entry}';\n\`\`\``);
    const members = group === 'Classes' ? membersOf(declaration) : [];
    const code = group === 'Classes' ? declaration.replace(/^ {2}\/\*\*.*\*\/\n/gm, '') : declaration;
    parts.push(`\`\`\`typescript\n${code}\n\`\`\``);
    if (used.length > 0) parts.push(`Types and functions in this declaration: ${used.map(linkTo).join(', ')}.`);
    if (users.length > 0) parts.push(`Used by: ${users.map(linkTo).join(', ')}.`);
    if (members.length > 0) parts.push('## Members', ...members.map(member => `### ${member.name}\n\n${member.comment}`));
    if (examples.length > 0) parts.push('## Examples');
    for (const block of examples.slice(0, 3)) {
      const place = placeOf(block);
      parts.push(`${place ? `From ${place}:\n\n` : ''}\`\`\`${block.kind}\n${block.code}\`\`\``);
      if (shown.has(block.name)) parts.push(runTag(block.name));
    }
    pages.set(`${page}.md`, `${parts.filter(Boolean).join('\n\n')}\n`);
  }
  pages.set('api.md', overview(names, blocks));
  return pages;
}

/** Returns the page that lists all names, those that examples use most often first. */
function overview(names, blocks) {
  const uses = new Map();
  for (const { code } of blocks) for (const key of new Set(importsOf(code))) uses.set(key, (uses.get(key) ?? 0) + 1);
  const row = ({ name, page, comment }) => `| [\`${name}\`](${page}.md) | ${firstSentence(comment).replaceAll('|', '\\|')} |`;
  const table = list => ['| name | |', '|---|---|', ...list.map(row)].join('\n');
  const count = ({ entry, name }) => uses.get(`${entry} ${name}`) ?? 0;
  const first = names.filter(each => count(each) > 0).sort((a, b) => count(b) - count(a));
  const entries = [...new Set(names.map(({ entry }) => entry))];
  return [
    '# API',
    'Each name has a page with its declaration and with examples. [Versions](versions.md) explains which of them can change.',
    '## Names in the examples',
    `The names that most pages need, ordered by how often the examples of this documentation import them.\n\n${table(first.slice(0, 20))}`,
    ...entries.flatMap(entry => [
      `## ${entry}`,
      ...GROUPS.flatMap(group => {
        const list = names.filter(each => each.entry === entry && each.group === group);
        return list.length > 0 ? [`### ${group} of ${entry}`, table(list)] : [];
      }),
    ]),
  ].join('\n\n');
}

/** The example pages of web/examples in the order of their index: file, title, description and code. */
export const exampleFiles = () =>
  Array.from(read('web/examples/index.html').matchAll(/href="\.\/(\w+\.html)"/g), ([, file]) => {
    const code = read(`web/examples/${file}`);
    return { file, title: /<title>(.*)<\/title>/.exec(code)[1], about: /<p>([^]*?)<\/p>/.exec(code)[1], code };
  });

function examplesPage() {
  const parts = exampleFiles().map(
    ({ file, title, about, code }) =>
      `## ${title}\n\n${about}\n\n<RunBlock path="../examples/${file}" />\n\n::: details Code\n\`\`\`html\n${code}\`\`\`\n:::`,
  );
  return [
    '# Examples',
    'Each example is one page. They share [example.css](web/examples/example.css) and [scene.js](web/examples/scene.js).',
    ...parts,
  ].join('\n\n');
}

/** Front matter of pages that are not a file of docs/ with the same path. */
const notEditable = '---\neditLink: false\n---\n\n';

/** Returns all pages of the site as Markdown, by path. */
export function docsPages(urls = projectUrls()) {
  const documents = sitePages();
  const kept = new Set(documents);
  const shown = new Set(shownBlocks().map(({ name }) => name));
  const pages = new Map();
  for (const path of documents) {
    if (path === 'docs/api.md') continue;
    const text = withRuns(path, read(path), shown).replace(/^<!-- run: .*? -->\n+/gm, '');
    const isEditable = path.startsWith('docs/') && siteName(path) === path.slice('docs/'.length);
    pages.set(siteName(path), (isEditable ? '' : notEditable) + linked(path, text, kept, urls));
  }
  pages.set('examples.md', notEditable + linked('README.md', examplesPage(), kept, urls));
  for (const [path, text] of apiPages(apiNames(), shown))
    pages.set(path, notEditable.replace('\n---\n\n', path === 'api.md' ? '\noutline: 2\n---\n\n' : '\n---\n\n') + text);
  return pages;
}

/**
 * Returns the sidebars in the form that VitePress expects: one for the guides, and one for each
 * entry of the package. One sidebar with all names would make each of their pages large.
 */
export function sidebar() {
  const names = apiNames();
  const entries = [...new Set(names.map(({ entry }) => entry))];
  const of = entry => names.filter(each => each.entry === entry);
  const groups = entry =>
    GROUPS.map(group => ({
      text: group,
      items: of(entry)
        .filter(each => each.group === group)
        .map(({ name, page }) => ({ text: name, link: `/${page}` })),
    })).filter(({ items }) => items.length > 0);
  const entryLink = entry => ({ text: entry, link: `/api#${slug(entry)}` });
  const api = entries.map(entry => [
    `/${posix.dirname(of(entry)[0].page)}/`,
    [{ text: 'API', link: '/api', items: entries.filter(other => other !== entry).map(entryLink) }, { text: entry }, ...groups(entry)],
  ]);
  const link = page => `/${siteName(`docs/${page}`).replace(/(index)?\.md$/, '')}`;
  const guide = sections().map(([text, links]) => ({
    text,
    items: links.map(([title, page]) => ({ text: title.replaceAll('`', '').replace('<', '&lt;'), link: link(page) })),
  }));
  guide[0].items.push({ text: 'Examples', link: '/examples' });
  return { ...Object.fromEntries(api), '/': guide };
}
