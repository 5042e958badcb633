// A motion of one human body on another, whatever their bones are called, however they are turned at rest, and however long the limbs are.
//
// Each bone takes over by how much its counterpart has turned since rest, in the space of the body. Limbs of the other body are first laid along those of
// the motion's own, so that a rest pose with arms out and one with arms down give the same motion. Travel is scaled by the length of the legs; the feet then
// reach, with two bones each, for where the scaled motion has them: what stands still there stands still here.
import {
  IDENTITY,
  inverted,
  multiplied,
  multiply,
  type Quaternion,
  rotated,
  rotateVector,
  rotationAbout,
  rotationBetween,
  slerp,
  twistBetween,
} from '../core/math/quaternion.ts';
import { add, cross, dot, length, scale, subtract, type Vector } from '../core/math/vector.ts';
import type { BoundClip } from '../core/bind.ts';
import { restOf } from '../core/rest.ts';
import type { Clip, RigScene, Track } from '../core/types.ts';
import { Animator } from './animator.ts';
import { bodyFrame, type Frame } from './bodyFrame.ts';
import { positionOf, rotationOf } from './frame.ts';
import { type HumanBone, type Humanoid, humanoidOf, legLength } from './humanoid.ts';
import { Layer } from './layer.ts';
import { Leg } from './leg.ts';
import { LocalKeys } from './localKeys.ts';
import { PoseShape } from './pose.ts';
import { makeClip } from './table.ts';

export interface RetargetOptions {
  /** Keys per second of the new motion. Default: the motion's own frame rate, else 30. */
  frameRate?: number;
  /** Feet reach for where the scaled motion has them, so that what stands does not slide. Default true. */
  plantFeet?: boolean;
}

/** Most keys per track of a motion that is made: ten minutes at 60 frames a second. */
const MOST_FRAMES = 36_000;

/** A bone of the body that is moved, and one or two of the motion's body that it follows. */
interface Driven {
  bone: HumanBone | null;
  row: number;
  a: number;
  b: number;
  /** How far it goes from `a` to `b`. */
  share: number;
  /** What turns the world rotation of `a` (of `b`) into that of this bone, from the right; from the left it is `#space`. */
  fromA: Quaternion;
  fromB: Quaternion;
}

/** Two bodies that have met: made once, it carries over any number of motions. */
export class Retargeter {
  readonly source: Humanoid;
  readonly target: Humanoid;
  /** Parts of the body that are carried over. Spines and necks of any number of bones count as one bone each of the same name. */
  readonly bones: readonly HumanBone[];
  /** How long the legs of the moved body are, measured by those of the motion's own. */
  readonly scale: number;
  readonly #from: RigScene;
  readonly #to: RigScene;
  readonly #space: Quaternion;
  readonly #driven: Driven[] = [];
  readonly #sourceRest: Rest;
  readonly #targetRest: Rest;
  readonly #legs: { leg: Leg; foot: number; sourceFoot: number; apart: Vector; fromFoot: Quaternion; rise: number }[] = [];
  /** Metres by which the hips are higher than at rest, since legs that are laid along others stand steeper. */
  readonly #rise: number;

  /** The motion's own model and the one that is to be moved; null where one of them is no human body, or not known to be one. */
  static of(from: RigScene, to: RigScene): Retargeter | null {
    const source = humanoidOf(from);
    const target = humanoidOf(to);
    return source && target && new Retargeter(from, to, source, target);
  }

  private constructor(from: RigScene, to: RigScene, source: Humanoid, target: Humanoid) {
    this.#from = from;
    this.#to = to;
    this.source = source;
    this.target = target;
    this.#sourceRest = restOf(from.nodes);
    this.#targetRest = restOf(to.nodes);
    this.#space = between(bodyFrame(source, this.#sourceRest), bodyFrame(target, this.#targetRest));
    const legs = legLength(target, this.#targetRest) / legLength(source, this.#sourceRest);
    this.scale = legs > 0 && legs < Infinity ? legs : 1;
    const aligned = this.#aligned();
    this.#drive(aligned);
    this.#driven.sort((a, b) => a.row - b.row);
    this.bones = this.#driven.map(({ bone }) => bone).filter(bone => bone !== null);
    for (const side of SIDES) this.#addLeg(side, aligned);
    this.#rise = this.#legs.reduce((sum, { rise }) => sum + rise / this.#legs.length, 0);
  }

  /** The motion, bound to its own model, as a clip for the other one. It names the bones that it moves, so that it can be bound like any other. */
  retarget(motion: BoundClip, { frameRate, plantFeet = true }: RetargetOptions = {}): Clip {
    const rate = frameRate ?? (motion.frameRate > 0 ? motion.frameRate : 30);
    const frames = Math.min(Math.max(Math.round(motion.duration * rate), 0) + 1, MOST_FRAMES);
    const times = Float32Array.from({ length: frames }, (_, i) => Math.min(i / rate, motion.duration));
    const keys = this.#sample(motion, times, plantFeet);
    const faces = [...motion.clip.tracks].filter(({ path }) => path === 'weight');
    const { name, duration, loop, events } = motion;
    return makeClip({ name, start: 0, duration, frameRate: rate, frameCount: frames, loop, events }, [...keys, ...faces]);
  }

  // ---------------------------------------------------------------- two bodies meet

  #drive(aligned: ReadonlyMap<HumanBone, Quaternion>): void {
    const { source, target } = this;
    const isChain = new Set<HumanBone>(['spine', 'chest', 'upperChest', 'neck']);
    for (const [bone, row] of target.bones) {
      const a = source.bones.get(bone);
      if (a === undefined || isChain.has(bone)) continue;
      this.#add(bone, row, a, a, 0, aligned.get(bone) ?? IDENTITY);
    }
    const top = (body: Humanoid): number => body.bones.get('head') ?? body.bones.get('leftUpperArm')!;
    this.#follow('spine', source.spine, source.neck[0] ?? top(source), target.spine, target.neck[0] ?? top(target));
    this.#follow('neck', source.neck, top(source), target.neck, top(target));
  }

  #add(bone: HumanBone | null, row: number, a: number, b: number, share: number, align: Quaternion): void {
    const right = (source: number): Quaternion =>
      multiplied(
        multiplied(inverted(this.#sourceRest.turns[source]!), inverted(this.#space)),
        multiplied(align, this.#targetRest.turns[row]!),
      );
    this.#driven.push({ bone, row, a, b, share, fromA: right(a), fromB: right(b) });
  }

  /** Bones of a spine or neck follow those that lie at the same part of its length. */
  #follow(name: 'spine' | 'neck', source: readonly number[], sourceEnd: number, target: readonly number[], targetEnd: number): void {
    if (source.length === 0) return;
    const middles = middlesOf(source, sourceEnd, this.#sourceRest);
    for (const [i, middle] of middlesOf(target, targetEnd, this.#targetRest).entries()) {
      const isAlike = source.length === target.length;
      let k = isAlike ? i : middles.findIndex(other => other >= middle);
      if (k < 0) k = source.length - 1;
      const j = isAlike || k === 0 || middle >= middles.at(-1)! ? k : k - 1;
      const share = j === k ? 0 : (middle - middles[j]!) / (middles[k]! - middles[j]!);
      this.#add(i === 0 ? name : null, target[i]!, source[j]!, source[k]!, share, IDENTITY);
    }
  }

  /** Turns that lay the limbs at rest along those of the motion's own body. Trunk, feet and toes keep the posture that the body was made in. */
  #aligned(): Map<HumanBone, Quaternion> {
    const turns = new Map<HumanBone, Quaternion>();
    const wayOf = ({ bones }: Humanoid, { places }: Rest, from: HumanBone, to: HumanBone): Vector | null => {
      const [a, b] = [bones.get(from), bones.get(to)];
      return a === undefined || b === undefined ? null : subtract(places[b]!, places[a]!);
    };
    for (const chain of LIMBS) {
      let turn = chain.below ? (turns.get(chain.below) ?? IDENTITY) : IDENTITY;
      for (const [i, bone] of chain.bones.entries()) {
        const next = chain.bones[i + 1] ?? chain.end;
        const mine = next && wayOf(this.target, this.#targetRest, bone, next);
        const theirs = next && wayOf(this.source, this.#sourceRest, bone, next);
        if (mine && theirs) turn = multiplied(rotationBetween(rotated(mine, turn), rotated(theirs, this.#space)), turn);
        if (bone === 'leftHand' || bone === 'rightHand') turn = this.#alignHand(bone, turn);
        turns.set(bone, turn);
      }
    }
    return turns;
  }

  /** Hands are laid palm on palm, too, where knuckles tell how they are turned. */
  #alignHand(hand: 'leftHand' | 'rightHand', turn: Quaternion): Quaternion {
    const knuckles = (['Middle', 'Index', 'Little'] as const).map(finger => `${hand.slice(0, -4)}${finger}Proximal` as HumanBone);
    const placesIn = ({ bones }: Humanoid, { places }: Rest): Vector[] | null => {
      const rows = [hand, ...knuckles].map(bone => bones.get(bone));
      return rows.some(row => row === undefined) ? null : (rows as number[]).map(row => places[row]!);
    };
    const mine = placesIn(this.target, this.#targetRest);
    const theirs = placesIn(this.source, this.#sourceRest);
    if (!mine || !theirs) return turn;
    const [from, into] = [mine, theirs].map(
      ([wrist, middle, index, little]) => [subtract(middle!, wrist!), subtract(index!, little!)] as const,
    );
    const along = rotated(into![0], this.#space);
    const straight = multiplied(rotationBetween(rotated(from![0], turn), along), turn);
    return multiplied(twistBetween(rotated(from![1], straight), rotated(into![1], this.#space), along), straight);
  }

  #addLeg(side: 'left' | 'right', aligned: ReadonlyMap<HumanBone, Quaternion>): void {
    const { source, target } = this;
    const rows = (['UpperLeg', 'LowerLeg', 'Foot'] as const).map(part => this.#driven.findIndex(({ bone }) => bone === `${side}${part}`));
    const hips = this.#driven.findIndex(({ bone }) => bone === 'hips');
    if (rows.some(row => row < 0)) return;
    const [upper, lower, foot] = rows as [number, number, number];
    const at = (index: number): number => this.#driven[index]!.row;
    const { places, turns } = this.#targetRest;
    const sourceFoot = source.bones.get(`${side}Foot`)!;
    // How far apart the feet stand is each body's own: how wide its hips are, and what its legs are long when they are laid along the others. It turns with the foot.
    const way = (from: number, to: number, bone?: HumanBone): Vector =>
      rotated(subtract(places[at(to)]!, places[at(from)]!), (bone && aligned.get(bone)) ?? IDENTITY);
    const mine = add(add(way(hips, upper), way(upper, lower, `${side}UpperLeg`)), way(lower, foot, `${side}LowerLeg`));
    const theirs = subtract(this.#sourceRest.places[sourceFoot]!, this.#sourceRest.places[source.bones.get('hips')!]!);
    const [x, , z] = subtract(mine, scale(rotated(theirs, this.#space), this.scale));
    // It is as far above the ground as at rest.
    const height = places[at(foot)]![1] - places[target.bones.get('hips')!]![1];
    const apart: Vector = [x, height - rotated(theirs, this.#space)[1] * this.scale, z];
    const offset = (from: number, to: number): Vector => rotated(subtract(places[at(to)]!, places[at(from)]!), inverted(turns[at(from)]!));
    const ahead = rotated(bodyFrame(target, this.#targetRest).forward, inverted(turns[at(upper)]!));
    const leg = new Leg({
      hips,
      upper,
      lower,
      toUpper: offset(hips, upper),
      toLower: offset(upper, lower),
      toFoot: offset(lower, foot),
      ahead,
    });
    this.#legs.push({ leg, foot, sourceFoot, apart, fromFoot: inverted(turns[at(foot)]!), rise: height - mine[1] });
  }

  // ---------------------------------------------------------------- a motion is carried over

  #sample(motion: BoundClip, times: Float32Array, plantFeet: boolean): Track[] {
    const animator = new Animator(new PoseShape(this.#from));
    const layer = new Layer(animator.shape, motion.tracks);
    animator.layers.push(layer);
    const { matrices } = animator.world;
    const driven = this.#driven;
    const rows = [...new Set(driven.flatMap(({ a, b }) => [a, b]))];
    const turns = new Float64Array(4 * rows.length);
    const atA = driven.map(({ a }) => 4 * rows.indexOf(a));
    const atB = driven.map(({ b }) => 4 * rows.indexOf(b));
    const wanted = new Float64Array(4 * driven.length);
    const hips = driven.findIndex(({ bone }) => bone === 'hips');
    const body = new LocalKeys(this.#to.nodes, driven, times.length, hips);
    const turn = new Float64Array(4);
    const other = new Float64Array(4);
    const place = new Float64Array(3);
    const goal = new Float64Array(3);
    for (let frame = 0; frame < times.length; frame++) {
      layer.time = times[frame]!;
      const pose = animator.evaluate();
      animator.world.update(pose);
      for (let i = 0; i < rows.length; i++) {
        rotationOf(matrices, rows[i]!, pose.scales, turn);
        multiply(turns, 4 * i, this.#space, 0, turn, 0);
      }
      for (let i = 0; i < driven.length; i++) {
        const { a, b, share, fromA, fromB } = driven[i]!;
        multiply(wanted, 4 * i, turns, atA[i]!, fromA, 0);
        if (a === b) continue;
        multiply(other, 0, turns, atB[i]!, fromB, 0);
        slerp(wanted, 4 * i, wanted, 4 * i, other, 0, share);
      }
      this.#carry(matrices, driven[hips]!.a, place);
      place[1]! += this.#rise;
      if (plantFeet) this.#reach(matrices, wanted, place, goal, turn);
      body.pose(frame, wanted, place);
    }
    return body.tracks(times);
  }

  /** Where a bone of the motion's body is, as the scaled motion has it beside the other body. */
  #carry(matrices: Float64Array, row: number, result: Float64Array): void {
    const from = this.#sourceRest.places[this.source.bones.get('hips')!]!;
    const into = this.#targetRest.places[this.target.bones.get('hips')!]!;
    positionOf(matrices, row, result);
    for (let c = 0; c < 3; c++) result[c] = (result[c]! - from[c]!) * this.scale;
    rotateVector(result, 0, this.#space);
    for (let c = 0; c < 3; c++) result[c]! += into[c]!;
  }

  #reach(matrices: Float64Array, wanted: Float64Array, hips: Float64Array, goal: Float64Array, turn: Float64Array): void {
    for (let i = 0; i < this.#legs.length; i++) {
      const { leg, foot, sourceFoot, apart, fromFoot } = this.#legs[i]!;
      this.#carry(matrices, sourceFoot, goal);
      multiply(turn, 0, wanted, 4 * foot, fromFoot, 0);
      addHeading(goal, apart, turn);
      leg.reach(wanted, hips, goal);
    }
  }
}

// ---------------------------------------------------------------- bodies at rest

type Rest = ReturnType<typeof restOf>;

const SIDES = ['left', 'right'] as const;
/** Limbs as chains of bones, each laid along its counterpart. `end` only says where the last one points; fingers go on from the hand. */
const LIMBS: readonly { below?: HumanBone; bones: readonly HumanBone[]; end?: HumanBone }[] = SIDES.flatMap(side => [
  { bones: [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`] as const },
  { bones: [`${side}UpperLeg`, `${side}LowerLeg`] as const, end: `${side}Foot` as const },
  { below: `${side}Hand` as const, bones: [`${side}ThumbMetacarpal`, `${side}ThumbProximal`, `${side}ThumbDistal`] as const },
  ...(['Index', 'Middle', 'Ring', 'Little'] as const).map(finger => ({
    below: `${side}Hand` as const,
    bones: [`${side}${finger}Proximal`, `${side}${finger}Intermediate`, `${side}${finger}Distal`] as const,
  })),
]);

/** Where the parts of a chain have their middles, as parts of its length. */
function middlesOf(chain: readonly number[], end: number, { places }: Rest): number[] {
  const joints = [...chain, end].map(row => places[row]!);
  const lengths = chain.map((_, i) => length(subtract(joints[i + 1]!, joints[i]!)));
  const total = lengths.reduce((sum, each) => sum + each, 0) || 1;
  let passed = 0;
  return lengths.map(each => (passed += each) / total - each / total / 2);
}

/** Bodies that look nearly the same way, or nearly at right angles, are taken to do so: rigs are not quite symmetrical. */
const NEARLY = (5 * Math.PI) / 180;

function between(from: Frame, to: Frame): Quaternion {
  const upright = rotationBetween(from.up, to.up);
  const forward = rotated(from.forward, upright);
  const angle = Math.atan2(dot(cross(forward, to.forward), to.up), dot(forward, to.forward));
  const quarter = (Math.round(angle / (Math.PI / 2)) * Math.PI) / 2;
  const turn = Math.abs(angle - quarter) < NEARLY ? quarter : angle;
  return multiplied(rotationAbout(to.up, turn), upright);
}

/** Adds an offset that turns with the heading of a rotation, its part about +Y. */
function addHeading(place: Float64Array, offset: Vector, rotation: Float64Array): void {
  const size = Math.sqrt(rotation[1]! ** 2 + rotation[3]! ** 2) || 1;
  heading[1] = rotation[1]! / size;
  heading[3] = rotation[3]! / size;
  added.set(offset);
  rotateVector(added, 0, heading);
  for (let c = 0; c < 3; c++) place[c]! += added[c]!;
}

const heading = new Float64Array(4);
const added = new Float64Array(3);
