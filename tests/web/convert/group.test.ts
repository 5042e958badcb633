// Tests which files are treated as models, and which as animations of these models.
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { group } from '../../../web/src/convert/group.ts';
import type { RigFile } from '../../../web/src/core/index.ts';
import { animation, curve, skeleton, skinned } from '../../support/castRigs.ts';
import { castFile, model, node } from '../../support/castFile.ts';
import { parse } from '../../support/convertedPoses.ts';

const bones = (prefix = 'bone') => Array.from({ length: 4 }, (_, i) => ({ name: `${i}${prefix}`, parent: i - 1, place: [0, 1, 0] }));
const up = (prefix = 'bone') => animation('up', curve(`1${prefix}`, 'ty', [0, 10], [1, 2]), curve(`2${prefix}`, 'ty', [0, 10], [1, 2]));
/** Returns a Cast animation with a skeleton. */
const withSkeleton = (prefix = 'bone') => {
  const { properties, children } = up(prefix);
  return node('anim', properties, skeleton(bones(prefix)), ...children);
};

const files = {
  'skeleton.cast': castFile(model('rig', skeleton(bones()))),
  'mesh.cast': castFile(model('rig', skeleton(bones()), skinned('skin', 1))),
  'motion.cast': castFile(withSkeleton()),
  'other.cast': castFile(withSkeleton('other')),
};

async function grouped(...names: (keyof typeof files)[]): Promise<[string, string[]][]> {
  const given = await Promise.all(names.map(async name => ({ file: await parse(name, files[name]), path: name })));
  return group<RigFile>(given).groups.map(({ model: { path }, motions }) => [path, motions.map(each => each.path)]);
}

describe('an animation with a skeleton', () => {
  it('is a model if it is the only source', async () => {
    expect(await grouped('motion.cast')).toEqual([['motion.cast', []]]);
  });

  it('is an animation beside a mesh, or beside a matching skeleton without animations', async () => {
    expect(await grouped('motion.cast', 'mesh.cast')).toEqual([['mesh.cast', ['motion.cast']]]);
    expect(await grouped('motion.cast', 'skeleton.cast')).toEqual([['skeleton.cast', ['motion.cast']]]);
  });

  it('is a model beside a different skeleton, and beside another animation', async () => {
    expect(await grouped('other.cast', 'skeleton.cast')).toEqual([
      ['other.cast', []],
      ['skeleton.cast', []],
    ]);
    expect(await grouped('other.cast', 'motion.cast')).toHaveLength(2);
  });

  it('is added to all models that match it equally well', async () => {
    const given = await Promise.all(
      (['mesh.cast', 'twin.cast', 'motion.cast'] as const).map(async path => ({
        file: await parse(path, files[path === 'twin.cast' ? 'mesh.cast' : path]),
        path,
      })),
    );
    const homes = group<RigFile>(given).groups.map(({ motions }) => motions.map(({ path }) => path));
    expect(homes).toEqual([['motion.cast'], ['motion.cast']]);
  });

  it('becomes one file together with the skeleton', async () => {
    const given = await Promise.all((['skeleton.cast', 'motion.cast'] as const).map(name => parse(name, files[name])));
    const { files: made } = await convert(given, { to: 'glb' });
    expect(made.map(({ name }) => name)).toEqual(['skeleton.glb']);
  });
});
