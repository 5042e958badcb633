// Configuration of the documentation site. `.ci/docsPages.mjs` writes the pages from docs/ to
// build/docs; `npm run build` builds the site into dist/site/docs.
import { readFileSync } from 'node:fs';
import { projectUrls } from '../../../.ci/archive.mjs';
import { sidebar, slug } from '../../../.ci/docsPages.mjs';
import { inRoot } from '../../../.ci/lib.mjs';
import { noticesPlugins } from '../../../.ci/notices.mjs';

const { description, version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
const icon = readFileSync(inRoot('web/src/viewer/icon.svg'), 'utf8');
const urls = projectUrls();

export default {
  title: 'rigcast',
  description,
  lang: 'en',
  srcDir: inRoot('build/docs'),
  outDir: inRoot('dist/site/docs'),
  cacheDir: inRoot('node_modules/.vitepress'),
  // The site works in any folder of any server.
  base: './',
  lastUpdated: false,
  head: [
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
  ],
  transformPageData(page) {
    page.frontmatter.outline ??= [2, 3];
  },
  markdown: { anchor: { slugify: slug } },
  vite: { plugins: [noticesPlugins().page], build: { chunkSizeWarningLimit: 1000 } }, // kilobytes; the search index takes 840
  vue: { template: { compilerOptions: { isCustomElement: tag => tag === 'rigcast-viewer' } } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Quick starts', link: '/start' },
      { text: 'Examples', link: '/examples' },
      { text: 'API', link: '/api' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: `Version ${version}`, link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
    socialLinks: [{ icon: 'github', link: urls.source }],
    outline: { level: [2, 3] },
    editLink: { pattern: `${urls.source}/edit/main/docs/:path`, text: 'Edit this page' },
    footer: { message: 'MIT licence. <a href="./THIRD-PARTY-NOTICES.txt" target="_self">Third-party notices</a>' },
    docFooter: { prev: 'Previous page', next: 'Next page' },
  },
};
