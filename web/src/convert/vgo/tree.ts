// Reads and writes the JSON of VGO files without loss: preserves the order of members, and integers
// of any length. Accepts the same JSON as Json.NET (docs/formats/vgo.md section 2.1).

/**
 * JSON object: a map from member names to values, in file order. A Map treats `__proto__` as an
 * ordinary name and keeps the order of numeric names.
 */
export type Branch = Map<string, Tree>;
export type Tree = null | boolean | number | string | WholeNumber | Tree[] | Branch;

/** An integer that a double cannot represent exactly, and that is therefore kept as text. */
export class WholeNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Maximum nesting depth. The same limit applies when rigcast opens a VGO file. */
export const DEEPEST = 64;

/** Converts a JavaScript value to a tree. Members whose value is undefined are left out. */
export function tree(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(tree);
  if (value instanceof Map || value instanceof WholeNumber) return value as Tree;
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array);
  if (typeof value === 'object' && value !== null) return branch(value);
  return value as Tree;
}

export function branch(members: object): Branch {
  return new Map(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, tree(value)]])));
}

export const isBranch = (value: Tree | undefined): value is Branch => value instanceof Map;
export const listOf = (value: Tree | undefined): Tree[] => (Array.isArray(value) ? value : []);
export const numberOf = (value: Tree | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/**
 * Parses JSON. Like Json.NET, it accepts comments, NaN, Infinity and a byte order mark. Throws a
 * SyntaxError if the text is invalid.
 */
export function parseJson(bytes: Uint8Array): Tree {
  const parser = new Parser(new TextDecoder().decode(bytes));
  const value = parser.value(0);
  parser.end();
  return value;
}

const BLANK = /(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*)*/y;
const NUMBER = /-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN/y;
const TEXT = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Tree {
    if (depth > DEEPEST) throw new SyntaxError('the text is nested too deeply');
    this.#blank();
    if (this.#skip('{')) return this.#members(depth);
    if (this.#skip('[')) return this.#list(depth);
    if (this.#text[this.#at] === '"') return this.#string();
    const word = this.#token(WORD);
    if (word !== null) return WORDS[word] ?? null;
    const digits = this.#token(NUMBER);
    if (digits === null) throw new SyntaxError(`expected a value at offset ${this.#at}`);
    const number = Number(digits);
    return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? new WholeNumber(digits) : number;
  }

  end(): void {
    this.#blank();
    if (this.#at < this.#text.length) throw new SyntaxError('unexpected text after the value');
  }

  #members(depth: number): Branch {
    const members: Branch = new Map();
    for (this.#blank(); !this.#skip('}'); this.#blank()) {
      if (members.size > 0) this.#expect(',');
      this.#blank();
      const name = this.#string();
      this.#blank();
      this.#expect(':');
      members.set(name, this.value(depth + 1));
    }
    return members;
  }

  #list(depth: number): Tree[] {
    const list: Tree[] = [];
    for (this.#blank(); !this.#skip(']'); this.#blank()) {
      if (list.length > 0) this.#expect(',');
      list.push(this.value(depth + 1));
    }
    return list;
  }

  #string(): string {
    const token = this.#token(TEXT);
    if (token === null) throw new SyntaxError(`expected a string at offset ${this.#at}`);
    const text = JSON.parse(token.replace(/\p{Cc}/gu, char => JSON.stringify(char).slice(1, -1))) as string;
    return text.replace(/\p{Surrogate}/gu, '\ufffd'); // replaces unpaired surrogates
  }

  #blank(): void {
    this.#token(BLANK);
  }

  #skip(char: string): boolean {
    const isThere = this.#text[this.#at] === char;
    if (isThere) this.#at++;
    return isThere;
  }

  #expect(char: string): void {
    if (!this.#skip(char)) throw new SyntaxError(`expected ${char} at offset ${this.#at}`);
  }

  #token(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [token = null] = pattern.exec(this.#text) ?? [];
    if (token !== null) this.#at += token.length;
    return token;
  }
}

export function printJson(value: Tree): Uint8Array {
  const pieces: string[] = [];
  print(value, pieces);
  return new TextEncoder().encode(pieces.join(''));
}

function print(value: Tree, to: string[]): void {
  if (Array.isArray(value)) {
    to.push('[');
    for (const [i, each] of value.entries()) {
      if (i > 0) to.push(',');
      print(each, to);
    }
    to.push(']');
  } else if (value instanceof Map) {
    to.push('{');
    let isFirst = true;
    for (const [name, each] of value) {
      to.push(isFirst ? '' : ',', JSON.stringify(name), ':');
      isFirst = false;
      print(each, to);
    }
    to.push('}');
  } else {
    to.push(scalar(value));
  }
}

function scalar(value: Exclude<Tree, Tree[] | Branch>): string {
  if (value instanceof WholeNumber) return value.text;
  if (typeof value !== 'number') return JSON.stringify(value);
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return `"${value}"`; // Json.NET writes these numbers as strings
}
