// Interprets entries of a conversion report: their kinds, their sums, and whether `strict` refuses
// them.
import type { ConversionCode, ConversionKind } from './common/codes.ts';
import type { ConversionEntry } from './common/report.ts';
import { conversionCodes } from './targets.ts';

const rows = new Map(conversionCodes.map(row => [row.code, row]));

/** Returns the row of an entry's code. Throws an Error for a code that no target lists. */
function rowOf({ code }: ConversionEntry): ConversionCode {
  const row = rows.get(code);
  if (!row) throw new Error(`no target lists the code ${code}`);
  return row;
}

/**
 * Returns the kind of an entry. Unknown codes, of reports that another version has written, count
 * as losses.
 */
export const kindOf = ({ code }: ConversionEntry): ConversionKind => rows.get(code)?.kind ?? 'loss';

/**
 * True if `strict` refuses a result with this entry: something is lost, or a guess decides how the
 * result moves.
 */
export const isRefused = (entry: ConversionEntry): boolean => ['loss', 'guess'].includes(kindOf(entry));

/** Largest number of entries with the same code. */
const MOST = 1000;
const MEASURES = new Set(['metres', 'degrees', 'seconds']);

/**
 * Folds the entries of a code after the first thousand into one: their sum, or the largest of
 * metres, degrees and seconds.
 */
export function summarized(entries: readonly ConversionEntry[]): ConversionEntry[] {
  const counts = new Map<string, number>();
  const others = new Map<string, ConversionEntry>();
  const kept = entries.filter(entry => {
    const { code, amount } = entry;
    const { unit } = rowOf(entry);
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= MOST) return true;
    const rest = others.get(code)?.amount ?? 0;
    const all = MEASURES.has(unit) ? Math.max(rest, amount) : rest + amount;
    others.set(code, { code, path: '', amount: all, detail: `${count - MOST} more entries` });
    return false;
  });
  return [...kept, ...others.values()];
}

/**
 * Thrown by a strict conversion if something is lost, or if a guess decides how the result moves.
 */
export class LossError extends Error {
  readonly report: readonly ConversionEntry[];

  constructor(report: readonly ConversionEntry[]) {
    const of = (kind: ConversionKind): string =>
      [...new Set(report.filter(entry => kindOf(entry) === kind).map(({ code }) => code))].join(', ');
    const [lost, guessed] = [of('loss'), of('guess')];
    super(
      [lost && `not everything can be kept: ${lost}`, guessed && `a guess decides how the result moves: ${guessed}`]
        .filter(Boolean)
        .join('; '),
    );
    this.name = 'LossError';
    this.report = report;
  }
}
