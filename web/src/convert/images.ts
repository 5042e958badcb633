// The images that materials name: found, told apart by content, and as PNG where glTF does not hold their kind.
import { member } from '../core/properties.ts';
import type { RigScene } from '../core/types.ts';
import type { Ledger } from './ledger.ts';
import { encodePng, type Pixels } from './png.ts';

/** Finds images by the path or name that a file spells. What a source does not give is not looked for anywhere else. */
export interface ImageSource {
  image(path: string): Promise<{ name: string; bytes: Uint8Array | Blob } | null>;
  /** A text file of that name, for what lies beside a model and says which textures its materials use. Without it none is looked for. */
  text?(name: string): Promise<string | null>;
  /** All image names there are, so that materials that nothing speaks of are dressed by name. */
  readonly names?: readonly string[] | null;
}

/** An image as glTF holds it. */
export interface StoredImage {
  name: string;
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Uint8Array;
}

/** By row of `scene.images`, for the rows that are wanted; null where there is none that glTF could hold. */
export async function storeImages(
  { images, textures }: RigScene,
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
    const isTurned = textures.some(texture => texture.image === row && member(texture.properties, 'greenDown') === true);
    stored.set(row, await store(found.name, bytes, isTurned, ledger));
  }
  return stored;
}

/** `isTurned`: normals whose green channel points down, which glTF has up. */
async function store(name: string, bytes: Uint8Array, isTurned: boolean, ledger: Ledger): Promise<StoredImage | null> {
  const mimeType = typeOf(bytes);
  if (mimeType && !isTurned) return { name, mimeType, bytes };
  try {
    const pixels = await decode(name, bytes);
    if (isTurned) for (let i = 1; i < pixels.data.length; i += 4) pixels.data[i] = 255 - (pixels.data[i] ?? 0);
    const png = await encodePng(pixels);
    const how = `${pixels.width} × ${pixels.height}${isTurned ? ', the green of its normals turned over' : ''}`;
    ledger.add('TEXTURE_REENCODED', name, 1, how);
    return { name, mimeType: 'image/png', bytes: png };
  } catch (error) {
    ledger.add('TEXTURE_UNSUPPORTED', name, 1, error instanceof Error ? error.message : String(error));
    return null;
  }
}

async function decode(name: string, bytes: Uint8Array): Promise<Pixels> {
  if (typeOf(bytes) === 'image/png' && typeof createImageBitmap === 'undefined') return (await import('./pngDecode.ts')).decodePng(bytes);
  // The decoders are those that draw textures; they come with three.js, only now.
  const { decodeTexture, pixelsOf } = await import('../three/decode.ts');
  const pixels = pixelsOf(await decodeTexture({ name, bytes }, () => false));
  if (!pixels) throw new Error('its pixels are compressed in a way that only graphics cards read');
  return pixels;
}

/** By the mark that a file begins with: names lie. */
function typeOf(bytes: Uint8Array): StoredImage['mimeType'] | null {
  const starts = (text: string, at = 0): boolean => [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return null;
}
