// Reads the spring bones of a file: their chains, colliders and settings (docs/formats/vgo.md,
// section 5.11).
import { listIn, member, numberIn, numbersIn } from '../core/properties.ts';
import { childrenOf } from '../core/tree.ts';
import type { RigScene } from '../core/types.ts';
import { saneSettings, type SpringSettings } from './springSimulation.ts';

type Point = [number, number, number];

/** A sphere collider of spring bones. */
export interface SpringSphere {
  /** Row of the node to which the sphere is attached. */
  row: number;
  /** Centre of the sphere in node space. */
  offset: Point;
  radius: number;
}

/** A group of spring bone chains with common settings and colliders. */
export interface SpringGroupSettings {
  settings: SpringSettings;
  gravity: Point;
  colliders: SpringSphere[];
  /**
   * Chains of bones, each ordered from root to tip. `row`: row of the bone. `child`: row of the
   * child bone to which it points. The last bone of a chain is omitted, because it has no child.
   */
  chains: { row: number; child: number }[][];
}

/**
 * Returns the spring bone groups of a scene. Assigns each bone to the first group that contains it.
 */
export function springGroupsOf(scene: RigScene): SpringGroupSettings[] {
  const groups = spheresOf(scene);
  const children = childrenOf(scene);
  const taken = new Set<number>();
  return scene.features.flatMap(({ kind, properties }) => {
    if (kind !== 'springBone' || member(properties, 'enabled') === false) return [];
    const colliders = listIn(properties, 'colliderGroups').flatMap(index => groups.get(Number(index)) ?? []);
    const chains: SpringGroupSettings['chains'] = [];
    for (const root of listIn(properties, 'rootBones')) {
      const chain: SpringGroupSettings['chains'][number] = [];
      for (let row = Number(root); !taken.has(row);) {
        const child = children[row]?.[0];
        if (child === undefined) break;
        taken.add(row);
        chain.push({ row, child });
        row = child;
      }
      if (chain.length) chains.push(chain);
    }
    const settings = saneSettings({
      hitRadius: numberIn(properties, 'hitRadius', 0.1),
      stiffnessForce: numberIn(properties, 'stiffnessForce', 1),
      gravityPower: numberIn(properties, 'gravityPower', 1),
      dragForce: numberIn(properties, 'dragForce', 0),
    });
    return [{ settings, gravity: numbersIn(properties, 'gravityDirection', [0, 0, 0]) as Point, colliders, chains }];
  });
}

function spheresOf({ features, nodes }: RigScene): Map<number, SpringSphere[]> {
  const groups = new Map<number, SpringSphere[]>();
  for (const { kind, node, properties } of features) {
    if (kind !== 'springBoneColliderGroup' || node === undefined || !(node >= 0 && node < nodes.length)) continue;
    const spheres = listIn(properties, 'colliders').map(each => ({
      row: node,
      offset: numbersIn(each, 'offset', [0, 0, 0]) as Point,
      radius: numberIn(each, 'radius', 0),
    }));
    groups.set(numberIn(properties, 'index', -1), spheres);
  }
  return groups;
}
