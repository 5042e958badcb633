// Counts the bone influences of an FBX that the loader of three.js leaves out. It keeps the four
// strongest of a vertex.
import type { BufferGeometry, Mesh, Object3D } from 'three';

/** Number of influences per vertex that FBXLoader keeps. */
const KEPT = 4;

/** Skin of a geometry as FBXLoader reads it: for each bone, its vertices and their weights. */
interface Deformer {
  rawBones?: readonly { indices?: ArrayLike<number>; weights?: ArrayLike<number> }[];
}

export interface DroppedInfluences {
  /** Name of the mesh. */
  name: string;
  /** Number of vertices with more influences than the loader keeps. */
  vertices: number;
  /** Largest number of influences of a vertex. */
  most: number;
  /** Largest share of the weights of a vertex that was left out, 0 to 1. */
  share: number;
}

/**
 * Returns the meshes of an FBX whose influences were left out. FBXLoader stores the influences of
 * the file in the property `FBX_Deformer` of a geometry.
 */
export function droppedInfluences(root: Object3D): DroppedInfluences[] {
  const dropped: DroppedInfluences[] = [];
  const counted = new Set<Deformer>();
  root.traverse(object => {
    const { name, geometry } = object as Partial<Mesh>;
    const deformer = (geometry as (BufferGeometry & { FBX_Deformer?: Deformer }) | undefined)?.FBX_Deformer;
    if (!deformer || counted.has(deformer)) return;
    counted.add(deformer);
    const weights = weightsOf(deformer);
    const reduced = [...weights.values()].filter(({ length }) => length > KEPT);
    if (reduced.length === 0) return;
    const most = reduced.reduce((max, { length }) => Math.max(max, length), 0);
    const share = reduced.reduce((max, each) => Math.max(max, shareOf(each)), 0);
    dropped.push({ name: name ?? '', vertices: reduced.length, most, share });
  });
  return dropped;
}

/** Returns the weights above 0 of each vertex. */
function weightsOf({ rawBones = [] }: Deformer): Map<number, number[]> {
  const weights = new Map<number, number[]>();
  for (const { indices = [], weights: own = [] } of rawBones) {
    for (let i = 0; i < indices.length; i++) {
      if (!(own[i]! > 0)) continue;
      const all = weights.get(indices[i]!);
      if (all) all.push(own[i]!);
      else weights.set(indices[i]!, [own[i]!]);
    }
  }
  return weights;
}

/** Returns the share of the weights that the loader leaves out. */
function shareOf(weights: number[]): number {
  const sorted = weights.sort((a, b) => b - a);
  const sum = (some: readonly number[]): number => some.reduce((total, each) => total + each, 0);
  return sum(sorted.slice(KEPT)) / sum(sorted);
}
