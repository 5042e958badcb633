// Motions on a model: how well they suit it, and what plays: one, perhaps another on top, and the way from the one before.
import type { BindOptions } from '../core/bind.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import type { Clip } from '../core/types.ts';
import { maskOf } from '../rig/mask.ts';
import { Echo } from './echo.ts';
import { type Model, wholeOf } from './model.ts';
import { bindOptionsOf, isOnRest, Played, type Reading } from './played.ts';
import type { Source } from './source.ts';

export type { Reading } from './played.ts';

/** A motion over another one: added where it is made of differences, else mixed in. */
export interface OnTop {
  source: Source;
  indices: readonly number[];
  /** 0 to 1. */
  weight: number;
  /** Only this bone and those below it; '': all of them. */
  below: string;
}

/** A clip on a model, or several that play together, and what is put on top of them. */
export class PlayedMotion extends Played {
  readonly #clips: readonly Clip[];
  readonly #options: BindOptions;

  constructor(model: Model, { file }: Source, indices: readonly number[], reading: Reading, lockRoot: boolean) {
    const clips = indices.map(index => file.scene!.clips[index]!);
    const rigs = wholeOf(model).map(({ rig }) => rig);
    super(rigs, clips, { reading, lockRoot, ...(clips.length > 1 && { title: TOGETHER }) });
    this.#clips = clips;
    this.#options = bindOptionsOf(reading, lockRoot);
  }

  get hasTop(): boolean {
    return this.parts[0]!.top.length > 0;
  }

  /** Puts another motion on top, or takes it away. Returns whether it is added; else it is mixed in. */
  putOnTop(model: Model, top: OnTop | null): boolean {
    const clips = top?.indices.map(index => top.source.file.scene!.clips[index]!) ?? [];
    const isAdded = clips.length > 0 && model.rig.bind(clips).motions.some(isOnRest);
    for (const part of this.parts) {
      const { rig, animator } = part.engine;
      const motions = clips.length > 0 ? rig.bind(clips, isAdded ? { additive: 'layer' } : {}).motions : [];
      const over = motions.map(motion => ({ motion, layer: animator.layer(motion) }));
      // A part may lack the bone: what it has of it then is none of what is below.
      const hasBone = top !== null && rig.file.scene!.nodes.names.includes(top.below);
      for (const { layer } of over) {
        layer.weight = top!.weight;
        if (top!.below)
          layer.mask = hasBone ? maskOf(animator.shape, { [top!.below]: 1 }) : new Float32Array(animator.shape.scene.nodes.count);
      }
      this.putOver(part, over);
    }
    this.seek(this.time);
    return isAdded || clips.some(({ tracks }) => tracks.count > 0 && tracks.get(0)!.mode === 'additive');
  }

  /** The same motion, for those who ask where bones would be. */
  echo(model: Model): Echo {
    return new Echo(model, this.#clips, this.#options);
  }
}

/** What several motions are called that start by themselves. */
export const TOGETHER = 'All that start by themselves';

/** How a file of motions suits a model. */
export interface Suit extends Match {
  /** It was made for this skeleton, or carried over to it: it may start unasked. So may the model's own motions, and those without curves. */
  fits: boolean;
  /** For sorting, the best first: how well it fits, whether it is called like the model, and whether it lies beside it. */
  rank: number;
}

export function suitOf(model: Source, { given, file, carried }: Source): Suit {
  const clips = file.scene?.clips ?? [];
  const found = match(clips, model.file.scene!);
  const isOwn = given === model.given;
  const isFree = clips.every(({ tracks }) => tracks.count === 0);
  return {
    ...found,
    fits: isOwn || isFree || carried !== undefined || isMadeFor(found),
    rank: isOwn ? 1 : rank(found, model.given.path, given.path),
  };
}
