// Represents written files as sequences of byte arrays, so that large files do not have to fit into
// memory.

/**
 * A file that a writer returns. Its pieces can have any length, and each iteration creates them
 * again.
 */
export interface WrittenFile {
  name: string;
  pieces: Iterable<ArrayBufferView>;
}

/** Bytes that have their own ArrayBuffer. Blob accepts this type in all releases of TypeScript. */
export type OwnedBytes = ReturnType<Uint8Array['slice']>;

/** A file that `convert` has written. */
export class ConvertedFile {
  readonly name: string;
  /**
   * All bytes of the file. The array is created on first access. For large files, use `pieces()`
   * instead.
   */
  declare readonly bytes: OwnedBytes;
  readonly #pieces: Iterable<ArrayBufferView>;

  constructor({ name, pieces }: WrittenFile) {
    this.name = name;
    this.#pieces = pieces;
    let bytes: OwnedBytes | undefined;
    // `bytes` is an own property, so that copies of the object (`{ ...file }`, messages to other
    // threads) include it.
    Object.defineProperty(this, 'bytes', { enumerable: true, get: () => (bytes ??= joined(pieces)) });
  }

  /**
   * Yields the bytes of the file in pieces of about one megabyte. Use them to write the file to
   * disk or to create a Blob.
   */
  pieces(): Generator<OwnedBytes, void> {
    return gathered(this.#pieces);
  }
}

/** Size in bytes up to which small pieces are joined. */
const PIECE = 2 ** 20;

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): OwnedBytes =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

function* gathered(pieces: Iterable<ArrayBufferView>): Generator<OwnedBytes, void> {
  let small: ArrayBufferView[] = [];
  let length = 0;
  for (const piece of pieces) {
    const isLarge = piece.byteLength >= PIECE / 4;
    if (length > 0 && (isLarge || length + piece.byteLength > PIECE)) {
      yield joined(small);
      [small, length] = [[], 0];
    }
    if (isLarge) yield bytesOf(piece);
    else {
      small.push(piece);
      length += piece.byteLength;
    }
  }
  if (length > 0) yield joined(small);
}

/** Joins the pieces into one array. A single piece is not copied. */
export function joined(pieces: Iterable<ArrayBufferView>): OwnedBytes {
  const all = [...pieces];
  const [only] = all;
  if (only && all.length === 1) return bytesOf(only);
  const bytes = new Uint8Array(all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of all) {
    bytes.set(bytesOf(piece), at);
    at += piece.byteLength;
  }
  return bytes;
}
