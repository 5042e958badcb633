// Adds a service worker, which makes the built site work offline, and a manifest, which makes it
// installable.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { OWN_EXTENSIONS } from './web/src/session/readable.ts';

/** File extensions that the installed page opens. */
const EXTENSIONS = OWN_EXTENSIONS.map(extension => `.${extension}`);

const manifest = {
  name: 'rigcast viewer',
  short_name: 'rigcast',
  description: 'Shows 3D models and animations. Files stay on this device.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#1f7a75',
  icons: [{ src: './icon.svg', sizes: 'any', type: 'image/svg+xml' }],
  file_handlers: [{ action: './', accept: { 'application/octet-stream': EXTENSIONS } }],
  // Phones share files as form data, which the service worker handles. Extensions are listed too,
  // because most formats have no MIME type.
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
  // embed.html is built separately and works without the manifest.
  transformIndexHtml: (_html, { path }) =>
    path.endsWith('/index.html') ? [{ tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' }] : [],
  writeBundle({ dir }, bundle) {
    if (!('index.html' in bundle)) return;
    const names = Object.keys(bundle).sort();
    // Demos are cached when they are first opened. Source maps are not cached.
    // The decoders of three.js are fetched for files that need them.
    const kept = names.filter(name => /\.(js|css|wasm|svg|webp|html)$/.test(name) && !/(draco|basis)_/.test(name));
    const version = createHash('sha256')
      .update(JSON.stringify(Object.values(bundle).map(part => ('code' in part ? part.code : String(part.source)))))
      .digest('hex')
      .slice(0, 16);
    writeFileSync(join(dir!, 'manifest.webmanifest'), JSON.stringify(manifest));
    writeFileSync(join(dir!, 'icon.svg'), readIcon());
    writeFileSync(join(dir!, 'sw.js'), workerOf(version, ['./', ...kept.map(name => `./${name}`), './manifest.webmanifest', './icon.svg']));
  },
});

/**
 * Source of the service worker. A new release is activated when no page of the old release is open
 * any more, or when the visitor presses Reload. Other open pages then still receive the scripts of
 * the old release from its cache.
 */
const workerOf = (version: string, files: readonly string[]): string => `const version = ${JSON.stringify(`rigcast-${version}`)};
const files = ${JSON.stringify(files)};
// Names in assets/ contain a hash of the content. Other files bypass the HTTP cache, which may
// contain an older release.
const requestFor = file => new Request(file, { cache: file.startsWith('./assets/') ? 'default' : 'reload' });
addEventListener('install', event => event.waitUntil(caches.open(version).then(cache => cache.addAll(files.map(requestFor)))));
addEventListener('message', ({ data }) => void (data === 'activate' && skipWaiting()));
const activate = async () => {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const names = (await caches.keys()).filter(name => name.startsWith('rigcast-') && name !== version);
  // With two open pages, the other one may still load scripts of the old release.
  if (pages.length < 2) await Promise.all(names.map(name => caches.delete(name)));
  await clients.claim();
};
addEventListener('activate', event => event.waitUntil(activate()));
const respond = async request => {
  const cache = await caches.open(version);
  const isAsset = request.url.startsWith(registration.scope + 'assets/'); // not those of the documentation
  const known = (await cache.match(request, { ignoreSearch: request.mode === 'navigate' })) ?? (isAsset ? await caches.match(request) : undefined);
  if (known) return known;
  const response = await fetch(request);
  // Only files in assets/ never change under their names.
  if (response.status === 200 && isAsset) await cache.put(request, response.clone());
  return response;
};
// Stores shared files in a separate cache, under a new id, until the page reads them. Forms of other
// sites are rejected. Without an origin, which is how systems share and how pages can hide their
// origin, the page asks the visitor first.
const share = async request => {
  const origin = request.headers.get('origin') ?? (request.mode === 'navigate' ? 'null' : location.origin);
  if (origin !== 'null' && origin !== location.origin) return Response.redirect('./', 303);
  const files = (await request.formData()).getAll('files').filter(file => file instanceof File);
  const cache = await caches.open('shared-rigcast');
  const id = crypto.randomUUID();
  const headers = { 'x-origin': origin };
  await Promise.all(
    files.map((file, i) => cache.put('./shared/' + id + '/' + i, new Response(file, { headers: { ...headers, 'x-name': encodeURIComponent(file.name) } }))),
  );
  return Response.redirect('./?shared=' + id, 303);
};
addEventListener('fetch', event => {
  const { request } = event;
  if (request.method === 'POST' && request.url === registration.scope + 'share') return event.respondWith(share(request));
  if (request.method === 'GET' && request.url.startsWith(registration.scope)) event.respondWith(respond(request));
});
`;
