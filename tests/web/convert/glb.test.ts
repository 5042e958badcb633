// Converts files to GLB. The Khronos validator reports no errors, and in every animation GLTFLoader
// places all vertices as the pose engine does.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bone } from 'three';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { Rig } from '../../../web/src/three/index.ts';
import { drawnPositions } from '../../../web/src/three/build/skinning.ts';
import { complaints, drawnObjects, gltfPositions, poseAt, readGlb } from '../../support/gltf.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const data = (path: string): string => join(root, 'tests/data', path);
const demo = (path: string): string => join(root, 'web/src/viewer/demo', path);
const corpus = join(root, '../shared/corpus');

function read(path: string): Promise<RigFile> {
  const companions = ({ name }: { name: string }): Uint8Array | null => {
    const beside = join(dirname(path), basename(name));
    return existsSync(beside) ? readFileSync(beside) : null;
  };
  return open(readFileSync(path), { name: basename(path), worker: false, tangents: true, companions });
}

async function glb(paths: readonly string[]): Promise<{ files: RigFile[]; bytes: Uint8Array; report: Conversion['report'] }> {
  const files = await Promise.all(paths.map(read));
  const { files: made, report } = await convert(files, { to: 'glb', images: imagesBeside(paths[0] ?? '') });
  expect(made).toHaveLength(1);
  return { files, bytes: made[0]?.bytes ?? new Uint8Array(0), report };
}

const imagesBeside = (path: string) => ({
  image: async (name: string) => {
    const file = join(dirname(path), basename(name));
    return existsSync(file) ? { name, bytes: new Uint8Array(readFileSync(file)) } : null;
  },
});

const METRES = 1e-4;
const SHARES = [0, 0.13, 0.37, 0.5, 0.81, 1];

/**
 * Returns the largest distance between the vertices of the GLB and those of the pose engine, at
 * rest and in animations.
 */
async function farthest({ files: [model, ...motions], bytes }: { files: RigFile[]; bytes: Uint8Array }): Promise<number> {
  if (!model?.scene) throw new Error('no model');
  const gltf = await readGlb(bytes);
  const objects = await drawnObjects(gltf);
  const rig = new Rig(model);
  const { scene } = model;
  const clips = [scene.clips, ...motions.map(({ scene }) => scene?.clips ?? [])].flat();
  expect(gltf.animations).toHaveLength(clips.length);
  let most = compare();
  for (const [i, clip] of clips.entries()) {
    const [motion] = rig.bind(clip).clips;
    if (!motion) throw new Error('no motion');
    expect(gltf.animations[i]?.duration).toBeCloseTo(motion.duration, 5);
    const animator = rig.createAnimator();
    const layer = animator.layer(motion);
    animator.layers.push(layer);
    for (const share of SHARES) {
      layer.time = share * motion.duration;
      animator.apply();
      rig.scene.updateMatrixWorld(true);
      poseAt(gltf, i, share * motion.duration);
      most = Math.max(most, compare());
    }
    animator.stop();
    rig.scene.updateMatrixWorld(true);
  }
  return most;

  function compare(): number {
    let worst = 0;
    const left = [...objects];
    for (const [r, { name, mesh }] of scene!.renderers.entries()) {
      const source = scene!.meshes[mesh];
      const drawn = rig.meshes[r];
      const at = left.findIndex(object => object.name === (name || source?.name));
      const [object] = left.splice(at, 1);
      if (!source || !drawn || !object) throw new Error(`"${name}" is missing`);
      const ours = drawnPositions(drawn, source);
      const theirs = gltfPositions(object.mesh);
      expect(theirs).toHaveLength(ours.length);
      for (let i = 0; i < ours.length; i++) worst = Math.max(worst, Math.abs((ours[i] ?? 0) - (theirs[i] ?? NaN)));
    }
    return worst;
  }
}

const cases: [string, string[]][] = [
  ['a PSK', [data('unreal/arm.psk')]],
  ['a PSK without extras', [data('unreal/arm-plain.psk')]],
  ['a PSK that is cut off', [data('unreal/arm-truncated.psk')]],
  ['a PSKX', [data('unreal/arm-static.pskx')]],
  ['a PSK with the motions of a PSA', [data('unreal/arm.psk'), data('unreal/arm-motions.psa')]],
  ['a PSK with additive motions', [data('unreal/arm.psk'), data('unreal/arm-additive.psa')]],
  ['a PSK with its .config', [data('unreal/arm.psk'), data('unreal/arm-stripped.psa')]],
  ['a demo PSK with its motions', [demo('Pip.psk'), demo('Pip.psa')]],
  ['a VGO', [data('vgo/puppet.vgo')]],
  ['a left-handed VGO', [data('vgo/puppet-lh-tl-2.4-bson.vgo')]],
  ['a VGO of 2.1', [data('vgo/puppet-rh-bl-2.1.vgo')]],
  ['a VGO with its resources beside it', [data('vgo/puppet-elsewhere.vgo')]],
  ['a demo avatar', [demo('Lotl.vgo')]],
  ['a robot whose bones refuse scale', [demo('Tock.cast')]],
  ['a Cast file with textures', [demo('Tree.cast')]],
  ['a Cast file without motions', [demo('Sheep.cast')]],
];

describe('GLB', () => {
  it.each(cases)('of %s is valid, and has its vertices at the positions of the pose engine', async (_, paths) => {
    const made = await glb(paths);
    expect(await complaints(made.bytes)).toEqual([]);
    expect(await farthest(made)).toBeLessThan(METRES);
  });

  it.each([
    ['everything that Cast has', data('cast/everything.cast')],
    ['a recording', data('mrtk/everyCurve.bin')],
    ['hands', demo('wavingHands.bin')],
    ['a world', demo('Isle.cast')],
  ])('of %s is valid', async (_, path) => {
    expect(await complaints((await glb([path])).bytes)).toEqual([]);
  });

  it('of a PSA without a model contains the skeleton and the animations', async () => {
    const made = await glb([data('unreal/arm-motions.psa')]);
    expect(await complaints(made.bytes)).toEqual([]);
    const gltf = await readGlb(made.bytes);
    const rig = new Rig(made.files[0]!);
    expect(gltf.animations.map(({ name }) => name)).toEqual(['Bend', 'Walk Fwd', 'Pose']);
    for (const [i, motion] of rig.clips.entries()) {
      const animator = rig.createAnimator();
      const layer = animator.layer(motion);
      animator.layers.push(layer);
      for (const share of SHARES) {
        layer.time = share * motion.duration;
        animator.apply();
        rig.scene.updateMatrixWorld(true);
        poseAt(gltf, i, share * motion.duration);
        for (const name of ['Root', 'Upper', 'Lower']) {
          const [ours, theirs] = [rig.scene.getObjectByName(name), gltf.scene.getObjectByName(name)];
          expect((theirs as Bone).isBone).toBe(true);
          for (const [k, value] of theirs!.matrixWorld.elements.entries()) expect(value).toBeCloseTo(ours!.matrixWorld.elements[k]!, 4);
        }
      }
      animator.stop();
    }
  });

  it('stores data of the file and its clips as extras of the scene, the asset and the animations', async () => {
    const { bytes } = await glb([data('cast/everything.cast')]);
    const { parser, animations } = await readGlb(bytes);
    const { extras, scenes } = parser.json as { extras: { name: string; metresPerUnit: number }; scenes: { extras: object }[] };
    expect(extras).toMatchObject({ name: expect.any(String), metresPerUnit: expect.any(Number) });
    expect(scenes[0]!.extras).toEqual(extras);
    expect(animations[0]!.userData).toMatchObject({
      loop: expect.any(Boolean),
      frameRate: expect.any(Number),
      frameCount: expect.any(Number),
      events: expect.any(Array),
    });
  });

  it('keeps the names of morph targets', async () => {
    const { parser } = await readGlb((await glb([data('unreal/arm.psk')])).bytes);
    expect(parser.json.meshes[0].extras.targetNames).toEqual(['Bulge', 'ShiftY']);
  });

  it.each([
    ['a byte', Uint8Array],
    ['two bytes', Uint16Array],
  ])('stores joints as %s like the mesh', async (_, Joints) => {
    const file = await read(data('unreal/arm.psk'));
    const [mesh] = file.scene!.meshes;
    expect(mesh!.joints).toBeInstanceOf(Uint8Array);
    const scene = { ...file.scene!, meshes: [{ ...mesh!, joints: Joints.from(mesh!.joints!) }] };
    const made = await convert([{ ...file, scene }], { to: 'glb' });
    const [drawn] = await drawnObjects(await readGlb(made.files[0]!.bytes));
    expect(drawn!.mesh.geometry.getAttribute('skinIndex').array).toBeInstanceOf(Joints);
  });

  const real = existsSync(corpus) ? sample(corpus) : [];
  it.skipIf(real.length === 0)(
    'of every file of the corpus has no errors or warnings (needs ../shared/corpus)',
    { timeout: 120_000 },
    async () => {
      const bad: string[] = [];
      for (const path of real) {
        const file = await read(path);
        const made = await convert([file], { to: 'glb' }).catch(() => null); // null if the file has no model
        for (const { bytes } of made?.files ?? []) bad.push(...(await complaints(bytes)).map(line => `${path}: ${line}`));
      }
      expect(bad).toEqual([]);
    },
  );
});

/** Returns the files in a folder of the corpus, except for the largest ones. */
function sample(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(cast|pskx?|psa|vgo|bin|semodel)$/i.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(path => statSync(path).size < 4e6)
    .sort();
}
