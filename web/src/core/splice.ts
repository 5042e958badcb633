// core.wasm and a part of it as one module: the part's functions behind those of the core, and in their slots of the table (.ci/wasmParts.mjs).

/** Sections that the part goes on with, in its order: types of functions, slots, code. */
const FUNCTIONS = 3;
const ELEMENTS = 9;
const CODE = 10;

/** Throws where they are not of one build. */
export function spliced(core: Uint8Array, part: Uint8Array, name: string): Uint8Array<ArrayBuffer> {
  const build = 8;
  const parts = new Cursor(part, build);
  const more = new Map([FUNCTIONS, ELEMENTS, CODE].map(id => [id, new Cursor(parts.piece())]));
  const own = new Cursor(core, 8);
  const out: Uint8Array[] = [core.subarray(0, 8)];
  let isKnown = false;
  while (own.at < core.length) {
    const id = core[own.at++]!;
    const section = own.piece();
    const added = more.get(id);
    if (id === 0) isKnown = textOf(section.subarray(-build)) === textOf(part.subarray(0, build));
    if (!added) out.push(Uint8Array.of(id), encoded(section.length), section);
    else {
      const before = new Cursor(section);
      const count = encoded(before.number() + added.number());
      const [first, second] = [before.rest(), added.rest()];
      out.push(Uint8Array.of(id), encoded(count.length + first.length + second.length), count, first, second);
    }
  }
  if (!isKnown) throw new Error(`${name}.wasm and core.wasm are not of the same build of rigcast: serve those of one release.`);
  const note = new TextEncoder().encode(`\u0004part${name}`);
  out.push(Uint8Array.of(0), encoded(note.length), note);
  const whole = new Uint8Array(out.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of out) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Whether a module has the readers of a part: the whole has all, and no custom section. */
export function holds(module: WebAssembly.Module, name: string): boolean {
  const notes = WebAssembly.Module.customSections(module, 'part');
  return notes.length === 0 || notes.some(note => textOf(note) === name);
}

const textOf = (bytes: ArrayBuffer | Uint8Array): string => new TextDecoder().decode(bytes);

class Cursor {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** Unsigned (LEB128). */
  number(): number {
    let value = 0;
    for (let power = 1; ; power *= 128) {
      const byte = this.#bytes[this.at++]!;
      value += (byte % 128) * power;
      if (!(byte >= 128)) return value;
    }
  }

  piece(): Uint8Array {
    const length = this.number();
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.at);
  }
}

function encoded(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Uint8Array.of(...bytes, value);
}
