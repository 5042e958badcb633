// Chooses names for the files of a result. Each name begins with the name of the result, so that
// the names of several results in a folder do not collide.
import { startingWith } from './sorted.ts';

/** Maximum length of a file name, in bytes. */
const LONGEST_NAME = 255;
/** Length reserved for the dot and the extension, in bytes. */
const ENDING = 16;
/**
 * Maximum length of a result's name, in bytes. The remaining bytes are for the suffixes of its
 * files.
 */
const LONGEST_STEM = 160;
/** Maximum length of a suffix that is derived from a name in a file, in bytes. */
const LONGEST_WORD = 100;
const SHORTEST_WORD = 8;

/**
 * Returns a key that is the same for all names that Windows or macOS treat as the same file. The
 * key ignores case and Unicode composition.
 */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

const lengthOf = (text: string): number => new TextEncoder().encode(text).length;

/** Shortens a text to at most `maxBytes` UTF-8 bytes, without splitting a character. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--; // the cut would split a multi-byte character
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/** Converts any name to characters that are valid in file names, and shortens it. */
const fileWord = (text: string): string => cutToBytes(text.replace(/[^\p{L}\p{N} ._()+-]+/gu, '_'), LONGEST_WORD);

/** Shortens the name of a result so that the names of all its files are valid. */
export const fileStem = (name: string): string => cutToBytes(name, LONGEST_STEM);

/** Result names in sorted order, which can be searched by prefix. */
export class ResultNames {
  readonly #keys: readonly string[];

  constructor(names: Iterable<string>) {
    this.#keys = Array.from(names, nameKey).sort();
  }

  /** Returns all name keys (see `nameKey`) that begin with `key`. */
  startingWith(key: string): string[] {
    return startingWith(this.#keys, key);
  }
}

/** Generates unique names for the files of one result. */
export class FileNames {
  /** Name of the result, without extension. */
  readonly stem: string;
  readonly #others: Set<string>;
  readonly #taken: Set<string>;
  /**
   * Last number that was appended to each name. With these numbers, the next free name is found in
   * constant time.
   */
  readonly #numbers = new Map<string, number>();

  /** `others`: names of other results in the same folder. */
  constructor(stem: string, others = new ResultNames([])) {
    const own = nameKey(stem);
    this.stem = stem;
    // Only names that begin with this result's name and `_` can collide with files of this result.
    this.#others = new Set(others.startingWith(`${own}_`));
    this.#taken = new Set([own]);
  }

  /**
   * Returns a unique file name without extension: `NAME_text`, or `NAME_text_2` when the same text
   * is passed again. If the name belongs to another result, a number is put before the text
   * (`NAME_2_text`). For example, the result "arm" cannot have a file "arm_Bend" if another result
   * is named "arm_Bend".
   */
  beside(text: string): string {
    const word = fileWord(text) || 'file';
    for (let n = 1; ; n++) {
      const between = n === 1 ? '_' : `_${n}_`;
      const first = between + nameKey(word);
      for (let k = this.#numbers.get(first) ?? 1; ; k++) {
        const name = this.#joined(between, word, k === 1 ? '' : `_${k}`);
        const key = nameKey(name);
        if (this.#isOthers(key)) break;
        if (this.#taken.has(key)) continue;
        this.#taken.add(key);
        this.#numbers.set(first, k);
        return name;
      }
    }
  }

  /**
   * Returns a valid file name that consists of the stem and the three arguments. If the name would
   * be too long, the word is shortened, and then the stem if necessary.
   */
  #joined(between: string, word: string, behind: string): string {
    const room = LONGEST_NAME - ENDING - between.length - behind.length;
    const stem = cutToBytes(this.stem, room - SHORTEST_WORD);
    return stem + between + cutToBytes(word, room - lengthOf(stem)) + behind;
  }

  /**
   * Returns a name generator for each part of a split result, because a part can have several
   * files.
   */
  parts(texts: readonly string[]): FileNames[] {
    const stems = texts.map(text => this.beside(text));
    for (const stem of stems) this.#others.add(nameKey(stem));
    const all = new ResultNames(this.#others);
    return stems.map(stem => new FileNames(stem, all));
  }

  /**
   * True if the key is the key of another result's name, or begins with such a key and `_` or a
   * dot.
   */
  #isOthers(key: string): boolean {
    for (let end = 1; end <= key.length; end++)
      if ((end === key.length || key[end] === '_' || key[end] === '.') && this.#others.has(key.slice(0, end))) return true;
    return false;
  }
}

/**
 * Chooses a unique name for each result in a folder. `choices`: possible names for each result,
 * best first. A result gets its first choice unless another result has the same first choice. In
 * that case it gets one of its other choices, or a numbered name.
 */
export function distinctNames(choices: readonly (readonly [string, ...string[]])[]): string[] {
  const wanted = new Map<string, number>();
  for (const [first] of choices) wanted.set(nameKey(first), (wanted.get(nameKey(first)) ?? 0) + 1);
  const isAlone = ([first]: readonly [string, ...string[]]): boolean => wanted.get(nameKey(first)) === 1;
  const taken = new Set(choices.filter(isAlone).map(([first]) => nameKey(first)));
  // Last number that was appended to each name. With these numbers, naming takes linear time even
  // if all names are equal.
  const numbers = new Map<string, number>();
  const take = (name: string): boolean => !taken.has(nameKey(name)) && !!taken.add(nameKey(name));
  return choices.map(all => {
    if (isAlone(all)) return all[0];
    const others = all.length > 1 ? all.slice(1) : all;
    const free = others.find(take);
    if (free !== undefined) return free;
    const last = others.at(-1)!;
    for (let n = numbers.get(nameKey(last)) ?? 2; ; n++) {
      if (!take(`${last}_${n}`)) continue;
      numbers.set(nameKey(last), n + 1);
      return `${last}_${n}`;
    }
  });
}
