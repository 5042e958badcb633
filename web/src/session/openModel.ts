// Executes the plan for dropped files: opens files, builds the model and returns the action for the
// session.
import type { RigFile } from '../core/open.ts';
import type { RigScene } from '../core/types.ts';
import { type InputFile, isLocal } from './inputFile.ts';
import { bySimilarity, similarFiles, mostSimilar } from './nameSimilarity.ts';
import { join, type JoinRequest, openAnimations, openAnimationsOrThrow, formatOptionsOf } from './join.ts';
import { attachmentBoneIn, leadOf, type PartChoice, partsOf, withParts } from './parts.ts';
import { reasonFor, type Score, scoreOf, entriesOf, type LibraryEntry, factsOf, modelsIn, withEntries, withFacts } from './library.ts';
import { buildModel, disposeModel, type Model, type OpenContext, shownOf, withoutInstanced } from './model.ts';
import type { OpenResult, OpeningContext } from './openResult.ts';
import { readFile } from './readFile.ts';
import type { CharacterPart, ShownModel, OpenedFile } from './openedFile.ts';
import { type Plan, plan } from './plan.ts';
import { missingNeed, nothingToShow, unreadable } from './problem.ts';
import { sortByRole } from './role.ts';
import type { Notice } from './notices.ts';
import type { Attachment, Session } from './session.ts';
import type { Action } from './reduce.ts';
import { CompanionFiles } from './companionFiles.ts';

/**
 * Maximum number of additional animation files that are opened together with a model of the
 * library.
 */
const MAX_SIMILAR_ANIMATIONS = 50;
/**
 * Maximum number of dropped models that are all read before one of them is shown. If there are
 * more, the first readable model is shown at once, and `completeLibrary.ts` reads the others.
 */
export const FEW_MODELS = 5;
/** Maximum number of models that are compared to find the parts of a character. */
const MAX_COMPARED = 40;

/** Opens dropped files. Throws a Refusal if none of them can be shown. */
export async function openInputs(
  session: Session,
  model: Model | null,
  input: readonly InputFile[],
  notices: readonly Notice[],
  context: OpeningContext,
): Promise<OpenResult> {
  const sorted = await sortByRole([...input]);
  context.signal.throwIfAborted();
  const { pending, demo, companionFiles } = session;
  const todo = plan(session, sorted);
  const isOwn = demo === null;
  if (todo.kind === 'resume' && pending && isLocal(todo.needed)) {
    return openModel(
      session,
      model,
      {
        input: pending.input,
        animations: [...pending.animations, ...todo.animations],
        animationFiles: pending.animationFiles,
        companionFiles: pending.companionFiles.with(todo.companions).withAssigned(pending.need, todo.needed.file),
        notices: pending.notices,
        demo: null,
        library: pending.library,
      },
      context,
    );
  }
  if (todo.kind === 'join') {
    const { animations, companions } = todo;
    const joining: JoinRequest = {
      animations,
      companions,
      companionFiles: (isOwn ? companionFiles : new CompanionFiles()).with(companions),
      notices,
      openedAnimations: [],
    };
    const isShown = isOwn && session.shown !== null;
    return isShown ? join(session, model, joining, context) : openWithoutModel(session, model, joining, context);
  }
  if (todo.kind === 'open') {
    return openBestModel(session, model, todo, notices, context);
  }
  const companions = todo.kind === 'refuse' ? todo.companions : [];
  throw nothingToShow(companions, { type: 'set-companion-files', companionFiles: companionFiles.with(companions) });
}

/**
 * Shows the model with the best score. The other models are added to the library. If there are more
 * than `FEW_MODELS`, the names of the files decide which model is shown, and only animation files
 * with similar names are opened.
 */
async function openBestModel(
  session: Session,
  model: Model | null,
  { candidates, scenes, animations, companions }: Plan & { kind: 'open' },
  notices: readonly Notice[],
  opening: OpeningContext,
): Promise<OpenResult> {
  const { demo, shown } = session;
  const isOwn = demo === null;
  // Companion files that were dropped before any model are used for this model.
  const input = [...companions, ...candidates];
  const companionFiles = (isOwn && !shown ? session.companionFiles : new CompanionFiles()).with(input);
  const context: OpenContext = { ...opening, companionFiles };
  const left = candidates.length > 1 && scenes.length > 0 ? await withoutInstanced(candidates, scenes, context) : candidates;
  const isReplaced = ({ input: { path } }: OpenedFile): boolean => [...animations, ...candidates].some(file => file.path === path);
  const kept = isOwn
    ? session.animationFiles.filter(source => (source.input !== shown?.input || shown.hasNoSurface) && !isReplaced(source))
    : [];
  const isMany = left.length > FEW_MODELS;
  const ranked = isMany ? bySimilarity(left, animations) : left;
  const matching = isMany ? similarFiles(animations, ranked.slice(0, 1), MAX_SIMILAR_ANIMATIONS) : animations;
  const { animationFiles, notices: allNotices } = await openAnimations(matching, kept, notices, context, opening, left);
  const instanced = candidates.filter(candidate => !left.includes(candidate));
  let library = withEntries(isOwn ? session.library : [], [
    ...entriesOf(left, 'model', companionFiles),
    ...entriesOf(animations, 'animation', companionFiles),
    ...entriesOf([...companions, ...instanced], 'companion', companionFiles),
  ]);
  const opened = new Map<InputFile, OpenedFile>();
  let best: OpenedFile | null = null;
  let bestScore: Score = { best: -1, vertices: -1 };
  const scores: Score[] = [];
  for (const [at, candidate] of ranked.entries()) {
    if (isMany && best) break;
    if (!isMany && left.length > 1) opening.onStep({ code: 'reading-models', at: at + 1, of: left.length });
    const source: OpenedFile = { input: candidate, file: await readFile(candidate, context) };
    opening.signal.throwIfAborted();
    library = withFacts(library, candidate, factsOf(source.file));
    opened.set(candidate, source);
    const own = scoreOf(source, animationFiles);
    const isMore = own.best - bestScore.best || own.vertices - bestScore.vertices;
    if (source.file.scene && isMore > 0) [best, bestScore] = [source, own];
    scores.push(own);
  }
  const chosen = library.find(({ input: one }) => one === (best?.input ?? left[0]!))!;
  // New parts are added to the shown character, and the shown parts are added to a new body.
  for (const source of isOwn && shown ? [shown, ...shown.parts] : []) if (!opened.has(source.input)) opened.set(source.input, source);
  const { lead, parts } = leadOf(
    chosen,
    library.filter(entry => opened.has(entry.input)),
    library,
  );
  const { file } = opened.get(lead.input)!;
  const partChoices = withParts(lead.input, parts, library, session.partChoices);
  const isOneOfFew = !isMany && left.length > 1 + parts.length;
  const which: Notice = {
    code: 'several-models',
    name: lead.input.file.name,
    of: left.length,
    reason: lead.input === best?.input ? reasonFor(bestScore, scores) : null,
  };
  const wanted: ModelRequest = {
    input: lead.input,
    file,
    parts: await readParts(lead.input, library, partChoices, opening, opened),
    partChoices,
    animations: [],
    animationFiles: [...animationFiles, ...(await handRecordingsFor(file, [...opened.values()]))],
    companionFiles: lead.companionFiles,
    library,
    notices: [...allNotices, ...(isOneOfFew ? [which] : [])],
    demo: null,
    attachments: withFoundAttachments(isOwn ? session.attachments : [], lead, file, library),
  };
  return openModel(session, model, wanted, opening);
}

/**
 * Adds attachments for the models of the library that can be attached to a bone of `lead`, unless
 * something is already attached to this bone.
 */
function withFoundAttachments(
  attachments: readonly Attachment[],
  lead: LibraryEntry,
  { scene }: RigFile,
  library: readonly LibraryEntry[],
): readonly Attachment[] {
  const found = modelsIn(library).flatMap(part => {
    const root = part === lead ? '' : attachmentBoneIn(part, lead);
    const node = root ? (scene?.nodes.names.findIndex(name => name.toLowerCase() === root) ?? -1) : -1;
    const isTaken = attachments.some(other => other.parent === lead.input.path && (other.node === node || other.path === part.input.path));
    return node < 0 || isTaken ? [] : [{ parent: lead.input.path, node, path: part.input.path }];
  });
  return [...attachments, ...found];
}

/** Opens animation files without a model. If one of them has a skeleton, shows that skeleton. */
async function openWithoutModel(session: Session, model: Model | null, joining: JoinRequest, opening: OpeningContext): Promise<OpenResult> {
  const { animations, companions, companionFiles, notices } = joining;
  const isOwn = session.demo === null;
  const isReplaced = ({ input: { path } }: OpenedFile): boolean => animations.some(file => file.path === path);
  const kept = isOwn ? session.animationFiles.filter(source => !isReplaced(source)) : [];
  const opened = await openAnimationsOrThrow(animations, kept, notices, { ...opening, companionFiles }, opening);
  const skeleton = opened.animationFiles.find(({ file }) => file.scene!.nodes.length > 1);
  if (!skeleton)
    return join(
      session,
      model,
      { ...joining, notices: opened.notices, openedAnimations: opened.animationFiles.slice(kept.length) },
      opening,
    );
  const { input, file } = skeleton;
  const library = withEntries(isOwn ? session.library : [], [
    ...entriesOf([input], 'model', companionFiles),
    ...entriesOf(
      animations.filter(file => file !== input),
      'animation',
      companionFiles,
    ),
    ...entriesOf(companions, 'companion', companionFiles),
  ]);
  const animationFiles = opened.animationFiles.filter(source => source !== skeleton);
  return openModel(
    session,
    model,
    { input, file, animations: [], animationFiles, companionFiles, library, notices: opened.notices, demo: null },
    opening,
  );
}

/** Returns the hand recordings that can animate the fingers of a model. */
async function handRecordingsFor({ scene }: RigFile, others: readonly OpenedFile[]): Promise<OpenedFile[]> {
  const hasHands = (of: RigScene | null): boolean => of?.features.some(({ kind }) => kind === 'hand') ?? false;
  const recorded = others.filter(({ file }) => hasHands(file.scene));
  if (!scene || recorded.length === 0) return [];
  const { HandRetargeter } = await import('../rig/handRetargeter.ts');
  return recorded.filter(({ file }) => HandRetargeter.of(file.scene!, scene)).map(({ input, file }) => ({ input, file }));
}

/**
 * Returns the parts of a character that are shown. Uses `known`, the files that are already open,
 * and reads the others. Omits files without a readable scene.
 */
async function readParts(
  lead: InputFile,
  library: readonly LibraryEntry[],
  choices: readonly PartChoice[],
  opening: OpeningContext,
  known: ReadonlyMap<InputFile, OpenedFile>,
): Promise<CharacterPart[]> {
  const parts: CharacterPart[] = [];
  for (const { entry, isOn } of partsOf(lead, library, choices)) {
    if (!isOn) continue;
    const { input, companionFiles } = entry;
    const file = known.get(input)?.file ?? (await readFile(input, { ...opening, companionFiles }));
    opening.signal.throwIfAborted();
    if (file.scene) parts.push({ input, file, companionFiles });
  }
  return parts;
}

/** Shows another model of the library with the parts of its character. Keeps the animations. */
export async function openLibraryEntry(
  session: Session,
  model: Model | null,
  entry: LibraryEntry,
  opening: OpeningContext,
): Promise<OpenResult> {
  const { notices, shown } = session;
  const { input, companionFiles } = entry;
  const formatOptions = formatOptionsOf(session);
  const context = { ...opening, companionFiles, formatOptions };
  const file = await readFile(input, context);
  opening.signal.throwIfAborted();
  const library = withFacts(session.library, input, factsOf(file));
  const parts = await readParts(input, library, session.partChoices, context, new Map());
  const animationFiles = session.animationFiles.filter(source => source.input !== shown?.input);
  if (shown) animationFiles.push(...(await handRecordingsFor(file, [shown])));
  const wanted: ModelRequest = {
    input,
    file,
    parts,
    animations: similarUnopened(entry, session),
    animationFiles,
    companionFiles,
    library,
    notices: notices.filter(({ code }) => code !== 'several-models'),
    demo: null,
    keepsAnimation: true,
  };
  return openModel(session, model, wanted, { ...opening, formatOptions });
}

/**
 * Adds the parts and attachments of the shown character that are known since its library was read.
 * If the shown model is itself a part, shows the character that it belongs to. Resolves with null
 * if nothing changes.
 */
export async function completeCharacter(session: Session, model: Model | null, opening: OpeningContext): Promise<OpenResult | null> {
  const { shown, library, demo } = session;
  const models = modelsIn(library);
  const chosen = models.find(({ input }) => input === shown?.input);
  if (!shown || !chosen || demo !== null) return null;
  const similar = mostSimilar(
    models.map(({ input }) => input),
    [shown.input],
    MAX_COMPARED,
  );
  const compared = models.filter(entry => entry === chosen || similar.includes(entry.input));
  const { lead, parts } = leadOf(chosen, compared, library);
  const context: OpenContext & OpeningContext = {
    ...opening,
    companionFiles: lead.companionFiles,
    formatOptions: formatOptionsOf(session),
  };
  const file = lead === chosen ? shown.file : await readFile(lead.input, context);
  const partChoices = withParts(lead.input, parts, library, session.partChoices);
  const attachments = withFoundAttachments(session.attachments, lead, file, compared);
  const added = partsOf(lead.input, library, partChoices).filter(
    ({ entry, isOn }) => isOn && !shown.parts.some(({ input }) => input === entry.input),
  );
  if (lead === chosen && added.length === 0 && attachments.length === session.attachments.length) return null;
  const known = new Map([shown, ...shown.parts].map(source => [source.input, source]));
  const wanted: ModelRequest = {
    input: lead.input,
    file,
    parts: await readParts(lead.input, library, partChoices, context, known),
    partChoices,
    animations: lead === chosen ? [] : similarUnopened(lead, session),
    animationFiles: session.animationFiles.filter(({ input }) => input !== shown.input),
    companionFiles: lead.companionFiles,
    library,
    notices: session.notices,
    demo: null,
    attachments,
    keepsAnimation: true,
  };
  return openModel(session, model, wanted, context);
}

/** Rebuilds the shown model with the parts that are shown according to `partChoices`. */
export async function rebuildWithParts(
  { library, companionFiles, ...session }: Session,
  shown: ShownModel,
  partChoices: readonly PartChoice[],
  opening: OpeningContext,
): Promise<OpenResult> {
  const context: OpenContext & OpeningContext = { ...opening, companionFiles, formatOptions: formatOptionsOf(session) };
  const known = new Map([shown, ...shown.parts].map(source => [source.input, source]));
  const parts = await readParts(shown.input, library, partChoices, context, known);
  const built = await buildModel(shown.input, shown.file, context, parts);
  if (context.signal.aborted) disposeModel(built);
  context.signal.throwIfAborted();
  const nextLibrary = parts.reduce((all, { input, file }) => withFacts(all, input, factsOf(file)), library);
  return { action: { type: 'set-parts', shown: shownOf(built), partChoices, library: nextLibrary }, model: built, added: null };
}

/**
 * Returns animation files of the library that are not open and have names similar to the model's.
 */
function similarUnopened({ input }: LibraryEntry, { library, animationFiles }: Session): readonly InputFile[] {
  const open = new Set(animationFiles.map(source => source.input));
  const unopened = library.flatMap(entry => (entry.role === 'animation' && !open.has(entry.input) ? [entry.input] : []));
  return similarFiles(unopened, [input], MAX_SIMILAR_ANIMATIONS);
}

/** Returns true if `model` and its parts were built from the files of the shown model. */
const isBuiltFrom = (model: Model, { file, parts }: ShownModel): boolean =>
  model.file === file && model.parts.length === parts.length && model.parts.every((piece, at) => piece.file === parts[at]!.file);

/** Restores an earlier session. Rebuilds the model unless it is still shown. */
export async function restoreModel(session: Session, model: Model | null, opening: OpeningContext): Promise<OpenResult> {
  const { shown, companionFiles, imageAssignments, materialValues } = session;
  const action: Action = { type: 'restore', session };
  if (!shown || (model && isBuiltFrom(model, shown))) return { action, model: shown ? model : null, added: [] };
  const context: OpenContext = { ...opening, companionFiles, imageAssignments, materialValues };
  const built = await buildModel(shown.input, shown.file, context, shown.parts);
  if (context.signal.aborted) disposeModel(built);
  context.signal.throwIfAborted();
  return { action, model: built, added: null };
}

/** A request to show a model. */
export interface ModelRequest {
  input: InputFile;
  /** The opened file, if it was already read. */
  file?: RigFile;
  parts?: readonly CharacterPart[];
  /** The visitor's new choices of parts (default: the choices in the session). */
  partChoices?: readonly PartChoice[];
  animations: readonly InputFile[];
  /** Animation files that are already open. */
  animationFiles: readonly OpenedFile[];
  companionFiles: CompanionFiles;
  notices: readonly Notice[];
  demo: string | null;
  library: readonly LibraryEntry[];
  /** New attachments (default: the attachments in the session). */
  attachments?: readonly Attachment[];
  /** True to keep the selected animation if it matches this model. */
  keepsAnimation?: boolean;
}

export async function openModel(session: Session, model: Model | null, wanted: ModelRequest, opening: OpeningContext): Promise<OpenResult> {
  const {
    input,
    animations,
    companionFiles,
    demo,
    keepsAnimation = false,
    attachments = session.attachments,
    partChoices = session.partChoices,
  } = wanted;
  const context: OpenContext = { ...opening, companionFiles };
  const { signal } = context;
  if (demo === null) opening.onStep({ code: 'opening', name: input.file.name });
  const file = wanted.file ?? (await readFile(input, context));
  signal.throwIfAborted();
  const need = file.needs.find(({ kind, required }) => required && (kind === 'key' || kind === 'resource'));
  const pending = need
    ? { input, need, companionFiles, animations, animationFiles: wanted.animationFiles, notices: wanted.notices, library: wanted.library }
    : null;
  if (!file.scene) {
    const action: Action = { type: 'set-pending', pending };
    throw need ? missingNeed(file, input, need, action) : unreadable(file, input, action);
  }
  const { renderers, nodes, clips } = file.scene;
  if (renderers.length === 0 && nodes.length <= 1 && clips.length > 0) {
    // The format supports models and animations, but this file contains only animations.
    const openedAnimations = [{ input, file }];
    return join(
      session,
      model,
      { animations: [input, ...animations], companions: [], companionFiles, notices: wanted.notices, openedAnimations },
      opening,
    );
  }
  const own: OpenedFile = { input, file };
  const { animationFiles, notices } = await openAnimations(
    animations,
    [...(clips.length > 0 ? [own] : []), ...wanted.animationFiles],
    wanted.notices,
    context,
    opening,
  );
  const built = await buildModel(input, file, context, wanted.parts);
  if (signal.aborted) disposeModel(built);
  signal.throwIfAborted();
  const library = withFacts(wanted.library, input, factsOf(file));
  const action: Action = {
    type: 'open',
    shown: shownOf(built),
    animationFiles,
    companionFiles,
    notices,
    demo,
    pending,
    library,
    keepsAnimation,
    attachments,
    partChoices,
  };
  return { action, model: built, added: null };
}
