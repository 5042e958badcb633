// Creates and changes reports.
import type { Finding, Report, Severity } from './types.ts';

export function emptyReport(): Report {
  return { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
}

/** Returns the report of a file that could not be read at all. */
export function failureReport(code: string, detail: string): Report {
  return reportOf([{ code, severity: 'error', offset: null, path: '', detail, count: 1 }]);
}

export function reportOf(items: Finding[]): Report {
  const report = emptyReport();
  for (const item of items) addFinding(report, item);
  return report;
}

const TOTALS = { error: 'errors', warning: 'warnings', info: 'infos' } as const;

/** Adds a finding. A finding with the same code, severity and path increases its count instead. */
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

/** Removes all findings with the given code and path. */
export function removeFinding(report: Report, { code, path }: Pick<Finding, 'code' | 'path'>): void {
  for (const item of report.items) if (item.code === code && item.path === path) report[TOTALS[item.severity]] -= item.count;
  report.items = report.items.filter(item => item.code !== code || item.path !== path);
  indices.delete(report);
}

/** Applies the changes between two versions of a report to another report that contains the first. */
export function updateFindings(report: Report, before: Report, after: Report): void {
  const counts = new Map(before.items.map(item => [keyOf(item), item.count]));
  for (const item of after.items) {
    const count = item.count - (counts.get(keyOf(item)) ?? 0);
    if (count < 0) removeFinding(report, item);
    if (count !== 0) addFinding(report, count < 0 ? item : { ...item, count });
    counts.delete(keyOf(item));
  }
  for (const item of before.items) if (counts.has(keyOf(item))) removeFinding(report, item);
}

interface Index {
  byKey: Map<string, Finding>;
  /**
   * Number of findings when the index was built. If it differs from the current number, other code
   * has changed the report.
   */
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

/** Returns a report with the findings of all given reports, in order. */
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

/**
 * Returns the severity of a finding that is created in JavaScript. Warnings are errors if `strict`
 * is set.
 */
export function asStrict(severity: Severity, strict: boolean): Severity {
  return strict && severity === 'warning' ? 'error' : severity;
}

/** Summarizes a report in one line: "2 errors, 1 warning", or "no findings". */
export function summarize(report: Report): string {
  const parts = [count(report.errors, 'error'), count(report.warnings, 'warning'), count(report.infos, 'note')].filter(part => part !== '');
  return parts.join(', ') || 'no findings';
}

function count(n: number, what: string): string {
  return n === 0 ? '' : `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`;
}

/**
 * Returns the findings sorted by severity, errors first. Findings of the same severity keep their
 * order.
 */
export function bySeverity(items: readonly Finding[]): Finding[] {
  const rank = { error: 0, warning: 1, info: 2 };
  return [...items].sort((a, b) => rank[a.severity] - rank[b.severity]);
}
