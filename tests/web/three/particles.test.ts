// Particle systems drawn with three.js.
import { existsSync, readFileSync } from 'node:fs';
import {
  type BufferGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  LOD,
  type Material,
  Matrix4,
  Mesh,
  PerspectiveCamera,
  Vector3,
} from 'three';
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

it('rotates quads towards each camera, with the size in the file', async () => {
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

const main = emitter().properties!['main'] as Properties;
const still: Properties = { ...main, startSpeed: { mode: 0, constant: 0 } };

/** Returns the corners of the first quad in scene space, for a distant camera on +Z. */
function cornersOf(rig: Rig, distance: number): { corners: Vector3[]; uvs: number[]; mesh: Mesh<BufferGeometry> } {
  const camera = new PerspectiveCamera(90, 1, 0.01, 1000);
  const { lod, mesh } = quadsOf(rig);
  camera.position.copy(mesh.getWorldPosition(new Vector3())).add(new Vector3(0, 0, distance));
  camera.updateMatrixWorld();
  lod.update(camera);
  const position = mesh.geometry.getAttribute('position');
  const corners = [0, 1, 2, 3].map(k => new Vector3().fromBufferAttribute(position, k).applyMatrix4(mesh.matrixWorld));
  return { corners, uvs: Array.from(mesh.geometry.getAttribute('uv').array), mesh };
}

const middleOf = (corners: readonly Vector3[]): Vector3 =>
  corners.reduce((sum, corner) => sum.add(corner), new Vector3()).divideScalar(corners.length);

it('offsets quads by the pivot', async () => {
  const rig = await lit(emitter({ main: still }, { pivot: [0.5, 1, 0.25] }));
  const { corners, mesh } = cornersOf(rig, 5);
  const off = middleOf(corners).sub(mesh.getWorldPosition(new Vector3()));
  expect(off.toArray().map(value => Number(value.toFixed(4)))).toEqual([0.1, 0.2, -0.05]);
});

it('mirrors the share of quads that flip declares', async () => {
  for (const [flip, u, v] of [
    [[1, 0, 0], 1, 1],
    [[0, 1, 0], 0, 0],
    [[0, 0, 0], 0, 1],
  ] as const) {
    const { uvs } = cornersOf(await lit(emitter({}, { flip: [...flip] })), 5);
    expect(uvs.slice(0, 2)).toEqual([u, v]);
  }
  const half = await lit(
    emitter(
      { main: { ...main, maxParticles: 500 }, emission: { enabled: true, rateOverTime: { mode: 0, constant: 900 } } },
      { flip: [0.5, 0, 0] },
    ),
  );
  const { uvs } = cornersOf(half, 5);
  const { count } = half.particles!.emitters[0]!;
  const mirrored = Array.from({ length: count }, (_, i) => uvs[8 * i]!).filter(each => each === 1).length;
  expect(mirrored / count).toBeGreaterThan(0.4);
  expect(mirrored / count).toBeLessThan(0.6);
});

it('limits the size of quads in the viewport', async () => {
  const rig = await lit(emitter({ main: still }, { minParticleSize: 0.05, maxParticleSize: 0.5 }));
  const heightAt = (distance: number): number => {
    const { corners } = cornersOf(rig, distance);
    return corners[1]!.distanceTo(corners[2]!) / (2 * distance); // fraction of the viewport at a field of view of 90 degrees
  };
  expect(heightAt(0.1)).toBeCloseTo(0.5, 4);
  expect(heightAt(1)).toBeCloseTo(0.1, 4);
  expect(heightAt(50)).toBeCloseTo(0.05, 4);
});

it('applies scale in the hierarchy, local and shape modes', async () => {
  const sizes: Record<string, number> = {};
  const spreads: Record<string, number> = {};
  const shape = { enabled: true, shapeType: 5, scale: [1, 0, 0], arc: 360 };
  for (const [name, scalingMode, simulationSpace] of [
    ['hierarchy', 0, 0],
    ['local', 1, 0],
    ['shape', 2, 0],
    ['hierarchy in the world', 0, 1],
    ['shape in the world', 2, 1],
  ] as const) {
    const rig = await Rig.make({ scene: armScene({ features: [emitter({ main: { ...still, scalingMode, simulationSpace }, shape })] }) });
    rig.nodes[1]!.scale.setScalar(3);
    rig.nodes[2]!.scale.setScalar(2);
    rig.nodes[2]!.quaternion.identity();
    for (let i = 0; i < 45; i++) rig.update(1 / 60);
    rig.scene.updateMatrixWorld(true);
    const { corners, mesh } = cornersOf(rig, 500);
    sizes[name] = Number(corners[0]!.distanceTo(corners[1]!).toFixed(3));
    const position = mesh.geometry.getAttribute('position');
    const xs = Array.from(
      { length: rig.particles!.emitters[0]!.count },
      (_, i) => middleOf([0, 1, 2, 3].map(k => new Vector3().fromBufferAttribute(position, 4 * i + k).applyMatrix4(mesh.matrixWorld))).x,
    );
    spreads[name] = Math.max(...xs) - Math.min(...xs);
    rig.dispose();
  }
  expect(sizes).toEqual({ hierarchy: 1.2, local: 0.4, shape: 0.2, 'hierarchy in the world': 1.2, 'shape in the world': 0.2 });
  // Because the seeds are equal, the positions differ only in scale.
  expect(spreads['shape']! / spreads['hierarchy']!).toBeCloseTo(1, 3);
  expect(spreads['shape in the world']! / spreads['hierarchy']!).toBeCloseTo(1, 3);
  expect(spreads['hierarchy']! / spreads['local']!).toBeCloseTo(3, 3);
});

it('have materials of their own with textures of the file', async () => {
  const rig = await lit(emitter());
  const { mesh } = quadsOf(rig);
  expect(rig.materialsOf(1)).toContain(mesh.material);
  expect(mesh.material.vertexColors).toBe(true);
  expect(rig.meshes.flatMap(each => each!.material)).not.toContain(mesh.material);
});

it('draws mesh particles as instances', async () => {
  const rig = await lit(emitter({ mesh: 0, materials: [0, 1] }, { renderMode: 4 }));
  let found: InstancedMesh | undefined;
  rig.scene.traverse(object => void (object instanceof InstancedMesh && (found = object)));
  expect(found!.count).toBe(rig.particles!.emitters[0]!.count);
  expect(found!.count).toBe(10);
  expect(found!.geometry.getAttribute('position').array).toBe(rig.file.scene!.meshes[0]!.positions);
  expect(found!.material).toHaveLength(2);
  // Each instance has its own color and alpha.
  const tints = found!.geometry.getAttribute('color');
  expect(tints).toBeInstanceOf(InstancedBufferAttribute);
  expect(tints.itemSize).toBe(4);
  [1, 0.5, 0.25, 0.5].forEach((value, k) => expect(tints.getComponent(0, k)).toBeCloseTo(value));
  expect((found!.material as unknown as Material[]).every(({ vertexColors }) => vertexColors)).toBe(true);
  expect(rig.meshes.flatMap(each => each!.material)).not.toContain((found!.material as unknown as Material[])[0]);
});

it('offsets mesh particles by the pivot', async () => {
  const rig = await lit(emitter({ mesh: 0, materials: [0], main: still }, { renderMode: 4, pivot: [1, 2, 3] }));
  let found: InstancedMesh | undefined;
  rig.scene.traverse(object => void (object instanceof InstancedMesh && (found = object)));
  const place = new Vector3().setFromMatrixPosition(new Matrix4().fromArray(found!.instanceMatrix.array));
  expect(place.toArray().map(value => Number(value.toFixed(4)))).toEqual([0.2, 0.4, -0.6]);
});

it('stops with its hidden object, and starts by isPlaying', async () => {
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

it('reports unsupported modules, and is left out of copies for exporters', async () => {
  const rig = await lit(
    emitter({ noise: { enabled: true }, trails: { enabled: true } }, { sortMode: 2, alignment: 4, maxParticleSize: 0.5 }),
  );
  expect(rig.report.items.map(({ code, path, detail }) => `${code} ${path}: ${detail}`)).toEqual([
    'NOT_SIMULATED sparks: noise, trails, sorting by age, alignment to the direction of movement',
  ]);
  for (const copy of [clone(rig.scene), await rig.cloneForExport()]) {
    const drawn: string[] = [];
    copy.traverse(object => void (object instanceof Mesh && drawn.push(object.name)));
    expect(drawn).toEqual(['strip']);
  }
});

it('frees its resources', async () => {
  const rig = await lit(emitter());
  const { mesh, lod } = quadsOf(rig);
  let freed = 0;
  for (const each of [mesh.geometry, mesh.material]) each.addEventListener('dispose', () => freed++);
  rig.dispose();
  expect(freed).toBeGreaterThanOrEqual(2);
  expect(lod.parent).toBeNull();
});

const sample = new URL('../../../../shared/corpus/vgo/real/VGO_2_5.vgo', import.meta.url);

it.skipIf(!existsSync(sample))('emits particles of a public sample from a cone (needs ../shared/corpus)', async () => {
  const file = await open(new Uint8Array(readFileSync(sample)), { name: 'VGO_2_5.vgo', worker: false });
  const rig = await Rig.make(file);
  for (let i = 0; i < 240; i++) rig.update(1 / 60);
  const [stars] = rig.particles!.emitters;
  expect(stars!.name).toBe('ParticleStar');
  expect(stars!.count).toBeGreaterThan(24);
  expect(stars!.count).toBeLessThan(41);
  expect(rig.report.items.map(({ code }) => code)).not.toContain('NOT_SIMULATED');
});
