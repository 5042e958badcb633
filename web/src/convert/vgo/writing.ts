// Options for writing VGO.
import { invalidArgument } from '../../core/error.ts';
import { keyFromOption } from '../../core/keys.ts';

export interface VgoWriting {
  /** Encoding of the trees. Default: json. Unity's reader accepts both. */
  encoding?: 'json' | 'bson';
  /**
   * Key of 32 bytes, also as 64 hexadecimal digits or base64, that encrypts the list of accessors
   * with AES-256. `NAME.vgk` beside the result contains the key.
   */
  key?: Uint8Array | string;
}

const KEY_LENGTH = 32;

/**
 * Checks the options and returns the key as bytes, null without a key. Throws a TypeError if the
 * key does not have 32 bytes or the encoding is unknown.
 */
export function keyOf({ key, encoding = 'json' }: VgoWriting): Uint8Array | null {
  if (encoding !== 'json' && encoding !== 'bson')
    throw invalidArgument(`convert: vgo.encoding must be json or bson, not ${JSON.stringify(encoding)}`);
  const bytes = keyFromOption(key);
  if (bytes && bytes.length !== KEY_LENGTH) throw invalidArgument(`convert: vgo.key must have ${KEY_LENGTH} bytes, not ${bytes.length}`);
  return bytes;
}
