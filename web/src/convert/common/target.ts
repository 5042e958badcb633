// Types that describe conversion targets and the input of their writers.
import type { RigFile } from '../../core/open.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import type { GltfPacking } from '../gltf/packing.ts';
import type { UeformatWriting } from '../ueformat/writing.ts';
import type { UnrealWriting } from '../unreal/writing.ts';
import type { VgoWriting } from '../vgo/writing.ts';
import type { VrmWriting } from '../vrm/writing.ts';
import type { YieldToEventLoop } from './yielding.ts';
import type { CodeTable, ConversionCode } from './codes.ts';
import type { TexturedScene } from './texturedScene.ts';
import type { FileNames } from './fileNames.ts';
import type { ImageSource } from './imageSource.ts';
import type { ReportBuilder } from './report.ts';
import type { Refusals } from './refusals.ts';
import type { InstancedFile } from './instancedFiles.ts';
import type { WrittenFile } from './written.ts';

/** Input of a writer: a model with its clips, or clips without a model. */
export interface Writing {
  /** Name of the target format. */
  to: string;
  names: FileNames;
  /** The open file of the model. */
  file: RigFile;
  /**
   * Format of the model's file, or '' if it is unknown. If the source already has the target
   * format, its numbers stay unchanged.
   */
  format: string;
  scene: RigScene;
  /** Clips to write, starting with those of the model's own file. */
  clips: readonly Clip[];
  /** Largest error of sampled curves in metres, measured at the skin. */
  tolerance: number;
  report: ReportBuilder;
  yieldToEventLoop: YieldToEventLoop;
  images: ImageSource | undefined;
  vgo: VgoWriting;
  gltf: GltfPacking;
  unreal: UnrealWriting;
  ueformat: UeformatWriting;
  vrm: VrmWriting;
  /** Returns the scene with the textures that the viewer would show. */
  resolveTextures(): Promise<TexturedScene>;
  /**
   * Opens the instanced files of the scene. Resolves to undefined if the scene has no instances.
   */
  loadInstances(): Promise<InstancedFile | undefined>;
}

/**
 * Writes the files of a target format. Resolves to a list that begins with the main file, and adds
 * all losses to the report. Rejects with a ConversionError if nothing can be written.
 */
export type Writer = (writing: Writing) => Promise<WrittenFile[]>;

export interface TargetRow {
  /** Name of the target format in menus. */
  label: string;
  /** Description of the written files, which is printed in the documentation. */
  text: string;
  /**
   * File extensions without a dot, starting with the extension of models. The default is the name
   * of the target.
   */
  extensions?: readonly [string, ...string[]];
  mime?: string;
  /** Options of the target, each with its description for `--help`. */
  choices?: Readonly<Record<string, string>>;
  /** True if files of the target cannot contain meshes. */
  hasNoMeshes?: boolean;
  /**
   * True if files of the target cannot declare which keys are additive, so that importers have to
   * guess.
   */
  hasNoModes?: boolean;
  /** True if the result contains the instanced files. Other targets only reference them. */
  embedsInstances?: boolean;
  /**
   * True if missing tangents are computed and written, because importers of the target would
   * compute different tangents.
   */
  wantsTangents?: boolean;
  /**
   * Animations without a skeleton that the target can store: `true` for all of them, or the name of
   * the only format that they can come from.
   */
  holdsAnimations?: true | string;
  write: Writer;
}

/** True if the target can store animations without a skeleton from files of this format. */
export function holdsAnimations({ holdsAnimations: from }: TargetRow, format: string | null): boolean {
  return from === true || (from !== undefined && from === format);
}

/** A target, and the codes that its conversion reports can contain. */
export interface ConversionTarget {
  /** Name of the target format. */
  name: string;
  row: TargetRow;
  codes: CodeTable;
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

/** Options that edit animations, for targets that can store animations of bodies. */
export const CLIP_EDITS = {
  loop: 'Trim each animation to its best loop, and blend its end into its start',
  'in-place': 'Remove the horizontal distance that each animation travels',
  'root-motion': 'Make animations that play in place travel as fast as their feet walk',
  'lock-heading': 'Remove the angle that each animation turns the body about the up axis',
} as const;

/** The option `split`, for targets that can write a model and its animations to one file. */
export const SPLIT = { split: 'Write the model and each animation to separate files' } as const;
