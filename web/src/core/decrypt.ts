// Decrypts encrypted files in JavaScript, outside the core. Imported only for such files.
import { fromBase64 } from './keys.ts';
import type { Need, PropertyValue } from './types.ts';
import { cbc } from './vendor/aes.ts';

/** Reads bytes [offset, offset + byteLength) of the file. Returns null if the file is shorter. */
export type ReadBytes = (offset: number, byteLength: number) => Promise<Uint8Array | null>;

/**
 * Decrypts the bytes for a need of kind `decrypt` with AES-128, AES-192 or AES-256 in CBC mode and
 * PKCS#7 padding. The need's properties contain key and iv as base64, and the byte range in the
 * file. Returns an empty array if the key is wrong, and null if there is no key, its length is
 * invalid, or the file is too short.
 */
export async function decryptNeed({ properties }: Need, read: ReadBytes): Promise<Uint8Array | null> {
  const key = bytesOf(properties?.['key']);
  const iv = bytesOf(properties?.['iv']);
  if (!key || !iv || ![16, 24, 32].includes(key.length)) return null;
  const cipher = await read(Number(properties?.['offset']), Number(properties?.['byteLength']));
  if (!cipher) return null;
  try {
    return cbc(key, iv).decrypt(cipher);
  } catch {
    return new Uint8Array();
  }
}

function bytesOf(value: PropertyValue | undefined): Uint8Array | null {
  return typeof value === 'string' ? fromBase64(value) : null;
}
