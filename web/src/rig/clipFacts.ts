// Measures an animation of a humanoid: travel, contacts of the feet with the ground, and its cycle.
//
// A foot is in contact while its ankle or toes are low and move with the ground. In an animation in
// place the ground moves backwards: its velocity is that of most low feet, and the travel is the
// difference between the body and the ground.
import type { BoundClip } from '../core/bind.ts';
import { dotAt, invert, multiply, quat } from '../core/math/quaternion.ts';
import { subtract, type Vector, vectorAt } from '../core/math/vector.ts';
import { restPoseOf } from '../core/restPose.ts';
import type { RigScene } from '../core/types.ts';
import { Animator } from './animator.ts';
import { rotationOf } from './frame.ts';
import { boneOf, type HumanBone, type Humanoid, humanoidOf, legLength } from './humanoid.ts';
import { Layer } from './layer.ts';
import { PoseShape } from './pose.ts';

export interface ClipFacts {
  /**
   * Movement of the body over the ground from the first frame to the last, x y z in metres, also
   * for animations in place.
   */
  travel: [number, number, number];
  /** Part of `travel` that the keys contain. The rest is movement of the ground under the feet. */
  moved: [number, number, number];
  /** Intervals during which a foot is on the ground, seconds. */
  contacts: { foot: 'left' | 'right'; from: number; to: number }[];
  /**
   * First time at which the pose and its movement equal those of the first frame, seconds; null if
   * there is none.
   */
  cycle: number | null;
  /** Mean angle between the limbs of the last and the first frame, degrees. */
  seam: number;
}

/**
 * Shares of the leg's length: greatest height of a foot in contact above its lowest point, and
 * greatest speed over the ground, per second.
 */
const LOW = 0.05;
const SLOW = 0.35;
/** A slower ground counts as still; shares of the leg's length per second. */
const STILL = 0.1;
/** Shorter contacts, and gaps between contacts, are ignored; seconds. */
const SHORT = 0.06;
/** Largest mean angle between the limbs of two equal poses, degrees. */
const BACK = 3;
/** Shortest cycle, seconds. */
const SHORTEST = 0.2;
const MOST_FRAMES = 20_000;

const SIDES = ['left', 'right'] as const;
const LIMBS: readonly HumanBone[] = SIDES.flatMap(
  side => [`${side}UpperLeg`, `${side}LowerLeg`, `${side}UpperArm`, `${side}LowerArm`] as const,
);

/**
 * Measures a clip that is bound to the model. Returns null if the model isn't a humanoid with feet.
 */
export function clipFacts(motion: BoundClip, scene: RigScene): ClipFacts | null {
  const body = humanoidOf(scene);
  if (!body?.bones.has('leftFoot') || !body.bones.has('rightFoot')) return null;
  const leg = legLength(body, restPoseOf(scene.nodes)) / 2;
  if (!(leg > 0)) return null;
  const samples = sample(motion, scene, body);
  const { hips, step } = samples;
  const feet = SIDES.map(foot => ({ foot, points: samples.points[foot].map(places => pointsOf(places, step, leg)) }));
  const points = feet.flatMap(each => each.points);
  const ground = groundOf(points, leg);
  const stand = (all: readonly Point[]): boolean[] => all.map(point => stands(point, ground, leg));
  const [first, last] = [hips[0] ?? ORIGIN, hips.at(-1) ?? ORIGIN];
  const moved = subtract(last, first);
  const [x, z] = passed(
    points.map(all => ({ points: all, stands: stand(all) })),
    ground,
    step,
  );
  return {
    travel: [moved[0] - x, moved[1], moved[2] - z],
    moved,
    contacts: feet.flatMap(({ foot, points: [ankle = [], toes = []] }) => {
      const [a, b] = [stand(ankle), stand(toes)];
      const either = a.map((is, frame) => is || b[frame] === true);
      return spansOf(smoothed(either, Math.round(SHORT / step))).map(([from, to]) => ({ foot, from: from * step, to: to * step }));
    }),
    cycle: cycleOf(samples),
    seam: apart(samples, hips.length - 1, 0),
  };
}

const ORIGIN: Vector = [0, 0, 0];

interface Samples {
  /** Seconds between two frames. */
  step: number;
  /** Positions by frame. */
  hips: Vector[];
  /** Positions by frame of the ankle and, if the model has them, the toes. */
  points: Record<(typeof SIDES)[number], Vector[][]>;
  /** Rotations of LIMBS relative to the hips: 4 numbers for each limb of each frame. */
  limbs: Float64Array;
  limbCount: number;
}

function sample(motion: BoundClip, scene: RigScene, body: Humanoid): Samples {
  const rate = motion.frameRate > 0 ? motion.frameRate : 30;
  const frames = Math.min(Math.max(Math.round(motion.duration * rate), 0) + 1, MOST_FRAMES);
  const animator = new Animator(new PoseShape(scene));
  const layer = new Layer(animator.shape, motion.tracks);
  animator.layers.push(layer);
  const rowsOf = (names: readonly HumanBone[]): number[] => names.map(name => body.bones.get(name)).filter(row => row !== undefined);
  const hips = boneOf(body, 'hips');
  const limbRows = rowsOf(LIMBS);
  const tracked: { row: number; places: Vector[] }[] = [];
  const track = (row: number): Vector[] => {
    const places: Vector[] = [];
    tracked.push({ row, places });
    return places;
  };
  const hipPlaces = track(hips);
  const points = { left: rowsOf(['leftFoot', 'leftToes']).map(track), right: rowsOf(['rightFoot', 'rightToes']).map(track) };
  const limbs = new Float64Array(4 * limbRows.length * frames);
  const { matrices } = animator.world;
  const inverse = quat();
  const limb = quat();
  let at = 0;
  for (let frame = 0; frame < frames; frame++) {
    layer.time = frame / rate;
    const pose = animator.evaluate();
    animator.world.update(pose);
    for (const { row, places } of tracked) places.push(vectorAt(matrices, 16 * row + 12));
    rotationOf(matrices, hips, pose.scales, inverse);
    invert(inverse, inverse);
    for (const row of limbRows) {
      rotationOf(matrices, row, pose.scales, limb);
      multiply(limbs, at, inverse, 0, limb, 0);
      at += 4;
    }
  }
  return { step: 1 / rate, hips: hipPlaces, points, limbs, limbCount: limbRows.length };
}

/**
 * A point of a foot at one frame: its speed over the ground along x and z in metres per second, and
 * whether it is low.
 */
interface Point {
  x: number;
  z: number;
  isLow: boolean;
}

function pointsOf(places: readonly Vector[], step: number, leg: number): Point[] {
  const lowest = places.reduce((low, [, y]) => Math.min(low, y), Infinity);
  return places.map((place, frame) => {
    const before = places[frame - 1];
    const after = places[frame + 1];
    const seconds = (Number(before !== undefined) + Number(after !== undefined)) * step || 1;
    const [x, , z] = subtract(after ?? place, before ?? place);
    return { x: x / seconds, z: z / seconds, isLow: place[1] - lowest < LOW * leg };
  });
}

const stands = ({ x, z, isLow }: Point, ground: readonly [number, number], leg: number): boolean =>
  isLow && Math.hypot(x - ground[0], z - ground[1]) < SLOW * leg;

/** Fills short gaps, then removes short contacts. */
function smoothed(stands: readonly boolean[], short: number): boolean[] {
  const result = [...stands];
  for (const value of [true, false]) {
    for (let from = 0; from < result.length;) {
      let to = from;
      while (to < result.length && result[to] === result[from]) to++;
      const isInside = from > 0 && to < result.length;
      if (result[from] !== value && isInside && to - from <= short) result.fill(value, from, to);
      from = to;
    }
  }
  return result;
}

/** Returns the velocity of the ground, x and z: that of most low feet, or zero if it is slow. */
function groundOf(points: readonly (readonly Point[])[], leg: number): [number, number] {
  const low = points.flat().filter(({ isLow }) => isLow);
  const [x, z] = [median(low.map(point => point.x)), median(low.map(point => point.z))];
  return Math.hypot(x, z) < STILL * leg ? [0, 0] : [x, z];
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/**
 * Returns the movement of the ground, x and z: that of the feet in contact, and constant while
 * there is none.
 */
function passed(
  feet: readonly { points: readonly Point[]; stands: readonly boolean[] }[],
  ground: readonly [number, number],
  step: number,
): [number, number] {
  const sum: [number, number] = [0, 0];
  if (ground[0] === 0 && ground[1] === 0) return sum;
  for (let frame = 0; frame + 1 < (feet[0]?.points.length ?? 0); frame++) {
    const speeds = feet.flatMap(({ points, stands }): [number, number][] => {
      const [a, b] = [points[frame], points[frame + 1]];
      return a && b && stands[frame] && stands[frame + 1] ? [[(a.x + b.x) / 2, (a.z + b.z) / 2]] : [];
    });
    for (const c of [0, 1] as const)
      sum[c] += step * (speeds.length > 0 ? speeds.reduce((a, b) => a + b[c], 0) / speeds.length : ground[c]);
  }
  return sum;
}

function spansOf(stands: readonly boolean[]): [number, number][] {
  const spans: [number, number][] = [];
  for (let from = 0; from < stands.length; from++) {
    if (!stands[from]) continue;
    let to = from;
    while (to + 1 < stands.length && stands[to + 1]) to++;
    spans.push([from, to]);
    from = to;
  }
  return spans;
}

/** Returns the mean angle between the limbs of two frames, degrees. */
function apart({ limbs, limbCount }: Samples, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < limbCount; i++) {
    const cosine = dotAt(limbs, 4 * (a * limbCount + i), limbs, 4 * (b * limbCount + i));
    sum += 2 * Math.acos(Math.min(Math.abs(cosine), 1));
  }
  return limbCount > 0 ? ((sum / limbCount) * 180) / Math.PI : 0;
}

/**
 * Returns the first frame that is closer to frame 0 than its neighbours and whose successor is
 * close to frame 1.
 */
function cycleOf(samples: Samples): number | null {
  const { step } = samples;
  const frames = samples.hips.length;
  const least = Math.max(Math.round(SHORTEST / step), 2);
  let farthest = 0;
  for (let frame = 1; frame < frames; frame++) farthest = Math.max(farthest, apart(samples, frame, 0));
  const near = Math.min(BACK, farthest / 4);
  for (let frame = least; frame < frames; frame++) {
    const here = apart(samples, frame, 0);
    const isNearest = here <= apart(samples, frame - 1, 0) && (frame + 1 === frames || here <= apart(samples, frame + 1, 0));
    const goesOn = frame + 1 === frames || apart(samples, frame + 1, 1) <= near;
    if (here <= near && isNearest && goesOn) return frame * step;
  }
  return null;
}
