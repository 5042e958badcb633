// Prepares the folder build/package, from which the npm package is packed and published. It contains
// dist/ without the site, the documents with absolute links, and package.json without the fields for
// development.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Trouble, inRoot, npmCommand, run } from './lib.mjs';

const manifest = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/**
 * Returns the URLs of the project. All are derived from `repository` in package.json, the only place
 * that names the owner. `file` returns the URL of a file or folder of the repository, in the release
 * that has the version of package.json.
 */
export function projectUrls({ name, version, repository } = manifest()) {
  const [, owner, project] = /^git\+https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)\.git$/.exec(repository.url) ?? [];
  if (owner === undefined) throw new Trouble(`repository in package.json is not a GitHub repository: ${repository.url}`);
  const source = `https://github.com/${owner}/${project}`;
  const raw = path => `https://raw.githubusercontent.com/${owner}/${project}/v${version}/${path}`;
  const file = path => {
    if (/\.(png|svg)$/.test(path)) return raw(path);
    return `${source}/${statSync(inRoot(path)).isDirectory() ? 'tree' : 'blob'}/v${version}/${path}`;
  };
  return { source, issues: `${source}/issues`, site: `https://${owner.toLowerCase()}.github.io/${project}/`, package: name, raw, file };
}

/** Lists the pages in a folder of documents. */
const pagesOf = folder =>
  readdirSync(inRoot(folder))
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`);

/**
 * Lists the documents in the archive. Their links to each other stay relative, except those of
 * README.md. The references in docs/formats are left out, because only changes of rigcast need them.
 */
export const documents = () => ['README.md', 'CHANGELOG.md', ...pagesOf('docs')];

/** Calls `replace` with the target of each relative link of a Markdown text, outside of code. */
export const replaceLinks = (text, replace) =>
  text.replace(/^```.*?^```$|`[^`\n]*`|\]\((?![a-z]+:|#)([^)\s]+)\)/gms, (all, target) => (target ? `](${replace(target)})` : all));

/**
 * Returns the text of a document for the archive. README.md is also shown by the registry, so all its
 * links become absolute. Other documents keep relative links to files of the archive.
 */
export function archived(path, text = readFileSync(inRoot(path), 'utf8'), urls = projectUrls(), kept = documents()) {
  const linked = replaceLinks(text, target => {
    const [name, anchor] = target.split('#');
    const file = posix.join(posix.dirname(path), name);
    if (!existsSync(inRoot(file))) throw new Trouble(`${path} links to ${target}, which does not exist.`);
    if (path !== 'README.md' && kept.includes(file)) return target;
    return `${urls.file(file)}${anchor ? `#${anchor}` : ''}`;
  });
  return linked.replace('<this repository>', `${urls.source}.git`);
}

/** Returns package.json as it is published. */
export function publishedManifest() {
  const { private: _private, scripts: _scripts, devDependencies: _dev, prettier: _prettier, ...kept } = manifest();
  const { site, issues } = projectUrls();
  return { ...kept, homepage: site, bugs: { url: issues } };
}

/** Fills a folder with the content of the npm package. Requires that dist/ has been built. */
export function preparePackage(folder = inRoot('build/package')) {
  if (!existsSync(inRoot('dist/core/index.js'))) throw new Trouble('There is no dist/: run npm run build first.');
  rmSync(folder, { recursive: true, force: true });
  cpSync(inRoot('dist'), join(folder, 'dist'), { recursive: true, filter: path => path !== inRoot('dist/site') });
  cpSync(inRoot('LICENSE'), join(folder, 'LICENSE'));
  for (const path of documents()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), archived(path));
  }
  writeFileSync(join(folder, 'llms.txt'), llmsText());
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
  return folder;
}

/** Packs the npm package into a folder. Returns the path of the archive. */
export function packPackage(folder) {
  const [npm, ...before] = npmCommand();
  const env = { npm_config_cache: join(folder, '.npm') };
  const packed = run(npm, [...before, 'pack', preparePackage(), '--json', '--pack-destination', folder], { env });
  if (packed.code !== 0) throw new Trouble(`npm pack failed:\n\n${packed.output}`);
  return join(folder, JSON.parse(packed.stdout)[0].filename);
}

/**
 * Returns the text of llms.txt (llmstxt.org): an index of the documents with absolute URLs, for
 * language models, in the order of docs/README.md. A page is described by its row in a table of
 * README.md or, if no row begins with a link to it, by its first sentence.
 */
export function llmsText(urls = projectUrls()) {
  const readme = readFileSync(inRoot('README.md'), 'utf8');
  const notes = new Map();
  for (const [, row] of readme.matchAll(/^\| (.+) \|$/gm)) {
    const cells = row.split(' | ');
    const [, page] = /\]\((docs\/[^)#]+)\)/.exec(cells.at(-1)) ?? [];
    if (page) notes.set(page, cells.slice(0, -1).join(': '));
  }
  const line = path => {
    const text = readFileSync(inRoot(path), 'utf8');
    const [, title, first] = /^# (.+)\n+([^]*?[.:](?=\s))/.exec(text);
    return `- [${title}](${urls.raw(path)}): ${notes.get(path) ?? plain(first)}`;
  };
  const plain = markdown => markdown.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const index = readFileSync(inRoot('docs/README.md'), 'utf8');
  const place = path => index.indexOf(`(${path.slice('docs/'.length)})`) >>> 0; // pages without a place are last
  const list = folder =>
    pagesOf(folder)
      .filter(path => !path.endsWith('README.md'))
      .sort((a, b) => place(a) - place(b))
      .map(line)
      .join('\n');
  const [, introduction] = /^# .+\n+([^]*?)\n\n/.exec(readme);
  return [
    '# rigcast',
    `> ${manifest().description}`,
    plain(introduction),
    `The complete example of the three.js loader is in [README](${urls.raw('README.md')}). The viewer is at ${urls.site}.`,
    `## Documentation\n\n${list('docs')}`,
    `## Optional\n\n${list('docs/formats')}\n- [Changelog](${urls.raw('CHANGELOG.md')}): The changes of each release\n`,
  ].join('\n\n');
}
