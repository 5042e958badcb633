// Options of conversions, and their checks.
import { ADDITIVE } from '../core/additiveDetection.ts';
import { invalidArgument } from '../core/error.ts';
import type { OpenOptions } from '../core/open.ts';
import { checkOptions } from '../core/options.ts';
import type { BoneMap } from '../rig/boneMap.ts';
import type { InstanceSource } from '../three/instances/instanceSources.ts';
import type { ImageSource } from './common/imageSource.ts';
import type { GltfPacking } from './gltf/packing.ts';
import { misplaced, type Target, TARGETS } from './targets.ts';
import type { UeformatWriting } from './ueformat/writing.ts';
import type { UnrealWriting } from './unreal/writing.ts';
import { keyOf, type VgoWriting } from './vgo/writing.ts';
import { checkVrm, type VrmWriting } from './vrm/writing.ts';

export interface ConvertOptions {
  /** Target format. docs/convert.md describes all targets. */
  to: Target;
  /**
   * Name of the result, without extension. If there are several models, this option is ignored, and
   * each result is named after its model. The default is the name of the model's file.
   */
  name?: string;
  /**
   * Animations to write, by name (case is ignored if no name has it) or by index in the list of all
   * animations. By default, all animations are written. The report lists those that do not exist
   * (CLIP_NOT_FOUND).
   */
  clips?: readonly (string | number)[];
  /**
   * If true, writes the model without animations, and each animation to a separate file NAME_CLIP.
   * The targets se, psk, psa and uemodel do not have this option, because they always write
   * animations to separate files. The targets for recordings do not have it either.
   */
  split?: boolean;
  /**
   * If true, all models are merged into one result. Bones with the same name become one bone, with
   * the rest pose of the model that has the most bones. All animations are added to the result. The
   * models must have the same format (PSK, UEFormat, Cast or SEModel) and share bones. Skeletons
   * without meshes are merged in the same way. The default is false.
   */
  merge?: boolean;
  /**
   * Largest error of sampled curves in metres, measured at the skin. The default is 0.0001. Curves
   * that the target can store exactly are not sampled.
   */
  tolerance?: number;
  /**
   * Interpretation of absolute keys, as in the option `additive` of `bind`:
   * - `detect` (default): keys are interpreted as the file declares. If the format of the file does
   *   not reliably declare this (PSA, UEFormat), keys that look additive are added to the rest pose.
   * - `as-stated`: keys are interpreted as the file declares, or as absolute keys if the file
   *   declares nothing.
   * - `rest`: absolute keys are added to the rest pose.
   */
  additive?: 'as-stated' | 'detect' | 'rest';
  /**
   * If true, each animation is trimmed to its best loop, and the end of the loop is blended into its
   * start. The default is false.
   */
  loop?: boolean;
  /**
   * If true, the horizontal distance that each animation travels is removed at constant speed, so
   * that the body stays in place. In a loop, the difference in height is removed as well. The
   * default is false.
   */
  inPlace?: boolean;
  /**
   * If true, an animation that plays in place travels at the speed at which its feet move over the
   * ground. An animation that travels already is unchanged. Cannot be combined with `inPlace`. The
   * default is false.
   */
  rootMotion?: boolean;
  /**
   * If true, the angle that each animation turns the body about the up axis is removed at constant
   * speed. The default is false.
   */
  lockHeading?: boolean;
  /**
   * Limit in bytes for the results and for the data calculated for them. The default is 64 MB plus
   * 24 times the size of the sources. An animation that would exceed the limit is sampled more
   * coarsely or left out, and WORK_LIMIT is reported. A model that would exceed the limit is
   * refused.
   */
  maxOutput?: number;
  /**
   * If true, the conversion rejects with a LossError if something is lost, or if the animation of
   * the result depends on a guess. The default is false.
   */
  strict?: boolean;
  /**
   * Finds images that the files reference, and files that describe the materials of an Unreal
   * model: a source, or a Map of names or paths to the files. By default, only embedded images are
   * used.
   */
  images?: ImageSource | ReadonlyMap<string, Uint8Array | Blob>;
  /** Finds instanced files that are not among the sources. */
  instances?: InstanceSource;
  /** Encoding and encryption of VGO files, used if the target is VGO. */
  vgo?: VgoWriting;
  /**
   * Compression of GLB and glTF. By default, nothing is compressed, because some importers cannot
   * decompress the files.
   */
  gltf?: GltfPacking;
  /**
   * Pairs of bones for retargeting, which override those that are found by name or body part.
   * `readBoneMap` of `rigcast/rig` reads them from a file. If given, all animations with a skeleton
   * are retargeted.
   */
  boneMap?: BoneMap;
  /** Bones of PSK files, used if the target is PSK. */
  unreal?: UnrealWriting;
  /** Version and compression of UEFormat files, used if the target is `uemodel`. */
  ueformat?: UeformatWriting;
  /** Title, authors, licence, permissions and thumbnail of VRM files, used if the target is VRM. */
  vrm?: VrmWriting;
  /**
   * Options for opening sources and instanced files. If the target is GLB or glTF, `tangents` is
   * true by default, because glTF importers would compute different tangents.
   */
  open?: OpenOptions;
  signal?: AbortSignal;
}

/** Throws a TypeError if an option is unknown, has an invalid value, or is not available for the target. */
export function checkConvertOptions(options: ConvertOptions): void {
  checkOptions('convert', options, {
    to: 'string',
    name: 'string',
    clips: 'object',
    tolerance: 'number',
    additive: 'string',
    loop: 'boolean',
    inPlace: 'boolean',
    rootMotion: 'boolean',
    lockHeading: 'boolean',
    maxOutput: 'number',
    strict: 'boolean',
    split: 'boolean',
    merge: 'boolean',
    boneMap: 'object',
    images: 'object',
    instances: 'object',
    vgo: 'object',
    gltf: 'object',
    unreal: 'object',
    ueformat: 'object',
    vrm: 'object',
    open: 'object',
    signal: 'object',
  } satisfies Record<keyof ConvertOptions, string>);
  if (!TARGETS.includes(options.to))
    throw invalidArgument(`convert: "to" must be one of ${TARGETS.join(', ')}, not ${JSON.stringify(options.to)}`);
  if (options.tolerance !== undefined && !(options.tolerance > 0)) throw invalidArgument('convert: "tolerance" must be a length above 0');
  if (options.additive !== undefined && !ADDITIVE.includes(options.additive))
    throw invalidArgument(`convert: "additive" must be one of ${ADDITIVE.join(', ')}, not ${JSON.stringify(options.additive)}`);
  if (options.maxOutput !== undefined && !(options.maxOutput > 0))
    throw invalidArgument('convert: "maxOutput" must be a number of bytes above 0');
  keyOf(options.vgo ?? {});
  checkVrm(options.vrm ?? {});
  const { split, loop, inPlace, rootMotion, lockHeading, gltf = {}, unreal = {}, ueformat = {}, vgo = {} } = options;
  const wrong = misplaced(options.to, {
    split,
    loop,
    'in-place': inPlace,
    'root-motion': rootMotion,
    'lock-heading': lockHeading,
    ...gltf,
    ...ueformat,
    bson: vgo.encoding === 'bson',
    'root-bone': unreal.rootBone,
  });
  if (inPlace && rootMotion) throw invalidArgument('convert: "inPlace" and "rootMotion" exclude each other');
  if (wrong) throw invalidArgument(`convert: the option "${wrong.id}" is only available for ${wrong.targets.join(', ')}`);
}
