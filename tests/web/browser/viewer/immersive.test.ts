// VR and AR in the viewer, with IWER, an emulator of WebXR devices.
import axe from 'axe-core';
import { metaQuest3, XRDevice } from 'iwer';
import { Vector3 } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { supportsImmersive } from '../../../../web/src/view/immersiveSupport.ts';
import { FloorEnvironment } from './floorEnvironment.ts';
import { frames, makeViewer } from './support.ts';

const wait = { timeout: 20_000 };
let viewer: Viewer;
let device: XRDevice;

beforeAll(async () => {
  expect(await supportsImmersive('vr')).toBe(false);
  device = new XRDevice(metaQuest3);
  device.installRuntime({ forceInstall: true });
  device.installSEM(FloorEnvironment as unknown as Parameters<XRDevice['installSEM']>[0]);
  await page.viewport(1200, 800);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
  viewer.playback.seek(0);
  await frames(2);
}, 60_000);
afterAll(() => {
  viewer.dispose();
  device.uninstallRuntime();
});

const button = (id: string): HTMLButtonElement => viewer.root.querySelector(`.tools [data-command="${id}"]`)!;
const card = (): HTMLElement => viewer.viewport.immersive.element;
const xr = (): { isPresenting: boolean } => viewer.viewport.sharedRenderer.renderer.xr;
/** Camera between the eyes, in the scene. */
const eye = (): Vector3 => new Vector3().setFromMatrixPosition(viewer.viewport.sharedRenderer.renderer.xr.getCamera().matrixWorld);
const frontOf = (): Vector3 => new Vector3(Math.sin(viewer.viewport.cameraView.front), 0, Math.cos(viewer.viewport.cameraView.front));
/** Horizontal vector from the centre of the content to the visitor. */
const toVisitor = (): Vector3 => eye().sub(viewer.view.extent!.center).setY(0);

async function enter(mode: 'vr' | 'ar'): Promise<void> {
  button(mode).click();
  await vi.waitFor(() => expect(viewer.viewport.immersive.shown.value).toBe(mode), wait);
  const before = viewer.viewport.sharedRenderer.frames;
  await vi.waitFor(() => expect(viewer.viewport.sharedRenderer.frames).toBeGreaterThan(before + 2), wait);
}

async function leave(): Promise<void> {
  card().querySelector('button')!.click();
  await vi.waitFor(() => expect(viewer.viewport.immersive.shown.value).toBeNull(), wait);
}

/** Waits for frames of the session. */
async function immersiveFrames(count = 3): Promise<void> {
  const before = viewer.viewport.sharedRenderer.frames;
  await vi.waitFor(() => expect(viewer.viewport.sharedRenderer.frames).toBeGreaterThan(before + count), wait);
}

it('shows the buttons only if the device supports the modes', async () => {
  await vi.waitFor(() => expect([button('vr').hidden, button('ar').hidden]).toEqual([false, false]), wait);
  expect(button('vr').title).toBe('Show in VR');
});

it('places the visitor on the floor, in front of the model, at its real size', async () => {
  device.position.set(0.4, 1.7, -0.3);
  device.quaternion.set(0, Math.SQRT1_2, 0, Math.SQRT1_2); // looks along −X
  await enter('vr');
  expect(xr().isPresenting).toBe(true);
  const { extent, ground } = viewer.view;
  const size = extent!.box.getSize(new Vector3());
  expect(eye().y).toBeCloseTo(ground.object.position.y + 1.7, 2);
  expect(toVisitor().length()).toBeCloseTo(Math.max(size.x, size.z) / 2 + 1.2, 1);
  expect(toVisitor().normalize().dot(frontOf())).toBeGreaterThan(0.99);
  const gaze = new Vector3(0, 0, -1).transformDirection(viewer.viewport.sharedRenderer.renderer.xr.getCamera().matrixWorld);
  expect(gaze.dot(frontOf())).toBeLessThan(-0.99);
});

it('draws the model in the session, and draws no pictures of the page meanwhile', async () => {
  const { canvas, renderer } = viewer.viewport.sharedRenderer;
  const { center } = viewer.view.extent!;
  // Looks down to the centre of the model.
  device.quaternion.set(...lookDown(Math.atan2(1.7 - center.y, toVisitor().length())));
  await immersiveFrames();
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const colors = await new Promise<Set<number>>(resolve => {
    renderer.xr.getSession()!.requestAnimationFrame(() => {
      // After the frame of the page, the picture is still in the canvas.
      queueMicrotask(() => {
        copy.getContext('2d')!.drawImage(canvas, 0, 0);
        resolve(new Set(new Uint32Array(copy.getContext('2d')!.getImageData(0, 0, copy.width, copy.height).data.buffer)));
      });
    });
  });
  expect(colors.size).toBeGreaterThan(500); // the plain background would be one colour
  expect(await viewer.viewport.sharedRenderer.toBlob(viewer.view)).toBeNull();
});

it('turns the visitor around the model and steps with the thumbstick', async () => {
  const controller = device.controllers.right!;
  const before = toVisitor();
  const push = async (x: number, y: number): Promise<void> => {
    controller.updateAxes('thumbstick', x, y);
    await immersiveFrames();
    controller.updateAxes('thumbstick', 0, 0);
    await immersiveFrames();
  };
  await push(1, 0);
  expect((toVisitor().angleTo(before) * 180) / Math.PI).toBeCloseTo(30, 0);
  expect(toVisitor().length()).toBeCloseTo(before.length(), 2);
  await push(-1, 0);
  await push(0, -1);
  expect(toVisitor().length()).toBeCloseTo(before.length() - 0.5, 2);
  await push(0, 1);
});

it('plays and pauses with the trigger', async () => {
  const controller = device.controllers.right!;
  const before = viewer.playback.playing;
  controller.updateButtonValue('trigger', 1);
  await immersiveFrames();
  controller.updateButtonValue('trigger', 0);
  await immersiveFrames();
  expect(viewer.playback.playing).toBe(!before);
  const { time } = viewer.playback;
  await immersiveFrames(5);
  expect(viewer.playback.time).not.toBe(time);
  viewer.playback.pause();
});

it('explains the controls, and returns to the page as it was', async () => {
  expect(card().textContent).toContain('Thumbstick');
  const { violations } = await axe.run(card());
  expect(violations.map(({ id }) => id)).toEqual([]);
  const { overlays } = viewer.view;
  const inSession = overlays.children.length;
  await leave();
  expect(overlays.children.length).toBe(inSession - 1);
  expect([xr().isPresenting, card().hidden]).toEqual([false, true]);
  await frames(3);
  expect(await viewer.viewport.sharedRenderer.toBlob(viewer.view)).not.toBeNull();
});

it('moves the model to the floor at which a tap points, facing the visitor, in AR', async () => {
  device.position.set(0, 1.6, 0);
  device.quaternion.set(...lookDown(0.5));
  expect(viewer.view.ground.gridVisible).toBe(true);
  await enter('ar');
  expect(viewer.view.ground.gridVisible).toBe(false);
  expect(viewer.view.scene.background).toBeNull();
  const press = async (): Promise<void> => {
    for (const value of [1, 0]) {
      device.controllers.right!.updateButtonValue('trigger', value);
      await immersiveFrames();
    }
  };
  await immersiveFrames();
  await press();
  // The visitor looks down by 0.5 radians from 1.6 m.
  expect(toVisitor().length()).toBeCloseTo(1.6 / Math.tan(0.5), 1);
  expect(toVisitor().normalize().dot(frontOf())).toBeGreaterThan(0.99);
  // Dragging rotates the model. The tap at its end does not place the model again.
  const before = toVisitor();
  for (const [type, clientX] of [
    ['pointerdown', 100],
    ['pointermove', 150],
    ['pointermove', 200],
  ] as const)
    card().dispatchEvent(new PointerEvent(type, { clientX, bubbles: true }));
  await press();
  card().dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
  expect(toVisitor().angleTo(before)).toBeCloseTo(1, 1);
  await leave();
  expect(viewer.view.ground.gridVisible).toBe(true);
});

it('lets the visitor stand in the place of the recorded head', async () => {
  await viewer.openDemo('hands');
  viewer.playback.pause();
  device.position.set(1, 1.2, 1);
  device.quaternion.set(0, 0, 0, 1);
  await enter('vr');
  const { camera } = viewer.viewport.recording!;
  const difference = eye().distanceTo(camera!.getWorldPosition(new Vector3()));
  expect(difference).toBeLessThan(0.04); // the camera is that of one eye
  await leave();
});

it('says so if a session cannot start', async () => {
  vi.spyOn(navigator.xr!, 'requestSession').mockRejectedValueOnce(new DOMException('refused', 'NotAllowedError'));
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  button('vr').click();
  await vi.waitFor(() => expect(card().textContent).toContain('could not start'), wait);
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
  await leave();
  expect(card().hidden).toBe(true);
});

/** Quaternion of a head that looks along −Z and down by an angle. */
function lookDown(angle: number): [number, number, number, number] {
  return [Math.sin(-angle / 2), 0, 0, Math.cos(angle / 2)];
}
