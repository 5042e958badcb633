// Everything that somebody has given, and what was seen of it: nothing is thrown away before it is closed.
import { type ModelFacts, modelFactsOf } from '../core/modelFacts.ts';
import type { RigFile } from '../core/open.ts';
import type { InputFile } from './inputFile.ts';
import { compatibilityOf } from './layeredAction.ts';
import type { CompanionFiles } from './companionFiles.ts';
import type { OpenedFile } from './openedFile.ts';

/** What a look at a model has told. */
export interface FileSummary {
  /** Null of a file that could not be read. */
  model: ModelFacts | null;
  bones: number;
  vertices: number;
  triangles: number;
  /** Motions in the file itself. */
  clips: number;
  /** Something of it is lost. */
  isDamaged: boolean;
}

export interface LibraryEntry {
  readonly given: InputFile;
  readonly role: 'model' | 'motion' | 'companion';
  /** What was given together with it, and later for it. */
  readonly companionFiles: CompanionFiles;
  /** Null of what is no model, and of a model that nobody has looked at yet. */
  readonly facts: FileSummary | null;
}

/** `role` of files that were given together. */
export const entriesOf = (files: readonly InputFile[], role: LibraryEntry['role'], companionFiles: CompanionFiles): LibraryEntry[] =>
  files.map(given => ({ given, role, companionFiles, facts: null }));

/** With the newer one of each path. */
export function withEntries(library: readonly LibraryEntry[], added: readonly LibraryEntry[]): readonly LibraryEntry[] {
  if (added.length === 0) return library;
  const paths = new Set(added.map(({ given }) => given.path));
  return [...library.filter(({ given }) => !paths.has(given.path)), ...added];
}

export function withFacts(library: readonly LibraryEntry[], given: InputFile, facts: FileSummary): readonly LibraryEntry[] {
  return library.map(entry => (entry.given === given ? { ...entry, facts } : entry));
}

export const modelsIn = (library: readonly LibraryEntry[]): LibraryEntry[] => library.filter(({ role }) => role === 'model');

export function factsOf({ scene, report }: RigFile): FileSummary {
  const meshes = scene?.meshes ?? [];
  return {
    model: scene && modelFactsOf(scene),
    bones: scene?.nodes.bones.reduce((count, bone) => count + (bone >= 0 ? 1 : 0), 0) ?? 0,
    vertices: meshes.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
    triangles: meshes.reduce((sum, { indices }) => sum + (indices?.length ?? 0) / 3, 0),
    clips: scene?.clips.length ?? 0,
    isDamaged: report.errors > 0,
  };
}

/** How much there is to be seen of a model with these motions: one that a motion was made for comes first, then the one with more of a surface. */
export function scoreOf(model: OpenedFile, animationFiles: readonly OpenedFile[]): { best: number; vertices: number } {
  const suits = model.file.scene ? animationFiles.map(source => compatibilityOf(model, source)).filter(({ fits }) => fits) : [];
  const { vertices, bones, clips } = factsOf(model.file);
  const isOwn = clips > 0 && vertices + bones > 0;
  return { best: Math.max(isOwn ? 1 : 0, ...suits.map(({ rank }) => rank)), vertices };
}
