// Writes bone positions over time as CSV and JSON. Compares them with exact formulas, and checks
// that spreadsheets and programs can read them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import type { Clip, RigScene } from '../../../web/src/core/types.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): Promise<RigFile> => open(readFileSync(join(root, path)), { name: path.split('/').at(-1)!, worker: false });

function given(...clips: Clip[]): RigFile {
  const scene: RigScene = { ...armScene(), clips };
  const report = { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] };
  const nothing = (): never => {
    throw new Error('it was not read');
  };
  return { name: 'arm.psk', format: null, version: '', scene, report, needs: [], byteLength: 0, outline: nothing, supply: nothing };
}

const textOf = async (file: RigFile, to: 'csv' | 'json'): Promise<string> => {
  const { files } = await convert([file], { to });
  expect(files.map(({ name }) => name)).toEqual([`arm.${to}`]);
  return new TextDecoder().decode(files[0]!.bytes);
};

/**
 * An animation in which the lower bone rotates by 180° about z in one second. The upper bone is one
 * unit above the lower bone.
 */
const half = clip(
  'swing',
  1,
  track({
    target: 'low.er',
    path: 'rotation',
    times: f32(0, 0.5, 1),
    values: f32(0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 1, 0),
  }),
);

test('CSV has a line per bone and time, in metres and seconds', async () => {
  const lines = (await textOf(given(half), 'csv')).trimEnd().split('\n');
  expect(lines[0]).toBe('motion,time,node,x,y,z,qx,qy,qz,qw');
  expect(lines).toHaveLength(1 + 2 * 31);
  for (const k of [0, 7, 15, 30]) {
    const [motion, time, node, ...numbers] = lines[2 + 2 * k]!.split(',');
    expect([motion, Number(time), node]).toEqual(['swing', Number((k / 30).toFixed(7)), 'up/per']);
    const angle = (Math.PI * k) / 30;
    const wanted = [-Math.sin(angle), Math.cos(angle), 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    for (const [c, value] of wanted.entries()) expect(Number(numbers[c])).toBeCloseTo(value, 5);
  }
});

test('JSON has the same values as lists, and the parents of bones', async () => {
  const json = JSON.parse(await textOf(given(half), 'json')) as {
    nodes: { name: string; parent: number }[];
    motions: { name: string; frameRate: number; times: number[]; nodes: { positions: number[]; rotations: number[] }[] }[];
  };
  expect(json.nodes).toEqual([
    { name: 'low.er', parent: -1 },
    { name: 'up/per', parent: 0 },
  ]);
  const [motion] = json.motions;
  expect([motion!.name, motion!.frameRate, motion!.times.length]).toEqual(['swing', 30, 31]);
  expect(motion!.nodes[1]!.positions).toHaveLength(3 * 31);
  expect(motion!.nodes[1]!.rotations.slice(4 * 30)).toEqual([0, 0, 1, 0]);
  expect(motion!.nodes[1]!.positions[3 * 15]).toBeCloseTo(-1, 6);
});

test('an animation without a frame rate is sampled at 30 frames per second', async () => {
  const json = JSON.parse(await textOf(given({ ...half, frameRate: 0 }), 'json')) as { motions: { frameRate: number; times: number[] }[] };
  expect([json.motions[0]!.frameRate, json.motions[0]!.times.length]).toEqual([30, 31]);
});

test('CSV quotes names and escapes formulas', async () => {
  const text = await textOf(given({ ...half, name: '=1+1,"x"' }), 'csv');
  expect(text.split('\n')[1]!.startsWith(`"'=1+1,""x""",0,low.er,`)).toBe(true);
});

test('a table without animations contains the rest pose', async () => {
  const lines = (await textOf(given(), 'csv')).trimEnd().split('\n');
  expect(lines.slice(1)).toEqual([',0,low.er,0,0,0,0,0,0,1', ',0,up/per,0,1,0,0,0,0,1']);
});

test('a recording has all joints, and the report lists data that a table cannot store', async () => {
  const hands = await convert([await read('tests/data/mrtk/everyCurve.bin')], { to: 'csv' });
  expect(new TextDecoder().decode(hands.files[0]!.bytes)).toContain(',index-finger-tip');
  const { report } = await convert([given(half)], { to: 'csv' });
  expect(report.items.map(({ code }) => code)).toEqual(['NOT_IN_TABLE']);
  await expect(convert([given(half)], { to: 'csv', strict: true })).rejects.toThrow();
});
