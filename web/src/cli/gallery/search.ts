// Searches the index of a gallery. Fetches only the parts of the index that a query needs.
import { MiniSearch } from '../vendor/minisearch.ts';
import { type Block, type Contents, type Entry, FIELDS, FILTERS, INDEX_OPTIONS, type Shard, termsOf } from './terms.ts';

export interface Query {
  text: string;
  /** Exact values that results must have, such as `format:psk`. */
  filters: readonly string[];
}

/** Returns the bytes of a file of the index. */
export type FetchFile = (name: string) => Promise<Uint8Array<ArrayBuffer>>;

/** Maximum number of blocks of the directory that are read for the beginning of a word. */
const MAX_BLOCKS = 3;

export class Search {
  readonly #fetch: FetchFile;
  readonly #files = new Map<string, Promise<unknown>>();
  readonly #shards = new Map<string, Promise<{ entries: Entry[]; index: MiniSearch }>>();

  constructor(fetchFile: FetchFile) {
    this.#fetch = fetchFile;
  }

  /**
   * Yields the results of each shard that contains all terms of the query. Without a query, yields
   * all models in their order. Each word of the text may be the beginning of a term.
   */
  async *find({ text, filters }: Query): AsyncGenerator<Entry[]> {
    const { shards } = await this.#readContents();
    const terms = termsOf(text);
    if (terms.length === 0 && text.trim() !== '') return; // only punctuation
    for (const number of await this.#shardsWith(terms, filters)) {
      const { entries, index } = await this.#readShard(shards[number]!.file);
      if (terms.length + filters.length === 0) yield entries;
      else yield found(index, terms, filters).map(id => entries[id]!);
    }
  }

  /** Number of all models. */
  async count(): Promise<number> {
    return (await this.#readContents()).count;
  }

  /** Returns the numbers of the shards that contain all terms, those with the complete words first. */
  async #shardsWith(terms: readonly string[], filters: readonly string[]): Promise<number[]> {
    const { shards } = await this.#readContents();
    let numbers = [...shards.keys()];
    const exact = new Map<number, number>();
    const found = await Promise.all([
      ...terms.map(term => this.#lookUp(term, true)),
      ...filters.map(filter => this.#lookUp(filter, false)),
    ]);
    for (const each of found) {
      if (each === null) continue;
      numbers = numbers.filter(number => each.all.has(number));
      for (const number of each.exact) exact.set(number, (exact.get(number) ?? 0) + 1);
    }
    return numbers.sort((a, b) => (exact.get(b) ?? 0) - (exact.get(a) ?? 0) || a - b);
  }

  /**
   * Finds the shards of a term or, with `isStart`, of all terms that begin with it. Returns null if
   * there are too many such terms to read.
   */
  async #lookUp(term: string, isStart: boolean): Promise<{ all: ReadonlySet<number>; exact: readonly number[] } | null> {
    const { blocks } = await this.#readContents();
    const after = blocks.findIndex(({ first }) => first > term);
    const start = Math.max((after < 0 ? blocks.length : after) - 1, 0);
    let end = start + 1;
    if (isStart) while (blocks[end]?.first.startsWith(term)) end++;
    if (end - start > MAX_BLOCKS) return null;
    const read = await Promise.all(blocks.slice(start, end).map(({ file }) => this.#read<Block>(file)));
    const rows = read.flat().filter(([word]) => (isStart ? word.startsWith(term) : word === term));
    return { all: new Set(rows.flatMap(([, numbers]) => numbers)), exact: rows.find(([word]) => word === term)?.[1] ?? [] };
  }

  #readContents(): Promise<Contents> {
    const read = async (): Promise<Contents> => JSON.parse(new TextDecoder().decode(await this.#fetch('index.json'))) as Contents;
    return kept(this.#files, 'index.json', read) as Promise<Contents>;
  }

  #readShard(file: string): Promise<{ entries: Entry[]; index: MiniSearch }> {
    return kept(this.#shards, file, async () => {
      const { entries, index } = await unpack<Shard>(await this.#fetch(file));
      return { entries, index: MiniSearch.loadJSON(index, INDEX_OPTIONS) };
    });
  }

  #read<T>(file: string): Promise<T> {
    return kept(this.#files, file, async () => unpack<T>(await this.#fetch(file))) as Promise<T>;
  }
}

/** Returns the positions of the entries of a shard that match, best first. */
function found(index: MiniSearch, terms: readonly string[], filters: readonly string[]): number[] {
  const parts = [
    ...terms.map(term => ({ queries: [term], fields: Object.keys(FIELDS), boost: FIELDS, prefix: true })),
    ...filters.map(filter => ({ queries: [filter], fields: [FILTERS], boostTerm: () => 0 })),
  ];
  const results = index.search({ combineWith: 'AND', queries: parts });
  return results.sort((a, b) => b.score - a.score || a.id - b.id).map(({ id }) => id as number);
}

/** Returns a promise from a map. A promise that rejects is removed, so that the next call tries again. */
function kept<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known) return known;
  const made = make();
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}

async function unpack<T>(bytes: Uint8Array<ArrayBuffer>): Promise<T> {
  return (await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()) as T;
}
