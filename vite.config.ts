// The viewer: `npm start` serves it, `npm run build` makes the static site.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: folder('web/src/viewer'),
  base: './',
  cacheDir: folder('node_modules/.vite'),
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  worker: { format: 'es' },
  build: { outDir: folder('dist/site'), emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
});
