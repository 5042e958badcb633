// Copies of bytes that may be a Buffer of Node.

/**
 * Returns a copy in an ArrayBuffer of its own. Never use `bytes.slice()` for this: on a Buffer it is a view, whose `buffer` is the pool that Node shares
 * between files below 4 KB.
 */
export const copyOf = (bytes: Uint8Array | Uint8ClampedArray): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
