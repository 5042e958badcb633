// Upgrades the trees of a VGO file to the layout of version 2.5, in which lights and colliders have
// lists and renderers belong to nodes (docs/formats/vgo.md section 6). All other data stays
// unchanged, including data that rigcast does not interpret.
import type { Budget } from '../common/budget.ts';
import { type Branch, branch, isBranch, listOf, numberOf, type Tree } from './tree.ts';

/** Names of JSON members that belong to meshes in version 2.4, and to renderers in version 2.5. */
const OF_RENDERERS = ['materials', 'blendShapeKind', 'blendShapePesets', 'blendShapePresets'];

interface VgoLayout {
  asset: Tree;
  layout: Branch;
  accessors: readonly Tree[];
  isRightHanded: boolean;
}

/** Upgrades the JSON trees of a VGO file in place. */
export function upgrade({ asset, layout, accessors, isRightHanded }: VgoLayout, budget: Budget): void {
  const nodes = listOf(layout.get('nodes')).filter(isBranch);
  if (isRightHanded && isBranch(asset)) convertSprings(asset, layout);
  for (const node of nodes) {
    const light = node.get('light');
    if (isBranch(light)) node.set('light', listIn(layout, 'lights').push(light) - 1);
    const colliders = listOf(node.get('colliders'));
    if (colliders.some(isBranch))
      node.set(
        'colliders',
        colliders.map(each => (isBranch(each) ? listIn(layout, 'colliders').push(each) - 1 : each)),
      );
  }
  moveRenderers(layout, nodes, budget);
  for (const accessor of accessors) if (isBranch(accessor)) nameColors(accessor);
  for (const owner of [asset, layout, ...nodes, ...['materials', 'textures'].flatMap(name => listOf(layout.get(name)))])
    // Unity's importer rejects a list as `extensions`, although an old example in the documentation
    // uses a list.
    if (isBranch(owner) && Array.isArray(owner.get('extensions'))) owner.delete('extensions');
}

function listIn(layout: Branch, name: string): Tree[] {
  const list = layout.get(name);
  if (Array.isArray(list)) return list;
  const made: Tree[] = [];
  layout.set(name, made);
  return made;
}

function moveRenderers(layout: Branch, nodes: readonly Branch[], budget: Budget): void {
  const meshes = listOf(layout.get('meshes'));
  const hasMaterials = listOf(layout.get('materials')).length > 0;
  const kept = new Set<Tree | undefined>();
  const moved = new Set<Branch>();
  for (const node of nodes) {
    const renderer = node.get('meshRenderer');
    if (isBranch(renderer)) {
      rename(renderer, 'blendShapePesets', 'blendShapePresets');
      continue;
    }
    const index = numberOf(node.get('mesh'), -1);
    const mesh = meshes[index];
    if (!isBranch(mesh)) continue;
    // In version 2.5, the renderer of a node with particles draws the particles. In older files
    // such a node also draws its mesh, so the mesh remains at the node.
    if (numberOf(node.get('particle'), -1) >= 0) {
      kept.add(mesh);
      continue;
    }
    const own = OF_RENDERERS.flatMap((name): [string, Tree][] => (mesh.has(name) ? [[name, mesh.get(name) ?? null]] : []));
    for (const [, value] of own) budget.spendJson(value);
    const made: Branch = new Map([['name', node.get('name') ?? ''], ['mesh', index], ...own]);
    // In files up to version 2.4, an empty list of materials means the first material.
    if (listOf(made.get('materials')).length === 0 && hasMaterials) made.set('materials', [0]);
    rename(made, 'blendShapePesets', 'blendShapePresets');
    node.delete('mesh');
    node.set('meshRenderer', made);
    moved.add(mesh);
  }
  for (const mesh of moved) if (!kept.has(mesh)) for (const name of OF_RENDERERS) mesh.delete(name);
}

function rename(owner: Branch, from: string, to: string): void {
  const value = owner.get(from);
  if (value === undefined || (owner.get(to) ?? null) !== null) return;
  owner.delete(from);
  owner.set(to, value);
}

/**
 * Corrects the declared type of colour accessors that contain four floats but are declared as bytes
 * (erratum E1).
 */
function nameColors(accessor: Branch): void {
  const isFloats = accessor.get('byteLength') === 16 * numberOf(accessor.get('count'), NaN) || accessor.get('byteStride') === 16;
  if (accessor.get('dataType') === 0x1410 && isFloats && numberOf(accessor.get('count'), 0) > 0) {
    accessor.set('dataType', 0x1450);
    accessor.set('byteStride', 16);
  }
}

/**
 * Converts springs in files that UniVGO 2.1.0 or 2.1.1 wrote, because these versions wrote them
 * with Unity's axes. Replaces the generator of the file, so that the springs are not converted
 * again when the file is opened.
 */
function convertSprings(asset: Branch, layout: Branch): void {
  const writer = asset.get('generator');
  const springs = layout.get('springBoneInfo');
  if (!isBranch(writer) || !isBranch(springs)) return;
  if (writer.get('name') !== 'UniVGO' || !['2.1.0', '2.1.1'].includes(String(writer.get('version')))) return;
  const turn = (owner: Tree | undefined, name: string): void => {
    const vector = isBranch(owner) ? owner.get(name) : undefined;
    if (Array.isArray(vector) && typeof vector[2] === 'number') vector[2] = 0 - vector[2];
  };
  for (const group of listOf(springs.get('springBoneGroups'))) turn(group, 'gravityDirection');
  for (const group of listOf(springs.get('colliderGroups')))
    for (const collider of isBranch(group) ? listOf(group.get('colliders')) : []) turn(collider, 'offset');
  asset.set('generator', branch(GENERATOR));
}

/** Generator that files written by rigcast declare. */
export const GENERATOR = { name: 'rigcast', version: '1' };
