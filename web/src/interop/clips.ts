// Converts AnimationClips of any loader to clips of rigcast.
import {
  type AnimationClip,
  InterpolateDiscrete,
  InterpolateSmooth,
  type KeyframeTrack,
  type Mesh as ThreeMesh,
  type Object3D,
  PropertyBinding,
} from 'three';
import { numberAt } from '../core/math/column.ts';
import type { Clip, Track, TrackPath } from '../core/types.ts';
import { type ImportedScene, morphNames } from './scene.ts';

const PATHS: Readonly<Record<string, { path: TrackPath; width: number }>> = {
  position: { path: 'translation', width: 3 },
  quaternion: { path: 'rotation', width: 4 },
  scale: { path: 'scale', width: 3 },
  visible: { path: 'visible', width: 1 },
  morphTargetInfluences: { path: 'weight', width: 1 },
};

/**
 * A node of a VRM animation that stores facial animation. Its x position is the weight of an
 * expression, or its rotation is the gaze direction.
 */
export interface FaceNode {
  path: 'expression' | 'look';
  name: string;
}

/**
 * Converts a clip that animates the objects of `imported`. `faces`: nodes that store facial
 * animation, by row. `lost` in the result: names of tracks that can't be converted.
 */
export function importedClip(
  clip: AnimationClip,
  imported: ImportedScene,
  root: Object3D,
  faces: ReadonlyMap<number, FaceNode> = NO_FACE,
): { clip: Clip; lost: string[] } {
  const rows = new Map(imported.objects.map((object, row) => [object, row]));
  const made: Track[] = [];
  const lost: string[] = [];
  for (const track of clip.tracks) {
    const tracks = importedTracks(track, root, rows, imported, faces);
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
      length: made.length,
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

function importedTracks(
  track: KeyframeTrack,
  root: Object3D,
  rows: ReadonlyMap<Object3D | null, number>,
  imported: ImportedScene,
  faces: ReadonlyMap<number, FaceNode>,
): Track[] {
  const found = resolveTarget(track.name, root);
  const kind = found && Object.hasOwn(PATHS, found.property) ? PATHS[found.property] : undefined;
  const node = found ? (rows.get(found.object) ?? -1) : -1;
  if (!found || !kind || node < 0) return [];
  const { path } = kind;
  const keys = keysOf(track, path);
  if (!keys) return [];
  const base: Track = {
    target: imported.scene.nodes.names[node] ?? '',
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
  return names.map((property, i) => ({ ...base, property, ...componentKeys(keys, i, names.length) }));
}

/**
 * Converts the track of a node that stores facial animation. Returns an empty list if the track
 * animates a property that is not used for this, such as scale.
 */
function faceTrack(moved: Track, { path, name }: FaceNode): Track[] {
  const targeted: Track = { ...moved, target: '', node: -1, path, property: name };
  if (path === 'look') return moved.path === 'rotation' ? [targeted] : [];
  return moved.path === 'translation' ? [{ ...targeted, ...componentKeys(moved, 0, 3) }] : [];
}

/**
 * Resolves the name of a track to an object, a property and an index. Returns null if the name is
 * invalid or the object does not exist.
 */
function resolveTarget(name: string, root: Object3D): { object: Object3D; property: string; index: string | undefined } | null {
  // BVHLoader doesn't sanitize names. three.js would parse the part before a colon (mixamorig:Hips)
  // as a directory.
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
    return null; // the track name is invalid
  }
}

type Keys = Pick<Track, 'times' | 'values' | 'interpolation' | 'tangents' | 'weights'>;

/** Value of InterpolateBezier, which older releases of three.js don't export. */
const BEZIER = 2303;

/** Members of three's KeyframeTrack that `@types/three` doesn't declare. */
interface TrackInternals {
  createInterpolant: { isInterpolantFactoryMethodGLTFCubicSpline?: boolean };
  settings?: { inTangents?: ArrayLike<number>; outTangents?: ArrayLike<number> };
}

/**
 * Returns the keys of a track. Returns null if the track has a custom interpolant, because its
 * curve can't be read from the keys.
 */
function keysOf(track: KeyframeTrack, path: TrackPath): Keys | null {
  const times = Float32Array.from(track.times);
  const { createInterpolant } = track as unknown as TrackInternals;
  if (createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline) return gltfCubic(track, times);
  const values = Float32Array.from(track.values, Number);
  // `getInterpolation` returns undefined for custom interpolants.
  const mode = track.getInterpolation() as number | undefined;
  if (mode === InterpolateDiscrete || path === 'visible') return { times, values, interpolation: 'step' };
  if (mode === InterpolateSmooth) return { times, values, interpolation: 'hermite', tangents: smoothTangents(times, values) };
  if (mode === BEZIER) return { times, values, ...bezierHandles(track, times, values) };
  return mode === undefined ? null : { times, values, interpolation: path === 'rotation' ? 'slerp' : 'linear' };
}

/**
 * Reads the keys of a cubic spline from GLTFLoader. Each key consists of in-tangent, value and
 * out-tangent.
 */
function gltfCubic(track: KeyframeTrack, times: Float32Array): Keys {
  const width = track.values.length / Math.max(times.length, 1) / 3;
  const values = new Float32Array(width * times.length);
  const tangents = new Float32Array(2 * width * times.length);
  for (let k = 0; k < times.length; k++) {
    const [inTangent, value, outTangent] = [0, 1, 2].map(part => track.values.subarray((3 * k + part) * width, (3 * k + part + 1) * width));
    values.set(value ?? [], k * width);
    tangents.set(inTangent ?? [], 2 * k * width);
    tangents.set(outTangent ?? [], (2 * k + 1) * width);
  }
  return { times, values, tangents, interpolation: 'hermite' };
}

/**
 * Returns the slopes of the curve that three's CubicInterpolant plays. The slope at a key is the
 * mean of the slopes to the previous and to the next key; at the first and the last key, it is the
 * slope to the only neighbour.
 */
function smoothTangents(times: Float32Array, values: Float32Array): Float32Array {
  const width = values.length / Math.max(times.length, 1);
  const tangents = new Float32Array(2 * values.length);
  const slope = (k: number, c: number): number => {
    const [begin = 0, end = 0] = times.subarray(k, k + 2);
    return end > begin ? (numberAt(values, (k + 1) * width + c) - numberAt(values, k * width + c)) / (end - begin) : 0;
  };
  const last = times.length - 1;
  for (let k = 0; k <= last; k++)
    for (let c = 0; c < width; c++) {
      const before = k > 0 ? slope(k - 1, c) : k < last ? slope(k, c) : 0;
      const after = k < last ? slope(k, c) : before;
      const mean = (before + after) / 2;
      tangents[2 * width * k + c] = mean;
      tangents[2 * width * k + width + c] = mean;
    }
  return tangents;
}

/**
 * Minimum weight of a Bézier handle. A weight of 0 would place the handle at the time of its key,
 * where its slope is undefined.
 */
const LEAST_WEIGHT = 1e-6;

/**
 * Reads the handles of a Bézier track of three.js, which stores a time and a value for each key and
 * component.
 */
function bezierHandles(
  track: KeyframeTrack,
  times: Float32Array,
  values: Float32Array,
): Pick<Keys, 'interpolation' | 'tangents' | 'weights'> {
  const { inTangents, outTangents } = (track as unknown as TrackInternals).settings ?? {};
  if (!inTangents || !outTangents) return { interpolation: 'linear' };
  const width = values.length / Math.max(times.length, 1);
  const tangents = new Float32Array(2 * values.length);
  const weights = new Float32Array(2 * values.length);
  for (let k = 0; k < times.length; k++) {
    const [previous, time, next] = [times[k - 1], times[k] ?? 0, times[k + 1]];
    for (let c = 0; c < width; c++) {
      const i = k * width + c;
      const value = numberAt(values, i);
      const handle = (handles: ArrayLike<number>, span: number, at: number): void => {
        const seconds = numberAt(handles, 2 * i) - time;
        const weight = Math.min(Math.max(seconds / span, LEAST_WEIGHT), 1);
        weights[at] = weight;
        tangents[at] = (numberAt(handles, 2 * i + 1) - value) / (weight * span);
      };
      if (previous !== undefined && previous < time) handle(inTangents, previous - time, 2 * width * k + c);
      if (next !== undefined && next > time) handle(outTangents, next - time, 2 * width * k + width + c);
    }
  }
  return { interpolation: 'bezier', tangents, weights };
}

/**
 * Extracts the keys of a single component. `i`: index of the component. `width`: number of
 * components of each value.
 */
function componentKeys(
  { times, values, tangents, weights }: Keys,
  i: number,
  width: number,
): Pick<Keys, 'values' | 'tangents' | 'weights'> {
  const pick = (from: Float32Array, count: number): Float32Array =>
    Float32Array.from({ length: count }, (_, k) => from[width * k + i] ?? 0);
  return {
    values: pick(values, times.length),
    ...(tangents && { tangents: pick(tangents, 2 * times.length) }),
    ...(weights && { weights: pick(weights, 2 * times.length) }),
  };
}
