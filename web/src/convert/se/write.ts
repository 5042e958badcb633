// Writes one SEModel per model and one SEAnim per clip (docs/formats/se.md).
import { parentBone } from '../common/scaleInheritance.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { bodiesOf, RestTransforms, withBoneNames } from '../common/bodies.ts';
import { framesOf } from '../common/frames.ts';
import { skinGap } from '../common/skinGap.ts';
import type { FileNames } from '../common/fileNames.ts';
import { ImageFiles } from '../common/imageFiles.ts';
import { refusal, sharedRefusals } from '../common/refusals.ts';
import type { ReportBuilder } from '../common/report.ts';
import { materialsOf, partsOf } from '../common/parts.ts';
import type { Writing } from '../common/target.ts';
import { reportBodies, reportUnsupported } from '../common/unsupported.ts';
import type { WrittenFile } from '../common/written.ts';
import { writeSeModel } from './model.ts';
import { writeSeAnim } from './clip.ts';
import { isRaw, isSeRoot, metresOf, seBody } from './space.ts';

/** Threshold for errors at the skin, in metres. Smaller errors are not reported. */
const EXACT = 1e-6;

/**
 * Returns the files of the models (one per skeleton), the clips, and the images that were embedded
 * in the source.
 */
export async function writeSe({ names, clips, format, report, yieldToEventLoop, resolveTextures }: Writing): Promise<WrittenFile[]> {
  const textured = await resolveTextures();
  const all = bodiesOf(textured.scene, clips);
  const rowsOfBones = all.flatMap(({ bones }) => bones);
  const scene = withBoneNames(textured.scene, rowsOfBones, report);
  const rest = new RestTransforms(scene);
  const images = new ImageFiles(textured, names);
  const bodies = all.map(body => seBody(scene, rest, body, isRaw(format)));
  const files: WrittenFile[] = [];
  const contents = all.map(body => partsOf(scene, body, rest, report));
  const materials = materialsOf(contents, scene.materials.length);
  for (const [i, { body, place, space, spaces }] of bodies.entries()) {
    await yieldToEventLoop();
    const parts = contents[i] ?? [];
    const meshes = parts.filter(({ strands }) => !strands);
    if (parts.length > meshes.length) report.add('NOT_SAID', 'hair', parts.length - meshes.length);
    if (body.bones.length + meshes.length === 0) continue;
    if (!space.isEven && body.bones.length > 0) {
      const written = { rows: body.bones, parents: body.parents, spaces, hasScales: true };
      const gap = skinGap(scene, body.owner, rest, place, written, clips) * metresOf(scene, isRaw(format));
      if (gap > EXACT) report.add('SCALE_EVENED', body.name, gap);
    }
    const stem = files.length === 0 ? names.stem : names.beside(`${files.length + 1}`);
    files.push({
      name: `${stem}.semodel`,
      pieces: await writeSeModel({ scene, body, parts: meshes, rows: materials[i] ?? [], space, spaces, images, report }),
    });
  }
  const stems = clipNames(clips, names, files.length > 0);
  for (const [i, clip] of clips.entries()) {
    await yieldToEventLoop();
    const stem = stems[i] ?? clip.name;
    if (stem !== clip.name) report.add('CLIP_RENAMED', clip.name, 1, stem);
    const isDelta = clip.properties?.['animType'] === 3;
    const made = report.attempt(clip.name, () =>
      writeSeAnim({ clip: framesOf(clip, clip.name, scene, report, true), scene, bodies, isDelta, report }),
    );
    if (made) files.push({ name: `${stem}.seanim`, pieces: made });
  }
  if (files.length === 0 && report.isLimited) throw report.budget.refusal();
  if (files.length === 0) throw refusal(sharedRefusals, 'BODY_MISSING');
  reportLosses(scene, clips, format, report);
  reportBodies(scene, all, report);
  images.reportLosses(report);
  return [...files, ...images.files];
}

/**
 * Returns the file name of each clip, without extension. If there is no model, the first clip has
 * the name of the result.
 */
function clipNames(clips: readonly Clip[], names: FileNames, hasModel: boolean): string[] {
  return clips.map((clip, i) => (i === 0 && !hasModel ? names.stem : names.beside(clip.name)));
}

function reportLosses(scene: RigScene, clips: readonly Clip[], format: string, report: ReportBuilder): void {
  const { nodes, instances } = scene;
  if (isRaw(format) && nodes.length > 1 && !isSeRoot(scene)) report.add('SPACE_UNSAID', '', 1);
  const placed = instances.reduce((sum, { names }) => sum + names.length, 0);
  if (placed > 0) report.add('NOT_SAID', 'instances', placed);
  const isScaled =
    nodes.scales.some((scale, i) => i > 2 && scale !== 1) || clips.some(clip => [...clip.tracks].some(({ path }) => path === 'scale'));
  const inheriting = [...nodes.bones.keys()].filter(row => parentBone(nodes, row) >= 0 && !nodes.segmentScaleCompensate[row]);
  if (isScaled && inheriting.length > 0) report.add('SCALE_INHERITED', '', inheriting.length);
  reportUnsupported(scene, () => false, report);
}
