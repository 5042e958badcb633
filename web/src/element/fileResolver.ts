// Adapts the page's file resolver to the loader's companions and textures.
import type { Companions } from '../core/open.ts';
import type { TextureSource } from '../textures/sources.ts';
import type { FileResolver, FileRequest } from './types.ts';

/**
 * Calls the resolver and returns bytes, or null if it returns nothing or throws. The report then
 * lists the file as missing.
 */
async function request(supply: FileResolver, wish: FileRequest): Promise<Uint8Array | null> {
  const given = await Promise.resolve(wish)
    .then(supply)
    .catch(() => null);
  if (given instanceof Blob) return new Uint8Array(await given.arrayBuffer());
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  return given instanceof Uint8Array ? given : null;
}

/**
 * Resolves keys, resources and side files. Files that the page does not provide are fetched as
 * usual.
 */
export function companionsFrom(supply: FileResolver): Extract<Companions, (...needs: never[]) => unknown> {
  return async ({ kind, name }) => (await request(supply, { kind, name })) ?? undefined;
}

/** Resolves images and material files. Each name is requested once. */
export function texturesFrom(supply: FileResolver): TextureSource {
  const asked = new Map<string, Promise<Uint8Array | null>>();
  const once = (kind: string, name: string): Promise<Uint8Array | null> => {
    const key = `${kind} ${name}`;
    const found = asked.get(key) ?? request(supply, { kind, name });
    asked.set(key, found);
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
