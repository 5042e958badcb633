import { el } from './dom.ts';

/** Saves a file, as a click of the visitor's own has asked for. */
export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
