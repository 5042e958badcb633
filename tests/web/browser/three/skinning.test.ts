// Skinning with many influences and with dual quaternions: the GPU draws vertices at the positions
// that the CPU computes.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  PointLight,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { afterAll, describe, expect, it } from 'vitest';
import { Rig, type RigSkinnedMesh } from '../../../../web/src/three/index.ts';
import { drawnPositions } from '../../../../web/src/three/build/skinning.ts';
import * as skinning from '../../../../web/src/three/build/skinningShader.ts';
import { Ground } from '../../../../web/src/view/ground.ts';
import { glslShadow, ShadowPass } from '../../../../web/src/view/shadow.ts';
import { chainScene } from '../../../support/chainScene.ts';

const SIZE = 256;
const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
renderer.shadowMap.enabled = true;
afterAll(() => renderer.dispose());

const camera = new OrthographicCamera(-2, 2, 2.5, -1.5, 0.1, 20);
camera.position.z = 8;

function picture(scene: Scene): Uint8Array {
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

function onBlue(...objects: Object3D[]): Uint8Array {
  const scene = new Scene();
  scene.background = new Color(0, 0, 1);
  scene.add(...objects);
  return picture(scene);
}

/** Returns the number of pixels whose red differs by more than 60. */
const difference = (a: Uint8Array, b: Uint8Array): number =>
  Array.from({ length: SIZE * SIZE }, (_, i) => Math.abs(a[4 * i]! - b[4 * i]!) > 60).filter(Boolean).length;
const lit = (pixels: Uint8Array): number => Array.from({ length: SIZE * SIZE }, (_, i) => pixels[4 * i]! > 60).filter(Boolean).length;

type Method = 'linear' | 'dualQuaternion' | 'scaled';

function bent(influences: number, method: Method, options: ConstructorParameters<typeof Rig>[1] = {}): Rig {
  const isScaled = method === 'scaled';
  const base = chainScene(influences, isScaled ? 'dualQuaternion' : method);
  if (influences === 10 && isScaled) {
    base.nodes.segmentScaleCompensate.fill(1);
    const vertices = Uint32Array.from({ length: 50 }, (_, v) => v);
    base.meshes[0]!.morphs = [{ name: 'wide', vertices, positions: base.meshes[0]!.positions.map((x, i) => (i % 3 ? 0 : x)), maximum: 1 }];
  }
  const rig = new Rig({ scene: { ...base, hints: { dualQuaternionScale: isScaled } } }, { modules: { skinning }, ...options });
  if (base.meshes[0]!.morphs.length > 0) (rig.meshes[0] as RigSkinnedMesh).morphTargetInfluences![0] = 0.5;
  bend(rig.nodes.slice(1));
  if (isScaled) for (const row of [4, 7]) rig.nodes[row]!.scale.set(1.6, 0.8, 1.2);
  rig.scene.updateMatrixWorld(true);
  return rig;
}

function bend(bones: readonly Object3D[]): void {
  for (const [i, bone] of bones.entries()) bone.rotation.set(0, i * 0.12, i % 2 ? 0.55 : 0.1);
}

/** Returns a mesh without bones, with the vertices that the CPU has skinned. */
function still(rig: Rig, object: Object3D = rig.meshes[0]!): Mesh {
  const source = rig.file.scene!.meshes[0]!;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(drawnPositions(object, source)), 3));
  geometry.setIndex(new BufferAttribute(source.indices!, 1));
  return new Mesh(geometry, new MeshBasicMaterial({ side: DoubleSide }));
}

const kinds: [string, number, Method][] = [
  ['eight linear influences', 8, 'linear'],
  ['ten linear influences', 10, 'linear'],
  ['dual quaternions of four', 4, 'dualQuaternion'],
  ['dual quaternions of eight', 8, 'dualQuaternion'],
  ['dual quaternions of four with scale', 4, 'scaled'],
  ['dual quaternions of ten with scale, segment scale and a morph', 10, 'scaled'],
];

describe.each(kinds)('%s', (_, influences, method) => {
  it('are drawn at the positions computed on the CPU, not with four linear influences', () => {
    const rig = bent(influences, method);
    const plain = bent(influences, method, { skinning: 'plain' });
    rig.scene.position.set(0.2, 0.1, 0);
    rig.scene.rotation.y = 0.3;
    rig.scene.scale.setScalar(1.2);
    rig.scene.updateMatrixWorld(true);
    const drawn = onBlue(rig.scene);
    const wanted = onBlue(still(rig));
    expect(lit(wanted)).toBeGreaterThan(1000);
    expect(difference(drawn, wanted)).toBeLessThan(12);
    plain.scene.position.copy(rig.scene.position);
    plain.scene.rotation.copy(rig.scene.rotation);
    plain.scene.scale.copy(rig.scene.scale);
    expect(difference(onBlue(plain.scene), wanted)).toBeGreaterThan(100);
    rig.dispose();
    plain.dispose();
  });

  it('are drawn equally in clones of meshes and materials', () => {
    const rig = bent(influences, method);
    const copy = SkeletonUtils.clone(rig.scene);
    copy.updateMatrixWorld(true);
    const mesh = copy.getObjectByProperty('isSkinnedMesh', true) as RigSkinnedMesh;
    mesh.material = (mesh.material as MeshBasicMaterial).clone();
    const wanted = onBlue(still(rig));
    expect(difference(onBlue(copy), wanted)).toBeLessThan(12);
    expect(difference(onBlue(still(rig, mesh)), wanted)).toBe(0);
    rig.dispose();
  });

  it.each(['directional', 'point'])('cast the same shadow from a %s light', kind => {
    const shadow = (caster: Object3D): Uint8Array => {
      const scene = new Scene();
      const wall = new Mesh(new PlaneGeometry(8, 8), new MeshStandardMaterial({ color: 0xffffff }));
      wall.position.z = -1;
      wall.receiveShadow = true;
      const light = kind === 'point' ? new PointLight(0xffffff, 60) : new DirectionalLight(0xffffff, 3);
      light.position.set(1, 1, 4);
      light.castShadow = true;
      light.shadow.mapSize.set(512, 512);
      if (light instanceof DirectionalLight) Object.assign(light.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3 });
      caster.traverse(object => {
        object.castShadow = true;
        if (object instanceof Mesh)
          object.material = Object.assign((object.material as MeshBasicMaterial).clone(), { colorWrite: false, depthWrite: false });
      });
      scene.add(wall, caster, light);
      return picture(scene);
    };
    const rig = bent(influences, method);
    const wanted = shadow(still(rig));
    const bare = shadow(
      new Mesh(new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(9), 3)), new MeshBasicMaterial()),
    );
    expect(difference(wanted, bare)).toBeGreaterThan(500);
    expect(difference(shadow(rig.scene), wanted)).toBeLessThan(60);
    rig.dispose();
  });
});

describe.each(kinds)('%s', (_, influences, method) => {
  it('cast the same shadow on the floor, with and without groups', () => {
    const shadow = (...casters: Object3D[]): Uint8Array => {
      const ground = new Ground();
      const scene = new Scene();
      ground.place(new Vector3(0, 1, 0), 0, 1.2, 1);
      ground.setColors(new Color(1, 1, 1), 0, 1);
      scene.add(ground.object, ...casters);
      scene.updateMatrixWorld(true);
      const pass = new ShadowPass(glslShadow, 256);
      ground.update(renderer, scene, [], pass);
      ground.show(pass);
      for (const caster of casters) scene.remove(caster);
      scene.background = new Color(1, 1, 1);
      const above = new OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 20);
      above.position.y = 8;
      above.lookAt(0, 0, 0);
      renderer.render(scene, above);
      const gl = renderer.getContext();
      const pixels = new Uint8Array(4 * SIZE * SIZE);
      gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      ground.dispose();
      pass.dispose();
      return pixels;
    };
    const rig = bent(influences, method);
    const plain = bent(influences, method, { skinning: 'plain' });
    for (const { scene } of [rig, plain]) {
      scene.rotation.x = -Math.PI / 2; // makes the rig horizontal
      scene.position.set(0, 0.3, 1);
      scene.updateMatrixWorld(true);
    }
    const mesh = rig.meshes[0] as RigSkinnedMesh;
    const { material } = mesh;
    const wanted = shadow(still(rig));
    const clear = (pixels: Uint8Array): number => difference(pixels, shadow());
    expect(clear(wanted)).toBeGreaterThan(500);
    expect(difference(shadow(rig.scene), wanted)).toBeLessThan(12);
    expect(mesh.material).toBe(material);
    const hidden = Object.assign((material as MeshBasicMaterial).clone(), { visible: false });
    mesh.geometry.addGroup(0, Infinity, 0);
    mesh.material = [hidden];
    expect(clear(shadow(rig.scene))).toBe(0);
    mesh.material = [material as MeshBasicMaterial];
    expect(difference(shadow(rig.scene), wanted)).toBeLessThan(12);
    // The shadow is blurred, so four linear influences change it only slightly.
    const unlike = (pixels: Uint8Array): number => pixels.reduce((total, value, i) => total + Math.abs(value - wanted[i]!), 0);
    expect(unlike(shadow(plain.scene))).toBeGreaterThan(10 * unlike(shadow(rig.scene)) + 5000);
    rig.dispose();
    plain.dispose();
  });
});

describe('more than eight influences', () => {
  it('are read per mesh if several meshes share a program', () => {
    const rigs = [bent(9, 'linear'), bent(10, 'linear')];
    for (const [i, rig] of rigs.entries()) {
      rig.scene.position.x = i - 0.5;
      rig.scene.updateMatrixWorld(true);
    }
    const wanted = onBlue(...rigs.map(rig => still(rig)));
    expect(difference(onBlue(...rigs.map(({ scene }) => scene)), wanted)).toBeLessThan(12);
    for (const rig of rigs) rig.dispose();
  });
});

describe.each([...kinds, ['four linear influences', 4, 'linear'] as const])('%s in 16 bits', (_, influences, method) => {
  it('are drawn as in 32 bits', () => {
    const [whole, compact] = [{}, { compact: true }].map(options => bent(influences, method, options));
    const wanted = onBlue(whole!.scene);
    expect(lit(wanted)).toBeGreaterThan(1000);
    expect(difference(onBlue(compact!.scene), wanted)).toBeLessThan(3);
    whole!.dispose();
    compact!.dispose();
  });
});

describe('plain skinning', () => {
  it('uses unpatched shaders with four linear influences', () => {
    const rig = new Rig({ scene: chainScene(4) });
    const mesh = rig.meshes[0] as RigSkinnedMesh;
    expect(mesh.skinning).toBeNull();
    expect(Object.hasOwn(mesh.material, 'onBeforeCompile')).toBe(false);
    expect(mesh.customDepthMaterial).toBeUndefined();
    expect(Object.keys(mesh.geometry.attributes).toSorted()).toEqual(['normal', 'position', 'skinIndex', 'skinWeight']);
    expect(rig.report.items).toEqual([]);
    bend(rig.nodes.slice(1));
    rig.scene.updateMatrixWorld(true);
    expect(difference(onBlue(rig.scene), onBlue(still(rig)))).toBeLessThan(12);
    const corner = mesh.getVertexPosition(3, new Vector3());
    expect(corner.distanceTo(new Vector3().fromArray(drawnPositions(mesh, rig.file.scene!.meshes[0]!), 9))).toBeLessThan(1e-6);
    rig.dispose();
  });
});

/** A patch of a page that moves vertices by 0.4 along X. */
const moving = 'transformed.x += 0.4;';
const patchOf =
  (line: string): Material['onBeforeCompile'] =>
  shader => {
    shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', `${line}\n#include <project_vertex>`);
  };

const ownPatches: Record<string, (mesh: RigSkinnedMesh, own: Material['onBeforeCompile']) => void> = {
  'set on a material of the rig': ({ material }, own) => ((material as Material).onBeforeCompile = own),
  'set on a material before it is extended': (mesh, own) => {
    const material = new MeshBasicMaterial({ side: DoubleSide });
    material.onBeforeCompile = own;
    mesh.material = mesh.skinning!.extend(material);
  },
  'that calls the function that it replaces': (mesh, own) => {
    const material = mesh.material as Material;
    const before = material.onBeforeCompile;
    material.onBeforeCompile = (...args) => {
      before.apply(material, args);
      own.apply(material, args);
    };
  },
  'set after the material was drawn': (mesh, own) => {
    let root: Object3D = mesh;
    while (root.parent) root = root.parent;
    onBlue(root);
    Object.assign(mesh.material, { onBeforeCompile: own, needsUpdate: true });
  },
};

describe('a patch of the page', () => {
  it.each(Object.entries(ownPatches))('%s is applied in addition to the skinning', (_, add) => {
    const rig = bent(8, 'dualQuaternion');
    const wanted = still(rig);
    wanted.position.x = 0.4;
    wanted.updateMatrixWorld(true);
    add(rig.meshes[0] as RigSkinnedMesh, patchOf(moving));
    expect(difference(onBlue(rig.scene), onBlue(wanted))).toBeLessThan(12);
    expect(difference(onBlue(rig.scene), onBlue(still(rig)))).toBeGreaterThan(500);
    rig.dispose();
  });

  it('does not change other materials with the same skinning', () => {
    const [rig, other] = [bent(8, 'linear'), bent(8, 'linear')];
    ((rig.meshes[0] as RigSkinnedMesh).material as Material).onBeforeCompile = patchOf(moving);
    onBlue(rig.scene);
    expect(difference(onBlue(other.scene), onBlue(still(other)))).toBeLessThan(12);
    for (const each of [rig, other]) each.dispose();
  });
});

describe('a material of the page', () => {
  const reduced = ({ report }: Rig): string[] => report.items.filter(({ code }) => code === 'SKINNING_REDUCED').map(({ detail }) => detail);

  it('without the skinning of the mesh is reported once', () => {
    const rig = bent(8, 'dualQuaternion');
    const mesh = rig.meshes[0] as RigSkinnedMesh;
    onBlue(rig.scene);
    expect(reduced(rig)).toEqual([]);
    mesh.material = new MeshBasicMaterial({ side: DoubleSide });
    for (let i = 0; i < 2; i++) onBlue(rig.scene);
    expect(reduced(rig)).toEqual([
      'up to 8 influences and dual quaternions, drawn with four linear influences by a material that replaces that of the rig. ' +
        'Pass the new material to `skinning.extend` of the mesh',
    ]);
    expect(difference(onBlue(rig.scene), onBlue(still(rig)))).toBeGreaterThan(100);
    rig.dispose();
  });

  it('with the skinning of the mesh, or for four linear influences, is not reported', () => {
    const rig = bent(8, 'dualQuaternion');
    const mesh = rig.meshes[0] as RigSkinnedMesh;
    mesh.material = mesh.skinning!.extend(new MeshBasicMaterial({ side: DoubleSide }));
    expect(difference(onBlue(rig.scene), onBlue(still(rig)))).toBeLessThan(12);
    const four = bent(4, 'linear');
    (four.meshes[0] as RigSkinnedMesh).material = new MeshBasicMaterial({ side: DoubleSide });
    onBlue(four.scene);
    expect([reduced(rig), reduced(four)]).toEqual([[], []]);
    for (const each of [rig, four]) each.dispose();
  });
});
