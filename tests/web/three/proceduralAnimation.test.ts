// Look-at, blinking and first-person view of avatars that are posed by different sources.
import { Object3D, Quaternion, type SkinnedMesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Feature, RigScene } from '../../../web/src/core/types.ts';
import { Rig } from '../../../web/src/three/rig.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';

const body = new TestBody({ axes: 5, yaw: 40, proportions: { hasEyes: true } });
const head = body.row('head');
const eye = body.row('leftEye');

/**
 * Returns the scene of a body with a face: a mesh with three triangles, which are skinned to the
 * hips, to both hips and head, and to the head.
 */
function faceScene(features: Feature[] = []): RigScene {
  const arm = armScene();
  const mesh = {
    ...arm.meshes[0]!,
    joints: Uint16Array.from({ length: 24 }, (_, k) => (k % 4 === 0 && k >= 12 ? 1 : 0)),
    weights: Float32Array.from({ length: 24 }, (_, k) => (k % 4 === 0 ? 1 : 0)),
    indices: Uint16Array.of(0, 1, 2, 2, 3, 4, 3, 4, 5),
    groups: [{ start: 0, count: 9 }],
  };
  return {
    ...body.scene,
    features,
    meshes: [mesh],
    renderers: [{ name: 'body', node: 0, mesh: 0, skin: 0, visible: true }],
    skins: [{ ...arm.skins[0]!, joints: Uint32Array.of(1, eye) }],
    expressions: [
      { name: 'lids', preset: 'blink', bindings: [{ renderer: 0, morph: 0, weight: 1 }] },
      { name: 'smile', preset: 'happy', bindings: [{ renderer: 0, morph: 1, weight: 1 }] },
    ],
  };
}

const nodding = clip(
  'nod',
  1,
  track({
    target: body.scene.nodes.names[head]!,
    path: 'rotation',
    times: f32(0, 0.5, 1),
    values: f32(0, 0, 0, 1, ...new Quaternion(0.3, 0, 0, 0.95).normalize().toArray(), 0, 0, 0, 1),
  }),
);

const turnOf = (rig: Rig, row: number): number[] => rig.nodes[row]!.quaternion.toArray();

describe('a rig that looks', () => {
  it('adds look-at to the pose of a mixer without changing the clip', async () => {
    const [rig, other] = [new Rig({ scene: faceScene() }), new Rig({ scene: faceScene() })];
    for (const each of [rig, other]) each.mixer.clipAction(each.bind([nodding]).animations[0]!).play();
    const avatar = (await rig.avatar())!;
    expect(avatar.looksBy).toBe('bones');
    const target = new Object3D();
    target.position.set(2, 3, 4);
    target.updateMatrixWorld();
    avatar.lookAt(target);
    avatar.headShare = 0.5;
    for (let i = 0; i < 50; i++) for (const each of [rig, other]) each.update(1 / 60);
    expect(turnOf(rig, head)).not.toEqual(turnOf(other, head));
    avatar.lookAt(null);
    for (const each of [rig, other]) each.update(1 / 60);
    for (const row of [head, eye]) expect(turnOf(rig, row)).toEqual(turnOf(other, row));
  });

  it('does not accumulate rotation over ten minutes without animation', async () => {
    const rig = new Rig({ scene: faceScene() });
    const before = turnOf(rig, head);
    const avatar = (await rig.avatar({ seed: 5 }))!;
    Object.assign(avatar, { headShare: 0.7, blinks: true });
    avatar.lookAt(new Vector3(1, 2, 3));
    rig.update(1 / 60);
    const first = turnOf(rig, head);
    for (let i = 0; i < 36_000; i++) rig.update(1 / 60);
    expect(turnOf(rig, head)).toEqual(first);
    avatar.lookAt(null);
    rig.update(1 / 60);
    expect(turnOf(rig, head)).toEqual(before);
  });

  it('gives the same result with an animator at any position of the rig', async () => {
    const [rig, moved] = [new Rig({ scene: faceScene() }), new Rig({ scene: faceScene() })];
    moved.scene.position.set(5, 0, -2);
    moved.scene.rotation.y = 1;
    moved.scene.scale.setScalar(2);
    moved.scene.updateMatrixWorld();
    const place = new Vector3(0.5, 1.8, 1.5);
    for (const [each, target] of [
      [rig, place],
      [moved, place.clone().applyMatrix4(moved.scene.matrixWorld)],
    ] as const) {
      const animator = each.createAnimator();
      animator.layers.push(animator.layer(each.bind([nodding]).clips[0]!));
      const avatar = (await each.avatar())!;
      avatar.headShare = 1;
      avatar.lookAt(target);
      for (const layer of animator.layers) layer.time = 0.4;
      animator.apply(1 / 60);
      each.update(1 / 60);
    }
    for (const row of [head, eye]) turnOf(moved, row).forEach((value, c) => expect(value).toBeCloseTo(turnOf(rig, row)[c]!, 6));
  });

  it('is null without head and eyelids, and the same object at every call', async () => {
    expect(await new Rig({ scene: armScene() }).avatar()).toBeNull();
    const rig = new Rig({ scene: faceScene() });
    expect(await rig.avatar()).toBe(await rig.avatar());
  });

  it('blinks only if enabled, in addition to expressions of the page', async () => {
    const rig = new Rig({ scene: faceScene() });
    const avatar = (await rig.avatar())!;
    const weights = (rig.meshes[0] as SkinnedMesh).morphTargetInfluences!;
    rig.expressions.set('happy', 0.5);
    const most = (): number => {
      let found = 0;
      for (let i = 0; i < 600; i++) {
        rig.update(1 / 60);
        found = Math.max(found, weights[0]!);
      }
      return found;
    };
    expect(most()).toBe(0);
    avatar.blinks = true;
    expect(most()).toBeGreaterThan(0.9);
    expect(weights[1]).toBe(0.5);
    avatar.blinks = false;
    expect(weights[0]).toBe(0);
  });
});

describe('first person', () => {
  it('hides triangles skinned to the head, and shows them again', async () => {
    const rig = new Rig({ scene: faceScene() });
    const mesh = rig.meshes[0]!;
    const whole = mesh.geometry;
    const { firstPerson } = (await rig.avatar())!;
    firstPerson!.isOn = true;
    expect([...mesh.geometry.index!.array]).toEqual([0, 1, 2]);
    expect(mesh.geometry.getAttribute('position')).toBe(whole.getAttribute('position'));
    firstPerson!.isOn = false;
    expect(mesh.geometry).toBe(whole);
  });

  it('follows the settings of the file for each mesh', async () => {
    const say = async (view: string): Promise<boolean[]> => {
      const rig = new Rig({ scene: faceScene([{ kind: 'firstPerson', name: '', properties: { renderer: 0, view } }]) });
      const { firstPerson } = (await rig.avatar())!;
      return [false, true].map(isOn => {
        firstPerson!.isOn = isOn;
        return rig.meshes[0]!.visible;
      });
    };
    expect(await say('both')).toEqual([true, true]);
    expect(await say('thirdPersonOnly')).toEqual([true, false]);
    expect(await say('firstPersonOnly')).toEqual([false, true]);
  });
});
