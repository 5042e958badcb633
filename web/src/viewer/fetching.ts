// Fetches files from the network: demos and URLs that the visitor enters.
import type { InputFile } from '../session/inputFile.ts';
import { Refusal } from '../session/problem.ts';
import type { ModelRequest } from '../session/openModel.ts';
import { CompanionFiles } from '../session/companionFiles.ts';
import type { Demo, DemoFile } from './demos.ts';
import { words } from './words/index.ts';

/** Fetches the files of a demo. Returns them in the same form as dropped files. */
export async function fetchDemo({ id, model, animations = [], companions = [] }: Demo, signal: AbortSignal): Promise<ModelRequest> {
  const all = (files: readonly DemoFile[]): Promise<InputFile[]> => Promise.all(files.map(file => fetchFile(file, signal)));
  const [[input], moving, completing] = await Promise.all([all([model]), all(animations), all(companions)]);
  return {
    input: input!,
    animations: moving,
    animationFiles: [],
    companionFiles: new CompanionFiles().with(completing),
    notices: [],
    demo: id,
    library: [],
  };
}

async function fetchFile({ name, address }: DemoFile, signal: AbortSignal): Promise<InputFile> {
  const response = await fetch(address, { signal }).catch(() => null);
  signal.throwIfAborted();
  if (!response?.ok) throw new Refusal({ code: 'failed', message: words.demoFailed(response?.status ?? null) });
  return { path: name, file: new File([await response.blob()], name) };
}

/**
 * Fetches a file from an http or https URL. Throws `Refusal` if the URL is invalid or the file
 * can't be fetched.
 */
export async function fetchAddress(address: string, signal: AbortSignal, cache: RequestCache = 'default'): Promise<InputFile> {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  if (!url) throw new Refusal({ code: 'invalid-url', text: address });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Refusal({ code: 'unsupported-protocol' });
  const response = await fetch(url, { credentials: 'same-origin', cache, signal }).catch(() => null);
  signal.throwIfAborted();
  const name = decodeURIComponent(url.pathname.split('/').at(-1) || 'file');
  if (!response) throw new Refusal({ code: 'unreachable', name });
  if (!response.ok) throw new Refusal({ code: 'download-failed', name, status: response.status });
  // The browser's cache is bypassed, because its copy may be out of date.
  const reread = async (ended: AbortSignal): Promise<File> => (await fetchAddress(address, ended, 'no-cache')).file;
  return { path: name, file: new File([await response.blob()], name), reread };
}
