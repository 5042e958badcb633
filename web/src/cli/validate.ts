// rigcast validate: prints the report of every file.
import { codes } from '../core/codes.ts';
import { formatLabel } from '../core/formats.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { failureReport, summarize } from '../core/report.ts';
import type { Answer, Task } from './child.ts';
import { findFiles, type FoundFile } from './files.ts';
import { Pool } from './pool.ts';
import { bold, clean, dim, exitCode, print, printJson, printJsonLine, printReport } from './print.ts';
import { parseWords, positiveOf, UsageError } from './usage.ts';

type Row = Answer & { file: string };

const options = {
  strict: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  jobs: { type: 'string' },
  timeout: { type: 'string' },
  'max-memory': { type: 'string' },
} as const;

export async function validate(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  if (values.json && values.jsonl) throw new UsageError('use --json or --jsonl, not both');
  const maxMemory = positiveOf('--max-memory', values['max-memory'], true);
  const allCodes = values.json || values.jsonl ? [] : await codes();
  const printRow = ({ file, format, link, report }: Row): void => {
    const label = format === null ? 'unknown format' : formatLabel(format);
    print(`${bold(clean(file))}${link === undefined ? '' : dim(` (link to ${clean(link)})`)}  ${label}: ${summarize(report)}`);
    printReport(report, allCodes);
  };
  const all = await findFiles(files, { hasOtherFormats: true });
  const isUnchecked = ({ path, folder }: FoundFile): boolean => folder !== undefined && isOtherFormat(path);
  const found = all.filter(file => !isUnchecked(file));
  if (found.length === 0)
    throw new UsageError(`${files.join(', ')}: validate checks none of these files, because loaders of three.js read them`);
  const rows: Row[] = [];
  let printed = 0;
  const add = (row: Row, index: number): void => {
    rows[index] = row;
    if (values.jsonl) printJsonLine(row);
    else if (!values.json) while (rows[printed]) printRow(rows[printed++]!); // prints rows in the order of the files
  };
  const open = {
    strict: values.strict ?? false,
    formatOptions,
    ...(values.format && { format: values.format }),
    ...(maxMemory && { maxMemory }),
  };
  const jobs = positiveOf('--jobs', values.jobs, true) ?? 1;
  const pool = new Pool('child', { jobs, seconds: positiveOf('--timeout', values.timeout), maxMemory });
  for (const [index, { path, reason }] of found.entries())
    if (reason !== undefined) add({ file: path, format: null, report: failureReport('IO_ERROR', reason) }, index);
  const readable = [...found.entries()].filter(([, { reason }]) => reason === undefined);
  await pool.run<Task, Answer>(
    readable.map(([, { path }]) => ({ path, options: open })),
    ({ code, detail }) => ({ format: null, report: failureReport(code, detail) }),
    (answer, k) => {
      const [index, { path }] = readable[k]!;
      add({ file: path, ...answer }, index);
    },
  );
  pool.end();
  if (values.json) printJson({ files: rows });
  else if (!values.jsonl && rows.length > 1) {
    const bad = rows.filter(({ report }) => report.errors > 0).length;
    print(`${rows.length} files, ${bad === 0 ? 'none with errors' : `${bad} with errors`}`);
  }
  const unchecked = all.length - found.length;
  if (unchecked > 0 && !values.json && !values.jsonl)
    print(
      `${unchecked} ${unchecked > 1 ? 'files' : 'file'} (glTF, GLB, VRM, FBX, OBJ, BVH) not checked: loaders of three.js read these formats`,
    );
  return exitCode(rows);
}
