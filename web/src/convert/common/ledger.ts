// The ledger: what the target does not hold, or holds in another form. Nothing is left out in silence.
import { Budget } from './budget.ts';
import { ledgerCodes, type LedgerKind } from './ledgerCodes.ts';
import { ConversionError } from './refusals.ts';

export interface LedgerEntry {
  /** A row of `ledgerCodes`, which has a sentence for each. */
  code: string;
  /** What it is about: a name out of the file, '' for the whole of it. */
  path: string;
  /** How much, in the unit of the code. */
  amount: number;
  /** For people. */
  detail: string;
}

const kinds = new Map(ledgerCodes.map(({ code, kind }) => [code, kind]));

/** The kind of an entry. Unknown codes count as losses. */
export function kindOf({ code }: LedgerEntry): LedgerKind {
  return kinds.get(code) ?? 'loss';
}

export class Ledger {
  readonly entries: LedgerEntry[] = [];
  /** The limit of the conversion, which all of its ledgers share. */
  readonly budget: Budget;
  readonly #merged = new Set<string>();

  constructor(budget = new Budget()) {
    this.budget = budget;
  }

  add(code: string, path: string, amount: number, detail = ''): void {
    if (!kinds.has(code)) throw new Error(`the ledger has no code ${code}`);
    this.entries.push({ code, path: shortened(path), amount, detail: shortened(detail) });
  }

  /** Adds entries of another ledger, except those that were added by an earlier call. */
  merge({ entries }: Ledger): void {
    const texts = entries.map(entry => JSON.stringify(entry));
    for (const [i, entry] of entries.entries()) if (!this.#merged.has(texts[i] ?? '')) this.entries.push(entry);
    for (const text of texts) this.#merged.add(text);
  }

  /** A ledger whose entries are told already. */
  aside(): Ledger {
    return new Ledger(this.budget);
  }

  /** Makes something of an animation. Returns null if it would exceed the limit, and reports that instead of everything else about it. */
  attempt<T>(clip: string, make: () => T): T | null {
    const before = this.entries.length;
    const { spent } = this.budget;
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ConversionError) || error.code !== 'WORK_LIMIT') throw error;
      this.entries.length = before;
      this.budget.refund(spent);
      this.add('WORK_LIMIT', clip, 1, 'left out');
      return null;
    }
  }

  /** An animation was left out because it would exceed the limit. */
  get isLimited(): boolean {
    return this.entries.some(({ code }) => code === 'WORK_LIMIT');
  }

  /** True if `strict` refuses the result. */
  get isRefused(): boolean {
    return this.entries.some(isRefused);
  }
}

/** Entries of one code. */
const MOST = 1000;
const MEASURES = new Set(['metres', 'degrees', 'seconds']);
const units = new Map(ledgerCodes.map(({ code, unit }) => [code, unit]));

/** Folds all entries of a code behind the first thousand into one: their sum, or the largest of metres, degrees and seconds. */
export function summed(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const counts = new Map<string, number>();
  const others = new Map<string, LedgerEntry>();
  const kept = entries.filter(({ code, amount }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= MOST) return true;
    const rest = others.get(code)?.amount ?? 0;
    const all = MEASURES.has(units.get(code) ?? '') ? Math.max(rest, amount) : rest + amount;
    others.set(code, { code, path: '', amount: all, detail: `${count - MOST} more of the kind` });
    return false;
  });
  return [...kept, ...others.values()];
}

/** Letters of a name or detail. Names in damaged and hostile files are as long as the files. */
const LONGEST = 400;

/** Cut between two characters. */
function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const isRefused = (entry: LedgerEntry): boolean => ['loss', 'guess'].includes(kindOf(entry));

/** The target cannot hold everything, or a guess decides how the result moves. `strict` refuses both. */
export class LossError extends Error {
  readonly ledger: readonly LedgerEntry[];

  constructor(ledger: readonly LedgerEntry[]) {
    const of = (kind: LedgerKind): string =>
      [...new Set(ledger.filter(entry => kindOf(entry) === kind).map(({ code }) => code))].join(', ');
    const [lost, guessed] = [of('loss'), of('guess')];
    super(
      [lost && `not everything can be kept: ${lost}`, guessed && `a guess decides how the result moves: ${guessed}`]
        .filter(Boolean)
        .join('; '),
    );
    this.name = 'LossError';
    this.ledger = ledger;
  }
}
