// The child process in which `rigcast validate` reads files.
import { open, type OpenOptions } from '../core/open.ts';
import { failureReport } from '../core/report.ts';
import type { Report } from '../core/types.ts';
import { fromPath, linkedTo } from './files.ts';
import { otherFormatReport } from './otherFormats.ts';
import { UnreadableError } from './reading.ts';
import { serve } from './serve.ts';

export interface Task {
  path: string;
  options: OpenOptions;
}

export interface Answer {
  format: string | null;
  /** Target of the link, if `path` is a symbolic link. */
  link?: string;
  report: Report;
}

serve(async ({ path, options }: Task): Promise<Answer> => {
  const link = linkedTo(path);
  try {
    const [bytes, how] = fromPath(path, options);
    const { format, report } = await open(bytes, how);
    return { ...(otherFormatReport(path, bytes, report, options) ?? { format, report }), ...(link !== null && { link }) };
  } catch (error) {
    if (error instanceof UnreadableError) return { format: null, report: failureReport('IO_ERROR', error.reason) };
    return { format: null, report: failureReport('INTERNAL_TRAP', String(error)) };
  }
});
