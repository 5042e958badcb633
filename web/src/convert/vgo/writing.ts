// How a VGO file is written, as callers say it.
import { keyFromOption } from '../../core/keys.ts';

export interface VgoWriting {
  /** Default json: Unity's reader takes both, and people can read one. */
  encoding?: 'json' | 'bson';
  /** 32 bytes (or 64 hexadecimal digits, or base64): encrypts the list of what lies where by AES-256. The key becomes a file `NAME.vgk` beside the result. */
  key?: Uint8Array | string;
}

const KEY_LENGTH = 32;

/** The key as bytes; null where there is none. Throws a TypeError where it is no key of AES-256, or the encoding is none. */
export function keyOf({ key, encoding = 'json' }: VgoWriting): Uint8Array | null {
  if (encoding !== 'json' && encoding !== 'bson')
    throw new TypeError(`convert: vgo.encoding is json or bson, not ${JSON.stringify(encoding)}`);
  const bytes = keyFromOption(key);
  if (bytes && bytes.length !== KEY_LENGTH)
    throw new TypeError(`convert: vgo.key has ${bytes.length} bytes, and the keys of the format have ${KEY_LENGTH}`);
  return bytes;
}
