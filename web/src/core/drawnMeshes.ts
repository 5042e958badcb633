// Counts what a scene draws.
import type { Mesh, RigScene } from './types.ts';

/** Returns the mesh of each renderer. A mesh that several nodes share is returned once per node. */
export const drawnMeshes = ({ renderers, meshes }: Pick<RigScene, 'renderers' | 'meshes'>): Mesh[] =>
  renderers.flatMap(({ mesh }) => meshes[mesh] ?? []);

/** Returns the number of triangles of a mesh; 0 for strands. */
export const trianglesOf = ({ indices, topology, vertexCount }: Mesh): number =>
  topology === 'triangles' ? (indices?.length ?? vertexCount) / 3 : 0;
