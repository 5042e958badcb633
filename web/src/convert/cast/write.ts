// Writes a scene and clips as one Cast file (docs/formats/cast.md).
import { uniqueNames } from '../../core/names.ts';
import type { Feature, RigScene } from '../../core/types.ts';
import { type Body, bodiesOf, RestTransforms, withBoneNames } from '../common/bodies.ts';
import { framesOf } from '../common/frames.ts';
import { ImageFiles } from '../common/imageFiles.ts';
import type { ReportBuilder } from '../common/report.ts';
import { materialsOf, partsOf } from '../common/parts.ts';
import type { Writing } from '../common/target.ts';
import { reportScaleInheritance, reportBodies, reportUnsupported } from '../common/unsupported.ts';
import type { WrittenFile } from '../common/written.ts';
import { CastMaterials } from './materials.ts';
import { featuresByBody, reportHair, reportShapes, reportWinding, writeModel, writePart, writeSkeleton } from './model.ts';
import { writeClip } from './clip.ts';
import { type CastNode, CastTree } from './tree.ts';

/** Returns the Cast file, followed by the images that were embedded in the source. */
export async function writeCast({ names, clips, format, report, yieldToEventLoop, resolveTextures }: Writing): Promise<WrittenFile[]> {
  const textured = await resolveTextures();
  const bodies = bodiesOf(textured.scene, clips);
  const rowsOfBones = bodies.flatMap(({ bones }) => bones);
  const scene = withBoneNames(textured.scene, rowsOfBones, report);
  const isCast = format === 'cast';
  const tree = new CastTree(report.budget);
  writeMetadata(tree, scene, isCast);
  const features = featuresByBody(scene, bodies);
  const featuresOf = (body: Body): readonly Feature[] => features.get(body) ?? [];
  const rest = new RestTransforms(scene);
  const images = new ImageFiles(textured, names);
  const materials = new CastMaterials(tree, textured, images, report, isCast);
  // If a scene has one skeleton and clips, but no meshes, it is written as an animation with a
  // skeleton.
  const isAnimation = scene.renderers.length === 0 && clips.length > 0 && bodies.length === 1 && bodies[0]?.owner === 0;
  const contents = isAnimation ? [] : bodies.map(body => ({ body, parts: partsOf(scene, body, rest, report) }));
  const rows = materialsOf(
    contents.map(({ parts }) => parts),
    scene.materials.length,
  );
  for (const [i, { body, parts }] of contents.entries()) {
    await yieldToEventLoop();
    const model = writeModel(tree, scene, body);
    writeSkeleton(tree, scene, body, featuresOf(body), model);
    const made = new Map<number, CastNode | null>();
    for (const row of rows[i] ?? []) made.set(row, await materials.write(row, model));
    for (const part of parts) writePart(tree, model, part, made.get(part.material) ?? null);
    reportHair(parts, report);
    reportShapes(parts, report);
    reportWinding(parts, report);
  }
  const titles = isCast ? clips.map(clip => clip.name) : uniqueNames(clips.map(clip => clip.name));
  for (const [i, clip] of clips.entries()) {
    await yieldToEventLoop();
    const title = titles[i] ?? clip.name;
    const animation = report.attempt(title, () => writeClip(tree, framesOf(clip, title, scene, report), report));
    const [body] = bodies;
    if (isAnimation && i === 0 && body)
      writeSkeleton(tree, scene, body, featuresOf(body), animation ?? tree.make('anim', tree.root).text('n', title));
    animation?.close();
  }
  writeInstances(tree, scene, report);
  images.reportLosses(report);
  tree.reportLosses(report);
  // A scaled root means that the source suggests a unit without declaring it.
  if (scene.nodes.scales[0] !== 1) report.add('UNIT_UNSAID', '', scene.asset.metresPerUnit);
  reportBodies(scene, bodies, report);
  reportScaleInheritance(scene, clips, report);
  const written = new Set([...features.values()].flat());
  reportUnsupported(scene, feature => written.has(feature), report);
  return [{ name: `${names.stem}.cast`, pieces: tree.pieces() }, ...images.files];
}

function writeMetadata(tree: CastTree, { asset }: RigScene, isCast: boolean): void {
  const node = tree.make('meta', tree.root);
  if (asset.author) node.text('a', asset.author);
  node.text('s', 'rigcast');
  const up = asset.upAxis ?? (isCast ? undefined : 'y');
  if (up) node.text('up', up);
  const root = asset.properties?.['sceneRoot'];
  if (typeof root === 'string') node.text('sr', root);
}

function writeInstances(tree: CastTree, { instances, references, nodes }: RigScene, report: ReportBuilder): void {
  for (const { reference, node, transforms, names } of instances) {
    const path = references[reference ?? -1]?.name ?? '';
    if (node !== 0 && nodes.length > 1) report.add('INSTANCES_LOST', path, names.length, 'instanced below a node that may move');
    else
      for (const [i, name] of names.entries()) {
        const made = tree.make('inst', tree.root).text('n', name);
        made.link('rf', tree.make('file', made).text('p', path));
        made.floats('p', '3v', transforms.slice(10 * i, 10 * i + 3)).floats('r', '4v', transforms.slice(10 * i + 3, 10 * i + 7));
        made.floats('s', '3v', transforms.slice(10 * i + 7, 10 * i + 10));
      }
  }
}
