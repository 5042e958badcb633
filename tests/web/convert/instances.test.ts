// Converts scenes with instances to GLB. Every copy has the same position as in the viewer, many
// copies of a mesh use the instancing extension, and missing models are reported.
import { readFileSync } from 'node:fs';
import { InstancedMesh, Matrix4, type Mesh, type Object3D, SkinnedMesh } from 'three';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { type Rig, RigcastLoader } from '../../../web/src/three/index.ts';
import { FileInstances } from '../../../web/src/three/instances/instanceSources.ts';
import { castFile, instance, metadata, model, node, triangle } from '../../support/castFile.ts';
import { complaints, gltfPositions, readGlb } from '../../support/gltf.ts';

type Files = Record<string, Uint8Array>;

interface World {
  rig: Rig;
  drawn: Object3D;
  json: Json;
  report: Conversion['report'];
}

interface Json {
  extensionsUsed?: string[];
  extensionsRequired?: string[];
  nodes: { name?: string; mesh?: number; skin?: number; extensions?: object; extras?: { instances?: string[] } }[];
  meshes: unknown[];
  skins?: unknown[];
  accessors: unknown[];
  animations?: unknown[];
}

const parse = (name: string, bytes: Uint8Array): Promise<RigFile> => open(bytes, { name, worker: false });

/**
 * Returns the scene of the viewer and the scene of GLTFLoader. Checks the GLB with the Khronos
 * validator.
 */
async function both(files: Files, name = 'world.cast'): Promise<World> {
  const rig = await new RigcastLoader().setFiles(new Map(Object.entries(files))).parseAsync(files[name]!, '', name);
  const instances = new FileInstances(new Map(Object.entries(files)));
  const made = await convert([await parse(name, files[name]!)], { to: 'glb', instances, open: { worker: false } });
  const bytes = made.files[0]!.bytes;
  expect(await complaints(bytes)).toEqual([]);
  const gltf = await readGlb(bytes);
  return { rig, drawn: gltf.scene, json: gltf.parser.json as Json, report: made.report };
}

/** Returns the world positions of all vertices, with one list for each drawn copy. */
function copies(scene: Object3D): number[][] {
  const found: number[][] = [];
  const at = new Matrix4();
  scene.updateMatrixWorld(true);
  scene.traverse(object => {
    if (!('geometry' in object)) return;
    const mesh = object as Mesh;
    const count = mesh instanceof InstancedMesh ? mesh.count : 1;
    const own = mesh.matrixWorld.clone();
    for (let i = 0; i < count; i++) {
      if (mesh instanceof InstancedMesh) {
        mesh.getMatrixAt(i, at);
        mesh.matrixWorld.multiplyMatrices(own, at);
      }
      found.push([...gltfPositions(mesh)]);
    }
    mesh.matrixWorld.copy(own);
  });
  return found;
}

/**
 * Returns the largest error of a vertex. Each copy is compared with the nearest copy that has not
 * been used yet.
 */
function farthest({ rig, drawn }: World): number {
  const left = copies(drawn);
  let worst = 0;
  const ours = copies(rig.scene);
  expect(left).toHaveLength(ours.length);
  for (const copy of ours) {
    const gaps = left.map(other =>
      other.length === copy.length ? copy.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0) : Infinity,
    );
    const best = gaps.indexOf(Math.min(...gaps));
    worst = Math.max(worst, gaps[best]!);
    left.splice(best, 1);
  }
  return worst;
}

const codes = (report: Conversion['report']) => report.items.map(({ code, path, amount }) => [code, path, amount]);
const instanced = ({ drawn }: World): InstancedMesh[] => {
  const found: InstancedMesh[] = [];
  drawn.traverse(object => object instanceof InstancedMesh && found.push(object));
  return found;
};

const half = Math.SQRT1_2;
const crate = castFile(model('crate', triangle('side'), triangle('lid', 2)));
const many = (count: number, path = 'crate.cast') =>
  Array.from({ length: count }, (_, i) =>
    instance(path, { p: [i, i % 3, -i], r: [0, Math.sin(i), 0, Math.cos(i)], s: [1, 1 + i / 10, 2], n: `c${i}` }),
  );

describe('a scene with instances as GLB', () => {
  it('writes sixteen copies of a mesh with the instancing extension, which is required', async () => {
    const made = await both({ 'world.cast': castFile(metadata({ up: 'z' }), ...many(16)), 'crate.cast': crate });
    expect(farthest(made)).toBeLessThan(1e-5);
    expect(instanced(made).map(({ count }) => count)).toEqual([16, 16]);
    expect(made.json.extensionsRequired).toEqual(['EXT_mesh_gpu_instancing']);
    expect(made.json.extensionsUsed).toContain('EXT_mesh_gpu_instancing');
    const names = made.json.nodes.flatMap(({ extras }) => extras?.instances ?? []);
    expect(names.slice(0, 3)).toEqual(['c0', 'c1', 'c2']);
    expect(made.json.meshes).toHaveLength(2);
    expect(made.report.items).toEqual([]);
  });

  it('writes fifteen copies as nodes', async () => {
    const made = await both({ 'world.cast': castFile(...many(15)), 'crate.cast': crate });
    expect(farthest(made)).toBeLessThan(1e-5);
    expect(instanced(made)).toEqual([]);
    expect(made.json.extensionsUsed).toBeUndefined();
    expect(made.json.nodes.filter(({ name }) => name === 'c1')).toHaveLength(2);
    expect(made.json.meshes).toHaveLength(2);
  });

  it('writes mirrored copies separately, so that front faces stay in front', async () => {
    const mirrored = Array.from({ length: 16 }, (_, i) => instance('crate.cast', { p: [0, i, 0], r: [0, 0, half, half], s: [-1, 1, 2] }));
    const made = await both({ 'world.cast': castFile(...many(16), ...mirrored), 'crate.cast': crate });
    expect(farthest(made)).toBeLessThan(1e-5);
    expect(instanced(made).map(({ count, matrixWorld }) => [count, matrixWorld.determinant()])).toEqual([
      [16, 1],
      [16, -1],
      [16, 1],
      [16, -1],
    ]);
  });

  it('writes a transform with shear as nested nodes', async () => {
    const turned = castFile(node('modl', { n: ['s', 'turned'], r: ['4v', [0, 0, Math.sin(0.4), Math.cos(0.4)]] }, triangle('side')));
    const made = await both({
      'world.cast': castFile(...Array.from({ length: 20 }, (_, i) => instance('turned.cast', { p: [i, 0, 0], s: [1, 3, 1] }))),
      'turned.cast': turned,
    });
    expect(farthest(made)).toBeLessThan(1e-5);
    expect(instanced(made)).toEqual([]);
  });

  it('places nested instances in the scale of their parent', async () => {
    const made = await both({
      'world.cast': castFile(...many(4, 'parts/group.cast')),
      'parts/group.cast': castFile(...many(5, 'crate.cast'), instance('crate.cast', { r: [0, 0, 0.6, 0.8], s: [1, 1, 3] })),
      'parts/crate.cast': crate,
    });
    expect(farthest(made)).toBeLessThan(1e-4);
    expect(instanced(made).length).toBeGreaterThan(0);
    expect(made.report.items).toEqual([]);
  });

  it('copies a model with bones, with a skin per copy and shared vertex columns', async () => {
    const demo = (name: string): Uint8Array => readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url));
    const place = (i: number) => instance('Tock.cast', { p: [2 * i, 0, 0], s: [1, 1 + i, 1] });
    const one = await both({ 'world.cast': castFile(place(0)), 'Tock.cast': demo('Tock.cast') });
    const made = await both({ 'world.cast': castFile(place(0), place(1), place(2)), 'Tock.cast': demo('Tock.cast') });
    expect(farthest(made)).toBeLessThan(1e-4);
    let skinned = 0;
    made.drawn.traverse(object => void (object instanceof SkinnedMesh && skinned++));
    expect(skinned).toBeGreaterThanOrEqual(3);
    expect(made.json.skins!.length).toBe(3 * one.json.skins!.length);
    expect(made.json.accessors.length).toBe(one.json.accessors.length);
    expect(made.json.animations).toBeUndefined();
    expect(codes(made.report)).toContainEqual(['INSTANCE_PARTS_LOST', 'Tock.cast', expect.any(Number)]);
  });

  it('puts the root of a copy with bones where the instance is, whatever space its file declares', async () => {
    const bone = node('bone', { n: ['s', 'hip'], p: ['i', [0xffffffff]], lp: ['3v', [1, 2, 3]], lr: ['4v', [0, 0, 0, 1]] });
    const skin = { mi: ['b', [1]], wb: ['b', [0, 0, 0]], wv: ['f', [1, 1, 1]] } as const;
    const made = await both({
      'world.cast': castFile(instance('lamp.cast', { p: [5, 0, 0] })),
      'lamp.cast': castFile(metadata({ up: 'z' }), model('lamp', node('skel', {}, bone), triangle('side', 1, skin))),
    });
    expect(made.json.skins).toHaveLength(1);
    expect(farthest(made)).toBeLessThan(1e-5);
  });

  it('rotates instances whose files state another up axis, as in the viewer', async () => {
    const up = (axis: string) => metadata({ up: axis });
    const files = {
      'world.cast': castFile(
        up('z'),
        ...Array.from({ length: 16 }, (_, i) => instance('crate.cast', { p: [i, 2, 3], s: [1, 2, 3] })),
        instance('flag.cast', { p: [1, 2, 3] }),
      ),
      'crate.cast': castFile(up('y'), model('crate', triangle('side'))),
      'flag.cast': castFile(up('x'), model('flag', triangle('cloth'))),
    };
    const made = await both(files);
    expect(farthest(made)).toBeLessThan(1e-5);
    expect(instanced(made).map(({ count }) => count)).toEqual([16]); // without shear
    expect(made.report.items.map(({ code, path, amount, detail }) => [code, path, amount, detail])).toEqual([
      ['INSTANCES_TURNED', 'crate.cast', 16, 'y instead of z'],
      ['INSTANCES_TURNED', 'flag.cast', 1, 'x instead of z'],
    ]);
  });

  it('prefers the given files as instances, and does not convert these separately', async () => {
    const given = [await parse('world.cast', castFile(...many(2))), await parse('crate.cast', crate)];
    const made = await convert(given, { to: 'gltf' });
    expect(made.files.map(({ name }) => name)).toEqual(['world.gltf', 'world.bin']);
    expect(made.report.items).toEqual([]);
    const named = await convert(given, { to: 'cast' }); // Cast references instanced files
    expect(named.files.map(({ name }) => name)).toEqual(['world.cast', 'crate.cast']);
  });

  it('reports instances that are missing, unreadable or recursive, and writes the others', async () => {
    const made = await both({
      'world.cast': castFile(
        ...many(2),
        ...many(3, 'missing.cast'),
        instance('broken.cast'),
        instance('world.cast'),
        instance('loop.cast', { p: [0, 5, 0] }),
      ),
      'loop.cast': castFile(instance('loop.cast'), instance('crate.cast')),
      'broken.cast': new Uint8Array([99, 97, 115, 116]),
      'crate.cast': crate,
    });
    expect(codes(made.report).sort()).toEqual([
      ['INSTANCES_LOST', '', 1],
      ['INSTANCES_LOST', '', 1],
      ['INSTANCES_LOST', 'broken.cast', 1],
      ['INSTANCES_LOST', 'missing.cast', 3],
    ]);
    expect(farthest(made)).toBeLessThan(1e-5);
  });

  it('has the demo scene at the positions of the viewer', async () => {
    const folder = new URL('../../../web/src/viewer/demo/', import.meta.url);
    const names = ['Isle', 'Island', 'Cottage', 'Fence', 'Mushroom', 'Pine', 'Rock', 'Sheep', 'BlackSheep', 'Tree', 'Tock'];
    const files = Object.fromEntries(names.map(name => [`${name}.cast`, new Uint8Array(readFileSync(new URL(`${name}.cast`, folder)))]));
    const made = await both(files, 'Isle.cast');
    expect(farthest(made)).toBeLessThan(1e-4);
    expect(instanced(made).length).toBeGreaterThan(0);
    expect(made.report.items.map(({ code }) => code)).not.toContain('INSTANCES_LOST');
  });
});
