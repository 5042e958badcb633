// Registers the service worker of the built site, which enables offline use and updates. Also
// receives files that the operating system passes to the installed app.
import type { IncomingFiles } from './incomingFiles.ts';
import { invalidArgument } from '../core/error.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: { files?: readonly FileSystemFileHandle[] }) => void): void;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(text: string): string }): { createScriptURL(text: string): string };
}

/**
 * Minimum time between two checks for a new release, in milliseconds. A check is made when the page
 * becomes visible.
 */
const ASK_AGAIN = 3_600_000;

/**
 * Registers the service worker of the built site. If there is a new release, `onRelease` receives a
 * function that loads it. Does nothing on the development server or if the browser does not support
 * service workers.
 */
export function keepOffline(onRelease: (load: () => void) => void): void {
  if (!('serviceWorker' in navigator) || !document.querySelector('link[rel=manifest]')) return;
  const address = new URL('sw.js', document.baseURI).href;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('rigcast-offline', {
    createScriptURL: text => {
      if (text === address) return text;
      throw invalidArgument(`not a script of this page: ${text}`);
    },
  });
  // Registration fails in private windows and on pages without HTTPS. They work, but need the
  // network.
  navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address).then(
    registration => watch(registration, onRelease),
    () => {},
  );
}

/** Calls `onRelease` if a newer service worker is waiting, or if another page has activated it. */
function watch(registration: ServiceWorkerRegistration, onRelease: (load: () => void) => void): void {
  const container = navigator.serviceWorker;
  // A page without a controlling service worker was loaded from the network, so it is up to date.
  let isOlder = container.controller !== null;
  let isAsked = false;
  const load = (): void => {
    isAsked = true;
    if (registration.waiting) registration.waiting.postMessage('activate');
    else location.reload();
  };
  const notify = (): void => {
    if (isOlder) onRelease(load);
  };
  container.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
    notify();
    isOlder = true; // the first worker belongs to the release of this page, later workers are newer
  });
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') notify();
    });
  });
  if (registration.waiting) notify();
  let last = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - last < ASK_AGAIN) return;
    last = performance.now();
    registration.update().catch(() => {}); // ignored: the device is offline
  });
}

/** Cache in which the service worker stores shared files. */
const SHARED = 'shared-rigcast';

/**
 * Files that were shared with the installed app. `isKnown`: true if they were shared by a page of
 * this origin.
 */
export interface Shared {
  incoming: IncomingFiles;
  isKnown: boolean;
}

/** Returns the files that were shared under an id and removes them from the cache. */
export async function sharedFiles(id: string): Promise<Shared> {
  const cache = await caches.open(SHARED);
  const requests = (await cache.keys()).filter(({ url }) => new URL(url).pathname.split('/').at(-2) === id);
  let isKnown = true;
  const files = await Promise.all(
    requests.map(async request => {
      const response = (await cache.match(request))!;
      isKnown &&= response.headers.get('x-origin') === location.origin;
      const name = decodeURIComponent(response.headers.get('x-name') ?? '');
      return { path: name, file: new File([await response.blob()], name) };
    }),
  );
  await Promise.all(requests.map(request => cache.delete(request)));
  return { incoming: { files, truncated: false }, isKnown };
}

/** Calls `onFiles` for files opened with the installed app. */
export function listenForLaunchedFiles(onFiles: (incoming: Promise<IncomingFiles>) => void): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length === 0) return;
    onFiles(
      Promise.all(files.map(handle => handle.getFile())).then(all => ({
        files: all.map((file, i) => ({ path: file.name, file, reread: () => files[i]!.getFile() })),
        truncated: false,
        handles: files,
      })),
    );
  });
}
