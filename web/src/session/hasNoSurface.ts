import type { Rig } from '../three/rig.ts';

/** True if a rig has no meshes, lines or points; it may have bones. */
export function hasNoSurface({ rig }: { rig: Rig }): boolean {
  return rig.instanceRigs.length === 0 && !rig.meshes.some(mesh => mesh !== null);
}
