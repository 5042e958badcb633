// Tests overlays without a renderer (bones, axes, constraints, weights), and the lists of meshes
// and materials that can be hidden.
import { describe, expect, it } from 'vitest';
import {
  Bone,
  BoxGeometry,
  type BufferAttribute,
  DirectionalLight,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Vector2,
  Vector3,
} from 'three';
import { AxesOverlay } from '../../../web/src/view/axes.ts';
import { mayHaveGizmos, particleFacts } from '../../../web/src/view/gizmoFacts.ts';
import { handPose, compareHands } from '../../../web/src/view/handPose.ts';
import { fitShadows } from '../../../web/src/view/fitShadows.ts';
import { markSecondary, hasVertexColors, meshesOf, partsOf } from '../../../web/src/view/parts.ts';
import { SkeletonOverlay } from '../../../web/src/view/skeleton.ts';
import { hideWeights, showWeights, WEIGHT_COLORS, weightsOf } from '../../../web/src/view/weights.ts';
import type { Hand, HandJoint } from '../../../web/src/three/xr/hands.ts';
import { Rig, type RigSkinnedMesh } from '../../../web/src/three/index.ts';
import { armScene } from '../../support/armScene.ts';

const v = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z);

describe('the skeleton overlay', () => {
  const chain = (...places: Vector3[]): Bone[] => {
    const bones = places.map(place => Object.assign(new Bone(), { place }));
    bones.forEach((bone, i) => (bone.position.copy(bone.place), bones[i - 1]?.add(bone)));
    bones[0]!.updateMatrixWorld(true);
    return bones;
  };
  const stick = ({ object }: SkeletonOverlay, i: number): { from: Vector3; to: Vector3; width: number } => {
    const matrix = new Matrix4();
    object.getMatrixAt(i, matrix);
    return {
      from: v(0, 0, 0).applyMatrix4(matrix),
      to: v(0, 1, 0).applyMatrix4(matrix),
      width: new Vector3().setFromMatrixScale(matrix).x,
    };
  };

  it('draws each bone to each of its children, and a tip for bones without children', () => {
    const bones = chain(v(0, 0, 0), v(0, 2, 0), v(3, 0, 0));
    const overlay = new SkeletonOverlay(bones, 0.5);
    overlay.update();
    expect(overlay.object.count).toBe(3);
    expect([stick(overlay, 0).to, stick(overlay, 1).to].map(point => point.toArray())).toEqual([
      [0, 2, 0].map(value => expect.closeTo(value, 6)),
      [3, 2, 0].map(value => expect.closeTo(value, 6)),
    ]);
    expect(stick(overlay, 2).to.distanceTo(v(3.5, 2, 0))).toBeLessThan(1e-6);
  });

  it('limits the length of tips and the width of bones', () => {
    const overlay = new SkeletonOverlay(chain(v(0, 0, 0), v(0, 0.1, 0)), 0.5);
    overlay.update();
    expect(stick(overlay, 1).to.distanceTo(v(0, 0.2, 0))).toBeLessThan(1e-6);
    expect(stick(overlay, 0).width).toBeCloseTo(0.1, 6);
    const long = new SkeletonOverlay(chain(v(0, 0, 0), v(0, 9, 0)), 0.5);
    long.update();
    expect(stick(long, 0).width).toBeCloseTo(1.25, 6);
  });

  it('does not draw bones of zero length or with NaN positions', () => {
    for (const place of [v(0, 0, 0), v(Number.NaN, 0, 0), v(1e200, 0, 0)]) {
      const overlay = new SkeletonOverlay(chain(v(0, 0, 0), place), 0.5);
      overlay.update();
      expect(stick(overlay, 0).width).toBe(0);
    }
  });

  it('picks the bone at a point of the picture', () => {
    const bones = chain(v(0, -1, 0), v(0, 2, 0));
    const overlay = new SkeletonOverlay(bones, 0.5);
    overlay.update();
    overlay.object.updateMatrixWorld();
    const camera = new PerspectiveCamera(40, 1, 0.1, 100);
    camera.position.z = 10;
    camera.updateMatrixWorld();
    expect(overlay.pick(new Vector2(0, 0), camera)).toBe(bones[0]);
    expect(overlay.pick(new Vector2(0.9, 0), camera)).toBeNull();
    bones[0]!.position.x = 2;
    bones[0]!.updateMatrixWorld(true);
    overlay.update();
    expect(overlay.pick(new Vector2(0, 0), camera)).toBeNull();
    const there = v(2, 0, 0).project(camera);
    expect(overlay.pick(new Vector2(there.x, there.y), camera)).toBe(bones[0]);
  });

  it('colours the selected bone', () => {
    const bones = chain(v(0, 0, 0), v(0, 1, 0));
    const overlay = new SkeletonOverlay(bones, 0.5);
    overlay.setColors('#000000', '#ffffff');
    overlay.select(bones[1]!);
    expect([...overlay.object.instanceColor!.array]).toEqual([0, 0, 0, 1, 1, 1]);
    overlay.select(null);
    expect([...overlay.object.instanceColor!.array]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

it('draws axes of the requested length, whatever the scale of the node', () => {
  const node = new Group();
  node.position.set(1, 2, 3);
  node.scale.set(5, 0.1, 2);
  node.rotation.z = Math.PI / 2;
  node.updateMatrixWorld();
  const { array } = new AxesOverlay([node], 0.25).object.geometry.attributes['position'] as BufferAttribute;
  const ends = [0, 1, 2].map(axis => new Vector3().fromArray(array, 6 * axis + 3).toArray());
  const close = (values: number[]): unknown[] => values.map(value => expect.closeTo(value, 5));
  expect(ends).toEqual([close([1, 2.25, 3]), close([0.75, 2, 3]), close([1, 2, 3.25])]);
});

describe('skin weights', () => {
  const meshIn = (rig: Rig): RigSkinnedMesh => rig.meshes[0] as RigSkinnedMesh;

  it('are summed per vertex over all influences of a joint', () => {
    const mesh = meshIn(new Rig({ scene: armScene() }));
    expect([0, 1].map(joint => [...weightsOf(mesh, joint)])).toEqual([
      [1, 1, 0.5, 0.5, 0, 0],
      [0, 0, 0.5, 0.5, 1, 1],
    ]);
    expect([...weightsOf(mesh, -1)]).toEqual([0, 0, 0, 0, 0, 0]);
    const twice = armScene();
    twice.meshes[0]!.joints = new Uint8Array(24);
    expect([...weightsOf(meshIn(new Rig({ scene: twice })), 0)]).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('are drawn as heat or bone colours, and removed again', () => {
    const rig = new Rig({ scene: armScene() });
    const colors = (): number[][] => {
      const { array } = meshIn(rig).geometry.getAttribute(WEIGHT_COLORS);
      return Array.from({ length: 6 }, (_, i) => Array.from(array.slice(3 * i, 3 * i + 3)));
    };
    showWeights(rig.scene, rig.nodes[2]!);
    const [none, , half, , all] = colors() as [number[], number[], number[], number[], number[]];
    expect([Math.max(...none) < 0.2, half[1]! > half[0]! && half[1]! > half[2]!, all[0]! > 0.9 && all[1]! < 0.1]).toEqual([
      true,
      true,
      true,
    ]);
    showWeights(rig.scene, null);
    const [first, , middle, , last] = colors() as [number[], number[], number[], number[], number[]];
    expect(first).not.toEqual(last);
    middle.forEach((value, c) => expect(value).toBeCloseTo((first[c]! + last[c]!) / 2, 5));
    hideWeights(rig.scene);
    expect(meshIn(rig).geometry.hasAttribute(WEIGHT_COLORS)).toBe(false);
  });
});

describe('parts of a model', () => {
  const nameOf = ({ name }: Object3D | Material): string => name;
  const material = (name: string): MeshBasicMaterial => Object.assign(new MeshBasicMaterial(), { name });

  it('are its meshes without secondary models, each with materials and triangle counts', () => {
    const geometry = new BoxGeometry();
    const own = Object.assign(new Mesh(geometry, ['a', 'b', 'c', 'd', 'e', 'f'].map(material)), { name: 'own' });
    const model = new Group().add(own, markSecondary(new Group().add(new Mesh(new BoxGeometry()))));
    expect(meshesOf(model)).toEqual([own]);
    const [part] = partsOf(model, nameOf);
    expect([part!.name, part!.triangles, part!.children.map(({ name, triangles }) => `${name} ${triangles}`)]).toEqual([
      'own',
      12,
      ['a 2', 'b 2', 'c 2', 'd 2', 'e 2', 'f 2'],
    ]);
    // The object itself is never skipped, even if it is marked as part of a secondary model.
    expect(meshesOf(markSecondary(own))).toEqual([own]);
  });

  it('are hidden one by one, a material with its outline', () => {
    const skin = material('skin');
    const cloth = material('cloth');
    const line = Object.assign(material('line'), { userData: { outlineOf: skin } });
    const mesh = new Mesh(new BoxGeometry(), [skin, cloth, line]);
    const [part] = partsOf(mesh, nameOf);
    expect(part!.children.map(({ name }) => name)).toEqual(['skin', 'cloth']);
    part!.children[1]!.setVisible(false);
    expect([skin.visible, cloth.visible, line.visible]).toEqual([true, false, true]);
    part!.children[0]!.setVisible(false);
    expect([skin.visible, line.visible]).toEqual([false, false]);
    part!.setVisible(false);
    expect(mesh.visible).toBe(false);
  });

  it('have vertex colours if any mesh has them', () => {
    const rig = new Rig({ scene: armScene() });
    expect([hasVertexColors(rig.scene), hasVertexColors(new Mesh(new BoxGeometry()))]).toEqual([true, false]);
  });
});

it('fits the shadow camera of a directional light to the content', () => {
  const light = new DirectionalLight();
  light.castShadow = true;
  light.position.set(3, 10, 4);
  const scene = new Group().add(light, light.target);
  scene.updateMatrixWorld(true);
  const mesh = new Mesh(new BoxGeometry(2, 4, 1));
  mesh.geometry.computeBoundingBox();
  fitShadows([light], mesh.geometry.boundingBox!);
  const { camera } = light.shadow;
  light.shadow.updateMatrices(light);
  const corners = [-1, 1].flatMap(x => [-2, 2].flatMap(y => [-0.5, 0.5].map(z => v(x, y, z).project(camera))));
  for (const axis of ['x', 'y', 'z'] as const) {
    const values = corners.map(corner => corner[axis]);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(Math.min(...values)).toBeGreaterThan(-1);
    expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(1.7);
  }
});

describe('the pose of a recorded hand', () => {
  const joint = (x: number, y: number, z: number): HandJoint => {
    const made = Object.assign(new Group(), { jointRadius: 0.01 });
    made.position.set(x, y, z);
    made.updateMatrixWorld();
    return made as unknown as HandJoint;
  };
  const hand = (joints: Record<string, HandJoint>, tracked = true): Hand => ({ joints, tracked }) as unknown as Hand;
  const straight = (): Record<string, HandJoint> => ({
    wrist: joint(0, 0, 0),
    'thumb-metacarpal': joint(0.01, 0, 0),
    'thumb-phalanx-proximal': joint(0.02, 0, 0),
    'thumb-phalanx-distal': joint(0.03, 0, 0),
    'thumb-tip': joint(0.04, 0, 0),
    'index-finger-metacarpal': joint(0, 0.01, 0),
    'index-finger-phalanx-proximal': joint(0, 0.02, 0),
    'index-finger-phalanx-intermediate': joint(0, 0.03, 0),
    'index-finger-phalanx-distal': joint(0.01, 0.03, 0),
    'index-finger-tip': joint(0.02, 0.03, 0),
  });

  it('contains gap, pinch by the rule of MRTK and finger flexion', () => {
    const { gap, pinch, flexion: bends } = handPose(hand(straight()))!;
    expect(gap).toBeCloseTo(Math.hypot(0.02, 0.03), 9);
    expect(pinch).toBeCloseTo(1 - (0.02 ** 2 + 0.03 ** 2) / 0.04 ** 2, 9);
    expect(bends.slice(0, 3)).toEqual([
      [expect.closeTo(0, 4), null, expect.closeTo(0, 4)],
      [expect.closeTo(0, 4), expect.closeTo(90, 4), expect.closeTo(0, 4)],
      [null, null, null],
    ]);
    const apart = handPose(hand({ ...straight(), 'thumb-tip': joint(9, 0, 0) }))!;
    expect(apart.pinch).toBe(0);
  });

  it('is null while the hand is not tracked, or without fingertips', () => {
    expect(handPose(hand(straight(), false))).toBeNull();
    const { 'thumb-tip': _, ...rest } = straight();
    expect(handPose(hand(rest))).toBeNull();
    const hidden = straight();
    hidden['index-finger-tip']!.visible = false;
    expect(handPose(hand(hidden))).toBeNull();
  });

  it('is compared by joint distance, in world space and relative to the wrists', () => {
    const moved = Object.fromEntries(
      Object.entries(straight()).map(([name, { position }]) => {
        const turned = joint(-position.y, position.x, position.z + 1);
        turned.rotation.z = Math.PI / 2;
        turned.updateMatrixWorld();
        return [name, turned];
      }),
    );
    const { apart, shape } = compareHands(hand(straight()), hand(moved))!;
    expect(apart).toBeGreaterThan(0.99);
    expect(shape).toBeLessThan(1e-6);
    moved['thumb-tip'] = joint(50, 0, 0);
    moved['thumb-tip'].visible = false;
    expect(compareHands(hand(straight()), hand(moved))!.shape).toBeLessThan(1e-6);
    expect(compareHands(hand(straight()), hand(moved, false))).toBeNull();
    expect(compareHands(hand({}), hand(moved))).toBeNull();
  });
});

describe('content without a surface', () => {
  it('describes particle systems, with −1 for missing constants', () => {
    const facts = Object.fromEntries(
      particleFacts({
        kind: 'particleSystem',
        name: 'smoke',
        properties: {
          name: 'smoke',
          main: {
            startLifetime: { mode: 0, constant: 2 },
            startSpeed: { mode: 3, constantMin: 1 },
            startSizeX: { mode: 1, curveMultiplier: 4 },
            duration: 5,
            loop: true,
            maxParticles: 100,
          },
          emission: { enabled: true, rateOverTime: { mode: 0, constant: 10 } },
          shape: { enabled: true, shapeType: 4 },
          renderer: { enabled: true, renderMode: 1 },
        },
      }),
    );
    expect(facts).toEqual({
      Lifetime: '2 s',
      Speed: '1 to -1 m/s',
      Size: 'by a curve, up to 4 m',
      Rate: '10 per second',
      Shape: 'cone',
      'Max particles': '100',
      Duration: '5 s, looping',
      'Render mode': 'stretched billboards',
      Name: 'smoke',
    });
    const off = particleFacts({
      kind: 'particleSystem',
      name: '',
      properties: {
        emission: { enabled: false, rateOverTime: { mode: 0, constant: 9 } },
        shape: { enabled: false, shapeType: 4 },
        renderer: { enabled: false, renderMode: 0 },
      },
    });
    expect(off.map(([label]) => label)).toEqual(['Duration']);
  });

  it('may have outlines if the scene has features or lights', () => {
    const scene = { ...armScene(), features: [], lights: [] };
    const light = { kind: 'point' } as unknown as (typeof scene)['lights'][number];
    expect([scene, { ...scene, lights: [light] }, { ...scene, features: [{ kind: 'x', name: '' }] }].map(mayHaveGizmos)).toEqual([
      false,
      true,
      true,
    ]);
  });
});
