// A page that draws the same files with whatever release of three it was built with. `draw` gives the pixels of one picture.
import {
  AnimationMixer,
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  REVISION,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { Rig, RigcastLoader } from 'rigcast/three';
import { chainScene } from '#tests/support/chainScene.ts';

const SIZE = 256;
const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
document.body.append(renderer.domElement);
const loader = new RigcastLoader().setOptions({ worker: false }); // whether one starts in time is not the question here
loader.detectSupport(renderer);
loader.setFiles(['Pip_D.png', 'Tock_albedo.png', 'Tock_emissive.png', 'Tock_metal.png', 'Tock_normal.png', 'Tock_roughness.png']);

/** Eight influences and dual quaternions at once: what only our own shaders draw. */
function bentChain() {
  const rig = new Rig({ scene: chainScene(8, 'dualQuaternion') });
  for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation.set(0.05 * i, i * 0.12, i % 2 ? 0.5 : 0.1);
  return rig;
}

async function pictured(name, motion) {
  if (name === 'chain') return bentChain();
  const rig = await loader.loadAsync(name);
  const { animations } = motion ? rig.bind(await loader.loadAsync(motion)) : rig;
  const mixer = new AnimationMixer(rig.scene);
  if (animations[0]) mixer.clipAction(animations[0]).play();
  mixer.setTime(0.4);
  return rig;
}

function frame(object) {
  object.updateMatrixWorld(true);
  const box = new Box3().setFromObject(object);
  const center = box.getCenter(new Vector3()),
    size = box.getSize(new Vector3()).length();
  const camera = new PerspectiveCamera(40, 1, size / 100, size * 10);
  camera.position
    .set(0.5, 0.3, 1)
    .multiplyScalar(size * 1.2)
    .add(center);
  camera.lookAt(center);
  return camera;
}

/** RGBA of every pixel as a data URL, which Playwright returns faster than numbers, and what the report says. */
async function draw(name, motion) {
  const rig = await pictured(name, motion);
  const scene = new Scene();
  scene.background = new Color(0x336699);
  const sun = new DirectionalLight(0xffffff, 3);
  sun.position.set(1, 2, 3);
  scene.add(rig.scene, sun, new HemisphereLight(0xffffff, 0x444444, 1));
  renderer.render(scene, frame(rig.scene));
  const gl = renderer.getContext();
  const pixels = new Uint8Array(SIZE * SIZE * 4);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  rig.dispose();
  const reader = new FileReader();
  reader.readAsDataURL(new Blob([pixels]));
  await new Promise(resolve => reader.addEventListener('load', resolve));
  return { pixels: reader.result, codes: rig.report.items.map(({ code }) => code) };
}

Object.assign(globalThis, { draw, revision: REVISION });
