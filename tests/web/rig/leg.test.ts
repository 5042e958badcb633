// Tests two-bone IK of a leg. In the rest pose, the leg points down from the hips, which are at the
// origin, and the knee points to +Z.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { Leg } from '../../../web/src/rig/leg.ts';

const [LONG, SHORT] = [0.5, 0.4];

/**
 * Returns the positions of knee and foot after the foot was moved to a goal. `bend`: initial
 * forward bend of the knee, radians.
 */
function reached(goal: Vector3, bend = 0): { knee: Vector3; foot: Vector3 } {
  const leg = new Leg({
    path: [{ bone: 0, toNext: [0.1, 0, 0] }],
    upper: 1,
    lower: 2,
    toLower: [0, -LONG, 0],
    toFoot: [0, -SHORT, 0],
    ahead: [0, 0, 1],
  });
  const about = (angle: number): number[] => new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), angle).toArray();
  const turns = Float64Array.from([0, 0, 0, 1, ...about(-bend / 2), ...about(bend / 2)]);
  leg.reach(turns, [0, 0, 0], goal.toArray());
  const turned = (length: number, index: number): Vector3 =>
    new Vector3(0, -length, 0).applyQuaternion(new Quaternion().fromArray(turns, 4 * index));
  const knee = turned(LONG, 1).add(new Vector3(0.1, 0, 0));
  return { knee, foot: turned(SHORT, 2).add(knee) };
}

describe('a leg', () => {
  it('reaches the goal and keeps bone lengths', () => {
    for (const goal of [new Vector3(0.2, -0.6, 0.3), new Vector3(-0.3, -0.5, -0.2), new Vector3(0.1, 0.5, 0.3)])
      for (const bend of [0, 0.3, 1.5]) expect(reached(goal, bend).foot.distanceTo(goal)).toBeLessThan(1e-9);
  });

  it('is straight for distant goals and folded for close ones', () => {
    const far = reached(new Vector3(0.1, -3, 4), 0.2);
    expect(far.foot.distanceTo(new Vector3(0.1, -0.54, 0.72))).toBeLessThan(1e-6);
    const near = reached(new Vector3(0.1, -0.01, 0), 0.2);
    expect(near.foot.distanceTo(new Vector3(0.1, 0, 0))).toBeCloseTo(LONG - SHORT, 6);
  });

  it('keeps its bend direction, or bends towards the knee if nearly straight', () => {
    const goal = new Vector3(0.1, -0.7, 0);
    expect(reached(goal, 0.5).knee.z).toBeGreaterThan(0.1);
    expect(reached(goal, -0.5).knee.z).toBeLessThan(-0.1);
    for (const bend of [0, 0.01, -0.01]) expect(reached(goal, bend).knee.z, `${bend}`).toBeGreaterThan(0.1);
  });

  it('is unchanged if the foot is at the goal', () => {
    const bend = 0.4;
    const there = reached(new Vector3(0.1, 99, 0), bend);
    expect(there.foot.y).toBeGreaterThan(0);
    const still = new Vector3(
      0.1,
      -LONG * Math.cos(bend / 2) - SHORT * Math.cos(bend / 2),
      LONG * Math.sin(bend / 2) - SHORT * Math.sin(bend / 2),
    );
    expect(reached(still, bend).knee.distanceTo(new Vector3(0.1, -LONG * Math.cos(bend / 2), LONG * Math.sin(bend / 2)))).toBeLessThan(
      1e-9,
    );
  });
});
