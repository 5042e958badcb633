// The conversion report lists all data that the target cannot store, or that it stores in another
// form.
import { Budget } from './budget.ts';
import type { ConversionKind } from './codes.ts';
import { ConversionError } from './refusals.ts';

/** An entry of the conversion report. */
export interface ConversionEntry {
  /** Code of the entry. `conversionCodes` explains all codes. */
  code: string;
  /** Kind of the entry, which its code determines. */
  kind: ConversionKind;
  /** Name of the affected object in the file, or '' if the entry applies to the file itself. */
  path: string;
  /**
   * Number of affected objects, or size of the error. The unit is in the `unit` field of the code.
   */
  amount: number;
  /** Details in English, or '' if there are no details. */
  detail: string;
}

/** The conversion report of `convert`. */
export interface ConversionReport {
  /** Number of entries of each kind. */
  losses: number;
  guesses: number;
  approximations: number;
  notes: number;
  items: ConversionEntry[];
}

/** An entry as writers report it. `losses.ts` adds the kind. */
export type ReportEntry = Omit<ConversionEntry, 'kind'>;

/** Collects the entries of the conversion report. */
export class ReportBuilder {
  readonly entries: ReportEntry[] = [];
  /** The work budget of the conversion, which all of its reports share. */
  readonly budget: Budget;
  readonly #merged = new Set<string>();

  constructor(budget = new Budget()) {
    this.budget = budget;
  }

  add(code: string, path: string, amount: number, detail = ''): void {
    this.entries.push({ code, path: shortened(path), amount, detail: shortened(detail) });
  }

  /**
   * Adds the entries of another report. Entries that an earlier call of `merge` added are not added
   * again.
   */
  merge({ entries }: ReportBuilder): void {
    const texts = entries.map(entry => JSON.stringify(entry));
    for (const [i, entry] of entries.entries()) if (!this.#merged.has(texts[i]!)) this.entries.push(entry);
    for (const text of texts) this.#merged.add(text);
  }

  /**
   * Returns a separate report with the same budget. It is used for repeated work whose entries are
   * already in this report.
   */
  aside(): ReportBuilder {
    return new ReportBuilder(this.budget);
  }

  /**
   * Calls `make` for an animation and returns its result. If the animation would exceed the work
   * budget, removes the entries that `make` added, reports WORK_LIMIT and returns null.
   */
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

  /** True if an animation was left out because it would exceed the work budget. */
  get isLimited(): boolean {
    return this.entries.some(({ code }) => code === 'WORK_LIMIT');
  }
}

/**
 * Maximum length of a path or detail, in characters. Names in damaged or hostile files can be very
 * long.
 */
const LONGEST = 400;

/** Shortens a text without splitting a surrogate pair. */
function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
