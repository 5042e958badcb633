// Creates the reports of `validate` and `inspect` for files that loaders of three.js can open.
import type { OpenOptions } from '../core/open.ts';
import { OTHER_FORMATS, type OtherFormat, otherFormatOf } from '../core/otherFormats.ts';
import { asStrict, reportOf } from '../core/report.ts';
import type { Report } from '../core/types.ts';

const WITH_POSE = 'opened by rigcast pose, the viewer and the element';
const WITHOUT_POSE = 'opened by the viewer and the element, but not by rigcast pose';

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
  const isPosed = !['fbx', 'obj', 'bvh'].includes(format);
  const detail = `${labelOf(format)}: ${isPosed ? WITH_POSE : WITHOUT_POSE}, with a loader of three.js`;
  return {
    format,
    report: reportOf([{ code: 'OTHER_LOADER', severity: asStrict('warning', strict), offset: null, path: '', detail, count: 1 }]),
  };
}
