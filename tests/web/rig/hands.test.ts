// Detects hands without a body: their bones and their side.
import { expect, it } from 'vitest';
import type { RigScene } from '../../../web/src/core/types.ts';
import { handBonesOf } from '../../../web/src/rig/humanoid.ts';
import { TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { webxrHand } from '../../support/webxrHand.ts';

const namesIn = (scene: RigScene): Record<string, string> =>
  Object.fromEntries([...handBonesOf(scene)].map(([bone, row]) => [bone, scene.nodes.names[row]!]));

it('a hand with the joints of WebXR is detected with its side by the positions of the joints', () => {
  for (const side of ['left', 'right'] as const) {
    const names = namesIn(webxrHand({ side }));
    expect(Object.keys(names)).toHaveLength(16);
    expect(names).toMatchObject({
      [`${side}Hand`]: 'wrist',
      [`${side}ThumbMetacarpal`]: 'thumb-metacarpal',
      [`${side}ThumbDistal`]: 'thumb-phalanx-distal',
      [`${side}IndexProximal`]: 'index-finger-phalanx-proximal',
      [`${side}MiddleIntermediate`]: 'middle-finger-phalanx-intermediate',
      [`${side}LittleDistal`]: 'pinky-finger-phalanx-distal',
    });
  }
});

it('the side in the name of a node beside the joints precedes their positions', () => {
  const names = namesIn(webxrHand({ side: 'left', siblings: ['r_handMeshNode', 'left_light'] }));
  expect(names).toHaveProperty('rightHand');
  expect(names).not.toHaveProperty('leftHand');
});

it('the side in the name of the model precedes the positions of the joints', () => {
  const scene = webxrHand({ side: 'left' });
  expect(namesIn({ ...scene, asset: { ...scene.asset, name: 'right.glb' } })).toHaveProperty('rightHand');
});

it('two hands are told apart by the names of their parents', () => {
  const { nodes, ...scene } = webxrHand({ side: 'left' });
  const count = nodes.length - 1;
  const twice = <T extends Float32Array | Int32Array | Uint8Array>(column: T, width: number): T =>
    new (column.constructor as new (values: number[]) => T)([...column, ...column.subarray(width)]);
  const both = {
    ...nodes,
    length: 2 * count + 1,
    names: [...nodes.names.with(1, 'hand.right'), ...nodes.names.slice(1).with(0, 'hand.left')],
    parents: Int32Array.from([...nodes.parents, ...nodes.parents.slice(1).map(row => (row > 0 ? row + count : row))]),
    translations: twice(nodes.translations, 3),
    rotations: twice(nodes.rotations, 4),
    scales: twice(nodes.scales, 3),
    bones: Int32Array.from({ length: 2 * count + 1 }, (_, row) => (row === 1 || row === count + 1 ? -1 : row - 1)),
  };
  const bones = handBonesOf({ ...scene, nodes: both });
  const wrist = nodes.names.indexOf('wrist');
  expect([bones.get('rightHand'), bones.get('leftHand')]).toEqual([wrist, wrist + count]);
  expect([bones.get('rightIndexProximal'), bones.get('leftIndexProximal')].map(row => row! > count)).toEqual([false, true]);
});

it('a hand whose side is unknown is not detected', () => {
  expect(namesIn(webxrHand({ side: 'left', bend: 0 }))).toEqual({});
  expect(namesIn(webxrHand({ side: 'left', bend: 0, siblings: ['r_handMeshNode', 'l_handMeshNode'] }))).toEqual({});
});

it('a hand needs four fingers', () => {
  const scene = webxrHand({ side: 'left' });
  const without = (...fingers: string[]): RigScene => {
    const names = scene.nodes.names.map(name => (fingers.some(finger => name.startsWith(finger)) ? 'x' : name));
    return { ...scene, nodes: { ...scene.nodes, names } };
  };
  expect(namesIn(without('ring'))).toHaveProperty('leftHand');
  expect(namesIn(without('ring', 'thumb'))).toEqual({});
});

it('arms without a body have hands, and helper bones of the wrist are not hands', () => {
  const names: Record<string, string> = { leftLowerArm: 'wrist_outer_l' };
  const arms = new TestBody({ nameOf: part => names[part] ?? (/Leg|Foot|Toes/.test(part) ? 'x' : SCHEMES['Unreal Engine']!(part)) });
  arms.scene.nodes.translations.fill(0); // no humanoid by topology
  expect(namesIn(arms.scene)).toMatchObject({ leftHand: 'hand_l', rightHand: 'hand_r', leftIndexProximal: 'index_01_l' });
});
