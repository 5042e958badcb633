// Surroundings for the emulator of WebXR devices.
import { Vector3 } from 'three';

/** A floor at height 0, on which IWER's hit tests find surfaces. */
export class FloorEnvironment {
  readonly trackedPlanes = new Set();
  readonly trackedMeshes = new Set();
  readonly environmentCanvas = document.createElement('canvas');
  render(): void {}
  /** `ray`: column-major matrix of a ray along −Z. */
  computeHitTestResults(ray: ArrayLike<number>): number[][] {
    const [origin, direction] = [new Vector3(ray[12], ray[13], ray[14]), new Vector3(-ray[8]!, -ray[9]!, -ray[10]!)];
    if (direction.y >= 0) return [];
    const { x, z } = origin.addScaledVector(direction, -origin.y / direction.y);
    return [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, z, 1]];
  }
}
