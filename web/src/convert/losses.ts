// Interprets entries of a conversion report: their kinds, their sums, and whether `strict` rejects
// them.
import { outOfRange, RigcastError } from '../core/error.ts';
import type { ConversionCode, ConversionKind } from './common/codes.ts';
import type { ConversionEntry } from './common/report.ts';
import { conversionCodes } from './targets.ts';

const rows = new Map(conversionCodes.map(row => [row.code, row]));

/**
 * Returns the table row of an entry's code. Throws a RangeError for a code that no target lists.
 */
function rowOf({ code }: ConversionEntry): ConversionCode {
  const row = rows.get(code);
  if (!row) throw outOfRange(`Unknown code of the conversion report: ${code}`);
  return row;
}

/**
 * Returns the kind of an entry. A code of another version that this version does not list counts as
 * a loss.
 */
export const kindOf = ({ code }: ConversionEntry): ConversionKind => rows.get(code)?.kind ?? 'loss';

/**
 * True if `strict` rejects a result with this entry: something is lost, or a guess decides how the
 * result moves.
 */
export const isRefused = (entry: ConversionEntry): boolean => ['loss', 'guess'].includes(kindOf(entry));

/** Largest number of entries with the same code. Further entries are combined. */
const MOST = 1000;
const MEASURES = new Set(['metres', 'degrees', 'seconds']);

/**
 * Combines all entries of a code after the first thousand into one entry. Its amount is the sum;
 * for metres, degrees and seconds it is the largest amount.
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
export class LossError extends RigcastError {
  /** The entries of the conversion report. */
  readonly entries: readonly ConversionEntry[];

  constructor(entries: readonly ConversionEntry[]) {
    const of = (kind: ConversionKind): string =>
      [...new Set(entries.filter(entry => kindOf(entry) === kind).map(({ code }) => code))].join(', ');
    const [lost, guessed] = [of('loss'), of('guess')];
    super(
      'LOSSES_REFUSED',
      [lost && `not everything can be kept: ${lost}`, guessed && `a guess decides how the result moves: ${guessed}`]
        .filter(Boolean)
        .join('; '),
    );
    this.name = 'LossError';
    this.entries = entries;
  }
}
