// Detects the type of the renderer when it first draws.
import type { Object3D } from 'three';
import type { RigMesh } from './build/build.ts';

/**
 * Calls `found` once before WebGPURenderer first draws one of the meshes, because WebGPURenderer
 * ignores patches of built-in materials.
 */
export function onWebGPU(meshes: readonly (RigMesh | null)[], found: () => void): void {
  let isFound = false;
  for (const mesh of meshes as readonly (Object3D | null)[]) {
    if (!mesh) continue;
    const before = mesh.onBeforeRender;
    mesh.onBeforeRender = (...args) => {
      before.apply(mesh, args);
      if (isFound || !('isWebGPURenderer' in args[0])) return;
      isFound = true;
      found();
    };
  }
}
