// Projects the lower half of a skybox onto the floor below the model (attribute `skybox-height`).
// Imported with the first such attribute.
import { BackSide, Mesh, MeshBasicMaterial, SphereGeometry, type Texture, Vector3 } from 'three';
import { floorHeight } from '../view/framing.ts';
import type { View } from '../view/view.ts';

/** Radius of the dome, as a multiple of the radius of the model. Below the far plane of the camera. */
const RADII = 20;

export class GroundedSky {
  readonly #mesh: Mesh<SphereGeometry, MeshBasicMaterial>;

  /**
   * Adds a dome to the scene of a view. `map`: equirectangular panorama. `height`: height of the
   * camera that took the panorama above its floor, in metres.
   */
  constructor(view: View, map: Texture, height: number) {
    const { center, radius } = view.extent!;
    const material = new MeshBasicMaterial({ map, side: BackSide, depthWrite: false });
    this.#mesh = new Mesh(flattened(new SphereGeometry(Math.max(radius * RADII, height * 2), 128, 64), height), material);
    this.#mesh.position.set(center.x, floorHeight(view.extent!) + height, center.z);
    this.#mesh.scale.z = -1; // the panorama is seen from inside
    // Pictures without the sky, and AR, have no background.
    this.#mesh.onBeforeRender = (_, scene) => void (material.colorWrite = scene.background !== null);
    view.scene.add(this.#mesh);
  }

  dispose(): void {
    this.#mesh.removeFromParent();
    this.#mesh.geometry.dispose();
    this.#mesh.material.dispose();
  }
}

/**
 * Flattens the part of a sphere that is `height` below its centre, with a smooth transition. The
 * formula is that of `GroundedSkybox` of three.js, which older releases do not have.
 */
function flattened(sphere: SphereGeometry, height: number): SphereGeometry {
  const positions = sphere.getAttribute('position');
  const at = new Vector3();
  const edge = (-height * 3) / 2;
  for (let i = 0; i < positions.count; i++) {
    at.fromBufferAttribute(positions, i);
    if (at.y >= 0) continue;
    at.multiplyScalar(at.y < edge ? -height / at.y : 1 - (at.y * at.y) / (3 * edge * edge));
    positions.setXYZ(i, at.x, at.y, at.z);
  }
  return sphere;
}
