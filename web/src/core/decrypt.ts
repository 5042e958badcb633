// Bytes of a file that are encrypted: decrypted here, outside the core, and supplied to it in clear. The cipher comes only when a file needs it.
import type { Supplied } from './instance.ts';
import type { Finding, FormatOptions, Need, Properties } from './types.ts';

/** Keys that were given: an option's, a companion's. */
export type FindKey = (need: Need) => Promise<Uint8Array | null>;
/** Bytes [offset, offset + byteLength) of the file; null where it is shorter. */
export type ReadBytes = (offset: number, byteLength: number) => Promise<Uint8Array | null>;

/** A need of kind `decrypt` tells how, in its properties: algorithm, iv and maybe key (base64), and the place in the file. */
export type EncryptedNeed = Need & { properties?: Properties };

export interface Decrypted {
  supplied: Supplied[];
  /** What could not be decrypted, and why. */
  findings: Finding[];
}

/**
 * Decrypts what `needs` of kind `decrypt` ask for. A key from outside goes before one that is embedded in the file. AES-128, 192 or 256 in CBC
 * mode with PKCS#7, which is all that files use, whatever they say.
 */
export async function decryptNeeds(needs: readonly EncryptedNeed[], keyOf: FindKey, read: ReadBytes): Promise<Decrypted> {
  const result: Decrypted = { supplied: [], findings: [] };
  for (const need of needs) {
    if (need.kind !== 'decrypt') continue;
    const properties = need.properties ?? {};
    const asked = needs.find(({ kind }) => kind === 'key');
    const given = await keyOf(asked ?? { kind: 'key', name: '', required: false });
    const key = given ?? bytesOf(properties, 'key');
    if (!key) continue; // the need stays, and the report says what for
    const iv = bytesOf(properties, 'iv');
    const cipher = iv && (await read(numberOf(properties, 'offset'), numberOf(properties, 'byteLength')));
    if (!iv || !cipher) continue; // the core has told what is wrong with them
    const fail = (code: string, detail: string): void => void result.findings.push({ code, severity: 'error', offset: numberOf(properties, 'offset'), path: need.name, detail, count: 1 });
    if (![16, 24, 32].includes(key.length)) {
      fail('BAD_KEY', `the key has ${key.length} bytes; AES takes 16, 24 or 32`);
      continue;
    }
    const { cbc } = await import('@noble/ciphers/aes.js');
    try {
      result.supplied.push({ kind: need.kind, name: need.name, bytes: cbc(key, iv).decrypt(cipher) });
    } catch {
      fail('DECRYPT_FAILED', given ? 'the key does not fit this file' : 'the key inside the file does not fit');
      continue;
    }
    if (given && asked) result.supplied.push({ kind: asked.kind, name: asked.name, bytes: given });
  }
  return result;
}

function bytesOf(properties: Properties, name: string): Uint8Array | null {
  const value = Object.hasOwn(properties, name) ? properties[name] : null;
  return typeof value === 'string' ? fromBase64(value) : null;
}

function numberOf(properties: Properties, name: string): number {
  const value = Object.hasOwn(properties, name) ? properties[name] : null;
  return typeof value === 'number' ? value : 0;
}

/** Null where the text is no base64. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), char => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * A key as options spell it: the bytes, or text, which is 32, 48 or 64 hexadecimal digits or else base64. Throws TypeError where it is
 * neither.
 */
export function keyFromOption(key: NonNullable<FormatOptions['vgo']>['key']): Uint8Array | null {
  if (key === undefined) return null;
  if (typeof key !== 'string') return key;
  const isHex = [32, 48, 64].includes(key.length) && /^[0-9a-f]*$/i.test(key);
  const bytes = isHex ? Uint8Array.from({ length: key.length / 2 }, (_, i) => parseInt(key.slice(2 * i, 2 * i + 2), 16)) : fromBase64(key);
  if (!bytes?.length) throw new TypeError('formatOptions.vgo.key is neither bytes nor hexadecimal digits nor base64');
  return bytes;
}
