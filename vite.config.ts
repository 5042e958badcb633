// Builds the viewer as a static site. The dev server of `npm start` also serves embed.html and the
// examples.
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { readFileSync } from 'node:fs';
import { findingsPage } from './.ci/findings.mjs';
import { policyOf } from './.ci/policy.mjs';
import { offline } from './vite.offline.ts';
import { en } from './web/src/viewer/words/en.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Adds the content security policy to the built viewer. The dev server has no policy. */
const policyTag: Plugin = {
  name: 'policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policyOf(' data:') }, injectTo: 'head-prepend' },
  ],
};

/**
 * Preloads the WebAssembly module for Unreal files, because the demo model that the viewer opens at
 * startup is one.
 */
const readerAtOnce: Plugin = {
  name: 'reader at once',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle, filename }) => {
      const wasm = Object.keys(bundle ?? {}).find(name => /\bunreal-[^/]*\.wasm$/.test(name));
      if (!wasm || filename !== folder('web/src/viewer/index.html')) return [];
      return [{ tag: 'link', attrs: { rel: 'preload', as: 'fetch', href: `./${wasm}`, crossorigin: '' }, injectTo: 'head' }];
    },
  },
};

/** Adds findings.html, which explains all findings. Reports link to it. */
const findings: Plugin = {
  name: 'findings',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'findings.html', source: findingsPage() });
  },
  configureServer(server) {
    server.middlewares.use('/findings.html', (_request, response) => void response.end(findingsPage()));
  },
};

/**
 * Makes the dev server, whose root is the folder of the viewer, serve embed.html and the examples
 * too.
 */
const otherPages: Plugin = {
  name: 'other pages',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const { url = '' } = request;
      const [, embed, example] = /^\/(?:embed\.html($|\?.*)|examples\/?(.*))$/.exec(url) ?? [];
      const go = (page: string): void => void response.writeHead(302, { location: `/@fs${page}` }).end();
      if (embed !== undefined) return go(`${folder('web/src/embed/embed.html')}${embed}`);
      if (example !== undefined) return go(`${folder('web/examples')}/${example || 'index.html'}`);
      // Vite doesn't transform pages outside its root automatically.
      const [, page] = /^\/@fs(.*\/web\/examples\/\w+\.html)$/.exec(url) ?? [];
      if (!page || !page.startsWith(folder('web/examples'))) return next();
      server.transformIndexHtml(url, readFileSync(page, 'utf8')).then(
        html => response.writeHead(200, { 'content-type': 'text/html' }).end(html),
        (error: unknown) => next(error),
      );
    });
  },
};

/**
 * Replaces keys in braces, such as `{startTitle}`, in index.html with their texts in words/en.ts.
 */
const wordsInHtml: Plugin = {
  name: 'words-in-html',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { filename }) =>
      filename.startsWith(folder('web/examples'))
        ? html // scripts of the examples contain braces
        : html.replace(/\{(\w+)\}/g, (_, key: string) => {
            const sentence = (en as Record<string, unknown>)[key];
            if (typeof sentence !== 'string') throw new Error(`index.html contains {${key}}, which is not a key of words/en.ts`);
            return sentence.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
          }),
  },
};

export default defineConfig({
  plugins: [
    wordsInHtml,
    policyTag,
    readerAtOnce,
    otherPages,
    findings,
    offline(() => readFileSync(folder('web/src/viewer/icon.svg'), 'utf8')),
  ],
  root: folder('web/src/viewer'),
  base: './',
  cacheDir: folder('node_modules/.vite'),
  optimizeDeps: { entries: ['index.html', '../../examples/*.html'] },
  // The examples import `rigcast/…`, like the pages of users.
  resolve: {
    alias: [
      { find: /^rigcast$/, replacement: folder('web/src/core/index.ts') },
      { find: /^rigcast\/(three|rig|convert|element)$/, replacement: `${folder('web/src')}/$1/index.ts` },
    ],
  },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  worker: { format: 'es' },
  build: {
    outDir: folder('dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000, // kilobytes; three.js alone takes 700
    modulePreload: { polyfill: false }, // browsers without module preload can't run the pages anyway
    // One chunk for page startup. All others load on demand.
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } },
    },
  },
});
