// Motions on a model: how they are read, how well they suit it, and what plays: one, perhaps another on top, and the way from the one before.
import type { BindOptions } from '../core/bind.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import type { Clip, ClipEvent, Finding } from '../core/types.ts';
import { Fade } from '../rig/fade.ts';
import type { Layer } from '../rig/layer.ts';
import { maskOf } from '../rig/mask.ts';
import { commonDuration, type Motion, type Rig, type RigAnimator, timeIn } from '../three/index.ts';
import { Echo } from './echo.ts';
import { type Model, wholeOf } from './model.ts';
import type { Source } from './source.ts';

/**
 * How motions are read. auto: as the file says, but one that looks additive is added to the rest pose, as no body stands it otherwise.
 * everything: whatever a .config leaves out.
 */
export type Reading = 'auto' | 'file' | 'everything' | 'rotation-only' | 'additive';

const has = (findings: readonly Finding[], wanted: string): boolean => findings.some(({ code }) => code === wanted);

/** What plays on one rig. It outlives motions, so that one can go over into the next. */
interface Engine {
  rig: Rig;
  animator: RigAnimator;
  fade: Fade;
  /** Whose layers are on it. */
  owner: PlayedMotion | null;
}

const engines = new WeakMap<Rig, Engine>();

function engineOf(rig: Rig): Engine {
  let engine = engines.get(rig);
  if (!engine) {
    engine = { rig, animator: rig.animate(), fade: new Fade(), owner: null };
    engine.animator.add(engine.fade);
    engines.set(rig, engine);
  }
  return engine;
}

/** A motion over another one: added where it is made of differences, else mixed in. */
export interface OnTop {
  source: Source;
  indices: readonly number[];
  /** 0 to 1. */
  weight: number;
  /** Only this bone and those below it; '': all of them. */
  below: string;
}

/** Motions of one rig, as layers of its engine once they play. */
interface Part {
  engine: Engine;
  motions: readonly Motion[];
  layers: Layer[] | null;
  top: readonly Motion[];
  topLayers: Layer[];
}

/** A clip on the model, or several that play together; made when it is first played. */
export class PlayedMotion {
  readonly name: string;
  readonly duration: number;
  readonly frameRate: number;
  readonly loop: boolean;
  readonly pingPong: boolean;
  readonly events: readonly ClipEvent[];
  readonly findings: Finding[];
  /** Played on top of the rest pose although the file does not say so. */
  readonly isAdded: boolean;
  #parts: Part[];
  #time = 0;
  #clips: readonly Clip[];
  #lockRoot: boolean;

  constructor(model: Model, { file }: Source, indices: readonly number[], reading: Reading, lockRoot: boolean) {
    const clips = indices.map(index => file.scene!.clips[index]!);
    this.#clips = clips;
    this.#lockRoot = lockRoot;
    const base: BindOptions = { lockRoot, motion: reading === 'rotation-only' ? 'rotation-only' : 'file' };
    const plain = model.rig.bind(clips, base);
    const { findings } = plain.report;
    this.isAdded = reading === 'additive' || (reading === 'auto' && has(findings, 'LOOKS_ADDITIVE'));
    const options: BindOptions = this.isAdded ? { ...base, additive: 'rest' } : base;
    // All parts of a character move as one.
    this.#parts = wholeOf(model).map(({ rig }) => ({
      engine: engineOf(rig),
      motions: rig === model.rig && !this.isAdded ? plain.motions : rig.bind(clips, options).motions,
      layers: null,
      top: [],
      topLayers: [],
    }));
    const { motions } = this.#parts[0]!;
    const only = motions.length === 1 ? motions[0] : undefined;
    this.name = only?.name ?? TOGETHER;
    this.duration = only?.duration ?? commonDuration(motions);
    this.frameRate = only?.frameRate ?? 0;
    this.loop = motions.every(({ loop }) => loop);
    this.pingPong = only?.pingPong ?? false;
    this.events = clips.flatMap(({ events }) => events).toSorted((a, b) => a.time - b.time);
    this.findings = findings;
  }

  /** The motion on the model itself, not on the parts that stand with it. */
  get motions(): readonly Motion[] {
    return this.#parts[0]!.motions;
  }

  /** A jump is exact: what faded has done so. */
  seek(time: number, seconds = 0): void {
    this.#time = time;
    for (const part of this.#parts) {
      const { engine, motions, top } = part;
      const { animator, fade } = engine;
      if (seconds === 0) fade.stop();
      else fade.advance(seconds);
      this.#take(part);
      for (const [i, layer] of part.layers!.entries()) layer.time = motions.length === 1 ? time : timeIn(motions[i]!, time);
      for (const [i, layer] of part.topLayers.entries()) layer.time = timeIn(top[i]!, time);
      animator.apply();
    }
  }

  /** Something of the motion before is still to be seen: seek on, also where time stands still. */
  get isFading(): boolean {
    return this.#parts.some(({ engine }) => engine.fade.isOn);
  }

  /** What stands now goes over into this motion within some seconds, once the way back is called: until then it is seen as it is. */
  fadeIn(seconds: number): () => void {
    const resumes = this.#parts.flatMap(({ engine: { fade, animator, owner } }) => {
      if (!owner) return [];
      fade.start(animator.pose, seconds);
      return [fade.pause()];
    });
    return () => {
      for (const resume of resumes) resume();
      for (const { engine } of this.#parts) engine.animator.apply();
    };
  }

  get hasTop(): boolean {
    return this.#parts[0]!.topLayers.length > 0;
  }

  /** Puts another motion on top, or takes it away. Returns whether it is added; else it is mixed in. */
  putOnTop(model: Model, top: OnTop | null): boolean {
    const clips = top?.indices.map(index => top.source.file.scene!.clips[index]!) ?? [];
    const isAdded = clips.length > 0 && has(model.rig.bind(clips).report.findings, 'LOOKS_ADDITIVE');
    for (const part of this.#parts) {
      const { rig, animator } = part.engine;
      this.#take(part);
      animator.layers.length = part.layers!.length;
      part.top = clips.length > 0 ? rig.bind(clips, isAdded ? { additive: 'layer' } : {}).motions : [];
      part.topLayers = part.top.map(motion => animator.layer(motion));
      // A part may lack the bone: what it has of it then is none of what is below.
      const hasBone = top !== null && rig.file.scene!.nodes.names.includes(top.below);
      for (const layer of part.topLayers) {
        layer.weight = top!.weight;
        if (top!.below)
          layer.mask = hasBone ? maskOf(animator.shape, { [top!.below]: 1 }) : new Float32Array(animator.shape.scene.nodes.count);
      }
      animator.layers.push(...part.topLayers);
    }
    this.seek(this.#time);
    return isAdded || clips.some(({ tracks }) => tracks.count > 0 && tracks.get(0)!.mode === 'additive');
  }

  /** The same motion, for those who ask where bones would be. */
  echo(model: Model): Echo {
    return new Echo(model, this.#clips, this.#lockRoot);
  }

  stop(): void {
    for (const { engine } of this.#parts) {
      if (engine.owner !== this) continue;
      engine.owner = null;
      engine.animator.stop();
    }
  }

  /** Its layers are on the engine from now on. */
  #take(part: Part): void {
    const { engine, motions } = part;
    const { animator } = engine;
    if (engine.owner === this) return;
    engine.owner = this;
    part.layers ??= motions.map(motion => animator.layer(motion));
    animator.layers.splice(0, Infinity, ...part.layers, ...part.topLayers);
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
