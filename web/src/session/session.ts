// The open files as an immutable value. Actions (reduce.ts) return the next value, and undo returns to the one before.
import type { Need } from '../core/types.ts';
import type { GivenFile } from './given.ts';
import type { Entry } from './library.ts';
import { asItStands, type Look, type Looping, type Placement } from './look.ts';
import type { OnTop, Reading } from './motion.ts';
import type { Note } from './notes.ts';
import type { PartChoice } from './parts.ts';
import { Shelf } from './shelf.ts';
import type { Row, Shown, Source } from './source.ts';

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

/** Whether anything of it can be read again from where it came. */
export const canRenew = ({ demo, library }: Session): boolean => demo === null && library.some(({ given }) => given.again);
