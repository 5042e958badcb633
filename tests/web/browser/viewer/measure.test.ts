// Measuring between two points of the surface or two bones, and the lengths of bones.
import axe from 'axe-core';
import { type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import type { Measure } from '../../../../web/src/viewer/measure.ts';
import { lengthText } from '../../../../web/src/viewer/lengths.ts';
import { pictureOf } from '../../../../web/src/viewer/pictures.ts';
import { pixelsOfImage } from '../encode/support.ts';
import { frames, makeViewer, press } from './support.ts';

const wait = { timeout: 20_000 };
let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(1200, 800);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
  viewer.playback.seek(0);
  await frames(2);
}, 60_000);
afterAll(() => viewer.dispose());

const measure = (): Measure => viewer.viewport.measure.value!;
const section = (): HTMLElement => viewer.root.querySelector('#section-measure')!;
const result = (): string => section().querySelector('.measured')!.textContent;
const list = (name: string): HTMLSelectElement => section().querySelector(`select[aria-label="${name}"]`)!;
const placeOf = (node: Object3D): Vector3 => node.getWorldPosition(new Vector3());

/** Clicks the picture at a position in the scene. */
function clickAt(place: Vector3): void {
  const { canvas } = viewer.viewport.sharedRenderer;
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const { x, y } = place.clone().project(viewer.view.cameraRig.active);
  const at = { clientX: left + ((x + 1) / 2) * width, clientY: top + ((1 - y) / 2) * height, pointerId: 1, bubbles: true };
  for (const type of ['pointerdown', 'pointerup']) canvas.dispatchEvent(new PointerEvent(type, at));
}

function choose(name: string, bone: number): void {
  list(name).value = String(bone);
  list(name).dispatchEvent(new Event('change'));
}

it('starts by key, opens its section, and ends by Escape', async () => {
  press('j');
  await vi.waitFor(() => expect(viewer.viewport.measure.value?.isOn.value).toBe(true), wait);
  await vi.waitFor(() => expect(result()).toBe('Click two points of the model, or choose two bones.'), wait);
  press('Escape');
  expect(measure().isOn.value).toBe(false);
  press('j');
  await vi.waitFor(() => expect(measure().isOn.value).toBe(true), wait);
});

it('measures between two clicks on the surface, and follows the pose', async () => {
  const mesh = viewer.model!.rig.meshes.find(each => each && 'isSkinnedMesh' in each) as SkinnedMesh;
  const { center, radius } = viewer.view.extent!;
  // Points on the surface in front of the centre and above it.
  const seen = [center.clone(), center.clone().add(new Vector3(0, radius * 0.25, 0))];
  clickAt(seen[0]!);
  expect(measure().distance.value).toBeNull();
  clickAt(seen[1]!);
  const { points, distance } = measure();
  expect(points.value.map(point => point?.bone)).toEqual([null, null]);
  const [from, to] = points.value.map(point => point!.place(new Vector3()));
  expect(distance.value).toBeCloseTo(from!.distanceTo(to!), 6);
  expect(distance.value).toBeGreaterThan(radius * 0.1);
  await frames(2);
  expect(result()).toMatch(/^[\d.,]+ m/);
  expect([list('From').value, list('To').value]).toEqual(['surface', 'surface']);
  // A point stays on its triangle when bones move the triangle.
  const bone = mesh.skeleton.bones.at(0)!;
  bone.position.y += 1;
  viewer.view.scene.updateMatrixWorld(true);
  expect(points.value[0]!.place(new Vector3()).y).toBeGreaterThan(from!.y + 0.2);
  bone.position.y -= 1;
  viewer.view.scene.updateMatrixWorld(true);
});

it('begins again with the third click, and can be cleared', async () => {
  clickAt(viewer.view.extent!.center);
  expect(measure().points.value[1]).toBeNull();
  section().querySelector<HTMLElement>('.actions button')!.click();
  await frames(2);
  expect(measure().canvas.hidden).toBe(true);
});

it('measures between two bones that are chosen without a pointer', async () => {
  const { bones } = viewer.model!;
  choose('From', 0);
  choose('To', 2);
  const wanted = placeOf(bones[0]!).distanceTo(placeOf(bones[2]!));
  expect(measure().distance.value).toBeCloseTo(wanted, 5);
  expect(section().querySelector('.measured')!.getAttribute('role')).toBe('status');
  expect((await axe.run(section())).violations.map(({ id }) => id)).toEqual([]);
});

it('is in saved pictures as on the page, with its length and with bone names', async () => {
  const choice = { scale: 2, isTransparent: true, hasFloor: false };
  const picture = async (): Promise<ImageData> => pixelsOfImage((await pictureOf(viewer.viewport, '', choice))!);
  /** Returns the number of pixels that differ. */
  const changes = (a: ImageData, b: ImageData): number => a.data.filter((value, i) => Math.abs(value - b.data[i]!) > 24).length;
  const measured = await picture();
  const accent = /\d+, \d+, \d+/.exec(getComputedStyle(measure().canvas).color)![0];
  const isAccent = ({ data }: ImageData, at: number): boolean => data.subarray(at, at + 3).join(', ') === accent;
  const accents = (image: ImageData): number => image.data.filter((_, i) => i % 4 === 0 && isAccent(image, i)).length;
  // Two dots with a radius of 10 pixels, and the background of the text.
  expect(accents(measured)).toBeGreaterThan(600);
  const points = measure().points.value;
  measure().clear();
  await frames(2);
  const plain = await picture();
  expect(accents(plain)).toBeLessThan(100);
  viewer.dispatch({ type: 'set-view', settings: { bones: true, boneNames: true } });
  await frames(3);
  const named = await picture();
  viewer.dispatch({ type: 'set-view', settings: { boneNames: false } });
  await frames(3);
  expect(changes(named, await picture())).toBeGreaterThan(1000);
  viewer.dispatch({ type: 'set-view', settings: { bones: false } });
  points.forEach((point, i) => measure().set(i, point));
  await frames(2);
});

it('measures the length of a scaled model in metres, and in the unit of the file', async () => {
  const before = measure().distance.value!;
  viewer.dispatch({ type: 'set-placement', placement: { scale: 10 } });
  await frames(3);
  expect(measure().distance.value! / before).toBeCloseTo(10, 2);
  viewer.dispatch({ type: 'set-placement', placement: { scale: 1 } });
});

it('writes lengths in metres and in the unit of the file', () => {
  expect(lengthText(0.35)).toBe('0.35 m');
  expect(lengthText(0.35, { unit: 1 })).toBe('0.35 m');
  expect(lengthText(0.35, { unit: 0.01 })).toBe('0.35 m (35 cm in the file)');
  expect(lengthText(0.0123456, { unit: 0.0254 })).toBe('0.01235 m (0.486 in in the file)');
  expect(lengthText(3.5, { unit: 0.01, scale: 10 })).toBe('3.5 m (35 cm in the file)');
  expect(lengthText(6, { unit: 3 })).toBe('6 m (2 units in the file)');
});

it('shows the lengths of a bone in Inspect', async () => {
  viewer.showSection('inspect');
  const bone = viewer.model!.bones.find(each => each.children.some(child => 'isBone' in child))!;
  const child = bone.children.find(each => 'isBone' in each)!;
  viewer.viewport.overlays.choose(bone);
  const length = lengthText(placeOf(bone).distanceTo(placeOf(child)), { unit: viewer.model!.file.scene!.asset.metresPerUnit });
  await vi.waitFor(() => expect(viewer.root.querySelector('#section-inspect')!.textContent).toContain(`Length${length} to `), wait);
});
