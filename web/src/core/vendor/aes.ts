// The one of @noble/ciphers that is used. The build puts the library itself in this file's place, so that the package needs no other.
import * as library from '@noble/ciphers/aes.js';

/** AES in CBC mode with PKCS#7. Decrypting throws where the padding is wrong. */
export const cbc: (key: Uint8Array, iv: Uint8Array) => { decrypt(bytes: Uint8Array): Uint8Array; encrypt(bytes: Uint8Array): Uint8Array } =
  library.cbc;
