// Writes spring bones and their colliders (docs/formats/vgo.md section 5.11).
import type { RigScene } from '../../core/types.ts';
import { springGroupsOf, type SpringSphere } from '../../rig/springGroups.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { VgoModel } from './model.ts';
import { branch, type Branch } from './tree.ts';

/** Returns the `springBoneInfo` object, or null if the scene has no spring bones. */
export function springsOf(scene: RigScene, model: VgoModel, report: ReportBuilder): Branch | null {
  const groups = springGroupsOf(scene).filter(({ chains }) => chains.length > 0);
  if (groups.length === 0) return null;
  const colliders: { row: number; spheres: Set<SpringSphere> }[] = [];
  let merged = 0;
  // VGO allows one collider group per node, so the colliders of a node are written together.
  const colliderGroupOf = (row: number, spheres: readonly SpringSphere[]): number => {
    const found = colliders.findIndex(each => each.row === row);
    const group = colliders[found];
    if (!group) return colliders.push({ row, spheres: new Set(spheres) }) - 1;
    if (group.spheres.size !== spheres.length || spheres.some(sphere => !group.spheres.has(sphere))) merged++;
    for (const sphere of spheres) group.spheres.add(sphere);
    return found;
  };
  const springBoneGroups = groups.map(({ settings, gravity, colliders: spheres, chains }) => {
    const rows = [...new Set(spheres.map(({ row }) => row))];
    return branch({
      ...settings,
      gravityDirection: gravity,
      rootBones: chains.flatMap(([first]) => (first ? [model.nodeOf(first.row)] : [])),
      colliderGroups: rows.map(row =>
        colliderGroupOf(
          row,
          spheres.filter(sphere => sphere.row === row),
        ),
      ),
    });
  });
  for (const [index, { row }] of colliders.entries()) model.nodes[model.nodeOf(row)]?.set('springBoneColliderGroup', index);
  // Unity's importer creates the component of a group at the node that lists it.
  model.nodes[0]?.set('springBoneGroups', [...springBoneGroups.keys()]);
  report.add('SPRINGS_BY_UNITY', '', groups.length);
  if (merged > 0) report.add('NOT_SAID', 'separate spring bone colliders of one node', merged);
  const colliderGroups = colliders.map(({ spheres }) => ({
    colliders: Array.from(spheres, ({ offset, radius }) => ({ colliderType: 0, offset, radius })),
  }));
  return branch({ springBoneGroups, ...(colliderGroups.length > 0 && { colliderGroups }) });
}
