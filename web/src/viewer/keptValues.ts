// Keeps the values of materials that the visitor has set on this device, by the paths of models.
import type { ModelMaterialValues } from '../session/materialValues.ts';
import { isNamedMaterialValues } from '../textures/materialValues.ts';

const KEY = 'rigcast.materials';
/** Maximum number of models whose values are kept. The oldest are deleted first. */
const MAX_COUNT = 500;

/** Returns the kept values. Empty if storage is forbidden or its content is invalid. */
export function keptValues(): readonly ModelMaterialValues[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isModelValues).slice(-MAX_COUNT) : [];
  } catch {
    return [];
  }
}

function isModelValues(value: unknown): value is ModelMaterialValues {
  const { path, values } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && Array.isArray(values) && values.every(isNamedMaterialValues);
}

export function keepValues(all: readonly ModelMaterialValues[]): void {
  try {
    if (all.length > 0) localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_COUNT)));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be forbidden or full. The values then last until the page is closed.
  }
}
