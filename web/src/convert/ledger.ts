// The ledger: what the target does not hold, or holds in another form. Nothing is left out in silence.
import { ledgerCodes, type LedgerKind } from './ledgerCodes.ts';

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

  add(code: string, path: string, amount: number, detail = ''): void {
    if (!kinds.has(code)) throw new Error(`the ledger has no code ${code}`);
    this.entries.push({ code, path, amount, detail });
  }

  /** Takes over what is not told yet. */
  merge({ entries }: Ledger): void {
    const told = new Set(this.entries.map(entry => JSON.stringify(entry)));
    this.entries.push(...entries.filter(entry => !told.has(JSON.stringify(entry))));
  }

  /** A ledger whose entries are told already. */
  aside(): Ledger {
    return new Ledger();
  }

  /** True if `strict` refuses the result. */
  get isRefused(): boolean {
    return this.entries.some(isRefused);
  }
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
