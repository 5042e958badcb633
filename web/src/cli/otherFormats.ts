// Files of other formats, which the loaders of three.js read: their reports for `validate` and
// `inspect`, and the files that they reference.
import { dirname, join } from 'node:path';
import type { Read } from '../convert/openOther.ts';
import { formatLabel } from '../core/formats.ts';
import type { OpenOptions } from '../core/open.ts';
import { otherFormatOf } from '../core/otherFormats.ts';
import { asStrict, reportOf } from '../core/report.ts';
import type { Report } from '../core/types.ts';
import { readBelow } from './files.ts';

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
  const detail = `${formatLabel(format)}: opened by rigcast pose, convert, render and gallery, the viewer and the element, with a loader of three.js`;
  return {
    format,
    report: reportOf([{ code: 'OTHER_LOADER', severity: asStrict('warning', strict), offset: null, path: '', detail, count: 1 }]),
  };
}

/**
 * Returns the function with which `openOther` reads the buffers, images and material files that a
 * file references. They are read only from the folder of the file and its subfolders. `onRead`:
 * called with the path of each of them.
 */
export function referencesOf(path: string, onRead: (path: string) => void = () => {}): Read {
  return name => {
    const read = readBelow(dirname(path), name);
    if (read) onRead(join(dirname(path), name));
    return read;
  };
}
