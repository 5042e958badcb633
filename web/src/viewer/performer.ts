// What plays: the motion of the list that is on the model, how it is read, and how one goes over into the next.
import { batch } from '@preact/signals-core';
import { retargetAnimations, shouldRetarget } from '../session/retargeting.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { Model } from '../session/model.ts';
import { LayeredAction } from '../session/layeredAction.ts';
import { titleOf } from '../session/animationRows.ts';
import type { AnimationRow, OpenedFile } from '../session/openedFile.ts';
import { sentenceOf } from './say.ts';
import type { State } from './state.ts';
import { words } from './words/index.ts';

/** Seconds in which one motion goes over into the next. */
const FADE = 0.25;

export class Performer {
  readonly #state: State;
  #makeIdle: ((scene: RigScene) => Clip | null) | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** A row of the list; −1: the rest pose. */
  select(row: number, play = true): void {
    const { dispatch, rows, session } = this.#state;
    batch(() => {
      dispatch({ type: 'select', row });
      this.perform(play);
    });
    const chosen = rows.value[row];
    if (chosen && shouldRetarget(session.value, chosen.source)) void this.#carry(chosen, play);
  }

  /** The motion of that name, where there is one. */
  selectCalled(name: string): void {
    const { rows, session } = this.#state;
    const row = rows.value.findIndex(each => titleOf(each) === name);
    if (row >= 0 && row !== session.value.selected) this.select(row);
  }

  /** What was made for another model comes over from it, where that is at hand; until then, and else, it moves what it finds. */
  #carry({ source, indices }: AnimationRow, play: boolean): Promise<void> {
    return this.#state.load(words.carrying, async opening => {
      const carried = await retargetAnimations(this.#state.session.value, source, opening);
      opening.signal.throwIfAborted();
      if (carried) this.#replace(source, carried, indices, play);
    });
  }

  /** The motion that was carried over plays as its file has it. */
  playAsIs(): void {
    const { rows, session, playback } = this.#state;
    const row = rows.value[session.value.selected];
    const carried = row?.source.retargeted;
    if (row && carried) this.#replace(row.source, { ...carried.original, isBoundByName: true }, row.indices, playback.playing);
  }

  /** The additive motion that plays goes on top of the one that it was most likely made for. */
  async playOnBase(): Promise<void> {
    const { dispatch, rows, session } = this.#state;
    const added = rows.value[session.value.selected];
    const { baseAnimationOf: baseOf } = await import('../session/baseAnimation.ts');
    const base = baseOf(session.value);
    if (!added || !base || rows.value[session.value.selected] !== added) return;
    batch(() => {
      this.select(rows.value.indexOf(base));
      dispatch({ type: 'set-overlay', overlay: { ...added, weight: 1, rootBone: '' } });
    });
    this.#state.announce(words.addedTo(titleOf(base)));
  }

  /** What plays and the motion that it is compared with change places, at the same time of both. */
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

  #replace(source: OpenedFile, replacement: OpenedFile, indices: readonly number[], play: boolean): void {
    const { dispatch, advice, meanings } = this.#state;
    this.#state.remember();
    batch(() => {
      dispatch({ type: 'replace', source, replacement, indices });
      this.perform(play);
    });
    const [first] = advice.value;
    if (first?.code === 'carried') this.#state.announce(sentenceOf(first, meanings.value));
  }

  lockRoot(isLocked: boolean): void {
    this.#state.dispatch({ type: 'lock-root', isLocked });
    this.#state.scenery.view.cameraRig.isFollowing = !isLocked;
    this.performAgain();
  }

  /** Puts the selected motion on the model, from its beginning. */
  perform(play: boolean): void {
    const { actor, rows, session, scenery, played, moved } = this.#state;
    const model = actor.value;
    const { selected, animationMode, isRootLocked } = session.value;
    const row = rows.value[selected];
    const motion =
      model && row ? new LayeredAction(model, row.source, row.indices, animationMode, isRootLocked) : model && this.#idle(model);
    if (model) scenery.play(motion, play, play && !isStill() ? FADE : 0);
    played.value = motion;
    moved.value++;
  }

  /** What a body does while no motion plays, where somebody wants that. */
  #idle(model: Model): LayeredAction | null {
    const { given, file } = model;
    const clip = this.#state.session.value.viewSettings.idle ? this.#makeIdle?.(file.scene!) : null;
    return clip
      ? new LayeredAction(model, { given, file: { ...file, scene: { ...file.scene!, clips: [clip] } } }, [0], 'file', false)
      : null;
  }

  /** A body that has no motion stands and breathes from now on, or no more. */
  async setIdle(on: boolean): Promise<void> {
    this.#makeIdle ??= (await import('../rig/idle.ts')).idle;
    const { dispatch, rows, session } = this.#state;
    dispatch({ type: 'set-view', settings: { idle: on } });
    if (!rows.value[session.value.selected]) this.perform(true);
  }

  /** The same motion at the same time, as it is read or moved otherwise now. */
  performAgain(): void {
    const { playback } = this.#state;
    const { time, playing } = playback;
    this.perform(playing);
    playback.seek(time);
  }
}

/** The visitor wants less movement. */
export const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
