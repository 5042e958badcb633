// Reads the keys of single clips of a remote file, and keeps the report of the file up to date.
import type { Description, ReadClip } from './description.ts';
import { RigcastError } from './error.ts';
import type { InputBytes } from './input.ts';
import type { RawResult } from './instance.ts';
import { minRangedSize } from './ranges.ts';
import { addFinding, asStrict, removeFinding } from './report.ts';
import type { Finding, Report } from './types.ts';

const NOT_READ = { code: 'KEYS_NOT_READ', path: '' };

/**
 * Returns a function that reads a clip. `run` reads the file again with only this clip. The
 * function adds the findings about the keys of the clip to `report`, which contains the findings
 * about the rest of the file. `clipCount`: number of clips in the file.
 */
export function clipReader(
  report: Report,
  clipCount: number,
  run: (clip: number, signal: AbortSignal | undefined) => Promise<RawResult>,
): ReadClip {
  const known = new Map(report.items.map(item => [keyOf(item), item.count]));
  let readCount = 0;
  const reportUnread = (): void => {
    removeFinding(report, NOT_READ);
    const count = clipCount - readCount;
    const detail = `${readCount} of ${clipCount} animations were read`;
    if (count > 0) addFinding(report, { ...NOT_READ, severity: 'info', offset: null, detail, count });
  };
  reportUnread();
  return async (clip, signal) => {
    const { text, blocks } = await run(clip, signal);
    const { scene, report: own } = JSON.parse(text) as Description;
    if (!scene) {
      const first = own.items.find(({ severity }) => severity === 'error');
      throw new RigcastError('KEYS_NOT_READ', `the keys of this animation could not be read: ${first?.code ?? ''} ${first?.detail ?? ''}`, {
        report: own,
      });
    }
    for (const finding of own.items) {
      const count = finding.count - (known.get(keyOf(finding)) ?? 0);
      if (count > 0) addFinding(report, { ...finding, count });
    }
    readCount++;
    reportUnread();
    return { scene, blocks };
  };
}

const keyOf = ({ code, severity, path }: Finding): string => `${code} ${severity} ${path}`;

/** Reports why a file was downloaded as a whole, although it was to be read in parts. */
export function reportRanges(report: Report, { refused, byteLength }: Pick<InputBytes, 'refused' | 'byteLength'>, strict: boolean): void {
  if (!refused) return;
  const { reason, detail } = refused;
  if (byteLength <= minRangedSize && reason !== 'FILE_CHANGED') return; // a small file is always downloaded as a whole
  const severity = reason === 'FILE_CHANGED' ? asStrict('warning', strict) : 'info';
  addFinding(report, { code: reason, severity, offset: null, path: '', detail, count: 1 });
}
