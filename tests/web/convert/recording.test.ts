// Converts hand recordings from MRTK to MRTK, from MRTK to IWER, and from IWER to MRTK.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ActionPlayer, P_SPACE, XRReferenceSpace, XRReferenceSpaceType, XRSpace } from 'iwer';
import { Matrix4, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert } from '../../../web/src/convert/index.ts';
import { WEBXR_JOINTS } from '../../../web/src/convert/mrtk/iwer.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { handsOf, Rig } from '../../../web/src/three/index.ts';
import { complaints } from '../../support/gltf.ts';
import { differences, plain } from '../../support/sameScene.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const waving = join(root, 'web/src/viewer/demo/wavingHands.bin');
const corpus = join(root, '../shared/corpus/mrtk');
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith('.bin'))
        .map(name => join(folder, name))
        .filter(path => statSync(path).size < 4e6)
    : [];

const read = (path: string): Promise<RigFile> => open(readFileSync(path), { name: basename(path), worker: false });
const reread = ({ files: [file] }: Conversion): Promise<RigFile> => open(file!.bytes, { name: file!.name, worker: false });
const ARMS = [new Vector3(), new Vector3(0.01, 0, 0), new Vector3(0, 0.01, 0), new Vector3(0, 0, 0.01)];

/**
 * Returns the positions of all joints of a hand at a time in WebXR order, each with points one
 * centimetre along its axes.
 */
function jointsAt(rig: Rig, side: string, time: number): Vector3[] {
  const animator = rig.createAnimator();
  const layer = animator.layer(rig.clips[0]!);
  layer.time = time;
  animator.layers.push(layer);
  animator.apply();
  rig.scene.updateMatrixWorld(true);
  const hand = handsOf(rig).find(({ handedness }) => handedness === side)!;
  const places = ARMS.flatMap(arm => WEBXR_JOINTS.map(name => hand.joints[name]!.localToWorld(arm.clone())));
  animator.stop();
  return places;
}

describe('a recording of MRTK', () => {
  const paths = [
    join(root, 'tests/data/mrtk/everyCurve.bin'),
    waving,
    ...filesIn(join(corpus, 'real')),
    ...filesIn(join(corpus, 'generated/valid')),
  ];
  it.each(paths.map(path => [basename(path), path]))('%s is written as the viewer shows it, repaired', async (_, path) => {
    const source = await read(path);
    if (!source.scene?.clips[0]?.tracks.length || !source.scene.features.some(({ kind }) => kind === 'hand')) return;
    const made = await convert([source], { to: 'mrtk' });
    const again = await reread(made);
    const bad = ({ report }: RigFile): string[] => report.items.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
    // If each component has its own curve, rotations between keys are not unit quaternions.
    // Sampling makes this visible.
    const known = [...bad(source), 'QUATERNION_NOT_UNIT'];
    expect(bad(again).filter(code => !known.includes(code) || code === 'ROTATION_W_LOST' || code === 'SIGN_FLIPS')).toEqual([]);
    const sampled = made.report.items.some(({ code }) => code === 'CURVES_SAMPLED');
    const skip = new Set([
      'generator',
      ...(sampled || source.scene.features.some(({ kind }) => kind === 'gaze') ? ['tracks', 'rotations'] : []),
    ]);
    expect(differences(plain(source.scene), plain(again.scene!), skip)).toEqual([]);
  });

  it('with incomplete rotations is written with repaired rotations', async () => {
    const broken = filesIn(join(corpus, 'generated/valid')).find(path => path.endsWith('v11_rec_full_wbug.bin'));
    if (!broken) return;
    const source = await read(broken);
    const again = await reread(await convert([source], { to: 'mrtk' }));
    const says = ({ report }: RigFile): boolean => report.items.some(({ code }) => code === 'ROTATION_W_LOST');
    expect([says(source), says(again)]).toEqual([true, false]);
  });

  it('is written as MRTK without a loss', async () => {
    const { report } = await convert([await read(waving)], { to: 'mrtk', strict: true });
    expect(report.items).toEqual([]);
  });

  it('becomes a GLB with moving hands', async () => {
    const { files } = await convert([await read(waving)], { to: 'glb' });
    expect(await complaints(files[0]!.bytes)).toEqual([]);
    const length = new DataView(files[0]!.bytes.buffer).getUint32(12, true);
    const json = JSON.parse(new TextDecoder().decode(files[0]!.bytes.subarray(20, 20 + length))) as {
      nodes: { name: string }[];
      animations: { channels: { target: { node: number } }[] }[];
    };
    const moved = new Set(json.animations[0]!.channels.map(({ target }) => json.nodes[target.node]!.name));
    for (const name of WEBXR_JOINTS) expect(moved).toContain(name);
  });

  it('is rejected with a code if there are no hands', async () => {
    const sheep = await read(join(root, 'web/src/viewer/demo/Sheep.cast'));
    await expect(convert([sheep], { to: 'mrtk' })).rejects.toMatchObject({ code: 'RECORDING_MISSING' });
    await expect(convert([sheep], { to: 'iwer' })).rejects.toMatchObject({ code: 'HANDS_MISSING' });
  });
});

describe('a recording for IWER', () => {
  const offset = (space: object): Matrix4 => new Matrix4().fromArray((space as never)[P_SPACE]['offsetMatrix'] as number[]);

  async function playerOf(made: Conversion): Promise<ActionPlayer> {
    const recording = JSON.parse(new TextDecoder().decode(made.files[0]!.bytes)) as ConstructorParameters<typeof ActionPlayer>[1];
    const player = new ActionPlayer(new XRReferenceSpace(XRReferenceSpaceType.Local, new XRSpace()), recording, 0.06);
    player.play();
    return player;
  }

  it('is played by IWER, with joints, and pinches as buttons', async () => {
    const source = await read(waving);
    const made = await convert([source], { to: 'iwer' });
    expect(made.files[0]!.name).toBe('wavingHands.iwer.json');
    const player = await playerOf(made);
    expect(player.duration).toBeCloseTo(1000 * source.scene!.clips[0]!.duration, -2);
    const rig = new Rig(source);
    let seen = 0;
    const pinches = new Set<number>();
    for (let frame = 1; frame < 200; frame += 7) {
      player.seek(0);
      player.stepFrames(frame);
      for (const input of player.inputSources) {
        seen++;
        const ray = offset(input.targetRaySpace);
        const expected = jointsAt(rig, input.handedness, frame / 60);
        for (const [a, arm] of ARMS.entries())
          for (const [i, name] of WEBXR_JOINTS.entries()) {
            const place = arm.clone().applyMatrix4(ray.clone().multiply(offset(input.hand!.get(name as never)!)));
            expect(place.distanceTo(expected[WEBXR_JOINTS.length * a + i]!)).toBeLessThan(1e-4);
          }
        pinches.add(input.gamepad!.buttons[0]!.value);
      }
    }
    expect(seen).toBeGreaterThan(30);
    expect([...pinches].sort()).toEqual([0, 1]);
  });

  it('is opened as an MRTK recording', async () => {
    const source = await read(waving);
    const capture = (await convert([source], { to: 'iwer' })).files[0]!;
    const made = await convert([new File([capture.bytes as Uint8Array<ArrayBuffer>], capture.name)], {
      to: 'mrtk',
      open: { worker: false },
    });
    const again = await reread(made);
    expect(again.report.errors).toBe(0);
    const [before, after] = [new Rig(source), new Rig(again)];
    for (const time of [0.5, 1, 1.5])
      for (const side of ['left', 'right']) {
        const expected = jointsAt(before, side, time);
        for (const [i, place] of jointsAt(after, side, time).entries()) expect(place.distanceTo(expected[i]!)).toBeLessThan(1e-4);
      }
    const states = (file: RigFile, property: string): number[] => {
      const track = [...file.scene!.clips[0]!.tracks].find(each => each.property === property);
      return [...(track?.values ?? [])].filter((value, i, all) => value !== all[i - 1]);
    };
    for (const property of ['left.pinch', 'right.pinch']) expect(states(again, property)).toEqual(states(source, property));
  });

  it('of a controller and a gaze reports the inputs that are left out', async () => {
    const pose = [0, 1.5, 0, 0, 0, 0, 1];
    const schema = (handedness: string) => ({
      handedness,
      targetRayMode: 'tracked-pointer',
      profiles: [],
      hasGrip: false,
      hasHand: false,
      hasGamepad: false,
    });
    const text = JSON.stringify({ schema: [[0, schema('none')], [1, schema('left')]], frames: [[1000, ...pose, [0, ...pose]], [1016, ...pose, [1, ...pose]]] }); // prettier-ignore
    const made = await convert([new TextEncoder().encode(text)], { to: 'mrtk', open: { worker: false } });
    expect(made.report.items).toMatchObject([{ code: 'INPUTS_LOST', amount: 1 }]);
  });

  it('that is damaged is rejected', async () => {
    const broken = new TextEncoder().encode('{"schema": [[0, null]], "frames": [[0, "a"]]}');
    await expect(convert([broken], { to: 'mrtk', open: { worker: false } })).rejects.toMatchObject({ code: 'SOURCES_UNREADABLE' });
  });
});
