// What the element's small shell and the parts that it fetches later know of each other. Types only.
import type { Reference, Report } from '../core/types.ts';
import type { PictureOptions } from '../view/sharedRenderer.ts';
import type { View } from '../view/view.ts';
import type { Rig } from '../three/rig.ts';

export type { PictureOptions };

/** A motion that can be played. */
export interface MotionInfo {
  /** As the file says; unique in the list (`Run`, `Run_2`). */
  readonly name: string;
  readonly index: number;
  /** Seconds. */
  readonly duration: number;
  /** 0 where there are no frames. */
  readonly frameRate: number;
  /** How many bones of the model it moves, and how many there are. Found when first asked for. */
  readonly matched: number;
  readonly bones: number;
  /** What happens in it, at its time in seconds. */
  readonly events: readonly { time: number; name: string }[];
}

/** Where the camera is around its target: angles in radians, metres. */
export interface CameraOrbit {
  theta: number;
  phi: number;
  radius: number;
  /** As the attribute `camera-orbit` spells it. */
  toString(): string;
}

/** What lies under a point of the picture. */
export interface Picked {
  /** As the file says; '' where it does not. */
  mesh: string;
  /** The bone that moves that place most; null where none does. */
  bone: string | null;
  /** Metres. */
  position: { x: number; y: number; z: number };
}

/** A file that a model asks for: a key, a resource, a side file, an image. */
export interface Wish {
  /** `texture`, `material` (text that says which textures a material has), or what the format calls it (`key`, `resource`, `config` …). */
  kind: Reference['kind'];
  /** As the file spells it: a name, or a path. */
  name: string;
}

/** Gives a file, or null where it has none; rigcast then looks for it as always. */
export type Supply = (wish: Wish) => Given | Promise<Given>;
type Given = Blob | ArrayBuffer | Uint8Array | null | undefined;

export interface RigcastViewerReady {
  rig: Rig;
  view: View;
}

/** `detail` of the element's events, by their names. */
export interface RigcastViewerEvents {
  load: RigcastViewerReady;
  /** From 0 to 1, and what is being done. */
  progress: { fraction: number; loaded: number; total: number | null };
  error: { message: string; error: unknown; report: Report | null };
  /** One for each file that was read. */
  report: { file: string; report: Report };
  play: undefined;
  pause: undefined;
  timeupdate: { time: number };
  ended: undefined;
  ratechange: undefined;
  motionchange: { names: readonly string[] };
  motionevent: { name: string; time: number; motion: string };
  camerachange: { orbit: CameraOrbit; target: { x: number; y: number; z: number }; fieldOfView: number };
}

/** What is shown; made when the element is first seen. */
export interface Shown {
  readonly ready: RigcastViewerReady | null;
  readonly motions: readonly MotionInfo[];
  readonly current: readonly string[];
  readonly duration: number;
  readonly frameRate: number;
  readonly paused: boolean;
  readonly ended: boolean;
  time: number;
  load(): Promise<RigcastViewerReady>;
  /** Attributes have changed. */
  update(changed: ReadonlySet<string>): void;
  play(): void;
  pause(): void;
  setVisible(isVisible: boolean): void;
  resetView(): void;
  cameraOrbit(): CameraOrbit;
  cameraTarget(): { x: number; y: number; z: number };
  pick(x: number, y: number): Picked | null;
  toBlob(options?: PictureOptions): Promise<Blob | null>;
  dispose(): void;
}

/** The element, as what it fetches later sees it. */
export interface ShowHost {
  /** What the visitor drags on, and what takes the picture; it lies in `surface`. */
  readonly surface: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly element: HTMLElement;
  /** What the page has given from its own hand. */
  given(): { files: ReadonlyMap<string, Blob> | null; supply: Supply | null };
  emit<K extends keyof RigcastViewerEvents>(type: K, detail: RigcastViewerEvents[K]): void;
  /** The first picture of what was loaded is there. */
  painted(): void;
  setLost(isLost: boolean): void;
}
