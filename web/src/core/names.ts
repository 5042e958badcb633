// Finding the nodes of a model by the names that a motion uses.
import type { NodeTable } from './types.ts';

/** How a name is compared where it is not found as it is spelled: trimmed and without regard to case; then as Maya would have sanitised it. */
const spellings = [(name: string) => name, (name: string) => name.trim().toLowerCase(), (name: string) => sanitize(name.trim()).toLowerCase()] as const;

function sanitize(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}

export interface Target {
  name: string;
  /** The k-th node of that name. */
  occurrence: number;
}

/** Rows of a node table by name, bones (in the order of their file) before other nodes, the synthetic root left out. */
export class NodeNames {
  readonly #rows: number[];
  readonly #names: readonly string[];
  readonly #bySpelling: Map<string, number[]>[];

  constructor(nodes: NodeTable) {
    const rows = Array.from({ length: Math.max(nodes.count - 1, 0) }, (_, i) => i + 1);
    const rank = (row: number): number => (nodes.bones[row]! < 0 ? nodes.count : nodes.bones[row]!);
    this.#rows = rows.sort((a, b) => rank(a) - rank(b) || a - b);
    this.#names = nodes.names;
    this.#bySpelling = spellings.map(spell => index(this.#rows, row => spell(nodes.names[row]!)));
  }

  /** The first node of a name; -1 where there is none. */
  find(name: string): number {
    return this.match([{ name, occurrence: 0 }])[0]!;
  }

  /** For each target a row, -1 where there is none. No node is given to two targets: who spells it exactly comes first. */
  match(targets: readonly Target[]): Int32Array {
    const found = new Int32Array(targets.length).fill(-1);
    const taken = new Set<number>();
    for (const [level, spell] of spellings.entries()) {
      for (const [i, { name, occurrence }] of targets.entries()) {
        if (found[i]! >= 0) continue;
        const rows = this.#bySpelling[level]!.get(spell(name)) ?? [];
        const row = level === 0 ? rows[occurrence] : rows.find(candidate => !taken.has(candidate));
        if (row === undefined || taken.has(row)) continue;
        found[i] = row;
        taken.add(row);
      }
    }
    return found;
  }

  /** As `match`, after leaving out the prefix that most names of a side share ("mixamorig:", "Bip01 "). */
  matchWithoutPrefix(targets: readonly Target[]): { rows: Int32Array; prefixes: string[] } {
    const theirs = commonPrefix(targets.map(target => target.name));
    const ours = commonPrefix(this.#rows.map(row => this.#names[row]!));
    const bare = index(this.#rows, row => without(ours, this.#names[row]!));
    const taken = new Set<number>();
    const rows = Int32Array.from(targets, ({ name }) => {
      const row = bare.get(without(theirs, name))?.find(candidate => !taken.has(candidate)) ?? -1;
      taken.add(row);
      return row;
    });
    return { rows, prefixes: [theirs, ours].filter(prefix => prefix !== '') };
  }
}

function index(rows: readonly number[], keyOf: (row: number) => string): Map<string, number[]> {
  const map = new Map<string, number[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const list = map.get(key);
    if (list) list.push(row);
    else map.set(key, [row]);
  }
  return map;
}

/** The longest prefix, ending in a separator, that at least half of the names (and two of them) share; lower case, '' where there is none. */
function commonPrefix(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const lower = name.toLowerCase();
    for (const { index: at } of lower.matchAll(/[^a-z0-9]+(?=[a-z0-9])/g)) {
      const end = at + lower.slice(at).search(/[a-z0-9]/);
      const prefix = lower.slice(0, end);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const enough = Math.max(2, names.length / 2);
  let best = '';
  for (const [prefix, count] of counts) if (count >= enough && prefix.length > best.length) best = prefix;
  return best;
}

function without(prefix: string, name: string): string {
  const lower = name.trim().toLowerCase();
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
}
