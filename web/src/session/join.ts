// Adds animations and companion files to the open model.
import { isImage } from '../textures/sources.ts';
import type { RigFile } from '../core/open.ts';
import { folderOf } from '../core/paths.ts';
import type { FormatOptions } from '../core/types.ts';
import type { InputFile, SourceFile } from './inputFile.ts';
import { RangedFile } from './rangedFile.ts';
import { mostSimilar } from './nameSimilarity.ts';
import { entriesOf, modelsIn, withEntries } from './library.ts';
import { buildModel, disposeModel, type Model, type OpenContext, shownOf, wholeCharacter, appliedTextures } from './model.ts';
import type { OpenResult, OpeningContext } from './openResult.ts';
import { unreadable } from './problem.ts';
import { readFile } from './readFile.ts';
import type { Notice } from './notices.ts';
import type { Session } from './session.ts';
import type { Action } from './reduce.ts';
import type { CompanionFiles } from './companionFiles.ts';
import type { OpenedFile } from './openedFile.ts';

/** Maximum number of animation files that are open together. */
export const MAX_ANIMATION_FILES = 300;
/** Size of the blocks in which two files are compared, in bytes. */
const COMPARE_BLOCK = 2 ** 20;

/**
 * Returns the format options that follow from the animation mode and the placement of a session.
 */
export function formatOptionsOf({ animationMode, placement }: Pick<Session, 'animationMode' | 'placement'>): FormatOptions {
  const unreal = {
    ...(animationMode === 'everything' && { tracks: 'everything' as const }),
    ...(placement.isRootConjugated && { conjugateRoot: true }),
  };
  return Object.keys(unreal).length > 0 ? { unreal } : {};
}

/**
 * Opens animation files. If there are more than `MAX_ANIMATION_FILES`, opens those whose names are
 * most similar to the names of `models`. Adds notices about files that were skipped or can't be
 * read. `first`: animation files that are already open. `noted`: earlier notices.
 */
export async function openAnimations(
  animations: readonly InputFile[],
  first: readonly OpenedFile[],
  noted: readonly Notice[],
  context: OpenContext,
  { onStep }: OpeningContext,
  models: readonly InputFile[] = [],
): Promise<{ animationFiles: OpenedFile[]; notices: Notice[]; unreadableFiles: OpenedFile[] }> {
  const animationFiles = [...first];
  const unreadableFiles: OpenedFile[] = [];
  const notices = [...noted];
  const some = mostSimilar(animations, models, MAX_ANIMATION_FILES);
  if (some.length < animations.length) notices.push({ code: 'too-many-animations', opened: some.length, all: animations.length });
  for (const [at, input] of some.entries()) {
    if (await isOpen(input, animationFiles)) continue;
    if (some.length > 1) onStep({ code: 'opening-animations', at: at + 1, of: some.length });
    const file = await readFile(input, context);
    context.signal.throwIfAborted();
    if (file.scene) animationFiles.push({ input, file });
    else unreadableFiles.push({ input, file });
  }
  if (unreadableFiles.length > 0)
    notices.push({ code: 'unreadable-animations', names: unreadableFiles.map(({ input }) => input.file.name) });
  return { animationFiles, notices, unreadableFiles };
}

/**
 * Like `openAnimations`, but throws a Refusal if only one file was dropped and it can't be read.
 */
export async function openAnimationsOrThrow(
  ...input: Parameters<typeof openAnimations>
): Promise<{ animationFiles: OpenedFile[]; notices: Notice[] }> {
  const opened = await openAnimations(...input);
  const [animations, first] = input;
  if (animations.length === 1 && first.length === 0 && opened.unreadableFiles[0])
    throw unreadable(opened.unreadableFiles[0].file, opened.unreadableFiles[0].input);
  return opened;
}

/** Returns true if `animationFiles` contains this file, or a file with the same name and content. */
export async function isOpen(input: InputFile, animationFiles: readonly Pick<OpenedFile, 'input'>[]): Promise<boolean> {
  for (const { input: other } of animationFiles) if (await isCopy(input, other)) return true;
  return false;
}

/** Returns true if two files are the same file, or have the same name and content. */
async function isCopy({ file }: InputFile, { file: other }: InputFile): Promise<boolean> {
  return file === other || (file.name === other.name && (await isSameContent(file, other).catch(() => false)));
}

/**
 * Finds the open animation files that `added` replaces. `copies` have the same name and content.
 * `outdated` have the same path. A file without a folder is often a corrected file, so it also
 * replaces a file in any folder if that is the only open file with its name.
 */
async function replacedBy(
  added: readonly OpenedFile[],
  open: readonly OpenedFile[],
): Promise<{ copies: ReadonlySet<InputFile>; outdated: ReadonlySet<InputFile> }> {
  const copies = new Set<InputFile>();
  const outdated = new Set<InputFile>();
  for (const { input } of added) {
    const namesakes = open.filter(other => other.input.file.name === input.file.name);
    const isCorrection = folderOf(input.path).length === 0 && namesakes.length === 1;
    for (const { input: other } of namesakes) {
      if (isCorrection || other.path === input.path) outdated.add(other);
      else if (await isCopy(input, other)) copies.add(other);
    }
  }
  return { copies, outdated };
}

async function isSameContent(a: SourceFile, b: SourceFile): Promise<boolean> {
  if (a.size !== b.size) return false;
  // Files that are read in parts are not downloaded to compare them.
  if (a instanceof RangedFile || b instanceof RangedFile)
    return a instanceof RangedFile && b instanceof RangedFile && a.address.url === b.address.url;
  for (let at = 0; at < a.size; at += COMPARE_BLOCK) {
    const [one, other] = await Promise.all(
      [a, b].map(async file => new Uint8Array(await file.slice(at, at + COMPARE_BLOCK).arrayBuffer())),
    );
    if (one!.some((byte, i) => byte !== other![i])) return false;
  }
  return true;
}

export interface JoinRequest {
  animations: readonly InputFile[];
  companions: readonly InputFile[];
  companionFiles: CompanionFiles;
  notices: readonly Notice[];
  /** Animation files that are already open. */
  openedAnimations: readonly OpenedFile[];
  /** True to read all animations again, because the format options have changed. */
  rereadsAnimations?: boolean;
}

/**
 * Returns a notice that the new companion files are unused. Returns an empty list if one of them
 * provides a texture or a missing file, or replaces an earlier companion file.
 */
function unusedCompanions(companions: readonly InputFile[], { companionFiles }: Session, before: Model, after: Model): Notice[] {
  const missed = (model: Model): number => model.missingFiles.length + shownOf(model).untexturedMaterials.length;
  const names = companions.map(({ file }) => file.name);
  const isWanted =
    appliedTextures(wholeCharacter(after)).size > appliedTextures(wholeCharacter(before)).size || missed(after) < missed(before);
  if (isWanted || names.some(name => companionFiles.find(name))) return [];
  return [{ code: 'unused-companions', names, areImages: names.every(isImage) }];
}

/**
 * Opens the animations, reads files again that need the new companion files, and rebuilds the model
 * if its textures may have changed.
 */
export async function join(session: Session, model: Model | null, joining: JoinRequest, opening: OpeningContext): Promise<OpenResult> {
  const { animations, companions, companionFiles, openedAnimations, rereadsAnimations = false } = joining;
  const context: OpenContext = { ...opening, companionFiles, formatOptions: formatOptionsOf(session) };
  const { signal } = context;
  // Dropped files replace a demo; reading animations again does not.
  const isKept = session.demo === null || rereadsAnimations;
  const own = isKept ? session.shown : null;
  // Files that need one of the new companion files are read again.
  const names = new Set(companions.map(({ file }) => file.name.toLowerCase()));
  const asks = ({ needs }: RigFile): boolean => needs.some(({ name }) => names.has(name.toLowerCase()));
  const again: OpenedFile[] = [];
  for (const source of isKept ? session.animationFiles : []) {
    const isStale = source.input !== own?.input && (rereadsAnimations || asks(source.file));
    again.push(isStale ? { input: source.input, file: await readFile(source.input, context) } : source);
    signal.throwIfAborted();
  }
  const models = modelsIn(session.library).map(({ input }) => input);
  const opened = await openAnimationsOrThrow(animations, openedAnimations, joining.notices, context, opening, models);
  const added = opened.animationFiles;
  const notices = [...opened.notices];
  let built = own ? model : null;
  let shown = own;
  if (own && companions.length > 0) {
    const file = asks(own.file) ? await readFile(own.input, context) : own.file;
    signal.throwIfAborted();
    if (file.scene) {
      const parts = own.parts.map(piece => (piece.companionFiles === session.companionFiles ? { ...piece, companionFiles } : piece));
      built = await buildModel(own.input, file, context, parts);
      if (signal.aborted) disposeModel(built);
      signal.throwIfAborted();
      shown = shownOf(built);
      if (animations.length === 0 && model && file === own.file) notices.push(...unusedCompanions(companions, session, model, built));
    }
  }
  const { copies, outdated } = await replacedBy(added, again);
  signal.throwIfAborted();
  const kept = again
    .filter(({ input }) => !copies.has(input) && !outdated.has(input))
    .map(source => (shown && source.input === shown.input ? { input: source.input, file: shown.file } : source));
  // Other files of the drop that included the model also get the new companion files.
  const known = (isKept ? session.library : [])
    .filter(({ role, input }) => role !== 'animation' || !outdated.has(input))
    .map(entry => (entry.companionFiles === session.companionFiles ? { ...entry, companionFiles } : entry));
  const library = withEntries(known, [
    ...entriesOf(animations, 'animation', companionFiles),
    ...entriesOf(companions, 'companion', companionFiles),
  ]);
  const action: Action = {
    type: 'join',
    library,
    shown,
    animationFiles: [...kept, ...added],
    added,
    companionFiles,
    notices,
    demo: rereadsAnimations ? session.demo : null,
  };
  return { action, model: built, added };
}
