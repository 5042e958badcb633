// Facts with which a plan matches animations with models: names, but no vertices or keys. A batch keeps
// the facts of all files, which take much less memory than the files.
import { baseName, extensionOf } from '../core/paths.ts';
import { entry } from '../core/entry.ts';
import { sampledClips } from '../core/match.ts';
import type { Clip, Expression, Mesh, NodeTable, RigScene, Track, TrackPath } from '../core/types.ts';
import { invalidArgument } from '../core/error.ts';

/** The node table of a scene, without transforms. */
export interface MatchNodes {
  names: readonly string[];
  parents: readonly number[];
  bones: readonly number[];
}

export interface MatchFacts {
  renderers: readonly { name: string; mesh: number; node: number }[];
  meshes: readonly { name: string; morphs: readonly string[] }[];
  expressions: readonly Expression[];
  hasInstances: boolean;
  hasOthers: boolean;
  clips: readonly (Pick<Clip, 'addsToRest'> & { moves: readonly Moved[]; overrides: readonly string[] })[];
}

/** The target of an animation track. */
type Moved = readonly [path: TrackPath, target: string, occurrence: number, property: string];

/**
 * Facts with their hashes. Many files of a game have equal facts, and more have equal nodes. With the
 * hashes, equal facts and equal nodes are sent and compared only once.
 */
export interface FactsMessage {
  /** Hash of the facts and the nodes. */
  key: string;
  nodesKey: string;
  /** Absent if the process has already sent equal facts and nodes. */
  facts?: MatchFacts;
  /** Absent if the process has already sent equal nodes. */
  nodes?: MatchNodes;
}

/** Creates the messages of a process. `hash`: returns the same text for equal values only. */
export class FactsSender {
  readonly #hash: (value: unknown) => string;
  readonly #sent = new Set<string>();

  constructor(hash: (value: unknown) => string) {
    this.#hash = hash;
  }

  /** Returns the message about a scene. `path`: path of its file. */
  messageOf(scene: RigScene, path: string): FactsMessage {
    const nodes = nodesOf(scene, path);
    const facts = factsOf(scene);
    const nodesKey = this.#hash(nodes);
    const key = this.#hash([nodesKey, facts]);
    return { key, nodesKey, ...(this.#isNew(key) && { facts }), ...(this.#isNew(nodesKey) && { nodes }) };
  }

  #isNew(key: string): boolean {
    const isNew = !this.#sent.has(key);
    this.#sent.add(key);
    return isNew;
  }
}

const OF_NODES: readonly TrackPath[] = ['translation', 'rotation', 'scale', 'property'];

function nodesOf({ nodes: { names, parents, bones } }: RigScene, path: string): MatchNodes {
  const name = baseName(path);
  const extension = extensionOf(name);
  const own = extension ? name.slice(0, -1 - extension.length) : name;
  // Leave out node names that equal the file name. Some readers name a node after the file, which
  // would make equal skeletons differ.
  return {
    names: names.map((name, row) => (name === own && (bones[row] ?? -1) < 0 ? '' : name)),
    parents: [...parents],
    bones: [...bones],
  };
}

function factsOf({ renderers, meshes, expressions, instances, lights, cameras, clips }: RigScene): MatchFacts {
  const moving = sampledClips(clips).map(({ addsToRest, tracks, overrides }) => ({
    ...(addsToRest && { addsToRest }),
    moves: movedBy(tracks),
    overrides: overrides.map(({ node }) => node),
  }));
  return {
    renderers: renderers.map(({ name, mesh, node }) => ({ name, mesh, node })),
    meshes: meshes.map(({ name, morphs }) => ({ name, morphs: morphs.map(each => each.name) })),
    expressions,
    hasInstances: instances.length > 0,
    hasOthers: lights.length + cameras.length > 0,
    clips: [...new Map(moving.map(clip => [JSON.stringify(clip), clip])).values()],
  };
}

function movedBy(tracks: Iterable<Track>): Moved[] {
  const moved = new Map<string, Moved>();
  for (const { path, target, occurrence, property } of tracks) {
    if (path === 'look') continue; // not matched by name
    const isOfNode = OF_NODES.includes(path);
    const one: Moved = [isOfNode ? 'rotation' : path, target, occurrence, isOfNode ? '' : property];
    moved.set(one.join('\0'), one);
  }
  return [...moved.values()];
}

/**
 * Creates scenes from facts. Returns the same scene for equal facts and uses the same node table
 * for equal nodes, so that `group` compares them only once.
 */
export class MatchScenes {
  readonly #scenes = new Map<string, RigScene>();
  readonly #nodes = new Map<string, NodeTable>();

  /**
   * Returns the scene for the facts in a message. Throws a TypeError if the facts or the nodes are
   * neither in this message nor in an earlier one.
   */
  take({ key, nodesKey, facts, nodes }: FactsMessage): RigScene {
    return entry(this.#scenes, key, () => {
      const table = entry(this.#nodes, nodesKey, () => tableOf(sentOf(nodes)));
      return sceneOf(sentOf(facts), table);
    });
  }
}

function sentOf<T>(facts: T | undefined): T {
  if (facts === undefined) throw invalidArgument('The facts are neither in this message nor in an earlier one.');
  return facts;
}

const NOTHING = new Float32Array(0);

function tableOf({ names, parents, bones }: MatchNodes): NodeTable {
  const count = names.length;
  return {
    length: count,
    names: [...names],
    parents: Int32Array.from(parents),
    bones: Int32Array.from(bones),
    translations: NOTHING,
    rotations: NOTHING,
    scales: NOTHING,
    visible: new Uint8Array(count),
    segmentScaleCompensate: new Uint8Array(count),
    properties: new Map(),
  };
}

function sceneOf({ renderers, meshes, expressions, hasInstances, hasOthers, clips }: MatchFacts, nodes: NodeTable): RigScene {
  return {
    asset: { name: '', metresPerUnit: 1 },
    scaleInheritance: 'matrix',
    nodes,
    renderers: renderers.map(each => ({ ...each, visible: true })),
    meshes: meshes.map(({ name, morphs }): Mesh => ({
      name,
      topology: 'triangles',
      skinning: 'linear',
      vertexCount: 0,
      positions: NOTHING,
      uvs: [],
      colors: [],
      colorsAreMaterial: false,
      maxInfluences: 0,
      sourceVertexCount: 0,
      groups: [],
      morphs: morphs.map(morph => ({ name: morph, maximum: 1, vertices: new Uint32Array(0), positions: NOTHING, normals: NOTHING })),
      min: [0, 0, 0],
      max: [0, 0, 0],
      center: [0, 0, 0],
      radius: 0,
    })),
    expressions: [...expressions],
    instances: hasInstances ? [{ node: 0, transforms: NOTHING, names: [] }] : [],
    lights: [],
    cameras: hasOthers ? [{ name: '', node: 0, verticalFov: 1, aspect: 1, near: 0.1, far: 1 }] : [],
    clips: clips.map(clipOf),
    skins: [],
    materials: [],
    textures: [],
    images: [],
    features: [],
    references: [],
  };
}

function clipOf({ addsToRest, moves, overrides }: MatchFacts['clips'][number]): Clip {
  const tracks = moves.map(([path, target, occurrence, property]): Track => ({
    path,
    target,
    occurrence,
    property,
    node: -1,
    component: -1,
    interpolation: 'linear',
    mode: 'absolute',
    before: 'hold',
    after: 'hold',
    blendWeight: 1,
    times: NOTHING,
    values: NOTHING,
  }));
  return {
    name: '',
    start: 0,
    duration: 0,
    frameRate: 0,
    frameCount: 0,
    loop: false,
    ...(addsToRest && { addsToRest }),
    tracks: { length: tracks.length, get: index => tracks[index]!, [Symbol.iterator]: () => tracks.values() },
    events: [],
    overrides: overrides.map(node => ({ node, mode: 'absolute', translation: false, rotation: false, scale: false, includesNode: false })),
  };
}
