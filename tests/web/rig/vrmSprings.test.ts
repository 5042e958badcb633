// Compares spring bones with VRM's rules with the library @pixiv/three-vrm-springbone.
import * as library from '@pixiv/three-vrm-springbone';
import { type Object3D, Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { Rig } from '../../../web/src/three/index.ts';
import { avatarScene, springBone } from '../../support/avatarScene.ts';

/**
 * Declares the parts of the library that are used, because its own type declarations don't resolve
 * in Node.
 */
interface Library {
  VRMSpringBoneManager: new () => { addJoint(joint: object): void; setInitState(): void; update(seconds: number): void };
  VRMSpringBoneJoint: new (bone: Object3D, child: Object3D, settings: object, groups: object[]) => object;
  VRMSpringBoneCollider: new (shape: object) => Object3D;
  VRMSpringBoneColliderShapeSphere: new (sphere: { offset: Vector3; radius: number }) => object;
}
const { VRMSpringBoneManager, VRMSpringBoneJoint, VRMSpringBoneCollider, VRMSpringBoneColliderShapeSphere } = library as unknown as Library;

const settings = { gravityPower: 0.7, stiffnessForce: 0.4, dragForce: 0.3, hitRadius: 0.1 };
const spheres = [
  { offset: [0.7, 0.9, 0], radius: 0.3 },
  { offset: [0.4, 0.9, 0.35], radius: 0.3 },
] as const;

const rigOf = (): Promise<Rig> =>
  Rig.make(
    {
      scene: {
        ...avatarScene(),
        features: [
          springBone({ ...settings, gravityDirection: [1, 0, 0], colliderGroups: [4] }),
          {
            kind: 'springBoneColliderGroup',
            node: 0,
            properties: { index: 4, colliders: spheres.map(each => ({ colliderType: 0, offset: [...each.offset], radius: each.radius })) },
          },
        ],
      },
    },
    { springs: 'vrm' },
  );

it.each([1, 1.5])('match three-vrm with colliders in a moving rig at scale %d', async scale => {
  const [ours, theirs] = await Promise.all([rigOf(), rigOf()]);
  for (const { scene } of [ours, theirs]) {
    scene.scale.setScalar(scale);
    scene.updateMatrixWorld(true);
  }
  ours.springs!.reset();
  const manager = new VRMSpringBoneManager();
  const colliders = spheres.map(({ offset, radius }) => {
    const collider = new VRMSpringBoneCollider(
      new VRMSpringBoneColliderShapeSphere({ offset: new Vector3(...offset), radius: radius * scale }),
    );
    theirs.nodes[0]!.add(collider);
    return collider;
  });
  for (const row of [1, 2]) {
    const { gravityPower, dragForce, hitRadius, stiffnessForce: stiffness } = settings;
    const own = { gravityPower, dragForce, hitRadius, stiffness, gravityDir: new Vector3(1, 0, 0) };
    manager.addJoint(new VRMSpringBoneJoint(theirs.nodes[row]!, theirs.nodes[row + 1]!, own, [{ colliders }]));
  }
  manager.setInitState();
  let farthest = 0;
  for (let frame = 1; frame <= 180; frame++) {
    for (const { scene, nodes } of [ours, theirs]) {
      scene.position.x = 0.3 * Math.sin(frame / 9);
      nodes[0]!.rotation.z = 0.2 * Math.sin(frame / 13);
      scene.updateMatrixWorld(true);
    }
    ours.update(1 / 60);
    manager.update(1 / 60);
    // The library measures the length of the second bone before the child of that bone has moved.
    for (const row of [1, 2]) {
      const [a, b] = [ours, theirs].map(({ nodes }) => nodes[row]!.quaternion) as [Quaternion, Quaternion];
      expect(1 - Math.abs(a.dot(b)), `bone ${row}, frame ${frame}`).toBeLessThan(row === 1 ? 1e-12 : 1e-4);
      farthest = Math.max(farthest, a.angleTo(new Quaternion()));
    }
  }
  expect(farthest).toBeGreaterThan(0.3);
});
