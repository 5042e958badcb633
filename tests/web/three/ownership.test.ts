// A rig disposes exactly the resources that it has created, aborts its own pending operations, and
// keeps the objects that a page has attached to it.
import { readFileSync } from 'node:fs';
import {
  BoxGeometry,
  BufferGeometry,
  DataTexture,
  Group,
  InstancedMesh,
  type Light,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PointLight,
  Skeleton,
  type SkinnedMesh,
  Texture,
} from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import type { Feature, Light as SceneLight, Mesh as SceneMesh } from '../../../web/src/core/types.ts';
import { Rig, RigcastLoader, type TextureSource } from '../../../web/src/three/index.ts';
import { armScene } from '../../support/armScene.ts';
import { avatarScene } from '../../support/avatarScene.ts';
import { castFile, instance, model, node, triangle } from '../../support/castFile.ts';
import { tga } from '../../support/images.ts';

const picture = tga(2, 2, () => [255, 0, 0, 255]);

afterEach(() => vi.restoreAllMocks());

type Disposable = { addEventListener(type: 'dispose', listener: () => void): void };

/**
 * Returns a function that returns the names of the resources that have been disposed since, without
 * duplicates.
 */
function watched(things: Record<string, Disposable>): () => string[] {
  const gone = new Set<string>();
  for (const [name, thing] of Object.entries(things)) thing.addEventListener('dispose', () => gone.add(name));
  return () => [...gone];
}

/**
 * Returns all GPU resources of an object tree: geometries, materials with their textures, bone
 * textures, lights, instanced meshes.
 */
function resources(root: Object3D): Record<string, Disposable> {
  const found: Record<string, Disposable> = {};
  const add = (thing: Disposable & { uuid?: string }, what: string): void => void (found[`${what} ${thing.uuid}`] = thing);
  root.traverse(object => {
    const { geometry, material, skeleton, customDepthMaterial, customDistanceMaterial } = object as Partial<SkinnedMesh>;
    if (geometry) add(geometry, 'geometry');
    for (const each of [material ?? [], customDepthMaterial ?? [], customDistanceMaterial ?? []].flat()) {
      add(each, each.type);
      for (const value of Object.values(each)) if (value instanceof Texture) add(value, 'texture');
    }
    if (skeleton && !skeleton.boneTexture) skeleton.computeBoneTexture();
    if (skeleton) add(skeleton.boneTexture!, 'bones');
    if ((object as Light).isLight) add(object, 'light');
    if (object instanceof InstancedMesh) add(object, 'instances');
  });
  return found;
}

const light: SceneLight = {
  name: 'lamp',
  node: 1,
  type: 'spot',
  color: [1, 1, 1],
  intensity: 1,
  range: 4,
  innerAngle: 0,
  outerAngle: 0.5,
  size: [1, 1],
  castShadow: true,
  enabled: true,
};

/**
 * Returns the rig of a file with outlines, embedded textures, dual quaternions with shadows, and a
 * light.
 */
async function richRig(): Promise<Rig> {
  const scene = avatarScene({ lights: [light] });
  scene.meshes[0] = { ...scene.meshes[0]!, skinning: 'dualQuaternion' };
  scene.images = [{ name: 'a.tga', bytes: picture }];
  scene.textures = [
    { name: 'a', image: 0, wrapU: 'repeat', wrapV: 'repeat', filter: 'linear', offset: [0, 0], scale: [1, 1], uvSet: 0, srgb: true },
  ];
  for (const material of scene.materials) material.slots = [{ slot: 'baseColor', source: '_MainTex', texture: 0 }];
  const rig = await Rig.make({ scene, name: 'rich.vgo' });
  await rig.loadTextures(null);
  return rig;
}

describe('dispose', () => {
  it('frees all resources of the rig', async () => {
    const rig = await richRig();
    const made = resources(rig.scene);
    const kinds = new Set(Object.keys(made).map(name => name.split(' ')[0]));
    expect(kinds).toEqual(
      new Set([
        'geometry',
        'ShaderMaterial',
        'MeshStandardMaterial',
        'MeshDepthMaterial',
        'MeshDistanceMaterial',
        'texture',
        'bones',
        'light',
      ]),
    );
    const gone = watched(made);
    const parent = new Group().add(rig.scene);
    rig.dispose();
    expect(gone().toSorted()).toEqual(Object.keys(made).toSorted());
    expect(parent.children).toEqual([]);
    expect(rig.skeletons[0]!.boneTexture).toBeNull();
  });

  it('keeps objects, textures and materials that the page has added', async () => {
    const rig = await richRig();
    const other = await richRig();
    const hat = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ map: new Texture() }));
    const lamp = new PointLight();
    rig.nodes[3]!.add(hat, lamp);
    rig.nodes[2]!.add(other.scene);
    const paint = new MeshStandardMaterial({ map: new Texture() });
    const print = new Texture();
    const shape = new BufferGeometry();
    const plain = rig.materialsOf(1)[0] as MeshStandardMaterial;
    const mesh = rig.meshes[0] as Mesh;
    const own = resources(rig.meshes[0]!);
    plain.normalMap = print;
    mesh.material = paint;
    mesh.geometry = shape;
    const foreign = watched({
      hat: hat.geometry,
      felt: hat.material,
      cloth: hat.material.map!,
      lamp,
      paint,
      stripes: paint.map!,
      print,
      shape,
      ...resources(other.scene),
    });
    const gone = watched(own);
    rig.dispose();
    expect(foreign()).toEqual([]);
    expect(hat.parent).toBe(rig.nodes[3]);
    expect(gone().toSorted()).toEqual(Object.keys(own).toSorted()); // includes replaced resources
    other.dispose();
    expect(foreign()).not.toEqual([]);
  });

  it('keeps the bone textures of clones', async () => {
    const rig = await richRig();
    const copy = SkeletonUtils.clone(rig.scene);
    const { skeleton } = copy.getObjectByProperty('isSkinnedMesh', true) as SkinnedMesh;
    skeleton.computeBoneTexture();
    rig.dispose();
    expect(skeleton.boneTexture).not.toBeNull();
  });

  it('frees ribbons and lines of hair', async () => {
    const hair = castFile(model('m', node('hair', { n: ['s', 'fringe'], se: ['b', [2]], pt: ['3v', [0, 0, 0, 0, 1, 0, 0, 2, 0]] })));
    const rig = await new RigcastLoader().parseAsync(hair, '', 'hair.cast');
    const lines = resources(rig.scene);
    await rig.setStrandWidth(2);
    const ribbons = resources(rig.scene);
    const gone = watched({ ...lines, ...ribbons });
    rig.dispose();
    expect(gone().toSorted()).toEqual([...Object.keys(lines), ...Object.keys(ribbons)].toSorted());
  });

  it('frees files, instances and copies, and keeps objects that the page has added', async () => {
    const bone = node('bone', { n: ['s', 'b'], p: ['i', [0xffffffff]], lp: ['3v', [0, 0, 0]], lr: ['4v', [0, 0, 0, 1]] });
    const files = {
      'world.cast': castFile(
        instance('flag.cast'),
        instance('flag.cast', { p: [1, 0, 0] }),
        instance('crate.cast'),
        instance('stack.cast'),
      ),
      'stack.cast': castFile(instance('crate.cast', { p: [0, 1, 0] })),
      'crate.cast': castFile(model('crate', triangle('side'))),
      'flag.cast': castFile(
        model('flag', node('skel', {}, bone), triangle('cloth', 1, { mi: ['b', [1]], wb: ['b', [0, 0, 0]], wv: ['f', [1, 1, 1]] })),
      ),
    };
    const rig = await new RigcastLoader().setFiles(new Map(Object.entries(files))).parseAsync(files['world.cast'], '', 'world.cast');
    const made = resources(rig.scene);
    const parts = Object.assign({}, ...rig.instanceRigs.map(part => resources(part.scene))) as typeof made;
    expect(Object.keys(made).filter(name => name.startsWith('bones'))).toHaveLength(2);
    expect(Object.keys(made).filter(name => name.startsWith('instances'))).toHaveLength(1);
    const bird = new Mesh(new BoxGeometry());
    rig.scene.getObjectByProperty('isInstancedMesh', true)!.add(bird);
    const gone = watched({ ...made, ...parts });
    const foreign = watched({ bird: bird.geometry });
    rig.dispose();
    expect(gone().toSorted()).toEqual([...new Set([...Object.keys(made), ...Object.keys(parts)])].toSorted());
    expect(foreign()).toEqual([]);
  });

  it('can be called twice, and for files that contain only animations', async () => {
    const rig = await richRig();
    rig.dispose();
    expect(() => rig.dispose()).not.toThrow();
    const empty = armScene();
    new Rig({ scene: { ...empty, renderers: [], meshes: [], skins: [], features: [] } }).dispose();
  });
});

/** Returns a function that lists the objects that have been created since, and not disposed. */
function leaks(): () => string[] {
  const made = new Set<Disposable & { uuid: string }>();
  const gone = new Set<unknown>();
  const watch = <T extends { prototype: object }>(Class: T, maker: string): void => {
    const { prototype } = Class as unknown as { prototype: Record<string, (...args: unknown[]) => unknown> };
    const make = prototype[maker]!;
    const dispose = prototype['dispose']!;
    vi.spyOn(prototype, maker).mockImplementation(function (this: never, ...args) {
      made.add(this);
      return make.apply(this, args);
    });
    vi.spyOn(prototype, 'dispose').mockImplementation(function (this: never) {
      gone.add(this);
      return dispose.apply(this);
    });
  };
  watch(BufferGeometry, 'setAttribute');
  watch(Material, 'setValues');
  const need = Object.getOwnPropertyDescriptor(Texture.prototype, 'needsUpdate')!;
  vi.spyOn(Texture.prototype, 'needsUpdate', 'set').mockImplementation(function (this: Texture, value: boolean) {
    made.add(this);
    need.set!.call(this, value);
  });
  const free = Texture.prototype.dispose;
  vi.spyOn(Texture.prototype, 'dispose').mockImplementation(function (this: Texture) {
    gone.add(this);
    free.call(this);
  });
  return () => [...made].filter(each => !gone.has(each)).map(each => each.constructor.name);
}

/** Returns a texture source that responds when the test calls `answer`. */
function slowSource(): { source: TextureSource; answer: () => void } {
  let answer!: () => void;
  const told = new Promise<void>(resolve => (answer = resolve));
  return {
    source: { names: ['a.tga'], text: async () => null, image: async () => (await told, { name: 'a.tga', bytes: picture }) },
    answer,
  };
}

const needy = (): Promise<Rig> => {
  const scene = armScene({ images: [{ name: 'a.tga', path: 'a.tga' }] });
  scene.textures = [
    { name: 'a', image: 0, wrapU: 'repeat', wrapV: 'repeat', filter: 'linear', offset: [0, 0], scale: [1, 1], uvSet: 0, srgb: true },
  ];
  for (const material of scene.materials) material.slots = [{ slot: 'baseColor', source: 'albedo', texture: 0 }];
  return Rig.make({ scene, name: 'needy.cast' });
};

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: Error) => error.name,
  );
const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20));

describe('pending operations of a disposed rig', () => {
  it('rejects pending textures at once, and frees those that load later', async () => {
    const rig = await needy();
    const left = leaks();
    const { source, answer } = slowSource();
    const loading = rig.loadTextures(source);
    await settled();
    rig.dispose();
    expect(await outcome(loading)).toBe('AbortError');
    answer();
    await settled();
    expect(vi.mocked(Texture.prototype.dispose).mock.contexts.some(texture => texture instanceof DataTexture)).toBe(true);
    expect(left()).toEqual([]);
    expect((rig.materialsOf(0)[0] as MeshStandardMaterial).map).toBeNull();
  });

  it.each([0, 1, 2, 5, 10, 20])('frees all files of instances if disposed after %i microtasks', async turns => {
    const read = (name: string): Uint8Array =>
      new Uint8Array(readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url)));
    const files = new Map(['Isle.cast', 'Island.cast', 'Fence.cast', 'Rock.cast', 'Pine.cast'].map(name => [name, read(name)]));
    const rig = await Rig.make(await open(read('Isle.cast'), { name: 'Isle.cast' }));
    const left = leaks();
    const loading = outcome(rig.loadInstances(files));
    for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve));
    rig.dispose();
    const how = await loading;
    if (turns < 2) expect(how).toBe('AbortError'); // with more turns, a fast machine may already have finished
    await settled();
    expect(left()).toEqual([]);
    if (how === 'AbortError') expect(rig.instanceRigs).toEqual([]);
  });

  it('rejects a pending skybox and frees it', async () => {
    const { source: _, answer } = slowSource();
    const sky: Feature = { kind: 'skybox', properties: { materialIndex: 0, enabled: true } };
    const scene = avatarScene({ features: [sky] });
    scene.materials[0] = { ...scene.materials[0]!, model: 'skybox', properties: { shaderName: 'Skybox/Procedural' } };
    const rig = await Rig.make({ scene, name: 'sky.vgo' });
    const left = leaks();
    const loading = rig.loadSkybox();
    rig.dispose();
    answer();
    expect(await outcome(loading)).toBe('AbortError');
    expect(left()).toEqual([]);
  });

  it.each([0, 1, 2, 3, 4, 6, 8, 12])('frees all six skybox images if disposed after %i microtasks', async turns => {
    const sources = ['_FrontTex', '_BackTex', '_LeftTex', '_RightTex', '_UpTex', '_DownTex'];
    const scene = avatarScene({ features: [{ kind: 'skybox', node: 0, properties: { materialIndex: 0, enabled: true } }] });
    scene.images = sources.map(name => ({ name: `${name}.tga`, bytes: picture }));
    scene.textures = sources.map((name, image) => ({
      name,
      image,
      wrapU: 'clamp',
      wrapV: 'clamp',
      filter: 'linear',
      offset: [0, 0],
      scale: [1, 1],
      uvSet: 0,
      srgb: true,
    }));
    scene.materials[0] = {
      ...scene.materials[0]!,
      model: 'skybox',
      properties: { shaderName: 'Skybox/6 Sided' },
      slots: sources.map((source, texture) => ({ slot: source, source, texture })),
    };
    const rig = await Rig.make({ scene, name: 'sky.vgo' });
    const left = leaks();
    const loading = rig.loadSkybox().then(
      sky => sky?.dispose(),
      () => {},
    );
    for (let i = 0; i < turns; i++) await Promise.resolve();
    rig.dispose();
    await loading;
    await settled();
    expect(vi.mocked(Texture.prototype.dispose)).toHaveBeenCalled();
    expect(left()).toEqual([]);
  });

  it('rejects a pending strand width and creates nothing', async () => {
    const strands: SceneMesh = { ...armScene().meshes[0]!, topology: 'strands', strandOffsets: Uint32Array.of(0, 3, 6), groups: [] };
    delete (strands as Partial<SceneMesh>).indices;
    const rig = new Rig({ scene: armScene({ meshes: [strands], skins: [], renderers: [{ name: '', node: 0, mesh: 0, visible: true }] }) });
    const left = leaks();
    const loading = rig.setStrandWidth(2);
    rig.dispose();
    expect(await outcome(loading)).toBe('AbortError');
    expect(left()).toEqual([]);
  });

  it('rejects operations after dispose', async () => {
    const rig = await needy();
    rig.dispose();
    for (const loading of [rig.loadTextures(null), rig.loadInstances(new Map()), rig.loadSkybox(), rig.setStrandWidth(1)])
      expect(await outcome(loading)).toBe('AbortError');
  });

  it("ends by the caller's signal as well, and the rig lives on", async () => {
    const rig = await needy();
    const { source, answer } = slowSource();
    const controller = new AbortController();
    const loading = rig.loadTextures(source, { signal: controller.signal });
    controller.abort(new RangeError('mine'));
    expect(await outcome(loading)).toBe('RangeError');
    answer();
    await settled();
    await rig.loadTextures(new Map([['a.tga', picture]]));
    expect((rig.materialsOf(0)[0] as MeshStandardMaterial).map).toBeInstanceOf(DataTexture);
    const gone = watched(resources(rig.scene));
    rig.dispose();
    expect(gone().some(name => name.startsWith('texture'))).toBe(true);
  });
});

describe('bones', () => {
  it('frees bone textures of skeletons without a mesh', () => {
    const rig = new Rig({ scene: armScene({ renderers: [] }) });
    const [skeleton] = rig.skeletons;
    expect(skeleton).toBeInstanceOf(Skeleton);
    skeleton!.computeBoneTexture();
    const gone = watched({ bones: skeleton!.boneTexture! });
    rig.dispose();
    expect(gone()).toEqual(['bones']);
  });
});
