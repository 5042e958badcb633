// Spring bones of @pixiv/three-vrm-springbone, fetched only for files that have some (modules.ts). Rules: vgo.md section 12.2.
import { type Matrix4, type Object3D, type Quaternion, type QuaternionLike, Vector3 } from 'three';
import { listIn, member, numberIn, numbersIn } from '../core/properties.ts';
import type { Properties, RigScene } from '../core/types.ts';
import {
  type ColliderGroup,
  type Joint,
  type Settings,
  VRMSpringBoneCollider,
  VRMSpringBoneColliderShapeSphere,
  VRMSpringBoneJoint,
  VRMSpringBoneManager,
} from './vendor/springBone.ts';

const STEP = 1 / 60;
const MOST_STEPS = 6;

/** Larger where its node is scaled. */
class ScaledSphere extends VRMSpringBoneColliderShapeSphere {
  override calculateCollision(colliderMatrix: Matrix4, position: Vector3, radius: number, target: Vector3): number {
    const own = this.radius;
    this.radius = own * colliderMatrix.getMaxScaleOnAxis();
    const distance = super.calculateCollision(colliderMatrix, position, radius, target);
    this.radius = own;
    return distance;
  }
}

/** Hair, tails and skirts that swing. */
export class SpringBones {
  readonly #manager = new VRMSpringBoneManager();
  readonly #bones: { bone: Object3D; rest: Quaternion; last: Quaternion }[] = [];
  readonly #pulls: { joint: Joint; gravity: Vector3 }[] = [];
  #isOn = true;
  #due = 0;

  /** Null where the file has none that could move. `nodes` by row of the scene's. */
  static of(scene: RigScene, nodes: readonly Object3D[]): SpringBones | null {
    const springs = new SpringBones(scene, nodes);
    return springs.#bones.length ? springs : null;
  }

  private constructor(scene: RigScene, nodes: readonly Object3D[]) {
    const groups = colliderGroups(scene, nodes);
    const firstChild = firstChildren(scene);
    const taken = new Set<number>();
    for (const { kind, properties } of scene.features) {
      if (kind !== 'springBone' || member(properties, 'enabled') === false) continue;
      const settings = settingsOf(properties);
      const colliders = listIn(properties, 'colliderGroups').flatMap(index => groups.get(Number(index)) ?? []);
      for (const root of listIn(properties, 'rootBones')) {
        // The first child only; what ends the chain only shows its parent the way.
        for (let row = Number(root); nodes[row] && !taken.has(row); ) {
          const next = firstChild.get(row);
          const child = next === undefined ? undefined : nodes[next];
          if (!child) break;
          taken.add(row);
          const joint = new VRMSpringBoneJoint(nodes[row], child, { ...settings, gravityDir: settings.gravityDir.clone() }, colliders);
          this.#manager.addJoint(joint);
          this.#pulls.push({ joint, gravity: settings.gravityDir });
          this.#bones.push({ bone: nodes[row], rest: nodes[row].quaternion.clone(), last: nodes[row].quaternion.clone() });
          row = next!;
        }
      }
    }
    if (this.#bones.length) this.#manager.setInitState();
    for (const { bone } of this.#bones) bone.matrixAutoUpdate = true; // the library turns it off, but motions and poses go on moving bones
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Off: the bones are as the file, or a motion, has them. */
  set isOn(on: boolean) {
    if (on === this.#isOn) return;
    this.#isOn = on;
    this.reset();
  }

  /** Bones that swing. */
  get bones(): readonly Object3D[] {
    return this.#bones.map(({ bone }) => bone);
  }

  /** Back to rest, without a swing: after a jump, a teleport, or another pose. */
  reset(): void {
    this.#due = 0;
    this.#manager.reset();
    for (const { bone, rest } of this.#bones) bone.quaternion.copy(rest);
  }

  /**
   * Gravity is the world's, whichever way the rig stands in it. A page that turns the file's whole world (an avatar to its camera) says so here, so that
   * what pulls sideways, a wind, turns along.
   */
  turnWorld(turn: QuaternionLike): void {
    for (const { joint, gravity } of this.#pulls) joint.settings.gravityDir.copy(gravity).applyQuaternion(turn);
  }

  /** Call it when everything else stands where it shall this frame. True while something still moves. */
  update(seconds: number): boolean {
    if (!this.#isOn) return false;
    this.#due += seconds > 0 ? Math.min(seconds, MOST_STEPS * STEP) : 0;
    // One step a frame at 60 frames a second, although no two frames are equally long.
    const steps = Math.min(Math.floor(this.#due / STEP + 0.3), MOST_STEPS);
    if (steps === 0) return true;
    this.#due = Math.max(Math.min(this.#due - steps * STEP, STEP), -STEP);
    for (let i = 0; i < steps; i++) this.#manager.update(STEP);
    let isMoving = false;
    for (const { bone, last } of this.#bones) {
      isMoving ||= Math.abs(bone.quaternion.dot(last)) < 1 - 1e-9;
      last.copy(bone.quaternion);
    }
    return isMoving;
  }
}

function settingsOf(properties: Properties | undefined): Settings {
  const [x = 0, y = 0, z = 0] = numbersIn(properties, 'gravityDirection', [0, 0, 0]);
  return {
    hitRadius: numberIn(properties, 'hitRadius', 0.1),
    stiffness: numberIn(properties, 'stiffnessForce', 1),
    gravityPower: numberIn(properties, 'gravityPower', 1),
    gravityDir: new Vector3(x, y, z),
    dragForce: numberIn(properties, 'dragForce', 0),
  };
}

function colliderGroups(scene: RigScene, nodes: readonly Object3D[]): Map<number, ColliderGroup> {
  const groups = new Map<number, ColliderGroup>();
  for (const { kind, node, properties } of scene.features) {
    const owner = kind === 'springBoneColliderGroup' && node !== undefined ? nodes[node] : undefined;
    if (!owner) continue;
    const colliders = listIn(properties, 'colliders').map(each => {
      const [x = 0, y = 0, z = 0] = numbersIn(each, 'offset', [0, 0, 0]);
      const collider = new VRMSpringBoneCollider(new ScaledSphere({ offset: new Vector3(x, y, z), radius: numberIn(each, 'radius', 0) }));
      owner.add(collider);
      return collider;
    });
    groups.set(numberIn(properties, 'index', -1), { colliders });
  }
  return groups;
}

/** Children come in the order of the file. */
function firstChildren({ nodes: { count, parents } }: RigScene): Map<number, number> {
  const first = new Map<number, number>();
  for (let row = 1; row < count; row++) if (!first.has(parents[row]!)) first.set(parents[row]!, row);
  return first;
}
