// Detects toon materials. The modules that build toon materials are imported only for files that
// have them (modules.ts).
import type { Material } from 'three';
import type { Material as SceneMaterial } from '../../core/types.ts';
import type { ToonMaterial } from './toon.ts';

/** Returns true for toon materials of a scene. */
export const isToon = ({ model }: Pick<SceneMaterial, 'model'>): boolean => model === 'mtoon' || model === 'liltoon';

/** Returns true for toon materials of three.js. */
export function isToonMaterial(material: Material): material is ToonMaterial {
  return 'isMToonMaterial' in material;
}
