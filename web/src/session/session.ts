// The session: the open files and settings as an immutable value. `reduce` (reduce.ts) returns the
// session after an action; undo restores an earlier session.
import type { Need } from '../core/types.ts';
import type { ImageAssignment } from './imageAssignments.ts';
import type { AnimationEdits } from './animationEdits.ts';
import type { ModelBoneMap } from './boneMaps.ts';
import type { InputFile } from './inputFile.ts';
import type { LibraryEntry } from './library.ts';
import { defaultPlacement, type ViewSettings, type LoopMode, type Placement } from './viewSettings.ts';
import type { OverlayLayer, AnimationMode } from './layeredAction.ts';
import type { ModelMaterialValues } from './materialValues.ts';
import type { Notice } from './notices.ts';
import type { PartChoice } from './parts.ts';
import { CompanionFiles } from './companionFiles.ts';
import type { AnimationRow, ShownModel, OpenedFile } from './openedFile.ts';

/**
 * A file that can't be read without another file, such as a decryption key or a file with binary
 * data.
 */
export interface PendingFile {
  input: InputFile;
  need: Need;
  companionFiles: CompanionFiles;
  /** Animation files to open once the file can be read. */
  animations: readonly InputFile[];
  animationFiles: readonly OpenedFile[];
  notices: readonly Notice[];
  library: readonly LibraryEntry[];
}

/** A model of the library that is attached to a bone of another model. */
export interface Attachment {
  /** Path of the model with the bone. */
  readonly parent: string;
  /** Index of the bone in the node table of that model. */
  readonly node: number;
  /** Path of the attached model. */
  readonly path: string;
}

export interface Session {
  /** All files that were opened since the page was last empty. */
  readonly library: readonly LibraryEntry[];
  /** The shown model; null if there is none. */
  readonly shown: ShownModel | null;
  /** Opened files with animations, including the shown model if it has animations. */
  readonly animationFiles: readonly OpenedFile[];
  readonly companionFiles: CompanionFiles;
  readonly pending: PendingFile | null;
  /** Id of the open demo; null if the visitor's files are open. */
  readonly demo: string | null;
  readonly animationMode: AnimationMode;
  readonly isRootLocked: boolean;
  /** Index of the selected animation in `rowsOf(session)`; −1 for the rest pose. */
  readonly selected: number;
  /**
   * Animation files of the last drop that are not played, because they were made for another
   * skeleton.
   */
  readonly incompatible: readonly OpenedFile[];
  readonly notices: readonly Notice[];
  /** Keys (`keyOf`) of the advice that the visitor has dismissed. */
  readonly dismissed: ReadonlySet<string>;
  readonly viewSettings: ViewSettings;
  readonly loopMode: LoopMode;
  readonly placement: Placement;
  /** A second animation on top of the selected one; null if there is none. */
  readonly overlay: OverlayLayer | null;
  /** An animation that is drawn as a skeleton for comparison; null if there is none. */
  readonly ghost: AnimationRow | null;
  /**
   * Images that were assigned to materials, for all models. They are applied again when a model is
   * shown again.
   */
  readonly imageAssignments: readonly ImageAssignment[];
  /** Values of materials that the visitor has set, for all models. */
  readonly materialValues: readonly ModelMaterialValues[];
  /** Bone maps of all models. They are applied again when an animation is retargeted. */
  readonly boneMaps: readonly ModelBoneMap[];
  /** Edits of animations. They are applied when an animation plays or is saved. */
  readonly animationEdits: readonly AnimationEdits[];
  /** Attachments of all models. They are applied again when a model is shown again. */
  readonly attachments: readonly Attachment[];
  /** Paths of the models that are placed beside the shown model. */
  readonly secondaryModels: readonly string[];
  /**
   * The visitor's choices of parts, for all models. They are applied again when a model is shown
   * again.
   */
  readonly partChoices: readonly PartChoice[];
}

export const emptySession: Session = {
  library: [],
  shown: null,
  animationFiles: [],
  companionFiles: new CompanionFiles(),
  pending: null,
  demo: null,
  animationMode: 'auto',
  isRootLocked: false,
  selected: -1,
  incompatible: [],
  notices: [],
  dismissed: new Set(),
  viewSettings: {
    mode: 'lit',
    bones: false,
    wireframe: false,
    grid: true,
    trails: false,
    idle: false,
    bounds: false,
    rigging: false,
    boneNames: false,
    axes: false,
    sockets: false,
    isOrthographic: false,
    fieldOfView: 32,
    exposure: 1,
    lightRotation: 0,
    background: 'page',
    environment: 'room',
    onionSkins: 0,
    onionStep: 1,
    timeUnit: 'frames',
  },
  loopMode: 'file',
  placement: defaultPlacement,
  overlay: null,
  ghost: null,
  imageAssignments: [],
  materialValues: [],
  boneMaps: [],
  animationEdits: [],
  attachments: [],
  secondaryModels: [],
  partChoices: [],
};

/** Returns true if at least one file can be read again. */
export const canReload = ({ demo, library }: Session): boolean => demo === null && library.some(({ input }) => input.reread);
