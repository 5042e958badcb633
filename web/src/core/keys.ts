// Parses decryption keys in options and key files.
import type { FormatOptions } from './types.ts';
import { invalidArgument } from './error.ts';

/** Decodes base64. Returns null if the text is not valid. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), char => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * Parses the option for a key, which may be bytes, 64 hexadecimal digits or base64. Throws
 * TypeError for any other value.
 */
export function keyFromOption(key: NonNullable<FormatOptions['vgo']>['key']): Uint8Array | null {
  if (key === undefined) return null;
  if (typeof key !== 'string') return key;
  const bytes = /^[0-9a-f]{64}$/i.test(key)
    ? Uint8Array.from({ length: 32 }, (_, i) => parseInt(key.slice(2 * i, 2 * i + 2), 16))
    : fromBase64(key);
  if (!bytes?.length) throw invalidArgument('the key must be bytes, hexadecimal digits or base64');
  return bytes;
}
