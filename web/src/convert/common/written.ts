// Files that writers make, piece by piece, so that a result need not fit into memory.

/** What a writer gives. The pieces may be of any length, and made only while they are read; each reading makes them again. */
export interface WrittenFile {
  name: string;
  pieces: Iterable<ArrayBufferView>;
}

/** Bytes of an ArrayBuffer of their own, as Blob takes them, in every release of TypeScript. */
export type OwnedBytes = ReturnType<Uint8Array['slice']>;

/** A file that `convert` made. */
export class ConvertedFile {
  readonly name: string;
  /** The whole file. It is made when this is first read; of a large file, take `pieces()` instead. */
  declare readonly bytes: OwnedBytes;
  readonly #pieces: Iterable<ArrayBufferView>;

  constructor({ name, pieces }: WrittenFile) {
    this.name = name;
    this.#pieces = pieces;
    let whole: OwnedBytes | undefined;
    // The object's own, so that copies of it have the bytes: `{ ...file }`, and messages to other threads.
    Object.defineProperty(this, 'bytes', { enumerable: true, get: () => (whole ??= joined(pieces)) });
  }

  /** The same bytes in pieces of about a megabyte, for files on disk and parts of a Blob. */
  pieces(): Generator<OwnedBytes, void> {
    return gathered(this.#pieces);
  }
}

/** Bytes of a piece that is put together of smaller ones. */
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

/** One array; the only piece itself where it is the only one. */
export function joined(pieces: Iterable<ArrayBufferView>): OwnedBytes {
  const all = [...pieces];
  const [only] = all;
  if (only && all.length === 1) return bytesOf(only);
  const whole = new Uint8Array(all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of all) {
    whole.set(bytesOf(piece), at);
    at += piece.byteLength;
  }
  return whole;
}
