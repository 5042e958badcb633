// Compares spring bones with VRM's rules with the pseudocode of VRMC_springBone-1.0, which is
// implemented here with matrices of three.js.
import { type Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { Rig } from '../../../web/src/three/index.ts';
import { avatarScene, springBone } from '../../support/avatarScene.ts';
import { type Bone, skeleton } from '../../support/figure.ts';
import { randomOf } from '../../support/random.ts';

/** Number of avatars, chains of an avatar, bones of a chain, and frames. */
const [AVATARS, CHAINS, BONES, FRAMES] = [30, 3, 5, 90];
const SECONDS = 1 / 60;

interface Joint {
  bone: Object3D;
  child: Object3D;
  initialLocalRotation: Quaternion;
  initialLocalMatrix: Matrix4;
  boneAxis: Vector3;
  boneLength: number;
  prevTail: Vector3;
  currentTail: Vector3;
}

interface Settings {
  stiffnessForce: number;
  gravityPower: number;
  dragForce: number;
  hitRadius: number;
  gravityDirection: [number, number, number];
}

/** The pseudocode of the specification, joint by joint from root to tip. */
class Specification {
  readonly #joints: Joint[];
  readonly #settings: Settings;
  readonly #colliders: readonly { object: Object3D; offset: Vector3; radius: number }[];

  constructor(chains: readonly (readonly Object3D[])[], settings: Settings, colliders: Specification['colliders']) {
    this.#settings = settings;
    this.#colliders = colliders;
    this.#joints = chains.flatMap(chain =>
      chain.slice(0, -1).map((bone, k): Joint => {
        const child = chain[k + 1]!;
        bone.updateMatrix();
        const tail = worldPosition(child);
        return {
          bone,
          child,
          initialLocalRotation: bone.quaternion.clone(),
          initialLocalMatrix: bone.matrix.clone(),
          boneAxis: child.position.clone().normalize(),
          boneLength: tail.distanceTo(worldPosition(bone)),
          prevTail: tail.clone(),
          currentTail: tail.clone(),
        };
      }),
    );
  }

  get colliders() {
    return this.#colliders;
  }

  update(): void {
    const { stiffnessForce, gravityPower, dragForce, hitRadius, gravityDirection } = this.#settings;
    for (const joint of this.#joints) {
      const { bone, initialLocalRotation, initialLocalMatrix, boneAxis, boneLength, currentTail, prevTail } = joint;
      const parent = bone.parent!;
      parent.updateWorldMatrix(true, false);
      const head = worldPosition(bone);
      const parentWorldRotation = parent.getWorldQuaternion(new Quaternion());
      const inertia = currentTail
        .clone()
        .sub(prevTail)
        .multiplyScalar(1 - dragForce);
      const stiffness = boneAxis
        .clone()
        .applyQuaternion(initialLocalRotation)
        .applyQuaternion(parentWorldRotation)
        .multiplyScalar(SECONDS * stiffnessForce);
      const external = new Vector3(...gravityDirection).multiplyScalar(SECONDS * gravityPower);
      const nextTail = currentTail.clone().add(inertia).add(stiffness).add(external);
      const constrain = (): void => void nextTail.sub(head).normalize().multiplyScalar(boneLength).add(head);
      constrain();
      for (const { object, offset, radius } of this.#colliders) {
        object.updateWorldMatrix(true, false);
        const delta = nextTail.clone().sub(offset.clone().applyMatrix4(object.matrixWorld));
        const overlap = delta.length() - radius - hitRadius;
        if (overlap >= 0) continue;
        nextTail.addScaledVector(delta.normalize(), -overlap);
        constrain();
      }
      joint.prevTail = currentTail;
      joint.currentTail = nextTail;
      const toLocal = parent.matrixWorld.clone().multiply(initialLocalMatrix).invert();
      const to = nextTail.clone().applyMatrix4(toLocal).normalize();
      bone.quaternion.copy(initialLocalRotation).multiply(new Quaternion().setFromUnitVectors(boneAxis, to));
    }
  }
}

function worldPosition(object: Object3D): Vector3 {
  object.updateWorldMatrix(true, false);
  return new Vector3().setFromMatrixPosition(object.matrixWorld);
}

it('spring bones follow the pseudocode of VRM within 0.001 mm, while the body moves and turns', async () => {
  let [worst, farthest] = [0, 0];
  for (let seed = 0; seed < AVATARS; seed++) {
    const { within, direction, turn } = randomOf(seed);
    const bones: Bone[] = [['hips', '', 0, 1, 0]];
    for (let chain = 0; chain < CHAINS; chain++) {
      let place = new Vector3(within(-0.2, 0.2), within(1, 1.3), within(-0.2, 0.2));
      for (let k = 0; k < BONES; k++) {
        bones.push([`${chain}.${k}`, k === 0 ? 'hips' : `${chain}.${k - 1}`, ...place.toArray()]);
        place = place.clone().addScaledVector(direction(), within(0.03, 0.2));
      }
    }
    const nodes = skeleton(bones);
    for (let row = 2; row < nodes.length; row++) nodes.rotations.set(turn(Math.PI / 4).toArray(), 4 * row);
    const settings: Settings = {
      stiffnessForce: within(0, 4),
      gravityPower: within(0, 2),
      dragForce: within(0, 0.9),
      hitRadius: within(0.01, 0.1),
      gravityDirection: direction().toArray(),
    };
    const spheres = [1, 2].map(() => ({ offset: direction().multiplyScalar(0.3).toArray(), radius: within(0.05, 0.2) }));
    const rows = bones.flatMap(([name], at) => (name.endsWith('.0') ? [at + 1] : []));
    const scene = {
      ...avatarScene(),
      nodes,
      meshes: [],
      renderers: [],
      skins: [],
      features: [
        springBone({ ...settings, rootBones: rows, colliderGroups: [1] }),
        {
          kind: 'springBoneColliderGroup',
          node: 1,
          properties: { index: 1, colliders: spheres.map(each => ({ colliderType: 0, ...each })) },
        },
      ],
    };
    const rig = await Rig.make({ scene }, { springs: 'vrm' });
    const theirs = (await Rig.make({ scene: { ...scene, features: [] } })).nodes;
    const ours = rig.nodes;
    const colliders = spheres.map(({ offset, radius }) => ({ object: theirs[1]!, offset: new Vector3(...offset), radius }));
    const specification = new Specification(
      rows.map(row => theirs.slice(row, row + BONES)),
      settings,
      colliders,
    );
    rig.springs!.reset();
    for (let frame = 1; frame <= FRAMES; frame++) {
      for (const each of [ours, theirs]) {
        each[1]!.position.x = 0.3 * Math.sin(frame / 9);
        each[1]!.rotation.set(0.3 * Math.sin(frame / 7), frame / 20, 0.2 * Math.sin(frame / 13));
        each[0]!.updateMatrixWorld(true);
      }
      rig.update(SECONDS);
      specification.update();
      for (let row = 2; row < nodes.length; row++) {
        const place = worldPosition(theirs[row]!);
        worst = Math.max(worst, place.distanceTo(worldPosition(ours[row]!)));
        farthest = Math.max(farthest, place.distanceTo(worldPosition(theirs[1]!)));
      }
    }
  }
  expect(worst).toBeLessThan(1e-6);
  expect(farthest).toBeGreaterThan(0.2);
});
