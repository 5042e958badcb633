// Converts VGO avatars to VRM 1.0 and reads the results with three-vrm.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as library from '@pixiv/three-vrm';
import { type Mesh, type Object3D, Texture, Vector3 } from 'three';
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { springGroupsOf } from '../../../web/src/rig/springGroups.ts';
import { toonValues } from '../../../web/src/three/materials/toonValues.ts';
import { complaints } from '../../support/gltf.ts';

/**
 * The members of three-vrm that this test uses. The library's own declarations do not resolve with
 * Node's module rules.
 */
interface Vrm {
  scene: Object3D;
  meta: Record<string, unknown>;
  humanoid: { getRawBoneNode(name: string): Object3D | null; getNormalizedBoneNode(name: string): Object3D | null };
  expressionManager?: {
    setValue(name: string, weight: number): void;
    getValue(name: string): number | null;
    expressionMap: Record<string, unknown>;
  };
  lookAt?: { lookAt(place: Vector3): void; autoUpdate: boolean };
  springBoneManager?: { joints: Set<{ bone: Object3D; settings: Record<string, unknown>; colliderGroups: { colliders: unknown[] }[] }> };
  materials?: ({ isMToonMaterial?: boolean; name: string; isOutline?: boolean } & Record<string, unknown>)[];
  update(seconds: number): void;
}
const { VRMLoaderPlugin } = library as unknown as { VRMLoaderPlugin: new (parser: GLTFParser) => { name: string } };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const lotl = join(root, 'web/src/viewer/demo/Lotl.vgo');
const corpus = join(root, '../shared/corpus/vgo/real');

const read = (path: string): Promise<RigFile> => open(readFileSync(path), { name: basename(path), worker: false });

async function load(bytes: Uint8Array): Promise<Vrm> {
  const loader = new GLTFLoader();
  loader.register(parser => new VRMLoaderPlugin(parser));
  loader.register(() => ({ name: 'blank', loadTexture: async () => new Texture() }));
  const { userData } = await loader.parseAsync(bytes.slice().buffer, '');
  return userData['vrm'] as Vrm;
}

const only = ({ files }: Conversion): Uint8Array => {
  expect(files).toHaveLength(1);
  return files[0]!.bytes;
};

interface Json {
  extensionsUsed: string[];
  extensions: {
    VRMC_vrm: {
      meta: object;
      expressions?: { preset?: Record<string, { morphTargetBinds: object[] }>; custom?: object };
      firstPerson: { meshAnnotations: { type: string }[] };
      lookAt?: Record<string, { outputScale: number }>;
    };
  };
}

function jsonOf(bytes: Uint8Array): Json {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as Json;
}

async function lotlAsVrm(change: (scene: RigScene) => RigScene = scene => scene): Promise<{ file: RigFile; made: Conversion; vrm: Vrm }> {
  const file = await read(lotl);
  const changed = { ...file, scene: change(file.scene!) };
  const made = await convert([changed], { to: 'vrm' });
  return { file: changed, made, vrm: await load(only(made)) };
}

const placeOf = (object: Object3D): Vector3 => object.getWorldPosition(new Vector3());

describe('an avatar as VRM', () => {
  it('is a valid VRM 1.0, and all losses are reported', async () => {
    const { made } = await lotlAsVrm();
    expect(made.files[0]!.name).toBe('Lotl.vrm');
    expect(await complaints(only(made))).toEqual([]);
    expect(jsonOf(only(made)).extensionsUsed).toEqual(expect.arrayContaining(['VRMC_vrm', 'VRMC_springBone', 'VRMC_materials_mtoon']));
    const { meshAnnotations } = jsonOf(only(made)).extensions.VRMC_vrm.firstPerson;
    expect([meshAnnotations.length > 0, ...new Set(meshAnnotations.map(({ type }) => type))]).toEqual([true, 'auto']);
    const codes = made.report.items.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['RIGHTS_ASSUMED', 'SPRINGS_BY_VRM', 'TOON_NEAR']));
    for (const code of ['EXPRESSIONS_LOST', 'MATERIAL_REDUCED', 'TEXTURE_SLOT_LOST', 'FEATURE_LOST']) expect(codes).not.toContain(code);
  });

  it('has the humanoid of the source, faces +Z and keeps its position', async () => {
    const { file, vrm } = await lotlAsVrm();
    const { bones } = humanoidOf(file.scene!)!;
    const names = file.scene!.nodes.names;
    for (const [name, row] of bones)
      expect(vrm.humanoid.getRawBoneNode(name)?.name.replaceAll('_', ' ')).toBe(names[row]!.replaceAll('_', ' '));
    vrm.scene.updateMatrixWorld(true);
    const [left, right] = ['leftUpperArm', 'rightUpperArm'].map(name => placeOf(vrm.humanoid.getRawBoneNode(name)!));
    expect(left!.x - right!.x).toBeGreaterThan(0.05);
    expect(Math.abs(left!.z - right!.z)).toBeLessThan(1e-3);
  });

  it('has the expressions of the source', async () => {
    const { file, vrm } = await lotlAsVrm();
    const manager = vrm.expressionManager!;
    for (const { name, preset, bindings } of file.scene!.expressions) {
      const key = preset || name;
      expect(manager.getValue(key)).toBe(0);
      manager.setValue(key, 1);
      vrm.update(0);
      for (const { renderer, morph, weight } of bindings) {
        const shown = file.scene!.renderers[renderer]!.name;
        const meshes: Mesh[] = [];
        vrm.scene.traverse(object => {
          if ('morphTargetInfluences' in object && (object.name === shown || object.parent?.name === shown)) meshes.push(object as Mesh);
        });
        expect(meshes.length).toBeGreaterThan(0);
        for (const mesh of meshes) expect(mesh.morphTargetInfluences![morph]).toBeGreaterThanOrEqual(weight - 1e-6);
      }
      manager.setValue(key, 0);
    }
  });

  it('has the spring bones of the source with the same values', async () => {
    const { file, vrm } = await lotlAsVrm();
    const rows = springGroupsOf(file.scene!);
    const joints = [...vrm.springBoneManager!.joints];
    expect(joints).toHaveLength(rows.reduce((sum, { chains }) => sum + chains.flat().length, 0));
    const { settings } = rows[0]!;
    expect(joints[0]!.settings).toMatchObject({
      hitRadius: settings.hitRadius,
      stiffness: settings.stiffnessForce,
      gravityPower: settings.gravityPower,
      dragForce: settings.dragForce,
    });
    expect(joints[0]!.colliderGroups.flatMap(({ colliders }) => colliders)).toHaveLength(rows[0]!.colliders.length);
    const tip = joints[0]!.bone;
    const before = tip.quaternion.clone();
    vrm.humanoid.getNormalizedBoneNode('hips')!.position.x += 0.3;
    for (let i = 0; i < 5; i++) vrm.update(1 / 60);
    expect(before.angleTo(tip.quaternion)).toBeGreaterThan(0.02);
  });

  it('rotates its eye bones towards the look-at target', async () => {
    const { vrm, made } = await lotlAsVrm(scene => {
      const { bones } = humanoidOf(scene)!;
      const [leftEye, rightEye] = [...scene.nodes.parents.keys()].filter(row => scene.nodes.parents[row] === bones.get('head'));
      const still = scene.features.filter(({ kind }) => kind !== 'springBone');
      const features = still.map(each =>
        each.kind === 'humanoid'
          ? { ...each, properties: { bones: { ...Object.fromEntries(bones), leftEye: leftEye!, rightEye: rightEye! } } }
          : each,
      );
      return { ...scene, features };
    });
    expect(made.report.items.map(({ code }) => code)).toContain('LOOK_ASSUMED');
    const eye = vrm.humanoid.getRawBoneNode('leftEye')!;
    const before = eye.quaternion.clone();
    vrm.lookAt!.lookAt(new Vector3(5, 1, 1));
    vrm.update(1 / 60);
    const angle = (before.angleTo(eye.quaternion) * 180) / Math.PI;
    expect(angle).toBeGreaterThan(4);
    expect(angle).toBeLessThan(14);
    const { lookAt } = jsonOf(only(made)).extensions.VRMC_vrm;
    const scales = ['HorizontalInner', 'HorizontalOuter', 'VerticalDown', 'VerticalUp'].map(way => lookAt![`rangeMap${way}`]!.outputScale);
    expect(scales).toEqual([10, 10, 8, 8]);
  });

  it('is rendered like in the viewer', async () => {
    const { file, vrm } = await lotlAsVrm();
    const toons = file.scene!.materials.filter(({ model }) => model === 'mtoon' || model === 'liltoon');
    expect(toons.length).toBeGreaterThan(0);
    for (const source of toons) {
      const made = vrm.materials!.find(({ name, isOutline }) => name === source.name && !isOutline)!;
      const { shadeColorFactor, shadingToonyFactor, shadingShiftFactor, outlineWidthFactor } = toonValues(source);
      expect(made.isMToonMaterial).toBe(true);
      expect((made['shadeColorFactor'] as { toArray(): number[] }).toArray()).toEqual(
        shadeColorFactor.map(value => expect.closeTo(value, 5)),
      );
      expect(made).toMatchObject({ shadingToonyFactor, shadingShiftFactor, outlineWidthFactor });
    }
  });

  it('has the author of the source, and denies undeclared permissions', async () => {
    const right = {
      title: 'Lotl',
      author: 'Ada',
      version: '3',
      licenseUrl: 'https://example.com/terms',
      distributionUrl: 'javascript:alert(1)',
    };
    const { vrm, made } = await lotlAsVrm(scene => ({ ...scene, asset: { ...scene.asset, author: 'Ada', properties: { right } } }));
    expect(vrm.meta).toMatchObject({
      name: 'Lotl',
      version: '3',
      authors: ['Ada'],
      otherLicenseUrl: 'https://example.com/terms',
      avatarPermission: 'onlyAuthor',
      modification: 'prohibited',
      commercialUsage: 'personalNonProfit',
      creditNotation: 'required',
    });
    const permitted = Object.entries(vrm.meta).filter(([name]) => name.startsWith('allow'));
    expect([permitted.length, permitted.filter(([, isAllowed]) => isAllowed !== false)]).toEqual([5, []]);
    expect(vrm.meta['references']).toBeUndefined(); // no URL that a page could open
    expect(made.report.items.find(({ code }) => code === 'RIGHTS_ASSUMED')?.detail).toBe('what is permitted');
  });

  it('gives expressions unique names and clamps their weights', async () => {
    const { made, vrm } = await lotlAsVrm(scene => {
      const { renderer } = scene.expressions.flatMap(each => each.bindings)[0]!;
      const bindings = [{ renderer, morph: 0, weight: 1.5 }];
      return { ...scene, expressions: ['__proto__', 'happy', 'happy'].map(name => ({ name, bindings })) };
    });
    const { custom, preset } = jsonOf(only(made)).extensions.VRMC_vrm.expressions!;
    expect([Object.keys(custom!), preset]).toEqual([['__proto__', 'happy', 'happy_2'], undefined]);
    const detail = 'weights outside of 0 to 1';
    expect(made.report.items).toContainEqual({ code: 'EXPRESSIONS_REDUCED', kind: 'loss', path: '', amount: 3, detail });
    expect(vrm.expressionManager!.getValue('happy_2')).toBe(0);
  });

  it('uses the first of several expressions for a preset, and keeps the others by name', async () => {
    const { made } = await lotlAsVrm(scene => {
      const bindings = scene.expressions.flatMap(each => each.bindings).slice(0, 1);
      const names = ['Smile', 'Grin'].map(name => ({ name, preset: 'happy', bindings }));
      return { ...scene, expressions: [...names, { name: 'Wink', preset: 'wink', bindings }] };
    });
    const { custom, preset } = jsonOf(only(made)).extensions.VRMC_vrm.expressions!;
    expect([preset!['happy'], Object.keys(preset!), Object.keys(custom!)]).toEqual([
      expect.objectContaining({ extras: { name: 'Smile' } }),
      ['happy'],
      ['Grin', 'Wink'],
    ]);
  });

  it('is rejected for a model that is not a humanoid', async () => {
    const sheep = await read(join(root, 'web/src/viewer/demo/Sheep.cast'));
    await expect(convert([sheep], { to: 'vrm' })).rejects.toThrow(/requires a humanoid skeleton, and this one has no hips/);
  });

  const real = existsSync(corpus)
    ? readdirSync(corpus, { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.vgo'))
        .map(name => join(corpus, name))
        .filter(path => statSync(path).size < 2e7)
    : [];
  it.skipIf(real.length === 0).each(real.map(path => [basename(path), path]))('%s is valid and opens', async (_, path) => {
    const file = await read(path);
    if (!file.scene || !humanoidOf(file.scene)) return;
    const made = await convert([file], { to: 'vrm' });
    expect(await complaints(only(made))).toEqual([]);
    const vrm = await load(only(made));
    expect(vrm.humanoid.getRawBoneNode('hips')).not.toBeNull();
  });
});
