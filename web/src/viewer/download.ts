import { el } from './dom.ts';

/** Saves a file. Call this in a click handler, because browsers can block other downloads. */
export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
