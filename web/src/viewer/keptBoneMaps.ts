// Keeps the bone maps of models on this device, by the paths of the models.
import { isBoneMapPair, MAX_PAIRS } from '../rig/boneMap.ts';
import type { ModelBoneMap } from '../session/boneMaps.ts';

const KEY = 'rigcast.boneMaps';
/** Maximum number of bone maps that are kept. The oldest are deleted first. */
const MAX_COUNT = 200;

/** Returns the kept bone maps. Empty if storage is forbidden or its content is invalid. */
export function keptBoneMaps(): readonly ModelBoneMap[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isBoneMap).slice(-MAX_COUNT) : [];
  } catch {
    return [];
  }
}

function isBoneMap(value: unknown): value is ModelBoneMap {
  const { path, skeleton, pairs } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof path === 'string' &&
    typeof skeleton === 'string' &&
    Array.isArray(pairs) &&
    pairs.length <= MAX_PAIRS &&
    pairs.every(isBoneMapPair)
  );
}

export function keepBoneMaps(all: readonly ModelBoneMap[]): void {
  try {
    if (all.length > 0) localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_COUNT)));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be forbidden or full. The bone maps then last until the page is closed.
  }
}
