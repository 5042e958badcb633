// Writes one PSK per model, and one PSA with the clips of the model (docs/formats/psk-psa.md).
import { isBone } from '../../core/tree.ts';
import { uniqueNames } from '../../core/names.ts';
import type { Clip, NodeTable, RigScene } from '../../core/types.ts';
import { type Body, bodiesOf, RestTransforms, withBoneNames } from '../common/bodies.ts';
import { ImageFiles } from '../common/imageFiles.ts';
import type { ReportBuilder } from '../common/report.ts';
import { materialsOf, bodyMeshesOf, type BodyMesh } from '../common/parts.ts';
import type { Writing } from '../common/target.ts';
import { reportBodies, reportUnsupported } from '../common/unsupported.ts';
import { type ActorXBones, bonesOf } from './bones.ts';
import { storedName } from './bytes.ts';
import { writePsa } from './psa.ts';
import { writePsk } from './psk.ts';
import { materialFile } from './sidecars.ts';
import { socketsOf } from './sockets.ts';
import { isUnreal, bodyMatrix, unitOf, identitySpace } from './space.ts';
import { skinGap } from '../common/skinGap.ts';
import { BodySpace } from '../common/space.ts';
import { refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';
import type { WrittenFile } from '../common/written.ts';

/** Threshold for errors at the skin, in metres. Smaller errors are not reported. */
const EXACT = 1e-6;

type Files = WrittenFile[];

/**
 * Returns the files of all models and clips. Rejects with a ConversionError if the target requires
 * a mesh or clips that the scene does not have.
 */
export async function writeActorX(writing: Writing): Promise<Files> {
  const { to, names, format, report, yieldToEventLoop } = writing;
  const textured = to === 'psa' ? { scene: writing.scene, imageOf: async () => null } : await writing.resolveTextures();
  const clips = renamed(writing.clips, report);
  const options = { ...writing, clips };
  const unit = unitOf(textured.scene, format);
  const files: Files = [];
  const animations: Files = [];
  const sockets = socketsOf(textured.scene);
  const isBone = (row: number): boolean => !sockets.has(row);
  const bodies = bodiesOf(textured.scene, clips).filter(({ bones, renderers }) => renderers.length > 0 || bones.some(isBone));
  const rowsOfBones = bodies.flatMap(({ bones }) => bones.filter(isBone));
  const scene = withBoneNames(textured.scene, rowsOfBones, report);
  const rest = new RestTransforms(scene);
  const contents = bodies.map(body => (to === 'psk' ? bodyMeshesOf(scene, body, rest, report) : []));
  const runs = contents.map(bodyMeshes => bodyMeshes.flatMap(mesh => mesh.runs));
  const materials = materialsOf(runs, scene.materials.length);
  const images = new ImageFiles(textured, names);
  const { sidecars, storedSlots } = await sidecarsOf(scene, to === 'psk' ? new Set(materials.flat()) : new Set(), images, report);
  let hasBones = false;
  for (const [i, body] of bodies.entries()) {
    await yieldToEventLoop();
    const bodyMeshes = contents[i] ?? [];
    const place = bodyMatrix(rest, body.owner, format);
    const space = new BodySpace(place);
    const isRootNeeded = bodyMeshes.some(({ influences }) => !influences);
    const rootBone = writing.unreal.rootBone ?? false;
    const bones = bonesOf({ scene, body, left: new Set(sockets.keys()), space, rest, isRootNeeded, rootBone, report });
    hasBones ||= bones.rows.length > 0;
    if (bones.isEvened) {
      const parents = bones.parents.map((parent, bone) => (bone === 0 ? -1 : parent));
      const gap = skinGap(scene, body.owner, rest, place, { ...bones, parents, hasScales: false }, clips);
      if (gap > EXACT) report.add('SCALE_EVENED', body.name, gap);
    }
    const count = (to === 'psk' ? files : animations).length;
    const stem = count === 0 ? names.stem : names.beside(`${count + 1}`);
    if (bodyMeshes.length > 0) {
      reportMeshes(bodyMeshes, report);
      const own = { sockets: i === 0 ? [...sockets.values()] : [], materials: materials[i] ?? [], isOwn: isUnreal(format), storedSlots };
      const pieces = writePsk({ scene, meshes: bodyMeshes, bones, unit, report, ...own });
      if (pieces) files.push({ name: `${stem}.psk`, pieces });
      else report.add('MESH_EMPTY', body.name, bodyMeshes.length);
    }
    animations.push(...(await psaFiles(scene, bones, stem, unit, options)));
  }
  if (bodies.length === 0) {
    const [target, bones] = named(scene, clips);
    hasBones = bones.rows.length > 0;
    animations.push(...(await psaFiles(target, bones, names.stem, unit, options)));
  }
  if (!hasBones) for (const { name } of clips) report.add('CLIP_EMPTY', name, 1, 'no bones');
  if (files.length + animations.length === 0 && report.isLimited) throw report.budget.refusal();
  if (files.length + animations.length === 0)
    throw refusal(refusals, to === 'psk' ? 'MESH_MISSING' : clips.length > 0 ? 'BONES_MISSING' : 'MOTIONS_MISSING');
  reportLosses(scene, bodies, options);
  images.reportLosses(report);
  return [...files, ...animations, ...sidecars, ...images.files];
}

/** Returns the .mat files that assign textures to materials. */
export async function sidecarsOf(
  scene: RigScene,
  rows: ReadonlySet<number>,
  images: ImageFiles,
  report: ReportBuilder,
): Promise<{ sidecars: Files; storedSlots: Map<number, ReadonlySet<string>> }> {
  const sidecars = new Map<string, Files[number]>();
  const storedSlots = new Map<number, ReadonlySet<string>>();
  for (const row of rows) {
    const material = scene.materials[row];
    if (!material?.slots.some(({ texture }) => texture !== undefined)) continue;
    const { file, storedSlots: slots } = await materialFile(material, scene, images);
    if (!file) continue;
    const key = file.name.toLowerCase();
    if (sidecars.has(key)) report.add('MATERIAL_FILE_THERE', material.name, 1);
    else {
      sidecars.set(key, file);
      storedSlots.set(row, slots);
    }
  }
  return { sidecars: [...sidecars.values()], storedSlots };
}

async function psaFiles(
  scene: RigScene,
  bones: ActorXBones,
  stem: string,
  unit: number,
  { clips, report, yieldToEventLoop }: Writing,
): Promise<Files> {
  const made = bones.rows.length > 0 && clips.length > 0 ? await writePsa({ scene, bones, clips, unit, report, yieldToEventLoop }) : null;
  if (!made) return [];
  return [{ name: `${stem}.psa`, pieces: made.psa }, ...(made.config ? [{ name: `${stem}.config`, pieces: [made.config] }] : [])];
}

/**
 * Gives all clips names that are unique as they are stored. Importers identify clips by name, and
 * the lines of a `.config` ignore case.
 */
function renamed(clips: readonly Clip[], report: ReportBuilder): Clip[] {
  const keyOf = (name: string): string => storedName(name).trim().toLowerCase();
  const joined = (name: string, suffix: string): string => storedName(name, suffix.length) + suffix;
  const names = uniqueNames(
    clips.map(clip => clip.name),
    keyOf,
    joined,
  );
  return clips.map((clip, i) => {
    const name = names[i] ?? clip.name;
    if (name !== clip.name) report.add('CLIP_RENAMED', clip.name, 1, name);
    return name === clip.name ? clip : { ...clip, name };
  });
}

/**
 * Creates a scene for clips without a skeleton. It has a child of the root for each bone to which a
 * track refers.
 */
export function named(scene: RigScene, clips: readonly Clip[]): [RigScene, ActorXBones] {
  const targets = new Map<string, string>();
  for (const { tracks } of clips)
    for (const { target, occurrence, path } of tracks) if (path !== 'weight') targets.set(`${occurrence} ${target}`, target);
  const names = [...targets.values()];
  const count = names.length + 1;
  const column = (width: number, ...values: number[]): Float32Array =>
    Float32Array.from({ length: width * count }, (_, i) => values[i % width]!);
  const nodes: NodeTable = {
    length: count,
    names: [scene.asset.name, ...names],
    parents: new Int32Array(count).fill(-1, 0, 1),
    translations: column(3, 0, 0, 0),
    rotations: column(4, 0, 0, 0, 1),
    scales: column(3, 1, 1, 1),
    bones: Int32Array.from({ length: count }, (_, row) => row - 1),
    visible: new Uint8Array(count).fill(1),
    segmentScaleCompensate: new Uint8Array(count),
    properties: new Map(),
  };
  const rows = names.map((_, i) => i + 1);
  const bones: ActorXBones = {
    rows,
    names,
    parents: rows.map(() => 0),
    places: [],
    areRoots: rows.map(() => false),
    spaces: rows.map(() => identitySpace().root),
    space: identitySpace(),
    isEvened: false,
    translations: new Float64Array(3 * rows.length),
    rotations: Float64Array.from({ length: 4 * rows.length }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  };
  return [{ ...scene, nodes, renderers: [], skins: [] }, bones];
}

function reportMeshes(bodyMeshes: readonly BodyMesh[], report: ReportBuilder): void {
  if (bodyMeshes.length > 1) report.add('MESHES_MERGED', '', bodyMeshes.length);
  const tangents = bodyMeshes.filter(each => each.tangents).length;
  if (tangents > 0) report.add('NOT_SAID', 'tangents', tangents);
}

function reportLosses(scene: RigScene, bodies: readonly Body[], { to, clips, format, report }: Writing): void {
  const { nodes, instances, features, meshes, renderers } = scene;
  const isOwn = isUnreal(format);
  const unit = unitOf(scene, format);
  if (Math.abs(unit - 0.01) > 1e-9) report.add('UNIT_UNSAID', '', unit);
  const [x = 0, y = 0, z = 0] = nodes.rotations;
  if (isOwn && Math.hypot(x, y, z) > 1e-6) report.add('SPACE_UNSAID', '', 1);
  const usesScale = clips.some(({ tracks }) => [...tracks].some(({ path }) => path === 'scale'));
  const below = [...nodes.parents].filter((parent, row) => parent > 0 && isBone(nodes, row)).length;
  if (!isOwn && usesScale && below > 0 && scene.scaleInheritance !== 'axes') report.add('SCALE_INHERITED', '', below);
  if (to === 'psa') {
    const things = renderers.length + scene.lights.length + scene.cameras.length + instances.length;
    if (things > 0) report.add('NOT_SAID', 'the model', things);
    return;
  }
  const placed = instances.reduce((sum, { names }) => sum + names.length, 0);
  if (placed > 0) report.add('NOT_SAID', 'instances', placed);
  const hair = renderers.filter(({ mesh }) => meshes[mesh]?.topology === 'strands').length;
  if (hair > 0) report.add('NOT_SAID', 'hair', hair);
  const sockets = new Set(features.flatMap(({ kind, node = -1 }) => (kind === 'socket' ? [node] : [])));
  const plain = bodies.map(body => ({ ...body, bones: body.bones.filter(row => !sockets.has(row)) }));
  reportBodies(scene, plain, report);
  reportUnsupported(scene, ({ kind }) => kind === 'socket', report, STORED_PROPERTIES);
}

/** Names of custom properties that PSK and PSA can store. */
const STORED_PROPERTIES = ['flags', 'group', 'keyCompressionStyle', 'startBone', 'keyReduction'];
