// Tests the rules in the comments of the writers. Each test converts a small scene.
import { LineSegments, type Material } from 'three';
import { describe, expect, it } from 'vitest';
import { bodiesOf } from '../../../web/src/convert/common/bodies.ts';
import { longestChain, type Value } from '../../../web/src/convert/common/driven.ts';
import { framesOf, framing } from '../../../web/src/convert/common/frames.ts';
import { convert } from '../../../web/src/convert/index.ts';
import { ReportBuilder } from '../../../web/src/convert/common/report.ts';
import { recordingFromIwer } from '../../../web/src/convert/mrtk/fromIwer.ts';
import { type SkinColumns, skinColumns } from '../../../web/src/convert/gltf/skinColumns.ts';
import { socketsOf } from '../../../web/src/convert/unreal/sockets.ts';
import { componentCurve, stretched, type UnityCurve } from '../../../web/src/convert/vgo/curves.ts';
import { bodyOf, eyesOf } from '../../../web/src/convert/vrm/body.ts';
import type { BoundTrack } from '../../../web/src/core/bind.ts';
import type { Clip, NodeTable, RigScene } from '../../../web/src/core/types.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { armScene, clip, f32, fileOf, track } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';
import { castFile, model, node } from '../../support/castFile.ts';
import { parse } from '../../support/convertedPoses.ts';
import { readGlb } from '../../support/gltf.ts';
// @ts-expect-error: a script without types
import { cubeVgo as cube } from '../../support/vgoFile.mjs';

const cubeVgo = cube as (over?: object) => { bytes: Uint8Array };

/**
 * Returns a node table. `rows`: name, parent row and bone number (-1 if not a bone) of each node.
 */
function nodesOf(...rows: [name: string, parent: number, bone: number][]): NodeTable {
  const count = rows.length;
  return {
    ...armScene().nodes,
    length: count,
    names: rows.map(([name]) => name),
    parents: Int32Array.from(rows, ([, parent]) => parent),
    bones: Int32Array.from(rows, ([, , bone]) => bone),
    translations: new Float32Array(3 * count),
    rotations: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    scales: new Float32Array(3 * count).fill(1),
    visible: new Uint8Array(count).fill(1),
    segmentScaleCompensate: new Uint8Array(count),
    properties: new Map(),
  };
}

describe('nodes below the root', () => {
  const two = [['', -1, -1], ['left', 0, -1], ['a', 1, 0], ['right', 0, -1], ['b', 3, 1]] satisfies Parameters<typeof nodesOf>; // prettier-ignore
  const owners = (nodes: NodeTable, clips: Clip[] = [], ...joints: number[]): number[] => {
    const skin = { ...armScene().skins[0]!, joints: Uint32Array.from(joints) };
    const scene = { ...armScene(), nodes, renderers: [], features: [], clips, skins: joints.length > 0 ? [skin] : [] };
    return bodiesOf(scene, clips).map(({ owner }) => owner);
  };

  it('are separate models if all descendants are bones', () => {
    expect(owners(nodesOf(...two))).toEqual([1, 3]);
    expect(owners(nodesOf(...two, ['socket', 4, -1]))).toEqual([0, 1]);
  });

  it('are not separate models if an animation moves them', () => {
    const move = track({ target: 'left', path: 'translation', times: f32(0), values: f32(0, 0, 0) });
    expect(owners(nodesOf(...two), [clip('move', 1, move)])).toEqual([0, 3]);
  });

  it('are one model if a skin uses bones of several, or one of the nodes as a joint', () => {
    expect(owners(nodesOf(...two), [], 2, 4)).toEqual([0]);
    expect(owners(nodesOf(...two), [], 1, 2)).toEqual([0]);
    expect(owners(nodesOf(...two), [], 2)).toEqual([1, 3]);
  });
});

it('joints and parents are not written as sockets', () => {
  const socket = (node: number) => ({ kind: 'socket', name: 'hold', node });
  const found = (node: number): number[] => [...socketsOf(armScene({ features: [socket(node)] })).keys()];
  expect([3, 2, 1, 0].map(found)).toEqual([[3], [], [], []]);
});

it('the longest chain counts the sampled values of a node and its ancestors, and morph weights once', () => {
  const value = (path: string, row: number): Value => ({ path, row }) as unknown as Value;
  const parents = Int32Array.of(-1, 0, 1, 0);
  const chain = [value('translation', 1), value('rotation', 2), value('rotation', 3)];
  expect(longestChain(parents, chain)).toBe(2);
  expect(longestChain(parents, [...chain, value('weights', 0), value('weights', 1)])).toBe(3);
  expect(longestChain(parents, [])).toBe(1);
});

describe('a table', () => {
  const namesIn = async (nodes: NodeTable): Promise<string[]> => {
    const scene = { ...armScene(), nodes, renderers: [], skins: [], features: [], clips: [] };
    const { files } = await convert([fileOf(scene)], { to: 'json' });
    return (JSON.parse(new TextDecoder().decode(files[0]!.bytes)) as { nodes: { name: string }[] }).nodes.map(({ name }) => name);
  };

  it('contains all bones, or all nodes except the root if there are no bones', async () => {
    expect(await namesIn(nodesOf(['top', -1, -1], ['prop', 0, -1], ['bone', 1, 0]))).toEqual(['bone']);
    expect(await namesIn(nodesOf(['top', -1, -1], ['prop', 0, -1], ['leaf', 1, -1]))).toEqual(['prop', 'leaf']);
  });
});

describe('the eyes of a VRM', () => {
  const body = (hasEyes: boolean): TestBody => new TestBody({ proportions: { hasEyes } });

  it('are between both eye bones', () => {
    const made = bodyOf(body(true).scene);
    const heads = (['leftEye', 'rightEye'] as const).map(name => made.rest.inScene(made.bones.get(name)!));
    const middle = [12, 13, 14].map(at => (heads[0]![at]! + heads[1]![at]!) / 2);
    const head = made.rest.inScene(made.bones.get('head')!);
    for (const [c, value] of eyesOf(made).entries()) expect(value).toBeCloseTo(middle[c]! - head[12 + c]!, 5);
  });

  it('are 6 cm above and 5 cm in front of the head if an eye bone is missing', () => {
    const none = bodyOf(body(false).scene);
    const both = bodyOf(body(true).scene);
    const one = { ...both, bones: new Map([...both.bones].filter(([name]) => name !== 'rightEye')) };
    for (const made of [none, one]) for (const [c, value] of eyesOf(made).entries()) expect(value).toBeCloseTo([0, 0.06, 0.05][c]!, 5);
  });
});

describe('an input of WebXR', () => {
  const pose = [0, 1.5, 0, 0, 0, 0, 1];
  const schema = (index: number, hasHand: boolean) =>
    [index, { handedness: 'left', hasGrip: false, hasHand, hasGamepad: true, jointSequence: ['wrist'] }] as never;
  const pressed = [[1, 1, 1]];
  const recorded = (inputs: unknown[], ...schemas: never[]) =>
    recordingFromIwer({ schema: schemas, frames: [[1000, ...pose, ...inputs]] as never }).recording.hands![0];

  it('is used once per hand, and the first input is used', () => {
    const joints = [0.5, 0, 0, 0, 0, 0, 1];
    const hand = [0, ...pose, joints, []];
    const later = [1, ...pose, [9, 0, 0, 0, 0, 0, 1], pressed];
    const both = recorded([hand, later], schema(0, true), schema(1, true));
    expect([both.tracked.values, both.pinching.values, both.joints[1]![0]!.values]).toEqual([[1], [0], [0.5]]);
  });

  it('of a controller without a hand only contributes its button', () => {
    const controller = recorded([[0, ...pose, pressed]], schema(0, false));
    expect([controller.tracked.values, controller.pinching.values, controller.joints[1]![0]!.values]).toEqual([[0], [1], []]);
  });
});

describe('curves of Unity', () => {
  it('keep the first and the last of several keys at the same time', () => {
    const bound = {
      ...track({ target: 'a', path: 'translation', times: f32(0, 1, 1, 1, 2), values: f32(0, 1, 5, 2, 3) }),
    } as unknown as BoundTrack;
    const { keys } = componentCurve({ track: bound, at: 0, width: 1 });
    expect(keys.map(({ value }) => value)).toEqual([0, 1, 2, 3]);
    expect(keys.map(({ time }) => Math.round(time * 1000))).toEqual([0, 1000, 1000, 2000]);
  });

  it('hold their last value until the end of the clip, unless they repeat', () => {
    const key = { time: 1, value: 3, inTangent: 0, outTangent: 2 };
    const curve: UnityCurve = { keys: [key], before: 'hold', after: 'hold' };
    expect(stretched(curve, 2).keys.map(({ time, value, outTangent }) => [time, value, outTangent])).toEqual([[1, 3, 0], [2, 3, 0]]); // prettier-ignore
    expect(stretched({ ...curve, after: 'loop' }, 2).keys).toEqual([key]);
    expect(stretched(curve, 1).keys).toEqual([key]);
  });
});

it('rotations in a VGO are cubic curves with an error below 0.001°', async () => {
  const turn = track({ target: 'up/per', path: 'rotation', times: f32(0, 1), values: f32(0, 0, 0, 1, 0, 0, Math.sqrt(0.75), 0.5) });
  const { report } = await convert([fileOf(armScene({ clips: [clip('turn', 1, turn)] }))], { to: 'vgo' });
  const { amount } = report.items.find(({ code }) => code === 'TURNS_CUBIC')!;
  expect([amount > 0, amount < 1e-3]).toEqual([true, true]);
});

it.each(['leftFoot', 'rightHand', 'leftToes', 'rightShoulder'] as const)(
  'a humanoid without %s is written for Unity unless Unity requires the bone',
  async bone => {
    const { scene } = new TestBody();
    const bones = Object.fromEntries([...humanoidOf(scene)!.bones].filter(([name]) => name !== bone));
    const features = [{ kind: 'humanoid', node: 0, properties: { bones } }];
    const { report } = await convert([fileOf({ ...scene, features })], { to: 'vgo' });
    const lost = report.items.filter(({ code }) => code === 'HUMAN_BONES_LOST').map(({ detail }) => detail);
    expect(lost).toEqual(/Foot|Hand/.test(bone) ? [`Unity requires ${bone}`] : []);
  },
);

it('the root of a scene is left out of a VGO if it does nothing and has one child', async () => {
  const namesIn = async (nodes: NodeTable): Promise<string[]> => {
    const scene = { ...armScene(), nodes, renderers: [], skins: [], features: [], clips: [] };
    const { files } = await convert([fileOf(scene)], { to: 'vgo' });
    return (await parse(files[0]!.name, files[0]!.bytes)).scene!.nodes.names.filter(Boolean);
  };
  const one = nodesOf(['top', -1, -1], ['hips', 0, 0], ['leg', 1, 1]);
  expect(await namesIn(one)).toEqual(['hips', 'leg']);
  expect(await namesIn({ ...one, translations: f32(0, 1, 0, 0, 0, 0, 0, 0, 0) })).toEqual(['top', 'hips', 'leg']);
  expect(await namesIn({ ...one, visible: Uint8Array.of(0, 1, 1) })).toEqual(['top', 'hips', 'leg']);
  expect(await namesIn(nodesOf(['top', -1, -1], ['hips', 0, 0], ['prop', 0, 1]))).toEqual(['top', 'hips', 'prop']);
});

describe('a clip without a frame rate', () => {
  const at = (...times: number[]): Clip => {
    const keys = track({
      target: 'up/per',
      path: 'translation',
      times: Float32Array.from(times),
      values: new Float32Array(3 * times.length),
    });
    return { ...clip('move', times.at(-1)!, keys), frameRate: 0 };
  };

  it('gets the first common frame rate with a frame at every key, otherwise 60', () => {
    const rates = [at(0, 0.5, 1), at(0, 1 / 60), at(0, 1 / 24), at(0, 0.0123)].map(each => framing(each, false).frameRate);
    expect(rates).toEqual([30, 60, 24, 60]);
  });

  it('is sampled at a multiple of its frame rate, at least 120 times per second', () => {
    const cubic = (rate: number): Clip => {
      const [keys] = at(0, 1).tracks;
      const curve = { ...keys!, interpolation: 'hermite' as const, tangents: new Float32Array(12) };
      return { ...clip('move', 1, curve), frameRate: rate };
    };
    expect([30, 25, 240].map(rate => framing(cubic(rate), false).frameRate)).toEqual([120, 125, 240]);
  });

  it('has no events before time 0 and ends at its last event or later', () => {
    const events = [-0.5, 0, 2].map(time => ({ time, name: `${time}` }));
    const made = framesOf({ ...at(0, 1), events }, 'move', armScene(), new ReportBuilder());
    expect([made.events, made.lastFrame]).toEqual([[{ name: '0', frame: 0 }, { name: '2', frame: 60 }], 60]); // prettier-ignore
  });
});

describe('an animation of glTF', () => {
  const lastTimeOf = async (seconds: number, ...times: number[]): Promise<number> => {
    const values = f32(...times.flatMap(time => [0, 1 + time, 0]));
    const move = track({ target: 'up/per', path: 'translation', times: f32(...times), values });
    const { files } = await convert([fileOf(armScene({ clips: [clip('move', seconds, move)] }))], { to: 'glb' });
    return (await parse('arm.glb', files[0]!.bytes)).scene!.clips[0]!.duration;
  };

  it('holds its last value until the end of the clip, and ends there although the curve has later keys', async () => {
    expect(await lastTimeOf(3, 0, 1)).toBe(3);
    expect(await lastTimeOf(1, 0, 1)).toBe(1);
    expect(await lastTimeOf(1, 0, 2)).toBe(1);
  });
});

it('a PSA has the curve of the first mesh if several meshes have the same morph target', async () => {
  const weigh = (target: string, weight: number) =>
    track({ target, path: 'weight', property: 'Swell', times: f32(0, 1), values: f32(weight, weight) });
  const { files } = await convert([fileOf(armScene({ clips: [clip('swell', 1, weigh('a', 0.25), weigh('b', 0.75))] }))], { to: 'psa' });
  const psa = await parse('arm.psa', files.find(({ name }) => name.endsWith('.psa'))!.bytes);
  const [curve, ...others] = [...psa.scene!.clips[0]!.tracks].filter(({ path }) => path === 'weight');
  expect([curve!.property, curve!.values[0], others.length]).toEqual(['Swell', 0.25, 0]);
});

it('the weights of a vertex sum to 1 in float32, with the rounding error in the first weight', () => {
  const weights = f32(0.8987250328063965, 0.17082485556602478, 0.011772758327424526, 0);
  const mesh = { ...armScene().meshes[0]!, vertexCount: 1, joints: Uint8Array.of(0, 1, 2, 3), weights };
  const [set] = skinColumns(mesh)!.sets;
  expect(Math.fround(set!.weights.reduce((sum, weight) => sum + weight))).toBe(1);
});

it('a vertex keeps its eight strongest influences', () => {
  const strip = armScene().meshes[0]!;
  const columnsOf = (count: number): SkinColumns =>
    skinColumns({
      ...strip,
      vertexCount: 1,
      influenceOffsets: Uint32Array.of(0, count),
      influenceJoints: Uint16Array.from({ length: count }, (_, k) => k + 1),
      influenceWeights: new Float32Array(count).fill(1 / count),
    })!;
  expect([8, 9].map(count => columnsOf(count).reduced)).toEqual([0, 1]);
  expect(columnsOf(9).sets.flatMap(({ joints }) => [...joints])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

describe('a PSK', () => {
  const fan = (vertexCount: number, materials: number): RigScene => {
    const strip = armScene().meshes[0]!;
    const faces = vertexCount - 2;
    const mesh = {
      ...strip,
      vertexCount,
      positions: Float32Array.from({ length: 3 * vertexCount }, (_, i) => [i % 997, (i * i) % 991, 0][i % 3]!),
      normals: undefined,
      uvs: [],
      colors: [],
      joints: undefined,
      weights: undefined,
      morphs: [],
      sourceVertices: undefined,
      indices: Uint32Array.from({ length: 3 * faces }, (_, i) => (i % 3 === 0 ? 0 : Math.floor(i / 3) + (i % 3))),
      groups: Array.from({ length: materials }, (_, g) => {
        const [start, end] = [g, g + 1].map(each => 3 * Math.floor((each * faces) / materials)) as [number, number];
        return { start, count: end - start, material: g };
      }),
    };
    const all = Array.from({ length: materials }, (_, g) => ({ ...armScene().materials[0]!, name: `m${g}` }));
    return armScene({
      meshes: [mesh as never],
      materials: all,
      clips: [],
      skins: [],
      renderers: [{ name: '', node: 0, mesh: 0, visible: true }],
    });
  };
  const made = async (scene: RigScene) => {
    const { files, report } = await convert([fileOf(scene)], { to: 'psk' });
    return { text: new TextDecoder('latin1').decode(files[0]!.bytes), report };
  };

  it('has at most 256 materials', async () => {
    const lost = async (count: number) =>
      (await made(fan(600, count))).report.items.filter(({ path }) => path.startsWith('materials beyond'));
    expect([await lost(256), (await lost(257)).map(({ amount }) => amount)]).toEqual([[], [1]]);
  });

  it('has wide records for more than 65,536 wedges', async () => {
    const isWide = async (count: number): Promise<boolean> => (await made(fan(count, 1))).text.includes('FACE3200');
    expect([await isWide(65_536), await isWide(65_537)]).toEqual([false, true]);
  });
});

it('strands of two materials become two sets of lines', async () => {
  const strip = armScene().meshes[0]!;
  const groups = [{ start: 0, count: 3, material: 0 }, { start: 3, count: 3, material: 1 }]; // prettier-ignore
  const hair = {
    ...strip,
    topology: 'strands' as const,
    strandOffsets: Uint32Array.of(0, 1, 3, 6),
    groups,
    morphs: [],
    indices: undefined,
  };
  const { files } = await convert([fileOf(armScene({ meshes: [hair as never], clips: [] }))], { to: 'glb' });
  const drawn: unknown[] = [];
  (await readGlb(files[0]!.bytes)).scene.traverse(object => {
    if (object instanceof LineSegments) drawn.push([(object.material as Material).name, ...object.geometry.index!.array]);
  });
  expect(drawn).toEqual([
    ['Skin', 1, 2],
    ['Cloth', 3, 4, 4, 5],
  ]);
});

it('a renderer of VGO 2.4 uses the first material if no material is declared', async () => {
  const { bytes } = cubeVgo({ nodes: [{ name: 'root', isRoot: true, children: [1] }, { name: 'cube', mesh: 0 }] }); // prettier-ignore
  const old = Uint8Array.from(bytes).fill(1, 9, 10); // version 2.1
  const file = await parse('old.vgo', old);
  const { files } = await convert([file], { to: 'vgo' });
  const { scene, version } = await parse('new.vgo', files[0]!.bytes);
  expect([file.version, version, scene!.materials[scene!.renderers[0]!.materials?.[0] ?? -1]?.name]).toEqual(['2.1', '2.5', 'paint']);
});

it('absolute keys of a bone of several models are added to the rest pose of the first', async () => {
  const bone = (x: number) => node('bone', { n: ['s', 'hip'], p: ['i', [0xffffffff]], lp: ['3v', [x, 0, 0]], lr: ['4v', [0, 0, 0, 1]] });
  const two = castFile(model('a', node('skel', {}, bone(1))), model('b', node('skel', {}, bone(5))));
  const keys = { kp: ['s', 'tx'], kb: ['b', [0]], kv: ['f', [0.25]], m: ['s', 'absolute'], nn: ['s', 'hip'] } as const;
  const motion = castFile(node('anim', { fr: ['f', [30]] }, node('curv', keys)));
  const { files } = await convert([await parse('two.cast', two), await parse('move.cast', motion)], { to: 'cast', additive: 'rest' });
  const [move] = (await parse('two.cast', files[0]!.bytes)).scene!.clips[0]!.tracks;
  expect(move!.values[0]).toBe(1.25);
});
