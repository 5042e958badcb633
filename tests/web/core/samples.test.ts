// The small files that `prepare` reads.
import { expect, test } from 'vitest';
import { formats, open } from '../../../web/src/core/index.ts';
import { sampleOf } from '../../../web/src/core/samples.ts';

test.each(formats().map(({ id }) => id))('the small file of %s has no errors and uses the parts of its format', async id => {
  const bytes = await sampleOf(id);
  if (!bytes) return expect(['mprt', 'uepose', 'ueworld']).toContain(id); // lists of other files, and poses of a model
  const { format, scene, report } = await open(bytes, { name: 'sample' });
  expect(format).toBe(id);
  expect(report.items.filter(({ severity }) => severity === 'error')).toEqual([]);
  const isMotion = ['psa', 'seanim', 'ueanim', 'mrtk'].includes(id);
  if (!isMotion) expect(scene?.meshes[0]?.joints?.length).toBeGreaterThan(0);
  if (isMotion || id === 'cast') expect(scene?.clips[0]?.tracks.length).toBeGreaterThan(0);
});
