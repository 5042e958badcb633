import type { Material } from 'three';
import type { ToonMaterial } from './toon.ts';

export function isToonMaterial(material: Material): material is ToonMaterial {
  return 'isMToonMaterial' in material;
}
