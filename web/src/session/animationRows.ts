// The list of animations: the order of its rows, and the row that plays first when a model is
// shown.
import { ANY_SECONDS, firstClip, lengthOf as lengthOfClip, ownSet } from '../core/firstAnimation.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { initialClipIndices } from '../three/animation/initialClips.ts';
import { modelsIn } from './library.ts';
import type { LoopMode } from './viewSettings.ts';
import { type Compatibility, compatibilityOf, AUTOPLAY_TITLE } from './layeredAction.ts';
import type { Session } from './session.ts';
import type { AnimationRow, ShownModel, OpenedFile } from './openedFile.ts';

export const clipsOf = ({ source, indices }: AnimationRow): Clip[] => indices.map(index => source.file.scene!.clips[index]!);
export const titleOf = (row: AnimationRow): string => (row.indices.length === 1 ? clipsOf(row)[0]!.name : AUTOPLAY_TITLE);
/**
 * Returns true if the same animation is selected in both sessions, identified by file path and
 * title.
 */
export function isSameAnimation(a: Session, b: Session): boolean {
  const [one, other] = [rowsOf(a)[a.selected], rowsOf(b)[b.selected]];
  return one !== undefined && other !== undefined && one.source.input.path === other.source.input.path && titleOf(one) === titleOf(other);
}

/**
 * Reads the keys of a row's clips that are not read yet, because their file is read in parts.
 * Rejects in the same cases as `clip.tracks.load`.
 */
export async function loadKeys(row: AnimationRow, signal: AbortSignal): Promise<void> {
  await Promise.all(clipsOf(row).map(({ tracks }) => tracks.load?.(signal)));
}

/** Returns true if the keys of a row are not read yet. */
export const isUnread = (row: AnimationRow): boolean => clipsOf(row).some(({ keysUnread }) => keysUnread);

/** Returns the duration of a row's longest clip, from its first to its last key, in seconds. */
export const durationOf = (row: AnimationRow): number => Math.max(0, ...clipsOf(row).map(lengthOfClip));

/**
 * Returns true if playback loops. In the mode `file`, recordings always loop, because their files
 * cannot declare a loop mode.
 */
export const isLooped = (loopMode: LoopMode, clip: { loop: boolean } | null, isRecording: boolean): boolean =>
  loopMode === 'on' || (loopMode === 'file' && (isRecording || clip?.loop === true));

const compatibilities = new WeakMap<OpenedFile['file'], WeakMap<OpenedFile, Compatibility>>();

/** Returns how well an animation file matches the shown model; null if no model is shown. */
export function compatibilityIn({ shown }: Session, source: OpenedFile): Compatibility | null {
  if (!shown) return null;
  let known = compatibilities.get(shown.file);
  if (!known) compatibilities.set(shown.file, (known = new WeakMap()));
  let found = known.get(source);
  if (!found) known.set(source, (found = compatibilityOf(shown, source)));
  return found;
}

/**
 * Returns the animation files whose findings concern the shown model: those with bones of the model,
 * the file of the selected animation, and the files of the last drop. Returns all files if no model
 * is shown.
 */
export function relevantSources(session: Session): OpenedFile[] {
  const { shown, animationFiles, incompatible } = session;
  const selected = rowsOf(session)[session.selected]?.source;
  return animationFiles.filter(source => {
    const compatibility = compatibilityIn(session, source);
    if (!compatibility || source === selected || incompatible.includes(source)) return true;
    const isOwn = source.input === shown?.input || source.retargeted !== undefined;
    return isOwn || (compatibility.fits && compatibility.found > 0);
  });
}

const rows = new WeakMap<readonly OpenedFile[], { shown: ShownModel | null; rows: readonly AnimationRow[] }>();

/**
 * Returns the rows of all animations, starting with the files that match the model best. Files that
 * match equally well keep their order.
 */
export function rowsOf(session: Session): readonly AnimationRow[] {
  const { shown, animationFiles } = session;
  const known = rows.get(animationFiles);
  if (known?.shown === shown) return known.rows;
  const rankOf = (source: OpenedFile): number => compatibilityIn(session, source)?.rank ?? 0;
  const made = animationFiles
    .toSorted((a, b) => rankOf(b) - rankOf(a))
    .flatMap(source => {
      const all = (source.file.scene?.clips ?? []).map((_, index): AnimationRow => ({ source, indices: [index] }));
      const starting = source.input === shown?.input ? autoplayClipsOf(shown.file.scene) : [];
      return starting.length > 1 ? [{ source, indices: starting }, ...all] : all;
    });
  rows.set(animationFiles, { shown, rows: made });
  return made;
}

/**
 * Returns the poses in files that match the shown model: clips of a single key that the file
 * declares as differences to the rest pose. They can be added to all animations.
 */
export const posesOf = (session: Session): Clip[] =>
  rowsOf(session).flatMap(row =>
    compatibilityIn(session, row.source)?.fits ? clipsOf(row).filter(({ addsToRest, duration }) => addsToRest && duration === 0) : [],
  );

const autoplayClipsOf = (scene: RigScene | null): number[] => (scene ? initialClipIndices(scene) : []);

/**
 * Returns the row that starts when a model is shown: the clips that the file plays automatically,
 * otherwise the first clip of the model's own animation set; −1 if there is none.
 */
export function initialRow(session: Session): number {
  const { shown } = session;
  const starting = autoplayClipsOf(shown?.file.scene ?? null);
  const chosen = rowsOf(session).findIndex(
    row =>
      row.source.input === shown?.input &&
      starting.length > 0 &&
      starting.every(index => row.indices.includes(index)) &&
      durationOf(row) > 0,
  );
  return chosen >= 0 ? chosen : firstRowOf(session, session.animationFiles);
}

/** Returns the files that match the shown model, best match first. */
function compatibleOf(session: Session, animationFiles: readonly OpenedFile[]): { path: string; source: OpenedFile }[] {
  const all = new Set(rowsOf(session).map(({ source }) => source));
  return [...all]
    .filter(source => animationFiles.includes(source) && compatibilityIn(session, source)!.fits)
    .map(source => ({ path: source.input.path, source }));
}

/**
 * Returns the model's own animation set: the files that were made for the shown model (see `ownSet`
 * in core/firstAnimation.ts).
 */
function ownSetOf(session: Session, animationFiles: readonly OpenedFile[]): OpenedFile[] {
  const path = session.shown?.input.path ?? '';
  const others = modelsIn(session.library).flatMap(({ input }) => (input.path === path ? [] : input.path));
  return ownSet(path, compatibleOf(session, animationFiles), others).map(({ source }) => source);
}

/**
 * Returns the row of `animationFiles` to play first. It belongs to the model's own animation set
 * or, if there is none, to the set that matches best; −1 if there is no match.
 */
export function firstRowOf(session: Session, animationFiles: readonly OpenedFile[]): number {
  const own = ownSetOf(session, animationFiles);
  const set = own.length > 0 ? own : ownSet('', compatibleOf(session, animationFiles), []).map(({ source }) => source);
  const rows = rowsOf(session);
  const single = rows.filter(({ source, indices }) => set.includes(source) && indices.length === 1);
  const clips = single.map(row => clipsOf(row)[0]!);
  return rows.indexOf(single[firstClip(clips, session.shown?.hasNoSurface ? ANY_SECONDS : undefined)]!);
}

/**
 * Returns the row in the model's own animation set whose title is `name` (case-insensitive); −1 if
 * there is none.
 */
export function ownRowWithTitle(session: Session, name: string): number {
  const own = ownSetOf(session, session.animationFiles);
  return rowsOf(session).findIndex(row => own.includes(row.source) && titleOf(row).toLowerCase() === name.toLowerCase());
}

/**
 * Returns the row in `next` of the animation that is selected in `before`, identified by title and
 * file path; −1 if there is none.
 */
export function rowWithSameClip(next: Session, before: Session): number {
  const current = rowsOf(before)[before.selected];
  if (!current) return -1;
  return rowsOf(next).findIndex(row => titleOf(row) === titleOf(current) && row.source.input.path === current.source.input.path);
}

/**
 * Returns the row in `next` of the animation that is selected in `before`; −1 if the animation
 * cannot stay selected. If both sessions show the same model, the animation must match this model.
 * Otherwise, it must belong to the new model's own animation set.
 */
export function keptRow(before: Session, next: Session): number {
  const at = rowWithSameClip(next, before);
  const row = rowsOf(next)[at];
  const isSameModel = before.shown?.input.path === next.shown?.input.path;
  const isKept = row && (isSameModel ? compatibilityIn(next, row.source)!.fits : ownSetOf(next, next.animationFiles).includes(row.source));
  return isKept ? at : -1;
}
