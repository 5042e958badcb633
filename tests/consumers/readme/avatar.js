// README's second example adds to somebody's scene; the third and the fourth need no picture, but they run.
import { Box3, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { addAvatar } from './example1.ts';
import { describe } from './example2.ts';

const renderer = new WebGLRenderer();
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new Scene();
scene.add(new DirectionalLight(0xffffff, 3), new HemisphereLight(0xffffff, 0x444444, 2));
const update = await addAvatar(scene, renderer);
const box = new Box3().setFromObject(scene), center = box.getCenter(new Vector3()), size = box.getSize(new Vector3()).length();
const camera = new PerspectiveCamera(40, innerWidth / innerHeight, size / 100, size * 10);
camera.position.set(size / 2, size / 4, size * 1.2).add(center);
camera.lookAt(center);
update(0.1);

console.log = () => {}; // the example prints the report
const names = await describe(new URL('hero.psk', document.baseURI));
if (names?.length > 0) renderer.setAnimationLoop(() => renderer.render(scene, camera));
