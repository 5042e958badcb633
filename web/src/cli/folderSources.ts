// Selects the sources of a batch among the files of folders. Leaves out results of earlier runs, so
// that a second run gives the same results as the first.
import { realpathSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { nameKey } from '../convert/common/fileNames.ts';
import { roleByExtension } from '../core/formats.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { extensionOf } from '../core/paths.ts';
import type { FoundFile } from './files.ts';

/** A file in a folder that is not a source, and the reason as a phrase about one or more files. */
export interface IgnoredFile {
  file: string;
  reason: string;
}

export const RESULTS_FOLDER = 'in the folder of the results';
export const RESULT_FORMAT = 'in the target format and in the folder of the results, possibly written by an earlier run';
export const SAME_MODEL = 'beside a model with the same name, probably the same model in another format';
export const NOT_A_RECORDING = 'with an extension that other programs use, too, and with unknown contents';

/**
 * Divides files into sources and ignored files. Only files that were found in a folder are ignored.
 * `out`: path of the result or of its folder. `isFile`: true if `out` is a file. `extensions`: file
 * extensions of the results; empty if results are not models.
 */
export function sourcesIn(
  found: readonly FoundFile[],
  out: string,
  { isFile, extensions }: { isFile: boolean; extensions: readonly string[] },
): { sources: FoundFile[]; ignored: IgnoredFile[] } {
  const ignored: IgnoredFile[] = [];
  const results = real(isFile ? dirname(out) : out);
  const isResultFormat = ({ path }: FoundFile): boolean => extensions.includes(extensionOf(path));
  const reasonOf = (file: FoundFile): string | null => {
    if (file.folder === undefined || results === null || extensions.length === 0) return null;
    const folder = real(dirname(file.path)) ?? '';
    if (isFile) return folder === results && stemOf(file.path) === stemOf(out) && isResultFormat(file) ? RESULT_FORMAT : null;
    const top = real(file.folder) ?? '';
    if (!isWithin(results, top) || !isWithin(folder, results)) return null;
    if (results !== top) return RESULTS_FOLDER;
    return isResultFormat(file) ? RESULT_FORMAT : null;
  };
  const rest = found.filter(file => {
    const reason = reasonOf(file);
    if (reason !== null) ignored.push({ file: file.path, reason });
    return reason === null;
  });
  const keyOf = ({ path }: FoundFile): string => join(dirname(path), stemOf(path));
  const preferred = new Set(rest.filter(({ path }) => OWN_MODELS.has(roleByExtension(extensionOf(path)))).map(keyOf));
  const others = new Set(rest.filter(file => isOtherModel(file) && !isResultFormat(file)).map(keyOf));
  const sources = rest.filter(file => {
    const isSame = preferred.has(keyOf(file)) || (isResultFormat(file) && others.has(keyOf(file)));
    if (file.folder === undefined || !isOtherModel(file) || !isSame) return true;
    ignored.push({ file: file.path, reason: SAME_MODEL });
    return false;
  });
  return { sources, ignored };
}

const OWN_MODELS: ReadonlySet<string> = new Set(['model', 'rig', 'scene']);

/** True if a file has the extension of a format of models that a loader of three.js reads. */
const isOtherModel = ({ path }: FoundFile): boolean => isOtherFormat(path) && !['bvh', 'vrma'].includes(extensionOf(path));

/** Returns the name of a file without its extension, as file systems that ignore case compare it. */
const stemOf = (path: string): string => nameKey(basename(path, extname(path)));

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
};

/** Resolves links in a path. Returns null if it does not exist. */
function real(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
