// The viewer and the page for iframes (embed.html): `npm start` serves them, `npm run build` makes the static site of both.
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { readFileSync } from 'node:fs';
import { offline } from './vite.offline.ts';
import { en } from './web/src/viewer/words/en.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What the built site may do, wherever it is served from: nothing but its own scripts, one kind of worker (web/src/core/newWorker.ts), no markup out of
 * text. Addresses that a visitor types may be on any server. The dev server's own scripts do more.
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
    // A frame that is sandboxed has no origin, and starts its worker through a Blob; a poster may be on any server, as the model.
    const content = path.endsWith('embed.html') ? policyOf(' blob:', ' http: https:') : policyOf('', ' data:');
    return [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' }];
  },
};

/** The dev server's root is the viewer's folder; the site has another page beside it. */
const otherPages: Plugin = {
  name: 'other pages',
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const found = /^\/embed\.html($|\?.*)/.exec(request.url ?? '');
      if (!found) return next();
      response.writeHead(302, { location: `/@fs${folder('web/src/embed/embed.html')}${found[1]}` }).end();
    });
  },
};

/** index.html says what the page says: `{startTitle}` is the sentence of that key. */
const wordsInHtml: Plugin = {
  name: 'words-in-html',
  transformIndexHtml: {
    order: 'pre',
    handler: html =>
      html.replace(/\{(\w+)\}/g, (_, key: string) => {
        const sentence = (en as Record<string, unknown>)[key];
        if (typeof sentence !== 'string') throw new Error(`index.html asks for {${key}}, which words/en.ts has not`);
        return sentence.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
      }),
  },
};

export default defineConfig({
  plugins: [wordsInHtml, policyTag, otherPages, offline(() => readFileSync(folder('web/src/viewer/icon.svg'), 'utf8'))],
  root: folder('web/src/viewer'),
  base: './',
  cacheDir: folder('node_modules/.vite'),
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  worker: { format: 'es' },
  build: { outDir: folder('dist/site'), emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
});
