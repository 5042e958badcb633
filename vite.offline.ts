// Built with the site: a service worker that keeps its scripts on the device, and a manifest so that it can be installed.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { OWN_EXTENSIONS } from './web/src/player/readable.ts';

/** Files for which systems offer the installed page. */
const EXTENSIONS = OWN_EXTENSIONS.map(extension => `.${extension}`);

const manifest = {
  name: 'rigcast viewer',
  short_name: 'rigcast',
  description: 'Opens 3D rigs and motions, and watches them move. Nothing leaves this device.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#1f7a75',
  icons: [{ src: './icon.svg', sizes: 'any', type: 'image/svg+xml' }],
  file_handlers: [{ action: './', accept: { 'application/octet-stream': EXTENSIONS } }],
  // Phones hand files over by a form that the service worker takes; most of these types have no name of their own.
  share_target: {
    action: './share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      files: [{ name: 'files', accept: ['application/octet-stream', 'application/zip', 'image/*', ...EXTENSIONS, '.bin', '.zip'] }],
    },
  },
};

export const offline = (readIcon: () => string): Plugin => ({
  name: 'offline',
  apply: 'build',
  // Not of the page for iframes, which is built on its own.
  transformIndexHtml: (_html, { path }) =>
    path.endsWith('/index.html') ? [{ tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' }] : [],
  writeBundle({ dir }, bundle) {
    if (!('index.html' in bundle)) return;
    const names = Object.keys(bundle).sort();
    // Demos are kept when somebody has looked at them; maps are for developers.
    const kept = names.filter(name => /\.(js|css|wasm|svg|webp|html)$/.test(name));
    const version = createHash('sha256')
      .update(JSON.stringify(Object.values(bundle).map(part => ('code' in part ? part.code : String(part.source)))))
      .digest('hex')
      .slice(0, 16);
    writeFileSync(join(dir!, 'manifest.webmanifest'), JSON.stringify(manifest));
    writeFileSync(join(dir!, 'icon.svg'), readIcon());
    writeFileSync(join(dir!, 'sw.js'), workerOf(version, ['./', ...kept.map(name => `./${name}`), './manifest.webmanifest', './icon.svg']));
  },
});

/** A newer one waits until no page of the older one is open, so that none misses a script that it was built with. */
const workerOf = (version: string, files: readonly string[]): string => `const version = ${JSON.stringify(`rigcast-${version}`)};
const files = ${JSON.stringify(files)};
// Names in assets/ tell their content. The others must be those of this version, not what the browser still has of an older one.
const wish = file => new Request(file, { cache: file.startsWith('./assets/') ? 'default' : 'reload' });
addEventListener('install', event => event.waitUntil(caches.open(version).then(cache => cache.addAll(files.map(wish)))));
addEventListener('activate', event =>
  event.waitUntil(
    caches
      .keys()
      .then(names => Promise.all(names.filter(name => name.startsWith('rigcast-') && name !== version).map(name => caches.delete(name))))
      .then(() => clients.claim()),
  ),
);
const answer = async request => {
  const cache = await caches.open(version);
  const known = await cache.match(request, { ignoreSearch: request.mode === 'navigate' });
  if (known) return known;
  const response = await fetch(request);
  // Other pages of the site may change under their names; what lies in assets/ may not.
  if (response.status === 200 && new URL(request.url).pathname.includes('/assets/')) await cache.put(request, response.clone());
  return response;
};
// Shared files wait in a cache of their own until the page takes them.
const share = async request => {
  const files = (await request.formData()).getAll('files').filter(file => file instanceof File);
  await caches.delete('shared-rigcast');
  const cache = await caches.open('shared-rigcast');
  await Promise.all(files.map((file, i) => cache.put('./shared/' + i, new Response(file, { headers: { 'x-name': encodeURIComponent(file.name) } }))));
  return Response.redirect('./?shared', 303);
};
addEventListener('fetch', event => {
  const { request } = event;
  if (request.method === 'POST' && request.url === registration.scope + 'share') return event.respondWith(share(request));
  if (request.method === 'GET' && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
`;
