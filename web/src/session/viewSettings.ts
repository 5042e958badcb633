// View settings, which are kept when another file is opened.

/** A correction of the model's orientation and size, chosen by the visitor. */
export interface Placement {
  /** The axis of the file's scene that points up. */
  readonly up: 'x' | 'y' | 'z' | '-x' | '-y' | '-z';
  /** Rotation around the vertical axis, degrees. */
  readonly yaw: number;
  readonly scale: number;
  /**
   * Reads the root's quaternion of Unreal files like those of all other bones, as some third-party
   * exporters write it. Sets the format option `conjugateRoot`.
   */
  readonly isRootConjugated: boolean;
}

export const defaultPlacement: Placement = { up: 'y', yaw: 0, scale: 1, isRootConjugated: false };

/** `environment` shows the environment map as the background. */
export type Background = 'page' | 'white' | 'grey' | 'black' | 'environment';

export interface ViewSettings {
  /** A view mode of `view/modes.ts`. */
  readonly mode: string;
  /** Shows the bounding box of the rest pose. */
  readonly bounds: boolean;
  /** Shows constraints and IK handles as lines. */
  readonly rigging: boolean;
  readonly boneNames: boolean;
  /** Shows the local axes of the bones. */
  readonly axes: boolean;
  readonly sockets: boolean;
  readonly isOrthographic: boolean;
  /** Vertical field of view, degrees. */
  readonly fieldOfView: number;
  /** Exposure of the tone mapping; 1 is neutral. */
  readonly exposure: number;
  /** Rotation of all lights around the vertical axis, degrees. */
  readonly lightRotation: number;
  readonly background: Background;
  /** Environment map: 'room', another name in `view/environment.ts`, or a panorama file. */
  readonly environment: string | File;
  readonly bones: boolean;
  readonly wireframe: boolean;
  readonly grid: boolean;
  /** Shows the paths of the selected bones through the animation. */
  readonly trails: boolean;
  /** Breathes and shifts its weight while no animation plays. */
  readonly idle: boolean;
  /** Unit of the displayed times, for animations that have a frame rate. */
  readonly timeUnit: 'frames' | 'seconds';
}

/** `on` always loops, `once` never loops, `file` follows the loop flag of the clip. */
export type LoopMode = 'on' | 'once' | 'file';
