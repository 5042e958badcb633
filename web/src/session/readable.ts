// All file types that the viewer opens, for the start card and the web app manifest.
import { ownExtensions } from '../core/formats.ts';
import { formatTable } from '../core/formatTable.ts';
import { OTHER_FORMATS } from '../core/otherFormats.ts';

/** Extensions by display name of the format, in lower case, without the dot. */
export const READABLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(formatTable.map(({ name, extensions }) => [name, extensions])),
  ...OTHER_FORMATS,
  ZIP: ['zip'],
};

/**
 * Extensions that identify the program that a file is for. Other programs use `.bin` and `.zip` for
 * anything.
 */
export const OWN_EXTENSIONS: readonly string[] = [...formatTable.flatMap(ownExtensions), ...Object.values(OTHER_FORMATS).flat()];
