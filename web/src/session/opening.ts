// From a drop to what it changes: reads what a plan asks for. What it read and built is thrown away by whoever called it off.
import type { RigFile } from '../core/open.ts';
import type { RigScene } from '../core/types.ts';
import type { GivenFile } from './given.ts';
import { kinOf, mostAlike } from './kin.ts';
import { join, type Joining, openMotions, openOnlyMotions, readingOf } from './joining.ts';
import { graftIn, leadOf, type PartChoice, partsOf, withParts } from './parts.ts';
import { appealOf, entriesOf, type Entry, factsOf, modelsIn, withEntries, withFacts } from './library.ts';
import { buildModel, disposeModel, type Model, type OpenContext, shownOf, unplaced } from './model.ts';
import type { Opened, Opening } from './opened.ts';
import { readFile } from './reading.ts';
import type { Piece, Shown, Source } from './source.ts';
import { type Plan, plan } from './plan.ts';
import { missingNeed, nothingToShow, unreadable } from './problem.ts';
import { sortFiles } from './role.ts';
import type { Note } from './notes.ts';
import type { Hung, Session } from './session.ts';
import type { Action } from './reduce.ts';
import { Shelf } from './shelf.ts';

/** Motions that are opened with a model of a library whose motions were too many. */
const MOST_LATER = 50;
/** Models that are looked at before one of them is shown: those that have motions, as far as names tell. */
const MOST_LOOKS = 40;

/** Opens what somebody gave beside what is there. */
export async function openGiven(
  session: Session,
  model: Model | null,
  given: readonly GivenFile[],
  notes: readonly Note[],
  context: Opening,
): Promise<Opened> {
  const sorted = await sortFiles([...given]);
  context.signal.throwIfAborted();
  const { waiting, demo, shelf } = session;
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
        library: waiting.library,
      },
      context,
    );
  }
  if (todo.kind === 'join') {
    const { motions, companions } = todo;
    const joining: Joining = { motions, companions, shelf: (isOwn ? shelf : new Shelf()).with(companions), notes, ready: [] };
    const stands = isOwn && session.shown !== null;
    return stands ? join(session, model, joining, context) : openMotionsAlone(session, model, joining, context);
  }
  if (todo.kind === 'open') {
    return openFirst(session, model, todo, notes, context);
  }
  const companions = todo.kind === 'refuse' ? todo.companions : [];
  throw nothingToShow(companions, { type: 'shelve', shelf: shelf.with(companions) });
}

/** Of several models the one that has most to show takes the stage; the others are in the library. */
async function openFirst(
  session: Session,
  model: Model | null,
  { candidates, worlds, motions, shelve }: Plan & { kind: 'open' },
  notes: readonly Note[],
  opening: Opening,
): Promise<Opened> {
  const { demo, shown } = session;
  const isOwn = demo === null;
  // What came before any model waits for it.
  const given = [...shelve, ...candidates];
  const shelf = (isOwn && !shown ? session.shelf : new Shelf()).with(given);
  const context: OpenContext = { ...opening, shelf };
  const left = candidates.length > 1 && worlds.length > 0 ? await unplaced(candidates, worlds, context) : candidates;
  const isAnew = ({ given: { path } }: Source): boolean => [...motions, ...candidates].some(file => file.path === path);
  const kept = isOwn ? session.sources.filter(source => (source.given !== shown?.given || shown.isBare) && !isAnew(source)) : [];
  const opened = await openMotions(motions, kept, notes, context, opening, left);
  const placed = candidates.filter(candidate => !left.includes(candidate));
  let library = withEntries(isOwn ? session.library : [], [
    ...entriesOf(left, 'model', shelf),
    ...entriesOf(motions, 'motion', shelf),
    ...entriesOf([...shelve, ...placed], 'companion', shelf),
  ]);
  const looked = new Map<GivenFile, Source>();
  let best: Source | null = null;
  let appeal = { best: -1, vertices: -1 };
  const some = mostAlike(left, motions, MOST_LOOKS);
  for (const [at, candidate] of some.entries()) {
    if (some.length > 1) opening.onStep({ code: 'looking-at-models', at: at + 1, of: some.length });
    const source: Source = { given: candidate, file: await readFile(candidate, context) };
    opening.signal.throwIfAborted();
    library = withFacts(library, candidate, factsOf(source.file));
    looked.set(candidate, source);
    const own = appealOf(source, opened.sources);
    const isMore = own.best - appeal.best || own.vertices - appeal.vertices;
    if (source.file.scene && isMore > 0) [best, appeal] = [source, own];
  }
  const chosen = library.find(({ given: one }) => one === (best?.given ?? left[0]!))!;
  // New parts join the character that is shown, and a new body gets the parts that are shown.
  for (const source of isOwn && shown ? [shown, ...shown.pieces] : []) if (!looked.has(source.given)) looked.set(source.given, source);
  const { lead: whole, parts } = leadOf(
    chosen,
    library.filter(entry => looked.has(entry.given)),
    library,
  );
  const { file } = looked.get(whole.given)!;
  const partChoices = withParts(whole.given, parts, library, session.partChoices);
  const isOneOfMany = left.length > 1 + parts.length;
  const which: Note = { code: 'one-of-many', name: whole.given.file.name, of: left.length, hasAnimations: appeal.best > 0 };
  const wanted: Wanted = {
    given: whole.given,
    file,
    pieces: await readParts(whole.given, library, partChoices, opening, looked),
    partChoices,
    motions: [],
    sources: [...opened.sources, ...(await handsFor(file, [...looked.values()]))],
    shelf: whole.shelf,
    library,
    notes: [...opened.notes, ...(isOneOfMany ? [which] : [])],
    demo: null,
    hung: withGrafts(isOwn ? session.hung : [], whole, file, library),
  };
  return openModel(session, model, wanted, opening);
}

/** What goes on where a bone of the model ends hangs there, unless something does already. */
function withGrafts(hung: readonly Hung[], whole: Entry, { scene }: RigFile, library: readonly Entry[]): readonly Hung[] {
  const grafts = modelsIn(library).flatMap(part => {
    const root = part === whole ? '' : graftIn(part, whole);
    const node = root ? (scene?.nodes.names.findIndex(name => name.toLowerCase() === root) ?? -1) : -1;
    const isTaken = hung.some(other => other.host === whole.given.path && (other.node === node || other.path === part.given.path));
    return node < 0 || isTaken ? [] : [{ host: whole.given.path, node, path: part.given.path }];
  });
  return [...hung, ...grafts];
}

/** Where there is no model, a file of motions may bring a skeleton of its own: that takes the stage. */
async function openMotionsAlone(session: Session, model: Model | null, joining: Joining, opening: Opening): Promise<Opened> {
  const { motions, companions, shelf, notes } = joining;
  const isOwn = session.demo === null;
  const isAnew = ({ given: { path } }: Source): boolean => motions.some(motion => motion.path === path);
  const kept = isOwn ? session.sources.filter(source => !isAnew(source)) : [];
  const opened = await openOnlyMotions(motions, kept, notes, { ...opening, shelf }, opening);
  const skeleton = opened.sources.find(({ file }) => file.scene!.nodes.count > 1);
  if (!skeleton) return join(session, model, { ...joining, notes: opened.notes, ready: opened.sources.slice(kept.length) }, opening);
  const { given, file } = skeleton;
  const library = withEntries(isOwn ? session.library : [], [
    ...entriesOf([given], 'model', shelf),
    ...entriesOf(
      motions.filter(motion => motion !== given),
      'motion',
      shelf,
    ),
    ...entriesOf(companions, 'companion', shelf),
  ]);
  const sources = opened.sources.filter(source => source !== skeleton);
  return openModel(session, model, { given, file, motions: [], sources, shelf, library, notes: opened.notes, demo: null }, opening);
}

/** Recordings of hands beside a model that has fingers are motions for it. */
async function handsFor({ scene }: RigFile, others: readonly Source[]): Promise<Source[]> {
  const hasHands = (of: RigScene | null): boolean => of?.features.some(({ kind }) => kind === 'hand') ?? false;
  const recorded = others.filter(({ file }) => hasHands(file.scene));
  if (!scene || recorded.length === 0) return [];
  const { FingerMotion } = await import('../rig/fingers.ts');
  return recorded.filter(({ file }) => FingerMotion.of(file.scene!, scene)).map(({ given, file }) => ({ given, file }));
}

/** Reads the parts that are on, unless they are known. Leaves out unreadable files. */
async function readParts(
  lead: GivenFile,
  library: readonly Entry[],
  choices: readonly PartChoice[],
  opening: Opening,
  known: ReadonlyMap<GivenFile, Source>,
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const { entry, isOn } of partsOf(lead, library, choices)) {
    if (!isOn) continue;
    const { given, shelf } = entry;
    const file = known.get(given)?.file ?? (await readFile(given, { ...opening, shelf }));
    opening.signal.throwIfAborted();
    if (file.scene) pieces.push({ given, file, shelf });
  }
  return pieces;
}

/** Another model of the library takes the stage with the parts of its character, and with the same motions. */
export async function openEntry(session: Session, model: Model | null, entry: Entry, opening: Opening): Promise<Opened> {
  const { notes, shown } = session;
  const { given, shelf } = entry;
  const formatOptions = readingOf(session);
  const context = { ...opening, shelf, formatOptions };
  const file = await readFile(given, context);
  opening.signal.throwIfAborted();
  const library = withFacts(session.library, given, factsOf(file));
  const pieces = await readParts(given, library, session.partChoices, context, new Map());
  const sources = session.sources.filter(source => source.given !== shown?.given);
  if (shown) sources.push(...(await handsFor(file, [shown])));
  const wanted: Wanted = {
    given,
    file,
    pieces,
    motions: unopenedOf(entry, session),
    sources,
    shelf,
    library,
    notes: notes.filter(({ code }) => code !== 'one-of-many'),
    demo: null,
    isStep: true,
  };
  return openModel(session, model, wanted, { ...opening, formatOptions });
}

/** Builds the shown model again, with the parts that `partChoices` switch on. */
export async function assemble(
  { library, shelf, ...session }: Session,
  shown: Shown,
  partChoices: readonly PartChoice[],
  opening: Opening,
): Promise<Opened> {
  const context: OpenContext & Opening = { ...opening, shelf, formatOptions: readingOf(session) };
  const standing = new Map([shown, ...shown.pieces].map(source => [source.given, source]));
  const pieces = await readParts(shown.given, library, partChoices, context, standing);
  const built = await buildModel(shown.given, shown.file, context, pieces);
  if (context.signal.aborted) disposeModel(built);
  context.signal.throwIfAborted();
  const known = pieces.reduce((all, { given, file }) => withFacts(all, given, factsOf(file)), library);
  return { action: { type: 'assemble', shown: shownOf(built), partChoices, library: known }, model: built, fresh: null };
}

/** Motions of a large library that were not opened yet and are called like this model. */
function unopenedOf({ given }: Entry, { library, sources }: Session): readonly GivenFile[] {
  const open = new Set(sources.map(source => source.given));
  const waiting = library.filter(({ role, given: motion }) => role === 'motion' && !open.has(motion)).map(({ given: motion }) => motion);
  return kinOf(waiting, [given], MOST_LATER);
}

/** True if a model was built from the same files, parts included. */
const areSame = (model: Model, { file, pieces }: Shown): boolean =>
  model.file === file && model.pieces.length === pieces.length && model.pieces.every((piece, at) => piece.file === pieces[at]!.file);

/** What was open once stands there again; the model is built anew unless it still stands. */
export async function reopen(session: Session, model: Model | null, opening: Opening): Promise<Opened> {
  const { shown, shelf } = session;
  const action: Action = { type: 'restore', session };
  if (!shown || (model && areSame(model, shown))) return { action, model: shown ? model : null, fresh: [] };
  const context: OpenContext = { ...opening, shelf };
  const built = await buildModel(shown.given, shown.file, context, shown.pieces);
  if (context.signal.aborted) disposeModel(built);
  context.signal.throwIfAborted();
  return { action, model: built, fresh: null };
}

/** A model that shall take the stage, and what comes with it. */
export interface Wanted {
  given: GivenFile;
  /** Where it has been read already. */
  file?: RigFile;
  pieces?: readonly Piece[];
  /** Left out: as they were. */
  partChoices?: readonly PartChoice[];
  motions: readonly GivenFile[];
  /** Motions that are open already. */
  sources: readonly Source[];
  shelf: Shelf;
  notes: readonly Note[];
  demo: string | null;
  library: readonly Entry[];
  /** What hangs on its bones, and on those of other models; left out: what did before. */
  hung?: readonly Hung[];
  /** The motion that plays stays where it suits this model, too. */
  isStep?: boolean;
}

export async function openModel(session: Session, model: Model | null, wanted: Wanted, opening: Opening): Promise<Opened> {
  const { given, motions, shelf, demo, isStep = false, hung = session.hung, partChoices = session.partChoices } = wanted;
  const context: OpenContext = { ...opening, shelf };
  const { signal } = context;
  if (demo === null) opening.onStep({ code: 'opening', name: given.file.name });
  const file = wanted.file ?? (await readFile(given, context));
  signal.throwIfAborted();
  const need = file.needs.find(({ kind, required }) => required && (kind === 'key' || kind === 'resource'));
  const waiting = need ? { given, need, shelf, motions, sources: wanted.sources, notes: wanted.notes, library: wanted.library } : null;
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
  const built = await buildModel(given, file, context, wanted.pieces);
  if (signal.aborted) disposeModel(built);
  signal.throwIfAborted();
  const library = withFacts(wanted.library, given, factsOf(file));
  const action: Action = { type: 'open', shown: shownOf(built), sources, shelf, notes, demo, waiting, library, isStep, hung, partChoices };
  return { action, model: built, fresh: null };
}
