// Bytes of a file that are encrypted: decrypted here, outside the core, and supplied to it in clear. Imported only when a file needs it.
import { fromBase64 } from './keys.ts';
import type { Need, PropertyValue } from './types.ts';
import { cbc } from './vendor/aes.ts';

/** Bytes [offset, offset + byteLength) of the file; null where it is shorter. */
export type ReadBytes = (offset: number, byteLength: number) => Promise<Uint8Array | null>;

/**
 * The clear bytes for a need of kind `decrypt`, whose properties say how: AES-128, 192 or 256 in CBC mode with PKCS#7, key and iv as base64, and the
 * place in the file. None (no bytes) where the key does not fit, null where there is no key yet, or one that no AES has.
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
