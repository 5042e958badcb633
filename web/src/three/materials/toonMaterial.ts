// Which materials are toon ones; what they mean and how they are drawn is in modules that only
// their files need (modules.ts).
import type { Material } from 'three';
import type { Material as SceneMaterial } from '../../core/types.ts';
import type { ToonMaterial } from './toon.ts';

/** A scene's. */
export const isToon = ({ model }: Pick<SceneMaterial, 'model'>): boolean => model === 'mtoon' || model === 'liltoon';

/** One of three's. */
export function isToonMaterial(material: Material): material is ToonMaterial {
  return 'isMToonMaterial' in material;
}
