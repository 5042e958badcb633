// The built site works without a network after the first visit, learns of a newer release, and opens files that the system hands to it.
import type { Given } from './intake.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: { files?: readonly FileSystemFileHandle[] }) => void): void;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(text: string): string }): { createScriptURL(text: string): string };
}

/** Milliseconds after which a page that becomes visible again looks for a newer release. */
const ASK_AGAIN = 3_600_000;

/**
 * Registers the service worker of the built site. `onRelease` gets a function that loads the newer release, once there is one. Does nothing if the site has
 * no service worker (the development server has none) or the browser allows none.
 */
export function keepOffline(onRelease: (load: () => void) => void): void {
  if (!('serviceWorker' in navigator) || !document.querySelector('link[rel=manifest]')) return;
  const address = new URL('sw.js', document.baseURI).href;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('rigcast-offline', {
    createScriptURL: text => {
      if (text === address) return text;
      throw new TypeError(`no script of this page: ${text}`);
    },
  });
  // Private windows and pages without https have none: they need the network, as before.
  navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address).then(
    registration => watch(registration, onRelease),
    () => {},
  );
}

/** Calls `onRelease` when a newer worker waits, or when another page has let one take over. */
function watch(registration: ServiceWorkerRegistration, onRelease: (load: () => void) => void): void {
  const container = navigator.serviceWorker;
  // A page that came from the network is as new as the worker.
  let isOlder = container.controller !== null;
  let isAsked = false;
  const load = (): void => {
    isAsked = true;
    if (registration.waiting) registration.waiting.postMessage('activate');
    else location.reload();
  };
  const tell = (): void => {
    if (isOlder) onRelease(load);
  };
  container.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
    tell();
    isOlder = true; // the first worker of a page has its release
  });
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') tell();
    });
  });
  if (registration.waiting) tell();
  let last = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - last < ASK_AGAIN) return;
    last = performance.now();
    registration.update().catch(() => {}); // there is no network now
  });
}

/** As the service worker calls the cache in which shared files wait. */
const SHARED = 'shared-rigcast';

/** Files that another app has shared with the installed page. `isKnown`: this page shared them itself. */
export interface Shared {
  given: Given;
  isKnown: boolean;
}

/** The files of one share, which are taken once. */
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
  return { given: { files, truncated: false }, isKnown };
}

/** Files that are opened with the installed page. */
export function takeLaunched(take: (given: Promise<Given>) => void): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length === 0) return;
    take(
      Promise.all(files.map(handle => handle.getFile())).then(all => ({
        files: all.map((file, i) => ({ path: file.name, file, again: () => files[i]!.getFile() })),
        truncated: false,
        handles: files,
      })),
    );
  });
}
