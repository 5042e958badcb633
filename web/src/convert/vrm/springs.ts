// Writes spring bones and their colliders (VRMC_springBone).
import { vectorAt } from '../../core/math/vector.ts';
import { springGroupsOf, type SpringSphere } from '../../rig/springGroups.ts';
import type { GltfContext } from '../gltf/context.ts';
import { turned, type VrmBody } from './body.ts';

/** Returns the `VRMC_springBone` object, or null if the scene has no spring bones. */
export function springsOf({ scene, report }: GltfContext, { rest, yaw }: VrmBody, nodeOf: (row: number) => number): object | null {
  const groups = springGroupsOf(scene);
  const colliders: object[] = [];
  const colliderGroups: { colliders: number[] }[] = [];
  const places = new Map<SpringSphere, number>();
  const sets = new Map<string, number>();
  /** Returns the scale that converts a radius from local units (source) to world units (VRM). */
  const sizeAt = (row: number): number => {
    const m = rest.inScene(row);
    return Math.max(...[0, 4, 8].map(at => Math.hypot(...vectorAt(m, at))));
  };
  const placeAt = (sphere: SpringSphere): number => {
    let place = places.get(sphere);
    if (place === undefined) {
      places.set(sphere, (place = colliders.length));
      const { row, offset, radius } = sphere;
      colliders.push({ node: nodeOf(row), shape: { sphere: { offset, radius: radius * sizeAt(row) } } });
    }
    return place;
  };
  const springs = groups.flatMap(({ settings, gravity, colliders: spheres, chains }, g) => {
    const members = spheres.map(placeAt);
    const key = members.join();
    if (members.length > 0 && !sets.has(key)) sets.set(key, colliderGroups.push({ colliders: members }) - 1);
    const joint = (row: number): object => ({
      node: nodeOf(row),
      hitRadius: settings.hitRadius,
      stiffness: settings.stiffnessForce,
      gravityPower: settings.gravityPower,
      gravityDir: turned(gravity, yaw),
      dragForce: settings.dragForce,
    });
    return chains.map((chain, c) => ({
      name: `${g + 1}.${c + 1}`,
      joints: [...chain.map(({ row }) => joint(row)), ...chain.slice(-1).map(({ child }) => ({ node: nodeOf(child) }))],
      ...(members.length > 0 && { colliderGroups: [sets.get(key)!] }),
    }));
  });
  if (springs.length === 0) return null;
  report.add('SPRINGS_BY_VRM', '', springs.length);
  return { specVersion: '1.0', ...(colliders.length > 0 && { colliders, colliderGroups }), springs };
}
