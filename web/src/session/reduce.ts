// Actions on the session.
import { firstOf, firstToPlay, rowLike, rowsOf, sameRow, suitIn } from './clipRows.ts';
import type { Entry } from './library.ts';
import { asItStands, type Look, type Looping, type Placement } from './look.ts';
import type { OnTop, Reading } from './motion.ts';
import type { Note } from './notes.ts';
import type { PartChoice } from './parts.ts';
import { emptySession, type Hung, type Session, type Waiting, type Worn } from './session.ts';
import type { Shelf } from './shelf.ts';
import { asGiven, type Row, type Shown, type Source } from './source.ts';

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
