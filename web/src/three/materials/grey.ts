// Draws materials grey until a texture is loaded, so that white isn't mistaken for the color of the
// material. Used for formats that contain only the names of materials (Unreal).
import { LineBasicMaterial, type Material, type MeshStandardMaterial } from 'three';

/**
 * Linear grey value of lit materials. It looks about half as bright as white, which contrasts with
 * both light and dark backgrounds.
 */
const SURFACE_GREY = 0.3;
/** Linear grey value of lines, which are unlit. */
const LINE_GREY = 0.6;

export function makeGrey(material: Material): void {
  if (!('color' in material)) return;
  const grey = material instanceof LineBasicMaterial ? LINE_GREY : SURFACE_GREY;
  (material as MeshStandardMaterial).color.multiplyScalar(grey);
  material.userData['grey'] = grey;
}

/** Replaces grey by the color of the material. */
export function endGrey(material: Material): void {
  const grey = material.userData['grey'] as number | undefined;
  if (grey) (material as MeshStandardMaterial).color.multiplyScalar(1 / grey);
  delete material.userData['grey'];
}
