// The conversion report of a batch, stored in a file with one line of JSON per result. A line is
// appended when its result is written, and the lines are sorted at the end. `--resume` reads the
// file.
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ReportEntry } from '../convert/common/report.ts';
import { endsWithLine, linesOf, writeLines } from './lines.ts';
import type { FileState } from './reading.ts';
import { whyNotStored } from './results.ts';
import { UsageError } from './usage.ts';

/** The outcome of one result, or of a file that is not part of any result. */
export interface ResultRow {
  /** Path of the result; null if `files` could not be used. */
  out: string | null;
  files: string[];
  /** Present if the result was written by an earlier run and is unchanged (`--resume`). */
  isKept?: true;
  byteLength: number | null;
  ledger: ReportEntry[];
  error?: { code: string; detail: string };
}

/**
 * A line of the file: an outcome, and the data with which `--resume` detects that the result is
 * unchanged.
 */
export interface ReportRow extends ResultRow {
  /** Hash of the options and of the version of rigcast. */
  key?: string;
  /** States of all files that were read for the result. */
  read?: readonly FileState[];
  /** States of the files that were written for the result. */
  written?: readonly FileState[];
}

export class ReportFile {
  /** Explanation why lines are missing in the file; null if the file is complete. */
  trouble: string | null = null;
  readonly #path: string;

  /**
   * Creates the file. If `isResumed` is true, appends to an existing file instead. Throws a
   * UsageError if the file cannot be written.
   */
  constructor(path: string, isResumed: boolean) {
    this.#path = path;
    try {
      // End the last line if it was cut off because the run was killed.
      if (!isResumed) writeFileSync(path, '');
      else if (existsSync(path) && !endsWithLine(path)) appendFileSync(path, '\n');
      else appendFileSync(path, '');
    } catch (error) {
      throw new UsageError(`the conversion report cannot be written: ${whyNotStored(error as NodeJS.ErrnoException, path)}`);
    }
  }

  add(row: ReportRow): void {
    this.#try(() => appendFileSync(this.#path, `${JSON.stringify(storedRow(row))}\n`));
  }

  /** Rewrites the file with its lines in the order of the plan. */
  finish(rows: readonly ReportRow[]): void {
    const temporary = `${this.#path}.${randomBytes(6).toString('hex')}.part`;
    this.#try(() => {
      writeLines(temporary, rows.map(storedRow));
      renameSync(temporary, this.#path);
    });
    rmSync(temporary, { force: true });
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.trouble ??= `the conversion report is incomplete: ${(error as Error).message}. The results are written. Run again with --resume to convert only the results that the report lacks`;
    }
  }
}

/** Returns a row without `isKept`, which only applies to the current run. */
const storedRow = (row: ReportRow): object => ({ ...row, isKept: undefined });

/**
 * Returns the rows of all report files, by the path of the result. Ignores lines that were cut off.
 */
export function readReports(paths: readonly string[]): Map<string, ReportRow> {
  const rows = new Map<string, ReportRow>();
  const add = (line: string): void => {
    try {
      const row = JSON.parse(line) as ReportRow;
      if (row.out !== null) rows.set(row.out, row);
    } catch {
      // Ignore a line that was cut off before the next run appended lines.
    }
  };
  for (const path of paths)
    try {
      if (existsSync(path)) for (const line of linesOf(path)) add(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error; // ignore the last line if it was cut off
    }
  return rows;
}
