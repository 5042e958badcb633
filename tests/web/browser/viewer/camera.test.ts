// Saved views of the camera, and fly mode.
import axe from 'axe-core';
import { Box3, Vector3 } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { extentOf } from '../../../../web/src/view/index.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makePsk } from '../../../support/actorx.ts';
import { dropOn, emulateTouch, frames, makeViewer, press } from './support.ts';

const wait = { timeout: 20_000 };
let viewer: Viewer;
const psk = (name: string, side: number): File => new File([makePsk({ side }) as Uint8Array<ArrayBuffer>], name);

const camera = (): Vector3 => viewer.view.cameraRig.camera.position;
const target = (): Vector3 => viewer.view.cameraRig.controls.target;
const isFlying = (): boolean => viewer.viewport.fly.value?.isOn.value ?? false;
/** Starts the fly mode, whose module is loaded then. */
async function startFlying(): Promise<void> {
  press('z');
  await vi.waitFor(() => expect(isFlying()).toBe(true), wait);
}
const tick = (seconds: number): unknown => viewer.viewport.fly.value!.tick(seconds);
const keyDown = (code: string, init: KeyboardEventInit = {}, on: EventTarget = document.body): boolean =>
  on.dispatchEvent(
    new KeyboardEvent('keydown', { code, key: code.replace('Key', '').toLowerCase(), bubbles: true, cancelable: true, ...init }),
  );
const keyUp = (code: string): boolean => document.body.dispatchEvent(new KeyboardEvent('keyup', { code, bubbles: true }));
const digit = (number: number): boolean => press('!', { code: `Digit${number}`, shiftKey: true });
const views = (): string[] => [...viewer.root.querySelectorAll('.bookmarks .name')].map(({ textContent }) => textContent!);

async function start(): Promise<void> {
  viewer = await makeViewer();
  await dropOn(viewer, psk('hero.psk', 6));
  viewer.showSection('camera');
  await vi.waitFor(() => expect(viewer.root.querySelector('.bookmark-form')).toBeTruthy(), wait);
}

beforeAll(async () => {
  await page.viewport(1200, 800);
  await start();
}, 60_000);
beforeEach(() => {
  if (isFlying()) press('Escape');
});
afterAll(() => {
  viewer.dispose();
  localStorage.clear();
});

it('saves views by name, and shows them by key and by button', async () => {
  const name = viewer.root.querySelector<HTMLInputElement>('.bookmark-form input')!;
  const save = viewer.root.querySelector<HTMLButtonElement>('.bookmark-form button')!;
  const first = camera().clone();
  save.click();
  viewer.run('top');
  viewer.dispatch({ type: 'set-view', settings: { isOrthographic: true } });
  const top = camera().clone();
  name.value = 'From above';
  save.click();
  expect(views()).toEqual(['View 1', 'From above']);
  expect((await axe.run(viewer.root.querySelector('.bookmark-box')!)).violations.map(({ id }) => id)).toEqual([]);
  digit(1);
  expect(viewer.session.value.viewSettings.isOrthographic).toBe(false);
  await vi.waitFor(() => expect(camera().distanceTo(first)).toBeLessThan(1e-3), wait);
  viewer.root.querySelectorAll<HTMLElement>('.bookmarks .plain')[1]!.click();
  await vi.waitFor(() => expect(camera().distanceTo(top)).toBeLessThan(1e-2), wait);
});

it('keeps the views of each model for the next visit', async () => {
  await dropOn(viewer, psk('other.psk', 8));
  expect(viewer.session.value.shown!.input.file.name).toBe('other.psk');
  expect(views()).toEqual([]);
  viewer.dispose();
  await start();
  expect(views()).toEqual(['View 1', 'From above']);
});

it('replaces a view of the same name, and deletes views', () => {
  viewer.saveView('From above');
  expect(views()).toEqual(['View 1', 'From above']);
  viewer.root.querySelector<HTMLElement>('[aria-label="Delete View 1"]')!.click();
  expect(views()).toEqual(['From above']);
  expect(document.activeElement).toBe(viewer.root.querySelector('.bookmark-form input'));
});

it('does not animate the camera if the visitor prefers reduced motion', () => {
  const match = vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  viewer.viewport.cameraView.reset();
  const { pose } = viewer.viewport.cameraView;
  viewer.viewport.cameraView.moveTo({ ...pose, position: [1, 2, 3], target: [0, 0, 0] });
  match.mockRestore();
  expect(
    camera()
      .toArray()
      .map(value => Math.round(value * 1e6) / 1e6),
  ).toEqual([1, 2, 3]);
});

it('flies with letters in the direction of the camera, faster with Shift', async () => {
  viewer.viewport.cameraView.reset();
  await startFlying();
  expect(viewer.root.querySelector<HTMLElement>('.fly-bar')!.hidden).toBe(false);
  expect((await axe.run(viewer.root.querySelector('.fly-bar')!)).violations.map(({ id }) => id)).toEqual([]);
  const before = camera().clone();
  const forward = target().clone().sub(before).normalize();
  expect(keyDown('KeyW')).toBe(false);
  tick(0.5);
  const moved = camera().clone().sub(before);
  expect(moved.clone().normalize().dot(forward)).toBeCloseTo(1, 3);
  keyUp('KeyW');
  keyDown('KeyW', { shiftKey: true });
  const fast = camera().clone();
  tick(0.5);
  expect(camera().distanceTo(fast) / moved.length()).toBeGreaterThan(3);
  keyUp('KeyW');
  const end = camera().clone();
  tick(0.5);
  expect(camera().distanceTo(end)).toBe(0);
});

describe('the bar of the fly mode', () => {
  // With a touch screen, the bar has buttons.
  beforeAll(() => emulateTouch(true));
  afterAll(async () => {
    await emulateTouch(false);
    await page.viewport(1200, 800);
    await frames(3);
  });

  it.each([
    [360, 740],
    [390, 844],
    [740, 360],
    [844, 390],
    [667, 375],
  ])('covers nothing of the model at %i × %i pixels, also after the phone is rotated', async (width, height) => {
    for (const isRotated of [false, true]) {
      await page.viewport(...((isRotated ? [height, width] : [width, height]) as [number, number]));
      viewer.viewport.cameraView.reset();
      await startFlying();
      await page.viewport(width, height);
      const bar = viewer.root.querySelector<HTMLElement>('.fly-bar')!;
      await vi.waitFor(() => {
        expect(bar.querySelector('.pad')!.checkVisibility()).toBe(true);
        const area = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
        const points: Vector3[] = [];
        const { points: values } = extentOf(viewer.view.content!);
        for (let i = 0; i < values!.length; i += 3) {
          const at = new Vector3().fromArray(values!, i).project(viewer.view.cameraRig.camera);
          points.push(at.set(area.left + ((at.x + 1) / 2) * area.width, area.top + ((1 - at.y) / 2) * area.height, 0));
        }
        const { min, max } = new Box3().setFromPoints(points);
        for (const cover of [bar, viewer.root.querySelector<HTMLElement>('.tools')!]) {
          const { left, right, top, bottom } = cover.getBoundingClientRect();
          expect([min.x >= right, max.x <= left, min.y >= bottom, max.y <= top], cover.className).toContain(true);
        }
        expect([min.x >= area.left, max.x <= area.right, min.y >= area.top, max.y <= area.bottom]).toEqual(Array(4).fill(true));
        expect(max.y - min.y).toBeGreaterThan(0.3 * area.height);
      }, wait);
      press('Escape');
    }
  });
});

it('looks around with arrow keys and the pointer, from the same place', async () => {
  await startFlying();
  const before = camera().clone();
  const direction = target().clone().sub(before).normalize();
  keyDown('ArrowRight', { key: 'ArrowRight' });
  tick(0.5);
  keyUp('ArrowRight');
  const turned = target().clone().sub(camera()).normalize();
  expect(turned.angleTo(direction)).toBeGreaterThan(0.3);
  expect(turned.dot(new Vector3(1, 0, 0).applyQuaternion(viewer.view.cameraRig.camera.quaternion))).toBeCloseTo(0, 3);
  const { canvas } = viewer.viewport.sharedRenderer;
  canvas.setPointerCapture = () => {};
  canvas.dispatchEvent(new PointerEvent('pointerdown', { clientX: 300, clientY: 300, pointerId: 7 }));
  canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: 400, clientY: 300, pointerId: 7 }));
  canvas.dispatchEvent(new PointerEvent('pointerup', { pointerId: 7 }));
  expect(target().clone().sub(camera()).normalize().angleTo(turned)).toBeGreaterThan(0.3);
  expect(camera().distanceTo(before)).toBeLessThan(1e-4);
  await frames(2);
});

it('leaves keys to inputs and lists, and to commands after it has ended', async () => {
  await startFlying();
  const before = camera().clone();
  const input = viewer.root.querySelector<HTMLInputElement>('.bookmark-form input')!;
  expect(keyDown('KeyW', {}, input)).toBe(true);
  const listbox = document.createElement('div');
  listbox.setAttribute('role', 'listbox');
  viewer.root.append(listbox);
  keyDown('KeyW', {}, listbox);
  tick(1);
  expect(camera().distanceTo(before)).toBe(0);
  listbox.remove();
  press('Escape');
  expect(isFlying()).toBe(false);
  const { wireframe } = viewer.session.value.viewSettings;
  keyDown('KeyW');
  expect(viewer.session.value.viewSettings.wireframe).toBe(!wireframe);
  keyDown('KeyW');
});

it('has buttons that move while they are pressed, and orbits the model afterwards', async () => {
  viewer.viewport.cameraView.reset();
  await startFlying();
  const back = [...viewer.root.querySelectorAll<HTMLElement>('.fly-bar .pad button')].find(({ textContent }) => textContent === 'Back')!;
  const before = camera().clone();
  back.dispatchEvent(new PointerEvent('pointerdown'));
  tick(0.5);
  back.dispatchEvent(new PointerEvent('pointerup'));
  const distance = camera().distanceTo(before);
  expect(distance).toBeGreaterThan(0);
  tick(0.5);
  expect(camera().distanceTo(before)).toBe(distance);
  press('Escape');
  const { center, radius } = viewer.view.extent!;
  expect(target().distanceTo(center)).toBeLessThan(2 * radius);
  expect(viewer.view.cameraRig.controls.enabled).toBe(true);
});
