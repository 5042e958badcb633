// File types that the viewer opens, for the welcome card and the web app manifest.
import { ownExtensions } from '../core/formats.ts';
import { formatTable } from '../core/formatTable.ts';
import { OTHER_FORMATS } from '../core/otherFormats.ts';

/** File extensions in lower case without the dot, by display name of the format. */
export const READABLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(formatTable.map(({ name, extensions }) => [name, extensions])),
  ...OTHER_FORMATS,
  ZIP: ['zip'],
};

/**
 * Extensions that are specific to 3D formats. This excludes `.bin` and `.zip`, which other programs
 * use as well.
 */
export const OWN_EXTENSIONS: readonly string[] = [...formatTable.flatMap(ownExtensions), ...Object.values(OTHER_FORMATS).flat()];
