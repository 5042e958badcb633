// Plays clips on rigs, as layers of one animator per rig, with cross-fades.
import type { BindOptions } from '../core/bind.ts';
import type { Clip, ClipEvent, Finding } from '../core/types.ts';
import { Fade } from '../rig/fade.ts';
import type { Layer } from '../rig/layer.ts';
import type { RigAnimator } from '../three/animation/apply.ts';
import type { RigClip } from '../three/animation/rigClip.ts';
import type { Rig } from '../three/rig.ts';
import { bindLayers } from '../three/animation/layering.ts';
import { clipTime, commonDuration } from '../three/animation/clipTiming.ts';

/**
 * Interpretation of clips. `auto` follows the file and adds clips that are detected as additive to
 * the rest pose. `everything` ignores the exclusions of a .config.
 */
export type AnimationMode = 'auto' | 'file' | 'everything' | 'rotation-only' | 'additive';

/** True if the absolute keys of a clip are added to the rest pose. */
export const isAddedToRest = ({ bound }: RigClip): boolean => bound?.additive.base === 'rest';

/** Returns the options for `Rig.bind`. */
export const bindOptionsOf = (animationMode: AnimationMode, lockRoot: boolean): BindOptions => ({
  lockRoot,
  motion: animationMode === 'rotation-only' ? 'rotation-only' : 'file',
  additive: animationMode === 'auto' ? 'detect' : animationMode === 'additive' ? 'rest' : 'as-stated',
});

/** Applies the rest pose to rigs without an action, with constraints and IK solved. */
export function restPose(rigs: readonly Rig[]): void {
  if (rigs.some(({ rigging }) => rigging)) new ClipAction(rigs, []).seek(0);
}

/** The animator of one rig. All actions of the rig share it, so that they can cross-fade. */
interface Engine {
  readonly rig: Rig;
  readonly animator: RigAnimator;
  readonly fade: Fade;
  /** The action whose layers are on the animator. */
  owner: ClipAction | null;
}

const engines = new WeakMap<Rig, Engine>();

function engineOf(rig: Rig): Engine {
  let engine = engines.get(rig);
  if (!engine) {
    engine = { rig, animator: rig.createAnimator(), fade: new Fade(), owner: null };
    engine.animator.add(engine.fade);
    engines.set(rig, engine);
  }
  return engine;
}

interface PlayingClip {
  readonly motion: RigClip;
  readonly layer: Layer;
}

/** The bound clips of one rig. They become layers when the action first plays. */
interface RigAction {
  readonly engine: Engine;
  readonly motions: readonly RigClip[];
  playing: readonly PlayingClip[] | null;
  /** Overlay layers. */
  overlay: readonly PlayingClip[];
  /** All layers on the animator, bottom to top. */
  layers: readonly PlayingClip[];
}

export interface ClipActionOptions {
  /** Default: auto. */
  reading?: AnimationMode;
  lockRoot?: boolean;
  /** Display names of the clips; default: their names in the file. */
  names?: readonly string[];
  /** Display name of the action; default: the joined names. */
  title?: string;
}

/**
 * Plays one or several clips at once on all rigs of a character. An action without clips shows the
 * rest pose.
 */
export class ClipAction {
  readonly name: string;
  readonly names: readonly string[];
  /** Seconds. For several clips: the time until all of them loop together. */
  readonly duration: number;
  /** Time of the first key, seconds; 0 for several clips. */
  readonly start: number;
  /** Frames per second; 0 if the clips have none, or different ones. */
  readonly frameRate: number;
  readonly loop: boolean;
  readonly pingPong: boolean;
  readonly events: readonly (ClipEvent & { readonly clip: string })[];
  /**
   * True if a clip is detected as additive and plays on the rest pose, although the file doesn't
   * declare it.
   */
  readonly isTreatedAsAdditive: boolean;
  protected readonly parts: readonly RigAction[];
  #time = 0;
  readonly #findings: () => Finding[];

  /**
   * `rigs` are the parts of one character, the lead first. The lead decides how clips are bound.
   */
  constructor(rigs: readonly Rig[], clips: readonly Clip[], { reading = 'auto', lockRoot = false, names, title }: ClipActionOptions = {}) {
    const options = bindOptionsOf(reading, lockRoot);
    const lead = bindLayers(rigs[0]!, clips, options);
    const bases = lead.clips.map(({ bound }) => bound?.additive.base ?? 'no');
    // Additive detection would be unreliable on the few bones of a part.
    const onPart = (rig: Rig): RigClip[] =>
      clips.map((clip, i) => rig.bind(clip, { ...options, additive: bases[i] === 'no' ? 'as-stated' : bases[i] }).clips[0]!);
    this.parts = rigs.map((rig, i) => ({
      engine: engineOf(rig),
      motions: i === 0 ? lead.clips : onPart(rig),
      playing: null,
      overlay: [],
      layers: [],
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
      .flatMap(({ events }, i) => events.map(event => ({ ...event, clip: this.names[i]! })))
      .toSorted((a, b) => a.time - b.time);
    this.isTreatedAsAdditive = bases.some(base => base !== 'no');
    this.#findings = lead.findings;
  }

  /** The bound clips of the lead rig. */
  get motions(): readonly RigClip[] {
    return this.parts[0]!.motions;
  }

  /** Findings of binding the clips to the lead rig. */
  get findings(): Finding[] {
    return this.#findings();
  }

  /** Current time, seconds. */
  get time(): number {
    return this.#time;
  }

  /**
   * Poses the rigs at `time` (seconds) and advances a cross-fade by `seconds`. Without `seconds` it
   * ends the cross-fade.
   */
  seek(time: number, seconds?: number): void {
    this.#time = time;
    for (const part of this.parts) {
      const { animator, fade } = part.engine;
      if (seconds === undefined) fade.stop();
      else fade.advance(seconds);
      this.#attachLayers(part);
      // A single clip shows its last frame; several clips wrap around.
      const only = part.motions.length === 1 ? part.motions[0] : undefined;
      for (const { motion, layer } of part.layers) layer.time = motion === only ? time : clipTime(motion, time);
      if (animator.layers.length > 0 || fade.isOn || part.engine.rig.rigging) animator.apply();
      else animator.stop();
    }
  }

  /** True while a cross-fade is running. The fade needs `seek` calls even if playback is paused. */
  get isFading(): boolean {
    return this.parts.some(({ engine }) => engine.fade.isOn);
  }

  /**
   * Prepares a cross-fade from the current pose over `seconds`. The current pose stays until the
   * returned function is called.
   */
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

  /** Replaces the overlay layers of one rig. */
  protected replaceOverlay(part: RigAction, top: readonly PlayingClip[]): void {
    part.overlay = top;
    part.engine.owner = null;
    this.#attachLayers(part);
  }

  /** Puts the layers of this action on the animator, in place of those of another action. */
  #attachLayers(part: RigAction): void {
    const { engine, motions } = part;
    const { animator } = engine;
    if (engine.owner === this) return;
    engine.owner = this;
    part.playing ??= motions.map(motion => ({ motion, layer: animator.layer(motion) }));
    part.layers = [...part.playing, ...part.overlay];
    animator.layers.splice(0, Infinity, ...part.layers.map(({ layer }) => layer));
  }
}
