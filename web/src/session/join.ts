// Motions and companions join what is open.
import { isImage } from '../textures/sources.ts';
import type { RigFile } from '../core/open.ts';
import type { FormatOptions } from '../core/types.ts';
import type { InputFile } from './inputFile.ts';
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

const MOST_MOTION_FILES = 300;
/** Bytes of two files that are compared at once. */
const COMPARED = 2 ** 20;

/** How files are read that belong to what stands there. */
export function formatOptionsOf({ animationMode, placement }: Pick<Session, 'animationMode' | 'placement'>): FormatOptions {
  const unreal = {
    ...(animationMode === 'everything' && { motion: 'everything' as const }),
    ...(placement.isRootConjugated && { conjugateRoot: true }),
  };
  return Object.keys(unreal).length > 0 ? { unreal } : {};
}

/**
 * Opens files of animations; `first` are there already. Unreadable ones are noted. Of very many those are opened that are called like the models; the others when
 * one of their own takes the stage, or somebody asks for them.
 */
export async function openAnimations(
  animations: readonly InputFile[],
  first: readonly OpenedFile[],
  noted: readonly Notice[],
  context: OpenContext,
  { onStep }: OpeningContext,
  models: readonly InputFile[] = [],
): Promise<{ animationFiles: OpenedFile[]; notices: Notice[]; unread: OpenedFile[] }> {
  const animationFiles = [...first];
  const unread: OpenedFile[] = [];
  const notices = [...noted];
  const some = mostSimilar(animations, models, MOST_MOTION_FILES);
  if (some.length < animations.length) notices.push({ code: 'too-many-motions', opened: some.length, all: animations.length });
  for (const [at, given] of some.entries()) {
    if (await isOpen(given, animationFiles)) continue;
    if (some.length > 1) onStep({ code: 'opening-motions', at: at + 1, of: some.length });
    const file = await readFile(given, context);
    context.signal.throwIfAborted();
    if (file.scene) animationFiles.push({ given, file });
    else unread.push({ given, file });
  }
  if (unread.length > 0) notices.push({ code: 'unread-motions', names: unread.map(({ given }) => given.file.name) });
  return { animationFiles, notices, unread };
}

/** Opens files of animations that came without a model. A single unreadable one is incompatible. */
export async function openAnimationsAlone(
  ...given: Parameters<typeof openAnimations>
): Promise<{ animationFiles: OpenedFile[]; notices: Notice[] }> {
  const opened = await openAnimations(...given);
  const [animations, first] = given;
  if (animations.length === 1 && first.length === 0 && opened.unread[0]) throw unreadable(opened.unread[0].file, opened.unread[0].given);
  return opened;
}

/** Finds out if a file is open already, from this path or as a copy in another folder. */
async function isOpen({ file }: InputFile, animationFiles: readonly OpenedFile[]): Promise<boolean> {
  for (const { given } of animationFiles) {
    if (given.file === file) return true;
    if (given.file.name === file.name && (await isSameContent(given.file, file).catch(() => false))) return true;
  }
  return false;
}

async function isSameContent(a: File, b: File): Promise<boolean> {
  if (a.size !== b.size) return false;
  for (let at = 0; at < a.size; at += COMPARED) {
    const [one, other] = await Promise.all([a, b].map(async file => new Uint8Array(await file.slice(at, at + COMPARED).arrayBuffer())));
    if (one!.some((byte, i) => byte !== other![i])) return false;
  }
  return true;
}

export interface JoinRequest {
  animations: readonly InputFile[];
  companions: readonly InputFile[];
  companionFiles: CompanionFiles;
  notices: readonly Notice[];
  /** Of the animations those that are open already. */
  ready: readonly OpenedFile[];
  /** All animations are read anew, as how they are read has changed. */
  isReadAgain?: boolean;
}

/** Told where none of the companions has changed anything; those of a name that was there already have. */
function unusedCompanions(companions: readonly InputFile[], { companionFiles }: Session, before: Model, after: Model): Notice[] {
  const missed = (model: Model): number => model.missingFiles.length + shownOf(model).untexturedMaterials.length;
  const names = companions.map(({ file }) => file.name);
  const isWanted =
    appliedTextures(wholeCharacter(after)).size > appliedTextures(wholeCharacter(before)).size || missed(after) < missed(before);
  if (isWanted || names.some(name => companionFiles.find(name))) return [];
  return [{ code: 'unwanted', names, areImages: names.every(isImage) }];
}

/** Motions and companions join what is there. */
export async function join(session: Session, model: Model | null, joining: JoinRequest, opening: OpeningContext): Promise<OpenResult> {
  const { animations, companions, companionFiles, ready, isReadAgain = false } = joining;
  const context: OpenContext = { ...opening, companionFiles, formatOptions: formatOptionsOf(session) };
  const { signal } = context;
  // Nobody completes a demo; reading it again leaves it what it is.
  const isKept = session.demo === null || isReadAgain;
  const own = isKept ? session.shown : null;
  // What asked for one of the new companions is read again with it; so is the model, whose textures may now be found.
  const names = new Set(companions.map(({ file }) => file.name.toLowerCase()));
  const asks = ({ needs }: RigFile): boolean => needs.some(({ name }) => names.has(name.toLowerCase()));
  const again: OpenedFile[] = [];
  for (const source of isKept ? session.animationFiles : []) {
    const isStale = source.given !== own?.given && (isReadAgain || asks(source.file));
    again.push(isStale ? { given: source.given, file: await readFile(source.given, context) } : source);
    signal.throwIfAborted();
  }
  const models = modelsIn(session.library).map(({ given }) => given);
  const opened = await openAnimationsAlone(animations, ready, joining.notices, context, opening, models);
  const added = opened.animationFiles;
  const notices = [...opened.notices];
  let built = own ? model : null;
  let shown = own;
  if (own && companions.length > 0) {
    const file = asks(own.file) ? await readFile(own.given, context) : own.file;
    signal.throwIfAborted();
    if (file.scene) {
      const pieces = own.pieces.map(piece => (piece.companionFiles === session.companionFiles ? { ...piece, companionFiles } : piece));
      built = await buildModel(own.given, file, context, pieces);
      if (signal.aborted) disposeModel(built);
      signal.throwIfAborted();
      shown = shownOf(built);
      if (animations.length === 0 && model && file === own.file) notices.push(...unusedCompanions(companions, session, model, built));
    }
  }
  const kept = again
    .filter(source => !added.some(other => other.given.file.name === source.given.file.name))
    .map(source => (shown && source.given === shown.given ? { given: source.given, file: shown.file } : source));
  // What is shown now may ask for what has just come; so may all that was given with it.
  const known = (isKept ? session.library : []).map(entry =>
    entry.companionFiles === session.companionFiles ? { ...entry, companionFiles } : entry,
  );
  const library = withEntries(known, [
    ...entriesOf(animations, 'motion', companionFiles),
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
    demo: isReadAgain ? session.demo : null,
  };
  return { action, model: built, added };
}
