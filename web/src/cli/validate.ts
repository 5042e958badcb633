// rigcast validate: the report of every file.
import { codes, formats } from '../core/codes.ts';
import { open } from '../core/open.ts';
import { summarize } from '../core/report.ts';
import { expandFiles, fromPath } from './files.ts';
import { bold, clean, print, printJson, printReport } from './print.ts';
import { parseWords } from './usage.ts';

export async function validate(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, { strict: { type: 'boolean' } });
  const results = [];
  for (const path of await expandFiles(files)) {
    const { format, report } = await open(...fromPath(path, { strict: values.strict ?? false, formatOptions, ...(values.format && { format: values.format }) }));
    const result = { file: path, format, report };
    results.push(result);
    if (values.json) continue;
    const label = (await formats()).find(({ id }) => id === format)?.label ?? 'unknown format';
    print(`${bold(clean(path))}  ${label}: ${summarize(report)}`);
    printReport(report, await codes());
  }
  if (values.json) printJson({ files: results });
  else if (results.length > 1) {
    const bad = results.filter(({ report }) => report.errors > 0).length;
    print(`${results.length} files, ${bad === 0 ? 'none with errors' : `${bad} with errors`}`);
  }
  return results.some(({ report }) => report.errors > 0) ? 1 : 0;
}
