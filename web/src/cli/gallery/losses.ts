// Sentences about what a picture or a converted file lacks.
import { kindOf } from '../../convert/losses.ts';
import type { ReportEntry } from '../../convert/common/report.ts';
import { allCodes, conversionCodes } from '../../convert/targets.ts';
import type { CodeInfo } from '../../core/codeInfo.ts';

const conversions = new Map(conversionCodes.map(each => [each.code, each]));

/**
 * Returns the kind, the sentence and the unit of an entry. Entries that no conversion reports are
 * findings of files.
 */
export function entryText(entry: ReportEntry, codes: ReadonlyMap<string, CodeInfo>): { kind: string; sentence: string; unit: string } {
  const { sentence = codes.get(entry.code)?.sentence ?? '', unit = '' } = conversions.get(entry.code) ?? {};
  return { kind: kindOf(entry, allCodes), sentence, unit };
}
