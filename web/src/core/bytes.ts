// Copies bytes that may be a Node Buffer.

/**
 * Copies bytes into their own ArrayBuffer. Do not use `bytes.slice()`: for a Buffer it returns a
 * view into the pool that Node shares between small buffers.
 */
export const copyOf = (bytes: Uint8Array | Uint8ClampedArray): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
