// A body that breathes, as motions: on top of what plays, or as all there is, with the arms down. Made of the body's own bones at rest.
import { after, cross, minus, restOf, turned, type Turn, unit, type Vector } from '../core/rest.ts';
import type { Clip, RigScene, Track } from '../core/types.ts';
import { bodyFrame } from './bodyFrame.ts';
import { type HumanBone, humanoidOf, type Humanoid } from './humanoid.ts';
import { SIDES } from './humanBones.ts';
import { turnAbout } from './quaternion.ts';
import { makeClip, occurrenceOf, sampledTrack } from './table.ts';
import { back, NONE, swing } from './turns.ts';

/** Seconds of one breath, keys of it, and how many seconds breathing in takes of it: people breathe out for longer. */
const BREATH = 4;
const KEYS = 32;
const INHALE = 0.42;

/** Degrees at the height of a breath: the trunk leans back (all its bones together), collar bones rise, neck and head keep the gaze level. */
const TRUNK = 2.2;
const COLLAR = 2.4;
const DEGREE = Math.PI / 180;

/** Arms that hang more than this out of the vertical are let down to this, in degrees; elbows bend a little. */
const ARM = 14;
const ELBOW = 12;

/** How full the lungs are, 0 to 1, at a share of a breath. */
function lungs(share: number): number {
  const way = share < INHALE ? share / INHALE : (1 - share) / (1 - INHALE);
  return way * way * (3 - 2 * way);
}

interface Body {
  scene: RigScene;
  human: Humanoid;
  turns: readonly Turn[];
  places: readonly Vector[];
  left: Vector;
  up: Vector;
  forward: Vector;
}

function bodyOf(scene: RigScene): Body | null {
  const human = humanoidOf(scene);
  if (!human) return null;
  const { places, turns } = restOf(scene.nodes);
  const { up, forward } = bodyFrame(human, { places });
  return { scene, human, turns, places, up, forward, left: cross(up, forward) };
}

/** A breath over and over as an additive motion of four seconds: what plays below it goes on. `strength` 1: at rest. Null where there is no human body. */
export function breathing(scene: RigScene, strength = 1): Clip | null {
  const body = bodyOf(scene);
  return body && clipOf('breathing', breath(body, strength, new Map(), 'additive'));
}

/** A body that stands and breathes, its arms let down from the pose it was made in; four seconds, over and over. Null where there is no human body. */
export function idle(scene: RigScene): Clip | null {
  const body = bodyOf(scene);
  if (!body) return null;
  const stands = armsDown(body);
  const moved = breath(body, 1, stands, 'absolute');
  const names = new Set(moved.map(({ target }) => target));
  const still = [...stands].filter(([row]) => !names.has(scene.nodes.names[row]!));
  return clipOf('idle', [...moved, ...still.map(([row, local]) => track(body, row, 'absolute', [0], () => local))]);
}

const clipOf = (name: string, tracks: readonly Track[]): Clip =>
  makeClip({ name, start: 0, duration: BREATH, frameRate: KEYS / BREATH, frameCount: KEYS + 1, loop: true, events: [] }, tracks);

/** Trunk, collar bones, neck and head over one breath. `stands`: local rotations instead of those at rest. */
function breath(body: Body, strength: number, stands: ReadonlyMap<number, Turn>, mode: 'absolute' | 'additive'): Track[] {
  const { human, turns, left, forward, scene } = body;
  const parts: { row: number; axis: Vector; degrees: number }[] = [];
  for (const row of human.spine) parts.push({ row, axis: left, degrees: -TRUNK / human.spine.length });
  const tops = [...human.neck, ...(human.bones.has('head') ? [human.bones.get('head')!] : [])];
  for (const row of human.spine.length > 0 ? tops : []) parts.push({ row, axis: left, degrees: TRUNK / tops.length });
  for (const side of SIDES) {
    const row = human.bones.get(`${side}Shoulder`);
    if (row !== undefined) parts.push({ row, axis: forward, degrees: side === 'left' ? COLLAR : -COLLAR });
  }
  const shares = Array.from({ length: KEYS + 1 }, (_, k) => k / KEYS);
  return parts.map(({ row, axis, degrees }) => {
    const own = turned(axis, back(turns[row]!));
    const rest = stands.get(row) ?? localOf(scene, row);
    return track(body, row, mode, shares, share => {
      const by = turnOf(own, degrees * strength * lungs(share));
      return mode === 'additive' ? by : after(rest, by);
    });
  });
}

/** Local rotations with which the arms hang down. */
function armsDown({ scene, human, places, turns, left, up, forward }: Body): Map<number, Turn> {
  const locals = new Map<number, Turn>();
  for (const side of SIDES) {
    const [upper, lower, hand] = (['UpperArm', 'LowerArm', 'Hand'] as const).map(part => human.bones.get(`${side}${part}` as HumanBone));
    if (upper === undefined || lower === undefined) continue;
    const way = unit(minus(places[lower]!, places[upper]!));
    const out: Vector = side === 'left' ? left : (left.map(value => -value) as Vector);
    const [sine, cosine] = [Math.sin(ARM * DEGREE), Math.cos(ARM * DEGREE)];
    const wanted = out.map((value, c) => value * sine - up[c]! * cosine) as Vector;
    const steep = way ? -(way[0] * up[0] + way[1] * up[1] + way[2] * up[2]) : 1;
    const isDown = steep >= cosine;
    const lowered = way && !isDown ? swing(way, wanted) : NONE;
    const above = (row: number): Turn => turns[scene.nodes.parents[row]!] ?? NONE;
    if (!isDown) locals.set(upper, after(back(above(upper)), after(lowered, turns[upper]!)));
    const bent = hand === undefined ? null : unit(minus(places[hand]!, places[lower]!));
    const along = bent && turned(bent, lowered);
    // Straight elbows bend forward; what is bent at rest stays as it is.
    if (!along || along[0] * forward[0] + along[1] * forward[1] + along[2] * forward[2] > sine) continue;
    const bend = after(
      swing(along, along.map((value, c) => value * Math.cos(ELBOW * DEGREE) + forward[c]! * Math.sin(ELBOW * DEGREE)) as Vector),
      lowered,
    );
    // Above it the arm is turned already.
    const parent = after(lowered, above(lower));
    locals.set(lower, after(back(parent), after(bend, turns[lower]!)));
  }
  return locals;
}

function localOf({ nodes }: RigScene, row: number): Turn {
  return [...nodes.rotations.subarray(4 * row, 4 * row + 4)] as Turn;
}

function turnOf([x, y, z]: Vector, degrees: number): Turn {
  const result: Turn = [0, 0, 0, 1];
  turnAbout(result, x, y, z, degrees * DEGREE);
  return result;
}

function track({ scene }: Body, row: number, mode: 'absolute' | 'additive', shares: readonly number[], at: (share: number) => Turn): Track {
  return sampledTrack({
    target: scene.nodes.names[row]!,
    occurrence: occurrenceOf(scene.nodes, row),
    path: 'rotation',
    mode,
    times: Float32Array.from(shares, share => share * BREATH),
    values: Float32Array.from(shares.flatMap(at)),
  });
}
