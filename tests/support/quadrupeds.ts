// Four-legged bodies with configurable proportions and bone names, and a walk with planted toes.
import { Quaternion, Vector3 } from 'three';
import { type Part, type SkeletonDesign, type TestBone, TestSkeleton } from './testSkeleton.ts';

export interface QuadrupedProportions {
  /** Factor of all heights, and of the length of leg bones. */
  height: number;
  /** Factor of the distance between hind legs and front legs. */
  trunk: number;
  /** Factor of the distance between left and right legs. */
  width: number;
  /** Height of hock and wrist, as a factor of their usual height. */
  hock: number;
  /** Factor of the distance of the joints of front legs from the vertical: 0 for straight legs. */
  frontBend: number;
  spineBones: number;
  neckBones: number;
  tailBones: number;
}

export const DOG: QuadrupedProportions = {
  height: 1,
  trunk: 1,
  width: 1,
  hock: 1,
  frontBend: 1,
  spineBones: 3,
  neckBones: 1,
  tailBones: 4,
};

export interface QuadrupedDesign extends Omit<SkeletonDesign, 'bones' | 'nameOf'> {
  proportions?: Partial<QuadrupedProportions>;
  /** Returns the bone name of a part, or null if the skeleton lacks it (default: the name of the part). */
  nameOf?: (part: Part) => string | null;
}

const SIDES = ['left', 'right'] as const;
const PAIRS = ['Front', 'Hind'] as const;
const ROOTS = { Front: 'Shoulder', Hind: 'Pelvis' } as const;

/** A quadruped that faces +Z. Its parts are those of `QuadrupedBone`, with numbered spine, neck and tail. */
export class TestQuadruped extends TestSkeleton {
  constructor({ proportions, nameOf, ...design }: QuadrupedDesign = {}) {
    super({
      ...design,
      bones: existing(bonesOf({ ...DOG, ...proportions }), nameOf ?? (part => part)),
      nameOf: part => nameOf?.(part) ?? part,
    });
  }

  /**
   * Returns the pose at a time of a walk of one cycle per second. The toes of each leg are stationary
   * for half of the cycle.
   */
  walk(time: number): { turns: Map<Part, Quaternion>; hips: Vector3 } {
    const turns = new Map<Part, Quaternion>();
    const wave = (phase: number): number => Math.sin(2 * Math.PI * (time + phase));
    const place = (part: Part): Vector3 => this.#bone(part).place.clone();
    const hipHeight = place('hips').y;
    const speed = hipHeight;
    const hips = place('hips').add(new Vector3(0, -0.09 * hipHeight, speed * time));
    turns.set('hips', about(0, 1, 0, 4 * wave(0)));
    for (const { part } of this.bones) {
      if (part.startsWith('spine')) turns.set(part, about(0.2, -1, 0, 3 * wave(0.1)));
      if (part.startsWith('neck') || part === 'head') turns.set(part, about(1, 0.2, 0, 8 * wave(0.3)));
      if (part.startsWith('tail')) turns.set(part, about(0, 1, 0, 20 * wave(0.2)));
    }
    const shifts = { leftHind: 0, leftFront: 0.25, rightHind: 0.5, rightFront: 0.75 };
    for (const [leg, shift] of Object.entries(shifts)) {
      const cycle = (time + shift) % 1;
      const swing = Math.max(cycle - 0.5, 0) / 0.5;
      const eased = swing * swing * (3 - 2 * swing);
      const toes = place(`${leg}Toes`);
      toes.y += 0.12 * hipHeight * Math.sin(Math.PI * swing);
      toes.z += speed * (time - cycle) + speed * 0.25 + speed * eased;
      const pitch = about(1, 0, 0, cycle < 0.5 ? 30 * cycle - 5 : 10 - 15 * eased + 25 * Math.sin(Math.PI * swing));
      const foot = toes.clone().sub(
        place(`${leg}Toes`)
          .sub(place(`${leg}Foot`))
          .applyQuaternion(pitch),
      );
      this.#solve(turns, leg, hips, foot);
      turns.set(`${leg}Foot`, pitch);
      turns.set(`${leg}Toes`, new Quaternion());
    }
    return { turns, hips };
  }

  #bone(part: Part): TestBone {
    return this.bones.find(bone => bone.part === part)!;
  }

  /** Returns the position of a part in a pose. */
  #placeIn(turns: ReadonlyMap<Part, Quaternion>, hips: Vector3, part: Part): Vector3 {
    const turnOf = ({ part, parent }: TestBone): Quaternion =>
      turns.get(part) ?? (parent < 0 ? new Quaternion() : turnOf(this.bones[parent]!));
    const { place, parent } = this.#bone(part);
    const above = this.bones[parent];
    return above ? this.#placeIn(turns, hips, above.part).add(place.clone().sub(above.place).applyQuaternion(turnOf(above))) : hips.clone();
  }

  #solve(turns: Map<Part, Quaternion>, leg: string, hips: Vector3, goal: Vector3): void {
    const [upper, lower, foot] = ['UpperLeg', 'LowerLeg', 'Foot'].map(part => this.#bone(`${leg}${part}`).place) as [
      Vector3,
      Vector3,
      Vector3,
    ];
    const [long, short] = [lower.clone().sub(upper), foot.clone().sub(lower)];
    const [a, b] = [long.length(), short.length()];
    const way = goal.clone().sub(this.#placeIn(turns, hips, `${leg}UpperLeg`));
    const d = Math.min(way.length(), a + b - 1e-4);
    way.normalize();
    const pole = new Vector3(0, 0, leg.endsWith('Hind') ? 1 : -1);
    pole.addScaledVector(way, -pole.dot(way)).normalize();
    const along = (a * a - b * b + d * d) / (2 * d);
    const knee = way
      .clone()
      .multiplyScalar(along)
      .addScaledVector(pole, Math.sqrt(a * a - along * along));
    turns.set(`${leg}UpperLeg`, new Quaternion().setFromUnitVectors(long.normalize(), knee.clone().normalize()));
    turns.set(
      `${leg}LowerLeg`,
      new Quaternion().setFromUnitVectors(short.normalize(), way.clone().multiplyScalar(d).sub(knee).normalize()),
    );
  }
}

type Bone = Omit<TestBone, 'axes'>;

function bonesOf(p: QuadrupedProportions): Bone[] {
  const bones: Bone[] = [];
  const add = (part: Part, parent: number, x: number, y: number, z: number): number =>
    bones.push({ part, parent, place: new Vector3(x, y * p.height, z) }) - 1;
  const [back, ahead] = [-0.3 * p.trunk, 0.25 * p.trunk];
  const hips = add('hips', -1, 0, 0.6, back);
  let above = hips;
  for (let i = 1; i <= p.spineBones; i++)
    above = add(`spine${i}`, above, 0, 0.6 + 0.01 * i, back + ((ahead - back) * i) / (p.spineBones + 0.5));
  const chest = above;
  for (let i = 1; i <= p.neckBones; i++)
    above = add(`neck${i}`, above, 0, 0.62 + (0.2 * i) / (p.neckBones + 1), ahead + (0.2 * i) / (p.neckBones + 1));
  const head = add('head', above, 0, 0.85, ahead + 0.2);
  add('jaw', head, 0, 0.82, ahead + 0.25);
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const)
    add(`${side}Ear`, head, 0.05 * sign, 0.92, ahead + 0.18);
  above = hips;
  for (let i = 1; i <= p.tailBones; i++) above = add(`tail${i}`, above, 0, 0.6 - 0.04 * i, back - 0.08 * i);
  for (const pair of PAIRS)
    for (const side of SIDES) {
      const x = (side === 'left' ? 0.1 : -0.1) * p.width;
      const [root, z] = pair === 'Hind' ? [hips, back] : [chest, ahead];
      const leg = `${side}${pair}`;
      // Height, and distance ahead of the start of the leg, of each joint.
      const joints =
        pair === 'Hind'
          ? [
              [0.56, 0],
              [0.36, 0.1],
              [0.18 * p.hock, -0.08],
              [0.03, -0.03],
            ]
          : [
              [0.45, 0.08],
              [0.34, -0.03],
              [0.13 * p.hock, 0],
              [0.03, 0.03],
            ];
      let joint = add(`${leg}${ROOTS[pair]}`, root, x / 2, 0.6, z);
      for (const [i, part] of ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].entries())
        joint = add(`${leg}${part}`, joint, x, joints[i]![0]!, z + joints[i]![1]! * p.height * (pair === 'Front' ? p.frontBend : 1));
    }
  return bones;
}

/** Removes parts without a name; their children become children of the next bone above. */
function existing(bones: readonly Bone[], nameOf: (part: Part) => string | null): Bone[] {
  const kept: Bone[] = [];
  const rows: number[] = [];
  for (const bone of bones) {
    const parent = rows[bone.parent] ?? -1;
    rows.push(nameOf(bone.part) === null ? parent : kept.push({ ...bone, parent }) - 1);
  }
  return kept;
}

function about(x: number, y: number, z: number, degrees: number): Quaternion {
  return new Quaternion().setFromAxisAngle(new Vector3(x, y, z).normalize(), (degrees * Math.PI) / 180);
}
