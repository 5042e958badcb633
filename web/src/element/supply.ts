// Files that the page gives when a model asks for them by name.
import type { Companions } from '../core/open.ts';
import type { TextureSource } from '../textures/sources.ts';
import type { Supply, Wish } from './types.ts';

/** The page's answer as bytes; null where it has none. A page that fails has none either: the report says what is missing then. */
async function ask(supply: Supply, wish: Wish): Promise<Uint8Array | null> {
  const given = await Promise.resolve(wish)
    .then(supply)
    .catch(() => null);
  if (given instanceof Blob) return new Uint8Array(await given.arrayBuffer());
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  return given instanceof Uint8Array ? given : null;
}

/** Keys, resources and side files; what the page does not have is looked for as always. */
export function bytesBy(supply: Supply): Extract<Companions, (...needs: never[]) => unknown> {
  return async ({ kind, name }) => (await ask(supply, { kind, name })) ?? undefined;
}

/** Images, and the texts that say which belong to a material. Each name is asked for once. */
export function texturesBy(supply: Supply): TextureSource {
  const asked = new Map<string, Promise<Uint8Array | null>>();
  const once = (kind: string, name: string): Promise<Uint8Array | null> => {
    const key = `${kind} ${name}`;
    const found = asked.get(key) ?? ask(supply, { kind, name });
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
