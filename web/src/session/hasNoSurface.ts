import type { Rig } from '../three/rig.ts';

/** Returns true if a rig has no meshes, lines or points. It can have bones. */
export function hasNoSurface({ rig }: { rig: Rig }): boolean {
  return rig.instanceRigs.length === 0 && !rig.meshes.some(mesh => mesh !== null);
}
