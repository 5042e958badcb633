// Motions and companions join what is open.
import { isImage } from '../textures/sources.ts';
import type { RigFile } from '../core/open.ts';
import type { FormatOptions } from '../core/types.ts';
import type { GivenFile } from './given.ts';
import { mostAlike } from './kin.ts';
import { entriesOf, modelsIn, withEntries } from './library.ts';
import { buildModel, disposeModel, type Model, type OpenContext, shownOf, wholeOf, wornBy } from './model.ts';
import type { Opened, Opening } from './opened.ts';
import { unreadable } from './problem.ts';
import { readFile } from './reading.ts';
import type { Note } from './notes.ts';
import type { Session } from './session.ts';
import type { Action } from './reduce.ts';
import type { Shelf } from './shelf.ts';
import type { Source } from './source.ts';

const MOST_MOTION_FILES = 300;
/** Bytes of two files that are compared at once. */
const COMPARED = 2 ** 20;

/** How files are read that belong to what stands there. */
export function readingOf({ reading, placement }: Pick<Session, 'reading' | 'placement'>): FormatOptions {
  const unreal = {
    ...(reading === 'everything' && { motion: 'everything' as const }),
    ...(placement.isRootPlain && { conjugateRoot: true }),
  };
  return Object.keys(unreal).length > 0 ? { unreal } : {};
}

/**
 * Opens files of motions; `first` are there already. Unreadable ones are noted. Of very many those are opened that are called like the models; the others when
 * one of their own takes the stage, or somebody asks for them.
 */
export async function openMotions(
  motions: readonly GivenFile[],
  first: readonly Source[],
  noted: readonly Note[],
  context: OpenContext,
  { onStep }: Opening,
  models: readonly GivenFile[] = [],
): Promise<{ sources: Source[]; notes: Note[]; unread: Source[] }> {
  const sources = [...first];
  const unread: Source[] = [];
  const notes = [...noted];
  const some = mostAlike(motions, models, MOST_MOTION_FILES);
  if (some.length < motions.length) notes.push({ code: 'too-many-motions', opened: some.length, all: motions.length });
  for (const [at, given] of some.entries()) {
    if (await isOpen(given, sources)) continue;
    if (some.length > 1) onStep({ code: 'opening-motions', at: at + 1, of: some.length });
    const file = await readFile(given, context);
    context.signal.throwIfAborted();
    if (file.scene) sources.push({ given, file });
    else unread.push({ given, file });
  }
  if (unread.length > 0) notes.push({ code: 'unread-motions', names: unread.map(({ given }) => given.file.name) });
  return { sources, notes, unread };
}

/** Opens files of motions that came without a model. A single unreadable one is refused. */
export async function openOnlyMotions(...given: Parameters<typeof openMotions>): Promise<{ sources: Source[]; notes: Note[] }> {
  const opened = await openMotions(...given);
  const [motions, first] = given;
  if (motions.length === 1 && first.length === 0 && opened.unread[0]) throw unreadable(opened.unread[0].file, opened.unread[0].given);
  return opened;
}

/** Finds out if a file is open already, from this path or as a copy in another folder. */
async function isOpen({ file }: GivenFile, sources: readonly Source[]): Promise<boolean> {
  for (const { given } of sources) {
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

export interface Joining {
  motions: readonly GivenFile[];
  companions: readonly GivenFile[];
  shelf: Shelf;
  notes: readonly Note[];
  /** Of the motions those that are open already. */
  ready: readonly Source[];
  /** All motions are read anew, as how they are read has changed. */
  isReadAgain?: boolean;
}

/** Told where none of the companions has changed anything; those of a name that was there already have. */
function unwantedOf(companions: readonly GivenFile[], { shelf }: Session, before: Model, after: Model): Note[] {
  const missed = (model: Model): number => model.missingFiles.length + shownOf(model).missing.length;
  const names = companions.map(({ file }) => file.name);
  const isWanted = wornBy(wholeOf(after)).size > wornBy(wholeOf(before)).size || missed(after) < missed(before);
  if (isWanted || names.some(name => shelf.find(name))) return [];
  return [{ code: 'unwanted', names, areImages: names.every(isImage) }];
}

/** Motions and companions join what is there. */
export async function join(session: Session, model: Model | null, joining: Joining, opening: Opening): Promise<Opened> {
  const { motions, companions, shelf, ready, isReadAgain = false } = joining;
  const context: OpenContext = { ...opening, shelf, formatOptions: readingOf(session) };
  const { signal } = context;
  // Nobody completes a demo; reading it again leaves it what it is.
  const isKept = session.demo === null || isReadAgain;
  const own = isKept ? session.shown : null;
  // What asked for one of the new companions is read again with it; so is the model, whose textures may now be found.
  const names = new Set(companions.map(({ file }) => file.name.toLowerCase()));
  const asks = ({ needs }: RigFile): boolean => needs.some(({ name }) => names.has(name.toLowerCase()));
  const again: Source[] = [];
  for (const source of isKept ? session.sources : []) {
    const isStale = source.given !== own?.given && (isReadAgain || asks(source.file));
    again.push(isStale ? { given: source.given, file: await readFile(source.given, context) } : source);
    signal.throwIfAborted();
  }
  const models = modelsIn(session.library).map(({ given }) => given);
  const opened = await openOnlyMotions(motions, ready, joining.notes, context, opening, models);
  const fresh = opened.sources;
  const notes = [...opened.notes];
  let built = own ? model : null;
  let shown = own;
  if (own && companions.length > 0) {
    const file = asks(own.file) ? await readFile(own.given, context) : own.file;
    signal.throwIfAborted();
    if (file.scene) {
      const pieces = own.pieces.map(piece => (piece.shelf === session.shelf ? { ...piece, shelf } : piece));
      built = await buildModel(own.given, file, context, pieces);
      if (signal.aborted) disposeModel(built);
      signal.throwIfAborted();
      shown = shownOf(built);
      if (motions.length === 0 && model && file === own.file) notes.push(...unwantedOf(companions, session, model, built));
    }
  }
  const kept = again
    .filter(source => !fresh.some(other => other.given.file.name === source.given.file.name))
    .map(source => (shown && source.given === shown.given ? { given: source.given, file: shown.file } : source));
  // What is shown now may ask for what has just come; so may all that was given with it.
  const known = (isKept ? session.library : []).map(entry => (entry.shelf === session.shelf ? { ...entry, shelf } : entry));
  const library = withEntries(known, [...entriesOf(motions, 'motion', shelf), ...entriesOf(companions, 'companion', shelf)]);
  const action: Action = {
    type: 'join',
    library,
    shown,
    sources: [...kept, ...fresh],
    fresh,
    shelf,
    notes,
    demo: isReadAgain ? session.demo : null,
  };
  return { action, model: built, fresh };
}
