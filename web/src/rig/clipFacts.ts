// Measures a clip of a humanoid: the distance it travels, the ground contacts of its feet, and its
// cycle.
//
// A foot is in contact with the ground while its ankle or toes are low and move with the ground. In
// an in-place clip, the ground seems to move backwards under the feet. The velocity of the ground
// is the median velocity of low feet. The travel is the movement of the body relative to the
// ground.
import type { BoundClip } from '../core/bind.ts';
import { dotAt, invert, multiply, quat } from '../core/math/quaternion.ts';
import { subtract, type Vector, vectorAt } from '../core/math/vector.ts';
import { restPoseOf } from '../core/restPose.ts';
import type { RigScene } from '../core/types.ts';
import { Animator } from './animator.ts';
import { rotationOf } from './frame.ts';
import { boneOf, legLength } from './bodyPlan.ts';
import { type HumanBone, type Humanoid, humanoidOf } from './humanoid.ts';
import { Layer } from './layer.ts';

export interface ClipFacts {
  /**
   * Movement of the hips relative to the ground from the first frame to the last, as x, y and z in
   * metres. In-place clips travel as well, because the ground moves backwards.
   */
  travel: [number, number, number];
  /**
   * Movement of the hips in scene space from the first frame to the last, as x, y and z in metres.
   * `moved` minus `travel` is the movement of the ground.
   */
  moved: [number, number, number];
  /**
   * Intervals during which a foot is on the ground. `from`, `to`: times in seconds. `slide`: length of
   * the path in metres that the foot moves along the ground.
   */
  contacts: { foot: 'left' | 'right'; from: number; to: number; slide: number }[];
  /**
   * Duration of the cycle in seconds: the first time at which pose and movement are the same as in
   * the first frame. Null if the clip has no cycle.
   */
  cycle: number | null;
  /** Angle in degrees between a limb in the first and in the last frame, averaged over all limbs. */
  seam: number;
}

/**
 * Maximum height of a foot in contact with the ground, above its lowest position, in leg lengths.
 */
const MAX_HEIGHT = 0.05;
/**
 * Maximum speed of a foot in contact with the ground, relative to the ground, in leg lengths per
 * second.
 */
const MAX_SPEED = 0.35;
/** Minimum speed in leg lengths per second at which the ground counts as moving. */
const MIN_GROUND_SPEED = 0.1;
/** Minimum duration in seconds of a contact, and of a gap between two contacts of one foot. */
const MIN_CONTACT = 0.06;
/** Maximum mean angle in degrees between the limbs of two poses that count as equal. */
const EQUAL_POSE = 3;
/** Minimum duration of a cycle in seconds. */
const MIN_CYCLE = 0.2;
const MAX_FRAMES = 20_000;

const SIDES = ['left', 'right'] as const;
const LIMBS: readonly HumanBone[] = SIDES.flatMap(
  side => [`${side}UpperLeg`, `${side}LowerLeg`, `${side}UpperArm`, `${side}LowerArm`] as const,
);

/**
 * Measures a clip that is bound to `scene`. Returns null if the scene has no humanoid with feet.
 */
export function clipFacts(clip: BoundClip, scene: RigScene): ClipFacts | null {
  const body = humanoidOf(scene);
  if (!body?.bones.has('leftFoot') || !body.bones.has('rightFoot')) return null;
  const leg = legLength(body, restPoseOf(scene.nodes)) / 2;
  if (!(leg > 0)) return null;
  const samples = sample(clip, scene, body);
  const { hips, step } = samples;
  const feet = SIDES.map(foot => ({ foot, points: samples.points[foot].map(positions => pointsOf(positions, step, leg)) }));
  const points = feet.flatMap(each => each.points);
  const ground = groundOf(points, leg);
  const stand = (all: readonly Point[]): boolean[] => all.map(point => stands(point, ground, leg));
  const [first, last] = [hips[0] ?? ORIGIN, hips.at(-1) ?? ORIGIN];
  const moved = subtract(last, first);
  const [x, z] = groundMovement(
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
      return spansOf(smoothed(either, Math.round(MIN_CONTACT / step))).map(([from, to]) => ({
        foot,
        from: from * step,
        to: to * step,
        slide: slideOf([ankle, toes], ground, { from, to, step }),
      }));
    }),
    cycle: findCycle(samples),
    seam: meanAngle(samples, hips.length - 1, 0),
  };
}

const ORIGIN: Vector = [0, 0, 0];

interface Samples {
  /** Duration of a frame in seconds. */
  step: number;
  /** Positions of the hips in each frame. */
  hips: Vector[];
  /** Positions in each frame of the ankle and, if the model has toes, of the toes, by side. */
  points: Record<(typeof SIDES)[number], Vector[][]>;
  /** Rotations of LIMBS relative to the hips: for each frame, one quaternion per limb. */
  limbs: Float64Array;
  limbCount: number;
}

function sample(clip: BoundClip, scene: RigScene, body: Humanoid): Samples {
  const rate = clip.frameRate > 0 ? clip.frameRate : 30;
  const frames = Math.min(Math.max(Math.round(clip.duration * rate), 0) + 1, MAX_FRAMES);
  const animator = new Animator(scene);
  const layer = new Layer(animator.shape, clip.tracks);
  animator.layers.push(layer);
  const rowsOf = (names: readonly HumanBone[]): number[] => names.map(name => body.bones.get(name)).filter(row => row !== undefined);
  const hips = boneOf(body, 'hips');
  const limbRows = rowsOf(LIMBS);
  const tracked: { row: number; positions: Vector[] }[] = [];
  const track = (row: number): Vector[] => {
    const positions: Vector[] = [];
    tracked.push({ row, positions });
    return positions;
  };
  const hipPositions = track(hips);
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
    for (const { row, positions } of tracked) positions.push(vectorAt(matrices, 16 * row + 12));
    rotationOf(matrices, hips, pose.scales, inverse);
    invert(inverse, inverse);
    for (const row of limbRows) {
      rotationOf(matrices, row, pose.scales, limb);
      multiply(limbs, at, inverse, 0, limb, 0);
      at += 4;
    }
  }
  return { step: 1 / rate, hips: hipPositions, points, limbs, limbCount: limbRows.length };
}

/**
 * State of an ankle or of the toes in one frame: velocity along x and z in metres per second.
 * `isLow`: true near the lowest position in the clip.
 */
interface Point {
  x: number;
  z: number;
  isLow: boolean;
}

function pointsOf(positions: readonly Vector[], step: number, leg: number): Point[] {
  const lowest = positions.reduce((low, [, y]) => Math.min(low, y), Infinity);
  return positions.map((position, frame) => {
    const before = positions[frame - 1];
    const after = positions[frame + 1];
    const seconds = (Number(before !== undefined) + Number(after !== undefined)) * step || 1;
    const [x, , z] = subtract(after ?? position, before ?? position);
    return { x: x / seconds, z: z / seconds, isLow: position[1] - lowest < MAX_HEIGHT * leg };
  });
}

const stands = ({ x, z, isLow }: Point, ground: readonly [number, number], leg: number): boolean =>
  isLow && Math.hypot(x - ground[0], z - ground[1]) < MAX_SPEED * leg;

/**
 * Fills gaps between contacts of at most `short` frames, then removes contacts of at most `short`
 * frames.
 */
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

/**
 * Returns the velocity of the ground along x and z in metres per second: the median velocity of low
 * feet, or zero if the median is below MIN_GROUND_SPEED.
 */
function groundOf(points: readonly (readonly Point[])[], leg: number): [number, number] {
  const low = points.flat().filter(({ isLow }) => isLow);
  const [x, z] = [median(low.map(point => point.x)), median(low.map(point => point.z))];
  return Math.hypot(x, z) < MIN_GROUND_SPEED * leg ? [0, 0] : [x, z];
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/**
 * Returns the movement of the ground during the clip along x and z in metres. The ground moves at
 * the mean velocity of the feet that touch it, or at the velocity `ground` while both feet are in
 * the air.
 */
function groundMovement(
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

/**
 * Returns the length of the path in metres that a foot moves along the ground between two frames. The
 * slower one of ankle and toes counts, because a foot turns and rolls about either of them.
 */
function slideOf(
  points: readonly (readonly Point[])[],
  ground: readonly [number, number],
  { from, to, step }: { from: number; to: number; step: number },
): number {
  let sum = 0;
  for (let frame = from; frame < to; frame++) {
    const speeds = points.flatMap(each => {
      const [a, b] = [each[frame], each[frame + 1]];
      return a && b ? [Math.hypot((a.x + b.x) / 2 - ground[0], (a.z + b.z) / 2 - ground[1])] : [];
    });
    if (speeds.length > 0) sum += step * Math.min(...speeds);
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

/** Returns the mean angle in degrees between the limbs in the frames `a` and `b`. */
function meanAngle({ limbs, limbCount }: Samples, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < limbCount; i++) {
    const cosine = dotAt(limbs, 4 * (a * limbCount + i), limbs, 4 * (b * limbCount + i));
    sum += 2 * Math.acos(Math.min(Math.abs(cosine), 1));
  }
  return limbCount > 0 ? ((sum / limbCount) * 180) / Math.PI : 0;
}

/**
 * Returns the duration of the cycle in seconds, or null if the clip has none. The cycle ends at the
 * first frame whose pose is close to that of frame 0, closer than the poses of its neighbours, and
 * whose next frame is close to frame 1.
 */
function findCycle(samples: Samples): number | null {
  const { step } = samples;
  const frames = samples.hips.length;
  const least = Math.max(Math.round(MIN_CYCLE / step), 2);
  let farthest = 0;
  for (let frame = 1; frame < frames; frame++) farthest = Math.max(farthest, meanAngle(samples, frame, 0));
  const near = Math.min(EQUAL_POSE, farthest / 4);
  for (let frame = least; frame < frames; frame++) {
    const angle = meanAngle(samples, frame, 0);
    const isNearest = angle <= meanAngle(samples, frame - 1, 0) && (frame + 1 === frames || angle <= meanAngle(samples, frame + 1, 0));
    const continues = frame + 1 === frames || meanAngle(samples, frame + 1, 1) <= near;
    if (angle <= near && isNearest && continues) return frame * step;
  }
  return null;
}
