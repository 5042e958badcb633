// Returns the severity of the worst finding; 'ok' if there are no findings.
import type { Report, Severity } from '../../core/types.ts';

export function worstOf(reports: Report[]): Severity | 'ok' {
  if (reports.some(report => report.errors > 0)) return 'error';
  if (reports.some(report => report.warnings > 0)) return 'warning';
  if (reports.some(report => report.infos > 0)) return 'info';
  return 'ok';
}
