// Tests the list of file types that the viewer opens.
import { expect, test } from 'vitest';
import { formats } from '../../../web/src/core/formats.ts';
import { isOtherFormat } from '../../../web/src/core/otherFormats.ts';
import { OWN_EXTENSIONS, READABLE } from '../../../web/src/session/readable.ts';

test('lists all extensions of the core, of three.js loaders and of archives', () => {
  const own = formats().flatMap(({ extensions }) => extensions);
  const all = Object.values(READABLE).flat();
  expect(all.filter(extension => !isOtherFormat(`a.${extension}`)).sort()).toEqual([...own, 'zip'].sort());
  expect(all.filter(extension => isOtherFormat(`a.${extension}`))).toEqual(['gltf', 'glb', 'vrm', 'vrma', 'fbx', 'obj', 'bvh']);
  expect(all.filter(extension => !OWN_EXTENSIONS.includes(extension))).toEqual(['bin', 'zip']);
});

test('includes all extensions of three.js loaders in OWN_EXTENSIONS', () => {
  expect(['a.GLB', 'models/a.fbx', 'a.b.vrm'].map(isOtherFormat)).toEqual([true, true, true]);
  expect(['a.glb.psk', 'glb', '.glb', 'a.glbx'].map(isOtherFormat)).toEqual([false, false, false, false]);
});
