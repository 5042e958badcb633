// Determines the kind of entries of a conversion report, combines them, and decides which of them
// `strict` rejects.
import { outOfRange, RigcastError } from '../core/error.ts';
import type { CodeTable, ConversionCode, ConversionKind } from './common/codes.ts';
import type { ConversionEntry, ConversionReport, ReportEntry } from './common/report.ts';

/** Returns the table row of the entry's code. Throws a RangeError if no target lists the code. */
function rowOf({ code }: { code: string }, codes: CodeTable): ConversionCode {
  const row = codes.get(code);
  if (!row) throw outOfRange(`Unknown code of the conversion report: ${code}`);
  return row;
}

/** Returns the kind of a report entry. Entries with an unknown code count as losses. */
export const kindOf = ({ code }: { code: string }, codes: CodeTable): ConversionKind => codes.get(code)?.kind ?? 'loss';

/**
 * True if the option `strict` rejects a result with an entry of this kind, because something is
 * lost or the animation of the result depends on a guess.
 */
export const isRefused = ({ kind }: { kind: ConversionKind }): boolean => kind === 'loss' || kind === 'guess';

/** Maximum number of separate entries per code. Further entries are combined into one. */
const MAX_ENTRIES = 1000;
const MEASURES = new Set(['metres', 'degrees', 'seconds']);

/**
 * Returns the entries with at most a thousand separate entries per code. Further entries of a code
 * are combined into one entry, whose amount is the sum of their amounts, or the largest amount if
 * the unit is metres, degrees or seconds.
 */
export function summarized(entries: readonly ReportEntry[], codes: CodeTable): ReportEntry[] {
  const counts = new Map<string, number>();
  const others = new Map<string, ReportEntry>();
  const kept = entries.filter(entry => {
    const { code, amount } = entry;
    const { unit } = rowOf(entry, codes);
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= MAX_ENTRIES) return true;
    const rest = others.get(code)?.amount ?? 0;
    const all = MEASURES.has(unit) ? Math.max(rest, amount) : rest + amount;
    others.set(code, { code, path: '', amount: all, detail: `${count - MAX_ENTRIES} more entries` });
    return false;
  });
  return [...kept, ...others.values()];
}

/** Returns the conversion report with these entries. */
export function reportOf(entries: readonly ReportEntry[], codes: CodeTable): ConversionReport {
  const items = entries.map(({ code, ...entry }): ConversionEntry => ({ code, kind: kindOf({ code }, codes), ...entry }));
  const count = (kind: ConversionKind): number => items.filter(item => item.kind === kind).length;
  return { losses: count('loss'), guesses: count('guess'), approximations: count('approximation'), notes: count('note'), items };
}

/**
 * Error that a conversion with `strict` throws if something is lost, or if the animation of the
 * result depends on a guess.
 */
export class LossError extends RigcastError {
  /** All entries of the conversion report. */
  readonly items: readonly ConversionEntry[];

  constructor({ items }: ConversionReport) {
    const of = (kind: ConversionKind): string => [...new Set(items.filter(item => item.kind === kind).map(({ code }) => code))].join(', ');
    const [lost, guessed] = [of('loss'), of('guess')];
    super(
      'LOSSES_REFUSED',
      [lost && `not everything can be kept: ${lost}`, guessed && `a guess decides how the result moves: ${guessed}`]
        .filter(Boolean)
        .join('; '),
    );
    this.name = 'LossError';
    this.items = items;
  }
}
