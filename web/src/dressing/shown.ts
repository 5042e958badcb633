// Which materials of a scene are drawn.
import type { Mesh, Renderer, RigScene } from '../core/types.ts';

/** The material of a group as one renderer draws it; -1 for none. */
export function materialOf(mesh: Mesh, renderer: Renderer, group: number): number {
  return renderer.materials?.[group] ?? mesh.groups[group]?.material ?? -1;
}

/** Rows of `scene.materials` that some renderer draws, ascending. */
export function shownMaterials({ renderers, meshes, materials }: RigScene): number[] {
  const shown = new Set<number>();
  for (const renderer of renderers) {
    const mesh = meshes[renderer.mesh];
    for (let group = 0; mesh && group < Math.max(mesh.groups.length, 1); group++) shown.add(materialOf(mesh, renderer, group));
  }
  return [...shown].filter(row => materials[row]).sort((a, b) => a - b);
}
