// The only function of fzstd that rigcast uses. The build replaces this file by the code of the
// library, so the package has no dependency on it.
import * as library from 'fzstd';

/** Decompresses Zstandard frames into `to`. Throws if the data is damaged or does not fit. */
export const decompressZstd: (bytes: Uint8Array, to: Uint8Array) => Uint8Array = library.decompress;
