// Particle systems as three.js draws them.
import { existsSync, readFileSync } from 'node:fs';
import { type BufferGeometry, InstancedMesh, LOD, type Material, Mesh, PerspectiveCamera, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import type { Feature, Properties } from '../../../web/src/core/types.ts';
import { Rig } from '../../../web/src/three/rig.ts';
import { armScene } from '../../support/armScene.ts';

const emitter = (over: Properties = {}, renderer: Properties = {}): Feature => ({
  kind: 'particleSystem',
  name: 'sparks',
  node: 2,
  properties: {
    main: {
      duration: 1,
      loop: true,
      startLifetime: { mode: 0, constant: 1 },
      startSpeed: { mode: 0, constant: 0.5 },
      startSize: { mode: 0, constant: 0.2 },
      startColor: { mode: 0, color: [1, 0.5, 0.25, 0.5] },
      simulationSpeed: 1,
      maxParticles: 50,
    },
    emission: { enabled: true, rateOverTime: { mode: 0, constant: 20 } },
    renderer: { enabled: true, renderMode: 0, sharedMaterialIndex: 1, ...renderer },
    ...over,
  },
});

const quadsOf = (rig: Rig): { lod: LOD; mesh: Mesh<BufferGeometry, Material> } => {
  let found: LOD | undefined;
  rig.scene.traverse(object => void (object instanceof LOD && (found = object)));
  return { lod: found!, mesh: found!.children[0] as Mesh<BufferGeometry, Material> };
};

async function lit(...features: Feature[]): Promise<Rig> {
  const rig = await Rig.make({ scene: armScene({ features }) });
  for (let i = 0; i < 30; i++) rig.update(1 / 60);
  rig.scene.updateMatrixWorld(true);
  return rig;
}

it('quads face whatever camera looks, at the size that the file says', async () => {
  const rig = await lit(emitter());
  const { lod, mesh } = quadsOf(rig);
  expect(lod.parent).toBe(rig.nodes[2]);
  for (const from of [new Vector3(5, 2, 1), new Vector3(-1, -7, 3)]) {
    const camera = new PerspectiveCamera();
    camera.position.copy(from);
    camera.lookAt(0, 1, 0);
    camera.updateMatrixWorld();
    lod.update(camera);
    const position = mesh.geometry.getAttribute('position');
    const [a, b, c] = [0, 1, 2].map(k => new Vector3().fromBufferAttribute(position, k).applyMatrix4(mesh.matrixWorld));
    const normal = b!.clone().sub(a!).cross(c!.clone().sub(b!)).normalize();
    expect(normal.dot(camera.getWorldDirection(new Vector3()))).toBeCloseTo(-1, 5);
    expect(a!.distanceTo(b!)).toBeCloseTo(0.2, 5);
    expect(b!.distanceTo(c!)).toBeCloseTo(0.2, 5);
  }
  expect(mesh.geometry.drawRange.count).toBe(6 * rig.particles!.emitters[0]!.count);
  [1, 0.5, 0.25, 0.5].forEach((value, k) => expect(mesh.geometry.getAttribute('color').getComponent(0, k)).toBeCloseTo(value));
});

it('materials are their own, with the file’s textures', async () => {
  const rig = await lit(emitter());
  const { mesh } = quadsOf(rig);
  expect(rig.materialsOf(1)).toContain(mesh.material);
  expect(mesh.material.vertexColors).toBe(true);
  expect(rig.meshes.flatMap(each => each!.material)).not.toContain(mesh.material);
});

it('copies of a mesh are drawn as such', async () => {
  const rig = await lit(emitter({ mesh: 0, materials: [0, 1] }, { renderMode: 4 }));
  let found: InstancedMesh | undefined;
  rig.scene.traverse(object => void (object instanceof InstancedMesh && (found = object)));
  expect(found!.count).toBe(rig.particles!.emitters[0]!.count);
  expect(found!.count).toBe(10);
  expect(found!.geometry.getAttribute('position').array).toBe(rig.file.scene!.meshes[0]!.positions);
  expect(found!.material).toHaveLength(2);
});

it('stops with its object, and starts when it is told to', async () => {
  const rig = await lit(emitter({ main: { ...(emitter().properties!['main'] as Properties), playOnAwake: false } }));
  const [one] = rig.particles!.emitters;
  expect(one!.count).toBe(0);
  one!.isPlaying = true;
  for (let i = 0; i < 30; i++) rig.update(1 / 60);
  expect(one!.count).toBe(10);
  rig.nodes[1]!.visible = false;
  rig.update(1);
  expect(one!.count).toBe(10);
  expect(quadsOf(rig).lod.visible).toBe(false);
});

it('says what is not played, and is not in a copy for exporters', async () => {
  const rig = await lit(emitter({ noise: { enabled: true }, trails: { enabled: true } }));
  expect(rig.report.items.map(({ code, path, detail }) => `${code} ${path}: ${detail}`)).toEqual(['NOT_SIMULATED sparks: noise, trails']);
  for (const copy of [clone(rig.scene), await rig.forExport()]) {
    const drawn: string[] = [];
    copy.traverse(object => void (object instanceof Mesh && drawn.push(object.name)));
    expect(drawn).toEqual(['strip']);
  }
});

it('frees what it made', async () => {
  const rig = await lit(emitter());
  const { mesh, lod } = quadsOf(rig);
  let freed = 0;
  for (const each of [mesh.geometry, mesh.material]) each.addEventListener('dispose', () => freed++);
  rig.dispose();
  expect(freed).toBeGreaterThanOrEqual(2);
  expect(lod.parent).toBeNull();
});

const sample = new URL('../../../../shared/corpus/vgo/real/VGO_2_5.vgo', import.meta.url);

it.skipIf(!existsSync(sample))('the stars of a public sample fly out of their cone (needs ../shared/corpus)', async () => {
  const file = await open(new Uint8Array(readFileSync(sample)), { name: 'VGO_2_5.vgo', worker: false });
  const rig = await Rig.make(file);
  for (let i = 0; i < 240; i++) rig.update(1 / 60);
  const [stars] = rig.particles!.emitters;
  expect(stars!.name).toBe('ParticleStar');
  expect(stars!.count).toBeGreaterThan(24);
  expect(stars!.count).toBeLessThan(41);
  expect(rig.report.items.map(({ code }) => code)).not.toContain('NOT_SIMULATED');
});
