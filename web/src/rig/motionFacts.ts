// What a motion does on its body: how far it travels, when feet stand, where it joins its own beginning.
//
// A foot stands while its ankle or its toes are low and go with the ground. A motion whose root stays in place carries its ground the other way: the speed that most low feet
// share is that of the ground, and what the body misses of it is its travel.
import type { BoundClip } from '../core/bind.ts';
import { dotAt, invert, multiply, quat } from '../core/math/quaternion.ts';
import { subtract, type Vector, vectorAt } from '../core/math/vector.ts';
import { restOf } from '../core/rest.ts';
import type { RigScene } from '../core/types.ts';
import { Animator } from './animator.ts';
import { rotationOf } from './frame.ts';
import { boneOf, type HumanBone, type Humanoid, humanoidOf, legLength } from './humanoid.ts';
import { Layer } from './layer.ts';
import { PoseShape } from './pose.ts';

export interface MotionFacts {
  /** How far the body goes over the ground from the first frame to the last, x y z in metres: also where the root stays in place. */
  travel: [number, number, number];
  /** What of it the file itself moves: the rest goes under the feet. */
  moved: [number, number, number];
  /** While which a foot stands: seconds, from and to. */
  contacts: { foot: 'left' | 'right'; from: number; to: number }[];
  /** The first time at which the pose is that of the beginning again and goes on alike, seconds; null where it does not come back. */
  cycle: number | null;
  /** Mean angle by which limbs jump where the last frame is followed by the first, degrees. */
  seam: number;
}

/** Parts of a leg's length: how near its lowest a foot stands, and how fast it may be against the ground, per second. */
const LOW = 0.05;
const SLOW = 0.35;
/** Parts of a leg's length per second: a ground that is slower stands still. */
const STILL = 0.1;
/** A contact, or a gap in one, that is shorter is none, seconds. */
const SHORT = 0.06;
/** Degrees: limbs that come this near to where they were at first may have come back; nearer than the frames around. */
const BACK = 3;
/** Seconds: no cycle is shorter. */
const SHORTEST = 0.2;
const MOST_FRAMES = 20_000;

const SIDES = ['left', 'right'] as const;
const LIMBS: readonly HumanBone[] = SIDES.flatMap(
  side => [`${side}UpperLeg`, `${side}LowerLeg`, `${side}UpperArm`, `${side}LowerArm`] as const,
);

/** Null where the model is no human body with feet. `motion` is bound to the model. */
export function motionFacts(motion: BoundClip, scene: RigScene): MotionFacts | null {
  const body = humanoidOf(scene);
  if (!body?.bones.has('leftFoot') || !body.bones.has('rightFoot')) return null;
  const leg = legLength(body, restOf(scene.nodes)) / 2;
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

/** A point of a foot at one frame: its speed over the ground along x and z in metres per second, and whether it is low. */
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

/** The velocity of the ground, x and z: that of most low feet; zero if it is slow. */
function groundOf(points: readonly (readonly Point[])[], leg: number): [number, number] {
  const low = points.flat().filter(({ isLow }) => isLow);
  const [x, z] = [median(low.map(point => point.x)), median(low.map(point => point.z))];
  return Math.hypot(x, z) < STILL * leg ? [0, 0] : [x, z];
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** How far the ground moves, x and z: with the feet that stand, and evenly while none does. */
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

/** Mean angle between limbs of two frames, degrees. */
function apart({ limbs, limbCount }: Samples, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < limbCount; i++) {
    const cosine = dotAt(limbs, 4 * (a * limbCount + i), limbs, 4 * (b * limbCount + i));
    sum += 2 * Math.acos(Math.min(Math.abs(cosine), 1));
  }
  return limbCount > 0 ? ((sum / limbCount) * 180) / Math.PI : 0;
}

/** The first frame that is nearest to frame 0 among those around it, and whose next goes where the second went. */
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
