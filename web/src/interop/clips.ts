// Clips of three's, whoever loaded them, as motions of ours: their keys by node and path.
import {
  type AnimationClip,
  InterpolateDiscrete,
  InterpolateSmooth,
  type InterpolationModes,
  type KeyframeTrack,
  type Mesh as ThreeMesh,
  type Object3D,
  PropertyBinding,
} from 'three';
import type { Clip, SegmentKind, Track, TrackPath } from '../core/types.ts';
import { type ForeignScene, morphNames } from './scene.ts';

const PATHS: Readonly<Record<string, { path: TrackPath; width: number }>> = {
  position: { path: 'translation', width: 3 },
  quaternion: { path: 'rotation', width: 4 },
  scale: { path: 'scale', width: 3 },
  visible: { path: 'visible', width: 1 },
  morphTargetInfluences: { path: 'weight', width: 1 },
};

/** A node whose movement means a face: how far it is along X an expression, how it is turned where the eyes look. */
export interface FaceNode {
  path: 'expression' | 'look';
  name: string;
}

/** Samples a second of curves that only three itself can play. */
const RATE = 60;

/** A clip of the objects of `foreign`; by row, what some of them mean. `lost`: tracks that move something else, or nothing of them. */
export function foreignClip(
  clip: AnimationClip,
  foreign: ForeignScene,
  root: Object3D,
  faces: ReadonlyMap<number, FaceNode> = NO_FACE,
): { clip: Clip; lost: string[] } {
  const rows = new Map(foreign.objects.map((object, row) => [object, row]));
  const made: Track[] = [];
  const lost: string[] = [];
  for (const track of clip.tracks) {
    const tracks = convert(track, root, rows, foreign, faces);
    if (tracks.length === 0) lost.push(track.name);
    made.push(...tracks);
  }
  const { frameRate, loop } = clip.userData as { frameRate?: unknown; loop?: unknown };
  const own: Clip = {
    name: clip.name,
    start: 0,
    duration: clip.duration,
    frameRate: typeof frameRate === 'number' ? frameRate : 0,
    frameCount: 0,
    loop: loop !== false,
    tracks: {
      count: made.length,
      get: index => made[index]!,
      uses: path => made.some(track => track.path === path),
      [Symbol.iterator]: () => made.values(),
    },
    events: [],
    overrides: [],
  };
  return { clip: own, lost };
}

const NO_FACE: ReadonlyMap<number, FaceNode> = /*@__PURE__*/ new Map<number, FaceNode>();

function convert(
  track: KeyframeTrack,
  root: Object3D,
  rows: ReadonlyMap<Object3D | null, number>,
  foreign: ForeignScene,
  faces: ReadonlyMap<number, FaceNode>,
): Track[] {
  const found = parse(track.name, root);
  const kind = found && Object.hasOwn(PATHS, found.property) ? PATHS[found.property] : undefined;
  const node = found ? (rows.get(found.object) ?? -1) : -1;
  if (!found || !kind || node < 0) return [];
  const { path } = kind;
  const keys = keysOf(track, path);
  const base: Track = {
    target: foreign.scene.nodes.names[node] ?? '',
    property: '',
    occurrence: 0,
    node,
    path,
    component: -1,
    mode: 'absolute',
    before: 'hold',
    after: 'hold',
    blendWeight: 1,
    ...keys,
  };
  const face = faces.get(node);
  if (face) return faceTrack(base, face);
  if (path !== 'weight') return keys.values.length === kind.width * keys.times.length ? [base] : [];
  const names = morphNames(found.object as ThreeMesh);
  if (found.index !== undefined) {
    const name = names.includes(found.index) ? found.index : names[Number(found.index)];
    return name === undefined ? [] : [{ ...base, property: name }];
  }
  return names.map((property, i) => ({ ...base, property, ...columnOf(keys, i, names.length) }));
}

/** Scale and what else says nothing of a face is lost. */
function faceTrack(moved: Track, { path, name }: FaceNode): Track[] {
  const said: Track = { ...moved, target: '', node: -1, path, property: name };
  if (path === 'look') return moved.path === 'rotation' ? [said] : [];
  return moved.path === 'translation' ? [{ ...said, ...columnOf(moved, 0, 3) }] : [];
}

/** The object that a track of three's names, and what of it. */
function parse(name: string, root: Object3D): { object: Object3D; property: string; index: string | undefined } | null {
  // BVHLoader leaves names as they are, and three takes what stands before a colon (mixamorig:Hips) for a folder.
  const [, own, path] = /^(.+)\.(position|quaternion|scale|visible)$/.exec(name) ?? [];
  const named = own === undefined ? undefined : root.getObjectByName(own);
  if (named && path) return { object: named, property: path, index: undefined };
  try {
    const { nodeName, objectName, objectIndex, propertyName, propertyIndex } = PropertyBinding.parseTrackName(name) as unknown as Record<
      string,
      string | undefined
    >;
    const bone = objectName === 'bones' ? objectIndex : undefined;
    if (objectName !== undefined && bone === undefined) return null;
    const object = PropertyBinding.findNode(root, bone ?? nodeName ?? '') as Object3D | undefined;
    return object && propertyName ? { object, property: propertyName, index: propertyIndex } : null;
  } catch {
    return null; // no name of three's
  }
}

type Keys = Pick<Track, 'times' | 'values' | 'interpolation' | 'tangents'>;

interface Made {
  createInterpolant: ((result?: Float32Array) => { evaluate(time: number): ArrayLike<number> }) & {
    isInterpolantFactoryMethodGLTFCubicSpline?: boolean;
  };
}

function keysOf(track: KeyframeTrack, path: TrackPath): Keys {
  const times = Float32Array.from(track.times);
  const line: SegmentKind = path === 'rotation' ? 'slerp' : 'linear';
  const { createInterpolant } = track as unknown as Made;
  if (createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline) return cubic(track, times);
  // `getInterpolation` answers for three's own interpolants alone.
  const mode = track.getInterpolation() as InterpolationModes | undefined;
  if (mode === InterpolateDiscrete || path === 'visible')
    return { times, values: Float32Array.from(track.values, Number), interpolation: 'step' };
  if (mode !== undefined && mode !== InterpolateSmooth) return { times, values: Float32Array.from(track.values), interpolation: line };
  return sampled(track, line);
}

/** glTF's: in-slope, value, out-slope. */
function cubic(track: KeyframeTrack, times: Float32Array): Keys {
  const width = track.values.length / Math.max(times.length, 1) / 3;
  const values = new Float32Array(width * times.length);
  const tangents = new Float32Array(2 * width * times.length);
  for (let k = 0; k < times.length; k++)
    for (let c = 0; c < width; c++) {
      const at = 3 * width * k + c;
      tangents[2 * width * k + c] = track.values[at] ?? 0;
      values[width * k + c] = track.values[at + width] ?? 0;
      tangents[2 * width * k + width + c] = track.values[at + 2 * width] ?? 0;
    }
  return { times, values, tangents, interpolation: 'hermite' };
}

function sampled(track: KeyframeTrack, interpolation: SegmentKind): Keys {
  const { createInterpolant } = track as unknown as Made;
  const interpolant = createInterpolant.call(track);
  const [from, to] = [track.times[0] ?? 0, track.times.at(-1) ?? 0];
  const steps = Math.max(Math.ceil((to - from) * RATE), 1);
  const all = new Set([...track.times, ...Array.from({ length: steps + 1 }, (_, i) => Math.fround(from + ((to - from) * i) / steps))]);
  const times = Float32Array.from([...all].sort((a, b) => a - b));
  const values = Float32Array.from([...times].flatMap(time => Array.from(interpolant.evaluate(time))));
  return { times, values, interpolation };
}

/** One morph of a track that has the weights of all. */
function columnOf({ times, values, tangents }: Keys, i: number, width: number): Pick<Keys, 'values' | 'tangents'> {
  const pick = (from: Float32Array, count: number): Float32Array =>
    Float32Array.from({ length: count }, (_, k) => from[width * k + i] ?? 0);
  return { values: pick(values, times.length), ...(tangents && { tangents: pick(tangents, 2 * times.length) }) };
}
