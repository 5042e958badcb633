// Recorded hands: joints with the interface that three's hand models expect, and a hand mesh.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Mesh,
  MeshPhysicalMaterial,
  type Object3D,
  Quaternion,
  Sphere,
  Vector3,
} from 'three';
import { propertyKey } from '../names.ts';
import type { Rig } from '../rig.ts';

/**
 * A joint with the members that XRHandPrimitiveModel, XRHandMeshModel and OculusHandModel of
 * three.js read, as WebXRController provides it.
 */
export type HandJoint = Object3D & { jointRadius: number };

/**
 * A recorded hand. `group` has the members of three's XR hand space (`joints` by WebXR name,
 * `inputState.pinching`), so that the same hand models can be driven by a recording or a headset.
 */
export interface Hand {
  handedness: 'left' | 'right';
  group: Object3D & { joints: Record<string, HandJoint>; inputState: { pinching: boolean } };
  joints: Readonly<Record<string, HandJoint>>;
  /** True if the headset tracked the hand at the current time. */
  readonly tracked: boolean;
  readonly pinching: boolean;
}

/**
 * Returns the hands in a recording, or an empty array if the rig is not a recording. Every call
 * returns the same objects.
 */
export function handsOf(rig: Rig): readonly Hand[] {
  let hands = handsOfRigs.get(rig);
  if (!hands) handsOfRigs.set(rig, (hands = makeHands(rig)));
  return hands;
}

const handsOfRigs = new WeakMap<Rig, readonly Hand[]>();

function makeHands(rig: Rig): Hand[] {
  const { scene } = rig.file;
  return (scene?.features ?? []).flatMap(({ kind, name, node, properties }) => {
    if (kind !== 'hand' || node === undefined || (name !== 'left' && name !== 'right')) return [];
    const group = rig.nodes[node] as Hand['group'];
    const rows = properties?.['joints'];
    const radii = properties?.['radii'];
    if (!Array.isArray(rows) || !Array.isArray(radii)) return [];
    const joints: Record<string, HandJoint> = Object.create(null);
    for (const [i, row] of rows.entries()) {
      const joint = rig.nodes[Number(row)] as HandJoint;
      joint.jointRadius = Number(radii[i]);
      joints[scene!.nodes.names[Number(row)]!] = joint;
    }
    const pinch = propertyKey(`${name}.pinch`);
    const hand: Hand = {
      handedness: name,
      group,
      joints,
      get tracked() {
        return group.visible;
      },
      get pinching() {
        return Number(group.userData[pinch] ?? 0) > 0.5;
      },
    };
    group.joints = joints;
    group.inputState = {
      get pinching() {
        return hand.pinching;
      },
    };
    return [hand];
  });
}

const FINGERS = ['index', 'middle', 'ring', 'pinky'] as const;
const PHALANGES = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'] as const;

/**
 * Capsules that form the hand mesh: the names of the two joints at their ends, and a factor for the
 * radii.
 */
const LIMBS: readonly (readonly [string, string, number])[] = [
  ...FINGERS.flatMap(finger =>
    PHALANGES.slice(1).map((part, i) => [`${finger}-finger-${PHALANGES[i]}`, `${finger}-finger-${part}`, i === 0 ? 0.8 : 1] as const),
  ),
  ...FINGERS.map(finger => ['wrist', `${finger}-finger-metacarpal`, 0.8] as const),
  // The palm is closed by capsules between the fingers.
  ...FINGERS.slice(1).flatMap((finger, i) => {
    const before = FINGERS[i]!;
    return [
      [`${before}-finger-phalanx-proximal`, `${finger}-finger-phalanx-proximal`, 0.95] as const,
      [`${before}-finger-metacarpal`, `${finger}-finger-metacarpal`, 0.8] as const,
      [`${before}-finger-metacarpal`, `${finger}-finger-phalanx-proximal`, 0.8] as const,
    ];
  }),
  ['wrist', 'thumb-metacarpal', 0.8],
  ['thumb-metacarpal', 'thumb-phalanx-proximal', 0.95],
  ['thumb-phalanx-proximal', 'thumb-phalanx-distal', 1],
  ['thumb-phalanx-distal', 'thumb-tip', 1],
  ['thumb-metacarpal', 'index-finger-metacarpal', 0.8],
  ['thumb-metacarpal', 'index-finger-phalanx-proximal', 0.6],
];

/** Number of rings of vertices along a capsule, from pole to pole. */
const RINGS = 10;
const SIDES = 14;
const CAP_RINGS = 4;

export interface HandBodyColors {
  skin: string | number;
  /** Color of the thumb and index finger while pinching. */
  pinch: string | number;
}

/**
 * A hand mesh that consists of tapered capsules between joints. It is emissive while pinching and
 * fades out while the hand isn't tracked. Add it to the parent of the rig's scene, and call
 * `update` once per frame after the rig has been updated.
 */
export class HandBody extends Mesh<BufferGeometry, MeshPhysicalMaterial> {
  readonly hand: Hand;
  readonly #limbs: { from: HandJoint; to: HandJoint; thickness: number; isPincher: boolean }[];
  readonly #skin = new Color();
  readonly #pinch = new Color();
  #glow = 0;

  constructor(hand: Hand, colors: Partial<HandBodyColors> = {}) {
    const limbs = LIMBS.flatMap(([a, b, thickness]) => {
      const from = hand.joints[a];
      const to = hand.joints[b];
      return from?.visible && to?.visible ? [{ from, to, thickness, isPincher: /^(thumb-phalanx|index-finger-phalanx)/.test(a) }] : [];
    });
    super(
      limbGeometry(limbs.length),
      new MeshPhysicalMaterial({ vertexColors: true, roughness: 0.55, sheen: 0.6, sheenRoughness: 0.5, transparent: true }),
    );
    this.hand = hand;
    this.#limbs = limbs;
    this.name = `${hand.handedness} hand`;
    this.castShadow = true;
    this.frustumCulled = false; // bounds would be wrong, because vertices are in world space
    this.setColors(colors);
    this.material.opacity = hand.tracked ? 1 : 0;
    this.update(0);
  }

  setColors({ skin = 0xd9c7bb, pinch = 0x3b8cff }: Partial<HandBodyColors>): void {
    this.#skin.set(skin);
    this.#pinch.set(pinch);
  }

  /**
   * Moves the mesh to the current positions of the joints, and advances emission and fading by
   * `seconds`. Returns true while emission or fading changes.
   */
  update(seconds: number): boolean {
    const { material, hand } = this;
    const target = hand.tracked ? 1 : 0;
    material.opacity = approach(material.opacity, target, seconds / 0.18);
    this.#glow = approach(this.#glow, hand.tracked && hand.pinching ? 1 : 0, seconds / 0.12);
    material.depthWrite = material.opacity > 0.98;
    this.visible = material.opacity > 0;
    if (this.visible) this.#shape();
    return material.opacity !== target || (this.#glow > 0 && this.#glow < 1);
  }

  /** Completes emission and fading immediately. Call it after a jump in time. */
  settle(): void {
    this.update(Infinity);
  }

  override dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }

  #shape(): void {
    const positions = this.geometry.getAttribute('position') as BufferAttribute;
    const normals = this.geometry.getAttribute('normal') as BufferAttribute;
    const colors = this.geometry.getAttribute('color') as BufferAttribute;
    let at = 0;
    for (const { from, to, thickness, isPincher } of this.#limbs) {
      start.setFromMatrixPosition(from.matrixWorld);
      end.setFromMatrixPosition(to.matrixWorld);
      const r0 = from.jointRadius * thickness;
      const r1 = to.jointRadius * thickness;
      axis.subVectors(end, start);
      const length = axis.length();
      axis.divideScalar(length || 1);
      if (length === 0) axis.set(0, 0, 1);
      turn.setFromRotationMatrix(from.matrixWorld);
      side.set(1, 0, 0).applyQuaternion(turn).addScaledVector(axis, -side.dot(axis));
      if (side.lengthSq() < 1e-6) side.set(0, 1, 0).addScaledVector(axis, -axis.y);
      side.normalize();
      other.crossVectors(axis, side);
      tint.copy(this.#skin).lerp(this.#pinch, isPincher ? this.#glow * 0.85 : 0);
      const slope = length > Math.abs(r0 - r1) ? (r0 - r1) / length : 0; // sine of the angle between the side and the axis
      const lean = Math.asin(slope);
      for (let ring = 0; ring < RINGS; ring++) {
        const isFirst = ring < RINGS / 2;
        const step = isFirst ? ring / CAP_RINGS : (ring - RINGS / 2) / CAP_RINGS;
        // The rings run from one pole along the side to the other pole. The side is tangent to both
        // end caps.
        const latitude = isFirst ? -Math.PI / 2 + step * (Math.PI / 2 + lean) : lean + step * (Math.PI / 2 - lean);
        const sine = Math.sin(latitude);
        const cosine = Math.cos(latitude);
        const radius = isFirst ? r0 : r1;
        center.copy(isFirst ? start : end);
        for (let i = 0; i <= SIDES; i++, at++) {
          const angle = (i / SIDES) * Math.PI * 2;
          normal
            .copy(axis)
            .multiplyScalar(sine)
            .addScaledVector(side, Math.cos(angle) * cosine)
            .addScaledVector(other, Math.sin(angle) * cosine);
          positions.setXYZ(at, center.x + normal.x * radius, center.y + normal.y * radius, center.z + normal.z * radius);
          normals.setXYZ(at, normal.x, normal.y, normal.z);
          colors.setXYZ(at, tint.r, tint.g, tint.b);
        }
      }
    }
    for (const attribute of [positions, normals, colors]) attribute.needsUpdate = true;
    const palm = this.hand.joints['middle-finger-phalanx-proximal'];
    if (palm) this.geometry.boundingSphere!.center.setFromMatrixPosition(palm.matrixWorld);
  }
}

const start = new Vector3();
const end = new Vector3();
const axis = new Vector3();
const side = new Vector3();
const other = new Vector3();
const normal = new Vector3();
const center = new Vector3();
const turn = new Quaternion();
const tint = new Color();

function limbGeometry(limbs: number): BufferGeometry {
  const geometry = new BufferGeometry();
  const row = SIDES + 1;
  const count = limbs * RINGS * row;
  for (const name of ['position', 'normal', 'color'])
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage));
  const indices: number[] = [];
  for (let limb = 0; limb < limbs; limb++) {
    for (let ring = 0; ring + 1 < RINGS; ring++) {
      for (let i = 0; i < SIDES; i++) {
        const a = (limb * RINGS + ring) * row + i;
        const b = a + 1;
        const c = a + row;
        const d = c + 1;
        indices.push(a, b, c, b, d, c);
      }
    }
  }
  geometry.setIndex(indices);
  geometry.boundingSphere = new Sphere(new Vector3(), 0.25);
  return geometry;
}

/** Moves `value` towards `target` by at most `step`. */
function approach(value: number, target: number, step: number): number {
  return value < target ? Math.min(target, value + step) : Math.max(target, value - step);
}
