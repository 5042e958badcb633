import type { Rig } from '../three/rig.ts';

/** There is no surface and no line: at most bones. */
export function hasNoSurface({ rig }: { rig: Rig }): boolean {
  return rig.parts.length === 0 && !rig.meshes.some(mesh => mesh !== null);
}
