/** Returns the bytes of a file by its path, or null. The path is relative to the file that references it. */
export type Read = (path: string) => Uint8Array | null | Promise<Uint8Array | null>;
