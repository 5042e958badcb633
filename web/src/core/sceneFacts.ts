// Caches facts about models that are needed to bind clips: names, skeleton, and maximum weights of
// morph targets.
import { RendererNames } from './rendererNames.ts';
import { NodeNames } from './names.ts';
import type { NodeTable, RigScene } from './types.ts';

/** Facts about a model that are needed to bind clips. */
export interface SceneFacts {
  names: NodeNames;
  drawn: RendererNames;
  skeleton: SkeletonRows;
  /**
   * `of`: maximum weight of each morph target, by mesh index and name. `smallest`: the smallest of
   * these maxima.
   */
  maxima: { of: ReadonlyMap<string, number>; smallest: number };
  rigidBones: ReadonlySet<number>;
}

const namesOfNodes = new WeakMap<NodeTable, NodeNames>();

/** Returns the name index of a node table. Scenes with the same node table share it. */
function namesOf({ nodes, asset }: RigScene): NodeNames {
  let names = namesOfNodes.get(nodes);
  if (!names) namesOfNodes.set(nodes, (names = new NodeNames(nodes, asset.name)));
  return names;
}

const factsOfScenes = new WeakMap<RigScene, SceneFacts>();

export function factsOf(scene: RigScene): SceneFacts {
  let facts = factsOfScenes.get(scene);
  if (!facts)
    factsOfScenes.set(
      scene,
      (facts = {
        names: namesOf(scene),
        drawn: new RendererNames(scene),
        skeleton: skeletonOf(scene),
        maxima: maximaOf(scene),
        rigidBones: rigidBonesOf(scene),
      }),
    );
  return facts;
}

function maximaOf({ meshes }: RigScene): SceneFacts['maxima'] {
  let smallest = Infinity;
  const of = new Map<string, number>();
  for (const [m, { morphs }] of meshes.entries())
    for (const { name, maximum } of morphs) {
      smallest = Math.min(smallest, maximum);
      if (!of.has(`${m} ${name}`)) of.set(`${m} ${name}`, maximum);
    }
  return { of, smallest };
}

/**
 * Returns the joints of dual quaternion skins and the ancestors of these joints. Returns an empty
 * set if the scene's hints allow animated scale for these bones.
 */
function rigidBonesOf({ nodes, meshes, renderers, skins, hints }: RigScene): Set<number> {
  const rows = new Set<number>();
  if (hints?.dualQuaternionScale) return rows;
  const seen = new Set<number>();
  for (const { mesh, skin } of renderers) {
    if (skin === undefined || seen.has(skin) || meshes[mesh]?.skinning !== 'dualQuaternion') continue;
    seen.add(skin);
    for (let row of skins[skin]?.joints ?? []) for (; row >= 0 && !rows.has(row); row = nodes.parents[row]!) rows.add(row);
  }
  return rows;
}

export interface SkeletonRows {
  bones: Set<number>;
  /** Bones whose parent is not a bone. */
  roots: Set<number>;
}

function skeletonOf({ nodes }: RigScene): SkeletonRows {
  const bones = new Set<number>();
  const roots = new Set<number>();
  const isUnderBone = new Uint8Array(nodes.length);
  for (let row = 0; row < nodes.length; row++) {
    const parent = nodes.parents[row]!;
    isUnderBone[row] = parent >= 0 && (isUnderBone[parent]! || nodes.bones[parent]! >= 0) ? 1 : 0;
    if (nodes.bones[row]! < 0) continue;
    bones.add(row);
    if (!isUnderBone[row]) roots.add(row);
  }
  return { bones, roots };
}
