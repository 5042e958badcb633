// Opens sources in formats that the loaders of three.js read: glTF, GLB, VRM, FBX, OBJ and BVH.
import { nameOf } from '../core/byteStream.ts';
import { companionIn, type OpenOptions, type RigFile } from '../core/open.ts';
import { fetched, requestFailed } from '../core/fetched.ts';
import { needsThree } from '../core/needsThree.ts';
import { isOtherFormat, otherFormatOf } from '../core/otherFormats.ts';
import { bytesOf, holdSource, type HeldSource, type OpenSource } from '../core/source.ts';
import type { Read } from '../interop/read.ts';

export type { Read };

/** Number of bytes that identify a format. */
const HEAD = 32;

/**
 * Opens a source with a loader of three.js. Returns null for sources in other formats. A URL or
 * response is only read if its name has the extension of such a format. `read`: reads the files that
 * the source references. By default, they are requested from `companions`, with the kind `resource`.
 */
export async function openOther(source: OpenSource, options: OpenOptions, read = readFrom(options)): Promise<RigFile | null> {
  const { signal } = options;
  if (options.format !== undefined) return null;
  const held = await localSource(source, options);
  if (!held) return null;
  const { data, name } = held;
  const head = data instanceof Blob ? new Uint8Array(await data.slice(0, HEAD).arrayBuffer()) : await bytesOf(held);
  const format = otherFormatOf(name, head);
  if (!format) return null;
  const [bytes, { openEncoded }] = await Promise.all([bytesOf(held), needsThree(import('../interop/openEncoded.ts'))]);
  signal?.throwIfAborted();
  return openEncoded(format, bytes, name, read);
}

const readFrom =
  ({ companions }: OpenOptions): Read =>
  async name =>
    companions ? ((await companionIn(companions, { kind: 'resource', name, required: false })) ?? null) : null;

/** Returns a source whose bytes are in memory or on disk, or null for a URL or response with another extension. */
async function localSource(source: OpenSource, { name, request, signal }: OpenOptions): Promise<HeldSource | null> {
  if (typeof source !== 'string' && !(source instanceof URL) && !(source instanceof Response)) return holdSource(source, { name });
  const address = source instanceof Response ? source.url : String(source);
  if (!isOtherFormat(name ?? address.replace(/[?#].*$/s, ''))) return null;
  const held = await holdSource(source, { name, request });
  const { data } = held;
  if (data instanceof Blob || data instanceof Uint8Array) return held;
  const response = data instanceof Response ? data : await fetched(data!.url, { ...request, ...(signal && { signal }) });
  if (!response.ok) throw requestFailed(response.url, response);
  const blob = await response.blob();
  return { ...held, name: name ?? nameOf(response.url), data: blob, byteLength: blob.size };
}
