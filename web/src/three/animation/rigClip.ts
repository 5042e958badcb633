// Animations bound to a model. Their AnimationClips are created on first access.
import {
  AdditiveAnimationBlendMode,
  type AnimationAction,
  AnimationClip,
  type AnimationMixer,
  LoopOnce,
  LoopPingPong,
  NormalAnimationBlendMode,
} from 'three';
import { type BoundClip, someOf } from '../../core/bind.ts';
import type { BoundPath, BoundTrack } from '../../core/bound.ts';
import { numberIn } from '../../core/properties.ts';
import type { Clip, Finding, RigScene } from '../../core/types.ts';
import type { Built } from '../build/build.ts';
import { makeTracks, type Target, type Tracks } from './keyframes.ts';
import { boundTargets, looseTargets } from './targets.ts';

/** Contents of `clip.userData`. */
export type ClipData = {
  /**
   * Name of the clip in the file, which need not be unique. The `name` of an AnimationClip is
   * unique (`idle`, `idle_2`).
   */
  name: string;
  loop: boolean;
  /** Time of the first key, in seconds. The pose is constant before it. */
  start: number;
  /** True if every second repetition plays backwards: `action.setLoop(LoopPingPong, Infinity)`. */
  pingPong: boolean;
  /** Frame rate in frames per second; 0 if the format has no frame rate. */
  frameRate: number;
  frameCount: number;
  events: readonly { time: number; name: string }[];
  /**
   * True if the error of the tracks exceeds `CLIP_TOLERANCE`, because exact tracks would need too
   * much memory. Reading this property creates the tracks.
   */
  isCoarse: boolean;
};

/** Unity's number for the wrap mode "ping-pong" in a VGO file. */
const UNITY_PING_PONG = 4;

/** An animation bound to a model. Its tracks are created on first access. */
export class RigClip {
  readonly name: string;
  /** Duration of the clip from time 0, in seconds. */
  readonly duration: number;
  /** Time of the first key, in seconds. The pose is constant before it. */
  readonly start: number;
  readonly frameRate: number;
  readonly loop: boolean;
  /** True if every second repetition plays backwards. */
  readonly pingPong: boolean;
  /** The clip bound to a model; null if there is no model. */
  readonly bound: BoundClip | null;
  #animationClip: AnimationClip | undefined;
  readonly #make: () => AnimationClip;

  constructor(
    source: { name: string; duration: number; frameRate: number; loop: boolean; clip: Clip },
    /** Creates the tracks of `clip` on first access. `length` is the duration in seconds. */
    make: (length: number) => Tracks,
    bound: BoundClip | null = null,
  ) {
    this.bound = bound;
    this.name = source.name;
    this.duration = source.duration;
    this.start = source.clip.start > 0 && source.clip.start < source.duration ? source.clip.start : 0;
    this.frameRate = source.frameRate;
    this.loop = source.loop;
    this.pingPong = numberIn(source.clip.properties, 'wrapMode', 0) === UNITY_PING_PONG;
    const { frameCount, events } = source.clip;
    // The duration of a single pose is 0, by which three.js would divide.
    const length = this.duration > 0 ? this.duration : 1 / (this.frameRate || 30);
    this.#make = () => {
      const data = {
        name: source.clip.name,
        loop: this.loop,
        start: this.start,
        pingPong: this.pingPong,
        frameRate: this.frameRate,
        frameCount,
        events,
      };
      return lazyClip(this.name, length, data, () => make(length));
    };
  }

  /**
   * The animation as an AnimationClip. Its `blendMode` is additive if all curves that change anything
   * are additive. Otherwise, the additive curves are baked into the absolute curves.
   */
  get animationClip(): AnimationClip {
    return (this.#animationClip ??= this.#make());
  }

  /** Keeps Vue from wrapping the object in a proxy. */
  get __v_skip(): true {
    return true;
  }

  /**
   * Returns a new action with the loop mode that the file declares, at the time of the first key.
   * An action that doesn't loop stays at its last frame.
   */
  clipAction(mixer: AnimationMixer): AnimationAction {
    const action = mixer.clipAction(this.animationClip);
    if (this.pingPong) action.setLoop(LoopPingPong, Infinity);
    else if (!this.loop) {
      action.setLoop(LoopOnce, 1);
      action.clampWhenFinished = true;
    }
    action.time = this.start;
    return action;
  }
}

/**
 * Creates a RigClip from a clip that is bound to a scene. `targetsOf` returns the three.js
 * properties that a track animates.
 */
export function boundRigClip(bound: BoundClip, name: string, targetsOf: (track: BoundTrack) => Target[]): RigClip {
  const { duration, frameRate, loop, clip } = bound;
  return new RigClip({ name, duration, frameRate, loop, clip }, length => makeTracks(bound.tracks, length, targetsOf), bound);
}

/** Creates a RigClip that animates the objects built from a scene. */
export const rigClipOf = (bound: BoundClip, name: string, scene: RigScene, built: Built): RigClip =>
  boundRigClip(bound, name, track => boundTargets(track, scene, built));

/** Reports the animated material properties of a clip that rigcast doesn't draw. */
export function curvesNotPlayed(bound: BoundClip, { shaders }: Built): Finding[] {
  const { clip } = bound;
  if (!clip.tracks.uses?.('material')) return [];
  const lost = new Set<string>();
  for (const { path, morph, renderers } of bound.tracks)
    if (path === 'material' && !renderers.some(r => shaders(r)?.key(morph))) lost.add(morph);
  return lost.size
    ? [{ code: 'CURVE_NOT_PLAYED', severity: 'info', offset: null, path: clip.name, detail: someOf([...lost]), count: lost.size }]
    : [];
}

/**
 * Creates a RigClip from a clip without a model. Its tracks are named after the targets in the
 * file.
 */
export const unboundRigClip = (clip: Clip, name: string): RigClip =>
  new RigClip({ name, duration: clip.duration, frameRate: clip.frameRate, loop: clip.loop, clip }, length => looseTracks(clip, length));

function looseTracks(clip: Clip, length: number): Tracks {
  const tracks = Array.from(clip.tracks, (track): BoundTrack & { target: string } => {
    const mode = track.mode === 'additive' ? track.mode : 'absolute';
    return { ...track, path: track.path as BoundPath, mode, renderers: [], morph: track.property };
  });
  return makeTracks(tracks, length, looseTargets);
}

/** Creates an AnimationClip whose tracks are created on first access. */
function lazyClip(name: string, duration: number, data: Omit<ClipData, 'isCoarse'>, make: () => Tracks): AnimationClip {
  let made: Tracks | undefined;
  const tracks = (): Tracks => (made ??= make());
  const clip = new AnimationClip(name, duration, []);
  lazyProperty(clip, 'tracks', () => tracks().tracks);
  lazyProperty(clip, 'blendMode', () => (tracks().isAdditive ? AdditiveAnimationBlendMode : NormalAnimationBlendMode));
  const userData: ClipData = { ...data, isCoarse: false };
  lazyProperty(userData, 'isCoarse', () => tracks().isCoarse);
  clip.userData = userData;
  return clip;
}

/** Defines a property whose value is computed on first access and stored from then on. */
export function lazyProperty<T extends object, K extends keyof T>(object: T, key: K, make: () => T[K]): void {
  const settle = (value: T[K]): T[K] => {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, key, { get: () => settle(make()), set: settle, enumerable: true, configurable: true });
}
