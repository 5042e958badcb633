// Determines the kind of entries of a conversion report, combines them, and decides whether
// `strict` rejects them.
import { outOfRange, RigcastError } from '../core/error.ts';
import type { ConversionCode, ConversionKind } from './common/codes.ts';
import type { ConversionEntry } from './common/report.ts';
import { conversionCodes } from './targets.ts';

const rows = new Map(conversionCodes.map(row => [row.code, row]));

/** Returns the table row for an entry's code. Throws a RangeError if no target lists the code. */
function rowOf({ code }: ConversionEntry): ConversionCode {
  const row = rows.get(code);
  if (!row) throw outOfRange(`Unknown code of the conversion report: ${code}`);
  return row;
}

/** Returns the kind of an entry. A code that this version does not list counts as a loss. */
export const kindOf = ({ code }: ConversionEntry): ConversionKind => rows.get(code)?.kind ?? 'loss';

/**
 * True if `strict` rejects a result with this entry: something is lost, or the animation of the
 * result depends on a guess.
 */
export const isRefused = (entry: ConversionEntry): boolean => ['loss', 'guess'].includes(kindOf(entry));

/** Largest number of separate entries per code. Further entries are combined into one. */
const MOST = 1000;
const MEASURES = new Set(['metres', 'degrees', 'seconds']);

/**
 * Combines all but the first thousand entries of each code into one entry. The amount of this entry
 * is the sum of their amounts. For metres, degrees and seconds it is the largest amount.
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
 * Thrown by a conversion with `strict` if something is lost, or if the animation of the result
 * depends on a guess.
 */
export class LossError extends RigcastError {
  /** All entries of the conversion report. */
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
