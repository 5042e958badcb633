// Runs an unmodified example page of three.js (hands in VR) with a recording instead of a headset.
import * as iwer from 'iwer';
import { PerspectiveCamera, Quaternion, Scene, Vector3, WebGLRenderer } from 'three';
import { VRButton } from 'three/addons/webxr/VRButton.js';
import { XRControllerModelFactory } from 'three/addons/webxr/XRControllerModelFactory.js';
import { XRHandModelFactory } from 'three/addons/webxr/XRHandModelFactory.js';
import { afterEach, expect, it } from 'vitest';
import {
  handsOf,
  installRecording,
  type InstalledRecording,
  type Rig,
  RecordedInput,
  RigcastLoader,
} from '../../../../web/src/three/index.ts';

const bytes = await (await fetch(new URL('../../../../web/src/viewer/demo/wavingHands.bin', import.meta.url))).arrayBuffer();
const recording = (): Promise<Rig> => new RigcastLoader().parseAsync(bytes, '', 'wavingHands.bin');

let installed: InstalledRecording | null = null;
afterEach(() => {
  installed?.dispose();
  installed = null;
  document.body.replaceChildren();
});

/** Copy of webxr_vr_handinput.html from the three.js examples, without its floor and lights. */
function page() {
  const scene = new Scene();
  const camera = new PerspectiveCamera(50, 1, 0.1, 10);
  const renderer = new WebGLRenderer({ antialias: true });
  renderer.setSize(64, 64);
  renderer.xr.enabled = true;
  const controllerModelFactory = new XRControllerModelFactory();
  const handModelFactory = new XRHandModelFactory();
  const controllers = [0, 1].map(i => renderer.xr.getController(i));
  scene.add(...controllers);
  const hands = [0, 1].map(i => {
    const grip = renderer.xr.getControllerGrip(i);
    grip.add(controllerModelFactory.createControllerModel(grip));
    scene.add(grip);
    const hand = renderer.xr.getHand(i);
    hand.add(handModelFactory.createHandModel(hand, 'spheres'));
    hand.addEventListener('connected', ({ data }) => void (hand.userData['handedness'] = (data as XRInputSource).handedness));
    scene.add(hand);
    return { hand };
  });
  document.body.appendChild(renderer.domElement);
  const button = VRButton.createButton(renderer, { requiredFeatures: ['hand-tracking'] });
  document.body.appendChild(button);
  // three.js updates grip spaces only for controllers, but a page can request the grip spaces of
  // hands itself.
  const spaces = new Map<string, Vector3>();
  renderer.setAnimationLoop((_, frame?: XRFrame) => {
    renderer.render(scene, camera);
    for (const { handedness, gripSpace, targetRaySpace, targetRayMode } of frame?.session.inputSources ?? [])
      for (const [name, space] of Object.entries({ grip: gripSpace, ray: targetRaySpace })) {
        const pose = space && frame!.getPose(space, renderer.xr.getReferenceSpace()!);
        const { x = 0, y = 0, z = 0 } = pose?.transform.position ?? {};
        if (pose) spaces.set(`${targetRayMode} ${handedness} ${name}`, new Vector3(x, y, z));
      }
  });
  return { scene, renderer, controllers, hands, button, spaces };
}

const soon = async (what: string, is: () => boolean): Promise<void> => {
  for (let i = 0; i < 600; i++) {
    if (is()) return;
    await new Promise(resolve => requestAnimationFrame(resolve));
  }
  throw new Error(`It never came: ${what}`);
};

it('lets an unmodified page enter VR with joints, grips, target rays and pinches of the recording', async () => {
  const rig = await recording();
  installed = await installRecording(rig, iwer);
  installed.pause();
  const { renderer, controllers, hands, button, spaces } = page();
  await soon('the button', () => /ENTER VR/i.test(button.textContent));
  const selects: string[] = [];
  for (const [i, controller] of controllers.entries())
    for (const type of ['selectstart', 'selectend'] as const) controller.addEventListener(type, () => void selects.push(`${type} ${i}`));
  button.click();
  await soon('the session', () => renderer.xr.isPresenting);

  // Expects the events that the recording contains at the same times.
  const other = new RecordedInput(await recording());
  const shift = 1.6 - other.frameAt(0).getViewerPose()!.transform.position.y;
  const tracked: number[] = [];
  for (let time = 0; time < other.duration; time += 0.05) if (other.frameAt(time).inputSources.length >= 2) tracked.push(time);
  expect(tracked.length).toBeGreaterThan(4);
  for (const time of [tracked[1]!, tracked[Math.floor(tracked.length / 2)]!, tracked.at(-2)!]) {
    installed.seek(time);
    const frame = other.frameAt(time);
    for (let i = 0; i < 4; i++) await new Promise(resolve => requestAnimationFrame(resolve));
    for (const source of frame.inputSources) {
      if (!source.hand) continue;
      const mine = hands.find(({ hand }) => hand.userData['handedness'] === source.handedness)!;
      for (const name of ['wrist', 'index-finger-tip', 'thumb-tip', 'pinky-finger-phalanx-proximal'] as const) {
        const { position, orientation } = frame.getJointPose(source.hand.get(name)!)!.transform;
        const joint = mine.hand.joints[name]!;
        expect(joint.visible).toBe(true);
        const place = new Vector3().setFromMatrixPosition(joint.matrixWorld);
        expect(place.distanceTo(new Vector3(position.x, position.y + shift, position.z))).toBeLessThan(1e-3);
        const turn = new Quaternion().setFromRotationMatrix(joint.matrixWorld);
        expect(turn.angleTo(new Quaternion(orientation.x, orientation.y, orientation.z, orientation.w))).toBeLessThan(2e-3);
      }
      for (const [name, space] of Object.entries({ grip: source.gripSpace!, ray: source.targetRaySpace })) {
        const { x, y, z } = frame.getPose(space)!.transform.position;
        expect(spaces.get(`tracked-pointer ${source.handedness} ${name}`)!.distanceTo(new Vector3(x, y + shift, z))).toBeLessThan(1e-3);
      }
    }
    const head = frame.getViewerPose()!.transform.position;
    const seen = new Vector3().setFromMatrixPosition(renderer.xr.getCamera().matrixWorld);
    expect(seen.distanceTo(new Vector3(head.x, head.y + shift, head.z))).toBeLessThan(0.05); // between the eyes
  }

  // The page receives the pinches of the recording.
  const pinches: string[] = [];
  for (let time = 0; time <= other.duration; time += 1 / 60)
    for (const { type, inputSource } of other.frameAt(time).selects)
      if (type !== 'select') pinches.push(`${type} ${inputSource.handedness}`);
  installed.loop = false;
  installed.speed = 1;
  installed.seek(0);
  installed.play();
  await soon('the end', () => !installed!.isPlaying);
  expect(pinches.length).toBeGreaterThan(0);
  expect(selects.filter(each => each.startsWith('selectstart')).length).toBe(pinches.filter(each => each.startsWith('selectstart')).length);
  await renderer.xr.getSession()!.end();
  renderer.dispose();
}, 110_000);

it('restores the page on dispose', async () => {
  const before = navigator.xr;
  const rig = await recording();
  installed = await installRecording(rig, iwer);
  expect(navigator.xr).not.toBe(before);
  installed.dispose();
  installed = null;
  expect(navigator.xr).toBe(before);
});

it('places grip and target ray in the hand as WebXR specifies', async () => {
  const rig = await recording();
  const input = new RecordedInput(rig);
  const frames = Array.from({ length: 40 }, (_, i) => (i * input.duration) / 40);
  let seen = 0;
  for (const time of frames) {
    const frame = input.frameAt(time);
    for (const source of frame.inputSources) {
      if (!source.gripSpace) continue;
      const { joints } = handsOf(rig).find(({ handedness }) => handedness === source.handedness)!;
      const at = (name: string): Vector3 => new Vector3().setFromMatrixPosition(joints[name]!.matrixWorld);
      const { orientation, position } = frame.getPose(source.gripSpace)!.transform;
      const turn = new Quaternion(orientation.x, orientation.y, orientation.z, orientation.w);
      const toThumb = at('index-finger-phalanx-proximal').sub(at('pinky-finger-phalanx-proximal')).normalize();
      expect(new Vector3(0, 0, -1).applyQuaternion(turn).dot(toThumb)).toBeGreaterThan(0.8);
      const toArm = at('wrist').sub(at('middle-finger-phalanx-proximal')).normalize();
      expect(new Vector3(0, 1, 0).applyQuaternion(turn).dot(toArm)).toBeGreaterThan(0.8);
      expect(new Vector3(position.x, position.y, position.z).distanceTo(at('wrist'))).toBeLessThan(0.12);
      const ray = frame.getPose(source.targetRaySpace)!.transform.orientation;
      const way = new Vector3(0, 0, -1).applyQuaternion(new Quaternion(ray.x, ray.y, ray.z, ray.w));
      const head = frame.getViewerPose()!.transform.position;
      expect(
        way.dot(
          at('index-finger-phalanx-proximal')
            .sub(new Vector3(head.x, head.y - 0.16, head.z))
            .normalize(),
        ),
      ).toBeGreaterThan(0.8);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(20);
});
