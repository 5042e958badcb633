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
  'animation.cast': castFile(withSkeleton()),
  'other.cast': castFile(withSkeleton('other')),
};

async function grouped(...names: (keyof typeof files)[]): Promise<[string, string[]][]> {
  const sources = await Promise.all(names.map(async name => ({ file: await parse(name, files[name]), path: name })));
  return group<RigFile>(sources).groups.map(({ model: { path }, animations }) => [path, animations.map(each => each.path)]);
}

describe('an animation with a skeleton', () => {
  it('is a model if it is the only source', async () => {
    expect(await grouped('animation.cast')).toEqual([['animation.cast', []]]);
  });

  it('is an animation beside a mesh, or beside a matching skeleton without animations', async () => {
    expect(await grouped('animation.cast', 'mesh.cast')).toEqual([['mesh.cast', ['animation.cast']]]);
    expect(await grouped('animation.cast', 'skeleton.cast')).toEqual([['skeleton.cast', ['animation.cast']]]);
  });

  it('is a model beside a different skeleton, and beside another animation', async () => {
    expect(await grouped('other.cast', 'skeleton.cast')).toEqual([
      ['other.cast', []],
      ['skeleton.cast', []],
    ]);
    expect(await grouped('other.cast', 'animation.cast')).toHaveLength(2);
  });

  it('is added to all models that match it equally well', async () => {
    const sources = await Promise.all(
      (['mesh.cast', 'twin.cast', 'animation.cast'] as const).map(async path => ({
        file: await parse(path, files[path === 'twin.cast' ? 'mesh.cast' : path]),
        path,
      })),
    );
    const animationPaths = group<RigFile>(sources).groups.map(({ animations }) => animations.map(({ path }) => path));
    expect(animationPaths).toEqual([['animation.cast'], ['animation.cast']]);
  });

  it('becomes one file together with the skeleton', async () => {
    const sources = await Promise.all((['skeleton.cast', 'animation.cast'] as const).map(name => parse(name, files[name])));
    const { files: results } = await convert(sources, { to: 'glb' });
    expect(results.map(({ name }) => name)).toEqual(['skeleton.glb']);
  });
});
