// Merges models that share a skeleton, such as the body, head and clothes of a game character.
import { NodeNames } from '../core/names.ts';
import { traitsOf } from '../core/formats.ts';
import { numberIn } from '../core/properties.ts';
import type { RigFile } from '../core/open.ts';
import { isBone, parentOf } from '../core/tree.ts';
import type { Clip, Feature, NodeTable, Properties, RigScene } from '../core/types.ts';
import { makeClip } from '../rig/table.ts';
import { refusal, sharedRefusals } from './common/refusals.ts';
import type { ReportBuilder } from './common/report.ts';
import type { Group } from './group.ts';

/**
 * Families of formats whose models can be merged. Models of the other formats describe avatars and
 * scenes whose properties refer to nodes and materials by index.
 */
const FAMILIES: readonly string[] = ['unreal', 'cast', 'se', 'ueformat'];

const isMergeable = (a: string | null, b: string | null): boolean => a === b && FAMILIES.includes(traitsOf(a)?.family ?? '');

/** Returns true if there are several models whose formats can be merged. Their bones are not compared. */
export const canMerge = (models: readonly Pick<RigFile, 'format'>[]): boolean =>
  models.length > 1 && models.every(({ format }) => isMergeable(format, models[0]!.format));

/** Rest transforms that differ by less than this are equal (metres, quaternion components, scale factors). */
const REST_TOLERANCE = 1e-4;

/**
 * Merges models into one. Bones with the same name become one bone, which keeps the parent and the
 * rest pose of the model with the most bones. Other bones are added below their parents. Skins keep
 * their inverse bind matrices, so every mesh follows the merged bones. `clips` of the result
 * contain the clips of all models, in the order of `groups`, then those of `animations`. Throws a
 * ConversionError if the models have different formats or spaces, or share no bone.
 */
export function mergedGroup(groups: readonly Group[], animations: Group['animations'], report: ReportBuilder): Group {
  const [lead, ...others] = groups.toSorted((a, b) => boneCount(b.scene) - boneCount(a.scene)) as [Group, ...Group[]];
  const merger = new Merger(lead.scene);
  const clipsOf = new Map([[lead, lead.scene.clips]]);
  while (others.length > 0) {
    // A part may be attached to bones of another part, so the best match is added first.
    const shared = others.map(({ scene }) => merger.sharedBones(scene).filter(row => row >= 0).length);
    const best = shared.indexOf(Math.max(...shared));
    const [part] = others.splice(best, 1) as [Group];
    const { model, scene } = part;
    const files = { file: model.file.name, lead: lead.model.file.name };
    if (!isMergeable(model.file.format, lead.model.file.format)) throw refusal(sharedRefusals, 'MERGE_FORMATS', files);
    if (!hasSameSpace(lead.scene, scene)) throw refusal(sharedRefusals, 'MERGE_SPACES', files);
    if (shared[best] === 0) throw refusal(sharedRefusals, 'MERGE_BONES', files);
    const { clips, moved } = merger.add(scene);
    clipsOf.set(part, clips);
    if (moved > 0) report.add('MERGED_REST', model.file.name, moved, lead.model.file.name);
  }
  if (groups.length > 1) report.add('MODELS_MERGED', lead.model.file.name, groups.length);
  const own = groups.flatMap(each => clipsOf.get(each)!);
  const clips = [...own, ...animations.flatMap(({ file }) => file.scene?.clips ?? [])];
  return { model: lead.model, scene: { ...merger.scene(), clips: own }, clips, animations };
}

const boneCount = ({ nodes }: RigScene): number => nodes.bones.reduce((count, bone) => count + (bone >= 0 ? 1 : 0), 0);

const hasSameSpace = (a: RigScene, b: RigScene): boolean => isSameRest(a.nodes, 0, b.nodes, 0) && a.scaleInheritance === b.scaleInheritance;

function isSameRest(a: NodeTable, rowA: number, b: NodeTable, rowB: number): boolean {
  const isNear = (one: Float32Array, other: Float32Array, width: number, sign = 1): boolean =>
    Array.from({ length: width }, (_, i) => Math.abs(one[width * rowA + i]! - sign * other[width * rowB + i]!)).every(
      difference => difference < REST_TOLERANCE,
    );
  return (
    isNear(a.translations, b.translations, 3) &&
    isNear(a.scales, b.scales, 3) &&
    [1, -1].some(sign => isNear(a.rotations, b.rotations, 4, sign))
  );
}

/** Adds scenes to the first one, except for their clips. */
class Merger {
  #scene: RigScene;
  #names: NodeNames;

  constructor(first: RigScene) {
    this.#scene = first;
    this.#names = new NodeNames(first.nodes);
  }

  scene(): RigScene {
    return this.#scene;
  }

  /** Returns the row of the merged bone for each node of `part`, or -1. */
  sharedBones({ nodes }: RigScene): Int32Array {
    const bones = [...nodes.names.keys()].filter(row => isBone(nodes, row)).sort((a, b) => nodes.bones[a]! - nodes.bones[b]!);
    const rows = new Int32Array(nodes.length).fill(-1);
    const targets = bones.map(row => ({ name: nodes.names[row]!, occurrence: 0 }));
    for (const [i, found] of this.#names.match(targets).entries())
      if (found >= 0 && isBone(this.#scene.nodes, found)) rows[bones[i]!] = found;
    return rows;
  }

  /**
   * Adds a scene. `clips` of the result: its clips, for the merged nodes. `moved`: number of shared
   * bones that have another rest pose in it.
   */
  add(part: RigScene): { clips: Clip[]; moved: number } {
    const shared = this.sharedBones(part);
    const { nodes, rows } = withNodes(this.#scene.nodes, part.nodes, shared);
    const rowOf = (row: number): number => rows[row] ?? -1;
    const base = this.#scene;
    const { materials, materialRows } = withMaterials(base, part);
    const materialOf = (row: number): number => materialRows[row] ?? -1;
    const offset = {
      mesh: base.meshes.length,
      skin: base.skins.length,
      renderer: base.renderers.length,
      reference: base.references.length,
    };
    const at = <T extends { node: number }>(each: T): T => ({ ...each, node: rowOf(each.node) });
    const clips = part.clips.map(clip => withRows(clip, rowOf));
    this.#scene = {
      ...base,
      nodes,
      materials,
      textures: [...base.textures, ...part.textures.map(each => moveIndex(each, 'image', base.images.length))],
      images: [...base.images, ...part.images],
      meshes: [
        ...base.meshes,
        ...part.meshes.map(mesh => ({
          ...mesh,
          groups: mesh.groups.map(run => (run.material === undefined ? run : { ...run, material: materialOf(run.material) })),
        })),
      ],
      skins: [
        ...base.skins,
        ...part.skins.map(skin => ({
          ...skin,
          joints: skin.joints.map(rowOf),
          ...(skin.skeletonRoot !== undefined && { skeletonRoot: rowOf(skin.skeletonRoot) }),
        })),
      ],
      renderers: [
        ...base.renderers,
        ...part.renderers.map(each => ({
          ...moveIndex(at(each), 'skin', offset.skin),
          mesh: each.mesh + offset.mesh,
          ...(each.materials && { materials: each.materials.map(materialOf) }),
        })),
      ],
      lights: [...base.lights, ...part.lights.map(at)],
      cameras: [...base.cameras, ...part.cameras.map(at)],
      instances: [...base.instances, ...part.instances.map(each => moveIndex(at(each), 'reference', offset.reference))],
      features: withFeatures(
        base.features,
        part.features.map(each => featureAt(each, rowOf)),
      ),
      expressions: [
        ...base.expressions,
        ...part.expressions.map(each => ({
          ...each,
          bindings: each.bindings.map(binding => ({ ...binding, renderer: binding.renderer + offset.renderer })),
        })),
      ],
      references: [...base.references, ...part.references],
    };
    this.#names = new NodeNames(nodes);
    const isMoved = (row: number, i: number): boolean => row >= 0 && !isSameRest(base.nodes, row, part.nodes, i);
    return { clips, moved: shared.filter(isMoved).length };
  }
}

/** Adds `offset` to an index that may be absent. */
function moveIndex<K extends string, T extends { [key in K]?: number }>(each: T, key: K, offset: number): T {
  const index = each[key];
  return index === undefined ? each : { ...each, [key]: index + offset };
}

/**
 * Adds the nodes of a part that are not shared. Two kinds of nodes that are not bones are shared as
 * well if they have the same transform: the parent of a skeleton, and equally named children of a
 * bone, such as sockets. `rows` of the result: row of each node of the part.
 */
function withNodes(base: NodeTable, part: NodeTable, shared: Int32Array): { nodes: NodeTable; rows: Int32Array } {
  const rows = Int32Array.from(shared);
  rows[0] = 0;
  for (const [row, found] of shared.entries()) {
    if (found < 0) continue;
    const [own, theirs] = [parentOf(base, found), parentOf(part, row)];
    if (own > 0 && theirs > 0 && rows[theirs]! < 0 && !isBone(base, own) && !isBone(part, theirs) && isSameRest(base, own, part, theirs))
      rows[theirs] = own;
  }
  for (const row of rows.keys()) {
    const bone = shared[parentOf(part, row)] ?? -1;
    if (rows[row]! >= 0 || isBone(part, row) || bone < 0) continue;
    rows[row] = base.names.findIndex(
      (name, own) => name === part.names[row] && parentOf(base, own) === bone && !isBone(base, own) && isSameRest(base, own, part, row),
    );
  }
  const added = [...rows.keys()].filter(row => rows[row]! < 0); // parents come before children
  for (const [i, row] of added.entries()) rows[row] = base.length + i;
  let bones = base.bones.reduce((most, bone) => Math.max(most, bone + 1), 0);
  const column = <A extends Float32Array | Int32Array | Uint8Array>(own: A, other: A, width: number): A => {
    const made = new (own.constructor as new (length: number) => A)((base.length + added.length) * width);
    made.set(own);
    for (const [i, row] of added.entries()) made.set(other.subarray(width * row, width * row + width), (base.length + i) * width);
    return made;
  };
  const parents = column(base.parents, part.parents, 1);
  for (let row = base.length; row < parents.length; row++) parents[row] = rows[parents[row]!]!;
  const order = column(base.bones, part.bones, 1);
  for (let row = base.length; row < order.length; row++) if (order[row]! >= 0) order[row] = bones++;
  return {
    rows,
    nodes: {
      length: base.length + added.length,
      names: [...base.names, ...added.map(row => part.names[row]!)],
      parents,
      translations: column(base.translations, part.translations, 3),
      rotations: column(base.rotations, part.rotations, 4),
      scales: column(base.scales, part.scales, 3),
      bones: order,
      visible: column(base.visible, part.visible, 1),
      segmentScaleCompensate: column(base.segmentScaleCompensate, part.segmentScaleCompensate, 1),
      properties: new Map([
        ...base.properties,
        ...added.flatMap(row => {
          const own = part.properties.get(row);
          return own ? [[rows[row]!, own] as const] : [];
        }),
      ]),
    },
  };
}

/** Adds the materials of a part. Materials that are equal in every value are shared. */
function withMaterials(base: RigScene, part: RigScene): { materials: RigScene['materials']; materialRows: readonly number[] } {
  const materials = [...base.materials];
  const known = new Map(materials.map((each, row) => [JSON.stringify(each), row]));
  const materialRows = part.materials.map(material => {
    const slots = material.slots.map(slot => moveIndex(slot, 'texture', base.textures.length));
    const own = { ...material, slots };
    const key = JSON.stringify(own);
    const row = known.get(key) ?? materials.push(own) - 1;
    known.set(key, row);
    return row;
  });
  return { materials, materialRows };
}

/** Adds the features of a part. Features that are equal in every value are added once. */
function withFeatures(base: readonly Feature[], part: readonly Feature[]): Feature[] {
  const known = new Set(base.map(each => JSON.stringify(each)));
  return [...base, ...part.filter(each => !known.has(JSON.stringify(each)))];
}

/** Returns a clip whose tracks refer to the merged nodes. */
function withRows(clip: Clip, rowOf: (row: number) => number): Clip {
  const tracks = [...clip.tracks];
  if (tracks.every(({ node }) => node < 0)) return clip;
  return {
    ...clip,
    tracks: makeClip(
      clip,
      tracks.map(track => (track.node < 0 ? track : { ...track, node: rowOf(track.node) })),
    ).tracks,
  };
}

/** Returns a feature that refers to the merged nodes. Its properties name bones as `{ node, name }`. */
function featureAt(feature: Feature, rowOf: (row: number) => number): Feature {
  const properties = Object.entries(feature.properties ?? {}).map(([name, value]): [string, Properties[string]] => {
    const isBag = typeof value === 'object' && value !== null && !Array.isArray(value);
    const node = isBag ? numberIn(value, 'node', -1) : -1;
    return [name, isBag && node >= 0 ? { ...value, node: rowOf(node) } : value];
  });
  return {
    ...feature,
    ...(feature.node !== undefined && { node: rowOf(feature.node) }),
    ...(feature.properties && { properties: Object.fromEntries(properties) }),
  };
}
