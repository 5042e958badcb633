// Plays clips on rigs and cross-fades between them. Each rig has one animator, and clips are its
// layers.
import type { BindByNameOptions } from '../core/bind.ts';
import type { Clip, ClipEvent, Finding } from '../core/types.ts';
import { Fade } from '../rig/fade.ts';
import type { Layer } from '../rig/layer.ts';
import type { RigAnimator } from '../three/animation/apply.ts';
import type { RigClip } from '../three/animation/rigClip.ts';
import type { Rig } from '../three/rig.ts';
import { bindLayers } from '../three/animation/layering.ts';
import { clipTime, commonDuration } from '../three/animation/clipTiming.ts';

/**
 * Interpretation of clips. `file`: as the file declares. `auto`: as the file declares, but clips
 * that are detected as additive are added to the rest pose. `everything`: the exclusions of .config
 * files are ignored. `rotation-only`: only root bones are translated. `additive`: all clips are
 * added to the rest pose.
 */
export type AnimationMode = 'auto' | 'file' | 'everything' | 'rotation-only' | 'additive';

/** Returns true if the keys of a clip are added to the rest pose. */
export const isAddedToRest = ({ bound }: RigClip): boolean => bound?.additive.base === 'rest';

/** Returns the options for `Rig.bind`. `lockRoot`: true to lock the root bone. */
export const bindOptionsOf = (animationMode: AnimationMode, lockRoot: boolean): BindByNameOptions => ({
  lockRoot,
  tracks: animationMode === 'rotation-only' ? 'rotation-only' : 'file',
  additive: animationMode === 'auto' ? 'detect' : animationMode === 'additive' ? 'rest' : 'as-stated',
});

/** Evaluates constraints, IK and added poses for rigs without an action. */
export function restPose(rigs: readonly Rig[]): void {
  if (rigs.some(rig => rig.rigging || engines.has(rig))) new ClipAction(rigs, []).seek(0);
}

/** Returns the weight of a pose that is added to a character; 0 if it is not added. */
export const poseWeight = (rigs: readonly Rig[], pose: Clip): number => engines.get(rigs[0]!)?.poses.get(pose)?.layer.weight ?? 0;

/**
 * Adds a pose to a character by its weight, on top of the rest pose and of every action. The rigs
 * change when an action is evaluated, or at `restPose`. A weight of 0 removes the pose.
 */
export function setPoseWeight(rigs: readonly Rig[], pose: Clip, weight: number): void {
  for (const rig of rigs) {
    const engine = engineOf(rig);
    const { animator, poses } = engine;
    const added = poses.get(pose);
    if (added && weight > 0) {
      added.layer.weight = weight;
      continue;
    }
    engine.owner = null; // the action attaches its layers again
    poses.delete(pose);
    if (weight <= 0) continue;
    const [clip] = rig.bind([pose], { additive: 'layer' }).clips as [RigClip];
    const layer = animator.layer(clip);
    layer.weight = weight;
    poses.set(pose, { clip, layer });
  }
}

/** The animator of a rig, which all actions of the rig share, so that they can cross-fade. */
interface Engine {
  readonly rig: Rig;
  readonly animator: RigAnimator;
  readonly fade: Fade;
  /** The action whose layers the animator plays; null if there is none. */
  owner: ClipAction | null;
  /** Poses that are added to all actions. */
  readonly poses: Map<Clip, PlayingClip>;
}

const engines = new WeakMap<Rig, Engine>();

function engineOf(rig: Rig): Engine {
  let engine = engines.get(rig);
  if (!engine) {
    engine = { rig, animator: rig.createAnimator(), fade: new Fade(), owner: null, poses: new Map() };
    engine.animator.add(engine.fade);
    engines.set(rig, engine);
  }
  return engine;
}

interface PlayingClip {
  readonly clip: RigClip;
  readonly layer: Layer;
}

/** The clips of an action, bound to one rig. The layers are created when the action first plays. */
interface RigAction {
  readonly engine: Engine;
  readonly clips: readonly RigClip[];
  playing: readonly PlayingClip[] | null;
  /** Layers of the overlay animation. */
  overlay: readonly PlayingClip[];
  /** All layers of the action, from bottom to top. */
  layers: readonly PlayingClip[];
}

export interface ClipActionOptions {
  /** Interpretation of the clips (default `auto`). */
  animationMode?: AnimationMode;
  lockRoot?: boolean;
  /** Display names of the clips (default: their names in the file). */
  names?: readonly string[];
  /** Display name of the action (default: the joined names of the clips). */
  title?: string;
}

/**
 * Plays one or more clips together on all rigs of a character. An action without clips shows the
 * rest pose.
 */
export class ClipAction {
  readonly name: string;
  readonly names: readonly string[];
  /** Duration in seconds. For several clips, the time after which all of them restart together. */
  readonly duration: number;
  /** Time of the first key in seconds; 0 for several clips. */
  readonly start: number;
  /** Frames per second; 0 if the clips have no frame rate or different frame rates. */
  readonly frameRate: number;
  readonly loop: boolean;
  readonly pingPong: boolean;
  readonly events: readonly (ClipEvent & { readonly clip: string })[];
  /**
   * True if a clip is added to the rest pose because it was detected as additive, although the file
   * does not declare it as additive.
   */
  readonly isTreatedAsAdditive: boolean;
  protected readonly parts: readonly RigAction[];
  #time = 0;
  readonly #findings: () => Finding[];

  /**
   * `rigs`: the rigs of a character, starting with the lead. The result of additive detection for
   * the lead is used for all rigs.
   */
  constructor(
    rigs: readonly Rig[],
    clips: readonly Clip[],
    { animationMode = 'auto', lockRoot = false, names, title }: ClipActionOptions = {},
  ) {
    const options = bindOptionsOf(animationMode, lockRoot);
    const lead = bindLayers(rigs[0]!, clips, options);
    const bases = lead.clips.map(({ bound }) => bound?.additive.base ?? 'no');
    // Use the lead's result for the other rigs, because additive detection is unreliable for rigs
    // with few bones. A new array is the source, because a rig keeps each result as long as its
    // source.
    const onPart = (rig: Rig): RigClip[] =>
      clips.map((clip, i) => rig.bind([clip], { ...options, additive: bases[i] === 'no' ? 'as-stated' : bases[i] }).clips[0]!);
    this.parts = rigs.map((rig, i) => ({
      engine: engineOf(rig),
      clips: i === 0 ? lead.clips : onPart(rig),
      playing: null,
      overlay: [],
      layers: [],
    }));
    const [first] = lead.clips;
    const only = lead.clips.length === 1 ? first : undefined;
    this.names = names ?? clips.map(({ name }) => name);
    this.name = title ?? this.names.join(' + ');
    this.duration = only?.duration ?? commonDuration(lead.clips);
    this.start = only?.start ?? 0;
    this.frameRate = first && lead.clips.every(({ frameRate }) => frameRate === first.frameRate) ? first.frameRate : 0;
    this.loop = lead.clips.every(({ loop }) => loop);
    this.pingPong = only?.pingPong ?? false;
    this.events = clips
      .flatMap(({ events }, i) => events.map(event => ({ ...event, clip: this.names[i]! })))
      .toSorted((a, b) => a.time - b.time);
    this.isTreatedAsAdditive = lead.clips.some(({ bound }, i) => bases[i] !== 'no' && !bound?.clip.addsToRest);
    this.#findings = lead.findings;
  }

  /** The clips of this action, bound to the lead rig. */
  get clips(): readonly RigClip[] {
    return this.parts[0]!.clips;
  }

  /** Findings from binding the clips to the lead rig. */
  get findings(): Finding[] {
    return this.#findings();
  }

  /** Current time of the action in seconds. */
  get time(): number {
    return this.#time;
  }

  /**
   * Poses the rigs at `time` (seconds) and advances a running cross-fade by `seconds`. If `seconds`
   * is undefined, the cross-fade ends.
   */
  seek(time: number, seconds?: number): void {
    this.#time = time;
    for (const part of this.parts) {
      const { animator, fade } = part.engine;
      if (seconds === undefined) fade.stop();
      else fade.advance(seconds);
      this.#attachLayers(part);
      // The time of a single clip does not wrap around, so that its last frame can be shown.
      const only = part.clips.length === 1 ? part.clips[0] : undefined;
      for (const { clip, layer } of part.layers) layer.time = clip === only ? time : clipTime(clip, time);
      if (animator.layers.length > 0 || fade.isOn || part.engine.rig.rigging) animator.apply();
      else animator.stop();
    }
  }

  /**
   * True while a cross-fade is running. Call `seek` in each frame until it ends, even if playback
   * is paused.
   */
  get isFading(): boolean {
    return this.parts.some(({ engine }) => engine.fade.isOn);
  }

  /**
   * Prepares a cross-fade from the current pose that takes `seconds`. Returns a function that
   * starts it.
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

  /** Replaces the overlay layers of a rig. */
  protected replaceOverlay(part: RigAction, top: readonly PlayingClip[]): void {
    part.overlay = top;
    part.engine.owner = null;
    this.#attachLayers(part);
  }

  /** Sets the layers of this action on the animator, replacing those of another action. */
  #attachLayers(part: RigAction): void {
    const { engine, clips } = part;
    const { animator } = engine;
    if (engine.owner === this) return;
    engine.owner = this;
    part.playing ??= clips.map(clip => ({ clip, layer: animator.layer(clip) }));
    part.layers = [...part.playing, ...part.overlay, ...engine.poses.values()];
    animator.layers.splice(0, Infinity, ...part.layers.map(({ layer }) => layer));
  }
}
