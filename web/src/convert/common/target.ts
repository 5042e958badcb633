// Types of a conversion target and of the input of its writer.
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

/** A model with clips, or clips alone, to write. */
export interface Writing {
  /** Name of the target. */
  to: string;
  names: FileNames;
  /** The file of the model. */
  file: RigFile;
  /**
   * Format of the file of the model, '' if unknown. A writer keeps numbers of its own format
   * unchanged.
   */
  format: string;
  scene: RigScene;
  /** Clips to write. Clips of the model's own file are first. */
  clips: readonly Clip[];
  /** Largest error of sampled curves at the skin, metres. */
  tolerance: number;
  report: ConversionReport;
  yieldToEventLoop: YieldToEventLoop;
  images: ImageSource | undefined;
  vgo: VgoWriting;
  gltf: GltfPacking;
  /** Returns the scene with the textures that the viewer would show. */
  resolveTextures(): Promise<TexturedScene>;
  /** Opens the files that the scene instances; undefined if it has no instances. */
  loadInstances(): Promise<InstancedFile | undefined>;
}

/**
 * Writes the files of a target. Returns the main file first, and adds all losses to the report.
 * Rejects with a ConversionError if nothing can be written.
 */
export type Writer = (writing: Writing) => Promise<WrittenFile[]>;

export interface TargetRow {
  /** Name of the target in menus. */
  label: string;
  /** The files that are written, for documentation. */
  text: string;
  /**
   * File extensions without a dot: the extension of models first. Default: the name of the target.
   */
  extensions?: readonly [string, ...string[]];
  mime?: string;
  /** Options of the target, each with its text for `--help`. */
  choices?: Readonly<Record<string, string>>;
  /** Files of the target cannot contain meshes. */
  hasNoMeshes?: boolean;
  /** Files of the target cannot declare which keys are additive. Their readers guess. */
  hasNoModes?: boolean;
  /** Instanced files become part of the result. Other targets only reference them. */
  embedsInstances?: boolean;
  /**
   * Missing tangents are computed and written, because readers of the target would compute
   * different ones.
   */
  wantsTangents?: boolean;
  /**
   * True if the target can store animations without a skeleton. A name of a format: only those of
   * this format.
   */
  holdsAnimations?: true | string;
  write: Writer;
}

/**
 * Targets that share a folder, with the codes that only they report and the messages of their
 * errors.
 */
export interface TargetFolder {
  targets: Readonly<Record<string, TargetRow>>;
  codes?: readonly ConversionCode[];
  refusals?: Refusals;
}

/** The option `split` of targets whose files hold a model with its animations. */
export const SPLIT = { split: 'Write the model and each animation to separate files' } as const;
