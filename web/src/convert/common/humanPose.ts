// Checks a humanoid before it is written: reports a rest pose that is not a T-pose, which importers of
// avatars expect, and fingers that could not be identified by name.
import { type Vector, vectorAt } from '../../core/math/vector.ts';
import { someOf } from '../../core/bind.ts';
import { nameOf } from '../../core/tree.ts';
import type { NodeTable } from '../../core/types.ts';
import type { HumanBone, Humanoid } from '../../rig/humanoid.ts';
import type { RestTransforms } from './bodies.ts';
import type { ReportBuilder } from './report.ts';

export function placeOf(rest: RestTransforms, bones: ReadonlyMap<HumanBone, number>, name: HumanBone): Vector {
  return vectorAt(rest.inScene(bones.get(name) ?? 0), 12);
}

/** Maximum angle between an arm and the horizontal that counts as a T-pose, in degrees. */
const MAX_SLOPE = 20;

/**
 * If an arm is not horizontal in the rest pose, reports the largest angle between an arm and the
 * horizontal.
 */
export function reportArms(rest: RestTransforms, bones: ReadonlyMap<HumanBone, number>, report: ReportBuilder): void {
  let worst = 0;
  for (const side of ['left', 'right'] as const) {
    const [a, b] = [placeOf(rest, bones, `${side}UpperArm`), placeOf(rest, bones, `${side}Hand`)];
    const slope = Math.atan2(Math.abs(b[1] - a[1]), Math.hypot(b[0] - a[0], b[2] - a[2]));
    worst = Math.max(worst, (slope * 180) / Math.PI);
  }
  if (worst > MAX_SLOPE) report.add('REST_NO_T', '', worst, 'angle of the arms below horizontal');
}

/** Reports finger bones whose names are only numbers, if they were left out or inferred. */
export function reportFingers({ numberedFingers }: Humanoid, nodes: NodeTable, report: ReportBuilder): void {
  const { unknown, inferred } = numberedFingers;
  const namesOf = (rows: readonly number[]): string => someOf(rows.map(row => nameOf(nodes, row)));
  if (unknown.length > 0) report.add('FINGERS_LEFT', '', unknown.length, namesOf(unknown));
  if (inferred.length > 0) report.add('FINGERS_INFERRED', '', inferred.length, namesOf(inferred));
}
