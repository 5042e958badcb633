// Looks up the traits of formats.
import { formatTable } from './formatTable.ts';
import type { Family } from './moduleAddresses.ts';
import type { FormatTraits, Role } from './formatTraits.ts';
import { OTHER_FORMATS } from './otherFormats.ts';

export type { Family };

export interface FormatInfo {
  id: string;
  label: string;
  /** File extensions in lower case, without the dot. */
  extensions: string[];
}

/** Returns all formats that `open` reads. */
export const formats = (): FormatInfo[] => formatTable.map(({ id, label, extensions }) => ({ id, label, extensions: [...extensions] }));

/** Returns the traits of a format, or undefined if `open` does not read it. */
export const traitsOf = (id: string | null | undefined): FormatTraits | undefined => formatTable.find(row => row.id === id);

/** Returns the name of a format for people; the id itself if it is unknown. Also knows the formats that the loaders of three.js read. */
export function formatLabel(id: string): string {
  const other = Object.entries(OTHER_FORMATS).find(([, extensions]) => (extensions as readonly string[]).includes(id));
  return traitsOf(id)?.label ?? other?.[0] ?? id;
}

/** Returns the extensions that identify a format. */
export const ownExtensions = ({ extensions, sharedExtensions }: FormatTraits): string[] =>
  extensions.filter(extension => !sharedExtensions.includes(extension));

/** True if files with this extension often belong to other programs, such as `.bin`. */
export const isSharedExtension = (extension: string): boolean =>
  formatTable.some(({ sharedExtensions }) => sharedExtensions.includes(extension));

/** Returns the traits of the format that a file name or format id identifies, or undefined. */
export function traitsFor(name: string): FormatTraits | undefined {
  const word = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return formatTable.find(row => row.id === word || ownExtensions(row).includes(word));
}

/** Returns the format family that a file name or format id identifies, or undefined. */
export const familyFor = (name: string): Family | undefined => traitsFor(name)?.family;

/** True if a large remote file is read in parts. `name`: a file name or format id. */
export const canReadInParts = (name: string): boolean => traitsFor(name)?.canReadClip ?? false;

/**
 * The format family of files that can only be identified by their content, such as recordings with
 * the extension `.bin`.
 */
export const unnamedFamily: Family = (formatTable.find(({ sharedExtensions }) => sharedExtensions.length > 0) ?? formatTable[0]!).family;

/** Returns the role that a file probably has, inferred from its extension. */
export function roleByExtension(extension: string): Role {
  if (formatTable.some(({ companions }) => companions.includes(extension))) return 'companion';
  return formatTable.find(({ extensions }) => extensions.includes(extension))?.role ?? 'unknown';
}

/**
 * Returns the file name extensions of models that can play animations of a format. Returns an empty
 * array if the format's own files contain models.
 */
export function modelExtensionsFor(format: string | null): string[] {
  const own = traitsOf(format);
  if (own?.role !== 'animation') return [];
  return formatTable.filter(({ family, role }) => family === own.family && role === 'model').flatMap(ownExtensions);
}
