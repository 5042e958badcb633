// Names of the files of a result. All of them begin with the name of the result, so that results of one folder never meet.

/** Bytes that file systems allow for a name. */
const LONGEST_NAME = 255;
/** Bytes kept free for a dot and the ending. */
const ENDING = 16;
/** Bytes that the name of a result may have, so that the names of its other files have room for a word of their own. */
const LONGEST_STEM = 160;
/** Bytes of a word that a file contains. */
const LONGEST_WORD = 100;
const SHORTEST_WORD = 8;

/** Equal for names that are one file where case and the spelling of accents do not count (Windows, macOS). */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

const lengthOf = (text: string): number => new TextEncoder().encode(text).length;

/** Cuts a text to a number of bytes of UTF-8, between two characters. */
export function cutToBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  let end = most;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--; // inside of a character
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/** Makes a name that a file contains a part of a file's name. */
const fileWord = (text: string): string => cutToBytes(text.replace(/[^\p{L}\p{N} ._()+-]+/gu, '_'), LONGEST_WORD);

/** Cuts the name of a result, so that all of its files have names that file systems take. */
export const fileStem = (name: string): string => cutToBytes(name, LONGEST_STEM);

/** Names of results, sorted. */
export class ResultNames {
  readonly #keys: readonly string[];

  constructor(names: Iterable<string>) {
    this.#keys = Array.from(names, nameKey).sort();
  }

  /** The keys of all names that begin with a key. */
  *startingWith(key: string): Generator<string, void> {
    let low = 0;
    for (let high = this.#keys.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    for (; this.#keys[low]?.startsWith(key); low++) yield this.#keys[low]!;
  }
}

/** Names the files of one result. */
export class FileNames {
  /** The name of the result, without ending. */
  readonly stem: string;
  readonly #others: Set<string>;
  readonly #taken: Set<string>;
  /** The last number behind a name, so that many equal names take no longer than others. */
  readonly #numbers = new Map<string, number>();

  /** `others`: names of other results in the same folder. */
  constructor(stem: string, others = new ResultNames([])) {
    const own = nameKey(stem);
    this.stem = stem;
    // No other name can be the beginning of a file of this result.
    this.#others = new Set(others.startingWith(`${own}_`));
    this.#taken = new Set([own]);
  }

  /**
   * Returns `NAME_word` without ending, a name that no other call has returned: of equal words the second is `NAME_word_2`. If it is, or begins like, a file of another result
   * ("arm_Bend" for the word "Bend" of "arm"), the number goes in between.
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

  /** Cuts the word, and of a very long stem the stem, to what file systems take. */
  #joined(between: string, word: string, behind: string): string {
    const room = LONGEST_NAME - ENDING - between.length - behind.length;
    const stem = cutToBytes(this.stem, room - SHORTEST_WORD);
    return stem + between + cutToBytes(word, room - lengthOf(stem)) + behind;
  }

  /** Names for the files of a split result, which may have other files beside them in turn. */
  parts(texts: readonly string[]): FileNames[] {
    const stems = texts.map(text => this.beside(text));
    for (const stem of stems) this.#others.add(nameKey(stem));
    const all = new ResultNames(this.#others);
    return stems.map(stem => new FileNames(stem, all));
  }

  /** True for the name of another result, and for one that continues it behind `_` or a dot. */
  #isOthers(key: string): boolean {
    for (let end = 1; end <= key.length; end++)
      if ((end === key.length || key[end] === '_' || key[end] === '.') && this.#others.has(key.slice(0, end))) return true;
    return false;
  }
}

/**
 * Chooses a name for each result of a folder from those that it may have, the best first. A name that nothing else wants is taken as it is; the others take their next
 * choice, then a number, until the name is free.
 */
export function distinctNames(choices: readonly (readonly [string, ...string[]])[]): string[] {
  const wanted = new Map<string, number>();
  for (const [first] of choices) wanted.set(nameKey(first), (wanted.get(nameKey(first)) ?? 0) + 1);
  const isAlone = ([first]: readonly [string, ...string[]]): boolean => wanted.get(nameKey(first)) === 1;
  const taken = new Set(choices.filter(isAlone).map(([first]) => nameKey(first)));
  // Numbers of a name begin behind its last one, so that many equal names take no longer than others.
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
