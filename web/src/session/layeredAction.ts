// Motions on a model: how well they suit it, and what plays: one, perhaps another on top, and the way from the one before.
import type { BindOptions } from '../core/bind.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import type { Clip } from '../core/types.ts';
import { maskOf } from '../rig/mask.ts';
import { BoneSampler } from './boneSampler.ts';
import { type Model, wholeCharacter } from './model.ts';
import { bindOptionsOf, isAddedToRest, ClipAction, type AnimationMode } from './clipAction.ts';
import type { OpenedFile } from './openedFile.ts';

export type { AnimationMode } from './clipAction.ts';

/** A motion over another one: added where it is made of differences, else mixed in. */
export interface OverlayLayer {
  source: OpenedFile;
  indices: readonly number[];
  /** 0 to 1. */
  weight: number;
  /** Only this bone and those below it; '': all of them. */
  rootBone: string;
}

/** A clip on a model, or several that play together, and what is put on top of them. */
export class LayeredAction extends ClipAction {
  readonly #clips: readonly Clip[];
  readonly #options: BindOptions;

  constructor(model: Model, { file }: OpenedFile, indices: readonly number[], reading: AnimationMode, lockRoot: boolean) {
    const clips = indices.map(index => file.scene!.clips[index]!);
    const rigs = wholeCharacter(model).map(({ rig }) => rig);
    super(rigs, clips, { reading, lockRoot, ...(clips.length > 1 && { title: AUTOPLAY_TITLE }) });
    this.#clips = clips;
    this.#options = bindOptionsOf(reading, lockRoot);
  }

  get hasOverlay(): boolean {
    return this.parts[0]!.top.length > 0;
  }

  /** Puts another motion on top, or takes it away. Returns whether it is added; else it is mixed in. */
  setOverlay(model: Model, top: OverlayLayer | null): boolean {
    const clips = top?.indices.map(index => top.source.file.scene!.clips[index]!) ?? [];
    const isAdded = clips.length > 0 && model.rig.bind(clips).motions.some(isAddedToRest);
    for (const part of this.parts) {
      const { rig, animator } = part.engine;
      const motions = clips.length > 0 ? rig.bind(clips, isAdded ? { additive: 'layer' } : {}).motions : [];
      const over = motions.map(motion => ({ motion, layer: animator.layer(motion) }));
      // A part may lack the bone: what it has of it then is none of what is below.
      const hasBone = top !== null && rig.file.scene!.nodes.names.includes(top.rootBone);
      for (const { layer } of over) {
        layer.weight = top!.weight;
        if (top!.rootBone)
          layer.mask = hasBone ? maskOf(animator.shape, { [top!.rootBone]: 1 }) : new Float32Array(animator.shape.scene.nodes.count);
      }
      this.replaceOverlay(part, over);
    }
    this.seek(this.time);
    return isAdded || clips.some(({ tracks }) => tracks.count > 0 && tracks.get(0)!.mode === 'additive');
  }

  /** The same motion, for those who ask where bones would be. */
  echo(model: Model): BoneSampler {
    return new BoneSampler(model, this.#clips, this.#options);
  }
}

/** What several motions are called that start by themselves. */
export const AUTOPLAY_TITLE = 'All that start by themselves';

/** How a file of motions suits a model. */
export interface Compatibility extends Match {
  /** It was made for this skeleton, or retargeted over to it: it may start unasked. So may the model's own motions, and those without curves. */
  fits: boolean;
  /** For sorting, the best first: how well it fits, whether it is called like the model, and whether it lies beside it. */
  rank: number;
}

export function compatibilityOf(model: OpenedFile, { given, file, retargeted }: OpenedFile): Compatibility {
  const clips = file.scene?.clips ?? [];
  const found = match(clips, model.file.scene!);
  const isOwn = given === model.given;
  const isFree = clips.every(({ tracks }) => tracks.count === 0);
  return {
    ...found,
    fits: isOwn || isFree || retargeted !== undefined || isMadeFor(found),
    rank: isOwn ? 1 : rank(found, model.given.path, given.path),
  };
}
