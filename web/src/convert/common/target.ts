// Types of a conversion target and of its writer's input.
import type { RigFile } from '../../core/open.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import type { GltfPacking } from '../gltf/packing.ts';
import type { VgoWriting } from '../vgo/writing.ts';
import type { YieldToEventLoop } from './yielding.ts';
import type { ConversionCode } from './codes.ts';
import type { TexturedScene } from './texturedScene.ts';
import type { FileNames } from './fileNames.ts';
import type { ImageSource } from './imageSource.ts';
import type { ConversionReport } from './report.ts';
import type { Refusals } from './refusals.ts';
import type { InstancedFile } from './instancedFiles.ts';
import type { WrittenFile } from './written.ts';

/** Input of a writer: a model with its clips, or clips without a model. */
export interface Writing {
  /** Name of the target. */
  to: string;
  names: FileNames;
  /** The file of the model. */
  file: RigFile;
  /**
   * Format of the model's file; '' if unknown. If the source has the writer's own format, numbers
   * are kept unchanged.
   */
  format: string;
  scene: RigScene;
  /** Clips to write, starting with those of the model's own file. */
  clips: readonly Clip[];
  /** Largest error of sampled curves, measured at the skin, metres. */
  tolerance: number;
  report: ConversionReport;
  yieldToEventLoop: YieldToEventLoop;
  images: ImageSource | undefined;
  vgo: VgoWriting;
  gltf: GltfPacking;
  /** Returns the scene with the textures that the viewer would show. */
  resolveTextures(): Promise<TexturedScene>;
  /**
   * Opens the files that the scene instances. Resolves to undefined if the scene has no instances.
   */
  loadInstances(): Promise<InstancedFile | undefined>;
}

/**
 * Writes the files of a target. Resolves to a list with the main file first, and adds all losses to
 * the report. Rejects with a ConversionError if nothing can be written.
 */
export type Writer = (writing: Writing) => Promise<WrittenFile[]>;

export interface TargetRow {
  /** Name of the target in menus. */
  label: string;
  /** Description of the written files for the documentation. */
  text: string;
  /**
   * File extensions without a dot. The first is the extension of models. Default: the name of the
   * target.
   */
  extensions?: readonly [string, ...string[]];
  mime?: string;
  /** Options of the target, each with its description for `--help`. */
  choices?: Readonly<Record<string, string>>;
  /** True if files of the target cannot contain meshes. */
  hasNoMeshes?: boolean;
  /**
   * True if files of the target cannot declare which keys are additive. Importers have to guess.
   */
  hasNoModes?: boolean;
  /** True if the result contains the instanced files. Other targets only reference them. */
  embedsInstances?: boolean;
  /**
   * True if missing tangents are computed and written, because importers of the target would
   * compute different ones.
   */
  wantsTangents?: boolean;
  /**
   * Animations without a skeleton that the target can store: `true` for all of them, or the name of
   * the only format that they can come from.
   */
  holdsAnimations?: true | string;
  write: Writer;
}

/**
 * Targets that share a folder. `codes` and `refusals` contain the report codes and error messages
 * that only these targets use.
 */
export interface TargetFolder {
  targets: Readonly<Record<string, TargetRow>>;
  codes?: readonly ConversionCode[];
  refusals?: Refusals;
}

/** The option `split`, for targets whose files contain a model with its animations. */
export const SPLIT = { split: 'Write the model and each animation to separate files' } as const;
