// What plays on rigs: clips as layers of their engines, and the way from what played before.
import type { BindOptions } from '../core/bind.ts';
import type { Clip, ClipEvent, Finding } from '../core/types.ts';
import { Fade } from '../rig/fade.ts';
import type { Layer } from '../rig/layer.ts';
import type { RigAnimator } from '../three/animation/apply.ts';
import type { Motion } from '../three/animation/clips.ts';
import type { Rig } from '../three/rig.ts';
import { bindLayers } from '../three/animation/layering.ts';
import { commonDuration, timeIn } from '../three/animation/starting.ts';

/**
 * How motions are read. auto: as the file says, but one that looks additive is added to the rest pose, as no body stands it otherwise.
 * everything: whatever a .config leaves out.
 */
export type AnimationMode = 'auto' | 'file' | 'everything' | 'rotation-only' | 'additive';

/** True if the absolute keys of a clip are added to the rest pose. */
export const isAddedToRest = ({ bound }: Motion): boolean => bound?.additive.base === 'rest';

/** How `bind` reads clips. */
export const bindOptionsOf = (reading: AnimationMode, lockRoot: boolean): BindOptions => ({
  lockRoot,
  motion: reading === 'rotation-only' ? 'rotation-only' : 'file',
  additive: reading === 'auto' ? 'detect' : reading === 'additive' ? 'rest' : 'as-stated',
});

/** The rest pose of rigs on which nothing plays: what follows and reaches does so in it as well. */
export function restPose(rigs: readonly Rig[]): void {
  if (rigs.some(({ rigging }) => rigging)) new ClipAction(rigs, []).seek(0);
}

/** What plays on one rig. It outlives motions, so that one can go over into the next. */
interface Engine {
  readonly rig: Rig;
  readonly animator: RigAnimator;
  readonly fade: Fade;
  /** Whose layers are on it. */
  owner: ClipAction | null;
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

interface Playing {
  readonly motion: Motion;
  readonly layer: Layer;
}

/** Motions of one rig, as layers of its engine once they play. */
interface Part {
  readonly engine: Engine;
  readonly motions: readonly Motion[];
  playing: readonly Playing[] | null;
  /** Over them. */
  top: readonly Playing[];
  /** Both, from below to the top, while they are on the engine. */
  all: readonly Playing[];
}

export interface ClipActionOptions {
  /** Default: auto. */
  reading?: AnimationMode;
  lockRoot?: boolean;
  /** What the clips are called; default: as their files say. */
  names?: readonly string[];
  /** What they are called together; default: all of their names. */
  title?: string;
}

/** A clip on a body and what stands with it, or several that play together; none: the rest pose. Layers are made when it is first played. */
export class ClipAction {
  readonly name: string;
  readonly names: readonly string[];
  /** Seconds; of several until they begin together anew. */
  readonly duration: number;
  /** Of the first key, seconds; 0 of several. */
  readonly start: number;
  /** 0 where there are no frames, or several kinds of them. */
  readonly frameRate: number;
  readonly loop: boolean;
  readonly pingPong: boolean;
  readonly events: readonly (ClipEvent & { readonly motion: string })[];
  /** ClipAction on top of the rest pose although the file does not say so. */
  readonly isTreatedAsAdditive: boolean;
  protected readonly parts: readonly Part[];
  #time = 0;
  readonly #findings: () => Finding[];

  /** All rigs move as one; the first of them is asked what its motions are. */
  constructor(rigs: readonly Rig[], clips: readonly Clip[], { reading = 'auto', lockRoot = false, names, title }: ClipActionOptions = {}) {
    const options = bindOptionsOf(reading, lockRoot);
    const lead = bindLayers(rigs[0]!, clips, options);
    const bases = lead.motions.map(({ bound }) => bound?.additive.base ?? 'no');
    // Parts follow the lead, whatever the keys look like on the few bones of a part.
    const onPart = (rig: Rig): Motion[] =>
      clips.map((clip, i) => rig.bind(clip, { ...options, additive: bases[i] === 'no' ? 'as-stated' : bases[i] }).motions[0]!);
    this.parts = rigs.map((rig, i) => ({
      engine: engineOf(rig),
      motions: i === 0 ? lead.motions : onPart(rig),
      playing: null,
      top: [],
      all: [],
    }));
    const { motions } = this;
    const [first] = motions;
    const only = motions.length === 1 ? first : undefined;
    this.names = names ?? clips.map(({ name }) => name);
    this.name = title ?? this.names.join(' + ');
    this.duration = only?.duration ?? commonDuration(motions);
    this.start = only?.start ?? 0;
    this.frameRate = first && motions.every(({ frameRate }) => frameRate === first.frameRate) ? first.frameRate : 0;
    this.loop = motions.every(({ loop }) => loop);
    this.pingPong = only?.pingPong ?? false;
    this.events = clips
      .flatMap(({ events }, i) => events.map(event => ({ ...event, motion: this.names[i]! })))
      .toSorted((a, b) => a.time - b.time);
    this.isTreatedAsAdditive = bases.some(base => base !== 'no');
    this.#findings = lead.findings;
  }

  /** The motions on the first rig. */
  get motions(): readonly Motion[] {
    return this.parts[0]!.motions;
  }

  /** What was found as they are in their files. */
  get findings(): Finding[] {
    return this.#findings();
  }

  /** Where it is, seconds. */
  get time(): number {
    return this.#time;
  }

  /** `seconds` have passed on the way there. A jump, without them, is exact: what faded has done so. */
  seek(time: number, seconds?: number): void {
    this.#time = time;
    for (const part of this.parts) {
      const { animator, fade } = part.engine;
      if (seconds === undefined) fade.stop();
      else fade.advance(seconds);
      this.#take(part);
      // The last frame of a loop can be seen where it plays alone.
      const only = part.motions.length === 1 ? part.motions[0] : undefined;
      for (const { motion, layer } of part.all) layer.time = motion === only ? time : timeIn(motion, time);
      if (animator.layers.length > 0 || fade.isOn || part.engine.rig.rigging) animator.apply();
      else animator.stop();
    }
  }

  /** Something of the motion before is still to be seen: seek on, also where time stands still. */
  get isFading(): boolean {
    return this.parts.some(({ engine }) => engine.fade.isOn);
  }

  /** What stands now goes over into this motion within some seconds, once the way back is called: until then it is seen as it is. */
  prepareCrossFade(seconds: number): () => void {
    const resumes = this.parts.flatMap(({ engine: { fade, animator, owner } }) => {
      if (!owner) return [];
      fade.start(animator.pose, seconds);
      return [fade.pause()];
    });
    return () => {
      for (const resume of resumes) resume();
      for (const { engine } of this.parts) engine.animator.apply();
    };
  }

  stop(): void {
    for (const { engine } of this.parts) {
      if (engine.owner !== this) continue;
      engine.owner = null;
      engine.fade.stop();
      engine.animator.stop();
    }
  }

  /** The layers over the others are other ones now. */
  protected replaceOverlay(part: Part, top: readonly Playing[]): void {
    part.top = top;
    part.engine.owner = null;
    this.#take(part);
  }

  /** Its layers are on the engine from now on. */
  #take(part: Part): void {
    const { engine, motions } = part;
    const { animator } = engine;
    if (engine.owner === this) return;
    engine.owner = this;
    part.playing ??= motions.map(motion => ({ motion, layer: animator.layer(motion) }));
    part.all = [...part.playing, ...part.top];
    animator.layers.splice(0, Infinity, ...part.all.map(({ layer }) => layer));
  }
}
