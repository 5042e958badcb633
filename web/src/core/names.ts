// Finds nodes by the names that a clip uses.
import { type HandModel, handModelsOf, HandPairing, recordedSides } from './hands.ts';
import type { NodeTable } from './types.ts';

/**
 * Normalizations of names, in the order in which they are compared: unchanged, trimmed and
 * lower-case, then sanitized by the rules of Maya.
 */
const spellings = [
  (name: string) => name,
  (name: string) => name.trim().toLowerCase(),
  (name: string) => sanitize(name.trim()).toLowerCase(),
] as const;

function sanitize(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}

export interface Target {
  name: string;
  /** Index of the target among the nodes with the same name, in file order. */
  occurrence: number;
}

/**
 * Finds the nodes of a node table by name. Bones, in file order, come before other nodes; the
 * synthetic root is left out.
 */
export class NodeNames {
  readonly #rows: number[];
  readonly #names: readonly string[];
  readonly #bySpelling: Map<string, number[]>[];
  readonly #nodes: NodeTable;
  readonly #modelName: string;
  #hands: readonly HandModel[] | undefined;
  #modelNames: ModelNames | undefined;
  #loose: LooseNames | undefined;
  #bare: { prefix: string; rows: Map<string, number[]> } | undefined;

  /** `modelName`: name of the model, which may contain the side of a hand. */
  constructor(nodes: NodeTable, modelName = '') {
    this.#nodes = nodes;
    this.#modelName = modelName;
    const rows = Array.from({ length: Math.max(nodes.length - 1, 0) }, (_, i) => i + 1);
    const rank = (row: number): number => (nodes.bones[row]! < 0 ? nodes.length : nodes.bones[row]!);
    this.#rows = rows.sort((a, b) => rank(a) - rank(b) || a - b);
    this.#names = nodes.names;
    this.#bySpelling = spellings.map(spell => index(this.#rows, row => spell(nodes.names[row]!)));
  }

  /** Returns the index of the first node with the given name, or -1. */
  find(name: string): number {
    return this.match([{ name, occurrence: 0 }])[0]!;
  }

  /**
   * Returns the node index of each target, or -1. Each node is assigned to at most one target;
   * exact matches have priority. The joints of a recorded hand only match the hand of the same side.
   */
  match(targets: readonly Target[]): Int32Array {
    const hands = this.handsFor(targets);
    const found = new Int32Array(targets.length).fill(-1);
    const taken = new Set<number>();
    const nextFree = firstFree(taken);
    for (const [level, spell] of spellings.entries()) {
      for (const [i, { name, occurrence }] of targets.entries()) {
        if (found[i]! >= 0) continue;
        const all = this.#bySpelling[level]!.get(spell(name)) ?? [];
        const rows = hands?.rowsFor(i, all) ?? all;
        const row = level === 0 ? rows[occurrence] : nextFree(rows);
        if (row === undefined || taken.has(row)) continue;
        found[i] = row;
        taken.add(row);
      }
    }
    return found;
  }

  /**
   * Returns how the hands of a recording are paired with the hands of this model. Returns null if
   * the targets are not those of a recording, or the model has no hand with the joints of WebXR.
   */
  handsFor(targets: readonly Target[]): HandPairing | null {
    const sides = recordedSides(targets);
    if (!sides) return null;
    this.#hands ??= handModelsOf(this.#nodes, this.#modelName);
    return this.#hands.length > 0 ? new HandPairing(sides, this.#hands) : null;
  }

  /**
   * Returns the bones with the same name in other models, at most one per model. If a name occurs
   * several times within a model, the first occurrences correspond to each other, then the second
   * ones, and so on.
   */
  duplicates(row: number): readonly number[] {
    this.#modelNames ??= new ModelNames(this.#nodes, this.#rows);
    return this.#modelNames.of(row);
  }

  /**
   * Returns the model of a bone, which is the parent node of its skeleton. Returns -1 for nodes
   * that are not bones.
   */
  modelOf(row: number): number {
    this.#modelNames ??= new ModelNames(this.#nodes, this.#rows);
    return this.#modelNames.models[row] ?? -1;
  }

  /**
   * Returns an upper bound for the number of targets that `match` and `matchWithoutPrefix` can
   * find. Much faster than calling them.
   */
  maxMatches(targets: LooseNames): number {
    this.#loose ??= new LooseNames(this.#ownNames());
    return targets.countIn(this.#loose);
  }

  /**
   * True if all names differ even under the loosest comparison, so no bone has a duplicate in
   * another model.
   */
  get areUnique(): boolean {
    return this.#bySpelling.at(-1)!.size === this.#rows.length;
  }

  /**
   * Variant of `match` that ignores a prefix that most names share, such as "mixamorig:" or "Bip01
   * ".
   * A name without a number, such as `DEF-spine`, that begins a series of Blender (`DEF-spine.001`, …)
   * only matches the first name of such a series: in Rigify it is the pelvis or the tip of a tail.
   * `prefixes` of the result lists the ignored prefixes.
   */
  matchWithoutPrefix(targets: readonly Target[]): { rows: Int32Array; prefixes: string[] } {
    const targetNames = targets.map(target => target.name);
    const own = (this.#bare ??= this.#withoutPrefix(commonPrefix(this.#ownNames())));
    const common = commonPrefix(targetNames);
    const theirs = prefixBeside(own.prefix, common, targetNames);
    const ours = prefixBeside(common, own.prefix, this.#ownNames());
    const { rows: bare } = ours === own.prefix ? own : this.#withoutPrefix(ours);
    const taken = new Set<number>();
    const nextFree = firstFree(taken);
    const hands = this.handsFor(targets);
    const bareTargets = new Set(targetNames.map(name => without(theirs, name)));
    const rows = Int32Array.from(targets, ({ name }, i) => {
      const bareName = without(theirs, name);
      const all = beginsSeries(bareName, bare) === beginsSeries(bareName, bareTargets) ? (bare.get(bareName) ?? []) : [];
      const row = nextFree(hands?.rowsFor(i, all) ?? all) ?? -1;
      taken.add(row);
      return row;
    });
    return { rows, prefixes: [theirs, ours].filter(prefix => prefix !== '') };
  }

  #ownNames(): string[] {
    return this.#rows.map(row => this.#names[row]!);
  }

  #withoutPrefix(prefix: string): { prefix: string; rows: Map<string, number[]> } {
    return { prefix, rows: index(this.#rows, row => without(prefix, this.#names[row]!)) };
  }
}

/** A list of names for loose comparison, which ignores case, punctuation and common prefixes. */
export class LooseNames {
  readonly count: number;
  readonly #names: readonly string[];
  readonly #prefix: string;
  readonly #sanitized: readonly string[];
  readonly #bare: readonly string[];
  #known: { sanitized: ReadonlySet<string>; bare: ReadonlySet<string> } | undefined;

  constructor(names: readonly string[]) {
    this.count = names.length;
    this.#names = names;
    this.#prefix = commonPrefix(names);
    this.#sanitized = names.map(spellings[2]);
    this.#bare = names.map(name => without(this.#prefix, name));
  }

  /**
   * Counts the names that occur in `others`, after both are sanitized or after common prefixes are
   * removed.
   */
  countIn(others: LooseNames): number {
    const { sanitized, bare } = (others.#known ??= { sanitized: new Set(others.#sanitized), bare: new Set(others.#bare) });
    const ours = this.#bareBeside(others);
    const theirs = others.#bareBeside(this);
    const isBare = theirs === others.#bare ? bare : new Set(theirs);
    let count = 0;
    for (const [i, name] of this.#sanitized.entries()) if (sanitized.has(name) || isBare.has(ours[i]!)) count++;
    return count;
  }

  /** Returns the names without the prefix that is ignored when they are compared with `others`. */
  #bareBeside(others: LooseNames): readonly string[] {
    const prefix = prefixBeside(others.#prefix, this.#prefix, this.#names);
    return prefix === this.#prefix ? this.#bare : this.#names.map(name => without(prefix, name));
  }
}

/** Finds bones that have the same name in several models of one scene. */
class ModelNames {
  /** Model of each bone, which is the parent of its skeleton's root bone; -1 for other nodes. */
  readonly models: Int32Array;
  readonly #areSeveral: boolean;
  readonly #spellings: { keys: string[]; rows: Map<string, number[]>; owned: Set<string> }[] = [];
  readonly #found = new Map<number, readonly number[]>();

  constructor({ length: count, names, parents, bones }: NodeTable, rows: readonly number[]) {
    const above = new Int32Array(count).fill(-1);
    for (let row = 0; row < count; row++) {
      const parent = parents[row]!;
      above[row] = parent >= 0 && above[parent]! >= 0 ? above[parent]! : bones[row]! >= 0 ? Math.max(parent, 0) : -1;
    }
    const models = (this.models = above.map((model, row) => (bones[row]! >= 0 ? model : -1)));
    const own = rows.filter(row => bones[row]! >= 0);
    this.#areSeveral = own.some(row => models[row] !== models[own[0]!]);
    if (!this.#areSeveral) return;
    for (const spell of spellings) {
      const keys: string[] = [];
      const counts = new Map<string, number>();
      for (const row of own) {
        const name = spell(names[row]!);
        const inModel = `${models[row]} ${name}`;
        const k = counts.get(inModel) ?? 0;
        counts.set(inModel, k + 1);
        keys[row] = `${k} ${name}`;
      }
      this.#spellings.push({ keys, rows: index(own, row => keys[row]!), owned: new Set(own.map(row => `${models[row]} ${keys[row]}`)) });
    }
  }

  of(row: number): readonly number[] {
    if (!this.#areSeveral || !(this.models[row]! >= 0)) return none;
    let duplicates = this.#found.get(row);
    if (!duplicates) this.#found.set(row, (duplicates = this.#find(row)));
    return duplicates;
  }

  #find(row: number): number[] {
    const { models } = this;
    const byModel = new Map([[models[row]!, row]]);
    for (const [level, { keys, rows }] of this.#spellings.entries()) {
      for (const other of rows.get(keys[row]!)!) {
        // If the candidate matches another bone of this model by a stricter spelling, it is a
        // duplicate of that bone.
        const isOfAnother = (): boolean =>
          this.#spellings.slice(0, level).some(({ keys, owned }) => owned.has(`${models[row]} ${keys[other]}`));
        if (!byModel.has(models[other]!) && !isOfAnother()) byModel.set(models[other]!, other);
      }
    }
    return [...byModel.values()].slice(1);
  }
}

const none: readonly number[] = [];

/**
 * Makes names unique by appending `_2`, `_3` and so on to duplicates. `keyOf`: returns the text by
 * which a reader compares a name, for example without its case. `joined`: appends a suffix; shortens
 * the name if the result would be too long.
 */
export function uniqueNames(
  names: readonly string[],
  keyOf: (name: string) => string = name => name,
  joined: (name: string, suffix: string) => string = (name, suffix) => name + suffix,
): string[] {
  const taken = new Set(names.map(keyOf));
  const seen = new Set<string>();
  const next = new Map<string, number>();
  return names.map(name => {
    const key = keyOf(name);
    if (!seen.has(key)) {
      seen.add(key);
      return name;
    }
    let k = next.get(key) ?? 2;
    while (taken.has(keyOf(joined(name, `_${k}`)))) k++;
    next.set(key, k + 1);
    const unique = joined(name, `_${k}`);
    taken.add(keyOf(unique));
    return unique;
  });
}

/**
 * Returns a function that finds the first node of a list that is not in `taken`. Nodes are never
 * removed from `taken`, so each list is scanned only once in total.
 */
function firstFree(taken: ReadonlySet<number>): (rows: readonly number[]) => number | undefined {
  const passed = new Map<readonly number[], number>();
  return rows => {
    let at = passed.get(rows) ?? 0;
    while (at < rows.length && taken.has(rows[at]!)) at++;
    passed.set(rows, at);
    return rows[at];
  };
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

/**
 * Maximum length of a prefix in characters. Limits the time that names with many separators take.
 */
const longestPrefix = 256;

/**
 * Returns, in lower case, the longest prefix that ends in a separator and is common to at least
 * half of the names and to at least two. Returns '' if there is none.
 */
function commonPrefix(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const lower = name.slice(0, longestPrefix).toLowerCase();
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

/**
 * Returns the prefix to ignore in names whose common prefix is `own`, when they are compared with
 * names whose common prefix is `other`. Some loaders remove separators ("mixamorigHips" instead of
 * "mixamorig:Hips"), so that only one side has a prefix that ends in a separator. The same prefix
 * without separators is then ignored on the other side, if at least half of the names, and at least
 * two, begin with it.
 */
function prefixBeside(other: string, own: string, names: readonly string[]): string {
  const word = other.replace(/[^a-z0-9]/g, '');
  if (own !== '' || word === '') return own;
  const count = names.filter(name => without(word, name) !== name.trim().toLowerCase()).length;
  return count >= Math.max(2, names.length / 2) ? word : own;
}

/** True if the names with `.001` and `.002` at the end, which Blender gives to copies, exist too. */
const beginsSeries = (name: string, names: { has(name: string): boolean }): boolean => names.has(`${name}.001`) && names.has(`${name}.002`);

function without(prefix: string, name: string): string {
  const lower = name.trim().toLowerCase();
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
}
