// The images that materials name: found, told apart by content, and as PNG where glTF does not hold their kind.
import type { RigScene } from '../core/types.ts';
import type { Ledger } from './ledger.ts';
import { encodePng } from './png.ts';

/** Finds images by the path or name that a file spells. What a source does not give is not looked for anywhere else. */
export interface ImageSource {
  image(path: string): Promise<{ name: string; bytes: Uint8Array | Blob } | null>;
}

/** An image as glTF holds it. */
export interface StoredImage {
  name: string;
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Uint8Array;
}

/** By row of `scene.images`, for the rows that are wanted; null where there is none that glTF could hold. */
export async function storeImages(
  { images }: RigScene,
  wanted: ReadonlySet<number>,
  source: ImageSource | undefined,
  ledger: Ledger,
): Promise<Map<number, StoredImage | null>> {
  const stored = new Map<number, StoredImage | null>();
  for (const row of wanted) {
    const image = images[row];
    const path = image?.path || image?.name || '';
    const found = image?.bytes ? { name: image.name || path, bytes: image.bytes } : path ? await source?.image(path) : null;
    if (!found) {
      ledger.add('TEXTURE_MISSING', path, 1);
      stored.set(row, null);
      continue;
    }
    const bytes = found.bytes instanceof Blob ? new Uint8Array(await found.bytes.arrayBuffer()) : found.bytes;
    stored.set(row, await store(found.name, bytes, ledger));
  }
  return stored;
}

async function store(name: string, bytes: Uint8Array, ledger: Ledger): Promise<StoredImage | null> {
  const mimeType = typeOf(bytes);
  if (mimeType) return { name, mimeType, bytes };
  try {
    // The decoders are those that draw textures; they come with three.js, only now.
    const { decodeTexture, pixelsOf } = await import('../three/decode.ts');
    const pixels = pixelsOf(await decodeTexture({ name, bytes }, () => false));
    if (!pixels) throw new Error('its pixels are compressed in a way that only graphics cards read');
    const png = await encodePng(pixels);
    ledger.add('TEXTURE_REENCODED', name, 1, `${pixels.width} × ${pixels.height}`);
    return { name, mimeType: 'image/png', bytes: png };
  } catch (error) {
    ledger.add('TEXTURE_UNSUPPORTED', name, 1, error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** By the mark that a file begins with: names lie. */
function typeOf(bytes: Uint8Array): StoredImage['mimeType'] | null {
  const starts = (text: string, at = 0): boolean => [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return null;
}
