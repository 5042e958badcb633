// Traits of each format, printed from the C++ list of formats (wasm/formats/registry.cpp).
import { formatTable } from './formatTable.ts';
import type { Family } from './moduleAddresses.ts';
import type { FormatTraits, Role } from './formatTraits.ts';

export type { Family };

export interface FormatInfo {
  id: string;
  label: string;
  /** Lower case, without the dot. */
  extensions: string[];
}

/** Returns every format that `open` reads. */
export const formats = (): FormatInfo[] => formatTable.map(({ id, label, extensions }) => ({ id, label, extensions: [...extensions] }));

/** Returns the traits of a format, or undefined if `open` does not read it. */
export const traitsOf = (id: string | null | undefined): FormatTraits | undefined => formatTable.find(row => row.id === id);

/** Returns the extensions that identify a format. */
export const ownExtensions = ({ extensions, sharedExtensions }: FormatTraits): string[] =>
  extensions.filter(extension => !sharedExtensions.includes(extension));

/**
 * Returns the family of a file name or format id, or undefined if the name does not identify it.
 */
export function familyFor(name: string): Family | undefined {
  const word = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return formatTable.find(row => row.id === word || ownExtensions(row).includes(word))?.family;
}

/**
 * Family of files that only their content identifies, such as recordings with the extension `.bin`.
 */
export const unnamedFamily: Family = (formatTable.find(({ sharedExtensions }) => sharedExtensions.length > 0) ?? formatTable[0]!).family;

/** Returns the role of files with this extension, if their content is unknown. */
export function roleByExtension(extension: string): Role {
  if (formatTable.some(({ companions }) => companions.includes(extension))) return 'companion';
  return formatTable.find(({ extensions }) => extensions.includes(extension))?.role ?? 'unknown';
}

/**
 * Returns the extensions of models that play animations of this format; none if its files contain
 * models themselves.
 */
export function modelExtensionsFor(format: string | null): string[] {
  const own = traitsOf(format);
  if (own?.role !== 'motion') return [];
  return formatTable.filter(({ family, role }) => family === own.family && role === 'model').flatMap(ownExtensions);
}
