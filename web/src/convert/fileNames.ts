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

/** Names the files of one result. */
export class FileNames {
  /** The name of the result, without ending. */
  readonly stem: string;
  readonly #others: string[];
  readonly #taken: Set<string>;

  /** `others`: names of other results in the same folder. */
  constructor(stem: string, others: readonly string[] = []) {
    const own = nameKey(stem);
    this.stem = stem;
    // No other name can be the beginning of a file of this result.
    this.#others = others.map(nameKey).filter(other => other.startsWith(`${own}_`));
    this.#taken = new Set([own]);
  }

  /**
   * Returns `NAME_word` without ending, a name that no other call has returned: of equal words the second is `NAME_word_2`. If it is, or begins like, a file of another result
   * ("arm_Bend" for the word "Bend" of "arm"), the number goes in between.
   */
  beside(text: string): string {
    const word = fileWord(text) || 'file';
    for (let n = 1; ; n++)
      for (let k = 1; ; k++) {
        const name = this.#joined(n === 1 ? '_' : `_${n}_`, word, k === 1 ? '' : `_${k}`);
        const key = nameKey(name);
        if (this.#isOthers(key)) break;
        if (this.#taken.has(key)) continue;
        this.#taken.add(key);
        return name;
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
    this.#others.push(...stems.map(nameKey));
    return stems.map(stem => new FileNames(stem, [...this.#others, ...stems]));
  }

  #isOthers(key: string): boolean {
    return this.#others.some(other => key === other || key.startsWith(`${other}_`) || key.startsWith(`${other}.`));
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
  return choices.map(all => {
    if (isAlone(all)) return all[0];
    for (const name of otherNames(all))
      if (!taken.has(nameKey(name))) {
        taken.add(nameKey(name));
        return name;
      }
    return all[0]; // not reached: numbers do not end
  });
}

function* otherNames(all: readonly [string, ...string[]]): Generator<string, void> {
  yield* all.length > 1 ? all.slice(1) : all;
  for (let n = 2; ; n++) yield `${all.at(-1)}_${n}`;
}
