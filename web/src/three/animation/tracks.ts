// Keyframe tracks and clips of three's, made of bound curves: three's own tracks where three plays them exactly, curve tracks where it does not. Asked for by
// pages with an AnimationMixer alone.
import {
  AdditiveAnimationBlendMode,
  AnimationClip,
  BooleanKeyframeTrack,
  InterpolateDiscrete,
  InterpolateLinear,
  type KeyframeTrack,
  NormalAnimationBlendMode,
  NumberKeyframeTrack,
  type Object3D,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import type { BoundClip, BoundTrack } from '../../core/bind.ts';
import type { BoundPath } from '../../core/bound.ts';
import { SEGMENT_KINDS } from '../../core/description.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { type CurvePart, JOINS } from '../../rig/stack.ts';
import { RigBone } from '../build/bone.ts';
import type { Built } from '../build/build.ts';
import { CurveTrack } from './interpolant.ts';
import { nodeName, propertyKey } from '../names.ts';
import { offerProperty } from './offered.ts';
import type { ShaderCurves } from '../materials/shaderCurves.ts';

export interface Tracks {
  tracks: KeyframeTrack[];
  /** They are differences, for three's additive blending. */
  isAdditive: boolean;
}

/** Where a track goes: the head of its three track name, and the value that holds where no curve speaks. */
export interface Target {
  name: string;
  rest(): readonly number[];
  /** For a scale: where a factor goes that multiplies what else plays. */
  gain?: string;
}

/** A clip whose tracks are made when somebody first reads them. */
export function lazyClip(name: string, duration: number, make: () => Tracks): AnimationClip {
  let made: Tracks | undefined;
  const tracks = (): Tracks => (made ??= make());
  const clip = new AnimationClip(name, duration, []);
  lazy(clip, 'tracks', () => tracks().tracks);
  lazy(clip, 'blendMode', () => (tracks().isAdditive ? AdditiveAnimationBlendMode : NormalAnimationBlendMode));
  return clip;
}

/** Makes a property when it is first read; from then on it is an ordinary one. AnimationClip.clone() gives an ordinary clip. */
function lazy<K extends 'tracks' | 'blendMode'>(clip: AnimationClip, key: K, make: () => AnimationClip[K]): void {
  const settle = (value: AnimationClip[K]): AnimationClip[K] => {
    Object.defineProperty(clip, key, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(clip, key, { get: () => settle(make()), set: settle, enumerable: true, configurable: true });
}

/** The tracks of a clip on what was built of the scene that it is bound to. */
export const boundTracks = (bound: BoundClip, scene: RigScene, built: Built): Tracks =>
  makeTracks(bound.tracks, track => boundTargets(track, scene, built));

/** Those of a clip with no model of its own. */
export function looseTracks(clip: Clip): Tracks {
  return makeTracks(
    Array.from(clip.tracks, (track): BoundTrack & { target: string } => {
      const mode = track.mode === 'additive' ? track.mode : 'absolute';
      return { ...track, path: track.path as BoundPath, mode, renderers: [], morph: track.property };
    }),
    track => {
      const node = nodeName(track.target);
      if (track.path === 'weight') return [{ name: `${node}.morphTargetInfluences[${track.morph}]`, rest: () => [0] }];
      return [{ name: nodeTrack(node, track), rest: () => IDENTITY[track.path] }];
    },
  );
}

const IDENTITY: Record<BoundTrack['path'], readonly number[]> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
  weight: [0],
  visible: [1],
  property: [0],
  shown: [1],
  material: [0],
};

const PROPERTIES = { translation: 'position', rotation: 'quaternion', scale: 'scale', visible: 'visible', shown: 'visible' } as const;

function nodeTrack(node: string, track: BoundTrack): string {
  const { path } = track;
  if (path === 'material') return `${node}.shader[${propertyKey(track.morph)}]`;
  if (path !== 'property' && path !== 'weight') return `${node}.${PROPERTIES[path]}`;
  return `${node}.userData[${propertyKey(track.morph)}]`;
}

function boundTargets(track: BoundTrack, scene: RigScene, built: Built): Target[] {
  const { nodes, meshes, shaders } = built;
  if (track.path === 'weight') return track.renderers.flatMap(r => morphTarget(track.morph, scene, r, meshes[r]));
  if (track.path === 'material') return track.renderers.flatMap(r => shaderTarget(track.morph, meshes[r], shaders(r)));
  if (track.path === 'shown' || (track.path === 'visible' && track.node < 0))
    return track.renderers.flatMap(r => (meshes[r] ? [{ name: `${meshes[r].name}.visible`, rest: () => [1] }] : []));
  const node = nodes[track.node];
  if (!node) return [];
  if (track.path === 'property') {
    offerProperty(built, track.node, track.morph);
    node.userData[propertyKey(track.morph)] ??= track.values[0] ?? 0;
  }
  return [
    {
      name: nodeTrack(node.name, track),
      rest: () => restOf(scene, track),
      ...(track.path === 'scale' && node instanceof RigBone && { gain: `${node.name}.gain` }),
    },
  ];
}

function shaderTarget(property: string, mesh: Object3D | null | undefined, shader: ShaderCurves | null): Target[] {
  const key = mesh && shader?.key(property);
  if (!key) return [];
  Object.assign(mesh, { shader });
  return [{ name: `${mesh.name}.shader[${key}]`, rest: () => [shader!.read(property) ?? 0] }];
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

/** The curves of one value, each kind in the order of the file. */
interface Value<T> {
  target: Target;
  /** At most one per component. */
  base: T[];
  differences: T[];
}

/**
 * Curves that drive one value meet in one track: three blends a whole clip absolutely or additively, a file says so curve by curve. Of several
 * absolute curves for the same component the last counts, additive ones accumulate.
 */
export function makeTracks<T extends BoundTrack>(bound: Iterable<T>, targetsOf: (track: T) => Target[]): Tracks {
  const values = new Map<string, Value<T>>();
  for (const track of bound) {
    if (!track.times.length) continue;
    for (const target of targetsOf(track)) {
      let value = values.get(target.name);
      if (!value) values.set(target.name, (value = { target, base: [], differences: [] }));
      if (track.mode === 'additive') value.differences.push(track);
      else value.base = track.component < 0 ? [track] : [...value.base.filter(({ component }) => component !== track.component), track];
    }
  }
  const all = [...values.values()];
  const isDifference = ({ differences }: Value<T>): boolean => differences.length > 0;
  const isAdditive =
    all.some(isDifference) &&
    all.every(value => value.base.every(({ path }) => path === 'visible' || path === 'shown' || path === 'weight'));
  return { tracks: all.map(value => makeTrack(value, isAdditive)), isAdditive };
}

/** `isDelta`: the track's values are differences from what else plays, not values. */
function makeTrack({ target, base, differences }: Value<BoundTrack>, isDelta: boolean): KeyframeTrack {
  const [first] = [...base, ...differences] as [BoundTrack];
  const { path } = first;
  if (path === 'visible' || path === 'shown') {
    const last = base.at(-1) ?? first;
    return new BooleanKeyframeTrack(
      target.name,
      last.times,
      Array.from(last.values, value => value >= 0.5),
    );
  }
  const isGain = isDelta && path === 'scale' && target.gain !== undefined;
  const name = isGain ? target.gain! : target.name;
  const plain = isDelta && !base.length ? plainDifferences(differences) : differences.length ? null : base;
  const standard = plain?.length === 1 && first.component < 0 ? standardTrack(name, first) : null;
  if (standard) return standard;
  const targetRest = target.rest();
  const rest = !isDelta ? targetRest : path === 'rotation' ? IDENTITY.rotation : targetRest.map(() => 0);
  const origin = isDelta && path === 'scale' ? (isGain ? IDENTITY.scale : targetRest) : [];
  const joined = plain && joinedTrack(name, plain, rest);
  if (joined) return joined;
  const type = path === 'rotation' ? 'quaternion' : targetRest.length === 3 ? 'vector' : 'number';
  const part = (curve: BoundTrack): CurvePart => ({
    curve: { ...pick(curve), width: curve.component < 0 ? targetRest.length : 1 },
    component: Math.max(curve.component, 0),
  });
  const parts = [...base.map(part), ...differences.map(curve => ({ ...part(curve), join: JOINS[path], weight: curve.blendWeight }))];
  return new CurveTrack(name, type, parts, rest, origin);
}

/** Differences that three adds as they are: whole, and one per component. */
function plainDifferences(curves: BoundTrack[]): BoundTrack[] | null {
  const isPlain = ({ path, blendWeight, component }: BoundTrack, i: number): boolean =>
    path !== 'scale' && blendWeight === 1 && curves.findIndex(other => other.component === component || other.component < 0) === i;
  return curves.every(isPlain) ? curves : null;
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
    curve.component >= 0 &&
    curve.times === times &&
    curve.interpolation === interpolation &&
    curve.before === 'hold' &&
    curve.after === 'hold';
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
