// Fits the shadow cameras of lights that belong to the content.

import { type Box3, DirectionalLight, type Light, Matrix4, Vector3 } from 'three';

const from = new Vector3();
const to = new Vector3();
const corner = new Vector3();

/**
 * Fits the shadow cameras of directional lights to the bounding box of the content, because files
 * do not specify the size of these cameras.
 */
export function fitShadows(lights: readonly Light[], { min, max }: Box3): void {
  for (const light of lights) {
    if (!(light instanceof DirectionalLight) || !light.castShadow) continue;
    from.setFromMatrixPosition(light.matrixWorld);
    to.setFromMatrixPosition(light.target.matrixWorld);
    const inward = new Matrix4().lookAt(from, to, light.shadow.camera.up).setPosition(from).invert();
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).applyMatrix4(inward);
      low.min(corner);
      high.max(corner);
    }
    const room = low.distanceTo(high) * 0.02;
    Object.assign(light.shadow.camera, {
      left: low.x - room,
      right: high.x + room,
      bottom: low.y - room,
      top: high.y + room,
      near: -high.z - room,
      far: -low.z + room,
    });
    light.shadow.camera.updateProjectionMatrix();
  }
}
