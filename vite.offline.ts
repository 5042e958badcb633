// Built with the site: a service worker that keeps its scripts on the device, and a manifest so that it can be installed.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { OWN_EXTENSIONS } from './web/src/session/readable.ts';

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

/**
 * A newer release waits until no page of the older one is open, or until a visitor presses Reload on a page. Other pages of the older release then keep
 * their scripts, which are in the older cache.
 */
const workerOf = (version: string, files: readonly string[]): string => `const version = ${JSON.stringify(`rigcast-${version}`)};
const files = ${JSON.stringify(files)};
// Names in assets/ tell their content. The others must be those of this version, not what the browser still has of an older one.
const wish = file => new Request(file, { cache: file.startsWith('./assets/') ? 'default' : 'reload' });
addEventListener('install', event => event.waitUntil(caches.open(version).then(cache => cache.addAll(files.map(wish)))));
addEventListener('message', ({ data }) => void (data === 'activate' && skipWaiting()));
const activate = async () => {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const names = (await caches.keys()).filter(name => name.startsWith('rigcast-') && name !== version);
  // Two pages: one of them was not asked, and still loads scripts of its release.
  if (pages.length < 2) await Promise.all(names.map(name => caches.delete(name)));
  await clients.claim();
};
addEventListener('activate', event => event.waitUntil(activate()));
const answer = async request => {
  const cache = await caches.open(version);
  const isAsset = new URL(request.url).pathname.includes('/assets/');
  const known = (await cache.match(request, { ignoreSearch: request.mode === 'navigate' })) ?? (isAsset ? await caches.match(request) : undefined);
  if (known) return known;
  const response = await fetch(request);
  // Other pages of the site may change under their names; what lies in assets/ may not.
  if (response.status === 200 && isAsset) await cache.put(request, response.clone());
  return response;
};
// Shared files wait in a cache of their own until the page takes them, each time under another name, so that nothing replaces what waits. A form of
// another site is refused. A system shares without an origin, as pages can that hide theirs: then the page asks first.
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
  if (request.method === 'GET' && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
`;
