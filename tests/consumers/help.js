// Help for blocks of the documentation that export functions: a scene with lights, a camera, and files.
import { Box3, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';

export const renderer = new WebGLRenderer({ antialias: true });
export const scene = new Scene();
scene.add(new DirectionalLight(0xffffff, 3), new HemisphereLight(0xffffff, 0x444444, 2));

/** Draws what is in the scene, again and again; `update` gets the seconds since the last picture. */
export function look(update = () => {}) {
  renderer.setSize(innerWidth, innerHeight);
  document.body.append(renderer.domElement);
  scene.updateMatrixWorld(true);
  const box = new Box3().setFromObject(scene);
  const center = box.getCenter(new Vector3());
  const size = box.getSize(new Vector3()).length();
  const camera = new PerspectiveCamera(40, innerWidth / innerHeight, size / 100, size * 10);
  camera.position.set(size / 3, size / 5, size * 1.1).add(center);
  camera.lookAt(center);
  renderer.setAnimationLoop(() => {
    update(1 / 60);
    renderer.render(scene, camera);
  });
}

export const address = name => new URL(name, document.baseURI);

/** A file of the page, as a visitor would drop it. */
export async function dropped(name) {
  return new File([await (await fetch(name)).blob()], name);
}

/** Throws unless something is as a page says. */
export function check(isSo, what) {
  if (!isSo) throw new Error(what);
}
