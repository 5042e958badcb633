// Formats figures for the benchmarks, and writes the tables of the page "Size and speed".
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/bench.md', import.meta.url));

export const best = values => Math.min(...values);
export const median = values => [...values].sort((a, b) => a - b)[values.length >> 1];
export const number = value => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2));
export const milliseconds = value => `${number(value)} ms`;
export const times = value => `${number(value)}×`;
export const kilobytes = value => `${(value / 1000).toFixed(1)} KB`;
export const megabytes = value => `${number(value / 1e6)} MB`;

/**
 * Returns a row of the table. `value` is compared with the required limit `bar` and the desired
 * limit `stretch`; smaller is better.
 */
export function row(what, measured, value, bar, stretch, format) {
  const verdict = value <= stretch ? 'goal met' : value <= bar ? 'limit met' : `missed: ${(value / bar).toFixed(2)} × the limit`;
  return { what, measured, value, bar: `≤ ${format(bar)}`, stretch: `≤ ${format(stretch)}`, verdict };
}

/** Returns a row of the table without limits. */
export const fact = (what, measured, value) => ({ what, measured, value, bar: '', stretch: '', verdict: '' });

const line = cells => `| ${cells.join(' | ')} |`;

export const tableOf = (head, rows) => [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

/** Formats the rows that `row` and `fact` return. */
export const verdicts = rows =>
  tableOf(
    ['what', 'measured (rigcast / other)', 'limit', 'goal', 'result'],
    rows.map(({ what, measured, bar, stretch, verdict }) => [what, measured, bar, stretch, verdict]),
  );

/** Formats rows without limits. */
const facts = rows =>
  tableOf(
    ['what', 'measured (rigcast / other)'],
    rows.map(({ what, measured }) => [what, measured]),
  );

/**
 * Formats groups of rows: a heading, a sentence, the rows with limits, and the rows without limits in
 * a part that the reader unfolds. Groups without rows are left out.
 */
export const sections = groups =>
  groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ question, how, rows }) => {
      const [limited, others] = [rows.filter(({ bar }) => bar !== ''), rows.filter(({ bar }) => bar === '')];
      const more = others.length === 1 ? 'One more figure' : `${others.length} more figures`;
      const parts = [`### ${question}`, how];
      if (limited.length > 0) parts.push(verdicts(limited));
      if (others.length > 0) parts.push(`<details>\n<summary>${more}</summary>\n\n${facts(others)}\n\n</details>`);
      return parts.join('\n\n');
    })
    .join('\n\n');

export const load = () => loadavg()[0].toFixed(1);

/** Describes the machine in two lines. `before` is its load before the benchmark. */
export function machineWords(chromium, before, times) {
  const memory = Math.round(totalmem() / 2 ** 30);
  const versions = [`Node ${process.versions.node}`, chromium && `Chromium ${chromium}`].filter(Boolean).join(', ');
  return `Measured on ${cpus()[0].model.trim()}, ${cpus().length} cores, ${memory} GB; ${versions}. ${times}
Machine load: ${before} before the run, ${load()} after it (a load above ${cpus().length - 1} makes times unreliable).`;
}

/**
 * Replaces the text of a table between its two marks, such as `<!-- bench -->` or `<!-- bench
 * viewers -->`.
 */
export function putIntoPage(mark, text) {
  const [begin, end] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`];
  const old = readFileSync(page, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/bench.md has no ${begin.trim()} … ${end}`);
  writeFileSync(page, `${old.slice(0, from)}${begin}${text}${old.slice(to)}`);
}
