// Types shared by the class of the element and the modules that it imports when loading starts.
import type { ConversionReport } from '../convert/index.ts';
import type { Reference, Report } from '../core/types.ts';
import type { VideoFormat } from '../encode/encodeFrames.ts';
import type { PictureOptions } from '../view/sharedRenderer.ts';
import type { View } from '../view/view.ts';
import type { Rig } from '../three/rig.ts';
import type { ShadowParts } from './parts.ts';
import type { ControllableElement } from './toolbar.ts';
import type { Labels } from './words/en.ts';

export type { PictureOptions };

/** An animation that can be played. */
export interface AnimationInfo {
  /** Name in the file, made unique (`Run`, `Run_2`). */
  readonly name: string;
  readonly index: number;
  /** Duration in seconds. */
  readonly duration: number;
  /** Frames per second; 0 if the animation has no frames. */
  readonly frameRate: number;
  /** Number of bones of the model that the animation moves. Computed on first access. */
  readonly matched: number;
  /** Number of bones of the model. Computed on first access. */
  readonly bones: number;
  /** Animation events, with times in seconds. */
  readonly events: readonly { time: number; name: string }[];
}

/**
 * Position of the camera around its target. `theta` (angle around the target) and `phi` (angle from
 * straight above) are in radians, `radius` is in metres.
 */
export interface CameraOrbit {
  theta: number;
  phi: number;
  radius: number;
  /** Returns a value for the attribute `camera-orbit`. */
  toString(): string;
}

/** The result of `pick`: the model, mesh, bone and position at a point in the viewport. */
export interface PickResult {
  /** 0 for the model of the element, from 1 for those of `extra-models` that were loaded. */
  model: number;
  /** Name of the mesh in the file; '' if the mesh has no name. */
  mesh: string;
  /** Name of the bone with the largest weight at the position; null if the mesh has no skin. */
  bone: string | null;
  /** Position in metres. */
  position: { x: number; y: number; z: number };
}

/** A model that was converted to a file. */
export interface ExportedModel {
  /** File name, such as `hero.glb`. */
  name: string;
  blob: Blob;
  /** Lists the data that the file cannot store or stores in another form. */
  report: ConversionReport;
}

/** Options of `toVideo`. */
export interface VideoOptions {
  /**
   * Format of the video (default `mp4`). `png`: numbered pictures in a ZIP archive. MP4 and WebM
   * require even sizes and a browser that can encode them.
   */
  format?: VideoFormat;
  /** Size in pixels (default: that of the element on the page). */
  width?: number;
  height?: number;
  /**
   * Frames per second (default: those of the animation, otherwise 30). The maximum is 50 for GIF and
   * 240 for other formats.
   */
  frameRate?: number;
  /**
   * Minimum duration in seconds of one turn of the camera around its target. The turn is prolonged
   * until the animation has played a whole number of times. By default, the camera does not move, and
   * the animation plays once.
   */
  turn?: number;
  /** True to hold the current pose instead of playing the animation. */
  isHeld?: boolean;
  /** Background of the video as a CSS colour (default white). */
  background?: string;
  /** True to keep the background transparent and omit the sky. MP4 does not support this. */
  isTransparent?: boolean;
  signal?: AbortSignal;
  /** Called after each frame with the number of encoded frames and of all frames. */
  onFrame?(done: number, count: number): void;
}

/** A file that a model needs, such as a key, a resource, a side file or an image. */
export interface FileRequest {
  /**
   * Kind of file: `texture`, `material` (a text file that assigns textures to a material), or a
   * kind that the format defines, such as `key`, `resource` or `config`.
   */
  kind: Reference['kind'];
  /** Name or path as stored in the file. */
  name: string;
}

/**
 * A function, supplied by the page, that returns a requested file. If the function returns null,
 * rigcast searches for the file.
 */
export type FileResolver = (request: FileRequest) => ResolvedFile | Promise<ResolvedFile>;
type ResolvedFile = Blob | ArrayBuffer | Uint8Array | null | undefined;

/**
 * State of AR. `session-started`: the model is shown with WebXR, or the app of the device was opened.
 * `object-placed`: the visitor has put the model on a floor (WebXR). `not-presenting`: AR with WebXR
 * has ended. `failed`: AR could not start.
 */
export type ArStatus = 'session-started' | 'object-placed' | 'not-presenting' | 'failed';

/** The model that the element shows, and its view. */
export interface RigcastViewerReady {
  rig: Rig;
  /** Only `scene` and `invalidate` are public. */
  view: View;
}

/** Type of `event.detail` for each event. */
export interface RigcastViewerEvents {
  load: RigcastViewerReady;
  firstframe: undefined;
  /** `fraction` is the progress from 0 to 1; `loaded` and `total` are numbers of bytes. */
  progress: { fraction: number; loaded: number; total: number | null };
  error: { message: string; error: unknown; report: Report | null };
  /** Detail of the event that is fired for each file that was read. */
  report: { file: string; report: Report };
  play: undefined;
  pause: undefined;
  timeupdate: { time: number };
  ended: undefined;
  ratechange: undefined;
  animationchange: { names: readonly string[] };
  animationevent: { name: string; time: number; animation: string };
  /** Detail of the event that is fired when AR begins or ends. `failed` is followed by no other status. */
  arstatus: { status: ArStatus };
  camerachange: { orbit: CameraOrbit; target: { x: number; y: number; z: number }; fieldOfView: number };
}

/**
 * Names of the events with a capital letter at the start of each further word. The type of an event
 * is its name in lower case, and its listener in React has a name like `onAnimationEvent`.
 */
export const EVENT_NAMES = [
  'firstFrame',
  'load',
  'progress',
  'error',
  'report',
  'play',
  'pause',
  'timeUpdate',
  'ended',
  'rateChange',
  'animationChange',
  'animationEvent',
  'cameraChange',
  'arStatus',
] as const;

/** Presents a model. Imported when the element starts to load. */
export interface Presenter {
  readonly ready: RigcastViewerReady | null;
  readonly animations: readonly AnimationInfo[];
  readonly currentAnimations: readonly string[];
  readonly availableVariants: readonly string[];
  readonly duration: number;
  readonly frameRate: number;
  readonly paused: boolean;
  readonly ended: boolean;
  time: number;
  load(): Promise<RigcastViewerReady>;
  /** Applies the attributes and properties whose names are in `changed`. */
  update(changed: ReadonlySet<string>): void;
  play(): void;
  pause(): void;
  setVisible(isVisible: boolean): void;
  /** Applies changed texts. */
  updateWords(): void;
  resetView(): void;
  cameraOrbit(): CameraOrbit;
  cameraTarget(): { x: number; y: number; z: number };
  pick(x: number, y: number): PickResult | null;
  readonly output: Output;
  dispose(): void;
}

/** Writes what the element shows. Returns null if no model is loaded. */
export interface Output {
  toBlob(options?: PictureOptions): Promise<Blob | null>;
  toVideo(options?: VideoOptions): Promise<Blob | null>;
  exportGlb(): Promise<ExportedModel | null>;
  exportUsdz(): Promise<ExportedModel | null>;
}

/** The part of the element that the presenter uses. */
export interface PresenterHost {
  readonly parts: ShadowParts;
  readonly element: ControllableElement;
  /** Texts that replace the English ones. */
  words(): Partial<Labels>;
  /** Returns the local files and the resolver that the page has set as properties. */
  localInputs(): { files: ReadonlyMap<string, Blob> | null; fileResolver: FileResolver | null };
  emit<K extends keyof RigcastViewerEvents>(type: K, detail: RigcastViewerEvents[K]): void;
  /** Called when the first frame of a model is drawn. */
  onFirstFrame(): void;
  /** Called when the language of the page may have changed. */
  onLanguage(): void;
  setLost(isLost: boolean): void;
}
