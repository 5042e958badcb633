// Code that the examples share: a renderer in <main>, lights, and a camera that shows the whole model.
import { Box3, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export const demo = new URL('../src/viewer/demo/', document.baseURI);

/**
 * Shows an object. Calls `update` before each frame with the seconds since the last frame. The camera
 * shows the whole `box`.
 */
export function show(object, update, box = new Box3().setFromObject(object, true)) {
  const main = document.querySelector('main');
  const renderer = new WebGLRenderer({ antialias: true });
  main.append(renderer.domElement);
  const scene = new Scene();
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const sun = new DirectionalLight(0xffffff, 3);
  sun.position.set(1, 2, 3);
  scene.add(object, sun, new HemisphereLight(0xffffff, 0x667788, 2));

  const center = box.getCenter(new Vector3());
  const size = box.getSize(new Vector3());
  const camera = new PerspectiveCamera(35, 1, size.length() / 100, size.length() * 20);
  const { clientWidth, clientHeight } = main;
  const distance = (1.2 * Math.max(size.y, (size.x * clientHeight) / clientWidth)) / (2 * Math.tan((35 / 2) * (Math.PI / 180)));
  camera.position
    .set(0.27, 0.17, 0.95)
    .multiplyScalar(distance + size.z / 2)
    .add(center);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.target.copy(center);
  controls.update();

  let last = performance.now();
  renderer.setAnimationLoop(now => {
    scene.background = new Color(dark.matches ? 0x16181d : 0xf3f4f6);
    const { clientWidth, clientHeight } = main;
    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / clientHeight;
    camera.updateProjectionMatrix();
    update?.(Math.min((now - last) / 1000, 0.1));
    last = now;
    renderer.render(scene, camera);
  });
  return { renderer, scene, camera };
}
