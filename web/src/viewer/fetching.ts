// Files from the network: the page's own demos, and what addresses name.
import type { GivenFile } from '../player/given.ts';
import { Refusal } from '../player/problem.ts';
import type { DemoFile } from './demos.ts';
import { words } from './words/index.ts';

export async function fetchDemo({ name, address }: DemoFile, signal: AbortSignal): Promise<GivenFile> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Refusal({ code: 'failed', message: words.demoMissing(response.status) });
  return { path: name, file: new File([await response.blob()], name) };
}

/** Only http and https, and only where the server allows it. */
export async function fetchAddress(address: string, signal: AbortSignal): Promise<GivenFile> {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  if (!url) throw new Refusal({ code: 'bad-address', text: address });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Refusal({ code: 'bad-protocol' });
  const response = await fetch(url, { credentials: 'same-origin', signal }).catch(() => null);
  signal.throwIfAborted();
  const name = decodeURIComponent(url.pathname.split('/').at(-1) || 'file');
  if (!response) throw new Refusal({ code: 'unreachable', name });
  if (!response.ok) throw new Refusal({ code: 'not-served', name, status: response.status });
  return { path: name, file: new File([await response.blob()], name) };
}
