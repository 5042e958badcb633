// Keeps the images that the visitor has assigned to materials on this device, by the paths of models
// and images. Images that were not opened together with a model are not kept.
import type { ImageAssignment } from '../session/imageAssignments.ts';

const KEY = 'rigcast.textures';
/** Maximum number of assignments that are kept. The oldest are deleted first. */
const MAX_COUNT = 2000;

/** Returns the kept assignments. Empty if storage is forbidden or its content is invalid. */
export function keptAssignments(): readonly ImageAssignment[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isAssignment).slice(-MAX_COUNT) : [];
  } catch {
    return [];
  }
}

function isAssignment(value: unknown): value is ImageAssignment {
  const { path, isShared, material, slot, image } = (value ?? {}) as Record<string, unknown>;
  return [path, material, slot, image].every(text => typeof text === 'string') && typeof isShared === 'boolean';
}

export function keepAssignments(all: readonly ImageAssignment[]): void {
  const kept = all.filter(({ file }) => !file).slice(-MAX_COUNT);
  try {
    if (kept.length > 0) localStorage.setItem(KEY, JSON.stringify(kept));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be forbidden or full. The assignments then last until the page is closed.
  }
}
