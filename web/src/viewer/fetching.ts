// Fetches files from the network: demos and URLs that the visitor enters.
import { RequestFailed } from '../core/fetched.ts';
import { canReadInParts } from '../core/formats.ts';
import { percentDecoded } from '../core/paths.ts';
import type { ByteStream } from '../core/byteStream.ts';
import type { InputFile, SourceFile } from '../session/inputFile.ts';
import { RangedFile } from '../session/rangedFile.ts';
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
 * Fetches a file from an http or https URL. Requests only the start of a large file that can be read
 * in parts. Throws `Refusal` if the URL is invalid or the file can't be fetched.
 */
export async function fetchAddress(address: string, signal: AbortSignal, cache: RequestCache = 'default'): Promise<InputFile> {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  if (!url) throw new Refusal({ code: 'invalid-url', text: address });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Refusal({ code: 'unsupported-protocol' });
  const name = decodedName(url);
  // The browser's cache is bypassed, because its copy may be out of date.
  const reread = async (ended: AbortSignal): Promise<SourceFile> => (await fetchAddress(address, ended, 'no-cache')).file;
  const request: RequestInit = { credentials: 'same-origin', cache };
  const { file, refused } = canReadInParts(name)
    ? await fetchInParts(url, name, request, signal)
    : await fetchWhole(url, name, request, signal);
  return { path: name, file, reread, ...(refused && { refused }) };
}

type Fetched = Pick<InputFile, 'file' | 'refused'>;

async function fetchWhole(url: URL, name: string, request: RequestInit, signal: AbortSignal): Promise<Fetched> {
  const response = await fetch(url, { ...request, signal }).catch(() => null);
  signal.throwIfAborted();
  if (!response) throw new Refusal({ code: 'unreachable', name });
  if (!response.ok) throw new Refusal({ code: 'download-failed', name, status: response.status });
  return { file: new File([await response.blob()], name) };
}

/** Fetches a small file; requests only the start of a large one. */
async function fetchInParts(url: URL, name: string, request: RequestInit, signal: AbortSignal): Promise<Fetched> {
  const { openStream } = await import('../core/onPage.ts');
  const flow = await openStream({ url: url.href, request }, signal, true).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof RequestFailed) throw new Refusal({ code: 'download-failed', name, status: error.status });
    throw new Refusal({ code: 'unreachable', name });
  });
  if (flow.parts) return { file: new RangedFile(name, flow.parts.ranges) };
  return { file: new File(await chunksOf(flow), name), ...(flow.refused && { refused: flow.refused }) };
}

async function chunksOf({ pieces }: ByteStream): Promise<BlobPart[]> {
  const chunks: BlobPart[] = [];
  for await (const piece of pieces) chunks.push(piece as Uint8Array<ArrayBuffer>);
  return chunks;
}

/** Returns the last part of the path of a URL; `file` if the path ends with a slash. */
function decodedName({ pathname }: URL): string {
  return percentDecoded(pathname.split('/').at(-1) || 'file');
}
