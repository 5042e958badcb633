// Prints text, with colours only on a terminal and without control characters from files.
import type { CodeInfo } from '../core/codeInfo.ts';
import { bySeverity } from '../core/report.ts';
import type { Report, Severity } from '../core/types.ts';

const isColored = process.stdout.isTTY && !process.env.NO_COLOR;

function colored(code: number): (text: string) => string {
  return text => (isColored ? `\x1b[${code}m${text}\x1b[0m` : text);
}

export const bold = colored(1);
export const dim = colored(2);
const severityColors: Record<Severity, (text: string) => string> = { error: colored(31), warning: colored(33), info: colored(36) };

/**
 * Escapes control characters, direction marks and other invisible characters in a text from a file,
 * because they could control the terminal or hide parts of the text.
 */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u180e]/gu, c => {
    const digits = c.codePointAt(0)!.toString(16).padStart(4, '0');
    return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
  });
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 1)}\n`);
}

/** Prints a value as one line of JSON. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function bytes(count: number): string {
  return `${count.toLocaleString('en-US')} byte${count === 1 ? '' : 's'}`;
}

export function hex(offset: number): string {
  return `0x${offset.toString(16).padStart(8, '0')}`;
}

/**
 * Returns the exit code of the command: 2 if a file could not be read, 1 if a file has errors,
 * otherwise 0.
 */
export function exitCode(results: readonly { report: Report }[]): number {
  if (results.some(({ report }) => report.items.some(({ code }) => code === 'IO_ERROR'))) return 2;
  return results.some(({ report }) => report.errors > 0) ? 1 : 0;
}

/** Returns the URL at which the findings page of the package gives advice for a code. */
const help = (code: string): string => `${new URL('../findings.html', import.meta.url).href}#${code}`;

/** Returns the text as a link, for terminals that support links. */
const linked = (text: string, address: string): string => (isColored ? `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\` : text);

/**
 * Prints the findings of a report, errors first, with the meaning of each code and a link to the
 * advice.
 */
export function printReport(report: Report, codes: readonly CodeInfo[]): void {
  const meaning = new Map(codes.map(({ code, sentence }) => [code, sentence]));
  const items = bySeverity(report.items);
  for (const { code, severity, offset, path, detail, count } of items) {
    const where = [
      path && `in ${clean(path)}`,
      offset !== null && `at ${hex(offset)}`,
      count > 1 && `${count.toLocaleString('en-US')} times`,
    ].filter(Boolean);
    const name = severity === 'info' ? 'note' : severity;
    print(
      `  ${severityColors[severity](name.padEnd(7))}  ${linked(bold(code), help(code))}${where.length > 0 ? dim(`  ${where.join(', ')}`) : ''}`,
    );
    print(`           ${meaning.get(code) ?? ''}`);
    if (detail) print(dim(`           ${clean(detail)}`));
  }
  if (report.truncated) print(dim('  More findings were not listed.'));
  if (items[0]) print(dim(`  Advice by code: ${help(items[0].code)}`));
}
