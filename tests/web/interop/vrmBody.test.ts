// Retargets a walk to a VRM avatar, which is opened by GLTFLoader and whose humanoid bones the file
// declares.
import type { Vector3 } from 'three';
import { expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { bind } from '../../../web/src/core/bind.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { castBody, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { parse } from '../../support/convertedPoses.ts';
import { Player } from '../../support/player.ts';

it('a walk moves the limbs of a VRM avatar like those of its source, and planted feet do not slide', async () => {
  const body = new TestBody({ axes: 5, nameOf: SCHEMES['Unreal Engine']!, proportions: { upperLeg: 0.4, lowerLeg: 0.5, upperArm: 0.35 } });
  const { files } = await convert([await parse('avatar.cast', castBody(body))], { to: 'vrm' });
  const { scene } = await parse('avatar.vrm', files[0]!.bytes);
  const source = new TestBody({ nameOf: SCHEMES['Mixamo']!, axes: 2, armsDown: 40 });
  const walk = source.clip('walk', 2, 60, time => source.walk(time));
  const retargeter = createRetargeter(source.scene, scene!)!;
  const { bones, detectedFrom } = humanoidOf(scene!)!;
  expect([detectedFrom, retargeter.method]).toEqual(['file', 'body']);
  const [was, is] = [new Player(source.scene, walk), new Player(scene!, retargeter.retarget(bind(walk, source.scene)))];
  const own = humanoidOf(source.scene)!.bones;
  let [angle, slide] = [0, 0];
  const stood = new Map<string, { was: Vector3; is: Vector3 }>();
  for (let frame = 0; frame <= 120; frame++) {
    const [a, b] = [was.at(frame / 60), is.at(frame / 60)];
    for (const side of ['left', 'right'] as const) {
      for (const [from, to] of [
        ['UpperArm', 'LowerArm'],
        ['LowerArm', 'Hand'],
      ] as const) {
        const direction = ({ place }: typeof a, rows: typeof bones): Vector3 =>
          place(rows.get(`${side}${to}`)!).sub(place(rows.get(`${side}${from}`)!));
        angle = Math.max(angle, direction(a, own).angleTo(direction(b, bones)));
      }
      const places = { was: a.place(own.get(`${side}Foot`)!), is: b.place(bones.get(`${side}Foot`)!) };
      const start = stood.get(side);
      if (!start || start.was.distanceTo(places.was) > 1e-3) stood.set(side, places);
      else slide = Math.max(slide, places.is.distanceTo(start.is));
    }
  }
  expect((angle * 180) / Math.PI).toBeLessThan(0.5);
  expect(slide).toBeLessThan(0.003);
});
