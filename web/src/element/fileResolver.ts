// Adapts the `fileResolver` of the page to the options `companions` and `textures` of the loader.
import type { Companions } from '../core/open.ts';
import type { TextureSource } from '../textures/sources.ts';
import type { FileResolver, FileRequest } from './types.ts';

/**
 * Requests a file from the resolver. Returns its bytes, or null if the resolver returns none or
 * throws.
 */
async function request(resolver: FileResolver, wanted: FileRequest): Promise<Uint8Array | null> {
  const result = await Promise.resolve(wanted)
    .then(resolver)
    .catch(() => null);
  if (result instanceof Blob) return new Uint8Array(await result.arrayBuffer());
  if (result instanceof ArrayBuffer) return new Uint8Array(result);
  return result instanceof Uint8Array ? result : null;
}

/**
 * Returns the option `companions`, which requests keys, resources and side files from the page. The
 * loader fetches files that the page does not return.
 */
export function companionsFrom(resolver: FileResolver): Extract<Companions, (...needs: never[]) => unknown> {
  return async ({ kind, name }) => (await request(resolver, { kind, name })) ?? undefined;
}

/**
 * Returns the option `textures`, which requests images and material files from the page. Each name
 * is requested only once.
 */
export function texturesFrom(resolver: FileResolver): TextureSource {
  const requested = new Map<string, Promise<Uint8Array | null>>();
  const once = (kind: string, name: string): Promise<Uint8Array | null> => {
    const key = `${kind} ${name}`;
    const found = requested.get(key) ?? request(resolver, { kind, name });
    requested.set(key, found);
    return found;
  };
  return {
    names: null,
    async text(name) {
      const bytes = await once('material', name);
      return bytes && new TextDecoder().decode(bytes);
    },
    async image(path) {
      const bytes = await once('texture', path);
      return bytes && { name: path, bytes };
    },
  };
}
