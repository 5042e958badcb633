// Bound clips as three's: lazy, with three's own tracks where three plays them exactly and curve tracks where it does not.
import {
  AdditiveAnimationBlendMode,
  type AnimationAction,
  AnimationClip,
  type AnimationMixer,
  BooleanKeyframeTrack,
  InterpolateDiscrete,
  InterpolateLinear,
  type KeyframeTrack,
  LoopPingPong,
  NormalAnimationBlendMode,
  NumberKeyframeTrack,
  type Object3D,
  PropertyBinding,
  Quaternion,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import type { BoundClip, BoundTrack } from '../core/bind.ts';
import { SEGMENT_KINDS } from '../core/description.ts';
import { numberIn } from '../core/properties.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { RigBone } from './bone.ts';
import type { Built } from './build.ts';
import { type CurvePart, CurveTrack } from './interpolant.ts';

/** What a page finds in `clip.userData` of every clip made here. */
export type ClipData = {
  loop: boolean;
  /** The loop runs back and forth: `action.setLoop(LoopPingPong, Infinity)`. */
  pingPong: boolean;
  /** 0 where the format has none. */
  frameRate: number;
  frameCount: number;
  events: readonly { time: number; name: string }[];
};

/** Of Unity's wrap modes (VGO). */
const UNITY_PING_PONG = 4;

/**
 * A clip in the two parts that three's mixer needs: it blends a whole clip absolutely or additively, while a file may say so curve by
 * curve.
 * Nothing is built before one of the parts is asked for its tracks.
 */
export class Motion {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  readonly frameRate: number;
  readonly loop: boolean;
  /** The loop runs back and forth. */
  readonly pingPong: boolean;
  /** The absolute curves, or all of them where all are additive (its `blendMode` says which). */
  readonly clip: AnimationClip;
  readonly #additive: AnimationClip;
  readonly #tracks: () => Tracks;

  constructor(source: { name: string; duration: number; frameRate: number; loop: boolean; clip: Clip }, tracks: () => Tracks) {
    let made: Tracks | undefined;
    this.#tracks = () => (made ??= tracks());
    this.name = source.name;
    this.duration = source.duration;
    this.frameRate = source.frameRate;
    this.loop = source.loop;
    this.pingPong = numberIn(source.clip.properties, 'wrapMode', 0) === UNITY_PING_PONG;
    const { frameCount, events } = source.clip;
    const data: ClipData = { loop: this.loop, pingPong: this.pingPong, frameRate: this.frameRate, frameCount, events };
    // A pose has no length; three divides by it.
    const length = this.duration > 0 ? this.duration : 1 / (this.frameRate || 30);
    const { absolute, additive } = { absolute: () => this.#tracks().absolute, additive: () => this.#tracks().additive };
    const isAdditive = () => !absolute().length && additive().length > 0;
    this.clip = new AnimationClip(this.name, length, []);
    this.clip.userData = data;
    lazy(this.clip, 'tracks', () => (isAdditive() ? additive() : absolute()));
    lazy(this.clip, 'blendMode', () => (isAdditive() ? AdditiveAnimationBlendMode : NormalAnimationBlendMode));
    this.#additive = new AnimationClip(this.name, length, [], AdditiveAnimationBlendMode);
    this.#additive.userData = data;
    lazy(this.#additive, 'tracks', additive);
  }

  /** Vue leaves it as it is instead of wrapping it: private members know no wrappers. */
  get __v_skip(): true {
    return true;
  }

  /** The additive curves of a clip that has both kinds, else null: what `clip` gives is theirs to build on. */
  get additive(): AnimationClip | null {
    const { absolute, additive } = this.#tracks();
    return absolute.length && additive.length ? this.#additive : null;
  }

  /** The actions of both parts; play, seek and stop them together. */
  actions(mixer: AnimationMixer): AnimationAction[] {
    const { additive } = this;
    const actions = [mixer.clipAction(this.clip), ...(additive ? [mixer.clipAction(additive)] : [])];
    if (this.pingPong) for (const action of actions) action.setLoop(LoopPingPong, Infinity);
    return actions;
  }
}

/** Makes a property when it is first read; from then on it is an ordinary one. AnimationClip.clone() gives an ordinary clip. */
function lazy<K extends 'tracks' | 'blendMode'>(clip: AnimationClip, key: K, make: () => AnimationClip[K]): void {
  const settle = (value: AnimationClip[K]): AnimationClip[K] => {
    Object.defineProperty(clip, key, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(clip, key, { get: () => settle(make()), set: settle, enumerable: true, configurable: true });
}

export interface Tracks {
  absolute: KeyframeTrack[];
  additive: KeyframeTrack[];
}

/** Where a track goes: the head of its three track name, and the value that holds where no curve speaks. */
interface Target {
  name: string;
  rest(): readonly number[];
}

/** The clip bound to what was built of a scene. */
export function boundMotion(bound: BoundClip, scene: RigScene, built: Built): Motion {
  return new Motion(bound, () => makeTracks(bound.tracks, track => boundTargets(track, scene, built)));
}

/** A clip with no model of its own: its tracks carry the names of their targets as three's other loaders spell them. */
export function looseMotion(clip: Clip): Motion {
  const tracks = () => makeTracks(
    Array.from(clip.tracks, (track): BoundTrack & { target: string } => {
      const mode = track.mode === 'additive' ? track.mode : 'absolute';
      return { ...track, mode, renderers: [], morph: track.property };
    }),
    track => {
      const node = PropertyBinding.sanitizeNodeName(track.target);
      if (track.path === 'weight') return [{ name: `${node}.morphTargetInfluences[${track.morph}]`, rest: () => [0] }];
      return [{ name: nodeTrack(node, track), rest: () => IDENTITY[track.path] }];
    },
  );
  return new Motion({ name: clip.name, duration: clip.duration, frameRate: clip.frameRate, loop: clip.loop, clip }, tracks);
}

const IDENTITY: Record<BoundTrack['path'], readonly number[]> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
  weight: [0],
  visible: [1],
  property: [0],
};

const PROPERTIES = { translation: 'position', rotation: 'quaternion', scale: 'scale', visible: 'visible' } as const;

/** Keys of userData that belong to the builder. */
const RESERVED = new Set(['name', 'node', 'bone', 'renderer', 'mesh', 'features', 'properties', 'asset', '__proto__']);

function nodeTrack(node: string, track: BoundTrack): string {
  const { path } = track;
  if (path !== 'property' && path !== 'weight') return `${node}.${PROPERTIES[path]}`;
  return `${node}.userData[${propertyKey(track.morph)}]`;
}

/** The key in `userData` under which an animated property of that name appears. */
export function propertyKey(name: string): string {
  const key = name.replace(/[\r\n\u2028\u2029[\]]/g, '_');
  return RESERVED.has(key) ? `${key}_` : key;
}

function boundTargets(track: BoundTrack, scene: RigScene, { nodes, meshes, properties }: Built): Target[] {
  if (track.path === 'weight') return track.renderers.flatMap(r => morphTarget(track.morph, scene, r, meshes[r]));
  if (track.path === 'visible' && track.node < 0) return track.renderers.flatMap(r => (meshes[r] ? [{ name: `${meshes[r].name}.visible`, rest: () => [1] }] : []));
  const node = nodes[track.node];
  if (!node) return [];
  if (track.path === 'property') {
    const key = propertyKey(track.morph);
    if (!(key in node.userData)) properties.push({ node: track.node, property: track.morph });
    node.userData[key] ??= track.values[0] ?? 0;
  }
  const isGain = track.path === 'scale' && track.mode === 'additive' && node instanceof RigBone;
  if (isGain) return [{ name: `${node.name}.gain`, rest: () => [1, 1, 1] }];
  return [{ name: nodeTrack(node.name, track), rest: () => restOf(scene, track) }];
}

function morphTarget(name: string, scene: RigScene, renderer: number, mesh: Object3D | null | undefined): Target[] {
  const morphs = scene.meshes[scene.renderers[renderer]?.mesh ?? -1]?.morphs ?? [];
  const exact = morphs.findIndex(morph => morph.name === name);
  const index = exact >= 0 ? exact : morphs.findIndex(morph => morph.name.toLowerCase() === name.toLowerCase());
  const key = mesh && 'geometry' in mesh ? morphKey(mesh, index) : undefined;
  return mesh && key !== undefined ? [{ name: `${mesh.name}.morphTargetInfluences[${key}]`, rest: () => [0] }] : [];
}

function morphKey(mesh: Object3D, index: number): string | undefined {
  const { morphTargetDictionary = {} } = mesh as { morphTargetDictionary?: Record<string, number> };
  return Object.keys(morphTargetDictionary).find(key => morphTargetDictionary[key] === index);
}

function restOf({ nodes }: RigScene, { node, path }: BoundTrack): readonly number[] {
  if (path === 'translation') return [...nodes.translations.subarray(3 * node, 3 * node + 3)];
  if (path === 'rotation') return [...nodes.rotations.subarray(4 * node, 4 * node + 4)];
  if (path === 'scale') return [...nodes.scales.subarray(3 * node, 3 * node + 3)];
  return IDENTITY[path];
}

/** Curves that drive one value meet in one track; of several for the same component the last counts. */
function makeTracks<T extends BoundTrack>(bound: Iterable<T>, targetsOf: (track: T) => Target[]): Tracks {
  const values = { absolute: new Map<string, { target: Target; curves: T[] }>(), additive: new Map<string, { target: Target; curves: T[] }>() };
  for (const track of bound) {
    if (!track.times.length) continue;
    // A gain multiplies what is there: it is played absolutely, over a rest of one.
    const mode = track.path === 'scale' && track.mode === 'additive' ? 'absolute' : track.mode;
    for (const target of targetsOf(track)) {
      const value = values[mode].get(target.name);
      if (!value) values[mode].set(target.name, { target, curves: [track] });
      else value.curves = track.component < 0 ? [track] : [...value.curves.filter(({ component }) => component !== track.component), track];
    }
  }
  const made = (mode: BoundTrack['mode']) => Array.from(values[mode].values(), ({ target, curves }) => makeTrack(target, mode, curves));
  return { absolute: made('absolute'), additive: made('additive') };
}

function makeTrack(target: Target, mode: BoundTrack['mode'], curves: BoundTrack[]): KeyframeTrack {
  const [first] = curves as [BoundTrack];
  if (first.path === 'visible') {
    return new BooleanKeyframeTrack(target.name, first.times, Array.from(first.values, value => value >= 0.5) as never);
  }
  const weighted = curves.map(curve => (curve.mode === 'additive' ? weigh(curve, target) : curve));
  const isRotation = first.path === 'rotation';
  const standard = curves.length === 1 && first.component < 0 ? standardTrack(target.name, weighted[0]!) : null;
  if (standard) return standard;
  const targetRest = target.rest();
  const rest = mode === 'additive' ? IDENTITY[first.path === 'translation' ? 'translation' : first.path] : targetRest;
  const joined = joinedTrack(target.name, weighted, rest);
  if (joined) return joined;
  const type = isRotation ? 'quaternion' : targetRest.length === 3 ? 'vector' : 'number';
  const parts: CurvePart[] = weighted.map(curve => ({
    curve: { ...pick(curve), width: curve.component < 0 ? targetRest.length : 1 },
    component: Math.max(curve.component, 0),
  }));
  return new CurveTrack(target.name, type, parts, rest);
}

function pick({ times, values, interpolation, kinds, tangents, weights, before, after }: BoundTrack): Omit<CurvePart['curve'], 'width'> {
  return { times, values, interpolation, kinds, tangents, weights, before, after };
}

/** Tracks that three evaluates exactly; the arrays are the file's own. */
function standardTrack(name: string, { path, times, values, interpolation, kinds, before, after }: BoundTrack): KeyframeTrack | null {
  if (before !== 'hold' || after !== 'hold') return null;
  const kind = interpolation === 'perKey' ? uniform(kinds) : interpolation;
  const mode = kind === 'step' ? InterpolateDiscrete : InterpolateLinear;
  if (path === 'rotation') return kind === 'step' || kind === 'slerp' ? new QuaternionKeyframeTrack(name, times, values, mode) : null;
  if (kind !== 'step' && kind !== 'linear') return null;
  const Made = path === 'translation' || path === 'scale' ? VectorKeyframeTrack : NumberKeyframeTrack;
  return new Made(name, times, values, mode);
}

/** Curves for single axes that share their keys, which is what most Cast files hold, as one track that three evaluates exactly. */
function joinedTrack(name: string, curves: readonly BoundTrack[], rest: readonly number[]): KeyframeTrack | null {
  const { path, times, interpolation } = curves[0]!;
  if ((path !== 'translation' && path !== 'scale') || (interpolation !== 'linear' && interpolation !== 'step')) return null;
  const fits = (curve: BoundTrack): boolean =>
    curve.component >= 0 && curve.times === times && curve.interpolation === interpolation && curve.before === 'hold' && curve.after === 'hold';
  if (!curves.every(fits)) return null;
  const values = new Float32Array(times.length * 3);
  for (let axis = 0; axis < 3; axis++) {
    const from = curves.find(({ component }) => component === axis)?.values;
    for (let k = 0; k < times.length; k++) values[k * 3 + axis] = from ? from[k]! : rest[axis]!;
  }
  return new VectorKeyframeTrack(name, times, values, interpolation === 'step' ? InterpolateDiscrete : InterpolateLinear);
}

function uniform(kinds: Uint8Array | undefined): string | undefined {
  return kinds?.every(kind => kind === kinds[0]) ? SEGMENT_KINDS[kinds[0]!] : undefined;
}

/** An additive curve with its blend weight worked in (cast.md section 3.5): scale becomes the gain 1 + a (s − 1). */
function weigh(curve: BoundTrack, target: Target): BoundTrack {
  const { path, blendWeight: a } = curve;
  const asGain = path === 'scale';
  const onto = asGain && !target.name.endsWith('.gain') ? target.rest() : null; // no bone to carry a gain: over the rest scale
  if (a === 1 && !onto) return curve;
  const { values, tangents } = curve;
  const out = new Float32Array(values.length);
  if (path === 'rotation' && curve.component < 0) {
    const q = new Quaternion(), one = new Quaternion();
    for (let i = 0; i < values.length; i += 4) one.identity().slerp(q.fromArray(values, i), a).toArray(out, i);
    return { ...curve, values: out };
  }
  const from = asGain ? 1 : 0;
  const factor = (i: number): number => (onto ? onto[curve.component < 0 ? i % onto.length : curve.component]! : 1);
  for (const [i, value] of values.entries()) out[i] = (from + a * (value - from)) * factor(i);
  return { ...curve, values: out, ...(tangents && { tangents: tangents.map((slope, i) => a * slope * factor(i)) }) };
}
