// Spring bones: Verlet integration of tails, bone by bone from root to tip, by one of two sets of rules. Numbers only; a host reads and places the bones.
//
// unity: as VgoSpringBone plays them (vgo.md section 12.2). Stiffness pulls along the bone as it is turned now, so nothing turns it back to its rest pose. The bone
// keeps its local length, and the first collider that is hit counts.
// vrm: as VRMC_springBone-1.0 specifies. Stiffness pulls back to the rest rotation, the length is that in the world, and every collider counts.
import { fromDirections, multiply, rotateVector } from '../core/math/quaternion.ts';
import { length3, length4, type Numbers } from '../core/math/vector.ts';

export type SpringRules = 'unity' | 'vrm';

/** Seconds: Unity's fixed time step. */
export const SPRING_STEP = 0.02;
/** Seconds per step. The specification of VRM takes the time of a frame. */
export const SPRING_STEPS: Record<SpringRules, number> = { unity: SPRING_STEP, vrm: 1 / 60 };

/** Of a group of chains. Forces are metres a second; lengths metres. */
export interface SpringSettings {
  /** 0 to 1: how much of its motion a bone loses in a step. */
  dragForce: number;
  stiffnessForce: number;
  gravityPower: number;
  hitRadius: number;
}

/** What the author's importer puts in the place of a value out of its range; it does not clamp. */
export function saneSettings({ dragForce, stiffnessForce, gravityPower, hitRadius }: SpringSettings): SpringSettings {
  const within = (value: number, most: number, otherwise: number): number => (value >= 0 && value <= most ? value : otherwise);
  return {
    dragForce: within(dragForce, 1, 0),
    stiffnessForce: within(stiffnessForce, 4, 1),
    gravityPower: within(gravityPower, 2, 1),
    hitRadius: within(hitRadius, 0.5, 0.1),
  };
}

/** A bone that swings: a row of the host, and where its tail is, in its own space. */
export interface SpringBone {
  row: number;
  tail: readonly [number, number, number];
  /** Local rotation at rest, for VRM's rules. Default: none. */
  rest?: readonly number[];
}

export interface SpringGroup {
  settings: SpringSettings;
  /** In the world; it may be turned while it plays. */
  gravity: [number, number, number];
  /** From the root on, without the leaf. */
  chains: readonly (readonly SpringBone[])[];
  /** Rows of the host's colliders, in the order in which they are asked. */
  colliders: readonly number[];
}

/** Where things are in the world. Rotations x y z w. */
export interface SpringHost {
  /** The bone's head, its parent's rotation and its own local rotation; the bone above in the chain has been placed already. */
  read(row: number, head: Numbers, parent: Numbers, local: Numbers): void;
  /** The bone's new local rotation. */
  place(row: number, local: Numbers): void;
  /** A point of the bone's own space. */
  toWorld(row: number, point: readonly [number, number, number], to: Numbers): void;
  /** A sphere: its centre, then its radius. */
  collider(index: number, to: Numbers): void;
}

interface Link {
  row: number;
  axis: Float64Array;
  length: number;
  tail: readonly [number, number, number];
  rest: readonly number[];
  current: Float64Array;
  previous: Float64Array;
}

export class SpringSolver {
  readonly #host: SpringHost;
  readonly #groups: { group: SpringGroup; links: Link[]; spheres: Float64Array[] }[];
  rules: SpringRules;

  constructor(host: SpringHost, groups: readonly SpringGroup[], rules: SpringRules = 'unity') {
    this.#host = host;
    this.rules = rules;
    this.#groups = groups.map(group => ({
      group,
      spheres: group.colliders.map(() => new Float64Array(4)),
      links: group.chains.flat().map(({ row, tail, rest = UNTURNED }) => {
        const [x, y, z] = tail;
        const length = length3(x, y, z);
        return {
          row,
          tail,
          rest,
          length,
          axis: Float64Array.from(length > 0 ? [x / length, y / length, z / length] : [0, 0, 0]),
          current: new Float64Array(3),
          previous: new Float64Array(3),
        };
      }),
    }));
    this.reset();
  }

  /** Nothing moves: the bones are where they are. */
  reset(): void {
    for (const { links } of this.#groups) {
      for (const { row, tail, current, previous } of links) {
        this.#host.toWorld(row, tail, current);
        copy(previous, current);
      }
    }
  }

  /** One step, whose length is that of the rules. */
  step(): void {
    for (let g = 0; g < this.#groups.length; g++) {
      const { group, links, spheres } = this.#groups[g]!;
      for (let i = 0; i < spheres.length; i++) this.#host.collider(group.colliders[i]!, spheres[i]!);
      for (let i = 0; i < links.length; i++) this.#swing(links[i]!, group, spheres);
    }
  }

  #swing(
    { row, tail, rest, axis, length: ownLength, current, previous }: Link,
    { settings, gravity }: SpringGroup,
    spheres: readonly Float64Array[],
  ): void {
    const isVrm = this.rules === 'vrm';
    const seconds = SPRING_STEPS[this.rules];
    this.#host.read(row, head, parent, local);
    let length = ownLength;
    if (isVrm) {
      this.#host.toWorld(row, tail, away);
      length = length3(away[0]! - head[0]!, away[1]! - head[1]!, away[2]! - head[2]!);
      for (let i = 0; i < 4; i++) local[i] = rest[i]!;
    }
    multiply(world, 0, parent, 0, local, 0);
    copy(aim, axis);
    rotateVector(aim, 0, world);
    const inertia = 1 - settings.dragForce;
    const stiffness = settings.stiffnessForce * seconds;
    const pull = settings.gravityPower * seconds;
    for (let i = 0; i < 3; i++) next[i] = current[i]! + (current[i]! - previous[i]!) * inertia + aim[i]! * stiffness + gravity[i]! * pull;
    putAt(next, head, length);
    for (let k = 0; k < spheres.length; k++) {
      const sphere = spheres[k]!;
      const reach = settings.hitRadius + sphere[3]!;
      for (let i = 0; i < 3; i++) away[i] = next[i]! - sphere[i]!;
      if (away[0]! ** 2 + away[1]! ** 2 + away[2]! ** 2 > reach * reach) continue;
      putAt(next, sphere, reach);
      putAt(next, head, length);
      if (!isVrm) break;
    }
    copy(previous, current);
    copy(current, next);
    for (let i = 0; i < 3; i++) away[i] = next[i]! - head[i]!;
    // The turn that aims the axis at the tail happens in the world, what is placed is local: parent⁻¹ · turn · parent · local.
    fromDirections(turn, aim, away);
    multiply(world, 0, turn, 0, world, 0);
    for (let i = 0; i < 3; i++) parent[i] = -parent[i]!;
    multiply(local, 0, parent, 0, world, 0);
    const size = length4(local[0]!, local[1]!, local[2]!, local[3]!);
    if (!(size > 0 && size < Infinity)) return;
    for (let i = 0; i < 4; i++) local[i]! /= size;
    this.#host.place(row, local);
  }
}

const UNTURNED: readonly number[] = [0, 0, 0, 1];

const head = new Float64Array(3);
const aim = new Float64Array(3);
const next = new Float64Array(3);
const away = new Float64Array(3);
const parent = Float64Array.of(0, 0, 0, 1);
const local = Float64Array.of(0, 0, 0, 1);
const world = Float64Array.of(0, 0, 0, 1);
const turn = Float64Array.of(0, 0, 0, 1);

function copy(to: Float64Array, from: Float64Array): void {
  for (let i = 0; i < 3; i++) to[i] = from[i]!;
}

/** Moves a point to that distance from a centre; one that lies in it stays. */
function putAt(point: Float64Array, centre: Float64Array, distance: number): void {
  const x = point[0]! - centre[0]!;
  const y = point[1]! - centre[1]!;
  const z = point[2]! - centre[2]!;
  const size = length3(x, y, z);
  const factor = size > 0 ? distance / size : 0;
  point[0] = centre[0]! + x * factor;
  point[1] = centre[1]! + y * factor;
  point[2] = centre[2]! + z * factor;
}
