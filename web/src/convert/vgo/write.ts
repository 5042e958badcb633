// Writes a scene and its clips as VGO 2.5. The contents of VGO sources are preserved, and other
// sources are converted (docs/formats/vgo.md section 15).
import { member, textIn } from '../../core/properties.ts';
import { nameOf, parentOf } from '../../core/tree.ts';
import type { YieldToEventLoop } from '../common/yielding.ts';
import { uniqueNames } from '../../core/names.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { PoseShape } from '../../rig/pose.ts';
import { contentsOf } from '../../core/contents.ts';
import { materialOf } from '../../textures/drawnMaterials.ts';
import type { TexturedScene } from '../common/texturedScene.ts';
import { scaledRows } from '../common/scaleInheritance.ts';
import { storeImages } from '../common/images.ts';
import { refusal, sharedRefusals } from '../common/refusals.ts';
import type { ReportBuilder } from '../common/report.ts';
import { packed } from '../common/pack.ts';
import type { Writing } from '../common/target.ts';
import { reportUnsupported } from '../common/unsupported.ts';
import type { WrittenFile } from '../common/written.ts';
import { assemble, type VgoTrees } from './assemble.ts';
import { preservedTrees } from './preserved.ts';
import { writeExpressions } from './expressions.ts';
import { writeHuman } from './human.ts';
import { MaterialWriter, wantedImages } from './materials.ts';
import { ModelWriter } from './model.ts';
import { VgoClipWriter, type VgoContents } from './clips.ts';
import { VgoResource } from './resource.ts';
import { springsOf } from './springs.ts';
import { branch, type Branch, isBranch, listOf, numberOf, type Tree } from './tree.ts';
import { GENERATOR } from './upgrade.ts';
import { keyOf } from './writing.ts';

/**
 * Returns the VGO file, followed by a .vgk file if there is a key. Rejects with a ConversionError if
 * the scene contains nothing but instances, which VGO cannot store.
 */
export async function writeVgo(writing: Writing): Promise<WrittenFile[]> {
  const { names, file, scene, vgo, report } = writing;
  if (scene.instances.length > 0 && scene.renderers.length === 0 && scene.nodes.bones.every(bone => bone < 0))
    throw refusal(sharedRefusals, 'BODY_MISSING');
  const textured = await writing.resolveTextures();
  const key = keyOf(vgo);
  // A damaged VGO file is converted like a file of any other format.
  const contents = file.format === 'vgo' && file.scene && file.report.errors === 0 ? await contentsOf(file.scene) : null;
  const own = contents && preservedTrees(contents, report.budget);
  if (own?.wasEncrypted && !key) report.add('ENCRYPTION_LEFT', '', 1);
  const trees = own ? await updatedContents(own, textured.scene, writing) : await convertedContents(textured, writing);
  return assemble(trees, names.stem, { encoding: vgo.encoding ?? 'json', key }, report);
}

/** Updates the trees of a VGO source: adds clips from other files, and removes unwanted clips. */
async function updatedContents(
  trees: VgoTrees,
  scene: RigScene,
  { clips, tolerance, report, yieldToEventLoop }: Writing,
): Promise<VgoTrees> {
  const { layout } = trees;
  if (!isBranch(layout)) return trees;
  const nodes = listOf(layout.get('nodes'));
  const rows = rowsOf(nodes);
  const [wanted, known] = [new Set(clips), new Set(scene.clips)];
  const dropped = scene.clips.filter(clip => !wanted.has(clip));
  if (dropped.length > 0) leaveOut(layout, nodes, clips);
  const added = clips.filter(clip => !known.has(clip));
  if (added.length === 0) return trees;
  const own = listOf(layout.get('animationClips'));
  const places = new Map(rows.map((row, place) => [row, place]));
  const nodeOf = (row: number): number => places.get(row) ?? -1;
  const stage = {
    shape: new PoseShape(scene),
    nodes,
    clips: own,
    nodeOf,
    nodeOfRenderer: (row: number) => nodeOf(scene.renderers[row]?.node ?? -1),
  };
  await writeClips(stage, added, tolerance, report, yieldToEventLoop);
  layout.set('animationClips', own);
  return trees;
}

/**
 * Returns the row in `scene.nodes` of each node in the file. Parents have smaller rows than their
 * children.
 */
function rowsOf(nodes: readonly Tree[]): number[] {
  const parents = new Map<number, number>();
  for (const [place, node] of nodes.entries())
    if (isBranch(node)) for (const child of listOf(node.get('children'))) if (typeof child === 'number') parents.set(child, place);
  const rows = nodes.map(() => -1);
  let count = 1;
  for (const [place, node] of nodes.entries()) {
    const chain = new Set<number>();
    for (let at = isBranch(node) ? place : -1; at >= 0 && rows[at] === -1 && !chain.has(at); at = parents.get(at) ?? -1) chain.add(at);
    for (const at of [...chain].toReversed()) rows[at] = count++;
  }
  return rows;
}

/** Removes all clips that are not in `wanted`, and the references to them in nodes. */
function leaveOut(layout: Branch, nodes: readonly Tree[], wanted: readonly Clip[]): void {
  const list = listOf(layout.get('animationClips'));
  const names = new Set(wanted.map(({ name }) => name));
  const isWanted = (clip: Tree | undefined): boolean => isBranch(clip) && names.has(String(clip.get('name') ?? ''));
  const players = nodes.flatMap(node => (isBranch(node) && isBranch(node.get('animation')) ? [node] : []));
  const clipOf = (node: Branch): Tree | undefined => list[numberOf((node.get('animation') as Branch).get('clipIndex'), -1)];
  const kept = list.filter(clip => isWanted(clip));
  const places = new Map(kept.map((clip, i) => [clip, i]));
  for (const node of players) {
    const clip = clipOf(node);
    if (isWanted(clip)) (node.get('animation') as Branch).set('clipIndex', places.get(clip as Tree) ?? -1);
    else node.delete('animation');
  }
  layout.set('animationClips', kept);
}

async function convertedContents(
  source: TexturedScene,
  { names, clips, file, tolerance, report, yieldToEventLoop }: Writing,
): Promise<VgoTrees> {
  const textured = file.format === 'vgo' ? source : await packed(source, report);
  const { scene } = textured;
  const resource = new VgoResource(report.budget);
  const images = await storeImages(textured, wantedImages(scene, file.format === 'vgo'), report);
  await yieldToEventLoop();
  const materials = new MaterialWriter(scene, images, resource, report);
  await materials.write(tintedIn(scene), file.format === 'vgo');
  for (const row of file.format === 'vgo' ? [] : (textured.factors?.keys() ?? []))
    report.add('MATERIAL_WORDS_LOST', scene.materials[row]!.name, 1, 'factors beside textures');
  const root = scene.nodes.names[0];
  const movesRoot = clips.some(({ tracks }) => [...tracks].some(({ node, target }) => node === 0 || (target === root && root !== '')));
  const model = new ModelWriter({
    scene,
    resource,
    report,
    movesRoot,
    blank: () => materials.blank(),
    drawsColors: row => materials.drawsColors(row),
  });
  writeHuman(scene, model.nodes[0], row => model.nodeOf(row), report);
  writeExpressions(scene, model, report);
  const springBoneInfo = springsOf(scene, model, report);
  const animationClips: Tree[] = [];
  const stage: VgoContents = {
    shape: new PoseShape(scene),
    nodes: model.nodes,
    clips: animationClips,
    nodeOf: row => model.nodeOf(row),
    nodeOfRenderer: row => model.nodeOfRenderer(row),
  };
  await writeClips(stage, clips, tolerance, report, yieldToEventLoop);
  reportLosses(scene, clips, model.nodes[0]?.has('animator') ?? false, report);
  resource.reportLosses(report);
  const { author = '' } = scene.asset;
  const right = rightsOf(scene);
  const layout = {
    nodes: model.nodes,
    ...(model.skins.length > 0 && { skins: model.skins }),
    ...(model.meshes.length > 0 && { meshes: model.meshes }),
    ...(materials.materials.length > 0 && { materials: materials.materials }),
    ...(materials.textures.length > 0 && { textures: materials.textures }),
    ...(springBoneInfo && { springBoneInfo }),
    ...(animationClips.length > 0 && { animationClips }),
  };
  const asset = branch({
    generator: GENERATOR,
    ...((author || right || file.format !== 'vgo') && { right: { title: scene.asset.name || names.stem, author, ...right } }),
  });
  return { isLeftHanded: false, isBottomLeft: false, asset, layout: branch(layout), resource };
}

async function writeClips(
  stage: VgoContents,
  clips: readonly Clip[],
  tolerance: number,
  report: ReportBuilder,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  const writer = new VgoClipWriter(stage, tolerance, report);
  const names = uniqueNames(clips.map(clip => clip.name));
  for (const [i, clip] of clips.entries()) {
    await yieldToEventLoop();
    const name = names[i] ?? clip.name;
    report.attempt(name, () => writer.write(clip, name));
  }
}

/** Returns the rows of materials that are multiplied by vertex colours. */
function tintedIn({ renderers, meshes }: RigScene): Set<number> {
  return new Set(
    renderers.flatMap(renderer => {
      const mesh = meshes[renderer.mesh];
      return mesh?.colorsAreMaterial && mesh.colors.length > 0 ? mesh.groups.map((_, g) => materialOf(mesh, renderer, g)) : [];
    }),
  );
}

function reportLosses(scene: RigScene, clips: readonly Clip[], isHuman: boolean, report: ReportBuilder): void {
  const { nodes, instances } = scene;
  const placed = instances.reduce((sum, { names }) => sum + names.length, 0);
  if (placed > 0) report.add('INSTANCES_LOST', '', placed);
  const scaled = new Set<number>();
  const uneven = new Set<number>();
  scaledRows(nodes.scales, nodes.length, scaled, uneven);
  const rowOf = new Map(nodes.names.map((name, row) => [name, row] as const).toReversed());
  for (const { tracks } of clips)
    for (const { path, target } of tracks.uses?.('scale') === false ? [] : tracks)
      if (path === 'scale') scaled.add(rowOf.get(target) ?? -1);
  const inheritsAxes = scene.scaleInheritance === 'axes';
  const differing = [...nodes.parents.keys()].filter(row => {
    const parent = parentOf(nodes, row);
    return scaled.has(parent) && (nodes.segmentScaleCompensate[row] || (inheritsAxes && uneven.has(parent)));
  });
  const [first] = differing;
  if (first !== undefined) report.add('SCALE_INHERITED', nameOf(nodes, first), differing.length);
  const isWritten = (kind: string): boolean => WRITTEN_FEATURES.includes(kind) || (kind === 'humanoid' && isHuman);
  reportUnsupported({ ...scene, expressions: [] }, ({ kind }) => isWritten(kind), report);
}

/** Kinds of features that are written completely, or whose losses their writers report. */
const WRITTEN_FEATURES = ['springBone', 'springBoneColliderGroup', 'right'];
const RIGHTS = ['title', 'author', 'organization', 'createdDate', 'updatedDate', 'version', 'distributionUrl', 'licenseUrl'];

/** Returns title, author and licence of the source, or null if it does not state them. */
function rightsOf({ asset, features }: RigScene): object | null {
  const right = member(asset.properties, 'right') ?? features.find(({ kind }) => kind === 'right')?.properties;
  const stated = RIGHTS.flatMap(name => (textIn(right, name) ? [[name, textIn(right, name)] as const] : []));
  return stated.length > 0 ? Object.fromEntries(stated) : null;
}
