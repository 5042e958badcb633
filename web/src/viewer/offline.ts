// The built site works without a network after the first visit, and opens files that the system hands to it.
import type { Given } from './intake.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: { files?: readonly FileSystemFileHandle[] }) => void): void;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(text: string): string }): { createScriptURL(text: string): string };
}

/** Nothing happens where the site has no service worker (while it is worked on) or the browser allows none. */
export function keepOffline(): void {
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
  navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address).catch(() => {});
}

/** As the service worker calls the cache in which shared files wait. */
const SHARED = 'shared-rigcast';

/** Files that another app has shared with the installed page. They are taken once. */
export async function sharedFiles(): Promise<Given> {
  const cache = await caches.open(SHARED);
  const files = await Promise.all(
    (await cache.keys()).map(async request => {
      const response = (await cache.match(request))!;
      const name = decodeURIComponent(response.headers.get('x-name') ?? '');
      return { path: name, file: new File([await response.blob()], name) };
    }),
  );
  await caches.delete(SHARED);
  return { files, truncated: false };
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
