// Options for writing VGO.
import { keyFromOption } from '../../core/keys.ts';

export interface VgoWriting {
  /** Default: json, which people can read. Unity's reader accepts both. */
  encoding?: 'json' | 'bson';
  /**
   * Key of 32 bytes, also as 64 hexadecimal digits or base64. Encrypts the list of accessors with
   * AES-256. The key is written beside the result as `NAME.vgk`.
   */
  key?: Uint8Array | string;
}

const KEY_LENGTH = 32;

/**
 * Returns the key as bytes; null if there is none. Throws a TypeError for a key of another length
 * or an unknown encoding.
 */
export function keyOf({ key, encoding = 'json' }: VgoWriting): Uint8Array | null {
  if (encoding !== 'json' && encoding !== 'bson')
    throw new TypeError(`convert: vgo.encoding is json or bson, not ${JSON.stringify(encoding)}`);
  const bytes = keyFromOption(key);
  if (bytes && bytes.length !== KEY_LENGTH)
    throw new TypeError(`convert: vgo.key has ${bytes.length} bytes, and the keys of the format have ${KEY_LENGTH}`);
  return bytes;
}
