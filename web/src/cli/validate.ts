// rigcast validate: the report of every file.
import { codes, formats } from '../core/codes.ts';
import { summarize } from '../core/report.ts';
import { readAll, type Row } from './batch.ts';
import { expandFiles } from './files.ts';
import { bold, clean, exitCode, print, printJson, printJsonLine, printReport } from './print.ts';
import { parseWords, positiveOf, UsageError } from './usage.ts';

const options = {
  strict: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  jobs: { type: 'string' },
  timeout: { type: 'string' },
  'max-memory': { type: 'string' },
} as const;

export async function validate(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  if (values.json && values.jsonl) throw new UsageError('--json and --jsonl do not go together');
  const maxMemory = positiveOf('--max-memory', values['max-memory'], true);
  // Formats are asked of the core, which those who want JSON need not load here as well.
  const [allCodes, allFormats] = values.json || values.jsonl ? [[], []] : await Promise.all([codes(), formats()]);
  const say = ({ file, format, report }: Row): void => {
    print(`${bold(clean(file))}  ${allFormats.find(({ id }) => id === format)?.label ?? 'unknown format'}: ${summarize(report)}`);
    printReport(report, allCodes);
  };
  const rows: Row[] = [];
  let said = 0;
  await readAll(
    await expandFiles(files),
    {
      jobs: positiveOf('--jobs', values.jobs, true) ?? 1,
      seconds: positiveOf('--timeout', values.timeout),
      open: {
        strict: values.strict ?? false,
        formatOptions,
        ...(values.format && { format: values.format }),
        ...(maxMemory && { maxMemory }),
      },
    },
    (row, index) => {
      rows[index] = row;
      if (values.jsonl) printJsonLine(row);
      else if (!values.json) while (rows[said]) say(rows[said++]!); // in the order of the files
    },
  );
  if (values.json) printJson({ files: rows });
  else if (!values.jsonl && rows.length > 1) {
    const bad = rows.filter(({ report }) => report.errors > 0).length;
    print(`${rows.length} files, ${bad === 0 ? 'none with errors' : `${bad} with errors`}`);
  }
  return exitCode(rows);
}
