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

/** Whether an entry is a loss, an approximation, or a note. */
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

  get hasLosses(): boolean {
    return this.entries.some(entry => kindOf(entry) === 'loss');
  }
}

/** The target cannot hold everything, and `strict` refuses that. */
export class LossError extends Error {
  readonly ledger: readonly LedgerEntry[];

  constructor(ledger: readonly LedgerEntry[]) {
    const codes = [...new Set(ledger.filter(entry => kindOf(entry) === 'loss').map(({ code }) => code))];
    super(`not everything can be kept: ${codes.join(', ')}`);
    this.name = 'LossError';
    this.ledger = ledger;
  }
}
