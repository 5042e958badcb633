// The viewer: `npm start` serves it, `npm run build` makes the static site.
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { en } from './web/src/viewer/words/en.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What the built site may do, wherever it is served from: nothing but its own scripts, one kind of worker (web/src/core/pool.ts), no markup out of
 * text. Addresses that a visitor types may be on any server. The dev server's own scripts do more.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self' blob: data: http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rigcast',
].join('; ');

const policyTag: Plugin = {
  name: 'policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
  ],
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
  plugins: [wordsInHtml, policyTag],
  root: folder('web/src/viewer'),
  base: './',
  cacheDir: folder('node_modules/.vite'),
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  worker: { format: 'es' },
  build: { outDir: folder('dist/site'), emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
});
