// Determines which materials of a scene are drawn.
import { listIn, member, numberIn } from '../core/properties.ts';
import type { Mesh, Renderer, RigScene } from '../core/types.ts';

/**
 * Returns the index of the material with which a renderer draws a group of its mesh; -1 if there is
 * none.
 */
export function materialOf(mesh: Mesh, renderer: Renderer, group: number): number {
  return renderer.materials?.[group] ?? mesh.groups[group]?.material ?? -1;
}

/** Returns the indices of materials that renderers use, in ascending order. */
export function drawnMaterials({ renderers, meshes, materials }: RigScene): number[] {
  const shown = new Set<number>();
  for (const renderer of renderers) {
    const mesh = meshes[renderer.mesh];
    for (let group = 0; mesh && group < Math.max(mesh.groups.length, 1); group++) shown.add(materialOf(mesh, renderer, group));
  }
  return [...shown].filter(row => materials[row]).sort((a, b) => a - b);
}

/** Returns the indices of materials that particle systems use. */
export function particleMaterials({ features, materials }: RigScene): number[] {
  return features
    .filter(({ kind }) => kind === 'particleSystem')
    .flatMap(({ properties }) => [
      numberIn(member(properties, 'renderer'), 'sharedMaterialIndex', -1),
      ...listIn(properties, 'materials').map(Number),
    ])
    .filter(row => materials[row]);
}
