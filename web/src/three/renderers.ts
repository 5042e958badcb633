// Which renderer draws a rig turns out when it does.
import type { Object3D } from 'three';
import type { RigMesh } from './build/build.ts';

/**
 * Calls back once, before WebGPURenderer draws any of the meshes for the first time. It makes
 * shaders of its own and runs no changes of those of three's materials.
 */
export function onWebGPU(meshes: readonly (RigMesh | null)[], found: () => void): void {
  let isFound = false;
  for (const mesh of meshes as readonly (Object3D | null)[]) {
    if (!mesh) continue;
    const before = mesh.onBeforeRender;
    mesh.onBeforeRender = (...given) => {
      before.apply(mesh, given);
      if (isFound || !('isWebGPURenderer' in given[0])) return;
      isFound = true;
      found();
    };
  }
}
