// What is open, as a value that never changes: an action makes the next one out of it, and undo is the one before.
import { ANY_SECONDS, firstClip, lengthOf as lengthOfClip, ownSet } from '../core/firstAnimation.ts';
import type { Clip, Need, RigScene } from '../core/types.ts';
import { startingClips } from '../three/animation/starting.ts';
import type { GivenFile } from './given.ts';
import { type Entry, modelsIn } from './library.ts';
import type { PartChoice } from './parts.ts';
import { type OnTop, type Reading, type Suit, suitOf, TOGETHER } from './motion.ts';
import { Shelf } from './shelf.ts';
import { asGiven, type Shown, type Source } from './source.ts';

/** A file that cannot be read before another one is there: its key, or the file that holds its data. */
export interface Waiting {
  given: GivenFile;
  need: Need;
  shelf: Shelf;
  motions: readonly GivenFile[];
  sources: readonly Source[];
  notes: readonly Note[];
  library: readonly Entry[];
}

/** A file inside an archive that cannot be unpacked. `method`: the number of its compression method; `large`: it needs ZIP64. */
export interface LeftOut {
  name: string;
  why: 'encrypted' | 'method' | 'large' | 'damaged';
  method: number;
}

/** What was left out while files were opened. */
export type Note =
  | { code: 'too-many-files'; most: number }
  /** An archive that is damaged, or too large to unpack. */
  | { code: 'archive-left-out'; name: string; isLarge: boolean }
  /** Some files inside an archive. */
  | { code: 'not-unpacked'; name: string; entries: readonly LeftOut[] }
  /** Of so many motions in the library only some are opened: those that are called like its models. */
  | { code: 'too-many-motions'; opened: number; all: number }
  | { code: 'unread-motions'; names: readonly string[] }
  /** The first of several models that are not parts of one character, and why it is shown first. `of`: number of models. */
  | { code: 'one-of-many'; name: string; of: number; hasAnimations: boolean }
  /** Companions that nothing of what is open has asked for. */
  | { code: 'unwanted'; names: readonly string[]; areImages: boolean };

/** How somebody has put a model that stood wrong. */
export interface Placement {
  /** Which direction of the scene, as the file is read, points up. */
  readonly up: 'x' | 'y' | 'z' | '-x' | '-y' | '-z';
  /** Degrees around the vertical. */
  readonly turn: number;
  readonly scale: number;
  /** Of Unreal's files: the root's quaternion is stored like the others', as some third-party writers do; the files are read so. */
  readonly isRootPlain: boolean;
}

export const asItStands: Placement = { up: 'y', turn: 0, scale: 1, isRootPlain: false };

/** surroundings: what shines around is also seen behind everything. */
export type Background = 'page' | 'white' | 'grey' | 'black' | 'surroundings';

/** How it is looked at, whatever is open. */
export interface Look {
  /** As the stage calls it. */
  readonly mode: string;
  /** The box of the model at rest. */
  readonly bounds: boolean;
  /** Lines of constraints and IK handles. */
  readonly rigging: boolean;
  /** Names of all bones, their local axes, and sockets. */
  readonly names: boolean;
  readonly axes: boolean;
  readonly sockets: boolean;
  /** Without perspective. */
  readonly flat: boolean;
  /** Vertical angle of view, degrees. */
  readonly fieldOfView: number;
  /** Factor of all light. */
  readonly exposure: number;
  /** By which the light is turned, degrees. */
  readonly lightTurn: number;
  readonly background: Background;
  /** What shines around and is reflected: 'room', another one as the stage calls it, or a panorama that somebody gave. */
  readonly surroundings: string | File;
  readonly bones: boolean;
  readonly wire: boolean;
  readonly grid: boolean;
  readonly trails: boolean;
  /** A body stands and breathes while no motion plays. */
  readonly idles: boolean;
  /** The unit in which times of motions with frames are shown. */
  readonly unit: 'frames' | 'seconds';
}

/** An image that somebody has put on a material by hand. */
export interface Worn {
  /** Of the model's file. */
  readonly path: string;
  readonly material: string;
  readonly slot: string;
  readonly image: File;
}

/** A model of the library that hangs on a bone of another. */
export interface Hung {
  /** Path of the file whose bone that is, and the bone's row among its nodes. */
  readonly host: string;
  readonly node: number;
  /** Path of the file that hangs there. */
  readonly path: string;
}

/** Whether a motion begins anew at its end; file: where its file says so. */
export type Looping = 'on' | 'once' | 'file';

export interface Session {
  /** Everything that was given since the page was empty; nothing of it is thrown away. */
  readonly library: readonly Entry[];
  readonly shown: Shown | null;
  /** Opened files of motions; the model's own motions are one too. */
  readonly sources: readonly Source[];
  /** What may complete a file. */
  readonly shelf: Shelf;
  readonly waiting: Waiting | null;
  /** The page's own example, by its id; null where visitors' files are open. */
  readonly demo: string | null;
  readonly reading: Reading;
  readonly isRootLocked: boolean;
  /** A row of `rowsOf`; −1: the rest pose. */
  readonly selected: number;
  /** Motions that somebody gave last and that do not start, as they were made for another skeleton. */
  readonly refused: readonly Source[];
  readonly notes: readonly Note[];
  /** Keys of advice that nobody wants to see again. */
  readonly dismissed: ReadonlySet<string>;
  readonly look: Look;
  readonly looping: Looping;
  readonly placement: Placement;
  /** Another motion on top of the one that plays. */
  readonly top: OnTop | null;
  /** A motion whose skeleton is shown beside the one that plays. */
  readonly ghost: Row | null;
  /** Images put on by hand, of whichever models: they are put on again when these come back. */
  readonly worn: readonly Worn[];
  /** What hangs on bones, of whichever models: it hangs there again when these come back. */
  readonly hung: readonly Hung[];
  /** Paths of models of the library that stand beside the one on the stage. */
  readonly beside: readonly string[];
  /** Parts that were switched on or off by hand, for any models: the choices apply again when a model is shown again. */
  readonly partChoices: readonly PartChoice[];
}

export const emptySession: Session = {
  library: [],
  shown: null,
  sources: [],
  shelf: new Shelf(),
  waiting: null,
  demo: null,
  reading: 'auto',
  isRootLocked: false,
  selected: -1,
  refused: [],
  notes: [],
  dismissed: new Set(),
  look: {
    mode: 'lit',
    bones: false,
    wire: false,
    grid: true,
    trails: false,
    idles: false,
    bounds: false,
    rigging: false,
    names: false,
    axes: false,
    sockets: false,
    flat: false,
    fieldOfView: 32,
    exposure: 1,
    lightTurn: 0,
    background: 'page',
    surroundings: 'room',
    unit: 'frames',
  },
  looping: 'file',
  placement: asItStands,
  top: null,
  ghost: null,
  worn: [],
  hung: [],
  beside: [],
  partChoices: [],
};

export type Action =
  /** A model takes the stage, with everything that belongs to it. */
  | {
      type: 'open';
      shown: Shown;
      sources: readonly Source[];
      shelf: Shelf;
      notes: readonly Note[];
      demo: string | null;
      waiting: Waiting | null;
      library: readonly Entry[];
      hung: readonly Hung[];
      partChoices: readonly PartChoice[];
      /** The motion that plays stays where it suits this model, too. */
      isStep: boolean;
    }
  /** Motions and companions join what is there; `fresh` are those of the sources that somebody has just given. */
  | {
      type: 'join';
      shown: Shown | null;
      sources: readonly Source[];
      fresh: readonly Source[];
      shelf: Shelf;
      notes: readonly Note[];
      demo: string | null;
      library: readonly Entry[];
    }
  /** The model wears something else. */
  | { type: 'dress'; shown: Shown }
  /** An image in the place of what that slot wore. */
  | { type: 'wear'; worn: Worn }
  | { type: 'hang'; hung: readonly Hung[] }
  | { type: 'stand-beside'; beside: readonly string[] }
  /** Parts of the character on the stage were switched on or off. */
  | { type: 'assemble'; shown: Shown; partChoices: readonly PartChoice[]; library: readonly Entry[] }
  | { type: 'wait'; waiting: Waiting | null }
  | { type: 'shelve'; shelf: Shelf }
  | { type: 'select'; row: number }
  /** Motions take the place of themselves, carried over or as they are; that of these clips is selected. */
  | { type: 'carry'; source: Source; carried: Source; indices: readonly number[] }
  | { type: 'read'; reading: Reading }
  | { type: 'lock-root'; isLocked: boolean }
  | { type: 'look'; look: Partial<Look> }
  | { type: 'loop'; looping: Looping }
  | { type: 'place'; placement: Partial<Placement> }
  | { type: 'top'; top: OnTop | null }
  | { type: 'ghost'; ghost: Row | null }
  | { type: 'dismiss'; advice: string }
  | { type: 'close' }
  /** What was open once is open again, looked at as now. */
  | { type: 'restore'; session: Session };

/** The session after an action. Nothing is read, and the one before stays as it is. */
export function reduce(session: Session, action: Action): Session {
  switch (action.type) {
    case 'open': {
      const { shown, sources, shelf, notes, demo, waiting, library, hung, partChoices, isStep } = action;
      const next: Session = {
        ...session,
        shown,
        sources: asGiven(sources),
        shelf,
        notes,
        demo,
        waiting,
        library,
        hung,
        partChoices,
        reading: 'auto',
        refused: [],
        dismissed: new Set(),
        selected: -1,
        top: null,
        ghost: null,
        // Parts of a folder stand alike.
        placement: isStep ? session.placement : asItStands,
      };
      const same = isStep ? sameRow(session, next) : -1;
      return { ...next, selected: same >= 0 ? same : firstToPlay(next) };
    }
    case 'join':
      return joined(session, action);
    case 'dress':
      return session.shown ? { ...session, shown: { ...session.shown, missing: action.shown.missing } } : session;
    case 'wear':
      return {
        ...session,
        worn: [...session.worn.filter(other => !isSamePlace(other, action.worn)), action.worn],
        notes: session.notes.filter(note => note.code !== 'unwanted' || !note.names.includes(action.worn.image.name)),
      };
    case 'hang':
      return { ...session, hung: action.hung };
    case 'stand-beside':
      return { ...session, beside: action.beside };
    case 'assemble':
      return { ...session, shown: action.shown, partChoices: action.partChoices, library: action.library };
    case 'wait':
      return { ...session, waiting: action.waiting };
    case 'shelve':
      return { ...session, shelf: action.shelf };
    case 'select':
      return { ...session, selected: rowsOf(session)[action.row] ? action.row : -1 };
    case 'carry': {
      const { source, carried, indices } = action;
      const next = { ...session, sources: session.sources.map(each => (each === source ? carried : each)), refused: [] };
      const row = rowsOf(next).findIndex(each => each.source === carried && each.indices.join() === indices.join());
      return { ...next, selected: row, top: null, ghost: null };
    }
    case 'read':
      return { ...session, reading: action.reading };
    case 'lock-root':
      return { ...session, isRootLocked: action.isLocked };
    case 'look':
      return { ...session, look: { ...session.look, ...action.look } };
    case 'place':
      return { ...session, placement: { ...session.placement, ...action.placement } };
    case 'loop':
      return { ...session, looping: action.looping };
    case 'top':
      return { ...session, top: action.top };
    case 'ghost':
      return { ...session, ghost: action.ghost };
    case 'dismiss':
      return { ...session, dismissed: new Set([...session.dismissed, action.advice]) };
    case 'restore':
      return { ...action.session, look: session.look, looping: session.looping, isRootLocked: session.isRootLocked };
    case 'close': {
      const { reading, isRootLocked, look, looping, worn, hung, partChoices } = session;
      return { ...emptySession, reading, isRootLocked, look, looping, worn, hung, partChoices };
    }
  }
}

const isSamePlace = (a: Worn, b: Worn): boolean => a.path === b.path && a.material === b.material && a.slot === b.slot;

/** What was made for another skeleton does not take the place of what plays. */
function joined(session: Session, { shown, sources, fresh, shelf, notes, demo, library }: Action & { type: 'join' }): Session {
  const isOpen = (row: { source: Source } | null): boolean => row !== null && sources.includes(row.source);
  const next: Session = {
    ...session,
    library,
    shown,
    sources,
    shelf,
    notes,
    demo,
    refused: [],
    selected: -1,
    top: isOpen(session.top) ? session.top : null,
    ghost: isOpen(session.ghost) ? session.ghost : null,
  };
  if (!shown) return next;
  // An animation that is dropped on a model plays, however short it is.
  const isFresh = (row: Row): boolean => fresh.includes(row.source) && suitIn(next, row.source)!.fits;
  const first = firstOf(next, fresh);
  const given = first >= 0 ? first : rowsOf(next).findIndex(isFresh);
  if (given >= 0) return { ...next, selected: given };
  return { ...next, refused: fresh, selected: rowLike(next, session) };
}

/** The motion of `before` among those of `next`, as its name and file tell; −1 where it is not there. */
function rowLike(next: Session, before: Session): number {
  const current = rowsOf(before)[before.selected];
  if (!current) return -1;
  return rowsOf(next).findIndex(row => titleOf(row) === titleOf(current) && row.source.given.path === current.source.given.path);
}

/** The same if it suits the model of `next`; if that is another model, only an animation of its own set. */
function sameRow(before: Session, next: Session): number {
  const at = rowLike(next, before);
  const row = rowsOf(next)[at];
  const isSameModel = before.shown?.given.path === next.shown?.given.path;
  const isKept = row && (isSameModel ? suitIn(next, row.source)!.fits : ownOf(next, next.sources).includes(row.source));
  return isKept ? at : -1;
}

// ---------------------------------------------------------------- motions

/** One motion of the list: a clip of a file, or several that start by themselves and play together. */
export interface Row {
  source: Source;
  /** Rows of its clips. */
  indices: readonly number[];
}

export const clipsOf = ({ source, indices }: Row): Clip[] => indices.map(index => source.file.scene!.clips[index]!);
export const titleOf = (row: Row): string => (row.indices.length === 1 ? clipsOf(row)[0]!.name : TOGETHER);
/** The same motion is selected in both. */
export function isSameMotion(a: Session, b: Session): boolean {
  const [one, other] = [rowsOf(a)[a.selected], rowsOf(b)[b.selected]];
  return one !== undefined && other !== undefined && one.source.given.path === other.source.given.path && titleOf(one) === titleOf(other);
}

/** Whether anything of it can be read again from where it came. */
export const canRenew = ({ demo, library }: Session): boolean => demo === null && library.some(({ given }) => given.again);

/** Seconds that are played, from the first key. */
export const lengthOf = (row: Row): number => Math.max(0, ...clipsOf(row).map(lengthOfClip));

/** Whether what plays begins anew at its end. A recording's file cannot say so, and it does. */
export const isLooped = (looping: Looping, motion: { loop: boolean } | null, isRecording: boolean): boolean =>
  looping === 'on' || (looping === 'file' && (isRecording || motion?.loop === true));

const suits = new WeakMap<Source['file'], WeakMap<Source, Suit>>();

/** How a file of motions suits the model that is shown; null where there is none. */
export function suitIn({ shown }: Session, source: Source): Suit | null {
  if (!shown) return null;
  let known = suits.get(shown.file);
  if (!known) suits.set(shown.file, (known = new WeakMap()));
  let suit = known.get(source);
  if (!suit) known.set(source, (suit = suitOf(shown, source)));
  return suit;
}

const rows = new WeakMap<readonly Source[], { shown: Shown | null; rows: readonly Row[] }>();

/** All motions that there are. What was made for this model comes first; otherwise in the order of their names. */
export function rowsOf(session: Session): readonly Row[] {
  const { shown, sources } = session;
  const known = rows.get(sources);
  if (known?.shown === shown) return known.rows;
  const rankOf = (source: Source): number => suitIn(session, source)?.rank ?? 0;
  const made = sources
    .toSorted((a, b) => rankOf(b) - rankOf(a))
    .flatMap(source => {
      const all = (source.file.scene?.clips ?? []).map((_, index): Row => ({ source, indices: [index] }));
      const starting = source.given === shown?.given ? startingOf(shown.file.scene) : [];
      return starting.length > 1 ? [{ source, indices: starting }, ...all] : all;
    });
  rows.set(sources, { shown, rows: made });
  return made;
}

const startingOf = (scene: RigScene | null): number[] => (scene ? startingClips(scene) : []);

/** The animation that starts with a model: what its file starts, else the first of its own set; -1 if it has none. */
function firstToPlay(session: Session): number {
  const { shown } = session;
  const starting = startingOf(shown?.file.scene ?? null);
  const chosen = rowsOf(session).findIndex(
    row =>
      row.source.given === shown?.given && starting.length > 0 && starting.every(index => row.indices.includes(index)) && lengthOf(row) > 0,
  );
  return chosen >= 0 ? chosen : firstOf(session, session.sources);
}

/** Files among `sources` that suit the shown model, the best first. */
function fittingOf(session: Session, sources: readonly Source[]): { path: string; source: Source }[] {
  const all = new Set(rowsOf(session).map(({ source }) => source));
  return [...all]
    .filter(source => sources.includes(source) && suitIn(session, source)!.fits)
    .map(source => ({ path: source.given.path, source }));
}

/** The shown model's own set among these files. */
function ownOf(session: Session, sources: readonly Source[]): Source[] {
  const path = session.shown?.given.path ?? '';
  const others = modelsIn(session.library).flatMap(({ given }) => (given.path === path ? [] : given.path));
  return ownSet(path, fittingOf(session, sources), others).map(({ source }) => source);
}

/** The animation to start with among these files: of the model's own set, else of the set that fits best; -1 if there is none. */
function firstOf(session: Session, sources: readonly Source[]): number {
  const own = ownOf(session, sources);
  const set = own.length > 0 ? own : ownSet('', fittingOf(session, sources), []).map(({ source }) => source);
  const rows = rowsOf(session);
  const single = rows.filter(({ source, indices }) => set.includes(source) && indices.length === 1);
  const clips = single.map(row => clipsOf(row)[0]!);
  return rows.indexOf(single[firstClip(clips, session.shown?.isBare ? ANY_SECONDS : undefined)]!);
}

/** The row of that name in the model's own set, whatever its case; -1 if there is none. */
export function ownRowCalled(session: Session, name: string): number {
  const own = ownOf(session, session.sources);
  return rowsOf(session).findIndex(row => own.includes(row.source) && titleOf(row).toLowerCase() === name.toLowerCase());
}
