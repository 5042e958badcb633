// Human bodies with configurable proportions, rest pose and bone names, and a walk whose limb
// positions are known in closed form. They are the ground truth for retargeting tests.
import { Quaternion, Vector3 } from 'three';
import type { Clip } from '../../web/src/core/types.ts';
import { castFile, type CastNode, type CastProperty, model, node } from './castFile.ts';
import { type Part, type TestBone, TestSkeleton } from './testSkeleton.ts';

export type { Part };

export interface Proportions {
  upperLeg: number;
  lowerLeg: number;
  ankle: number;
  hipWidth: number;
  spine: number;
  spineBones: number;
  neckBones: number;
  shoulderWidth: number;
  upperArm: number;
  lowerArm: number;
  hasFingers: boolean;
  /** Adds a bone in the palm, with the number 0, above each finger except the thumb. */
  hasPalms: boolean;
  hasEyes: boolean;
}

export const AVERAGE: Proportions = {
  upperLeg: 0.45,
  lowerLeg: 0.43,
  ankle: 0.08,
  hipWidth: 0.18,
  spine: 0.5,
  spineBones: 3,
  neckBones: 1,
  shoulderWidth: 0.36,
  upperArm: 0.3,
  lowerArm: 0.27,
  hasFingers: true,
  hasPalms: false,
  hasEyes: false,
};

export interface BodyDesign {
  proportions?: Partial<Proportions>;
  /** Returns the bone name of a body part (default: the name of the part). */
  nameOf?: (part: Part) => string;
  /** Angle in degrees of the arms below the horizontal in the rest pose (default: 0, a T-pose). */
  armsDown?: number;
  /** Seed of the random bone axes; 0 for world axes. */
  axes?: number;
  /** Rotation of the body about +Y in the rest pose, in degrees. */
  yaw?: number;
  /**
   * Rotation of the hands about the arm axis in the rest pose, in degrees (default: 0, palms down).
   */
  palm?: number;
}

const FINGERS = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];
const FORWARD = new Vector3(0, 0, 1);
const SIGNS = [
  ['left', 1],
  ['right', -1],
] as const;

/** A human body for tests. Its poses are world rotations of its parts relative to the T-pose. */
export class TestBody extends TestSkeleton {
  readonly p: Proportions;

  constructor({ proportions, nameOf, armsDown = 0, axes = 0, yaw = 0, palm = 0 }: BodyDesign = {}) {
    const p = { ...AVERAGE, ...proportions };
    const bones = bonesOf(p);
    const rest = new Map<Part, Quaternion>();
    for (const [side, sign] of [
      ['left', -1],
      ['right', 1],
    ] as const) {
      const down = new Quaternion().setFromAxisAngle(FORWARD, (sign * armsDown * Math.PI) / 180);
      for (const { part } of bones)
        if (part.startsWith(side) && /Arm|Hand|Thumb|Index|Middle|Ring|Little/.test(part))
          rest.set(part, /Arm/.test(part) ? down : down.clone().multiply(about(1, 0, 0, -palm)));
    }
    super({ bones, nameOf, axes, yaw, rest });
    this.p = p;
  }

  hipHeight(): Vector3 {
    return new Vector3(0, this.p.upperLeg + this.p.lowerLeg + this.p.ankle, 0);
  }

  /**
   * Returns the pose at a time of a walk with two steps per second. Each foot is stationary for
   * half of its cycle while the body moves forward, and swings through the air for the other half.
   * The legs bend in a plane; arms and spine sway. Before the body is rotated by `yaw`, it walks
   * along +Z.
   */
  walk(time: number, speed = 1): { turns: Map<Part, Quaternion>; hips: Vector3 } {
    const { p } = this;
    const leg = p.upperLeg - 0.02 + p.lowerLeg;
    const turns = new Map<Part, Quaternion>();
    const travel = speed * leg * time;
    const phase = time % 1;
    const hips = new Vector3(0, this.hipHeight().y - 0.06 * leg + 0.01 * leg * Math.cos(4 * Math.PI * phase), travel);
    turns.set('hips', about(0, 1, 0, 4 * Math.sin(2 * Math.PI * phase)));
    for (let i = 1; i <= p.spineBones; i++) turns.set(`spine${i}`, about(0.2, -1, 0.3, 5 * Math.sin(2 * Math.PI * phase)));
    for (let i = 1; i <= p.neckBones; i++) turns.set(`neck${i}`, new Quaternion());
    turns.set('head', about(0, 1, 0, 3 * Math.sin(2 * Math.PI * phase)));
    for (const [side, sign, shift] of [
      ['left', 1, 0],
      ['right', -1, 0.5],
    ] as const) {
      const cycle = (time + shift) % 1;
      const strideStart = speed * leg * (time - cycle);
      // The foot is on the ground in the first half of its cycle. It lands a quarter of a stride
      // ahead of the body.
      const standing = strideStart + speed * leg * 0.25;
      const swing = Math.max(cycle - 0.5, 0) / 0.5;
      const eased = swing * swing * (3 - 2 * swing);
      const ankle = new Vector3(0, p.ankle + 0.15 * leg * Math.sin(Math.PI * swing), standing + speed * leg * eased);
      const joint = new Vector3((sign * p.hipWidth) / 2, -0.02, 0).applyQuaternion(turns.get('hips')!).add(hips);
      ankle.x = (sign * p.hipWidth) / 2;
      this.#solveLeg(turns, side, joint, ankle);
      turns.set(`${side}Foot`, about(1, 0, 0, -20 * Math.sin(Math.PI * swing)));
      const arm = about(1, 0, 0, sign * 25 * Math.sin(2 * Math.PI * phase)).multiply(about(0, 0, 1, -sign * 70));
      turns.set(`${side}Shoulder`, turns.get(`spine${p.spineBones}`)!.clone());
      turns.set(`${side}UpperArm`, arm);
      turns.set(`${side}LowerArm`, about(1, 0, 0, sign * 25 * Math.sin(2 * Math.PI * phase) - 30).multiply(about(0, 0, 1, -sign * 70)));
      for (const finger of FINGERS.slice(1))
        for (let i = 1; i <= 3; i++)
          turns.set(
            `${side}${finger}${i}`,
            turns
              .get(`${side}LowerArm`)!
              .clone()
              .multiply(about(0, 0, 1, -sign * 20 * i)),
          );
    }
    return { turns, hips };
  }

  #solveLeg(turns: Map<Part, Quaternion>, side: string, joint: Vector3, ankle: Vector3): void {
    const [a, b] = [this.p.upperLeg - 0.02, this.p.lowerLeg];
    const way = ankle.clone().sub(joint);
    const d = Math.min(way.length(), a + b - 1e-4);
    way.normalize();
    const pole = FORWARD.clone().addScaledVector(way, -FORWARD.dot(way)).normalize();
    const along = (a * a - b * b + d * d) / (2 * d);
    const knee = way
      .clone()
      .multiplyScalar(along)
      .addScaledVector(pole, Math.sqrt(a * a - along * along));
    const down = new Vector3(0, -1, 0);
    turns.set(`${side}UpperLeg`, new Quaternion().setFromUnitVectors(down, knee.clone().normalize()));
    turns.set(`${side}LowerLeg`, new Quaternion().setFromUnitVectors(down, way.clone().multiplyScalar(d).sub(knee).normalize()));
  }
}

/** Returns the bones of a body in T-pose. */
function bonesOf(p: Proportions): Omit<TestBone, 'axes'>[] {
  const bones: Omit<TestBone, 'axes'>[] = [];
  const add = (part: Part, parent: number, x: number, y: number, z: number): number =>
    bones.push({ part, parent, place: new Vector3(x, y, z) }) - 1;
  const hip = p.upperLeg + p.lowerLeg + p.ankle;
  const hips = add('hips', -1, 0, hip, 0);
  let above = hips;
  for (let i = 0; i < p.spineBones; i++) above = add(`spine${i + 1}`, above, 0, hip + (p.spine * (i + 1)) / (p.spineBones + 1), 0);
  const chest = above;
  const top = hip + p.spine;
  for (let i = 0; i < p.neckBones; i++) above = add(`neck${i + 1}`, above, 0, top + (0.1 * (i + 1)) / (p.neckBones + 1), 0.01);
  const head = add('head', above, 0, top + 0.12, 0.02);
  if (p.hasEyes) for (const [side, sign] of SIGNS) add(`${side}Eye`, head, sign * 0.03, top + 0.2, 0.1);
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    const shoulder = add(`${side}Shoulder`, chest, sign * 0.04, top, 0);
    let x = p.shoulderWidth / 2;
    const upper = add(`${side}UpperArm`, shoulder, sign * x, top, 0);
    const lower = add(`${side}LowerArm`, upper, sign * (x += p.upperArm), top, 0);
    const hand = add(`${side}Hand`, lower, sign * (x += p.lowerArm), top, 0);
    if (p.hasFingers)
      for (const [f, finger] of FINGERS.entries()) {
        let joint = p.hasPalms && f > 0 ? add(`${side}${finger}0`, hand, sign * (x + 0.02), top, 0.02 - 0.01 * f) : hand;
        for (let i = 0; i < 3; i++)
          joint = add(
            `${side}${finger}${i + 1}`,
            joint,
            sign * (x + (f === 0 ? 0.02 : 0.09) + 0.03 * i),
            top - (f === 0 ? 0.02 : 0),
            0.04 - 0.02 * f + (f === 0 ? 0.02 : 0),
          );
      }
    const w = (sign * p.hipWidth) / 2;
    const thigh = add(`${side}UpperLeg`, hips, w, hip - 0.02, 0);
    const shin = add(`${side}LowerLeg`, thigh, w, p.ankle + p.lowerLeg, 0);
    const foot = add(`${side}Foot`, shin, w, p.ankle, 0);
    add(`${side}Toes`, foot, w, 0.02, 0.14);
  }
  return bones;
}

/** Builds a Cast file with a model of a body. `more`: additional nodes of the model. */
export function castBody({ scene: { nodes } }: TestBody, ...more: CastNode[]): Uint8Array {
  const bones = Array.from({ length: nodes.length - 1 }, (_, i) =>
    node('bone', {
      n: ['s', nodes.names[i + 1]!],
      p: ['i', [nodes.parents[i + 1]! > 0 ? nodes.parents[i + 1]! - 1 : 0xffffffff]],
      lp: ['3v', [...nodes.translations.subarray(3 * i + 3, 3 * i + 6)]],
      lr: ['4v', [...nodes.rotations.subarray(4 * i + 4, 4 * i + 8)]],
    }),
  );
  return castFile(model('body', node('skel', {}, ...bones), ...more));
}

export function castMotion({ frameRate, frameCount, tracks }: Clip): Uint8Array {
  const kb = ['i', Array.from({ length: frameCount }, (_, i) => i)] as const;
  const curves = [...tracks].flatMap(({ target, path, values }) => {
    const curve = (kp: string, kv: CastProperty) => node('curv', { nn: ['s', target], kp: ['s', kp], kb, kv, m: ['s', 'absolute'] });
    const component = (c: number): number[] => Array.from({ length: frameCount }, (_, i) => values[3 * i + c]!);
    return path === 'rotation' ? [curve('rq', ['4v', [...values]])] : ['tx', 'ty', 'tz'].map((name, c) => curve(name, ['f', component(c)]));
  });
  return castFile(node('anim', { fr: ['f', [frameRate]] }, ...curves));
}

function about(x: number, y: number, z: number, degrees: number): Quaternion {
  return new Quaternion().setFromAxisAngle(new Vector3(x, y, z).normalize(), (degrees * Math.PI) / 180);
}
