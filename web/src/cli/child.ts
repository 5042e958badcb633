// A process that reads files for `validate`, so that one which takes too long or too much can be ended without the others.
import { open, type OpenOptions } from '../core/open.ts';
import { failureReport } from '../core/report.ts';
import type { Report } from '../core/types.ts';
import { fromPath, UnreadableError } from './files.ts';

export interface Task {
  path: string;
  options: OpenOptions;
}

export interface Answer {
  format: string | null;
  report: Report;
}

async function answer({ path, options }: Task): Promise<Answer> {
  try {
    const { format, report } = await open(...fromPath(path, options));
    return { format, report };
  } catch (error) {
    if (error instanceof UnreadableError) return { format: null, report: failureReport('IO_ERROR', error.reason) };
    return { format: null, report: failureReport('INTERNAL_TRAP', String(error)) };
  }
}

process.on('message', (task: Task) => void answer(task).then(found => process.send!(found)));
process.send!('ready');
