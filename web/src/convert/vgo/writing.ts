// Options for writing VGO files.
import { invalidArgument } from '../../core/error.ts';
import { keyFromOption } from '../../core/keys.ts';

export interface VgoWriting {
  /**
   * Encoding of the JSON trees in the file. The default is `json`. Unity's importer accepts both
   * encodings.
   */
  encoding?: 'json' | 'bson';
  /**
   * Key that encrypts the list of accessors with AES-256: an array of 32 bytes, or a string with
   * these bytes as hexadecimal digits or base64. The key is written to `NAME.vgk` beside the
   * result.
   */
  key?: Uint8Array | string;
}

const KEY_LENGTH = 32;

/**
 * Checks the options, and returns the bytes of the key or null if there is no key. Throws a
 * TypeError if the encoding is unknown or the key does not have 32 bytes.
 */
export function keyOf({ key, encoding = 'json' }: VgoWriting): Uint8Array | null {
  if (encoding !== 'json' && encoding !== 'bson')
    throw invalidArgument(`convert: vgo.encoding must be json or bson, not ${JSON.stringify(encoding)}`);
  const bytes = keyFromOption(key);
  if (bytes && bytes.length !== KEY_LENGTH) throw invalidArgument(`convert: vgo.key must have ${KEY_LENGTH} bytes, not ${bytes.length}`);
  return bytes;
}
