// Settings of the view: how the model is shown, whichever file is open.

/** How somebody has put a model that stood wrong. */
export interface Placement {
  /** Which direction of the scene, as the file is read, points up. */
  readonly up: 'x' | 'y' | 'z' | '-x' | '-y' | '-z';
  /** Degrees around the vertical. */
  readonly turn: number;
  readonly scale: number;
  /** Of Unreal's files: the root's quaternion is stored like the others', as some third-party writers do; the files are read so. */
  readonly isRootPlain: boolean;
}

export const asItStands: Placement = { up: 'y', turn: 0, scale: 1, isRootPlain: false };

/** surroundings: what shines around is also seen behind everything. */
export type Background = 'page' | 'white' | 'grey' | 'black' | 'surroundings';

/** How it is looked at, whatever is open. */
export interface Look {
  /** As the stage calls it. */
  readonly mode: string;
  /** The box of the model at rest. */
  readonly bounds: boolean;
  /** Lines of constraints and IK handles. */
  readonly rigging: boolean;
  /** Names of all bones, their local axes, and sockets. */
  readonly names: boolean;
  readonly axes: boolean;
  readonly sockets: boolean;
  /** Without perspective. */
  readonly flat: boolean;
  /** Vertical angle of view, degrees. */
  readonly fieldOfView: number;
  /** Factor of all light. */
  readonly exposure: number;
  /** By which the light is turned, degrees. */
  readonly lightTurn: number;
  readonly background: Background;
  /** What shines around and is reflected: 'room', another one as the stage calls it, or a panorama that somebody gave. */
  readonly surroundings: string | File;
  readonly bones: boolean;
  readonly wire: boolean;
  readonly grid: boolean;
  readonly trails: boolean;
  /** A body stands and breathes while no motion plays. */
  readonly idles: boolean;
  /** The unit in which times of motions with frames are shown. */
  readonly unit: 'frames' | 'seconds';
}

/** Whether a motion begins anew at its end; file: where its file says so. */
export type Looping = 'on' | 'once' | 'file';
