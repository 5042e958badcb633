// Types that the command, its child processes and the page in the browser share.
import type { AttributeName } from '../element/attributes.ts';
import type { Report } from '../core/types.ts';

/** Formats of `rigcast render`. */
export const PICTURE_FORMATS = ['png', 'webp', 'mp4', 'webm', 'gif'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** Settings of a picture or video. */
export interface Rendering {
  format: PictureFormat;
  /** True for a video or numbered pictures, false for one picture. */
  isVideo: boolean;
  /** Size in pixels. */
  width: number;
  height: number;
  /** Attributes of the element. */
  attributes: Readonly<Record<string, string>>;
  /** Background as a CSS colour; null for a transparent background. */
  background: string | null;
  /**
   * True to draw a model that only adds light on a dark background, because it is invisible on
   * `background`. False if the user has chosen the background.
   */
  mayBeDark: boolean;
  /** Duration of a turn of the camera in seconds; 0 if the camera does not turn. */
  turn: number;
  /** Frames per second; undefined for those of the animation. */
  frameRate: number | undefined;
}

/** Attributes of the element that are also options of the command. */
export const PICTURE_ATTRIBUTES = [
  ...(['additive', 'time', 'frame', 'speed'] as const),
  ...(['camera-orbit', 'camera-target', 'field-of-view', 'view'] as const),
  ...(['orientation', 'scale', 'environment-image', 'skybox-image', 'exposure', 'tone-mapping'] as const),
  ...(['shadow', 'ground', 'skeleton', 'variant-name', 'expression'] as const),
] satisfies AttributeName[];

/** Attributes whose values are URLs. On the command line, their values are paths. */
export const PANORAMAS = ['environment-image', 'skybox-image'] as const;

/** URLs of a task on the server of the child process. */
export interface PageTask extends Rendering {
  /** URL of the model. */
  src: string;
  /** URLs of the animations, and of a manifest that lists images. */
  files: readonly string[];
  /** URL that returns companion files by kind and name. */
  companions: string;
  /** URL that receives the picture or video. */
  result: string;
  /** URL that is requested after each frame. */
  progress: string;
}

export interface PageAnswer {
  /** Messages of the element. If there are any, no picture was sent. */
  errors: string[];
  /** Reports of the files that were read. */
  reports: { file: string; report: Report }[];
  /** True if the background is dark, because the model only adds light. */
  isDark: boolean;
  /** True if the graphics context is lost. */
  isLost: boolean;
}
