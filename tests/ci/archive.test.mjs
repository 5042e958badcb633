// The documents and URLs of the published package. `npm test -- package` checks the archive itself.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { archived, documents, llmsText, projectUrls, publishedManifest } from '../../.ci/archive.mjs';
import { inRoot } from '../../.ci/lib.mjs';
import { checkLinks } from '../../.ci/package.mjs';

const urls = projectUrls({ name: 'rigcast', version: '1.2.3', repository: { url: 'git+https://github.com/Some-One/rigcast.git' } });

describe('URLs of the project', () => {
  it('are derived from the repository and the version', () => {
    expect(urls.site).toBe('https://some-one.github.io/rigcast/');
    expect(urls.issues).toBe('https://github.com/Some-One/rigcast/issues');
    expect(urls.file('docs/start.md')).toBe('https://github.com/Some-One/rigcast/blob/v1.2.3/docs/start.md');
    expect(urls.file('web/examples')).toBe('https://github.com/Some-One/rigcast/tree/v1.2.3/web/examples');
    expect(urls.file('web/screenshot.png')).toBe('https://raw.githubusercontent.com/Some-One/rigcast/v1.2.3/web/screenshot.png');
    expect(() => projectUrls({ name: 'x', version: '1.0.0', repository: { url: 'https://example.org/x' } })).toThrow(
      'not a GitHub repository',
    );
  });

  it('name the owner only in package.json', ({ skip }) => {
    const owner = new URL(projectUrls().source).pathname.split('/')[1];
    const hosts = '(github|githubusercontent)\\.com/';
    const pattern = `${hosts}(${owner}/|[^/ ]+/rigcast)|(${owner}|${owner.toLowerCase()})\\.github\\.io|github\\.io/rigcast|OWNER/`;
    const { status, stdout } = spawnSync('git', ['grep', '-nIE', pattern, '--', ':!tests/ci/archive.test.mjs'], {
      cwd: inRoot(),
      encoding: 'utf8',
    });
    if (status > 1) return skip('no checkout of git');
    expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/^package\.json:\d+: +"url": "git\+https:/)]);
  });
});

describe('documents of the package', () => {
  it('have absolute links to everything outside of the package, but not in code', () => {
    const text = [
      '[`a`](animations.md#x) `[b](c.md)` [c](../web/examples)',
      '',
      '```md',
      '[d](e.md)',
      '```',
      '[f](https://x.org/y)',
      '',
    ].join('\n');
    expect(archived('docs/start.md', text, urls)).toBe(text.replace('../web/examples', urls.file('web/examples')));
    expect(() => archived('docs/start.md', '[g](missing.md)', urls)).toThrow('docs/start.md links to missing.md, which does not exist.');
  });

  it('README.md has only absolute links, and the URL of the repository', () => {
    const text = archived('README.md', undefined, urls);
    expect(text).toContain('git clone https://github.com/Some-One/rigcast.git rigcast');
    expect(text).toContain('](https://raw.githubusercontent.com/Some-One/rigcast/v1.2.3/web/screenshot.png)');
    expect(text).toContain('](https://github.com/Some-One/rigcast/blob/v1.2.3/docs/start.md)');
    expect(text.replace(/^```.*?^```$/gms, '')).not.toMatch(/\]\((?!https:|#)/);
  });

  it('package.json has the homepage and no fields for development', () => {
    const published = publishedManifest();
    expect([published.homepage, published.bugs.url]).toEqual([projectUrls().site, projectUrls().issues]);
    for (const name of ['private', 'scripts', 'devDependencies', 'prettier']) expect(published).not.toHaveProperty(name);
    expect(published.publishConfig).toEqual({ access: 'public', provenance: true });
  });
});

it('URLs of CDNs in the documents have the version of package.json', () => {
  const { version } = publishedManifest();
  const found = documents().flatMap(path =>
    Array.from(readFileSync(inRoot(path), 'utf8').matchAll(/\/rigcast@([\w.-]+)/g), ([, used]) => `${path}: ${used}`),
  );
  expect(found.length).toBeGreaterThan(2);
  expect(found.filter(each => !each.endsWith(`: ${version}`))).toEqual([]);
});

describe('checkLinks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-links-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  for (const path of documents()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), archived(path));
  }

  it('accepts the documents of the package', () => expect(() => checkLinks(folder)).not.toThrow());

  it('finds relative links of README.md, missing files of the package, and missing files of the repository', () => {
    const write = (path, text) => writeFileSync(join(folder, path), text);
    write('README.md', `[a](docs/start.md) [b](${projectUrls().file('docs/start.md').replace('start', 'gone')})`);
    write('docs/start.md', '[c](../web/examples) [d](three.md)');
    expect(() => checkLinks(folder)).toThrow(
      /^Links of the package lead nowhere:\n\nREADME.md: docs\/start.md\nREADME.md: https:.*gone.md\ndocs\/start.md: \.\.\/web\/examples$/,
    );
  });
});

it('llms.txt lists every document with an absolute URL and a description', () => {
  const text = llmsText(urls);
  expect(text).toMatch(/^# rigcast\n\n> \S/);
  const links = Array.from(text.matchAll(/^- \[[^\]]+\]\((\S+)\): (.+)$/gm));
  const pages = ['docs', 'docs/formats'].flatMap(folder => readdirSync(inRoot(folder)).map(name => `${folder}/${name}`));
  const wanted = pages.filter(path => path.endsWith('.md') && !path.endsWith('README.md')).map(path => urls.raw(path));
  expect(links.map(([, url]) => url).sort()).toEqual([...wanted, urls.raw('CHANGELOG.md')].sort());
  expect(links.filter(([, , note]) => note.length < 10 || /\]\(|\|/.test(note))).toEqual([]);
  expect(text).toContain(`- [Quick starts](${urls.raw('docs/start.md')}): Vite, webpack`);
});
