// Detects toon materials. The modules that build toon materials are imported only for files that
// have them (modules.ts).
import type { Material } from 'three';
import type { Material as SceneMaterial } from '../../core/types.ts';
import type { ToonMaterial } from './toon.ts';

/** Returns true if a scene material is a toon material. */
export const isToon = ({ model }: Pick<SceneMaterial, 'model'>): boolean => model === 'mtoon' || model === 'liltoon';

/** Returns true if a three.js material is a toon material. */
export function isToonMaterial(material: Material): material is ToonMaterial {
  return 'isMToonMaterial' in material;
}
