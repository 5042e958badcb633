// Formats whose materials are only names (Unreal's) are grey until a texture comes, so that white clay is not taken for their colour.
import type { Material, MeshStandardMaterial } from 'three';

const GREY = 0.6;

export function makeGrey(material: Material): void {
  if (!('color' in material)) return;
  (material as MeshStandardMaterial).color.multiplyScalar(GREY);
  material.userData['isGrey'] = true;
}

/** Gives the own colour back. */
export function endGrey(material: Material): void {
  if (material.userData['isGrey']) (material as MeshStandardMaterial).color.multiplyScalar(1 / GREY);
  delete material.userData['isGrey'];
}
