// Writes the search index of a gallery. A list of all models would be too large to fetch, so the
// index has shards of some hundred models, and a directory that lists the shards of each term.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { entry } from '../../core/entry.ts';
import { MiniSearch } from '../vendor/minisearch.ts';
import {
  type Block,
  type Contents,
  type Entry,
  type Field,
  FIELDS,
  FILTERS,
  INDEX_OPTIONS,
  SEPARATOR,
  type Shard,
  termsOf,
} from './terms.ts';

/** A model in the index. */
export interface Indexed {
  entry: Entry;
  texts: Readonly<Record<Field, readonly string[]>>;
  /** Values by which the model can be filtered, such as `format:psk`. */
  filters: readonly string[];
}

/** Number of terms of all models in a shard, which determines its size. */
const SHARD_TERMS = 40_000;
/** A shard also ends after a model whose hash is a multiple of this number, so that a new model changes few shards. */
const CUT = 400;
/** Minimum fraction of `SHARD_TERMS` before such a model ends the shard. */
const CUT_FROM = 0.5;
/** Size in bytes of a block of the directory before compression. */
const BLOCK_BYTES = 40_000;

const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/**
 * Receives models in their order, and passes each file of the index to `write` as soon as it is
 * complete. The names of files contain a hash of their contents.
 */
export class SearchIndex {
  readonly #write: (name: string, bytes: Uint8Array) => void;
  readonly #contents: Contents = { count: 0, shards: [], blocks: [] };
  readonly #shardsOf = new Map<string, number[]>();
  #models: { entry: Entry; terms: Readonly<Record<Field, readonly string[]>>; filters: readonly string[] }[] = [];
  #terms = 0;

  constructor(write: (name: string, bytes: Uint8Array) => void) {
    this.#write = write;
  }

  add({ entry: shown, texts, filters }: Indexed): void {
    const ofField = (field: Field): string[] => [...new Set(texts[field].flatMap(termsOf))];
    const byField = Object.fromEntries(FIELD_NAMES.map(field => [field, ofField(field)])) as Record<Field, string[]>;
    this.#models.push({ entry: shown, terms: byField, filters });
    const number = this.#contents.shards.length;
    const terms = new Set([...Object.values(byField).flat(), ...filters]);
    for (const term of terms) {
      const shards = entry(this.#shardsOf, term, () => []);
      if (shards.at(-1) !== number) shards.push(number);
    }
    this.#terms += terms.size;
    const isCut = this.#terms > CUT_FROM * SHARD_TERMS && hashOf(shown.slug).readUInt32LE(0) % CUT === 0;
    if (isCut || this.#terms > SHARD_TERMS) this.#endShard();
  }

  /** Writes the rest of the index. */
  finish(): void {
    this.#endShard();
    const terms = [...this.#shardsOf].sort(([a], [b]) => (a < b ? -1 : 1));
    let block: Block = [];
    let size = 0;
    const endBlock = (): void => {
      const [first] = block;
      if (first) this.#contents.blocks.push({ file: this.#file(block), first: first[0] });
      block = [];
      size = 0;
    };
    for (const [term, shards] of terms) {
      block.push([term, shards]);
      size += term.length + 4 * shards.length;
      if (size > BLOCK_BYTES) endBlock();
    }
    endBlock();
    this.#write('index.json', new TextEncoder().encode(`${JSON.stringify(this.#contents)}\n`));
  }

  #endShard(): void {
    if (this.#models.length === 0) return;
    const index = new MiniSearch<Record<string, string | number>>(INDEX_OPTIONS);
    for (const [id, { terms, filters }] of this.#models.entries()) {
      const fields = FIELD_NAMES.map(field => [field, terms[field].join(SEPARATOR)]);
      index.add({ id, ...Object.fromEntries(fields), [FILTERS]: filters.join(SEPARATOR) });
    }
    const shard: Shard = { entries: this.#models.map(model => model.entry), index: JSON.stringify(index) };
    this.#contents.shards.push({ file: this.#file(shard), count: this.#models.length });
    this.#contents.count += this.#models.length;
    this.#models = [];
    this.#terms = 0;
  }

  /**
   * Writes a value as compressed JSON and returns the name of the file. The page decompresses it, so
   * that every host sends few bytes. Servers do not compress or decode files named `.bin` themselves.
   */
  #file(value: unknown): string {
    const bytes = gzipSync(JSON.stringify(value), { level: 9 });
    bytes[9] = 255; // the operating system, so that the bytes are equal on all systems
    const name = `${hashOf(bytes).toString('hex').slice(0, 16)}.bin`;
    this.#write(name, bytes);
    return name;
  }
}

const hashOf = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
