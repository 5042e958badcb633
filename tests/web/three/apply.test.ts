// RigAnimator plays layers without a mixer: which values it writes, keeps and restores.
import { readFileSync } from 'node:fs';
import { AnimationMixer } from 'three';
import { describe, expect, it } from 'vitest';
import { type Rig, RigcastLoader, samplePoses } from '../../../web/src/three/index.ts';
import { seek } from '../../support/seek.ts';
import { castFile, model, node } from '../../support/castFile.ts';

const bone = (name: string, parent: number, x: number) =>
  node('bone', { n: ['s', name], p: ['i', [parent]], lp: ['3v', [x, 0, 0]], lr: ['4v', [0, 0, 0, 1]] });
const curve = (name: string, path: string, from: number, to: number, mode = 'absolute') =>
  node('curv', { nn: ['s', name], kp: ['s', path], kb: ['b', [0, 30]], kv: ['f', [from, to]], m: ['s', mode] });

async function rigOf(...curves: ReturnType<typeof curve>[]): Promise<Rig> {
  const skeleton = node('skel', {}, bone('root', -1, 0), bone('arm', 0, 1), bone('hand', 1, 1));
  const bytes = castFile(model('m', skeleton), node('anim', { fr: ['f', [30]] }, ...curves));
  return new RigcastLoader().parseAsync(bytes, '', 'm.cast');
}

const nodeOf = (rig: Rig, name: string) => rig.nodes.find(({ userData }) => userData['name'] === name)!;

describe('RigAnimator', () => {
  it('dispatches the events that playback passes, but not those that a seek skips', async () => {
    const step = node('ntif', { n: ['s', 'step'], kb: ['b', [6, 24]] });
    const rig = await rigOf(curve('arm', 'tx', 2, 4), step);
    const told: number[] = [];
    const listener = ({ name, time, clip }: { name: string; time: number; clip: unknown }): void => {
      expect([name, clip]).toEqual(['step', rig.clips[0]]);
      told.push(Math.round(time * 30));
    };
    rig.addEventListener('animationevent', listener);
    const animator = rig.createAnimator();
    const layer = animator.layer(rig.clips[0]!);
    animator.layers.push(layer);
    const play = (time: number, seconds: number): void => ((layer.time = time), animator.apply(seconds));
    for (let frame = 0; frame <= 60; frame++) play((frame / 30) % 1, frame ? 1 / 30 : 0);
    expect(told).toEqual([6, 24, 6, 24]);
    play(0.1, 0);
    play(0.9, 0);
    rig.removeEventListener('animationevent', listener);
    play(0.95, 0.05);
    play(0.3, 0.35);
    expect(told).toHaveLength(4);
  });

  it('dispatches no events of a layer with weight 0, even after the weight is raised', async () => {
    const step = node('ntif', { n: ['s', 'step'], kb: ['b', [6, 24]] });
    const rig = await rigOf(curve('arm', 'tx', 2, 4), step);
    const told: number[] = [];
    rig.addEventListener('animationevent', ({ time }) => told.push(Math.round(time * 30)));
    const animator = rig.createAnimator();
    const layer = animator.layer(rig.clips[0]!);
    animator.layers.push(layer);
    const play = (time: number, weight: number): void => {
      Object.assign(layer, { time, weight });
      animator.apply(0.1);
    };
    play(0.1, 0);
    play(0.3, 0); // passes the first event
    expect(told).toEqual([]);
    play(0.4, 0.01);
    expect(told).toEqual([]);
    play(0.9, 0.01); // passes the second event
    expect(told).toEqual([24]);
  });

  it('poses animated objects, keeps all others unchanged, and restores the pose on stop', async () => {
    const rig = await rigOf(curve('arm', 'tx', 2, 4));
    const arm = nodeOf(rig, 'arm');
    const hand = nodeOf(rig, 'hand');
    hand.position.y = 7;
    arm.position.y = 3;
    const animator = rig.createAnimator();
    animator.layers.push(animator.layer(rig.clips[0]!));
    animator.layers[0]!.time = 0.5;
    animator.apply();
    expect(arm.position.x).toBeCloseTo(3, 6);
    hand.position.y = 8; // the page moves the hand during playback
    animator.layers[0]!.time = 1;
    animator.apply();
    expect([arm.position.x, hand.position.y]).toEqual([4, 8]);
    animator.stop();
    expect([arm.position.x, arm.position.y, hand.position.y]).toEqual([1, 3, 8]);
  });

  it('computes the same pose as an AnimationMixer', async () => {
    const rig = await rigOf(curve('arm', 'tx', 2, 4), curve('hand', 'tz', 0, 5, 'relative'), curve('arm', 'ty', 0, 1, 'additive'));
    const seen = () => rig.nodes.map(({ position }) => position.toArray());
    const animator = rig.createAnimator();
    animator.layers.push(animator.layer(rig.clips[0]!));
    animator.layers[0]!.time = 0.3;
    animator.apply();
    const ours = seen();
    animator.stop();
    const mixer = new AnimationMixer(rig.scene);
    seek(rig.clips[0]!.clipAction(mixer), 0.3);
    expect(ours.flat()).toEqual(
      seen()
        .flat()
        .map(value => expect.closeTo(value, 6)),
    );
    mixer.stopAllAction();
  });

  it('moves nothing with a clip that is not bound to a model', async () => {
    const rig = await rigOf();
    const motion = node('anim', { fr: ['f', [30]] }, curve('arm', 'tx', 2, 4));
    const loose = await new RigcastLoader().parseAsync(castFile(motion), '', 'a.cast');
    const animator = rig.createAnimator();
    animator.layers.push(animator.layer(loose.clips[0]!));
    animator.apply();
    expect(nodeOf(rig, 'arm').position.x).toBe(1);
  });
});

it('lists the tracking state of recorded hands, even if the state never changes', async () => {
  const bytes = readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url));
  const rig = await new RigcastLoader().parseAsync(new Uint8Array(bytes), '', 'wavingHands.bin');
  const [pose] = samplePoses(rig, { clips: rig.clips, times: [0.5] });
  expect(Object.keys(pose!.values)).toEqual(expect.arrayContaining(['left.tracked', 'right.tracked', 'left.pinch', 'right.pinch']));
  expect(pose!.values['right.tracked']).toBe(1);
});
