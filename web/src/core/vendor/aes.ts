// The only function of @noble/ciphers that rigcast uses. The build replaces this file by the code
// of the library, so the package has no dependency on it.
import * as library from '@noble/ciphers/aes.js';

/** AES in CBC mode with PKCS#7 padding. `decrypt` throws if the padding is invalid. */
export const cbc: (key: Uint8Array, iv: Uint8Array) => { decrypt(bytes: Uint8Array): Uint8Array; encrypt(bytes: Uint8Array): Uint8Array } =
  library.cbc;
