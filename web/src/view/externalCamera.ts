// Camera of another owner, for example a recorded one, fitted to the aspect ratio of the picture.
import { MathUtils, type PerspectiveCamera } from 'three';

/**
 * Factor by which the frustum of an external camera is enlarged to leave a margin around the
 * camera's original view.
 */
export const EXTERNAL_CAMERA_MARGIN = 1.35;

export class ExternalCamera {
  readonly camera: PerspectiveCamera;
  /** Half the height of the camera's original frustum at a distance of one metre. */
  readonly #halfHeight: number;
  /** Half the width of the same frustum. */
  readonly #halfWidth: number;

  constructor(camera: PerspectiveCamera) {
    this.camera = camera;
    this.#halfHeight = Math.tan(MathUtils.degToRad(camera.fov) / 2);
    this.#halfWidth = this.#halfHeight * camera.aspect;
  }

  /** Adapts the camera to an aspect ratio, so that everything in its original frustum stays visible. */
  fit(aspect: number): void {
    const { camera } = this;
    camera.aspect = aspect;
    camera.fov = MathUtils.radToDeg(2 * Math.atan(Math.max(this.#halfHeight, this.#halfWidth / aspect) * EXTERNAL_CAMERA_MARGIN));
    camera.updateProjectionMatrix();
  }

  /** Restores the original field of view and aspect ratio, so that the camera can be used again. */
  restore(): void {
    const { camera } = this;
    camera.fov = MathUtils.radToDeg(Math.atan(this.#halfHeight) * 2);
    camera.aspect = this.#halfWidth / this.#halfHeight;
    camera.updateProjectionMatrix();
  }
}
