// Unreal files in Node with the WebAssembly core, from the bytes to the poses: scene, objects,
// animations.
import { readFileSync } from 'node:fs';
import { DoubleSide, FrontSide, type MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { RigcastError, RigcastLoader, type RigBone, RigSkinnedMesh, samplePoses } from '../../../web/src/three/index.ts';
import { seek } from '../../support/seek.ts';
import type { BindByNameOptions } from '../../../web/src/core/bind.ts';
import { bindLayers } from '../../../web/src/three/animation/layering.ts';
import { makePsk } from '../../support/actorx.ts';
import { tga } from '../../support/images.ts';

const bytesOf = (name: string): Uint8Array => readFileSync(new URL(`../../data/unreal/${name}`, import.meta.url));
const load = (name: string, ...beside: string[]) =>
  new RigcastLoader()
    .setOptions({ worker: false })
    .setFiles(new Map(beside.map(file => [file, bytesOf(file)])))
    .parseAsync(bytesOf(name), '', name);

describe('an Unreal model', () => {
  it('is built as a skinned mesh with bones, sockets, morph targets, four UV sets and two materials', async () => {
    const rig = await load('arm.psk');
    const [mesh] = rig.meshes as RigSkinnedMesh[];
    expect(mesh).toBeInstanceOf(RigSkinnedMesh);
    expect(mesh!.skeleton.bones.map(({ name }) => name)).toEqual(['Root', 'Upper', 'Lower']);
    expect(mesh!.morphTargetDictionary).toEqual({ Bulge: 0, ShiftY: 1 });
    expect(Object.keys(mesh!.geometry.attributes)).toEqual(
      expect.arrayContaining(['position', 'normal', 'uv', 'uv1', 'uv2', 'uv3', 'color', 'skinIndex', 'skinWeight']),
    );
    expect([mesh!.material].flat().map(({ name, side }) => [name, side])).toEqual([
      ['Tube', FrontSide],
      ['Cap', DoubleSide],
    ]);
    const grip = rig.scene.getObjectByName('Grip')!;
    expect(grip.parent!.name).toBe('Lower');
    expect(grip.userData['features']).toMatchObject([{ kind: 'socket', name: 'Grip' }]);
    expect(grip.getWorldPosition(new Vector3()).x).toBeCloseTo(1.2);
  });

  it('is a plain mesh without bones', async () => {
    const rig = await load('arm-static.pskx');
    expect(rig.meshes[0]).not.toBeInstanceOf(RigSkinnedMesh);
    expect(rig.meshes[0]!.geometry.boundingSphere!.radius).toBeGreaterThan(0.5);
  });

  it('returns the readable part of a damaged file with a report, and rejects if nothing is readable', async () => {
    const rig = await load('arm-truncated.psk');
    expect(rig.report.errors + rig.report.warnings).toBeGreaterThan(0);
    expect(rig.meshes[0]).toBeInstanceOf(RigSkinnedMesh);
    await expect(new RigcastLoader().setOptions({ worker: false }).parseAsync(bytesOf('arm.psk').subarray(0, 20))).rejects.toBeInstanceOf(
      RigcastError,
    );
  });
});

describe('Unreal animations', () => {
  it('play the values of the keys at every frame', async () => {
    const [rig, motions] = await Promise.all([load('arm.psk'), load('arm-motions.psa')]);
    expect(motions.scene.getObjectByProperty('isMesh', true)).toBeUndefined();
    const bound = rig.bind(motions);
    expect(bound.report).toMatchObject({ unmatched: [], untouched: [] });
    expect(bound.animations.map(({ name }) => name)).toEqual(['Bend', 'Walk Fwd', 'Pose']);
    let compared = 0;
    for (const [i, clip] of motions.file.scene!.clips.entries()) {
      const action = rig.mixer.clipAction(bound.animations[i]!);
      for (const track of clip.tracks) {
        if (track.path !== 'rotation') continue;
        const bone = rig.scene.getObjectByName(track.target) as RigBone;
        for (const [k, time] of track.times.entries()) {
          seek(action, time);
          const wanted = new Quaternion().fromArray(track.values, 4 * k).toArray();
          for (const [c, value] of bone.quaternion.toArray().entries())
            expect(value, `${clip.name} ${track.target} ${time}`).toBeCloseTo(wanted[c]!, 6);
          compared++;
        }
      }
      action.stop();
    }
    expect(compared).toBeGreaterThan(6);
  });

  it('show key k at the time k / frame rate', async () => {
    const [rig, motions] = await Promise.all([load('arm.psk'), load('arm-motions.psa')]);
    const [bend] = rig.bind(motions).clips;
    const track = [...motions.file.scene!.clips[0]!.tracks].find(({ path, property }) => path === 'weight' && property === 'Bulge')!;
    const times = Array.from(track.times, (_, k) => k / bend!.frameRate);
    expect(times.length).toBeGreaterThan(1);
    const poses = samplePoses(rig, { clips: [bend!], times });
    expect(poses.map(({ values }) => values['Bulge'])).toEqual([...track.values]);
    for (const { nodes } of poses) {
      const at = (name: string) => new Vector3(...nodes.find(node => node.name === name)!.position);
      expect(at('Upper').distanceTo(at('Lower'))).toBeCloseTo(0.4, 5);
    }
  });

  it('keep removed tracks at rest if a .config file is given', async () => {
    const rig = await load('arm.psk');
    const upper = async (...beside: string[]) => {
      const { clips } = rig.bind(await load('arm-stripped.psa', ...beside));
      return samplePoses(rig, { clips: [clips[0]!], times: [0] })[0]!.nodes.find(({ name }) => name === 'Upper')!.position[0];
    };
    expect(await upper('arm-stripped.config')).toBeCloseTo(0.4);
    expect(await upper()).toBeCloseTo(0);
  });

  it('add an additive clip to the rest pose, or to another clip in layers', async () => {
    const rig = await load('arm.psk');
    const additive = await load('arm-additive.psa');
    const base = rig.bind(await load('arm-motions.psa')).clips[2]!;
    const length = (motions: Parameters<typeof samplePoses>[1]) => {
      const nodes = samplePoses(rig, motions)[0]!.nodes;
      const at = (name: string) => new Vector3(...nodes.find(node => node.name === name)!.position);
      return at('Upper').distanceTo(at('Lower'));
    };
    const alone = (how?: BindByNameOptions) => length({ clips: rig.bind(additive, how).clips.slice(0, 1), times: [0] });
    expect(alone({ additive: 'as-stated' })).toBeCloseTo(0);
    expect(alone()).toBeCloseTo(0.4);
    expect(alone({ additive: 'rest' })).toBeCloseTo(0.4);
    expect(length({ clips: [base, rig.bind(additive, { additive: 'layer' }).clips[0]!], times: [0] })).toBeCloseTo(0.4);
    const clips = [base.bound!.clip, additive.file.scene!.clips[0]!];
    expect(bindLayers(rig, clips).clips.map(({ bound }) => bound!.additive.base)).toEqual(['no', 'layer']);
    expect(length({ clips: bindLayers(rig, clips).clips, times: [0] })).toBeCloseTo(0.4);
    expect(bindLayers(rig, clips.toReversed()).clips.map(({ bound }) => bound!.additive.base)).toEqual(['rest', 'no']);
  });
});

it('read sockets from a properties file', async () => {
  const props = `Sockets[1] =
{
    Sockets[0] =
    {
        SocketName = Hat
        BoneName = root
        RelativeLocation = { X=10, Y=20, Z=30 }
    }
}
`;
  const files = new Map([['SkeletalMesh3/Gnome.props.txt', new TextEncoder().encode(props)]]);
  const rig = await new RigcastLoader().setFiles(files).parseAsync(makePsk(), '', 'Gnome.psk');
  const hat = rig.scene.getObjectByName('Hat')!;
  expect(hat.position.toArray().map(value => +value.toFixed(6))).toEqual([0.1, 0.3, 0.2]);
  expect(rig.report.items.map(({ code }) => code)).toContain('PROPS_APPLIED');
});

it('read textures, masks, rotation and scale from a class script', async () => {
  const script = `#exec Mesh Origin Mesh=Gnome X=0 Y=0 Z=10 Yaw=64
#exec MeshMap Scale MeshMap=Gnome X=2.0 Y=2.0 Z=2.0
#exec Texture Import File=Textures\\Beard.png Name=GnomeTex0 Flags=2
#exec MeshMap SetTexture MeshMap=Gnome Num=0 Texture=GnomeTex0
`;
  const key = tga(4, 4, (x, y) => (x % 3 && y % 3 ? [10, 20, 30, 255] : [255, 0, 255, 255]));
  const files = new Map([
    ['Classes/Gnome.uc', new TextEncoder().encode(script)],
    ['Textures/Beard.tga', key],
  ]);
  const rig = await new RigcastLoader().setFiles(files).parseAsync(makePsk({ material: 'SomeThing' }), '', 'Gnome.psk');
  const material = rig.materialsOf(0)[0] as MeshStandardMaterial;
  expect(material.map?.name).toBe('GnomeTex0');
  expect(material.alphaTest).toBe(0.5);
  expect(rig.report.items.map(({ code }) => code)).toEqual(expect.arrayContaining(['SCRIPT_APPLIED', 'TEXTURE_KEYED']));
  expect(rig.nodes[0]!.scale.toArray()).toEqual([2, 2, 2]);
  expect(rig.nodes[0]!.position.y).toBeCloseTo(-0.2);
  const plain = await new RigcastLoader().setFiles(new Map()).parseAsync(makePsk(), '', 'Gnome.psk');
  expect(rig.file.scene!.meshes[0]!.max).toEqual(plain.file.scene!.meshes[0]!.max);
});
