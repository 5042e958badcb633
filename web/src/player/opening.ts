// From a drop to the next session: reads what a plan asks for. What it read and built is thrown away by whoever called it off.
import type { RigFile } from '../core/open.ts';
import type { FormatOptions } from '../core/types.ts';
import type { GivenFile } from './given.ts';
import { buildModel, disposeModel, type Model, openFile, type OpenContext, shownOf, unplaced } from './model.ts';
import type { Source } from './source.ts';
import { plan } from './plan.ts';
import { missingNeed, nothingToShow, unreadable } from './problem.ts';
import { sortFiles } from './role.ts';
import { type Action, type Note, reduce, type Session } from './session.ts';
import { Shelf } from './shelf.ts';

/** What is being done, for people who wait. */
export type Step = { code: 'opening'; name: string } | { code: 'opening-motions'; at: number; of: number };

export interface Opening extends Omit<OpenContext, 'shelf' | 'formatOptions'> {
  onStep: (step: Step) => void;
  /** Which of several models? Null: none. */
  choose: (candidates: readonly GivenFile[], signal: AbortSignal) => Promise<GivenFile | null>;
}

/** What is open now, and the model that stands for it: the one given, or a new one. */
export interface Opened {
  session: Session;
  model: Model | null;
  /** What has just joined; null where a model has taken the stage. */
  fresh: readonly Source[] | null;
}

const MOST_MOTION_FILES = 300;

/** Opens what somebody gave beside what is there; null: somebody chose none of it. */
export async function openGiven(
  session: Session,
  model: Model | null,
  given: readonly GivenFile[],
  notes: readonly Note[],
  context: Opening,
): Promise<Opened | null> {
  const sorted = await sortFiles([...given]);
  context.signal.throwIfAborted();
  const { waiting, demo, shelf, shown, sources } = session;
  const todo = plan(session, sorted);
  const isOwn = demo === null;
  if (todo.kind === 'answer' && waiting) {
    return openModel(
      session,
      model,
      {
        given: waiting.given,
        motions: [...waiting.motions, ...todo.motions],
        sources: waiting.sources,
        shelf: waiting.shelf.with(todo.shelve).answered(waiting.need, todo.answer.file),
        notes: waiting.notes,
        demo: null,
      },
      context,
    );
  }
  if (todo.kind === 'join') {
    const joined = { motions: todo.motions, companions: todo.companions, shelf: (isOwn ? shelf : new Shelf()).with(todo.companions) };
    return join(session, model, { ...joined, notes, ready: [] }, context);
  }
  if (todo.kind === 'open') {
    const { candidates, worlds } = todo;
    const left = candidates.length > 1 && worlds.length > 0 ? await unplaced(candidates, worlds, { ...context, shelf }) : candidates;
    const chosen = left.length === 1 ? left[0]! : await context.choose(left, context.signal);
    if (!chosen) return null;
    // What came before any model waits for it.
    const isFirst = isOwn && !shown;
    return openModel(
      session,
      model,
      {
        given: chosen,
        motions: todo.motions,
        sources: isFirst ? sources : [],
        // Models too: a world places them.
        shelf: (isFirst ? shelf : new Shelf()).with([...todo.shelve, ...candidates.filter(other => other !== chosen)]),
        notes,
        demo: null,
      },
      context,
    );
  }
  const companions = todo.kind === 'refuse' ? todo.companions : [];
  throw nothingToShow(companions, { type: 'shelve', shelf: shelf.with(companions) });
}

/** A model that shall take the stage, and what comes with it. */
export interface Wanted {
  given: GivenFile;
  motions: readonly GivenFile[];
  /** Motions that are open already. */
  sources: readonly Source[];
  shelf: Shelf;
  notes: readonly Note[];
  demo: string | null;
}

export async function openModel(session: Session, model: Model | null, wanted: Wanted, opening: Opening): Promise<Opened> {
  const { given, motions, shelf, demo } = wanted;
  const context: OpenContext = { ...opening, shelf };
  const { signal } = context;
  if (demo === null) opening.onStep({ code: 'opening', name: given.file.name });
  const file = await openFile(given, context);
  signal.throwIfAborted();
  const need = file.needs.find(({ kind, required }) => required && (kind === 'key' || kind === 'resource'));
  const waiting = need ? { given, need, shelf, motions, sources: wanted.sources, notes: wanted.notes } : null;
  if (!file.scene) {
    const action: Action = { type: 'wait', waiting };
    throw need ? missingNeed(file, given, need, action) : unreadable(file, given, action);
  }
  const { renderers, nodes, clips } = file.scene;
  if (renderers.length === 0 && nodes.count <= 1 && clips.length > 0) {
    // A container that can hold either held motions only.
    const ready = [{ given, file }];
    return join(session, model, { motions: [given, ...motions], companions: [], shelf, notes: wanted.notes, ready }, opening);
  }
  const own: Source = { given, file };
  const { sources, notes } = await openMotions(
    motions,
    [...(clips.length > 0 ? [own] : []), ...wanted.sources],
    wanted.notes,
    context,
    opening,
  );
  const built = await buildModel(given, file, context);
  if (signal.aborted) disposeModel(built);
  signal.throwIfAborted();
  const action: Action = { type: 'open', shown: shownOf(built), sources, shelf, notes, demo, waiting };
  return { session: reduce(session, action), model: built, fresh: null };
}

/** Opens files of motions; `first` are there already. Some unreadable ones among others are only noted. */
async function openMotions(
  motions: readonly GivenFile[],
  first: readonly Source[],
  noted: readonly Note[],
  context: OpenContext,
  { onStep }: Opening,
): Promise<{ sources: Source[]; notes: Note[] }> {
  const sources = [...first];
  const names: string[] = [];
  const notes = [...noted];
  if (motions.length > MOST_MOTION_FILES) notes.push({ code: 'too-many-motions', most: MOST_MOTION_FILES });
  for (const [at, given] of motions.slice(0, MOST_MOTION_FILES).entries()) {
    if (sources.some(source => source.given.path === given.path && source.given.file === given.file)) continue;
    if (motions.length > 1) onStep({ code: 'opening-motions', at: at + 1, of: motions.length });
    const file = await openFile(given, context);
    context.signal.throwIfAborted();
    if (file.scene) sources.push({ given, file });
    else if (motions.length === 1 && first.length === 0) throw unreadable(file, given);
    else names.push(given.file.name);
  }
  if (names.length > 0) notes.push({ code: 'unread-motions', names });
  return { sources, notes };
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

/** Motions and companions join what is there. */
export async function join(session: Session, model: Model | null, joining: Joining, opening: Opening): Promise<Opened> {
  const { motions, companions, shelf, ready, isReadAgain = false } = joining;
  const formatOptions: FormatOptions = session.reading === 'everything' ? { unreal: { motion: 'everything' } } : {};
  const context: OpenContext = { ...opening, shelf, formatOptions };
  const { signal } = context;
  // Nobody completes a demo; reading it again leaves it what it is.
  const isKept = session.demo === null || isReadAgain;
  const own = isKept ? session.shown : null;
  // What asked for one of the new companions is read again with it; so is the model, whose textures may now be found.
  const names = new Set(companions.map(({ file }) => file.name.toLowerCase()));
  const hasConfig = [...names].some(name => name.endsWith('.config'));
  const asks = ({ needs }: RigFile): boolean => needs.some(({ name }) => names.has(name.toLowerCase()));
  const again: Source[] = [];
  for (const source of isKept ? session.sources : []) {
    const isStale = source.given !== own?.given && (isReadAgain || hasConfig || asks(source.file));
    again.push(isStale ? { given: source.given, file: await openFile(source.given, context) } : source);
    signal.throwIfAborted();
  }
  const opened = await openMotions(motions, ready, joining.notes, context, opening);
  const fresh = opened.sources;
  let built = own ? model : null;
  let shown = own;
  if (own && companions.length > 0) {
    const file = asks(own.file) ? await openFile(own.given, context) : own.file;
    signal.throwIfAborted();
    if (file.scene) {
      built = await buildModel(own.given, file, context);
      if (signal.aborted) disposeModel(built);
      signal.throwIfAborted();
      shown = shownOf(built);
    }
  }
  const kept = again
    .filter(source => !fresh.some(other => other.given.file.name === source.given.file.name))
    .map(source => (shown && source.given === shown.given ? { given: source.given, file: shown.file } : source));
  const action: Action = {
    type: 'join',
    shown,
    sources: [...kept, ...fresh],
    fresh,
    shelf,
    notes: opened.notes,
    demo: isReadAgain ? session.demo : null,
  };
  return { session: reduce(session, action), model: built, fresh };
}
