// Every kind of file that the viewer opens: the start card and the manifest of the installed page are made of this list.
import { ownExtensions } from '../core/formats.ts';
import { formatTable } from '../core/formatTable.ts';
import { OTHER_FORMATS } from '../core/otherFormats.ts';

/** By the name that people know; extensions in lower case, without dot. */
export const READABLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(formatTable.map(({ name, extensions }) => [name, extensions])),
  ...OTHER_FORMATS,
  ZIP: ['zip'],
};

/** Extensions that identify the program that a file is for. Other programs use `.bin` and `.zip` for anything. */
export const OWN_EXTENSIONS: readonly string[] = [...formatTable.flatMap(ownExtensions), ...Object.values(OTHER_FORMATS).flat()];
