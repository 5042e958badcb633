// Orthographic version of a perspective camera.
import { MathUtils, type OrthographicCamera, type PerspectiveCamera, type Vector3 } from 'three';

/**
 * Changes `to` to an orthographic version of a camera, and returns it. Objects at `target` keep their
 * apparent size.
 */
export function orthographicOf(camera: PerspectiveCamera, target: Vector3, to: OrthographicCamera): OrthographicCamera {
  const half = camera.position.distanceTo(target) * Math.tan(MathUtils.degToRad(camera.fov) / 2);
  Object.assign(to, {
    top: half,
    bottom: -half,
    right: half * camera.aspect,
    left: -half * camera.aspect,
    near: -camera.far,
    far: camera.far,
  });
  to.position.copy(camera.position);
  to.quaternion.copy(camera.quaternion);
  to.view = camera.view && { ...camera.view };
  to.updateProjectionMatrix();
  to.updateMatrixWorld();
  return to;
}
