// Plays animations of UEFormat on models of several formats, and compares them with a PSA of the
// same content.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { type Target, converted, posesOf } from '../../support/convertedPoses.ts';

const times = [0, 0.02, 1 / 30, 0.05, 0.1, 4 / 30];

const fixture = (path: string): Promise<RigFile> =>
  open(new Uint8Array(readFileSync(`tests/data/${path}`)), { name: path.split('/').pop()!, worker: false });

/** Returns the matrices of the bones and the weights of the morph targets, by name. */
async function numbersOf(model: RigFile, animation: RigFile): Promise<Map<string, readonly number[]>[]> {
  const poses = await posesOf(model, animation, times);
  return poses.map(
    ({ nodes, values }) =>
      new Map<string, readonly number[]>([
        ...nodes.filter(({ bone }) => bone !== false).map(({ name, matrix }) => [name, [...matrix]] as const),
        ...Object.entries(values).map(([name, value]) => [name, [value]] as const),
      ]),
  );
}

function expectSame(made: Map<string, readonly number[]>[], expected: Map<string, readonly number[]>[]): void {
  expect(made).toHaveLength(expected.length);
  for (const [i, pose] of expected.entries())
    for (const [name, numbers] of pose)
      for (const [k, number] of numbers.entries()) expect(made[i]!.get(name)?.[k], `${name} ${k} at ${times[i]}`).toBeCloseTo(number, 4);
}

describe('animations of UEFormat', () => {
  it.each(['bend.ueanim', 'bend-v05.ueanim'])('%s moves a PSK like the PSA of the same content', async name => {
    const [psk, psa, animation] = await Promise.all([
      fixture('unreal/arm.psk'),
      fixture('unreal/arm-motions.psa'),
      fixture(`ueformat/${name}`),
    ]);
    expect(animation.report.items).toEqual([]);
    const expected = await numbersOf(psk, psa);
    expect(expected[5]!.get('Bulge')).toEqual([1]);
    expectSame(await numbersOf(psk, animation), expected);
  });

  it.each<Target>(['cast', 'glb', 'se', 'psk'])('plays the same after a conversion to %s', async to => {
    const [psk, animation] = await Promise.all([fixture('unreal/arm.psk'), fixture('ueformat/bend.ueanim')]);
    const before = await posesOf(psk, animation, times);
    const { poses } = await converted([psk, animation], to, times);
    for (const [i, pose] of before.entries())
      for (const { name, bone, matrix } of pose.nodes) {
        const other = poses![i]!.nodes.find(node => node.name === name);
        if (bone === false || !other) continue;
        for (const k of [12, 13, 14]) expect(other.matrix[k], `${name} at ${times[i]}`).toBeCloseTo(matrix[k]!, 4);
      }
  });
});

const corpus = '../shared/corpus/ueformat';
describe.skipIf(!existsSync(corpus))('compressed animations of the corpus (skipped without ../shared)', () => {
  const names = existsSync(corpus) ? readdirSync(corpus).filter(name => /^anim-v\d\d-(gzip|zstd)\.ueanim$/.test(name)) : [];
  it('are 8', () => expect(names).toHaveLength(8));

  it.each(names)('%s equals the file without compression', async name => {
    const read = (file: string): Promise<RigFile> => open(new Uint8Array(readFileSync(`${corpus}/${file}`)), { name: file, worker: false });
    const [plain, compressed] = await Promise.all([read(name.replace(/-(gzip|zstd)/, '')), read(name)]);
    expect(compressed.report.items).toEqual([]);
    expect(compressed.scene!.clips).toEqual(plain.scene!.clips);
  });
});
