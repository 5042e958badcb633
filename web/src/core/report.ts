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

/** Adds to `report`; the same finding (code, severity and path) is counted, not repeated. */
export function addFinding(report: Report, finding: Finding): void {
  const totals = { error: 'errors', warning: 'warnings', info: 'infos' } as const;
  report[totals[finding.severity]] += finding.count;
  const same = report.items.find(item => item.code === finding.code && item.severity === finding.severity && item.path === finding.path);
  if (same) same.count += finding.count;
  else report.items.push({ ...finding });
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
