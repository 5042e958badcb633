// Keys as people and files spell them.
import type { FormatOptions } from './types.ts';

/** Null where the text is no base64. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), char => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** A key as options spell it: its bytes, or text, which is 64 hexadecimal digits or else base64. Throws TypeError where it is neither. */
export function keyFromOption(key: NonNullable<FormatOptions['vgo']>['key']): Uint8Array | null {
  if (key === undefined) return null;
  if (typeof key !== 'string') return key;
  const bytes = /^[0-9a-f]{64}$/i.test(key)
    ? Uint8Array.from({ length: 32 }, (_, i) => parseInt(key.slice(2 * i, 2 * i + 2), 16))
    : fromBase64(key);
  if (!bytes?.length) throw new TypeError('the key must be bytes, hexadecimal digits or base64');
  return bytes;
}
