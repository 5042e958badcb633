// The viewer and the page for iframes (embed.html): `npm start` serves them, `npm run build` makes the static site of both.
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { readFileSync } from 'node:fs';
import { findingsPage } from './.ci/findings.mjs';
import { offline } from './vite.offline.ts';
import { en } from './web/src/viewer/words/en.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Content security policy of the built site: only its own scripts, the worker of
 * web/src/core/worker/newWorker.ts, and no markup from text. Connections to any server are allowed,
 * because visitors enter URLs. The dev server has no policy.
 */
const policyOf = (workers: string, images: string): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `worker-src 'self'${workers}`,
    "style-src 'self'",
    `img-src 'self' blob:${images}`,
    "connect-src 'self' blob: data: http: https:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types rigcast rigcast-offline',
  ].join('; ');

const policyTag: Plugin = {
  name: 'policy',
  apply: 'build',
  transformIndexHtml: (_html, { path }) => {
    // In a sandboxed frame, which has no origin, embed.html starts its worker from a Blob. Its poster
    // may be on any server, like its model.
    const content = path.endsWith('embed.html') ? policyOf(' blob:', ' http: https:') : policyOf('', ' data:');
    return [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' }];
  },
};

/** Preloads the WebAssembly module for the Unreal demo model, which the viewer opens on start. */
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

/** Adds findings.html, the page of all findings that reports link to. */
const findings: Plugin = {
  name: 'findings',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'findings.html', source: findingsPage() });
  },
  configureServer(server) {
    server.middlewares.use('/findings.html', (_request, response) => void response.end(findingsPage()));
  },
};

/** Serves embed.html and the examples from the dev server, whose root is the folder of the viewer. */
const otherPages: Plugin = {
  name: 'other pages',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const { url = '' } = request;
      const [, embed, example] = /^\/(?:embed\.html($|\?.*)|examples\/?(.*))$/.exec(url) ?? [];
      const go = (page: string): void => void response.writeHead(302, { location: `/@fs${page}` }).end();
      if (embed !== undefined) return go(`${folder('web/src/embed/embed.html')}${embed}`);
      if (example !== undefined) return go(`${folder('web/examples')}/${example || 'index.html'}`);
      // Vite does not transform pages outside its root automatically.
      const [, page] = /^\/@fs(.*\/web\/examples\/\w+\.html)$/.exec(url) ?? [];
      if (!page || !page.startsWith(folder('web/examples'))) return next();
      server.transformIndexHtml(url, readFileSync(page, 'utf8')).then(
        html => response.writeHead(200, { 'content-type': 'text/html' }).end(html),
        (error: unknown) => next(error),
      );
    });
  },
};

/** Replaces `{startTitle}` in index.html with the text of that key in words/en.ts. */
const wordsInHtml: Plugin = {
  name: 'words-in-html',
  transformIndexHtml: {
    order: 'pre',
    handler: (html, { filename }) =>
      filename.startsWith(folder('web/examples'))
        ? html // its scripts have braces
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
  // The examples import `rigcast/…`, as pages of users do.
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
    chunkSizeWarningLimit: 1000, // kilobytes; three.js alone has 700
    modulePreload: { polyfill: false }, // browsers without module preload can't run the pages anyway
    // One chunk for the start of the page, one for the first model of an element. Others load on demand.
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'], priority: 1 },
            { name: 'presenter', test: /[\\/](core[\\/]prepare|element[\\/]presenter)\.ts$/ },
          ],
        },
      },
    },
  },
});
