// An action with an overlay, and functions that determine how well animations match a model.
import type { BindByNameOptions } from '../core/bind.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import type { Clip } from '../core/types.ts';
import { maskOf } from '../rig/mask.ts';
import { BoneSampler } from './boneSampler.ts';
import { type Model, wholeCharacter } from './model.ts';
import { bindOptionsOf, isAddedToRest, ClipAction, type AnimationMode } from './clipAction.ts';
import type { AnimationRow, OpenedFile } from './openedFile.ts';

export type { AnimationMode } from './clipAction.ts';

/**
 * A second animation on top of the selected one. It is added if it is additive; otherwise, it is
 * blended.
 */
export interface OverlayLayer {
  source: OpenedFile;
  indices: readonly number[];
  /** Blend weight of the overlay, from 0 to 1. */
  weight: number;
  /** Bone to which the overlay is limited, together with its descendants; '' for all bones. */
  rootBone: string;
  /**
   * True to add the overlay, false to blend it; null to add it if it is detected as additive. An
   * overlay that the file declares as additive is always added.
   */
  isAdditive: boolean | null;
  /** Seconds during which the overlay fades in at the start of the animation, and out at its end. */
  fade: number;
}

/** Returns an overlay for all bones, without a fade. */
export const overlayOf = ({ source, indices }: AnimationRow): OverlayLayer => ({
  source,
  indices,
  weight: 1,
  rootBone: '',
  isAdditive: null,
  fade: 0,
});

/** Returns true if the file declares the first clip as additive. */
export const isDeclaredAdditive = ([clip]: readonly Clip[]): boolean =>
  clip !== undefined && clip.tracks.length > 0 && clip.tracks.get(0)!.mode === 'additive';

/** A clip action for a model with all its parts, with an optional overlay. */
export class LayeredAction extends ClipAction {
  readonly #clips: readonly Clip[];
  readonly #options: BindByNameOptions;
  #overlay: OverlayLayer | null = null;

  constructor(model: Model, { file }: OpenedFile, indices: readonly number[], animationMode: AnimationMode, lockRoot: boolean) {
    const clips = indices.map(index => file.scene!.clips[index]!);
    const rigs = wholeCharacter(model).map(({ rig }) => rig);
    super(rigs, clips, { animationMode, lockRoot, ...(clips.length > 1 && { title: AUTOPLAY_TITLE }) });
    this.#clips = clips;
    this.#options = bindOptionsOf(animationMode, lockRoot);
  }

  get hasOverlay(): boolean {
    return this.parts[0]!.overlay.length > 0;
  }

  /**
   * Sets the overlay; null removes it. Returns true if the overlay is additive, false if it is
   * blended.
   */
  setOverlay(model: Model, top: OverlayLayer | null): boolean {
    const clips = top?.indices.map(index => top.source.file.scene!.clips[index]!) ?? [];
    const isAdded = top?.isAdditive ?? (clips.length > 0 && model.rig.bind(clips).clips.some(isAddedToRest));
    this.#overlay = top;
    for (const part of this.parts) {
      const { rig, animator } = part.engine;
      const bound = clips.length > 0 ? rig.bind(clips, { additive: isAdded ? 'layer' : 'as-stated' }).clips : [];
      const overlay = bound.map(clip => ({ clip, layer: animator.layer(clip) }));
      // The mask is empty for a part that does not have this bone.
      const hasBone = top !== null && rig.file.scene!.nodes.names.includes(top.rootBone);
      for (const { layer } of overlay)
        if (top!.rootBone)
          layer.mask = hasBone ? maskOf(animator.shape.scene, { [top!.rootBone]: 1 }) : new Float32Array(animator.shape.scene.nodes.length);
      this.replaceOverlay(part, overlay);
    }
    this.seek(this.time);
    return isAdded || clips.some(clip => isDeclaredAdditive([clip]));
  }

  override seek(time: number, seconds?: number): void {
    const weight = this.#overlay ? this.#overlay.weight * this.#fadeAt(time, this.#overlay.fade) : 0;
    for (const { overlay } of this.parts) for (const { layer } of overlay) layer.weight = weight;
    super.seek(time, seconds);
  }

  /** Returns the share of the overlay's weight at `time`, from 0 to 1. Times are in seconds. */
  #fadeAt(time: number, fade: number): number {
    return fade > 0 ? Math.min(Math.max(Math.min(time - this.start, this.duration - time) / fade, 0), 1) : 1;
  }

  /** Returns a sampler for bone positions during this action. */
  createBoneSampler(model: Model): BoneSampler {
    return new BoneSampler(model, this.#clips, this.#options);
  }
}

/** Title of the row with the clips that the file plays automatically and together. */
export const AUTOPLAY_TITLE = 'All automatic animations';

/** Describes how well an animation file matches a model. */
export interface Compatibility extends Match {
  /**
   * True if the animations match the model, so that they can start automatically: the file was made
   * for this skeleton, was retargeted to it, is the model's own file, or has no curves.
   */
  fits: boolean;
  /**
   * Score for sorting; higher is better. It depends on the matching bones, the similarity of the
   * file names and the distance between the folders.
   */
  rank: number;
}

export function compatibilityOf(model: OpenedFile, { input, file, retargeted }: OpenedFile): Compatibility {
  const clips = file.scene?.clips ?? [];
  const found = match(clips, model.file.scene!);
  const isOwn = input === model.input;
  const isFree = clips.every(({ tracks }) => tracks.length === 0);
  return {
    ...found,
    fits: isOwn || isFree || retargeted !== undefined || isMadeFor(found),
    rank: isOwn ? 1 : rank(found, model.input.path, input.path),
  };
}
