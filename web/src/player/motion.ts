// Motions on a model: how they are read, how well they suit it, and one that plays.
import type { BindOptions } from '../core/bind.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import type { Finding } from '../core/types.ts';
import { commonDuration, type Motion, type Rig, type RigAnimator, timeIn } from '../three/index.ts';
import { type Model, wholeOf } from './model.ts';
import type { Source } from './source.ts';

/**
 * How motions are read. auto: as the file says, but one that looks additive is added to the rest pose, as no body stands it otherwise.
 * everything: whatever a .config leaves out.
 */
export type Reading = 'auto' | 'file' | 'everything' | 'rotation-only' | 'additive';

const looksAdditive = (findings: readonly Finding[]): boolean => findings.some(({ code }) => code === 'LOOKS_ADDITIVE');

/** A clip on the model, or several that play together; made when it is first played. */
export class PlayedMotion {
  readonly name: string;
  readonly duration: number;
  readonly frameRate: number;
  readonly pingPong: boolean;
  readonly findings: Finding[];
  /** Played on top of the rest pose although the file does not say so. */
  readonly isAdded: boolean;
  #actors: { rig: Rig; motions: Motion[]; animator: RigAnimator | null }[];

  constructor(model: Model, { file }: Source, indices: readonly number[], reading: Reading, lockRoot: boolean) {
    const clips = indices.map(index => file.scene!.clips[index]!);
    const base: BindOptions = { lockRoot, motion: reading === 'rotation-only' ? 'rotation-only' : 'file' };
    const plain = model.rig.bind(clips, base);
    const { findings } = plain.report;
    this.isAdded = reading === 'additive' || (reading === 'auto' && looksAdditive(findings));
    const options: BindOptions = this.isAdded ? { ...base, additive: 'rest' } : base;
    // All parts of a character move as one.
    this.#actors = wholeOf(model).map(({ rig }) => ({
      rig,
      motions: rig === model.rig && !this.isAdded ? plain.motions : rig.bind(clips, options).motions,
      animator: null,
    }));
    const { motions } = this.#actors[0]!;
    const only = motions.length === 1 ? motions[0] : undefined;
    this.name = only?.name ?? TOGETHER;
    this.duration = only?.duration ?? commonDuration(motions);
    this.frameRate = only?.frameRate ?? 0;
    this.pingPong = only?.pingPong ?? false;
    this.findings = findings;
  }

  seek(time: number): void {
    for (const actor of this.#actors) {
      const { rig, motions } = actor;
      const animator = (actor.animator ??= rig.animate());
      if (animator.layers.length === 0) for (const motion of motions) animator.layers.push(animator.layer(motion));
      for (const [i, layer] of animator.layers.entries()) layer.time = motions.length === 1 ? time : timeIn(motions[i]!, time);
      animator.apply();
    }
  }

  stop(): void {
    for (const actor of this.#actors) {
      actor.animator?.stop();
      actor.animator = null;
    }
  }
}

/** What several motions are called that start by themselves. */
export const TOGETHER = 'All that start by themselves';

/** How a file of motions suits a model. */
export interface Suit extends Match {
  /** It was made for this skeleton: it may start unasked. So may the model's own motions, and those without curves. */
  fits: boolean;
  /** For sorting, the best first: how well it fits, whether it is called like the model, and whether it lies beside it. */
  rank: number;
}

export function suitOf(model: Source, { given, file }: Source): Suit {
  const clips = file.scene?.clips ?? [];
  const found = match(clips, model.file.scene!);
  const isOwn = given === model.given;
  const isFree = clips.every(({ tracks }) => tracks.count === 0);
  return { ...found, fits: isOwn || isFree || isMadeFor(found), rank: isOwn ? 1 : rank(found, model.given.path, given.path) };
}
