// Determines the kind of entries of a conversion report, combines them, and decides whether
// `strict` rejects them.
import { outOfRange, RigcastError } from '../core/error.ts';
import type { ConversionCode, ConversionKind } from './common/codes.ts';
import type { ConversionEntry } from './common/report.ts';
import { conversionCodes } from './targets.ts';

const rows = new Map(conversionCodes.map(row => [row.code, row]));

/** Returns the table row of the entry's code. Throws a RangeError if no target lists the code. */
function rowOf({ code }: ConversionEntry): ConversionCode {
  const row = rows.get(code);
  if (!row) throw outOfRange(`Unknown code of the conversion report: ${code}`);
  return row;
}

/** Returns the kind of a report entry. Entries with an unknown code count as losses. */
export const kindOf = ({ code }: ConversionEntry): ConversionKind => rows.get(code)?.kind ?? 'loss';

/**
 * True if the option `strict` rejects a result with this entry, because something is lost or the
 * animation of the result depends on a guess.
 */
export const isRefused = (entry: ConversionEntry): boolean => ['loss', 'guess'].includes(kindOf(entry));

/** Maximum number of separate entries per code. Further entries are combined into one. */
const MOST = 1000;
const MEASURES = new Set(['metres', 'degrees', 'seconds']);

/**
 * Returns the entries with at most a thousand separate entries per code. Further entries of a code
 * are combined into one entry, whose amount is the sum of their amounts, or the largest amount if
 * the unit is metres, degrees or seconds.
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
 * Error that a conversion with `strict` throws if something is lost, or if the animation of the
 * result depends on a guess.
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
