// Tests the detection of models that lie on their back, side or head, and the placement that makes
// them upright.
import { type Quaternion, rotated } from '../../../web/src/core/math/quaternion.ts';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { open } from '../../../web/src/core/open.ts';
import type { NodeTable, RigScene } from '../../../web/src/core/types.ts';
import { adviceFor } from '../../../web/src/session/advice.ts';
import { uprightPlacement } from '../../../web/src/session/upright.ts';
import { castBody, TestBody } from '../../support/bodies.ts';
import { biped, short, skeleton } from '../../support/figure.ts';
import { TestSession } from './support.ts';

const upright = (nodes: NodeTable, format = 'cast', clips: object[] = []) =>
  uprightPlacement({ format, scene: { nodes, features: [], renderers: [], clips } as unknown as RigScene });
const around = (axis: 0 | 2, degrees: number): Quaternion => {
  const half = (degrees * Math.PI) / 360;
  return [axis === 0 ? Math.sin(half) : 0, 0, axis === 2 ? Math.sin(half) : 0, Math.cos(half)];
};

test('returns null for upright models and for models without legs or head', () => {
  expect(upright(skeleton(biped(short)))).toBeNull();
  expect(
    upright(
      skeleton([
        ['root', '', 0, 0, 0],
        ['wheel', 'root', 0, 0, 1],
      ]),
    ),
  ).toBeNull();
  expect(uprightPlacement({ format: 'cast', scene: null })).toBeNull();
});

test.each([
  ['on its back', around(0, -90), '-z'],
  ['on its face', around(0, 90), 'z'],
  ['on its side', around(2, -90), 'x'],
  ['on the other side', around(2, 90), '-x'],
  ['on its head', around(0, 180), '-y'],
])('makes a model upright that lies %s', (_, turn, up) => {
  expect(upright(skeleton(biped(short), turn))).toEqual({ up });
});

/**
 * Returns a figure that lies on its back because the quaternion of its root bone is conjugated. Its
 * root is rotated by −45° instead of 45°.
 */
function wrongRoot(): NodeTable {
  const nodes = skeleton(biped(short));
  for (let row = 2; row < nodes.length; row++) {
    const [x, y, z] = nodes.translations.subarray(3 * row, 3 * row + 3);
    nodes.translations.set(rotated([x!, y!, z!], around(0, -45)), 3 * row);
  }
  nodes.rotations.set(around(0, -45), 4);
  return nodes;
}

test('conjugates the root of a lying Unreal model, and rotates other models', () => {
  expect(upright(wrongRoot(), 'psk')).toEqual({ isRootConjugated: true });
  expect(upright(wrongRoot())).toEqual({ up: '-z' });
  expect(upright(skeleton(biped(short), around(0, -90)), 'psk')).toEqual({ up: '-z' });
});

test('leaves the skeleton of a file with animations and no mesh as it is', () => {
  expect(upright(skeleton(biped(short), around(0, -90)), 'psa')).toEqual({ up: '-z' });
  expect(upright(skeleton(biped(short), around(0, -90)), 'psa', [{ name: 'Walk' }])).toBeNull();
});

test('adds advice until the placement is changed', async () => {
  const lying = new TestBody();
  lying.scene.nodes.rotations.set(around(0, -90), 4);
  const page = await new TestSession().drop([{ path: 'lying.cast', file: new File([new Uint8Array(castBody(lying))], 'lying.cast') }]);
  expect(adviceFor(page.session, null, false)).toContainEqual({ code: 'lying-down', name: 'lying.cast' });
  page.dispatch({ type: 'set-placement', placement: uprightPlacement(page.session.shown!.file)! });
  expect(adviceFor(page.session, null, false).map(({ code }) => code)).not.toContain('lying-down');
});

const shrek = new URL('../../../../shared/corpus/psk/psk_psa_py/Shrek.psk', import.meta.url);
if (!existsSync(shrek)) console.log('skipped: a real model that lies, there is no ../shared/corpus');

// Reading the root bone of this model like other bones does not make it upright.
test.skipIf(!existsSync(shrek))('detects a lying model of the corpus', async () => {
  const file = await open(new Uint8Array(readFileSync(shrek)), { name: 'Shrek.psk' });
  expect(uprightPlacement(file)).toEqual({ up: '-z' });
});
