// Types shared by the element's shell and the modules that it imports later.
import type { Reference, Report } from '../core/types.ts';
import type { PictureOptions } from '../view/sharedRenderer.ts';
import type { View } from '../view/view.ts';
import type { Rig } from '../three/rig.ts';

export type { PictureOptions };

/** An animation that can be played. */
export interface AnimationInfo {
  /** Name in the file, made unique in the list (`Run`, `Run_2`). */
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

/** Position of the camera around its target: angles in radians, radius in metres. */
export interface CameraOrbit {
  theta: number;
  phi: number;
  radius: number;
  /** Returns a value for the attribute `camera-orbit`. */
  toString(): string;
}

/** The result of `pick`: the mesh, bone and position at a point of the picture. */
export interface PickResult {
  /** Mesh name in the file; '' if it has none. */
  mesh: string;
  /** Name of the bone with the largest weight at the position; null if the mesh has no skin. */
  bone: string | null;
  /** Position in metres. */
  position: { x: number; y: number; z: number };
}

/** A file that a model needs: a key, a resource, a side file, an image. */
export interface FileRequest {
  /**
   * `texture`, `material` (a text file that assigns textures to a material), or a kind of the
   * format (`key`, `resource`, `config` …).
   */
  kind: Reference['kind'];
  /** Name or path as stored in the file. */
  name: string;
}

/** A function of the page that returns a file. After null, rigcast searches for the file itself. */
export type FileResolver = (request: FileRequest) => ResolvedFile | Promise<ResolvedFile>;
type ResolvedFile = Blob | ArrayBuffer | Uint8Array | null | undefined;

export interface RigcastViewerReady {
  rig: Rig;
  view: View;
}

/** Types of `event.detail` by event name. */
export interface RigcastViewerEvents {
  load: RigcastViewerReady;
  /** `fraction` is from 0 to 1; `loaded` and `total` are bytes. */
  progress: { fraction: number; loaded: number; total: number | null };
  error: { message: string; error: unknown; report: Report | null };
  /** Fired once for each file that was read. */
  report: { file: string; report: Report };
  play: undefined;
  pause: undefined;
  timeupdate: { time: number };
  ended: undefined;
  ratechange: undefined;
  animationchange: { names: readonly string[] };
  animationevent: { name: string; time: number; animation: string };
  camerachange: { orbit: CameraOrbit; target: { x: number; y: number; z: number }; fieldOfView: number };
}

/** Presents a model. Imported when the element first becomes visible. */
export interface Presenter {
  readonly ready: RigcastViewerReady | null;
  readonly animations: readonly AnimationInfo[];
  readonly currentAnimations: readonly string[];
  readonly duration: number;
  readonly frameRate: number;
  readonly paused: boolean;
  readonly ended: boolean;
  time: number;
  load(): Promise<RigcastViewerReady>;
  /** Applies changed attributes. */
  update(changed: ReadonlySet<string>): void;
  play(): void;
  pause(): void;
  setVisible(isVisible: boolean): void;
  resetView(): void;
  cameraOrbit(): CameraOrbit;
  cameraTarget(): { x: number; y: number; z: number };
  pick(x: number, y: number): PickResult | null;
  toBlob(options?: PictureOptions): Promise<Blob | null>;
  dispose(): void;
}

/** The element, as seen by the presenter. */
export interface PresenterHost {
  /** Area that receives pointer input; contains `canvas`. */
  readonly surface: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly element: HTMLElement;
  /** Files and resolver that the page has set as properties. */
  localInputs(): { files: ReadonlyMap<string, Blob> | null; fileResolver: FileResolver | null };
  emit<K extends keyof RigcastViewerEvents>(type: K, detail: RigcastViewerEvents[K]): void;
  /** Called when the first frame of a model is drawn. */
  onFirstFrame(): void;
  setLost(isLost: boolean): void;
}
