// Simulates spring bones by Verlet integration of the bone tails, from root to tip. There are two
// sets of rules.
//
// unity: VgoSpringBone (docs/formats/vgo.md, section 12.2). Stiffness pulls along the current
// direction of the bone, so a bone never returns to its rest pose by itself. The local length of a
// bone is constant. Only the first collider that is hit has an effect.
//
// vrm: VRMC_springBone-1.0. Stiffness pulls towards the rest rotation. Lengths are measured in
// world space. All colliders have an effect.
import {
  fromDirections,
  IDENTITY,
  invert,
  multiply,
  normalize as normalizeQuaternion,
  type Quat,
  quat,
  rotateVector,
  toQuat,
} from '../core/math/quaternion.ts';
import {
  addScaled,
  copyVector,
  distance,
  dot,
  length,
  length4,
  multiplyScalar,
  normalize,
  setDifference,
  toVec3,
  type Vec3,
  vec3,
  type Vector,
  type VectorLike,
} from '../core/math/vector.ts';

export type SpringRules = 'unity' | 'vrm';

/** Fixed time step of Unity in seconds. */
export const SPRING_STEP = 0.02;
/**
 * Duration of a simulation step in seconds for each set of rules. VRM's specification advances once
 * per frame, so `vrm` uses the duration of a frame at 60 Hz.
 */
export const SPRING_STEPS: Record<SpringRules, number> = { unity: SPRING_STEP, vrm: 1 / 60 };

/**
 * Settings of a group of spring bone chains. Forces are in metres per second, lengths in metres.
 */
export interface SpringSettings {
  /** Fraction of the velocity that is lost in each simulation step, 0 to 1. */
  dragForce: number;
  stiffnessForce: number;
  gravityPower: number;
  hitRadius: number;
}

/** Replaces settings that are out of range by defaults, as UniVGO's importer does. */
export function saneSettings({ dragForce, stiffnessForce, gravityPower, hitRadius }: SpringSettings): SpringSettings {
  const within = (value: number, most: number, otherwise: number): number => (value >= 0 && value <= most ? value : otherwise);
  return {
    dragForce: within(dragForce, 1, 0),
    stiffnessForce: within(stiffnessForce, 4, 1),
    gravityPower: within(gravityPower, 2, 1),
    hitRadius: within(hitRadius, 0.5, 0.1),
  };
}

/** A spring bone. `row`: row of the bone. `tail`: position of the tail in bone space. */
export interface SpringBone {
  row: number;
  tail: Readonly<Vector>;
  /** Local rotation of the bone in the rest pose, for VRM's rules (default: the identity). */
  rest?: readonly number[];
}

export interface SpringGroup {
  settings: SpringSettings;
  /** Direction of gravity in world space. It may change between steps. */
  gravity: Vector;
  /** Chains of spring bones, each ordered from root to tip. */
  chains: readonly (readonly SpringBone[])[];
  /**
   * Indices of colliders (see `SpringBoneAccess.collider`), in the order in which they are tested.
   */
  colliders: readonly number[];
}

/** Functions by which the simulation reads and rotates bones, and reads colliders. */
export interface SpringBoneAccess {
  /**
   * Writes the world position of a bone to `head`, the world rotation of its parent to `parent`,
   * and its local rotation to `local`. The bones above it in the chain have already been simulated.
   */
  read(row: number, head: Vec3, parent: Quat, local: Quat): void;
  /** Sets the local rotation of a bone. */
  place(row: number, local: Quat): void;
  /** Transforms a point from bone space to world space. */
  toWorld(row: number, point: VectorLike, result: Vec3): void;
  /** Writes the world position of the centre of a sphere collider, and returns its radius. */
  collider(index: number, centre: Vec3): number;
}

interface Link {
  row: number;
  /** Unit vector from head to tail, in bone space. */
  axis: Vec3;
  length: number;
  tail: Readonly<Vector>;
  rest: Quat;
  /** World positions of the tail in the current step and in the previous one. */
  current: Vec3;
  previous: Vec3;
}

interface Sphere {
  collider: number;
  centre: Vec3;
  radius: number;
}

export class SpringSimulation {
  readonly #bones: SpringBoneAccess;
  readonly #groups: { group: SpringGroup; links: Link[]; spheres: Sphere[] }[];
  rules: SpringRules;

  constructor(bones: SpringBoneAccess, groups: readonly SpringGroup[], rules: SpringRules = 'unity') {
    this.#bones = bones;
    this.rules = rules;
    this.#groups = groups.map(group => ({
      group,
      spheres: group.colliders.map(collider => ({ collider, centre: vec3(), radius: 0 })),
      links: group.chains.flat().map(({ row, tail, rest = IDENTITY }) => {
        const axis = toVec3(tail);
        normalize(axis);
        return { row, tail, rest: toQuat(rest), length: length(tail), axis, current: vec3(), previous: vec3() };
      }),
    }));
    this.reset();
  }

  /** Stops all movement by placing the tails where the current pose of the bones has them. */
  reset(): void {
    for (const { links } of this.#groups) {
      for (const { row, tail, current, previous } of links) {
        this.#bones.toWorld(row, tail, current);
        previous.set(current);
      }
    }
  }

  /** Advances the simulation by one step. SPRING_STEPS holds the duration of a step. */
  step(): void {
    for (const { group, links, spheres } of this.#groups) {
      for (const sphere of spheres) sphere.radius = this.#bones.collider(sphere.collider, sphere.centre);
      for (const link of links) this.#stepLink(link, group, spheres);
    }
  }

  // A step is divided into functions that are small enough for V8 to inline all vector functions
  // that they call. Calls that aren't inlined would allocate a number object for each argument or
  // result that is not an integer.
  #stepLink(link: Link, group: SpringGroup, spheres: readonly Sphere[]): void {
    this.#bones.read(link.row, head, parent, local);
    this.#measure(link);
    aimOf(link.axis);
    this.#predict(link, group);
    moveToDistance(next, head, boneLength);
    for (const sphere of spheres) if (isPushedOut(sphere, group.settings) && this.rules !== 'vrm') break;
    link.previous.set(link.current);
    link.current.set(next);
    if (rotateToTail()) this.#bones.place(link.row, local);
  }

  /** Sets `boneLength`, and for VRM's rules the rotation from which stiffness pulls. */
  #measure({ row, tail, rest, length: ownLength }: Link): void {
    boneLength[0] = ownLength;
    if (this.rules !== 'vrm') return;
    this.#bones.toWorld(row, tail, next);
    boneLength[0] = distance(next, head);
    local.set(rest);
  }

  /** Sets `next` to the position of the tail without the constraints of length and colliders. */
  #predict({ current, previous }: Link, { settings, gravity }: SpringGroup): void {
    const seconds = SPRING_STEPS[this.rules];
    setDifference(next, current, 0, previous, 0);
    multiplyScalar(next, 1 - settings.dragForce);
    addScaled(next, 0, current, 1);
    addScaled(next, 0, aim, settings.stiffnessForce * seconds);
    addScaled(next, 0, gravity, settings.gravityPower * seconds);
  }
}

const head = vec3();
const aim = vec3();
const next = vec3();
const away = vec3();
const parent = quat();
const local = quat();
const world = quat();
const rotation = quat();

/** Length of the bone in metres, and distance of its tail from a collider. Arrays of one number. */
const boneLength = new Float64Array(1);
const reach = new Float64Array(1);

/** Sets `aim` to the direction of a bone in world space without forces. */
function aimOf(axis: Vec3): void {
  multiply(world, 0, parent, 0, local, 0);
  aim.set(axis);
  rotateVector(aim, 0, world);
}

/** Pushes `next` out of a collider. Returns false if it isn't in the collider. */
function isPushedOut({ centre, radius }: Sphere, { hitRadius }: SpringSettings): boolean {
  reach[0] = hitRadius + radius;
  setDifference(away, next, 0, centre, 0);
  if (dot(away, away) > reach[0] * reach[0]) return false;
  moveToDistance(next, centre, reach);
  moveToDistance(next, head, boneLength);
  return true;
}

/**
 * Sets `local` to the rotation that points the bone at `next`. Returns false if the result is not a
 * rotation.
 */
function rotateToTail(): boolean {
  // The rotation from `aim` to the tail is in world space; the new local rotation is parent⁻¹ ·
  // rotation · parent · local.
  setDifference(away, next, 0, head, 0);
  fromDirections(rotation, aim, away);
  multiply(world, 0, rotation, 0, world, 0);
  invert(parent, parent);
  multiply(local, 0, parent, 0, world, 0);
  const size = length4(local[0], local[1], local[2], local[3]);
  if (!(size > 0 && size < Infinity)) return false;
  normalizeQuaternion(local);
  return true;
}

/**
 * Moves a point along the line through `centre` until its distance from the centre is `wanted[0]`. A
 * point at the centre doesn't move.
 */
function moveToDistance(point: Vec3, centre: Vec3, wanted: Float64Array): void {
  setDifference(away, point, 0, centre, 0);
  const size = length(away);
  copyVector(point, 0, centre, 0);
  if (size > 0) addScaled(point, 0, away, (wanted[0] ?? 0) / size);
}
