// Which meshes clips give other colours and numbers (shaderCurves.ts).
import { member } from '../../core/properties.ts';
import type { Material, RigScene } from '../../core/types.ts';

/** Only these have numbers that such curves name. */
export const isUnity = ({ properties }: Material): boolean => typeof member(properties, 'shaderName') === 'string';

/** Rows of the renderers whose materials the scene's own clips animate. */
export function shaderDriven(scene: RigScene): Set<number> {
  const nodes = new Set<number>();
  for (const { tracks } of scene.clips) {
    if (!tracks.uses?.('material')) continue;
    for (const { path, node } of tracks) if (path === 'material') nodes.add(node);
  }
  return new Set(scene.renderers.flatMap(({ node }, row) => (nodes.has(node) ? [row] : [])));
}
