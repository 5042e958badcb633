// Opens a file with its companion files and builds its three.js objects with textures.
import type { Bone, Light, Object3D, Texture } from 'three';
import { reportRanges } from '../core/clipReader.ts';
import { open, type RigFile } from '../core/open.ts';
import type { Progress } from '../core/source.ts';
import type { FormatOptions } from '../core/types.ts';
import { FileTextures, type FoundImage, isImage } from '../textures/sources.ts';
import { Rig, type Skybox } from '../three/index.ts';
import { texturesOf } from '../three/dispose.ts';
import type { BlockExtension } from '../three/materials/imageKinds.ts';
import { lightsOf } from '../three/build/lights.ts';
import { hasNoSurface } from './hasNoSurface.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { baseName } from '../core/paths.ts';
import { choicesFor, type ImageAssignment } from './imageAssignments.ts';
import { type InputFile, isLocal } from './inputFile.ts';
import { RangedFile } from './rangedFile.ts';
import { bindWithConventions, registerClips, disposeLoaderMaterials, applyLoaderMaterials } from '../interop/loaderConventions.ts';
import { type ModelMaterialValues, valuesFor } from './materialValues.ts';
import type { CompanionFiles } from './companionFiles.ts';
import type { CharacterPart, ShownModel } from './openedFile.ts';

export { hasNoSurface };

/** Properties of the renderer that determine how models are built. */
export interface ContextGraphics {
  /** True if WebGPU draws the models. */
  isWebGPU: boolean;
  /**
   * Returns true if the graphics card supports a compressed texture format. `extension`: name of a
   * WebGL extension.
   */
  supportsTexture(extension: BlockExtension): boolean;
}

export interface OpenContext {
  companionFiles: CompanionFiles;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /**
   * Called while the files of instances are loaded. `done`: number of loaded files. `total`: number
   * of files known so far.
   */
  onInstanceLoaded: (done: number, total: number) => void;
  graphics: ContextGraphics;
  formatOptions?: FormatOptions;
  /** Images that the visitor has assigned to materials. */
  imageAssignments?: readonly ImageAssignment[];
  /** Values of materials that the visitor has set. */
  materialValues?: readonly ModelMaterialValues[];
  /** Width of hair strands in CSS pixels. 0 draws lines that are one device pixel wide. */
  strandWidth: number;
}

export async function openFile(
  input: InputFile,
  { companionFiles, signal, onProgress, formatOptions = {} }: OpenContext,
): Promise<RigFile> {
  const { file } = input;
  const { name } = file;
  const companions = companionFiles.resolver(input.path);
  const options = { name, signal, onProgress, formatOptions, companions };
  if (isLocal(input) && isOtherFormat(name))
    return registerClips(await (await import('../interop/open.ts')).openImported(input, companionFiles, signal));
  const opened =
    file instanceof RangedFile
      ? await open(file.address.url, { ...options, request: file.address.request, ranges: true })
      : await open(file, options);
  reportRanges(opened.report, { ...(input.refused && { refused: input.refused }), byteLength: opened.byteLength }, false);
  return registerClips(opened);
}

/** Disposes all resources of a model and its parts. */
export function disposeModel(model: Model): void {
  for (const piece of model.parts) disposeModel(piece);
  model.sky?.dispose();
  model.rig.dispose();
  disposeLoaderMaterials(model.file);
}

export interface Model {
  input: InputFile;
  file: RigFile;
  rig: Rig;
  /** Other parts of the same character, each with companion files for its textures. */
  parts: readonly (Model & { companionFiles: CompanionFiles })[];
  bones: Object3D[];
  /** Lights of the file. The visitor can turn them on and off. */
  lights: Light[];
  sky: Skybox | null;
  /** Names of missing files that instances refer to. */
  missingFiles: string[];
  /** Paths of companion images that no material uses. */
  unusedImages: ReadonlySet<string>;
}

/**
 * Builds a model and the other parts of its character. If this fails, disposes everything that was
 * built.
 */
export async function buildModel(
  input: InputFile,
  file: RigFile,
  context: OpenContext,
  parts: readonly CharacterPart[] = [],
): Promise<Model> {
  const built: (Model & { companionFiles: CompanionFiles })[] = [];
  try {
    for (const { input: own, file: part, companionFiles } of parts)
      built.push({ ...(await buildOne(own, part, { ...context, companionFiles })), companionFiles });
    return { ...(await buildOne(input, file, context)), parts: built };
  } catch (error) {
    built.forEach(disposeModel);
    throw error;
  }
}

/** Returns the model, followed by the other parts of its character. */
export const wholeCharacter = (model: Model): readonly Model[] => [model, ...model.parts];

/** Builds the three.js objects of a file, with textures and instances from its companion files. */
async function buildOne(
  input: InputFile,
  file: RigFile,
  { companionFiles, signal, graphics, onInstanceLoaded: onPlaced, strandWidth, imageAssignments = [], materialValues = [] }: OpenContext,
): Promise<Model> {
  const nodes = graphics.isWebGPU && ({ shaders: 'nodes', toon: 'nodes' } as const);
  const draws = (extension: BlockExtension): boolean => graphics.supportsTexture(extension);
  const rig = await Rig.make(file, { cameras: false, bind: bindWithConventions, ...nodes });
  applyLoaderMaterials(file, rig);
  let sky: Skybox | null = null;
  const unusedImages = new Set<string>();
  try {
    if (strandWidth > 0) await rig.setStrandWidth(strandWidth);
    const files = companionFiles.files(input.path);
    const choices = choicesFor(imageAssignments, input.path, companionFiles);
    const textures = new TrackedTextures(files, choices, valuesFor(materialValues, input.path));
    files.delete(input.path); // a scene can't contain an instance of itself
    await rig.loadTextures(textures, { signal, draws });
    for (const { image } of textures.choices) textures.used.add(image.name);
    for (const path of files.keys()) if (isImage(path) && !textures.used.has(path)) unusedImages.add(path);
    await rig.loadInstances(files, { signal, draws, build: { lights: false, cameras: false, ...nodes }, onProgress: onPlaced });
    sky = await rig.loadSkybox({ signal, draws });
  } catch (error) {
    rig.dispose();
    throw error;
  }
  const bones = rig.nodes.filter(node => (node as Bone).isBone);
  const missingFiles = [...new Map(pathsOf(rig, 'INSTANCE_MISSING').map(path => [baseName(path).toLowerCase(), baseName(path)])).values()];
  const lights = lightsOf(rig.scene);
  return { input, file, rig, parts: [], bones, lights, sky, missingFiles, unusedImages: unusedImages };
}

/** Texture source that records which images were used. */
class TrackedTextures extends FileTextures {
  readonly used = new Set<string>();

  override async image(path: string): Promise<FoundImage | null> {
    const found = await super.image(path);
    if (found) this.used.add(found.name);
    return found;
  }
}

/**
 * Returns the paths of all findings with the code `wanted`, including findings in the files of
 * instances.
 */
const pathsOf = (rig: Rig, wanted: string): string[] =>
  [rig, ...rig.instanceRigs].flatMap(({ report }) => report.items.flatMap(({ code, path }) => (code === wanted ? [path] : [])));

/**
 * Removes candidates that are instances in one of `scenes`, because they are shown together with
 * their scene. If all candidates are instances, returns all of them.
 */
export async function withoutInstanced(
  candidates: readonly InputFile[],
  scenes: readonly InputFile[],
  context: OpenContext,
): Promise<readonly InputFile[]> {
  const instanced = new Set<string>();
  for (const scene of scenes) {
    const { needs } = await openFile(scene, context);
    context.signal.throwIfAborted();
    const own = scene.file.name.toLowerCase();
    for (const need of needs) {
      const name = baseName(need.name).toLowerCase();
      if (need.kind === 'instance' && name !== own) instanced.add(name);
    }
  }
  const left = candidates.filter(({ file }) => !instanced.has(file.name.toLowerCase()));
  return left.length > 0 ? left : candidates;
}

/** Returns the description of a model that the session stores. */
export function shownOf(model: Model): ShownModel {
  const { input, file, bones, missingFiles } = model;
  const parts = model.parts.map(({ input: own, file: part, companionFiles }): CharacterPart => ({
    input: own,
    file: part,
    companionFiles,
  }));
  const models = wholeCharacter(model);
  const missing = models.flatMap(({ rig }) => pathsOf(rig, 'TEXTURE_MISSING'));
  // An image counts as unused if no part of the character uses it.
  const unusedImages = [...model.unusedImages].filter(path => models.every(part => part.unusedImages.has(path))).map(baseName);
  return {
    input,
    file,
    parts,
    bones: bones.length,
    hasNoSurface: hasNoSurface(model),
    untexturedMaterials: missing,
    missingFiles,
    unusedImages: unusedImages,
  };
}

/** Returns all textures that the materials of these models use. */
export function appliedTextures(models: readonly Model[]): ReadonlySet<Texture> {
  const rigs = models.flatMap(({ rig }) => [rig, ...rig.instanceRigs]);
  return new Set(rigs.flatMap(rig => rig.file.scene!.materials.flatMap((_, row) => rig.materialsOf(row).flatMap(texturesOf))));
}

/**
 * Returns the name of an object in its file. three.js may have changed characters of this name in
 * `name`.
 */
export function displayName(thing: { name: string; userData: Record<string, unknown> }): string {
  const own = thing.userData['name'];
  return typeof own === 'string' && own !== '' ? own : thing.name;
}
