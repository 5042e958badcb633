// The images that materials name: found, told apart by content, and as PNG where glTF does not hold their kind.
import type { Dressed, RawImage } from './dress.ts';
import type { Ledger } from './report.ts';
import { encodePng, type Pixels } from './png.ts';

/** An image as glTF holds it. */
export interface StoredImage {
  name: string;
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Uint8Array;
  /** The file as it was found. */
  isWhole: boolean;
}

/** By name, images that are stored as they are: one file may be looked at for a masked and for another material, and by several models. */
export type WholeImages = Map<string, [RawImage, StoredImage]>;

/** By row of `scene.images`, for the rows that are wanted; null where there is none that glTF could hold. `whole`: what was stored before. */
export async function storeImages(
  dressed: Dressed,
  wanted: ReadonlySet<number>,
  ledger: Ledger,
  whole: WholeImages = new Map(),
): Promise<Map<number, StoredImage | null>> {
  const stored = new Map<number, StoredImage | null>();
  for (const row of wanted) {
    const found = await dressed.imageOf(row);
    const { path, name } = dressed.scene.images[row] ?? {};
    if (!found) ledger.add('TEXTURE_MISSING', path || name || '', 1);
    let made = found && (await store(found, ledger));
    if (found && made?.isWhole) {
      const [same, before] = whole.get(found.name) ?? [];
      if (before && same && isSame(same.bytes, found.bytes, before.bytes, made.bytes)) made = before;
      whole.set(found.name, [found, made]);
    }
    stored.set(row, made);
  }
  return stored;
}

/** Files that were read twice are the same where their bytes are. */
function isSame(a: RawImage['bytes'], b: RawImage['bytes'], bytesA: Uint8Array, bytesB: Uint8Array): boolean {
  return a === b || (bytesA.length === bytesB.length && bytesA.every((byte, i) => byte === bytesB[i]));
}

async function store({ name, bytes: source, isTurned, isCut }: RawImage, ledger: Ledger): Promise<StoredImage | null> {
  const bytes = source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source;
  const mimeType = typeOf(bytes);
  if (mimeType && !isTurned && !isCut) return { name, mimeType, bytes, isWhole: true };
  try {
    const pixels = await decode(name, bytes);
    const cut = isCut ? await cutByColor(pixels, bytes) : null;
    if (mimeType && !isTurned && !cut) return { name, mimeType, bytes, isWhole: true };
    if (cut) pixels.data = cut.data;
    if (isTurned) for (let i = 1; i < pixels.data.length; i += 4) pixels.data[i] = 255 - (pixels.data[i] ?? 0);
    const how = [
      `${pixels.width} × ${pixels.height}`,
      ...(isTurned ? ['the green of its normals turned over'] : []),
      ...(cut ? [`${cut.color} cut out`] : []),
    ];
    ledger.add('TEXTURE_REENCODED', name, 1, how.join(', '));
    return { name, mimeType: 'image/png', bytes: await encodePng(pixels), isWhole: false };
  } catch (error) {
    if (mimeType && !isTurned) {
      ledger.add('TEXTURE_UNCUT', name, 1, error instanceof Error ? error.message : String(error));
      return { name, mimeType, bytes, isWhole: true };
    }
    ledger.add('TEXTURE_UNSUPPORTED', name, 1, error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** What red says in all colours; as it is where it cannot be decoded here, which the ledger tells. */
export async function redAsGrey(image: StoredImage, ledger: Ledger): Promise<StoredImage> {
  const { name, bytes } = image;
  try {
    const pixels = await decode(name, bytes);
    for (let i = 0; i < pixels.data.length; i += 4) pixels.data[i + 1] = pixels.data[i + 2] = pixels.data[i] ?? 0;
    ledger.add('TEXTURE_REENCODED', name, 1, `${pixels.width} × ${pixels.height}, red in all colours`);
    return { name, mimeType: 'image/png', bytes: await encodePng(pixels), isWhole: false };
  } catch (error) {
    ledger.add('TEXTURE_UNSUPPORTED', name, 1, error instanceof Error ? error.message : String(error));
    return image;
  }
}

/** glTF's metal and roughness as Unity has them: metal in red, smoothness in alpha. Null where it cannot be decoded here. */
export async function roughInAlpha({ name, bytes }: StoredImage, ledger: Ledger): Promise<StoredImage | null> {
  try {
    const pixels = await decode(name, bytes);
    const { data } = pixels;
    for (let i = 0; i < data.length; i += 4)
      [data[i], data[i + 1], data[i + 2], data[i + 3]] = [data[i + 2] ?? 0, data[i] ?? 0, 0, 255 - (data[i + 1] ?? 0)];
    ledger.add('TEXTURE_REENCODED', name, 1, `${pixels.width} × ${pixels.height}, smoothness instead of roughness`);
    return { name, mimeType: 'image/png', bytes: await encodePng(pixels), isWhole: false };
  } catch (error) {
    ledger.add('TEXTURE_UNSUPPORTED', name, 1, error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** The pixels without the colour that masks them; null where they have none, or transparent ones of their own. */
async function cutByColor({ data, width, height }: Pixels, file: Uint8Array): Promise<{ data: Uint8Array; color: string } | null> {
  const { colorText, applyColorKey: cutColorKey, findColorKey } = await import('../../textures/colorKey.ts');
  const key = findColorKey(data, width, height, file);
  return key && { data: cutColorKey(data, width, height, key), color: colorText(key.color) };
}

/** Rejects where it cannot be decoded here. */
export async function decode(name: string, bytes: Uint8Array): Promise<Pixels> {
  if (typeOf(bytes) === 'image/png' && typeof createImageBitmap === 'undefined') return (await import('./pngDecode.ts')).decodePng(bytes);
  // The decoders are those that draw textures; they come with three.js, only now.
  const { decodeTexture, pixelsOf } = await import('../../three/materials/decode.ts');
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
