// rigcast inspect: prints the outline of a file as a tree, or as JSON with the hash of every field.
import { createHash } from 'node:crypto';
import { codes } from '../core/codes.ts';
import { formatLabel } from '../core/formats.ts';
import { open, type OpenOptions, readOutline } from '../core/open.ts';
import type { OutlineField, OutlineNode, OutlineResult } from '../core/outline.ts';
import { failureReport, summarize } from '../core/report.ts';
import type { PropertyValue, Report } from '../core/types.ts';
import { findFiles, type FoundFile, fromPath } from './files.ts';
import { otherFormatReport } from './otherFormats.ts';
import { bold, bytes, clean, dim, exitCode, hex, print, printJson, printReport } from './print.ts';
import { UnreadableError } from './reading.ts';
import { parseWords } from './usage.ts';

export async function inspect(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, {});
  const results: { file: string; format: string | null; version: string; byteLength: number; outline: unknown; report: Report }[] = [];
  for (const file of await findFiles(files)) {
    const { path } = file;
    const { format, version, byteLength, outline, report } = await look(file, {
      formatOptions,
      ...(values.format && { format: values.format }),
    });
    if (values.json) {
      results.push({ file: path, format, version, byteLength, outline: outline.map(nodeJson), report });
      continue;
    }
    results.push({ file: path, format, version, byteLength, outline: null, report });
    const label = format === null ? 'unknown format' : formatLabel(format);
    print(`${bold(clean(path))}  ${label} ${clean(version)}, ${bytes(byteLength)}, ${summarize(report)}`);
    for (const [i, node] of outline.entries()) printNode(node, '', i === outline.length - 1);
    printReport(report, await codes());
  }
  if (values.json) printJson(results.length === 1 ? results[0] : { files: results });
  return exitCode(results);
}

/** Reads the outline of a file and adds the report that `validate` would print. */
async function look({ path, reason }: FoundFile, options: OpenOptions): Promise<OutlineResult> {
  try {
    if (reason !== undefined) throw new UnreadableError(path, reason);
    const source = fromPath(path, options);
    const [outline, { report }] = [await readOutline(...source), await open(...source)];
    return { ...outline, report, ...otherFormatReport(path, source[0], report, options) };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { format: null, version: '', byteLength: 0, outline: [], report: failureReport('IO_ERROR', error.reason) };
  }
}

function nodeJson({ fields, children, ...node }: OutlineNode): object {
  return { ...node, fields: fields.map(fieldJson), children: children.map(nodeJson) };
}

function fieldJson({ bytes: bytesOf, value, ...field }: OutlineField): object {
  const sha256 = createHash('sha256').update(bytesOf()).digest('hex');
  return { ...field, sha256, ...(value !== undefined && { value }) };
}

function printNode(node: OutlineNode, indent: string, isLast: boolean): void {
  const title = [
    bold(clean(node.kind)),
    node.name && `"${clean(node.name)}"`,
    node.id && node.id !== node.kind && clean(node.id),
    node.hash,
  ]
    .filter(Boolean)
    .join(' ');
  print(`${dim(hex(node.offset))}  ${indent}${isLast ? '└─' : '├─'} ${title}  ${dim(bytes(node.size))}`);
  const below = `${indent}${isLast ? '   ' : '│  '}`;
  for (const field of node.fields) {
    const count = field.count === 1 ? '' : ` × ${field.count.toLocaleString('en-US')}`;
    const value = field.value === undefined ? '' : ` = ${shorten(field.value)}`;
    print(
      `${dim(hex(field.offset))}  ${below}${node.children.length > 0 ? '│' : ' '}  ${clean(field.name)}: ${clean(field.type)}${count}${value}`,
    );
  }
  for (const [i, child] of node.children.entries()) printNode(child, below, i === node.children.length - 1);
}

function shorten(value: PropertyValue): string {
  const text = clean(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
