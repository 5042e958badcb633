// Keeps thumbnails on this device, by the content of the model and the images beside it. Without
// IndexedDB, as in some private windows, nothing is kept.
import { createStore, delMany, entries, get, set, type UseStore } from 'idb-keyval';
import type { LibraryEntry } from '../../session/library.ts';
import { isImage } from '../../textures/sources.ts';

export interface Thumbnail {
  picture: Blob;
  /** Number of textures that the model uses. */
  textures: number;
}

interface Kept extends Thumbnail {
  /** Time at which the thumbnail was last used, in milliseconds. */
  used: number;
}

/** Version of the pictures. A change makes thumbnails of earlier releases unused. */
const VERSION = 3;
/** Maximum number of thumbnails that are kept, at about 10 KB each. */
const MAX_COUNT = 1500;
/** Number of new thumbnails after which the oldest are deleted. */
const BETWEEN_DELETIONS = 50;

let opened: UseStore | null = null;
const store = (): UseStore => (opened ??= createStore('rigcast-thumbnails', 'pictures'));
let added = 0;

/** Files that can change the materials of a model. */
const isMaterialFile = (name: string): boolean => isImage(name) || /\.(json|mat|txt)$/i.test(name);

/**
 * Returns the key of a model's thumbnail: a hash of its bytes, of the names and sizes of all images
 * and material files that were dropped with it, and of the visitor's choices (`lookOf`). Resolves
 * with null if the browser can't compute hashes, which requires a secure connection.
 */
export async function thumbnailKey({ input, companionFiles }: LibraryEntry, look: string): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null;
  const hash = async (bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const files = companionFiles.list().filter(({ file }) => isMaterialFile(file.name));
  const names = files.map(({ path, file }) => `${path}:${file.size}`).sort();
  const parts = [await hash(await input.file.arrayBuffer()), new TextEncoder().encode(`${VERSION}\n${look}\n${names.join('\n')}`)];
  const key = await hash(await new Blob(parts).arrayBuffer());
  return Array.from(key, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns a kept thumbnail; null if there is none. */
export async function keptThumbnail(key: string): Promise<Thumbnail | null> {
  try {
    const kept = await get<Kept>(key, store());
    if (!kept || !(kept.picture instanceof Blob)) return null;
    await set(key, { ...kept, used: Date.now() } satisfies Kept, store());
    return kept;
  } catch {
    return null;
  }
}

/** Keeps a thumbnail. Deletes the thumbnails that were not used for the longest time. */
export async function keepThumbnail(key: string, thumbnail: Thumbnail, maxCount = MAX_COUNT): Promise<void> {
  try {
    await set(key, { ...thumbnail, used: Date.now() } satisfies Kept, store());
    if (added++ % Math.min(BETWEEN_DELETIONS, maxCount) > 0) return;
    const all = await entries<string, Kept>(store());
    const oldest = all.sort(([, a], [, b]) => b.used - a.used).slice(maxCount);
    await delMany(
      oldest.map(([other]) => other),
      store(),
    );
  } catch {
    // Storage can be forbidden or full.
  }
}
