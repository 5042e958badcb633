// Samples the movement of bones whose keys cannot be retargeted one by one. These are bones that
// follow several bones of the clip's skeleton, and bones whose curves have an interpolation that
// the conversion doesn't preserve.
import { type Vector, vectorAt, scale, addScaled } from '../core/math/vector.ts';
import { invert, multiply, rotateVector } from '../core/math/quaternion.ts';
import type { BoundTrack } from '../core/bind.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Layer } from './layer.ts';
import { Pose, PoseShape } from './pose.ts';
import { axisShares, boneTrack, type BoneConversion, convertPositionFromAnchor, scaleKey, rotateKey } from './retargetTrack.ts';

/** Number of samples per second between keys, unless all curves are stepped. */
const RATE = 60;
const MAX_SAMPLES = 100_000;

type Path = 'translation' | 'rotation' | 'scale';

interface Output {
  conversion: BoneConversion;
  paths: Path[];
  shares: number[][];
  restPosition: number[];
  values: Record<Path, number[]>;
}

/**
 * Returns sampled tracks for bones of the model. `tracks`: the clip's tracks, bound to its own
 * skeleton.
 */
export function sampleBones(
  clip: Clip,
  from: RigScene,
  tracks: readonly BoundTrack[],
  conversions: readonly BoneConversion[],
): BoundTrack[] {
  const absolute = tracks.filter(({ mode }) => mode === 'absolute');
  const moved = byNode(absolute);
  const used = new Set<BoundTrack>();
  const shape = new PoseShape(from);
  const pose = new Pose(shape);
  const outputs: Output[] = [];
  for (const conversion of conversions) {
    const movers = [...conversion.up, ...conversion.down].filter(row => moved.has(row));
    const own = (moved.get(conversion.from) ?? []).map(({ path }) => path);
    const others = movers.filter(row => row !== conversion.from);
    const paths: Path[] = [];
    if (own.includes('translation') || others.length > 0) paths.push('translation');
    if (movers.some(row => moved.get(row)?.some(({ path }) => path === 'rotation'))) paths.push('rotation');
    if (own.includes('scale')) paths.push('scale');
    if (paths.length === 0) continue;
    for (const row of movers) for (const track of moved.get(row) ?? []) used.add(track);
    const restPosition = relativeToAnchor(pose, conversion).position;
    outputs.push({ conversion, paths, shares: axisShares(conversion), restPosition, values: { translation: [], rotation: [], scale: [] } });
  }
  if (outputs.length === 0) return [];
  const isStep = [...used].every(({ interpolation }) => interpolation === 'step');
  const times = Float32Array.from(timesOf([...used], clip.duration, isStep));
  const layer = new Layer(shape, absolute);
  for (const time of times) {
    pose.reset();
    layer.time = time;
    layer.apply(pose);
    for (const output of outputs) sample(pose, output);
  }
  const interpolationOf = (path: Path): BoundTrack['interpolation'] => (isStep ? 'step' : path === 'rotation' ? 'slerp' : 'linear');
  return outputs.flatMap(({ conversion, paths, values }) =>
    paths.map(path => boneTrack(path, conversion.to, times, values[path], interpolationOf(path))),
  );
}

/** Groups tracks by the row of their node. */
export function byNode(tracks: readonly BoundTrack[]): Map<number, BoundTrack[]> {
  const groups = new Map<number, BoundTrack[]>();
  for (const track of tracks) {
    const group = groups.get(track.node);
    if (group) group.push(track);
    else groups.set(track.node, [track]);
  }
  return groups;
}

/**
 * Returns ascending sample times: all key times and, unless `isStep` is true, times between them.
 */
function timesOf(tracks: readonly BoundTrack[], duration: number, isStep: boolean): number[] {
  const keys = new Set<number>();
  for (const { times } of tracks) for (const time of times) keys.add(time);
  if (tracks.some(({ before, after }) => before !== 'hold' || after !== 'hold')) for (const time of [0, duration]) keys.add(time);
  const sorted = [...keys].sort((a, b) => a - b);
  if (isStep) return sorted;
  const all: number[] = [];
  for (const [k, time] of sorted.entries()) {
    all.push(time);
    const interval = (sorted[k + 1] ?? time) - time;
    const parts = Math.min(Math.ceil(interval * RATE - 1e-3), MAX_SAMPLES - all.length);
    for (let part = 1; part < parts; part++) all.push(time + (interval * part) / parts);
  }
  return all;
}

function sample(pose: Pose, { conversion, paths, shares, restPosition, values }: Output): void {
  const { position, rotation } = relativeToAnchor(pose, conversion);
  for (const path of paths) {
    if (path === 'translation') {
      convertPositionFromAnchor(position, 0, conversion, restPosition);
      values.translation.push(...position);
    } else if (path === 'rotation') {
      rotateKey(rotation, 0, conversion.anchorLeft, conversion.right);
      const last = values.rotation.slice(-4);
      const isFar = last.reduce((sum, value, c) => sum + value * (rotation[c] ?? 0), 0) < 0;
      values.rotation.push(...(isFar ? rotation.map(value => -value) : rotation));
    } else {
      const scale = Array.from(pose.scales.subarray(3 * conversion.from, 3 * conversion.from + 3));
      scaleKey(scale, 0, shares, conversion);
      values.scale.push(...scale);
    }
  }
}

/**
 * Returns the position and rotation of a bone in the space of its anchor. A non-uniform scale
 * between anchor and bone is replaced by the geometric mean of its three factors.
 */
function relativeToAnchor(pose: Pose, { up, down }: BoneConversion): { position: number[]; rotation: number[] } {
  const own = transformAlong(pose, down);
  const anchor = transformAlong(pose, up);
  const inverse = [0, 0, 0, 1];
  invert(inverse, anchor.rotation);
  const position = own.position.map((value, c) => (value - (anchor.position[c] ?? 0)) / anchor.size);
  rotateVector(position, 0, inverse);
  multiply(own.rotation, 0, inverse, 0, own.rotation, 0);
  return { position, rotation: own.rotation };
}

/** Concatenates the local transforms of the nodes `rows`, from top to bottom. */
function transformAlong(
  { translations, rotations, scales }: Pose,
  rows: readonly number[],
): { position: number[]; rotation: number[]; size: number } {
  const position: Vector = [0, 0, 0];
  const rotation = [0, 0, 0, 1];
  let size = 1;
  for (const row of rows) {
    const step = scale(vectorAt(translations, 3 * row), size);
    rotateVector(step, 0, rotation);
    addScaled(position, 0, step, 1);
    multiply(rotation, 0, rotation, 0, rotations, 4 * row);
    size *= Math.cbrt(vectorAt(scales, 3 * row).reduce((product, factor) => product * factor)) || 1;
  }
  return { position, rotation, size };
}
