// Formats whose materials are only names (Unreal's) are grey until a texture comes, so that white
// clay is not taken for their colour.
import { LineBasicMaterial, type Material, type MeshStandardMaterial } from 'three';

/**
 * Lit by a page's lights, clay is then about half as bright as white paper: it stands out from
 * light and dark grounds.
 */
const CLAY = 0.3;
/** Lines have no shading. */
const LINES = 0.6;

export function makeGrey(material: Material): void {
  if (!('color' in material)) return;
  const grey = material instanceof LineBasicMaterial ? LINES : CLAY;
  (material as MeshStandardMaterial).color.multiplyScalar(grey);
  material.userData['grey'] = grey;
}

/** Gives the own colour back. */
export function endGrey(material: Material): void {
  const grey = material.userData['grey'] as number | undefined;
  if (grey) (material as MeshStandardMaterial).color.multiplyScalar(1 / grey);
  delete material.userData['grey'];
}
