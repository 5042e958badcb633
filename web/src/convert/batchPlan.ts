// Plans a batch: groups files into results and names the results. The command line and the viewer
// share this module.
import type { RigFile } from '../core/open.ts';
import { traitsOf } from '../core/formats.ts';
import { baseName, extensionOf } from '../core/paths.ts';
import { entry } from '../core/entry.ts';
import { distinctNames, fileStem, nameKey } from './common/fileNames.ts';
import { startingWith } from './common/sorted.ts';
import { group, isModel, type SourceFile } from './group.ts';

export type BatchSource = SourceFile<Pick<RigFile, 'scene' | 'format'>>;

/** The files of one result. */
export interface FileSet {
  /** Paths of the model and its animations, starting with the model. */
  files: [string, ...string[]];
  /** True if the result contains only animations. */
  hasOnlyAnimations: boolean;
}

/** A file that is not part of any result. */
export interface UnusedFile {
  path: string;
  /**
   * `unmatched`: no model matches the animations. `without-skeleton`: there are no models. `empty`:
   * the file contains neither a model nor an animation that can be read.
   */
  reason: 'unmatched' | 'without-skeleton' | 'empty';
}

/**
 * Groups each model with its animations. A file with only a skeleton, lights or cameras is a
 * model, even beside files with meshes. Animations without a model become separate results if
 * `canBeAlone` returns true.
 */
export function fileSetsOf(
  sources: readonly BatchSource[],
  canBeAlone: (file: BatchSource['file']) => boolean,
): { sets: FileSet[]; unused: UnusedFile[] } {
  const { groups, left } = group(sources);
  const animated = new Set(sources.filter(({ file }) => (file.scene?.clips.length ?? 0) > 0).map(({ path }) => path));
  const models = groups.map(({ model, animations }): FileSet => ({
    files: [model.path, ...animations.map(({ path }) => path).filter(path => animated.has(path))],
    hasOnlyAnimations: false,
  }));
  const alone = left
    .filter(({ file, path }) => animated.has(path) && canBeAlone(file))
    .map(({ path }): FileSet => ({ files: [path], hasOnlyAnimations: true }));
  const used = new Set([...models, ...alone].flatMap(({ files }) => files));
  const rest = sources.filter(({ path }) => !used.has(path));
  const isBareModel = ({ file: { scene, format }, path }: BatchSource): boolean =>
    !animated.has(path) && scene !== null && isModel(scene) && traitsOf(format)?.role !== 'animation';
  const bare = rest.filter(isBareModel).map(({ path }): FileSet => ({ files: [path], hasOnlyAnimations: false }));
  const unused = rest
    .filter(source => !isBareModel(source))
    .map(({ path }): UnusedFile => {
      const missing = groups.length > 0 ? 'unmatched' : 'without-skeleton';
      return { path, reason: animated.has(path) ? missing : 'empty' };
    });
  return { sets: [...models, ...bare, ...alone], unused };
}

/**
 * Returns a name without extension for each result. If several models in a folder have the same
 * name, their results also contain the extension of the model; if the names are still equal, numbers
 * are appended. `places`: paths of the models. `folderOf`: returns the folder of a result, for the
 * path of its model.
 */
export function stemsOf(places: readonly string[], folderOf: (place: string) => string): string[] {
  const folders = new Map<string, number[]>();
  for (const [row, place] of places.entries()) entry(folders, folderOf(place), () => []).push(row);
  const stems: string[] = [];
  for (const rows of folders.values()) {
    const names = distinctNames(
      rows.map((row): [string, string] => {
        const name = baseName(places[row]!);
        const extension = extensionOf(name);
        return [fileStem(extension ? name.slice(0, -1 - extension.length) : name), fileStem(name)];
      }),
    );
    for (const [at, row] of rows.entries()) stems[row] = names[at]!;
  }
  return stems;
}

/**
 * Returns a function that lists the names that the files of a result must not have. These are the
 * names of other results in the same folder that begin with the name of the result and an
 * underscore.
 */
export function stemsBeside(results: readonly { folder: string; stem: string }[]): (result: { folder: string; stem: string }) => string[] {
  const sorted = new Map<string, string[]>();
  for (const { folder, stem } of results) entry(sorted, folder, () => []).push(nameKey(stem));
  for (const stems of sorted.values()) stems.sort();
  return ({ folder, stem }) => startingWith(sorted.get(folder) ?? [], `${nameKey(stem)}_`);
}
