// The terms and the files of the search index. The command writes the index, and the page reads it.

/** Facts that a search result shows. The folder of its page is `models/<slug>/`. */
export interface Entry {
  slug: string;
  name: string;
  folder: string;
  format: string;
  triangles: number;
  /** Number of placed copies of other models. */
  instances: number;
  bones: number;
  animations: number;
  errors: number;
  warnings: number;
  hasPicture: boolean;
}

/** `index.json`: the table of contents of the search index. */
export interface Contents {
  count: number;
  /** Shards in the order of the models. Each has an index of its own. */
  shards: { file: string; count: number }[];
  /** Blocks of the directory, which is a sorted list of all terms. `first`: the first term of the block. */
  blocks: { file: string; first: string }[];
}

/** A shard: entries, and their MiniSearch index as JSON. The id of an entry is its position. */
export interface Shard {
  entries: Entry[];
  index: string;
}

/** A block of the directory: terms, each with the numbers of the shards that contain it. */
export type Block = [term: string, shards: number[]][];

/** Searched texts, with the weight of a match. */
export const FIELDS = { name: 8, animations: 3, materials: 2, bones: 1 } as const;
export type Field = keyof typeof FIELDS;

/** Field of the exact values by which results are filtered. */
export const FILTERS = 'filters';

/** Upper ends of the ranges of triangle counts. */
export const TRIANGLE_RANGES = [1_000, 10_000, 100_000] as const;

/** Returns the range of a number of triangles, 0 to the number of `TRIANGLE_RANGES`. */
export const rangeOf = (triangles: number): number => {
  const found = TRIANGLE_RANGES.findIndex(end => triangles <= end);
  return found < 0 ? TRIANGLE_RANGES.length : found;
};

const SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const SCRIPT_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;

/** Maximum length of a term in UTF-16 code units. Longer words are cut. */
const LONGEST = 40;

/** Prefix of the names of skeletal meshes in Unreal Engine. */
const PREFIX = /^sk(?=\p{L}{3})/iu;

/**
 * Splits a text into distinct terms: lower-case words, the parts of words such as `LeftHand`, and
 * pairs of characters in Japanese and Chinese, which has no spaces. A word such as `skharryMesh` is
 * also a term without its prefix `sk`.
 */
export function termsOf(text: string): string[] {
  const terms = new Set<string>();
  const add = (term: string): void => void terms.add(term.toLowerCase().slice(0, LONGEST));
  for (const [word] of text.normalize('NFKC').matchAll(/[\p{L}\p{N}\p{M}ー]+/gu))
    for (const [run] of word.matchAll(SCRIPT_RUN)) {
      if (SCRIPT.test(run)) {
        const letters = [...run];
        if (letters.length === 1) add(run);
        for (let i = 1; i < letters.length; i++) add(letters[i - 1]! + letters[i]!);
        continue;
      }
      add(run);
      const bare = run.replace(PREFIX, '');
      add(bare);
      const parts = bare.match(/\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{L}+/gu) ?? [];
      if (parts.length > 1) for (const part of parts) if (part.length > 1) add(part);
    }
  return [...terms];
}

/** Separates the terms of a field. No term contains it. */
export const SEPARATOR = '\n';

/** Options with which the index is written and read. The fields are lists of terms. */
export const INDEX_OPTIONS = {
  fields: [...Object.keys(FIELDS), FILTERS],
  tokenize: (text: string): string[] => text.split(SEPARATOR).filter(Boolean),
  processTerm: (term: string): string => term,
};
