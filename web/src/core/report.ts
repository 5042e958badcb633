// Reports: what was found while reading, binding and drawing.
import type { Finding, Report, Severity } from './types.ts';

export function emptyReport(): Report {
  return { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
}

/** The report of a file of which nothing could be read. */
export function failureReport(code: string, detail: string): Report {
  return reportOf([{ code, severity: 'error', offset: null, path: '', detail, count: 1 }]);
}

export function reportOf(items: Finding[]): Report {
  const report = emptyReport();
  for (const item of items) addFinding(report, item);
  return report;
}

const TOTALS = { error: 'errors', warning: 'warnings', info: 'infos' } as const;

/** Adds to `report`; the same finding (code, severity and path) is counted, not repeated. */
export function addFinding(report: Report, finding: Finding): void {
  report[TOTALS[finding.severity]] += finding.count;
  const index = indexOf(report);
  const key = keyOf(finding);
  const same = index.byKey.get(key);
  if (same) {
    same.count += finding.count;
    return;
  }
  const added = { ...finding };
  report.items.push(added);
  index.byKey.set(key, added);
  index.length++;
}

/** Takes back what is no longer true. */
export function removeFinding(report: Report, { code, path }: Pick<Finding, 'code' | 'path'>): void {
  for (const item of report.items) if (item.code === code && item.path === path) report[TOTALS[item.severity]] -= item.count;
  report.items = report.items.filter(item => item.code !== code || item.path !== path);
  indices.delete(report);
}

interface Index {
  byKey: Map<string, Finding>;
  /** Of the items when they were indexed: others may add to them. */
  length: number;
}

const indices = new WeakMap<Report, Index>();
const keyOf = ({ code, severity, path }: Finding): string => `${code} ${severity} ${path}`;

function indexOf(report: Report): Index {
  let index = indices.get(report);
  if (index?.length !== report.items.length) {
    index = { byKey: new Map(report.items.toReversed().map(item => [keyOf(item), item])), length: report.items.length };
    indices.set(report, index);
  }
  return index;
}

/** All findings of several reports in one, in their order. */
export function mergeReports(...reports: readonly Report[]): Report {
  const merged = emptyReport();
  for (const report of reports) {
    merged.errors += report.errors;
    merged.warnings += report.warnings;
    merged.infos += report.infos;
    merged.truncated ||= report.truncated;
    merged.items.push(...report.items);
  }
  return merged;
}

/** What `strict` means for findings made in the page: warnings are errors. */
export function asStrict(severity: Severity, strict: boolean): Severity {
  return strict && severity === 'warning' ? 'error' : severity;
}

/** One line for people: "2 errors, 1 warning", or "no findings". */
export function summarize(report: Report): string {
  const parts = [count(report.errors, 'error'), count(report.warnings, 'warning'), count(report.infos, 'note')].filter(part => part !== '');
  return parts.join(', ') || 'no findings';
}

function count(n: number, what: string): string {
  return n === 0 ? '' : `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`;
}

/** Errors first, then warnings, then notes; otherwise in the order they were found. */
export function bySeverity(items: readonly Finding[]): Finding[] {
  const rank = { error: 0, warning: 1, info: 2 };
  return [...items].sort((a, b) => rank[a.severity] - rank[b.severity]);
}
