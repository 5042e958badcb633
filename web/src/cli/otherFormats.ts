// Opens files of other formats with loaders of three.js, and creates their reports for `validate` and
// `inspect`.
import { basename, dirname } from 'node:path';
import type { OpenOptions, RigFile } from '../core/open.ts';
import { OTHER_FORMATS, type OtherFormat, otherFormatOf } from '../core/otherFormats.ts';
import { asStrict, reportOf } from '../core/report.ts';
import type { Report } from '../core/types.ts';
import { readBelow } from './files.ts';

const labelOf = (format: OtherFormat): string =>
  Object.entries(OTHER_FORMATS).find(([, extensions]) => (extensions as readonly string[]).includes(format))?.[0] ?? format;

/**
 * Returns the format of a file that a loader of three.js can open, and a report without
 * UNKNOWN_FORMAT. Returns null for other files, and for .vgo files: a .vgo file that begins with
 * the header of a GLB is VGO 1.0, which is not supported.
 */
export function otherFormatReport(
  path: string,
  bytes: Uint8Array,
  report: Report,
  { strict = false }: OpenOptions,
): { format: string; report: Report } | null {
  if (!report.items.some(({ code }) => code === 'UNKNOWN_FORMAT') || /\.vgo$/i.test(path)) return null;
  const format = otherFormatOf(path, bytes);
  if (!format) return null;
  const detail = `${labelOf(format)}: opened by rigcast pose and convert, the viewer and the element, with a loader of three.js`;
  return {
    format,
    report: reportOf([{ code: 'OTHER_LOADER', severity: asStrict('warning', strict), offset: null, path: '', detail, count: 1 }]),
  };
}

/**
 * Opens a file of another format with a loader of three.js. Returns null for other files. The
 * buffers, images and material files that it references are read only from its folder and
 * subfolders.
 */
export async function openOther(path: string, bytes: Uint8Array): Promise<RigFile | null> {
  const format = otherFormatOf(path, bytes);
  if (!format) return null;
  const { openEncoded } = await import('../interop/openEncoded.ts');
  return openEncoded(format, bytes, basename(path), name => readBelow(dirname(path), name));
}
