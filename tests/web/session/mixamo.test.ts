// Tests that Mixamo animations (FBX and BVH) are retargeted to VGO avatars that were dropped
// together with them. The directions of the limbs must match the original animation.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Quaternion, Vector3 } from 'three';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { retargetAnimations, shouldRetarget } from '../../../web/src/session/retargeting.ts';
import { disposeModel } from '../../../web/src/session/model.ts';
import { LayeredAction } from '../../../web/src/session/layeredAction.ts';
import { rowsOf, titleOf } from '../../../web/src/session/animationRows.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { mixamoBvh, mixamoFbx, type MovingBody } from '../../support/mixamo.ts';
import { Player } from '../../support/player.ts';
import { vgoBody } from '../../support/vgoBody.ts';
import { TestSession } from './support.ts';

const nameOf = SCHEMES.Mixamo!;
const body = new TestBody({ nameOf });
const walk: MovingBody = { body, nameOf, seconds: 2, rate: 30, poseAt: time => body.walk(time) };
const truth = new Player(body.scene, body.clip('walk', walk.seconds, 60, walk.poseAt));

const root = fileURLToPath(new URL('../../..', import.meta.url));
const bytesOf = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path));
const corpus = join(root, '../shared/corpus/vgo/generated/avatar_rh_tl_json.vgo');
/**
 * Humanoid avatars, and the axolotl, whose short legs are spread and point forward in the rest
 * pose. `legs`: maximum mean error of the leg directions, degrees.
 */
const avatars = [
  { name: 'made.vgo', bytes: () => vgoBody(new TestBody({ yaw: 180, proportions: { upperLeg: 0.4, lowerLeg: 0.44 } })), legs: 3 },
  { name: 'avatar.vgo', bytes: () => bytesOf(corpus), legs: 3, isSkipped: !existsSync(corpus) },
  { name: 'Lotl.vgo', bytes: () => bytesOf(join(root, 'web/src/viewer/demo/Lotl.vgo')), legs: 3 },
];
const files: Record<string, File> = {
  'walk.fbx': new File([mixamoFbx(walk)], 'walk.fbx'),
  'walk.bvh': new File([mixamoBvh(walk)], 'walk.bvh'),
};

const LIMBS = ['left', 'right'].flatMap(side =>
  [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
  ].map(([from, to]) => [`${side}${from}`, `${side}${to}`] as const),
);

beforeAll(() => void vi.stubGlobal('ProgressEvent', class extends Event {})); // three's loaders create these events, which Node lacks

describe.each(avatars)('$name', ({ name, bytes, legs, isSkipped = false }) => {
  test.skipIf(isSkipped).each(Object.keys(files))('walks with %s', async animation => {
    const page = await new TestSession().drop([
      { path: name, file: new File([bytes()], name) },
      { path: animation, file: files[animation]! },
    ]);
    const row = rowsOf(page.session).find(({ source }) => source.input.path === animation)!;
    expect(shouldRetarget(page.session, row.source)).toBe(true);
    expect(titleOf(row)).toBe('walk'); // named after the file, because Mixamo gives all clips the same name
    const retargeted = (await retargetAnimations(page.session, row.source, page.openingContext()))!;
    expect(retargeted.retargeted).toMatchObject({ madeFor: animation, method: 'body' });
    const played = new LayeredAction(page.model!, retargeted, [0], 'auto', false);
    const { rig, file } = page.model!;
    const bones = humanoidOf(file.scene!)!.bones;
    const placeOf = (part: string): Vector3 => rig.nodes[bones.get(part as never)!]!.getWorldPosition(new Vector3());
    // Rotates the forward direction of the avatar to +Z, the direction of the walk.
    const { forward } = rig.facing!;
    const home = new Quaternion().setFromUnitVectors(new Vector3(...forward).setY(0).normalize(), new Vector3(0, 0, 1));
    const sums = { Arm: 0, Leg: 0 };
    let frames = 0;
    for (let frame = 0; frame <= 60; frame += 3) {
      const time = frame / 30;
      played.seek(Math.min(time, played.duration));
      rig.scene.updateMatrixWorld(true);
      const was = truth.at(Math.min(time, played.duration));
      for (const [from, to] of LIMBS) {
        const is = placeOf(to).sub(placeOf(from)).applyQuaternion(home);
        const right = was.place(body.row(to)).sub(was.place(body.row(from)));
        sums[from.endsWith('Arm') ? 'Arm' : 'Leg'] += (is.angleTo(right) * 180) / Math.PI / 4;
      }
      frames++;
    }
    expect(played.duration).toBeCloseTo(2, 2);
    expect(sums.Arm / frames).toBeLessThan(0.5);
    expect(sums.Leg / frames).toBeLessThan(legs);
    disposeModel(page.model!);
  });
});
