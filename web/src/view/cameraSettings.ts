// Types that describe where a camera is, and how far the visitor may move it.
import type { Vector3 } from 'three';

/** Requested placement of the camera. Values that are undefined are derived from the content. */
export interface CameraPlacement {
  /** Direction from the target to the camera. */
  direction?: Vector3;
  /**
   * Distance between target and camera, in metres or as a fraction (`share`) of the distance at
   * which all content is visible.
   */
  distance?: { metres: number } | { share: number };
  /**
   * Point that the camera looks at, in metres. A coordinate that is NaN is replaced by that of the
   * content's centre.
   */
  target?: Vector3;
  /** Vertical field of view in degrees. */
  fieldOfView?: number;
}

/** A difference from a placement of the camera. */
export interface CameraOffset {
  theta: number;
  phi: number;
  zoom: number;
  target: Vector3;
  fieldOfView: number;
}

/** Position and direction of the camera. Positions are relative to the followed node, in metres. */
export interface CameraPose {
  position: readonly [x: number, y: number, z: number];
  /** Point that the camera looks at. */
  target: readonly [x: number, y: number, z: number];
  /** Vertical field of view in degrees. */
  fieldOfView: number;
}

/** Movement of the visitor's camera over time. */
export interface CameraMovement {
  readonly isFinished: boolean;
  /** Continues the movement by `seconds`. Returns the new pose. */
  advance(seconds: number): CameraPose;
}

/** Limits of the visitor's camera controls. */
export interface CameraLimits {
  /** Limits of the polar angle in radians. 0 is straight above the target. */
  polar?: readonly [from: number, to: number];
  /** Limits of the angle around the vertical axis, in radians. */
  azimuth?: readonly [from: number, to: number];
  /**
   * Limits of the distance from the target in metres. Null derives a limit from the size of the
   * content.
   */
  distance?: readonly [from: number | null, to: number | null];
}

/**
 * Areas at the edges of the picture that other elements cover, as fractions of the picture's width
 * (`left`, `right`) or height (`top`, `bottom`).
 */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}
