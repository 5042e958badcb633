// Writes the header and the named parts of UEFormat files (docs/formats/ueformat.md sections 1 and
// 2).
import { GrowingBytes } from '../common/growingBytes.ts';
import type { UeformatWriting } from './writing.ts';

const utf8 = new TextEncoder();

/** Body of a file: nested parts in the form of version 9 or 10. */
export class UeBytes extends GrowingBytes {
  readonly isV10: boolean;
  /** Number of parts in the current set. */
  #parts = 0;

  constructor({ v10 }: UeformatWriting) {
    super();
    this.isV10 = v10 ?? false;
  }

  string(text: string): this {
    const bytes = utf8.encode(text);
    return this.u32(bytes.length).column(bytes);
  }

  /** Writes a set of parts. Version 9 has no header for it. */
  set(write: () => void): this {
    const outer = this.#parts;
    this.#parts = 0;
    const at = this.size;
    if (this.isV10) this.u32(0);
    write();
    if (this.isV10) this.setU32(at, this.#parts);
    this.#parts = outer;
    return this;
  }

  /** Writes a part that contains `count` elements. */
  array(name: string, count: number, write: () => void): this {
    this.#parts++;
    this.string(name);
    if (!this.isV10) this.u32(count);
    return this.#sized(() => {
      if (this.isV10) this.u32(count);
      write();
    });
  }

  /** Writes a part that contains a single structure or a set. */
  single(name: string, write: () => void): this {
    this.#parts++;
    this.string(name);
    if (!this.isV10) this.u32(1);
    return this.#sized(write);
  }

  /** Writes a level of detail, which has no size in version 10. */
  level(name: string, write: () => void): this {
    this.string(name);
    return this.isV10 ? this.set(write) : this.#sized(() => this.set(write));
  }

  #sized(write: () => void): this {
    const at = this.size;
    this.u32(0);
    write();
    this.setU32(at, this.size - at - 4);
    return this;
  }
}

export interface Header {
  identifier: 'UEMODEL' | 'UEANIM';
  name: string;
  /** Path of the asset in the project, which only version 10 stores. */
  path: string;
}

/** Returns the pieces of a file. */
export async function fileOf({ identifier, name, path }: Header, body: UeBytes, { gzip }: UeformatWriting): Promise<ArrayBufferView[]> {
  const head = new UeBytes({ v10: body.isV10 }).utf8('UEFORMAT') as UeBytes;
  head
    .string(identifier)
    .u8(body.isV10 ? 10 : 9)
    .string(name);
  if (body.isV10) head.string(path);
  head.u8(gzip ? 1 : 0);
  const pieces = body.finish();
  if (!gzip) return [...head.finish(), ...pieces];
  const compressed = await new Response(new Blob(pieces).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  head.string('GZIP').u32(body.size).u32(compressed.byteLength);
  return [...head.finish(), new Uint8Array(compressed)];
}
