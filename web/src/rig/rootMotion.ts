// Measures and sets the root motion of a clip: the distance that a body travels, and the angle that
// it turns.
import type { BoundClip } from '../core/bound.ts';
import { invalidArgument } from '../core/error.ts';
import { numberAt } from '../core/math/column.ts';
import { inverted, multiplied, type Quaternion, quat, quaternionAt, rotated, rotationAbout } from '../core/math/quaternion.ts';
import { add, scale, subtract, type Vector, vectorAt } from '../core/math/vector.ts';
import { restPoseOf } from '../core/restPose.ts';
import { nameOf, parentOf } from '../core/tree.ts';
import type { Clip, RigScene, TrackPath } from '../core/types.ts';
import { Animator } from './animator.ts';
import { rotationOf } from './frame.ts';
import { pathTo } from './hierarchy.ts';
import { bodyOf } from './humanoid.ts';
import { Layer } from './layer.ts';
import { rateOf, timesOf } from './loops.ts';
import { makeClip, namedTrack, occurrenceOf, sampledTrack } from './table.ts';

/** Movement of the hips from the start of a clip to its end. */
export interface RootMotion {
  /** Change of position in metres, scene space. */
  travel: Vector;
  /**
   * Rotation about the up axis in degrees, counterclockwise when seen from above. More than 360 for
   * several rotations.
   */
  turn: number;
}

export interface SetTravelOptions {
  /** New value of `RootMotion.turn`. By default, the rotation of the body stays as it is. */
  turn?: number;
}

const UP: Vector = [0, 1, 0];
const RADIANS = Math.PI / 180;
/** Maximum number of frames in which the rotation of the hips is measured. */
const MAX_FRAMES = 20_000;

/**
 * Measures the root motion of a clip that is bound to `scene`. In a scene without a body, the hips
 * are the first animated node, if all other animated nodes are its descendants; otherwise returns
 * null. Also returns null if the clip animates no node of the scene.
 */
export function rootMotionOf(clip: BoundClip, scene: RigScene): RootMotion | null {
  const rows = rootOf(clip, scene);
  return rows && new MovingBody(clip, scene, rows).motion;
}

/**
 * Sets the distance that a body travels during a clip by adding a movement at constant speed. Its
 * sway is kept. `clip`: bound to `scene`. `travel`: vector from the position of the hips at the start
 * to that at the end, metres, scene space; `[0, 0, 0]` plays the clip in place, and `clipFacts`
 * returns the travel of a clip that is in place (root motion). `turn`: also sets the angle that the
 * body turns, by adding a rotation about the hips at constant speed. Returns null if `rootMotionOf`
 * does. Throws a TypeError with the code INVALID_ARGUMENT unless all numbers are finite.
 */
export function setTravel(clip: BoundClip, scene: RigScene, travel: Vector, { turn }: SetTravelOptions = {}): Clip | null {
  for (const number of [travel[0], travel[1], travel[2], turn ?? 0])
    if (!Number.isFinite(number)) throw invalidArgument(`setTravel: ${number} is not a finite number`);
  const rows = rootOf(clip, scene);
  if (!rows) return null;
  const { nodes } = scene;
  const body = new MovingBody(clip, scene, rows);
  const { root, motion } = body;
  const missing = subtract(travel, motion.travel);
  const missingTurn = turn === undefined ? 0 : (turn - motion.turn) * RADIANS;
  const replaced: readonly TrackPath[] = turn === undefined ? ['translation'] : ['translation', 'rotation'];
  const isReplaced = ({ node, path }: { node: number; path: TrackPath }): boolean => node === root && replaced.includes(path);
  const keys = clip.tracks.filter(isReplaced).flatMap(track => timesOf(track, clip));
  const times = [...new Set([0, clip.duration, ...keys, ...(turn === undefined ? [] : framesOf(clip))])]
    .filter(time => time >= 0 && time <= clip.duration)
    .sort((a, b) => a - b);
  const [translations, rotations] = [new Float32Array(3 * times.length), new Float32Array(4 * times.length)];
  for (const [k, time] of times.entries()) {
    const share = clip.duration > 0 ? time / clip.duration : 0;
    const at = body.at(time);
    const yaw = rotationAbout(UP, missingTurn * share);
    const arm = subtract(at.rootPosition, at.hipsPosition);
    const moved = add(scale(missing, share), subtract(rotated(arm, yaw), arm));
    translations.set(add(at.translation, body.toParent(moved)), 3 * k);
    rotations.set(multiplied(body.turnInParent(yaw), at.rotation), 4 * k);
  }
  const names = { target: nameOf(nodes, root), occurrence: occurrenceOf(nodes, root), times: Float32Array.from(times) };
  const unmatched = new Set(clip.report.unmatched);
  const tracks = [
    ...clip.tracks.filter(track => isTransform(track) && !isReplaced(track)).map(track => namedTrack(track, nodes, track.node)),
    sampledTrack({ ...names, path: 'translation', values: translations }),
    ...(turn === undefined ? [] : [sampledTrack({ ...names, path: 'rotation', values: rotations })]),
    ...[...clip.clip.tracks].filter(track => !isTransform(track) || unmatched.has(track.target)),
  ];
  // Bound tracks have a known mode, which no override changes.
  return makeClip(clip.clip, tracks);
}

const isTransform = ({ path }: { path: TrackPath }): boolean => path === 'translation' || path === 'rotation' || path === 'scale';

const framesOf = ({ duration, frameRate }: BoundClip): number[] => {
  const count = Math.min(Math.max(Math.round(duration * rateOf({ frameRate })), 1), MAX_FRAMES);
  return Array.from({ length: count + 1 }, (_, i) => (duration * i) / count);
};

/**
 * Returns the hips and the topmost animated node among them and the nodes above them (the hips, if
 * none is animated). Returns null if the clip animates no node, or if the hips are unknown.
 */
export function rootOf({ tracks }: BoundClip, scene: RigScene): { root: number; hips: number } | null {
  const { nodes } = scene;
  const animated = new Set(tracks.filter(({ path }) => path === 'translation' || path === 'rotation').map(({ node }) => node));
  const topmost = (row: number): number | undefined => [row, ...pathTo(nodes, 0, row).toReversed()].findLast(at => animated.has(at));
  if (animated.size === 0) return null;
  const known = bodyOf(scene)?.bones.get('hips');
  const hips = known ?? Math.min(...animated);
  const root = topmost(hips) ?? hips;
  return known === undefined && [...animated].some(row => topmost(row) !== root) ? null : { root, hips };
}

/** Plays a clip, and measures how the hips and the topmost animated node above them move. */
class MovingBody {
  readonly root: number;
  readonly #hips: number;
  readonly #clip: BoundClip;
  readonly #animator: Animator;
  readonly #layer: Layer;
  /** Rotation and scale of the parent of `root`, which is not animated. */
  readonly #parentRotation: Quaternion;
  readonly #parentScale: Vector;

  constructor(clip: BoundClip, scene: RigScene, { root, hips }: { root: number; hips: number }) {
    this.#clip = clip;
    this.#hips = hips;
    this.root = root;
    this.#animator = new Animator(scene);
    this.#layer = new Layer(this.#animator.shape, clip.tracks);
    this.#animator.layers.push(this.#layer);
    const rest = restPoseOf(scene.nodes);
    const parent = parentOf(scene.nodes, this.root);
    this.#parentRotation = rest.rotation(parent);
    this.#parentScale = rest.scales[parent] ?? [1, 1, 1];
  }

  /** Local transform of the root, and the positions and rotation of root and hips in scene space. */
  at(time: number): { translation: Vector; rotation: Quaternion; rootPosition: Vector; hipsPosition: Vector; hipsRotation: Quaternion } {
    this.#layer.time = time;
    const { world } = this.#animator;
    const pose = this.#animator.evaluate();
    world.update(pose);
    const hipsRotation = quat();
    rotationOf(world.matrices, this.#hips, pose.scales, hipsRotation);
    return {
      translation: vectorAt(pose.translations, 3 * this.root),
      rotation: quaternionAt(pose.rotations, 4 * this.root),
      rootPosition: vectorAt(world.matrices, 16 * this.root + 12),
      hipsPosition: vectorAt(world.matrices, 16 * this.#hips + 12),
      hipsRotation: quaternionAt(hipsRotation, 0),
    };
  }

  get motion(): RootMotion {
    const { duration } = this.#clip;
    const [first, last] = [this.at(0), this.at(duration)];
    let sum = 0;
    let before = first.hipsRotation;
    for (const time of framesOf(this.#clip)) {
      const { hipsRotation } = this.at(time);
      sum += yawBetween(before, hipsRotation);
      before = hipsRotation;
    }
    // The sum counts whole rotations. The difference between start and end is exact: the sum also
    // contains the sway of the hips.
    const turn = yawBetween(first.hipsRotation, last.hipsRotation);
    return { travel: subtract(last.hipsPosition, first.hipsPosition), turn: turn + 360 * Math.round((sum - turn) / 360) };
  }

  /** Converts a vector from scene space to the space of the root's parent. */
  toParent(vector: Vector): Vector {
    const [x, y, z] = rotated(vector, inverted(this.#parentRotation));
    const size = this.#parentScale;
    return [x / (size[0] || 1), y / (size[1] || 1), z / (size[2] || 1)];
  }

  /** Converts a rotation from scene space to the space of the root's parent. */
  turnInParent(rotation: Quaternion): Quaternion {
    return multiplied(inverted(this.#parentRotation), multiplied(rotation, this.#parentRotation));
  }
}

/** Returns the rotation about the up axis between two rotations, in degrees from -180 to 180. */
function yawBetween(from: Quaternion, to: Quaternion): number {
  const difference = multiplied(to, inverted(from));
  const angle = (2 * Math.atan2(numberAt(difference, 1), numberAt(difference, 3))) / RADIANS;
  return angle - 360 * Math.round(angle / 360);
}
