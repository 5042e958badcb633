// Writes a scene and its clips as GLB or glTF.
import { uniqueNames } from '../../core/names.ts';
import { PoseShape } from '../../rig/pose.ts';
import type { FileNames } from '../common/fileNames.ts';
import { imageWord } from '../common/imageFiles.ts';
import { storeImages, type UnchangedImages } from '../common/images.ts';
import { packed } from '../common/pack.ts';
import type { Writing } from '../common/target.ts';
import { joined, type WrittenFile } from '../common/written.ts';
import { type Extension, Format, GLB_BUFFER, type GltfTexture, type JSONDocument, VertexLayout, WebIO } from '../vendor/gltfTransform.ts';
import { AnimationList } from './animations.ts';
import { ClipWriter, splitBones } from './clips.ts';
import { GltfContext } from './context.ts';
import { glb, lengthOf, padded } from './glb.ts';
import { InstanceWriter } from './instances.ts';
import { MaterialWriter, wantedImages } from './materials.ts';
import { MeshWriter } from './meshes.ts';
import type { GltfPacking } from './packing.ts';
import type { VrmWriter } from '../vrm/write.ts';
import { writeBareSkin, writeLightsAndCameras, writeNodes, writeRenderers } from './nodes.ts';

/** Returns the files of a result: first the GLB or .gltf, then buffers and images. */
export async function writeGltf(writing: Writing): Promise<WrittenFile[]> {
  const { to, names, clips, tolerance, report, yieldToEventLoop, gltf } = writing;
  const name = names.stem;
  const textured = await packed(await writing.resolveTextures(), report);
  const instanced = await writing.loadInstances();
  const { scene } = textured;
  const isAvatar = to === 'vrm';
  const context = new GltfContext(scene, report, splitBones(scene, clips), undefined, isAvatar);
  const avatar = isAvatar ? new (await import('../vrm/write.ts')).VrmWriter(context, writing.vrm) : null;
  const shape = new PoseShape(scene);
  const unchangedImages: UnchangedImages = new Map();
  const stored = await storeImages(textured, wantedImages(context), report, unchangedImages);
  await yieldToEventLoop();
  writeNodes(context, shape);
  describeAsset(context);
  writeRenderers(context, new MeshWriter(context, new MaterialWriter(context, stored, textured.factors)));
  writeBareSkin(context);
  writeLightsAndCameras(context);
  if (instanced) await new InstanceWriter(context, writing.images, unchangedImages).write(instanced);
  reportFeatures(context, avatar);
  await avatar?.place(stored);
  const root = context.document.getRoot();
  if (gltf.webp) await (await import('./webp.ts')).imagesAsWebp(context.document);
  if (to === 'gltf') nameImages(root.listTextures(), names);
  if (root.listAccessors().length + root.listTextures().length === 0) context.buffer.dispose();
  // With separate vertex columns, glTF-Transform does not copy the data again, and importers can
  // use the columns directly.
  const used = root.listExtensionsUsed();
  const io = new WebIO().registerExtensions(used.map(each => each.constructor as typeof Extension)).setVertexLayout(VertexLayout.SEPARATE);
  const { json, resources } = await io.writeJSON(context.document, to === 'gltf' ? { basename: name } : { format: Format.GLB });
  const uri = `${name}.bin`;
  const { [to === 'gltf' ? uri : GLB_BUFFER]: numbers, ...images } = resources;
  const dense = numbers ? [padded(numbers)] : [];
  const first = [...dense, ...context.sparse.write(json, lengthOf(dense))];
  avatar?.addTo(json, stored);
  if (to === 'gltf') json.buffers = [{ byteLength: 0, ...json.buffers?.[0], uri: encodeURIComponent(uri) }];
  for (const image of json.images ?? []) if (image.uri !== undefined) image.uri = encodeURIComponent(image.uri);
  const animations = new AnimationList(json, lengthOf(first), context.numbers);
  const writer = new ClipWriter(context, shape, tolerance, animations);
  const titles = uniqueNames(clips.map(clip => clip.name));
  for (const [i, clip] of clips.entries()) {
    await yieldToEventLoop();
    const title = titles[i] ?? clip.name;
    report.attempt(title, () => writer.write(clip, title));
  }
  if (context.numbers.count > 0) report.add('NUMBERS_REPAIRED', '', context.numbers.count);
  const { text, content } = await contentOf(animations, first, gltf);
  if (to !== 'gltf') return [{ name: `${name}.${to}`, pieces: glb(text, content) }];
  return [
    { name: `${name}.gltf`, pieces: text },
    ...(content.length > 0 ? [{ name: uri, pieces: content }] : []),
    ...Object.entries(images).map(([path, bytes]) => ({ name: path, pieces: [bytes] })),
  ];
}

/**
 * Names the image files after the result, because the default names of glTF-Transform are the same
 * in all results.
 */
function nameImages(textures: readonly GltfTexture[], names: FileNames): void {
  for (const texture of textures) {
    const ending = texture
      .getMimeType()
      .replace(/^image\//, '')
      .replace('jpeg', 'jpg');
    texture.setURI(`${names.beside(imageWord(texture.getName()))}.${ending}`);
  }
}

/** Returns the JSON text and the buffer of the glTF, both in pieces. */
async function contentOf(
  animations: AnimationList,
  first: readonly ArrayBufferView[],
  { meshopt }: GltfPacking,
): Promise<{ text: Uint8Array[]; content: ArrayBufferView[] }> {
  const text = animations.text();
  const content = [...first, ...animations.columns];
  if (!meshopt || content.length === 0) return { text, content };
  const json = JSON.parse(new TextDecoder().decode(joined(text))) as JSONDocument['json'];
  const packed = await (await import('./meshopt.ts')).withMeshopt(json, joined(content));
  return { text: [new TextEncoder().encode(JSON.stringify(json))], content: [packed] };
}

/**
 * Writes the description of the asset to the glTF property `asset`, and to the `extras` of the
 * scene, which Blender reads.
 */
function describeAsset({ document, scene }: GltfContext): void {
  const { generator, author, copyright, name, upAxis, metresPerUnit, properties } = scene.asset;
  const asset = document.getRoot().getAsset();
  asset.generator = 'rigcast';
  if (copyright) asset.copyright = copyright;
  const extras = {
    name,
    ...(generator && { generator }),
    ...(author && { author }),
    ...(upAxis && { upAxis }),
    metresPerUnit,
    ...(properties && { properties }),
    ...(scene.expressions.length > 0 && { expressions: scene.expressions }),
  };
  document.getRoot().listScenes()[0]?.setExtras(extras);
  document.getRoot().setExtras(extras);
}

/**
 * Reports features that the file does not contain. Sockets are not reported, because they are
 * written as nodes.
 */
function reportFeatures({ scene, report }: GltfContext, avatar: VrmWriter | null): void {
  const counts = new Map<string, number>();
  for (const feature of scene.features) {
    const { kind } = feature;
    if (kind !== 'socket' && kind !== 'animation' && !avatar?.supports(feature)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of counts) report.add(kind === 'texture' ? 'TEXTURE_NOT_AT_HAND' : 'FEATURE_LOST', kind, count);
  if (scene.expressions.length > 0 && !avatar) report.add('EXPRESSIONS_LOST', '', scene.expressions.length);
}
