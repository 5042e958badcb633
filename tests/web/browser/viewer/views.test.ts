// Shading modes: each draws a different picture and leaves the model unchanged.
import { type Material, type Mesh, OrthographicCamera, type SkinnedMesh, Vector3 } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { VIEW_MODES, weightsOf } from '../../../../web/src/view/index.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { dropOn, fetchBlob, makeViewer, press } from './support.ts';

let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(900, 640);
  viewer = await makeViewer();
}, 120_000);
beforeEach(async () => {
  if (viewer.session.value.demo !== 'pip') await viewer.openDemo('pip');
  viewer.playback.pause();
  viewer.playback.seek(0);
}, 60_000);
afterAll(() => viewer.dispose());

const boneCalled = (name: string): (typeof viewer.model & object)['bones'][number] =>
  viewer.model!.bones.find(bone => bone.userData['name'] === name)!;

/** Returns the RGBA pixels of the viewport, 64 × 48. */
function picture(): Uint8ClampedArray {
  viewer.viewport.drawNow();
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
  const context = canvas.getContext('2d')!;
  context.drawImage(viewer.viewport.sharedRenderer.canvas, 0, 0, 64, 48);
  return context.getImageData(0, 0, 64, 48).data;
}

/** Returns the number of pixels that differ. */
function apart(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) if ([0, 1, 2].some(c => Math.abs(a[at + c]! - b[at + c]!) > 12)) count++;
  return count;
}

it('draws a different picture in each shading mode and restores the materials', () => {
  const meshes = viewer.model!.rig.meshes.filter(mesh => mesh !== null) as Mesh[];
  const stateOf = (): unknown[] =>
    meshes.map(mesh => [
      mesh.material,
      Object.keys(mesh.geometry.attributes),
      [mesh.material].flat().map(({ visible, side, version, vertexColors }: Material) => [visible, side, version, vertexColors]),
    ]);
  viewer.viewport.overlays.bone.value = boneCalled('head');
  const plain = picture();
  const before = stateOf();
  const pictures = new Map([['lit', plain]]);
  const button = (mode: string): HTMLButtonElement => viewer.root.querySelector<HTMLButtonElement>(`[data-mode=${mode}]`)!;
  // Pip has no vertex colours, and his mesh has one material.
  expect(button('colors').hidden).toBe(true);
  for (const mode of VIEW_MODES.slice(1).filter(each => each !== 'colors')) {
    button(mode).click();
    const seen = picture();
    for (const [other, drawn] of pictures) expect(apart(seen, drawn), `${mode} beside ${other}`).toBeGreaterThan(20);
    pictures.set(mode, seen);
  }
  button('lit').click();
  press('w');
  expect(apart(picture(), plain)).toBeGreaterThan(20);
  press('w');
  expect(apart(picture(), plain)).toBe(0);
  expect(stateOf()).toEqual(before);
  viewer.viewport.overlays.bone.value = null;
});

it('keeps a hidden material hidden in every shading mode', () => {
  const box = viewer.root.querySelector<HTMLInputElement>('.tree input')!;
  viewer.run('mode');
  box.click();
  const [hidden] = [picture()];
  viewer.view.content!.visible = false;
  viewer.view.isShadowStale = true;
  expect(apart(hidden, picture())).toBeLessThan(15);
  viewer.view.content!.visible = true;
  box.click();
  viewer.dispatch({ type: 'set-view', settings: { mode: 'lit' } });
});

it('shows the weights of all bones, or of the selected bone', () => {
  viewer.dispatch({ type: 'set-view', settings: { mode: 'weights' } });
  const hues = (): number => {
    const found = new Set<number>();
    const seen = picture();
    for (let at = 0; at < seen.length; at += 4) {
      const [r, g, b] = [seen[at]!, seen[at + 1]!, seen[at + 2]!];
      if (Math.max(r, g, b) - Math.min(r, g, b) > 40) found.add(Math.round(Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 3));
    }
    return found.size;
  };
  expect(hues()).toBeGreaterThan(8);
  const shared = picture();
  viewer.viewport.overlays.bone.value = boneCalled('head');
  expect(apart(shared, picture())).toBeGreaterThan(100);
  viewer.viewport.overlays.bone.value = null;
  viewer.dispatch({ type: 'set-view', settings: { mode: 'lit' } });
});

it('normalizes the weights of each vertex to one', () => {
  const mesh = viewer.model!.rig.meshes.find(each => (each as SkinnedMesh).isSkinnedMesh) as SkinnedMesh;
  const sums = new Float32Array(mesh.geometry.attributes['position']!.count);
  for (const joint of mesh.skeleton.bones.keys()) for (const [i, weight] of weightsOf(mesh, joint).entries()) sums[i]! += weight;
  expect(Math.min(...sums)).toBeCloseTo(1, 4);
  expect(Math.max(...sums)).toBeCloseTo(1, 4);
  expect(weightsOf(mesh, -1).every(weight => weight === 0)).toBe(true);
});

it('views the model from front, right and top, in both projections, and focuses a bone', () => {
  const { cameraRig } = viewer.view;
  const direction = (): number[] =>
    cameraRig.camera.position
      .clone()
      .sub(cameraRig.controls.target)
      .normalize()
      .toArray()
      .map(value => Math.round(value) + 0);
  press('1');
  const front = direction();
  expect(front[1]).toBe(0);
  press('9');
  expect(direction()).toEqual(front.map(value => -value + 0));
  press('7');
  expect(direction()).toEqual([0, 1, 0]);
  press('3');
  expect(direction()).toEqual([front[2], 0, -front[0]! + 0]);

  const at = (): number[] =>
    cameraRig.controls.target
      .clone()
      .add(new Vector3(0, 0.1, 0))
      .project(cameraRig.active)
      .toArray()
      .slice(0, 2);
  viewer.viewport.drawNow();
  const seen = at();
  press('5');
  viewer.viewport.drawNow();
  expect(cameraRig.active).toBeInstanceOf(OrthographicCamera);
  expect(at()[1]).toBeCloseTo(seen[1]!, 3);
  const far = new Vector3(0.3, 0, 1.4).add(cameraRig.controls.target);
  const near = new Vector3(-2, 0, 1.4).add(cameraRig.controls.target);
  expect(far.project(cameraRig.active).x).toBeCloseTo(near.project(cameraRig.active).x, 5);
  press('5');

  viewer.viewport.overlays.bone.value = boneCalled('head');
  press('f');
  expect(cameraRig.controls.target.distanceTo(boneCalled('head').getWorldPosition(new Vector3()))).toBeLessThan(1e-5);
  viewer.viewport.overlays.bone.value = null;
  const distance = cameraRig.camera.position.distanceTo(cameraRig.controls.target);
  viewer.dispatch({ type: 'set-view', settings: { fieldOfView: 64 } });
  expect([cameraRig.camera.fov, cameraRig.camera.position.distanceTo(cameraRig.controls.target) < distance]).toEqual([64, true]);
  viewer.dispatch({ type: 'set-view', settings: { fieldOfView: 32 } });
  expect(cameraRig.camera.position.distanceTo(cameraRig.controls.target)).toBeCloseTo(distance, 4);
  press('r');
});

it('applies light, background and bounding box settings of the session', () => {
  const before = picture();
  viewer.dispatch({ type: 'set-view', settings: { exposure: 0.3, lightRotation: 120 } });
  expect(apart(picture(), before)).toBeGreaterThan(50);
  viewer.dispatch({ type: 'set-view', settings: { exposure: 1, lightRotation: 0 } });
  expect(apart(picture(), before)).toBe(0);
  press('x');
  expect(viewer.view.overlays.getObjectByName('bounds')).toBeDefined();
  press('x');
  expect(viewer.view.overlays.getObjectByName('bounds')).toBeUndefined();
  viewer.dispatch({ type: 'set-view', settings: { background: 'white' } });
  expect(getComputedStyle(viewer.root.querySelector('.viewport')!).backgroundColor).toBe('rgb(255, 255, 255)');
  viewer.dispatch({ type: 'set-view', settings: { background: 'page' } });
});

it('applies up axis, rotation and scale, and frames the model again', () => {
  const sizeOf = (): number[] => viewer.view.extent!.box.getSize(new Vector3()).toArray();
  viewer.select(-1);
  const [width, height, depth] = sizeOf() as [number, number, number];
  viewer.dispatch({ type: 'set-placement', placement: { up: 'z' } });
  const lying = sizeOf();
  expect([lying[0]! / width, lying[1]! / depth, lying[2]! / height].every(ratio => Math.abs(ratio - 1) < 0.02)).toBe(true);
  viewer.dispatch({ type: 'set-placement', placement: { up: 'y', yaw: 90, scale: 10 } });
  const turned = sizeOf();
  expect([turned[0]! / depth, turned[1]! / height, turned[2]! / width].every(ratio => Math.abs(ratio - 10) < 0.2)).toBe(true);
  const { cameraRig, extent } = viewer.view;
  expect(cameraRig.controls.target.distanceTo(extent!.center)).toBeLessThan(extent!.radius * 0.5);
  viewer.dispatch({ type: 'set-placement', placement: { yaw: 0, scale: 1 } });
  expect(sizeOf().every((size, i) => Math.abs(size - [width, height, depth][i]!) < 1e-4)).toBe(true);
  viewer.select(0, false);
});

it('draws lines for constraints and IK handles and lists them with checkboxes', async () => {
  await dropOn(viewer, new File([await fetchBlob('tests/data/cast/everything.cast')], 'everything.cast'));
  const { rigging } = viewer.model!.rig;
  press('i');
  viewer.viewport.drawNow();
  expect(viewer.view.overlays.getObjectByName('rigging')).toBeDefined();
  press('i');
  const boxes = [...viewer.root.querySelectorAll<HTMLInputElement>('[data-rigging] input')];
  expect(boxes).toHaveLength(rigging!.parts.length);
  boxes[0]!.click();
  expect(rigging!.parts[0]!.isOn).toBe(boxes[0]!.checked);
});
