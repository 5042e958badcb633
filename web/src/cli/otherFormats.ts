// Opens files of other formats with loaders of three.js, and creates their reports for `validate` and
// `inspect`.
import { basename, dirname, join } from 'node:path';
import { formatLabel } from '../core/formats.ts';
import type { OpenOptions, RigFile } from '../core/open.ts';
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
 * Opens a file of another format with a loader of three.js. Returns null for other files. The
 * buffers, images and material files that it references are read only from its folder and
 * subfolders. `onRead`: called with the path of each of them.
 */
export async function openOther(path: string, bytes: Uint8Array, onRead: (path: string) => void = () => {}): Promise<RigFile | null> {
  const format = otherFormatOf(path, bytes);
  if (!format) return null;
  const { openEncoded } = await import('../interop/openEncoded.ts');
  return openEncoded(format, bytes, basename(path), name => {
    const read = readBelow(dirname(path), name);
    if (read) onRead(join(dirname(path), name));
    return read;
  });
}
