import type { Material } from '../core/types.ts';

/** The material of meshes that have no material in the file. */
export const DEFAULT_MATERIAL: Material = {
  name: '',
  model: 'standard',
  color: [0.8, 0.8, 0.8, 1],
  emissive: [0, 0, 0],
  metalness: 0,
  roughness: 0.8,
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  side: 'both',
  visible: true,
  renderOrder: 0,
  slots: [],
};
