// Actions on the session, and the function that applies them.
import { firstRowOf, initialRow, rowWithSameClip, rowsOf, keptRow, compatibilityIn } from './animationRows.ts';
import type { AnimationEdits } from './animationEdits.ts';
import type { ModelBoneMap } from './boneMaps.ts';
import { type ImageAssignment, withAssignment } from './imageAssignments.ts';
import type { InputFile } from './inputFile.ts';
import { type FileSummary, type LibraryEntry, withAllFacts } from './library.ts';
import { defaultPlacement, type ViewSettings, type LoopMode, type Placement } from './viewSettings.ts';
import type { OverlayLayer, AnimationMode } from './layeredAction.ts';
import { type ModelMaterialValues, withModelValues } from './materialValues.ts';
import type { Notice } from './notices.ts';
import type { PartChoice } from './parts.ts';
import { emptySession, type Attachment, type Session, type PendingFile } from './session.ts';
import { baseName } from '../core/paths.ts';
import type { CompanionFiles } from './companionFiles.ts';
import { withoutRetargeting, type AnimationRow, type ShownModel, type OpenedFile } from './openedFile.ts';

export type Action =
  /** Shows a model with everything that belongs to it. */
  | {
      type: 'open';
      shown: ShownModel;
      animationFiles: readonly OpenedFile[];
      companionFiles: CompanionFiles;
      notices: readonly Notice[];
      demo: string | null;
      pending: PendingFile | null;
      library: readonly LibraryEntry[];
      attachments: readonly Attachment[];
      partChoices: readonly PartChoice[];
      /** True to keep the selected animation if it matches the new model. */
      keepsAnimation: boolean;
    }
  /**
   * Adds animations and companion files. `animationFiles`: all open animation files. `added`: the
   * newly opened animation files.
   */
  | {
      type: 'join';
      shown: ShownModel | null;
      animationFiles: readonly OpenedFile[];
      added: readonly OpenedFile[];
      companionFiles: CompanionFiles;
      notices: readonly Notice[];
      demo: string | null;
      library: readonly LibraryEntry[];
    }
  /** Adds the facts of models that were read in the background. */
  | { type: 'add-facts'; facts: ReadonlyMap<InputFile, FileSummary> }
  /**
   * Adds animation files that were opened in the background. The selected animation stays selected.
   * If there was no animation to select, selects one of them.
   */
  | { type: 'add-animations'; added: readonly OpenedFile[] }
  /** Shows the findings about keys that were read later, which `clip.tracks.load` has added to the reports of their files. */
  | { type: 'update-reports' }
  /** Updates the description of the shown model after its textures have changed. */
  | { type: 'update-textures'; shown: ShownModel }
  /** Assigns an image to a slot. Replaces an earlier assignment to the slot. */
  | { type: 'assign-image'; assignment: ImageAssignment }
  /** Replaces all assignments of images. */
  | { type: 'set-assignments'; imageAssignments: readonly ImageAssignment[] }
  /** Replaces the values of the materials of a model. */
  | ({ type: 'set-material-values' } & ModelMaterialValues)
  /** Replaces all bone maps. Retargeted animations are replaced by their originals. */
  | { type: 'set-bone-maps'; boneMaps: readonly ModelBoneMap[] }
  | { type: 'set-animation-edits'; animationEdits: readonly AnimationEdits[] }
  | { type: 'attach'; attachments: readonly Attachment[] }
  | { type: 'show-secondary'; secondaryModels: readonly string[] }
  /** Shows or hides parts of the character. */
  | { type: 'set-parts'; shown: ShownModel; partChoices: readonly PartChoice[]; library: readonly LibraryEntry[] }
  | { type: 'set-pending'; pending: PendingFile | null }
  | { type: 'set-companion-files'; companionFiles: CompanionFiles }
  | { type: 'select'; row: number }
  /**
   * Replaces an animation file by its retargeted version, or vice versa. Selects the row of
   * `replacement` with these clip indices.
   */
  | { type: 'replace'; source: OpenedFile; replacement: OpenedFile; indices: readonly number[] }
  | { type: 'set-animation-mode'; animationMode: AnimationMode }
  | { type: 'lock-root'; isLocked: boolean }
  | { type: 'set-view'; settings: Partial<ViewSettings> }
  | { type: 'set-loop-mode'; loopMode: LoopMode }
  | { type: 'set-placement'; placement: Partial<Placement> }
  | { type: 'set-overlay'; overlay: OverlayLayer | null }
  | { type: 'set-ghost'; ghost: AnimationRow | null }
  | { type: 'dismiss'; advice: string }
  | { type: 'close' }
  /** Restores an earlier session, but keeps the current view settings. */
  | { type: 'restore'; session: Session };

/**
 * Returns the session after an action. The function is pure: it reads no files and does not change
 * `session`.
 */
export function reduce(session: Session, action: Action): Session {
  switch (action.type) {
    case 'open': {
      const { shown, animationFiles, companionFiles, notices, demo, pending, library, attachments, partChoices, keepsAnimation } = action;
      const next: Session = {
        ...session,
        shown,
        animationFiles: withoutRetargeting(animationFiles),
        companionFiles,
        notices,
        demo,
        pending,
        library,
        attachments,
        partChoices,
        animationMode: 'auto',
        incompatible: [],
        dismissed: new Set(),
        selected: -1,
        overlay: null,
        ghost: null,
        // Keep the placement for another model of the library, because models in one folder usually
        // need the same correction.
        placement: keepsAnimation ? session.placement : defaultPlacement,
        animationEdits: keepsAnimation ? session.animationEdits : [],
      };
      const same = keepsAnimation ? keptRow(session, next) : -1;
      return { ...next, selected: same >= 0 ? same : initialRow(next) };
    }
    case 'join':
      return join(session, action);
    case 'add-facts':
      return { ...session, library: withAllFacts(session.library, action.facts) };
    case 'add-animations': {
      const next = { ...session, animationFiles: [...session.animationFiles, ...action.added] };
      return { ...next, selected: rowsOf(session).length > 0 ? rowWithSameClip(next, session) : initialRow(next) };
    }
    case 'update-reports':
      return { ...session, animationFiles: [...session.animationFiles] };
    case 'update-textures':
      return session.shown ? { ...session, shown: { ...session.shown, untexturedMaterials: action.shown.untexturedMaterials } } : session;
    case 'assign-image': {
      const { assignment } = action;
      return {
        ...session,
        imageAssignments: withAssignment(session.imageAssignments, assignment),
        notices: session.notices.filter(
          notice => notice.code !== 'unused-companions' || !notice.names.includes(baseName(assignment.image)),
        ),
      };
    }
    case 'set-assignments':
      return { ...session, imageAssignments: action.imageAssignments };
    case 'set-material-values': {
      const { path, values } = action;
      return { ...session, materialValues: withModelValues(session.materialValues, { path, values }) };
    }
    case 'set-bone-maps': {
      const { boneMaps } = action;
      const next = { ...session, boneMaps, animationFiles: withoutRetargeting(session.animationFiles) };
      return withOpenLayers({ ...next, selected: rowWithSameClip(next, session) });
    }
    case 'set-animation-edits':
      return { ...session, animationEdits: action.animationEdits };
    case 'attach':
      return { ...session, attachments: action.attachments };
    case 'show-secondary':
      return { ...session, secondaryModels: action.secondaryModels };
    case 'set-parts':
      return { ...session, shown: action.shown, partChoices: action.partChoices, library: action.library };
    case 'set-pending':
      return { ...session, pending: action.pending };
    case 'set-companion-files':
      return { ...session, companionFiles: action.companionFiles };
    case 'select':
      return { ...session, selected: rowsOf(session)[action.row] ? action.row : -1 };
    case 'replace': {
      const { source, replacement, indices } = action;
      const next = {
        ...session,
        animationFiles: session.animationFiles.map(each => (each === source ? replacement : each)),
        incompatible: [],
      };
      const row = rowsOf(next).findIndex(each => each.source === replacement && each.indices.join() === indices.join());
      return withOpenLayers({ ...next, selected: row });
    }
    case 'set-animation-mode':
      return { ...session, animationMode: action.animationMode };
    case 'lock-root':
      return { ...session, isRootLocked: action.isLocked };
    case 'set-view':
      return { ...session, viewSettings: { ...session.viewSettings, ...action.settings } };
    case 'set-placement':
      return { ...session, placement: { ...session.placement, ...action.placement } };
    case 'set-loop-mode':
      return { ...session, loopMode: action.loopMode };
    case 'set-overlay':
      return { ...session, overlay: action.overlay };
    case 'set-ghost':
      return { ...session, ghost: action.ghost };
    case 'dismiss':
      return { ...session, dismissed: new Set([...session.dismissed, action.advice]) };
    case 'restore':
      return { ...action.session, viewSettings: session.viewSettings, loopMode: session.loopMode, isRootLocked: session.isRootLocked };
    case 'close': {
      const { animationMode, isRootLocked, viewSettings, loopMode, imageAssignments, materialValues, boneMaps, attachments, partChoices } =
        session;
      const choices = { imageAssignments, materialValues, boneMaps, attachments, partChoices };
      return { ...emptySession, animationMode, isRootLocked, viewSettings, loopMode, ...choices };
    }
  }
}

/** Removes the overlay and the compared animation if their files are no longer open. */
function withOpenLayers(session: Session): Session {
  const { overlay, ghost, animationFiles } = session;
  const isOpen = (row: { source: OpenedFile } | null): boolean => row !== null && animationFiles.includes(row.source);
  return { ...session, overlay: isOpen(overlay) ? overlay : null, ghost: isOpen(ghost) ? ghost : null };
}

/**
 * Selects an added animation that matches the model. If there is none, keeps the selected animation
 * and lists the added files as incompatible.
 */
function join(
  session: Session,
  { shown, animationFiles, added, companionFiles, notices, demo, library }: Action & { type: 'join' },
): Session {
  const next = withOpenLayers({
    ...session,
    library,
    shown,
    animationFiles,
    companionFiles,
    notices,
    demo,
    incompatible: [],
    selected: -1,
  });
  if (!shown) return next;
  // An added animation starts even if it is so short that `firstRowOf` skips it.
  const isAdded = (row: AnimationRow): boolean => added.includes(row.source) && compatibilityIn(next, row.source)!.fits;
  const first = firstRowOf(next, added);
  const selected = first >= 0 ? first : rowsOf(next).findIndex(isAdded);
  if (selected >= 0) return { ...next, selected };
  return { ...next, incompatible: added, selected: rowWithSameClip(next, session) };
}
