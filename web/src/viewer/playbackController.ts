// Selects the animation that plays on the shown model, applies its interpretation mode, and
// cross-fades between animations.
import { batch } from '@preact/signals-core';
import { areHumanoids, isMapped, retargetAgain, retargetAnimations, shouldRetarget } from '../session/retargeting.ts';
import type { BoneMap } from '../rig/boneMap.ts';
import type { ClipEdits } from '../rig/clipEdits.ts';
import { editsIn, editsOf, isEditable, withEdits } from '../session/animationEdits.ts';
import { type ModelBoneMap, skeletonKey, withBoneMap } from '../session/boneMaps.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { Refusal } from '../session/problem.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { Model } from '../session/model.ts';
import { type AnimationMode, LayeredAction, overlayOf } from '../session/layeredAction.ts';
import type { editedSource } from '../session/editAnimation.ts';
import { compatibilityIn, isUnread, loadKeys, titleOf } from '../session/animationRows.ts';
import type { AnimationRow, OpenedFile } from '../session/openedFile.ts';
import { sentenceOf } from './sentences.ts';
import type { State } from './state.ts';
import { words } from './words/index.ts';

/** Duration of a cross-fade in seconds. */
const FADE_SECONDS = 0.25;

type EditedSource = typeof editedSource;

export class PlaybackController {
  readonly #state: State;
  #makeIdle: ((scene: RigScene) => Clip | null) | null = null;
  /** Applies edits to animations; null until the first animation is edited. */
  #editor: { editedSource: EditedSource } | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** Plays the animation of a row in the list; row −1 shows the bind pose. */
  select(row: number, play = true): void {
    const { dispatch, rows, session } = this.#state;
    batch(() => {
      dispatch({ type: 'select', row });
      this.playSelected(play);
    });
    const chosen = rows.value[row];
    if (chosen && shouldRetarget(session.value, chosen.source)) void this.#retarget(chosen, play);
  }

  /** Calls `use` when the keys of an animation are read. Reads them first if its file is read in parts. */
  withKeys(row: AnimationRow | null, use: () => void): void {
    if (!row || !isUnread(row)) return use();
    void this.#state.load(words.readingKeys, async opening => {
      await this.readKeys(row, opening);
      use();
    });
  }

  /** Reads the keys of an animation that are not read yet, and updates the report of its file. */
  async readKeys(row: AnimationRow, { signal }: OpeningContext): Promise<void> {
    if (!isUnread(row)) return;
    await loadKeys(row, signal);
    signal.throwIfAborted();
    this.#state.dispatch({ type: 'update-reports' });
  }

  /** Plays the animation with the title `name`, if there is one. */
  selectByTitle(name: string): void {
    const { rows, session } = this.#state;
    const row = rows.value.findIndex(each => titleOf(each) === name);
    if (row >= 0 && row !== session.value.selected) this.select(row);
  }

  /**
   * Retargets an animation to the shown model, if the model that it was made for is available.
   * Until the retargeted animation is ready, the original tracks animate the nodes with matching
   * names.
   */
  #retarget(row: AnimationRow, play: boolean): Promise<void> {
    const { source, indices } = row;
    return this.#state.load(words.retargeting, async opening => {
      await this.readKeys(row, opening);
      const retargeted = await retargetAnimations(this.#state.session.value, source, opening);
      opening.signal.throwIfAborted();
      if (retargeted) this.#replace(source, retargeted, indices, play);
    });
  }

  async retargetSelected(): Promise<void> {
    const { rows, session, playback } = this.#state;
    const row = rows.value[session.value.selected];
    if (!row || row.source.retargeted) return;
    const { isBoundByName: _, ...source } = row.source;
    await this.#state.load(words.retargeting, async opening => {
      await this.readKeys(row, opening);
      const retargeted = await retargetAnimations(session.value, source, opening, true);
      opening.signal.throwIfAborted();
      if (!retargeted) throw new Refusal({ code: 'failed', message: words.boneMap.noSkeleton });
      this.#replace(row.source, retargeted, row.indices, playback.playing);
    });
  }

  /** Replaces the bone map of the selected animation. The animation keeps playing with the new pairs. */
  async setBoneMap(pairs: BoneMap): Promise<void> {
    const { dispatch, rows, session } = this.#state;
    const { shown, boneMaps, selected } = session.value;
    const row = rows.value[selected];
    const retargeted = row?.source.retargeted;
    if (!shown || !row || !retargeted) return;
    const map = { path: shown.input.path, skeleton: skeletonKey(retargeted.from), pairs };
    const changed = withBoneMap(boneMaps, map);
    const replacement = await retargetAgain({ ...session.value, boneMaps: changed }, retargeted);
    if (rows.value[session.value.selected] !== row || session.value.boneMaps !== boneMaps) return;
    this.#state.remember(true);
    batch(() => {
      dispatch({ type: 'set-bone-maps', boneMaps: changed });
      dispatch({ type: 'replace', source: retargeted.original, replacement, indices: row.indices });
      this.replaySelected();
    });
  }

  /** Replaces all bone maps, and applies them to the selected animation. */
  async setAllBoneMaps(boneMaps: readonly ModelBoneMap[], opening: OpeningContext): Promise<void> {
    const { dispatch, session } = this.#state;
    dispatch({ type: 'set-bone-maps', boneMaps });
    await this.applyBoneMap(opening);
    if (session.value.selected >= 0) this.replaySelected();
  }

  /**
   * Retargets the selected animation if there is a bone map for it. If no animation is selected,
   * selects the first one that has a bone map, or that was made for a humanoid if the model is one.
   */
  async applyBoneMap(opening: OpeningContext): Promise<void> {
    const { rows, session, playback } = this.#state;
    const selected = rows.value[session.value.selected];
    const isWanted = ({ source }: AnimationRow): boolean =>
      isMapped(session.value, source) || (!selected && areHumanoids(session.value, source));
    const row = selected ?? rows.value.find(isWanted);
    if (!row || !isWanted(row) || !shouldRetarget(session.value, row.source)) return;
    await this.readKeys(row, opening);
    const retargeted = await retargetAnimations(session.value, row.source, opening);
    opening.signal.throwIfAborted();
    const isPlaying = selected ? playback.playing : !prefersReducedMotion();
    if (retargeted) this.#replace(row.source, retargeted, row.indices, isPlaying, false);
  }

  /** Plays the original animation instead of its retargeted version. */
  playUnretargeted(): void {
    const { rows, session, playback } = this.#state;
    const row = rows.value[session.value.selected];
    const retargeted = row?.source.retargeted;
    if (row && retargeted) this.#replace(row.source, { ...retargeted.original, isBoundByName: true }, row.indices, playback.playing);
  }

  /** Plays the current additive animation on top of the most likely base animation. */
  async playOnBase(): Promise<void> {
    const { dispatch, rows, session } = this.#state;
    const added = rows.value[session.value.selected];
    const { baseAnimationOf: baseOf } = await import('../session/baseAnimation.ts');
    const base = baseOf(session.value);
    if (!added || !base || rows.value[session.value.selected] !== added) return;
    batch(() => {
      this.select(rows.value.indexOf(base));
      dispatch({ type: 'set-overlay', overlay: overlayOf(added) });
    });
    this.#state.announce(words.addedTo(titleOf(base)));
  }

  /**
   * Swaps the current animation and the animation that it is compared with. Keeps the playback
   * time.
   */
  swap(): void {
    const { dispatch, rows, session, playback } = this.#state;
    const { ghost, selected } = session.value;
    const now = rows.value[selected];
    const other = rows.value.findIndex(({ source, indices }) => source === ghost?.source && String(indices) === String(ghost.indices));
    if (!now || other < 0) return;
    const { time, playing } = playback;
    batch(() => {
      this.select(other, playing);
      dispatch({ type: 'set-ghost', ghost: now });
    });
    playback.seek(Math.min(time, playback.duration));
  }

  /** `isStep`: true to add a step to the undo history. */
  #replace(source: OpenedFile, replacement: OpenedFile, indices: readonly number[], play: boolean, isStep = true): void {
    const { dispatch, advice, meanings } = this.#state;
    if (isStep) this.#state.remember();
    batch(() => {
      dispatch({ type: 'replace', source, replacement, indices });
      this.playSelected(play);
    });
    const [first] = advice.value;
    if (first?.code === 'retargeted') this.#state.announce(sentenceOf(first, meanings.value));
  }

  lockRoot(isLocked: boolean): void {
    this.#state.dispatch({ type: 'lock-root', isLocked });
    this.#state.viewport.view.cameraRig.isFollowing = !isLocked;
    this.replaySelected();
  }

  /** Plays the selected animation from its beginning. Shows the rest pose until its keys are read. */
  playSelected(play: boolean): void {
    const { shownModel, rows, session, viewport, played, poseVersion } = this.#state;
    const model = shownModel.value;
    const { selected, animationMode, isRootLocked } = session.value;
    const row = rows.value[selected];
    const isWaiting = row !== undefined && isUnread(row);
    if (model && isWaiting) this.withKeys(row, () => this.playSelected(play));
    const action = model && row ? (isWaiting ? null : this.#actionOf(model, row, animationMode, isRootLocked)) : model && this.#idle(model);
    if (model) viewport.play(action, play, play && !prefersReducedMotion() ? FADE_SECONDS : 0);
    played.value = action;
    poseVersion.value++;
  }

  /** Creates the action of a row with its edits. */
  #actionOf(model: Model, row: AnimationRow, animationMode: AnimationMode, isRootLocked: boolean): LayeredAction {
    const { animationEdits } = this.#state.session.value;
    const edits = editsIn(animationEdits, row.source);
    const { source, mode } =
      this.#editor && edits
        ? this.#editor.editedSource(row, model.file.scene!, edits, animationMode)
        : { source: row.source, mode: animationMode };
    return new LayeredAction(model, source, row.indices, mode, isRootLocked);
  }

  /** Replaces the edits of the selected animation, and keeps playing it at the same pose. */
  async editSelected(edits: ClipEdits): Promise<void> {
    const { dispatch, rows, session, playback } = this.#state;
    const row = rows.value[session.value.selected];
    this.#editor ??= await import('../session/editAnimation.ts');
    if (!isEditable(row) || rows.value[session.value.selected] !== row) return;
    const { animationEdits } = session.value;
    const before = editsOf(animationEdits, row);
    const { time, playing, range } = playback;
    const moved = (before.trim?.start ?? 0) - (edits.trim?.start ?? 0);
    this.#state.remember(true);
    batch(() => {
      dispatch({ type: 'set-animation-edits', animationEdits: withEdits(animationEdits, row, edits) });
      this.playSelected(playing);
    });
    playback.seek(time + moved);
    if (before.trim === edits.trim) playback.range = range;
    const name = titleOf(row);
    this.#state.announce(
      words.edit.changed(this.#state.isEdited.value ? words.edit.editedName(name) : name, words.clock(playback.duration)),
    );
  }

  /** Uses the edits of the selected animation, except its range, for all animations of the model. */
  editAll(): void {
    const { dispatch, rows, session } = this.#state;
    const { animationEdits, selected } = session.value;
    const row = rows.value[selected];
    const { trim: _, ...edits } = editsOf(animationEdits, row);
    const others = rows.value.filter(
      each => each !== row && isEditable(each) && (compatibilityIn(session.value, each.source)?.fits ?? false),
    );
    const edited = others.reduce(
      (all, each) => withEdits(all, each, { ...edits, trim: editsOf(animationEdits, each).trim }),
      animationEdits,
    );
    this.#state.remember(true);
    dispatch({ type: 'set-animation-edits', animationEdits: edited });
    this.#state.announce(words.edit.appliedToAll(others.length));
  }

  /** Returns a generated idle animation; null if the visitor has not turned it on. */
  #idle(model: Model): LayeredAction | null {
    const { input, file } = model;
    const clip = this.#state.session.value.viewSettings.idle ? this.#makeIdle?.(file.scene!) : null;
    return clip
      ? new LayeredAction(model, { input, file: { ...file, scene: { ...file.scene!, clips: [clip] } } }, [0], 'file', false)
      : null;
  }

  /**
   * Turns the idle animation on or off. The idle animation plays while no other animation is
   * selected.
   */
  async setIdle(on: boolean): Promise<void> {
    this.#makeIdle ??= (await import('../rig/idle.ts')).idle;
    const { dispatch, rows, session } = this.#state;
    dispatch({ type: 'set-view', settings: { idle: on } });
    if (!rows.value[session.value.selected]) this.playSelected(true);
  }

  /** Restarts the selected animation at the current time, after its interpretation has changed. */
  replaySelected(): void {
    const { playback } = this.#state;
    const { time, playing } = playback;
    this.playSelected(playing);
    playback.seek(time);
  }
}

/** Returns true if the visitor prefers reduced motion. */
export const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
