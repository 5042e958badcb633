// Hex view of a file, with eight bytes and their ASCII characters per row. Reads only the visible
// page.
import type { SourceFile } from '../../session/inputFile.ts';
import { el, fill, iconButton } from '../dom.ts';
import { words } from '../words/index.ts';
import type { Bytes } from './branch.ts';

const ROW = 8;
/** Number of bytes on a page of the hex view. */
const PAGE = 256;

export class BytesView {
  readonly element: HTMLElement;
  readonly #text = el('pre', { class: 'hex', tabindex: 0 });
  readonly #place = el('span', { class: 'detail' });
  readonly #back = iconButton('back', words.inspect.bytesBefore, () => void this.#go(-PAGE));
  readonly #on = iconButton('forward', words.inspect.bytesAfter, () => void this.#go(PAGE));
  #file: SourceFile | null = null;
  #from = 0;
  #marked: Bytes = { offset: 0, size: 0 };

  constructor() {
    this.element = el('div', { class: 'bytes' }, el('div', { class: 'line' }, this.#back, this.#on, this.#place), this.#text);
  }

  /**
   * Shows a page of bytes. The page begins with the row that contains the start of `marked`; the
   * bytes of `marked` are highlighted.
   */
  async show(file: SourceFile, marked: Bytes): Promise<void> {
    this.#file = file;
    this.#marked = marked;
    this.#from = marked.offset - (marked.offset % ROW);
    await this.#read();
  }

  #go(step: number): Promise<void> {
    this.#from = Math.max(this.#from + step, 0);
    return this.#read();
  }

  async #read(): Promise<void> {
    const [file, from] = [this.#file, this.#from];
    if (!file) return;
    this.#back.disabled = from === 0;
    this.#on.disabled = from + PAGE >= file.size;
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(await file.slice(from, from + PAGE).arrayBuffer());
    } catch {
      // The file has been modified or deleted since it was opened.
      this.#place.textContent = words.inspect.fileIsGone;
      this.#text.textContent = '';
      return;
    }
    if (this.#from !== from || this.#file !== file) return; // a later call has replaced this one
    const last = Math.max(from + bytes.length - 1, from);
    this.#place.textContent = words.inspect.bytesFrom(hexOf(from, 1), hexOf(last, 1));
    this.#text.setAttribute('aria-label', this.#place.textContent);
    fill(this.#text, ...rowsOf(bytes, from, this.#marked));
  }
}

const hexOf = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

/** Returns the ASCII character of a byte, or a dot if it is not printable. */
const letterOf = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');

function* rowsOf(bytes: Uint8Array, from: number, { offset, size }: Bytes): Iterable<HTMLElement | string> {
  const isMarked = (at: number): boolean => at >= offset && at < offset + size;
  for (let row = 0; row < bytes.length; row += ROW) {
    const at = from + row;
    const part = bytes.subarray(row, row + ROW);
    yield el('i', {}, hexOf(at, 8));
    yield '  ';
    yield* runsOf(part, at, isMarked, byte => `${hexOf(byte, 2)} `);
    yield ' '.repeat(3 * (ROW - part.length) + 1);
    yield* runsOf(part, at, isMarked, letterOf);
    yield '\n';
  }
}

/** Formats bytes as text. Each run of highlighted bytes becomes one element. */
function* runsOf(
  bytes: Uint8Array,
  from: number,
  isMarked: (at: number) => boolean,
  textOf: (byte: number) => string,
): Iterable<HTMLElement | string> {
  for (let at = 0; at < bytes.length;) {
    const start = at;
    const marked = isMarked(from + at);
    while (at < bytes.length && isMarked(from + at) === marked) at++;
    const text = Array.from(bytes.subarray(start, at), textOf).join('');
    yield marked ? el('mark', {}, text) : text;
  }
}
