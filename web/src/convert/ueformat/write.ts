// Writes one .uemodel per model and one .ueanim per clip (docs/formats/ueformat.md).
import { entry } from '../../core/entry.ts';
import type { Feature, RigScene } from '../../core/types.ts';
import { isBone } from '../../core/tree.ts';
import { type Body, bodiesOf, RestTransforms, withBoneNames } from '../common/bodies.ts';
import { ImageFiles } from '../common/imageFiles.ts';
import { bodyMeshesOf, materialsOf } from '../common/parts.ts';
import { refusal, sharedRefusals } from '../common/refusals.ts';
import type { ReportBuilder } from '../common/report.ts';
import { skinGap } from '../common/skinGap.ts';
import { BodySpace } from '../common/space.ts';
import type { Writing } from '../common/target.ts';
import { reportBodies, reportUnsupported } from '../common/unsupported.ts';
import type { WrittenFile } from '../common/written.ts';
import { type ActorXBones, bonesOf } from '../unreal/bones.ts';
import { lostSettings, shadingOf } from '../unreal/materials.ts';
import { sequenceOf } from '../unreal/psa.ts';
import { type Socket, socketsOf } from '../unreal/sockets.ts';
import { named, sidecarsOf } from '../unreal/write.ts';
import { fileOf, UeBytes } from './bytes.ts';
import { writeClip } from './clip.ts';
import { defaultUvName, type Level, uvNamesOf } from './mesh.ts';
import { parentIn, writeModel } from './model.ts';
import { UNIT } from './space.ts';

/** Threshold for errors at the skin, in metres. Smaller errors are not reported. */
const EXACT = 1e-6;

const isUeformat = (format: string): boolean => format === 'uemodel' || format === 'ueanim';

/** Returns the files of the models, the clips, the materials and the images of the source. */
export async function writeUeformat(writing: Writing): Promise<WrittenFile[]> {
  const { names, clips, format, report, ueformat, yieldToEventLoop } = writing;
  const textured = await writing.resolveTextures();
  const isOwn = isUeformat(format);
  const hasScales = ueformat.v10 ?? false;
  const sockets = socketsOf(textured.scene);
  const isJoint = (row: number): boolean => !sockets.has(row);
  const bodies = bodiesOf(textured.scene, clips).filter(({ bones, renderers }) => renderers.length > 0 || bones.some(isJoint));
  const rowsOfBones = bodies.flatMap(({ bones }) => bones.filter(isJoint));
  const scene = withBoneNames(textured.scene, rowsOfBones, report);
  const rest = new RestTransforms(scene);
  const images = new ImageFiles(textured, names);
  const contents = bodies.map(body => levelsOf(scene, body, rest, isOwn, report));
  const runs = contents.map(levels => levels.flatMap(({ meshes }) => meshes.flatMap(({ mesh }) => mesh.runs)));
  const materials = materialsOf(runs, scene.materials.length);
  const { sidecars, storedSlots } = await sidecarsOf(scene, new Set(materials.flat()), images, report);
  const features = scene.features.filter(isStored);
  const files: WrittenFile[] = [];
  const skeletons: ActorXBones[] = [];
  for (const [i, body] of bodies.entries()) {
    await yieldToEventLoop();
    const levels = contents[i] ?? [];
    const place = rest.inScene(body.owner).slice();
    const isRootNeeded = levels.some(({ meshes }) => {
      const free = meshes.filter(({ mesh }) => !mesh.influences).length;
      return free > 0 && free < meshes.length;
    });
    const space = new BodySpace(place);
    const bones = bonesOf({ scene, body, left: new Set(sockets.keys()), space, rest, isRootNeeded, hasRoots: isOwn, hasScales, report });
    skeletons.push(bones);
    if (bones.isEvened) {
      const written = { ...bones, parents: bones.rows.map((_, bone) => parentIn(bones, bone)), hasScales };
      const gap = skinGap(scene, body.owner, rest, place, written, clips);
      if (gap > EXACT) report.add('SCALE_EVENED', body.name, gap);
    }
    if (bones.rows.length === 0 && levels.length === 0) continue;
    const stem = files.length === 0 ? names.stem : names.beside(`${files.length + 1}`);
    const own = files.length === 0 ? { sockets: [...sockets.values()] as Socket[], features } : { sockets: [], features: [] };
    const bytes = new UeBytes(ueformat);
    writeModel(bytes, { scene, levels, bones, materials: materials[i] ?? [], ...own, report });
    bytes.reportLosses(report);
    const header = { identifier: 'UEMODEL', name: ownText(scene, 'objectName') ?? stem, path: ownText(scene, 'objectPath') ?? '' } as const;
    files.push({ name: `${stem}.uemodel`, pieces: await fileOf(header, bytes, ueformat) });
  }
  const [target, bones] = bodies.length > 0 ? ([scene, merged(skeletons)] as const) : named(scene, clips);
  const hasModel = files.length > 0;
  for (const [i, clip] of clips.entries()) {
    await yieldToEventLoop();
    const bytes = new UeBytes(ueformat);
    const isWritten = report.attempt(clip.name, () => {
      const sequence =
        bones.rows.length > 0 || [...clip.tracks].every(({ path }) => path === 'weight')
          ? sequenceOf(clip, { scene: target, bones, unit: UNIT, report })
          : null;
      if (sequence) writeClip(bytes, { sequence, scene: target, bones, hasScales });
      return sequence !== null;
    });
    if (!isWritten) continue;
    bytes.reportLosses(report);
    const stem = i === 0 && !hasModel ? names.stem : names.beside(clip.name);
    const header = { identifier: 'UEANIM', name: clip.name, path: '' } as const;
    files.push({ name: `${stem}.ueanim`, pieces: await fileOf(header, bytes, ueformat) });
  }
  if (files.length === 0 && report.isLimited) throw report.budget.refusal();
  if (files.length === 0) throw refusal(sharedRefusals, clips.length > 0 ? 'MODEL_MISSING' : 'BODY_MISSING');
  if (!isOwn) reportMaterials(scene, new Set(materials.flat()), storedSlots, report);
  reportLosses(scene, bodies, sockets, isOwn, writing);
  images.reportLosses(report);
  return [...files, ...sidecars, ...images.files];
}

const isStored = ({ kind }: Feature): boolean => kind === 'virtualBone' || kind === 'convexHull';

/** Returns a text that the source declares about its asset. */
function ownText({ asset }: RigScene, key: string): string | undefined {
  const value = asset.properties?.[key];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the levels of detail of a body. Each mesh of a UEFormat source is a level. If several
 * UEFormat models were merged, their levels with the same name are merged. Where a model has no
 * level of a name, its next finer level is used, so that none of the models disappears at a
 * distance. The meshes of other sources are merged into one level.
 */
function levelsOf(scene: RigScene, body: Body, rest: RestTransforms, isOwn: boolean, report: ReportBuilder): Level[] {
  const meshes = body.renderers.flatMap((row): LevelMesh[] => {
    const { mesh: own, skin = -1 } = scene.renderers[row]!;
    const source = scene.meshes[own]!;
    return bodyMeshesOf(scene, { ...body, renderers: [row] }, rest, report).map(mesh => ({ mesh, source, model: skin }));
  });
  const byName = new Map<string, LevelMesh[]>();
  for (const each of meshes) entry(byName, isOwn ? each.source.name : 'LOD0', () => []).push(each);
  const models = [...new Set(meshes.map(({ model }) => model))];
  const levels = isOwn && models.length > 1 ? filled(byName, models, report) : byName;
  const combined = [...levels.values()].filter(level => level.length > 1).flat();
  if (combined.length > 0) report.add('MESHES_MERGED', '', combined.length);
  return [...levels].map(([name, own]) => ({ name, meshes: own }));
}

/** `model`: identifies the merged model to which the mesh belongs. All levels of a model have the same skin. */
type LevelMesh = Level['meshes'][number] & { model: number };

/**
 * Sorts the levels of merged models, the finest first, and completes them with the next finer mesh
 * of each model, or the finest one if there is no finer mesh.
 */
function filled(
  byName: ReadonlyMap<string, readonly LevelMesh[]>,
  models: readonly number[],
  report: ReportBuilder,
): Map<string, LevelMesh[]> {
  const levels = [...byName].sort(([a], [b]) => levelNumber(a) - levelNumber(b));
  const current = new Map<number, LevelMesh[]>();
  let repeated = 0;
  for (const [, meshes] of levels.toReversed())
    for (const { model } of meshes)
      current.set(
        model,
        meshes.filter(each => each.model === model),
      );
  const result = new Map<string, LevelMesh[]>();
  for (const [name, meshes] of levels) {
    result.set(
      name,
      models.flatMap(model => {
        const own = meshes.filter(each => each.model === model);
        if (own.length > 0) current.set(model, own);
        else repeated++;
        return own.length > 0 ? own : (current.get(model) ?? []);
      }),
    );
  }
  if (repeated > 0) report.add('LEVELS_REPEATED', '', repeated);
  return result;
}

/** Returns the number in the name of a level, such as `LOD2`. Other names, such as `Nanite`, are finer. */
const levelNumber = (name: string): number => Number(/^LOD(\d{1,4})$/i.exec(name)?.[1] ?? -1);

/** Returns the bones of all skeletons as one list, because a clip can move several of them. */
function merged(skeletons: readonly ActorXBones[]): ActorXBones {
  const [first] = skeletons;
  if (!first || skeletons.length === 1) return first!;
  return {
    ...first,
    rows: skeletons.flatMap(({ rows }) => rows),
    names: skeletons.flatMap(({ names }) => names),
    spaces: skeletons.flatMap(({ spaces }) => spaces),
    ...(first.ancestorScales && { ancestorScales: Float64Array.from(skeletons.flatMap(({ ancestorScales = [] }) => [...ancestorScales])) }),
  };
}

/** Reports the settings of materials that neither the model nor the .mat files store. */
function reportMaterials(
  scene: RigScene,
  rows: ReadonlySet<number>,
  storedSlots: ReadonlyMap<number, ReadonlySet<string>>,
  report: ReportBuilder,
): void {
  for (const row of rows) {
    const material = scene.materials[row];
    if (!material) continue;
    const lost = [...lostSettings(material, scene, storedSlots.get(row)), ...shadingOf(material, scene)];
    if (material.alphaMode !== 'opaque') lost.push('transparency');
    if (material.side !== 'front') lost.push('visible side');
    if (!material.visible) lost.push('visibility');
    if (lost.length > 0) report.add('MATERIAL_WORDS_LOST', material.name, 1, lost.join(', '));
  }
}

function reportLosses(
  scene: RigScene,
  bodies: readonly Body[],
  sockets: ReadonlyMap<number, Socket>,
  isOwn: boolean,
  { clips, ueformat, report }: Writing,
): void {
  const { nodes, instances, meshes, renderers } = scene;
  const usesScale =
    (ueformat.v10 && nodes.scales.some((scale, i) => i > 2 && scale !== 1)) ||
    clips.some(({ tracks }) => [...tracks].some(({ path }) => path === 'scale'));
  const below = [...nodes.parents].filter((parent, row) => parent > 0 && isBone(nodes, row)).length;
  if (!isOwn && usesScale && below > 0 && scene.scaleInheritance !== 'axes') report.add('SCALE_INHERITED', '', below);
  const placed = instances.reduce((sum, { names }) => sum + names.length, 0);
  if (placed > 0) report.add('NOT_SAID', 'instances', placed);
  const hair = renderers.filter(({ mesh }) => meshes[mesh]?.topology === 'strands').length;
  if (hair > 0) report.add('NOT_SAID', 'hair', hair);
  const plain = bodies.map(body => ({ ...body, bones: body.bones.filter(row => !sockets.has(row)) }));
  // The levels of detail of a UEFormat source are hidden except the first, and stay levels.
  reportBodies(isOwn ? { ...scene, renderers: [] } : scene, plain, report);
  if (!ueformat.v10 && ownText(scene, 'objectPath')) report.add('NOT_SAID', 'path of the asset', 1);
  const keepsUvNames = ueformat.v10 || meshes.every(mesh => uvNamesOf(mesh).every((name, set) => name === defaultUvName(set)));
  const stored = ['additiveType', 'refPoseType', 'refFrame', 'refPosePath', ...(keepsUvNames ? ['uvNames'] : [])];
  const isKept = (feature: Feature): boolean => isStored(feature) || sockets.has(feature.node ?? -1);
  reportUnsupported(scene, isKept, report, stored);
}
