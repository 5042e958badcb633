// Generates idle animations of humanoids from their rest pose: an additive breathing clip, and an
// absolute clip with lowered arms that also breathes.
import { parentOf, nameOf } from '../core/tree.ts';
import {
  quaternionAt,
  IDENTITY,
  inverted,
  multiplied,
  type Quaternion,
  rotated,
  rotationAbout,
  rotationBetween,
} from '../core/math/quaternion.ts';
import { scale, add, cross, dot, normalized, subtract, type Vector } from '../core/math/vector.ts';
import { type RestPose, restPoseOf } from '../core/restPose.ts';
import type { Clip, RigScene, Track } from '../core/types.ts';
import { bodyFrame } from './bodyFrame.ts';
import { type HumanBone, humanoidOf, type Humanoid } from './humanoid.ts';
import { SIDES } from '../core/nameWords.ts';
import { makeClip, occurrenceOf, sampledTrack } from './table.ts';

/** Duration of one breath of the idle animation in seconds. */
const BREATH = 4;
/** Number of intervals between the keys of one breath. */
const KEYS = 32;
/** Fraction of a breath that is spent inhaling. */
const INHALE = 0.42;

/**
 * Total backward rotation of the spine in degrees when the lungs are full. Neck and head rotate
 * forward to compensate.
 */
const TRUNK = 2.2;
/** Upward rotation of the collar bones in degrees when the lungs are full. */
const COLLAR = 2.4;
const DEGREE = Math.PI / 180;

/** Angle in degrees between lowered arms and the vertical. */
const ARM = 14;
/** Angle in degrees by which straight elbows are bent. */
const ELBOW = 12;

/** Returns how full the lungs are, 0 to 1. `share`: elapsed fraction of the breath, 0 to 1. */
function lungs(share: number): number {
  const direction = share < INHALE ? share / INHALE : (1 - share) / (1 - INHALE);
  return direction * direction * (3 - 2 * direction);
}

interface Body {
  scene: RigScene;
  human: Humanoid;
  rest: RestPose;
  left: Vector;
  up: Vector;
  forward: Vector;
}

function bodyOf(scene: RigScene): Body | null {
  const human = humanoidOf(scene);
  if (!human) return null;
  const rest = restPoseOf(scene.nodes);
  const { up, forward } = bodyFrame(human, rest);
  return { scene, human, rest, up, forward, left: cross(up, forward) };
}

/**
 * Returns an additive, looping breathing clip for a layer on top of other animations. The clip
 * lasts 4 seconds, the duration of one breath. `strength`: amplitude, 1 for a body at rest. Returns
 * null if the scene has no humanoid.
 */
export function breathing(scene: RigScene, strength = 1): Clip | null {
  const body = bodyOf(scene);
  return body && clipOf('breathing', breath(body, strength, new Map(), 'additive'));
}

/**
 * Returns an absolute, looping clip of 4 seconds in which the body stands with lowered arms and
 * breathes. Returns null if the scene has no humanoid.
 */
export function idle(scene: RigScene): Clip | null {
  const body = bodyOf(scene);
  if (!body) return null;
  const standing = armsDown(body);
  const moved = breath(body, 1, standing, 'absolute');
  const names = new Set(moved.map(({ target }) => target));
  const still = [...standing].filter(([row]) => !names.has(nameOf(scene.nodes, row)));
  return clipOf('idle', [...moved, ...still.map(([row, local]) => track(body, row, 'absolute', [0], () => local))]);
}

const clipOf = (name: string, tracks: readonly Track[]): Clip =>
  makeClip({ name, start: 0, duration: BREATH, frameRate: KEYS / BREATH, frameCount: KEYS + 1, loop: true, events: [] }, tracks);

/**
 * Returns rotation tracks of spine, collar bones, neck and head for one breath. `standing`: local
 * rotations that replace the rest rotations, by row.
 */
function breath(body: Body, strength: number, standing: ReadonlyMap<number, Quaternion>, mode: 'absolute' | 'additive'): Track[] {
  const { human, rest, left, forward, scene } = body;
  const parts: { row: number; axis: Vector; degrees: number }[] = [];
  for (const row of human.spine) parts.push({ row, axis: left, degrees: -TRUNK / human.spine.length });
  const tops = [...human.neck, human.bones.get('head') ?? []].flat();
  for (const row of human.spine.length > 0 ? tops : []) parts.push({ row, axis: left, degrees: TRUNK / tops.length });
  for (const side of SIDES) {
    const row = human.bones.get(`${side}Shoulder`);
    if (row !== undefined) parts.push({ row, axis: forward, degrees: side === 'left' ? COLLAR : -COLLAR });
  }
  const shares = Array.from({ length: KEYS + 1 }, (_, k) => k / KEYS);
  return parts.map(({ row, axis, degrees }) => {
    const own = rotated(axis, inverted(rest.rotation(row)));
    const local = standing.get(row) ?? localOf(scene, row);
    return track(body, row, mode, shares, share => {
      const by = rotationAbout(own, degrees * strength * lungs(share) * DEGREE);
      return mode === 'additive' ? by : multiplied(local, by);
    });
  });
}

/** Returns the local rotations of the arm bones for lowered arms, by row. */
function armsDown({ scene, human, rest, left, up, forward }: Body): Map<number, Quaternion> {
  const locals = new Map<number, Quaternion>();
  for (const side of SIDES) {
    const [upper, lower, hand] = (['UpperArm', 'LowerArm', 'Hand'] as const).map(part => human.bones.get(`${side}${part}` as HumanBone));
    if (upper === undefined || lower === undefined) continue;
    const direction = normalized(rest.offset(upper, lower));
    const out = scale(left, side === 'left' ? 1 : -1);
    const [sine, cosine] = [Math.sin(ARM * DEGREE), Math.cos(ARM * DEGREE)];
    const wanted = subtract(scale(out, sine), scale(up, cosine));
    const steep = direction ? -dot(direction, up) : 1;
    const isDown = steep >= cosine;
    const lowered = direction && !isDown ? rotationBetween(direction, wanted) : IDENTITY;
    const above = (row: number): Quaternion => (parentOf(scene.nodes, row) < 0 ? IDENTITY : rest.rotation(parentOf(scene.nodes, row)));
    if (!isDown) locals.set(upper, multiplied(inverted(above(upper)), multiplied(lowered, rest.rotation(upper))));
    const bent = hand === undefined ? null : normalized(rest.offset(lower, hand));
    const along = bent && rotated(bent, lowered);
    // Straight elbows are bent forward. Elbows that are bent in the rest pose keep their bend.
    if (!along || dot(along, forward) > sine) continue;
    const bentForward = add(scale(along, Math.cos(ELBOW * DEGREE)), scale(forward, Math.sin(ELBOW * DEGREE)));
    const bend = multiplied(rotationBetween(along, bentForward), lowered);
    // World rotation that the parent of the lower arm has after the upper arm was lowered.
    const parent = multiplied(lowered, above(lower));
    locals.set(lower, multiplied(inverted(parent), multiplied(bend, rest.rotation(lower))));
  }
  return locals;
}

function localOf({ nodes }: RigScene, row: number): Quaternion {
  return quaternionAt(nodes.rotations, 4 * row);
}

function track(
  { scene }: Body,
  row: number,
  mode: 'absolute' | 'additive',
  shares: readonly number[],
  at: (share: number) => Quaternion,
): Track {
  return sampledTrack({
    target: nameOf(scene.nodes, row),
    occurrence: occurrenceOf(scene.nodes, row),
    path: 'rotation',
    mode,
    times: Float32Array.from(shares, share => share * BREATH),
    values: Float32Array.from(shares.flatMap(at)),
  });
}
