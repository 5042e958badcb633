// What a motion does on its body: how far it travels, when feet stand, where it joins its own beginning.
//
// A foot stands while its ankle or its toes are low and go with the ground. A motion whose root stays in place carries its ground the other way: the speed that most low feet
// share is that of the ground, and what the body misses of it is its travel.
import type { BoundClip } from '../core/bind.ts';
import { restOf } from '../core/rest.ts';
import type { RigScene } from '../core/types.ts';
import { Animator } from './animator.ts';
import { positionOf, rotationOf } from './frame.ts';
import { type HumanBone, type Humanoid, humanoidOf, legLength } from './humanoid.ts';
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
  const points = samples.points.map(side => side.map(places => new Point(places, samples, leg)));
  const ground = groundOf(points.flat(), leg);
  const standing = points.map(side => smoothed(either(side.map(point => point.stands(ground))), Math.round(SHORT / samples.step)));
  const { hips, frames, step } = samples;
  const moved = [0, 1, 2].map(c => hips[3 * (frames - 1) + c]! - hips[c]!) as [number, number, number];
  const under = passed(points.flat(), ground, step);
  return {
    travel: [moved[0] - under[0], moved[1], moved[2] - under[1]],
    moved,
    contacts: standing.flatMap((stands, side) =>
      spansOf(stands).map(([from, to]) => ({ foot: SIDES[side]!, from: from * step, to: to * step })),
    ),
    cycle: cycleOf(samples),
    seam: apart(samples, frames - 1, 0),
  };
}

interface Samples {
  frames: number;
  /** Seconds between two. */
  step: number;
  /** Places, 3 numbers a frame. */
  hips: Float64Array;
  /** Of each side the ankle and, where there are some, the toes. */
  points: readonly (readonly Float64Array[])[];
  /** Rotations of LIMBS as seen from the hips, 4 numbers each. */
  limbs: Float64Array;
  limbCount: number;
}

function sample(motion: BoundClip, scene: RigScene, { bones }: Humanoid): Samples {
  const rate = motion.frameRate > 0 ? motion.frameRate : 30;
  const frames = Math.min(Math.max(Math.round(motion.duration * rate), 0) + 1, MOST_FRAMES);
  const animator = new Animator(new PoseShape(scene));
  const layer = new Layer(animator.shape, motion.tracks);
  animator.layers.push(layer);
  const feet = SIDES.map(side => (['Foot', 'Toes'] as const).map(part => bones.get(`${side}${part}`)).filter(row => row !== undefined));
  const limbs = LIMBS.map(bone => bones.get(bone)).filter(row => row !== undefined);
  const result = {
    frames,
    step: 1 / rate,
    hips: new Float64Array(3 * frames),
    points: feet.map(side => side.map(() => new Float64Array(3 * frames))),
    limbs: new Float64Array(4 * limbs.length * frames),
    limbCount: limbs.length,
  };
  const { matrices } = animator.world;
  const place = new Float64Array(3);
  const hips = bones.get('hips')!;
  const trunk = new Float64Array(4);
  const limb = new Float64Array(4);
  for (let frame = 0; frame < frames; frame++) {
    layer.time = frame / rate;
    const pose = animator.evaluate();
    animator.world.update(pose);
    positionOf(matrices, hips, place);
    result.hips.set(place, 3 * frame);
    for (const [side, rows] of feet.entries())
      for (const [k, row] of rows.entries()) {
        positionOf(matrices, row, place);
        result.points[side]![k]!.set(place, 3 * frame);
      }
    rotationOf(matrices, hips, pose.scales, trunk);
    for (const [i, row] of limbs.entries()) {
      rotationOf(matrices, row, pose.scales, limb);
      seenFrom(trunk, limb, result.limbs, 4 * (frame * limbs.length + i));
    }
  }
  return result;
}

/** trunk⁻¹ limb. */
function seenFrom([x, y, z, w]: Float64Array, [a, b, c, d]: Float64Array, result: Float64Array, at: number): void {
  result[at] = w! * a! - x! * d! - y! * c! + z! * b!;
  result[at + 1] = w! * b! + x! * c! - y! * d! - z! * a!;
  result[at + 2] = w! * c! - x! * b! + y! * a! - z! * d!;
  result[at + 3] = w! * d! + x! * a! + y! * b! + z! * c!;
}

class Point {
  /** Of each frame: metres per second along x and z. */
  readonly speeds: Float64Array;
  readonly isLow: Uint8Array;
  readonly #leg: number;

  constructor(places: Float64Array, { frames, step }: Samples, leg: number) {
    this.#leg = leg;
    this.speeds = new Float64Array(2 * frames);
    this.isLow = new Uint8Array(frames);
    let lowest = Infinity;
    for (let frame = 0; frame < frames; frame++) lowest = Math.min(lowest, places[3 * frame + 1]!);
    for (let frame = 0; frame < frames; frame++) {
      const [before, after] = [Math.max(frame - 1, 0), Math.min(frame + 1, frames - 1)];
      const seconds = (after - before) * step || 1;
      for (const [k, c] of [0, 2].entries()) this.speeds[2 * frame + k] = (places[3 * after + c]! - places[3 * before + c]!) / seconds;
      this.isLow[frame] = places[3 * frame + 1]! - lowest < LOW * leg ? 1 : 0;
    }
  }

  stands(ground: readonly [number, number]): Uint8Array {
    return this.isLow.map((low, frame) => {
      const speed = Math.hypot(this.speeds[2 * frame]! - ground[0], this.speeds[2 * frame + 1]! - ground[1]);
      return low && speed < SLOW * this.#leg ? 1 : 0;
    });
  }
}

const either = (all: readonly Uint8Array[]): Uint8Array => all[0]!.map((_, i) => (all.some(each => each[i]) ? 1 : 0));

/** Fills short gaps, then takes short contacts out. */
function smoothed(stands: Uint8Array, short: number): Uint8Array {
  const result = stands.slice();
  for (const value of [1, 0]) {
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

/** How fast the ground goes, x and z: what most low feet share; nothing where that is slow. */
function groundOf(points: readonly Point[], leg: number): [number, number] {
  const along = (c: number): number[] =>
    points.flatMap(({ speeds, isLow }) => [...isLow.keys()].filter(frame => isLow[frame]).map(frame => speeds[2 * frame + c]!));
  const [x, z] = [median(along(0)), median(along(1))];
  return Math.hypot(x, z) < STILL * leg ? [0, 0] : [x, z];
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** How far the ground goes: with the feet that stand, and evenly where none does. */
function passed(points: readonly Point[], ground: readonly [number, number], step: number): [number, number] {
  const sum: [number, number] = [0, 0];
  if (ground[0] === 0 && ground[1] === 0) return sum;
  const stands = points.map(point => point.stands(ground));
  for (let frame = 0; frame + 1 < stands[0]!.length; frame++) {
    for (const c of [0, 1] as const) {
      const speeds = points.flatMap((point, i) =>
        stands[i]![frame] && stands[i]![frame + 1] ? [(point.speeds[2 * frame + c]! + point.speeds[2 * frame + 2 + c]!) / 2] : [],
      );
      sum[c] += step * (speeds.length > 0 ? speeds.reduce((a, b) => a + b, 0) / speeds.length : ground[c]);
    }
  }
  return sum;
}

function spansOf(stands: Uint8Array): [number, number][] {
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
    const [p, q] = [4 * (a * limbCount + i), 4 * (b * limbCount + i)];
    const cosine = limbs[p]! * limbs[q]! + limbs[p + 1]! * limbs[q + 1]! + limbs[p + 2]! * limbs[q + 2]! + limbs[p + 3]! * limbs[q + 3]!;
    sum += 2 * Math.acos(Math.min(Math.abs(cosine), 1));
  }
  return limbCount > 0 ? ((sum / limbCount) * 180) / Math.PI : 0;
}

/** The first frame that is nearest to frame 0 among those around it, and whose next goes where the second went. */
function cycleOf(samples: Samples): number | null {
  const { frames, step } = samples;
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
