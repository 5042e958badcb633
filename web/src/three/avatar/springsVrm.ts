// Spring bones by the rules of VRM: @pixiv/three-vrm-springbone, fetched only where a page asks for it (option `springs`).
import { type Matrix4, type Object3D, type QuaternionLike, Vector3 } from 'three';
import type { SpringCollider, SpringDesign, SpringRules } from './springRules.ts';
import {
  type Collider,
  type ColliderGroup,
  type Joint,
  VRMSpringBoneCollider,
  VRMSpringBoneColliderShapeSphere,
  VRMSpringBoneJoint,
  VRMSpringBoneManager,
} from './vendor/springBone.ts';

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

export class VrmRules implements SpringRules {
  readonly step = 1 / 60;
  readonly #manager = new VRMSpringBoneManager();
  readonly #pulls: { joint: Joint; gravity: Vector3 }[] = [];
  readonly #colliders: { collider: Collider; owner: Object3D }[] = [];

  constructor(designs: readonly SpringDesign[]) {
    const made = new Map<SpringCollider, Collider>();
    for (const { settings, gravity, colliders, chains } of designs) {
      const group: ColliderGroup = { colliders: colliders.map(each => made.get(each) ?? this.#collide(each, made)) };
      for (const { bone, child } of chains.flat()) {
        const gravityDir = new Vector3(...gravity);
        const { dragForce, hitRadius, gravityPower, stiffnessForce: stiffness } = settings;
        const joint = new VRMSpringBoneJoint(
          bone,
          child,
          { dragForce, hitRadius, gravityPower, stiffness, gravityDir: gravityDir.clone() },
          [group],
        );
        this.#manager.addJoint(joint);
        this.#pulls.push({ joint, gravity: gravityDir });
      }
    }
    this.#placeColliders();
    this.#manager.setInitState();
    // The library turns it off, but motions and poses go on moving bones.
    for (const { joint } of this.#pulls) joint.bone.matrixAutoUpdate = true;
  }

  advance(): void {
    this.#placeColliders();
    this.#manager.update(this.step);
  }

  reset(): void {
    this.#placeColliders();
    this.#manager.reset();
  }

  turnWorld(turn: QuaternionLike): void {
    for (const { joint, gravity } of this.#pulls) joint.settings.gravityDir.copy(gravity).applyQuaternion(turn);
  }

  /** The library's colliders are objects; they stay out of the tree, which others clone and export. */
  #collide(collider: SpringCollider, made: Map<SpringCollider, Collider>): Collider {
    const object = new VRMSpringBoneCollider(new ScaledSphere({ offset: new Vector3(...collider.offset), radius: collider.radius }));
    object.matrixAutoUpdate = false;
    made.set(collider, object);
    this.#colliders.push({ collider: object, owner: collider.owner });
    return object;
  }

  #placeColliders(): void {
    for (const { collider, owner } of this.#colliders) {
      owner.updateWorldMatrix(true, false);
      collider.matrix.copy(owner.matrixWorld);
      collider.updateMatrixWorld(true);
    }
  }
}
