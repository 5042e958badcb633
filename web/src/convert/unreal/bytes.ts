// Chunks of records, one behind the other: what PSK and PSA files are made of (docs/formats/psk-psa.md sections 1 and 4).

/** Writes record `i`, which begins at `at` and is zero so far. */
export type WriteRecord = (view: DataView, at: number, i: number) => void;

/** What a head says of its writer: chunks behind the usual ones may follow. */
export const HEAD = 20100422;
const NAME = 64;

const utf8 = new TextEncoder();

export class ActorXBytes {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  /** Names that were cut, since their fields are short. */
  cut = 0;

  chunk(id: string, size: number, count: number, write: WriteRecord = () => {}, flag = 0): this {
    const bytes = new Uint8Array(32 + size * count);
    const view = new DataView(bytes.buffer);
    bytes.set(utf8.encode(id));
    view.setInt32(20, flag, true);
    view.setInt32(24, size, true);
    view.setInt32(28, count, true);
    for (let i = 0; i < count; i++) write(view, 32 + size * i, i);
    this.#chunks.push(bytes);
    return this;
  }

  /** A field of 64 bytes, the last of them 0. */
  name(view: DataView, at: number, text: string, size = NAME): void {
    const { bytes, isCut } = fixedName(text, size);
    if (isCut) this.cut++;
    new Uint8Array(view.buffer, view.byteOffset + at, bytes.length).set(bytes);
  }

  finish(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}

/** What of a name a field holds: cut between two characters where it is too long. */
export function fixedName(text: string, size = NAME): { bytes: Uint8Array; isCut: boolean } {
  const bytes = utf8.encode(text.replace(/\p{Cc}/gu, ' '));
  let length = Math.min(bytes.length, size - 1);
  if (length === bytes.length) return { bytes, isCut: false };
  while (((bytes[length] ?? 0) & 0xc0) === 0x80) length--;
  return { bytes: bytes.subarray(0, length), isCut: true };
}

export function putFloats(view: DataView, at: number, ...values: number[]): void {
  for (const [i, value] of values.entries()) view.setFloat32(at + 4 * i, value, true);
}
