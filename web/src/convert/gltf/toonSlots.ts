// Texture slots of toon materials that VRM supports but glTF does not.
import type { Material } from '../../core/types.ts';

const SLOTS = new Set(['shade', 'shadingShift', 'matcap', 'rim', 'outlineWidth', 'uvAnimationMask']);

export const isToon = ({ model }: Material): boolean => model === 'mtoon' || model === 'liltoon';
export const isToonSlot = (material: Material, slot: string): boolean => isToon(material) && SLOTS.has(slot);
