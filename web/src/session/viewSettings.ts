// Settings of the view, which are kept when another file is opened.

/** Correction of a model's orientation and size that the visitor has selected. */
export interface Placement {
  /** The axis of the file's scene that points up. */
  readonly up: 'x' | 'y' | 'z' | '-x' | '-y' | '-z';
  /** Rotation around the vertical axis in degrees. */
  readonly yaw: number;
  readonly scale: number;
  /**
   * True if the rotation of the root bone in Unreal files has the convention of the other bones, as
   * in files of some third-party exporters. Sets the format option `conjugateRoot`.
   */
  readonly isRootConjugated: boolean;
}

export const defaultPlacement: Placement = { up: 'y', yaw: 0, scale: 1, isRootConjugated: false };

/** Background of the viewport. `environment` shows the environment map. */
export type Background = 'page' | 'white' | 'grey' | 'black' | 'environment';

export interface ViewSettings {
  /** Shading mode, one of `VIEW_MODES` in `view/modes.ts`. */
  readonly mode: string;
  /** True to show the bounding box of the rest pose. */
  readonly bounds: boolean;
  /** True to show constraints and IK handles as lines. */
  readonly rigging: boolean;
  readonly boneNames: boolean;
  /** True to show the local axes of the bones. */
  readonly axes: boolean;
  readonly sockets: boolean;
  readonly isOrthographic: boolean;
  /** Vertical field of view in degrees. */
  readonly fieldOfView: number;
  /** Exposure of the tone mapping; 1 is neutral. */
  readonly exposure: number;
  /** Rotation of lights and environment around the vertical axis, in degrees. */
  readonly lightRotation: number;
  readonly background: Background;
  /**
   * Environment map: 'room' for the default, a name in `ENVIRONMENT_PRESETS`, or a panorama file.
   */
  readonly environment: string | File;
  readonly bones: boolean;
  readonly wireframe: boolean;
  readonly grid: boolean;
  /** True to show the paths of fingertips in recordings. */
  readonly trails: boolean;
  /** True to play an idle animation while no other animation is selected. */
  readonly idle: boolean;
  /** Number of onion skins before and after the current pose; 0 for none. */
  readonly onionSkins: number;
  /** Number of frames between two onion skins. */
  readonly onionStep: number;
  /** Unit of the displayed time, for animations that have a frame rate. */
  readonly timeUnit: 'frames' | 'seconds';
}

/** Loop mode: always (`on`), never (`once`), or as the clip declares (`file`). */
export type LoopMode = 'on' | 'once' | 'file';
