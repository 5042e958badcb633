// From a file to what can be shown: opened with its companions, built, dressed.
import type { Bone, Light, Object3D, Texture } from 'three';
import { open, type RigFile } from '../core/open.ts';
import type { Progress } from '../core/source.ts';
import type { FormatOptions } from '../core/types.ts';
import { FileTextures, type FoundImage, isImage } from '../textures/sources.ts';
import { Rig, type Skybox } from '../three/index.ts';
import { texturesOf } from '../three/dispose.ts';
import { lampsOf } from '../three/build/lamps.ts';
import { hasNoSurface } from './hasNoSurface.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { baseName } from '../core/paths.ts';
import type { InputFile } from './inputFile.ts';
import { bindAny, remember, unwear, wear } from '../interop/homes.ts';
import type { CompanionFiles } from './companionFiles.ts';
import type { CharacterPart, ShownModel } from './openedFile.ts';

export { hasNoSurface };

export interface OpenContext {
  companionFiles: CompanionFiles;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Files of a world dealt with, of those known so far. */
  onInstanceLoaded: (done: number, total: number) => void;
  /** Whether the graphics card draws a kind of compressed texture. */
  supportsTexture: (extension: string) => boolean;
  formatOptions?: FormatOptions;
  /** Of hair, in pixels of the page; 0: lines, one pixel of the screen wide. */
  strandWidth: number;
}

export async function openFile(
  given: InputFile,
  { companionFiles, signal, onProgress, formatOptions = {} }: OpenContext,
): Promise<RigFile> {
  const { name } = given.file;
  const companions = companionFiles.resolver(given.path);
  return remember(
    isOtherFormat(name)
      ? await (await import('../interop/open.ts')).openForeign(given, companionFiles, signal)
      : await open(given.file, { name, signal, onProgress, formatOptions, companions }),
  );
}

/** Frees what a model holds. */
export function disposeModel(model: Model): void {
  for (const piece of model.pieces) disposeModel(piece);
  model.sky?.dispose();
  model.rig.dispose();
  unwear(model.file);
}

export interface Model {
  given: InputFile;
  file: RigFile;
  rig: Rig;
  /** Other parts of the same character, with `companionFiles` to dress them from. */
  pieces: readonly (Model & { companionFiles: CompanionFiles })[];
  bones: Object3D[];
  /** The file's own lights that shine, and its sky; to be switched on and off. */
  lamps: Light[];
  sky: Skybox | null;
  /** Names of the files that it places and that were not there. */
  missingFiles: string[];
  /** Paths of images on its companionFiles that no material has taken. */
  unusedImages: ReadonlySet<string>;
}

/** A model with the parts of its character. */
export async function buildModel(
  given: InputFile,
  file: RigFile,
  context: OpenContext,
  pieces: readonly CharacterPart[] = [],
): Promise<Model> {
  const built: (Model & { companionFiles: CompanionFiles })[] = [];
  try {
    for (const { given: own, file: part, companionFiles } of pieces)
      built.push({ ...(await buildOne(own, part, { ...context, companionFiles })), companionFiles });
    return { ...(await buildOne(given, file, context)), pieces: built };
  } catch (error) {
    built.forEach(disposeModel);
    throw error;
  }
}

/** It, and the parts of its character. */
export const wholeCharacter = (model: Model): readonly Model[] => [model, ...model.pieces];

/** The file as three.js objects, dressed with what textures the companionFiles has. */
async function buildOne(
  given: InputFile,
  file: RigFile,
  { companionFiles, signal, supportsTexture: draws, onInstanceLoaded: onPlaced, strandWidth }: OpenContext,
): Promise<Model> {
  const rig = await Rig.make(file, { cameras: false, bind: bindAny });
  wear(file, rig);
  let sky: Skybox | null = null;
  const unusedImages = new Set<string>();
  try {
    if (strandWidth > 0) await rig.setStrandWidth(strandWidth);
    const files = companionFiles.files(given.path);
    files.delete(given.path); // nothing places itself
    const textures = new TakenTextures(files);
    await rig.loadTextures(textures, { signal, draws });
    for (const path of files.keys()) if (isImage(path) && !textures.taken.has(path)) unusedImages.add(path);
    await rig.loadInstances(files, { signal, draws, build: { lights: false, cameras: false }, onProgress: onPlaced });
    sky = await rig.loadSkybox({ signal, draws });
  } catch (error) {
    rig.dispose();
    throw error;
  }
  const bones = rig.nodes.filter(node => (node as Bone).isBone);
  const missingFiles = [...new Map(pathsOf(rig, 'INSTANCE_MISSING').map(path => [baseName(path).toLowerCase(), baseName(path)])).values()];
  const lamps = lampsOf(rig.scene);
  return { given, file, rig, pieces: [], bones, lamps, sky, missingFiles, unusedImages: unusedImages };
}

/** Files in hand, and which of their images were taken. */
class TakenTextures extends FileTextures {
  readonly taken = new Set<string>();

  override async image(path: string): Promise<FoundImage | null> {
    const found = await super.image(path);
    if (found) this.taken.add(found.name);
    return found;
  }
}

/** What findings of a code are about, those of placed files included. */
const pathsOf = (rig: Rig, wanted: string): string[] =>
  [rig, ...rig.parts].flatMap(({ report }) => report.items.flatMap(({ code, path }) => (code === wanted ? [path] : [])));

/**
 * Of several files those that no other one places: the only one left is what somebody wants to see. All of them where everything is placed
 * by something.
 */
export async function withoutPlaced(
  candidates: readonly InputFile[],
  worlds: readonly InputFile[],
  context: OpenContext,
): Promise<readonly InputFile[]> {
  const placed = new Set<string>();
  for (const world of worlds) {
    const { needs } = await openFile(world, context);
    context.signal.throwIfAborted();
    const own = world.file.name.toLowerCase();
    for (const need of needs) {
      const name = baseName(need.name).toLowerCase();
      if (need.kind === 'instance' && name !== own) placed.add(name);
    }
  }
  const left = candidates.filter(({ file }) => !placed.has(file.name.toLowerCase()));
  return left.length > 0 ? left : candidates;
}

/** What a session keeps of a model. */
export function shownOf(model: Model): ShownModel {
  const { given, file, bones, missingFiles } = model;
  const pieces = model.pieces.map(({ given: own, file: part, companionFiles }): CharacterPart => ({
    given: own,
    file: part,
    companionFiles,
  }));
  const whole = wholeCharacter(model);
  const missing = whole.flatMap(({ rig }) => pathsOf(rig, 'TEXTURE_MISSING'));
  // An image is spare if no part of the character has taken it.
  const unusedImages = [...model.unusedImages].filter(path => whole.every(part => part.unusedImages.has(path))).map(baseName);
  return {
    given,
    file,
    pieces,
    bones: bones.length,
    hasNoSurface: hasNoSurface(model),
    untexturedMaterials: missing,
    missingFiles,
    unusedImages: unusedImages,
  };
}

/** Every texture that these models wear. */
export function appliedTextures(models: readonly Model[]): ReadonlySet<Texture> {
  const rigs = models.flatMap(({ rig }) => [rig, ...rig.parts]);
  return new Set(rigs.flatMap(rig => rig.file.scene!.materials.flatMap((_, row) => rig.materialsOf(row).flatMap(texturesOf))));
}

export function displayName(thing: { name: string; userData: Record<string, unknown> }): string {
  const own = thing.userData['name'];
  return typeof own === 'string' && own !== '' ? own : thing.name;
}
