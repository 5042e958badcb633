// Which files of a batch become results, and why the others don't.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BatchSource, fileSetsOf, type UnusedFile } from '../../../web/src/convert/batchPlan.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { animation, curve, skeleton, skinned } from '../../support/castRigs.ts';
import { castFile, model } from '../../support/castFile.ts';
import { parse } from '../../support/convertedPoses.ts';

/** Joints of a hand, with the names of WebXR. */
const PHALANGES = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'];
const FINGERS = ['thumb', 'index-finger', 'middle-finger', 'ring-finger', 'pinky-finger'];
const JOINTS = ['wrist', ...FINGERS.flatMap(finger => PHALANGES.map(part => `${finger}-${part}`))];

const bones = (prefix = 'bone') => Array.from({ length: 4 }, (_, i) => ({ name: `${i}${prefix}`, parent: i - 1, place: [0, 1, 0] }));

const files: Record<string, Uint8Array> = {
  'mesh.cast': castFile(model('rig', skeleton(bones()), skinned('skin', 1))),
  'other.cast': castFile(model('rig', skeleton(bones('other')), skinned('skin', 1))),
  'skeleton.cast': castFile(model('rig', skeleton(bones()))),
  'run.cast': castFile(animation('run', curve('1bone', 'ty', [0, 10], [1, 2]), curve('2bone', 'ty', [0, 10], [1, 2]))),
  'fly.cast': castFile(animation('fly', curve('wing', 'ty', [0, 10], [1, 2]))),
  'nothing.cast': castFile(),
  'hand.cast': castFile(
    model('left_hand', skeleton(JOINTS.map((name, i) => ({ name, parent: i - 1, place: [0, 0.1, 0] }))), skinned('skin', 1)),
  ),
  'wave.bin': readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url)),
  'body.psk': makePsk({ bones: ['Root', 'Spine'] }),
  'noSequence.psa': makePsa({ bones: ['Root', 'Spine'], sequences: [] }),
};

async function planned(
  names: readonly string[],
  canBeAlone: Parameters<typeof fileSetsOf>[1] = () => false,
): Promise<{ sets: string[][]; unused: UnusedFile[] }> {
  const sources: BatchSource[] = await Promise.all(names.map(async path => ({ path, file: await parse(path, files[path]!) })));
  const { sets, unused } = fileSetsOf(sources, canBeAlone);
  return { sets: sets.map(set => set.files), unused };
}

describe('a file with only a skeleton', () => {
  it('is a result of its own beside one mesh or several', async () => {
    expect(await planned(['mesh.cast', 'skeleton.cast', 'run.cast'])).toEqual({
      sets: [['mesh.cast', 'run.cast'], ['skeleton.cast']],
      unused: [],
    });
    expect(await planned(['mesh.cast', 'other.cast', 'skeleton.cast'])).toEqual({
      sets: [['mesh.cast'], ['other.cast'], ['skeleton.cast']],
      unused: [],
    });
  });

  it('has no content that can be read if its format stores only animations', async () => {
    expect(await planned(['body.psk', 'noSequence.psa'])).toEqual({
      sets: [['body.psk']],
      unused: [{ path: 'noSequence.psa', reason: 'empty' }],
    });
  });
});

it('a recording of hands is a result of its own beside models that it does not move', async () => {
  expect(await planned(['mesh.cast', 'run.cast', 'wave.bin'])).toEqual({ sets: [['mesh.cast', 'run.cast'], ['wave.bin']], unused: [] });
  expect(await planned(['mesh.cast', 'other.cast', 'wave.bin'])).toEqual({
    sets: [['mesh.cast'], ['other.cast'], ['wave.bin']],
    unused: [],
  });
  expect(await planned(['mesh.cast', 'hand.cast', 'wave.bin'])).toEqual({ sets: [['mesh.cast'], ['hand.cast', 'wave.bin']], unused: [] });
});

it('a file without contents is not added to the only model', async () => {
  expect(await planned(['mesh.cast', 'nothing.cast'])).toEqual({
    sets: [['mesh.cast']],
    unused: [{ path: 'nothing.cast', reason: 'empty' }],
  });
  expect(await planned(['mesh.cast', 'other.cast', 'nothing.cast'])).toEqual({
    sets: [['mesh.cast'], ['other.cast']],
    unused: [{ path: 'nothing.cast', reason: 'empty' }],
  });
});

it('an animation without a model is a result only if it can be alone', async () => {
  const both = ['mesh.cast', 'other.cast', 'fly.cast'];
  expect((await planned(both)).unused).toEqual([{ path: 'fly.cast', reason: 'unmatched' }]);
  expect((await planned(['fly.cast'])).unused).toEqual([{ path: 'fly.cast', reason: 'without-skeleton' }]);
  expect(await planned([...both, 'nothing.cast'], () => true)).toEqual({
    sets: [['mesh.cast'], ['other.cast'], ['fly.cast']],
    unused: [{ path: 'nothing.cast', reason: 'empty' }],
  });
});
