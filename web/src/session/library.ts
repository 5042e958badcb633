// The library: all files that were opened since the page was last empty, with summaries of the
// models that were read.
import { drawnMeshes, trianglesOf } from '../core/drawnMeshes.ts';
import { type ModelFacts, modelFactsOf } from '../core/modelFacts.ts';
import type { RigFile } from '../core/open.ts';
import type { InputFile } from './inputFile.ts';
import { compatibilityOf } from './layeredAction.ts';
import type { CompanionFiles } from './companionFiles.ts';
import type { OpenedFile } from './openedFile.ts';

/** Summary of a file, which is kept after the file is closed. */
export interface FileSummary {
  /** Facts about the model; null if the file could not be read. */
  model: ModelFacts | null;
  bones: number;
  /** Number of drawn vertices. A mesh that several nodes share counts once per node. */
  vertices: number;
  /** Number of drawn triangles. */
  triangles: number;
  /** Number of clips in the file. */
  clips: number;
  /**
   * Number of clips that were made for the model, in all open files. Undefined until the animation
   * files were matched.
   */
  animations?: number;
  /** True if the report has errors. */
  isDamaged: boolean;
}

export interface LibraryEntry {
  readonly input: InputFile;
  readonly role: 'model' | 'animation' | 'companion';
  /** Companion files that were dropped together with this file, or later for it. */
  readonly companionFiles: CompanionFiles;
  /** Summary of the file; null if it is not a model or was not read yet. */
  readonly facts: FileSummary | null;
}

/** Returns library entries for files that were dropped together. */
export const entriesOf = (files: readonly InputFile[], role: LibraryEntry['role'], companionFiles: CompanionFiles): LibraryEntry[] =>
  files.map(input => ({ input, role, companionFiles, facts: null }));

/** Adds entries to the library. A new entry replaces the old entry with the same path. */
export function withEntries(library: readonly LibraryEntry[], added: readonly LibraryEntry[]): readonly LibraryEntry[] {
  if (added.length === 0) return library;
  const paths = new Set(added.map(({ input }) => input.path));
  return [...library.filter(({ input }) => !paths.has(input.path)), ...added];
}

export function withFacts(library: readonly LibraryEntry[], input: InputFile, facts: FileSummary): readonly LibraryEntry[] {
  return withAllFacts(library, new Map([[input, facts]]));
}

/** Adds the facts of several models. The number of matching animations is kept if it is not new. */
export function withAllFacts(library: readonly LibraryEntry[], all: ReadonlyMap<InputFile, FileSummary>): readonly LibraryEntry[] {
  return library.map(entry => {
    const facts = all.get(entry.input);
    if (!facts) return entry;
    const { animations = entry.facts?.animations } = facts;
    return { ...entry, facts: animations === undefined ? facts : { ...facts, animations } };
  });
}

export const modelsIn = (library: readonly LibraryEntry[]): LibraryEntry[] => library.filter(({ role }) => role === 'model');

export function factsOf({ scene, report }: RigFile): FileSummary {
  const meshes = scene ? drawnMeshes(scene) : [];
  return {
    model: scene && modelFactsOf(scene),
    bones: scene?.nodes.bones.reduce((count, bone) => count + (bone >= 0 ? 1 : 0), 0) ?? 0,
    vertices: meshes.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
    triangles: meshes.reduce((sum, mesh) => sum + trianglesOf(mesh), 0),
    clips: scene?.clips.length ?? 0,
    isDamaged: report.errors > 0,
  };
}

/** Returns true if a file has the extension of hand recordings and, as far as is known, no meshes. */
export const mayBeRecording = ({ input, facts }: LibraryEntry): boolean => /\.(bin|inputanim)$/i.test(input.file.name) && !facts?.vertices;

/**
 * Score by which the model to show is selected: first by `best`, the best match with an animation,
 * then by the number of vertices.
 */
export interface Score {
  best: number;
  vertices: number;
}

/** `animationFiles`: the open files with animations. */
export function scoreOf(model: OpenedFile, animationFiles: readonly OpenedFile[]): Score {
  const suits = model.file.scene ? animationFiles.map(source => compatibilityOf(model, source)).filter(({ fits }) => fits) : [];
  const { vertices, bones, clips } = factsOf(model.file);
  const isOwn = clips > 0 && vertices + bones > 0;
  return { best: Math.max(isOwn ? 1 : 0, ...suits.map(({ rank }) => rank)), vertices };
}

/** Returns in what the chosen model exceeds each of the others; null if there is no such thing. */
export function reasonFor(chosen: Score, scores: readonly Score[]): 'animations' | 'vertices' | null {
  const others = scores.filter(score => score !== chosen);
  if (others.every(({ best }) => best < chosen.best)) return 'animations';
  return others.every(({ vertices }) => vertices < chosen.vertices) ? 'vertices' : null;
}
