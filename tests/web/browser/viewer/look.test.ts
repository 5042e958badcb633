// Environments and overlays.
import { Vector3 } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { pictureOf } from '../../../../web/src/viewer/pictures.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makePsk } from '../../../support/actorx.ts';
import { castBody, TestBody } from '../../../support/bodies.ts';
import { dropOn, fetchBlob, frames, makeViewer, pixelsOf } from './support.ts';

let viewer: Viewer;
const LONG = { timeout: 20_000 };

beforeAll(async () => {
  await page.viewport(700, 560);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
  viewer.playback.seek(0);
  await vi.waitFor(() => expect(viewer.view.environmentShare).toBe(1), LONG);
}, 120_000);
afterAll(() => viewer.dispose());

const select = (label: string): HTMLSelectElement => viewer.root.querySelector(`select[aria-label="${label}"]`)!;

function choose(label: string, value: string): void {
  const list = select(label);
  list.value = value;
  list.dispatchEvent(new Event('change'));
}

/**
 * Returns the RGBA color of the viewport at a position, 0 to 1 from its top left corner. The
 * picture is scaled down first, so the colour is an average of the surroundings.
 */
function colorAt(x: number, y: number): number[] {
  viewer.viewport.drawNow();
  const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 40 });
  const context = canvas.getContext('2d')!;
  context.drawImage(viewer.viewport.sharedRenderer.canvas, 0, 0, 40, 40);
  return [...context.getImageData(Math.floor(x * 40), Math.floor(y * 40), 1, 1).data];
}

/** Returns the mean RGB color of the model. */
function shade(): number[] {
  viewer.viewport.drawNow();
  const data = pixelsOf(viewer);
  const sum = [0, 0, 0, 0];
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3]! > 250) [data[at]!, data[at + 1]!, data[at + 2]!, 1].forEach((value, i) => (sum[i]! += value));
  return sum.slice(0, 3).map(value => value / sum[3]!);
}

/** Resolves when the selected environment is shown. */
const arrived = (): Promise<void> => vi.waitFor(() => expect(viewer.view.sky).not.toBeNull(), LONG);

/** Returns a Radiance image of one colour. */
const radiance = (rgbe: readonly number[]): File => {
  const head = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n');
  return new File([head, new Uint8Array(Array.from({ length: 32 }, () => rgbe).flat())], 'green.hdr');
};

it('lights the model by each environment, which can also be the background', async () => {
  const seen: number[][] = [shade()];
  expect(viewer.view.sky).toBeNull();
  for (const kind of ['studio', 'day', 'evening', 'night']) {
    const before = viewer.view.sky;
    choose('Environment', kind);
    await vi.waitFor(() => expect(viewer.view.sky).not.toBe(before), LONG);
    const color = shade();
    for (const other of seen) expect(Math.max(...color.map((value, i) => Math.abs(value - other[i]!)))).toBeGreaterThan(2);
    seen.push(color);
    expect(colorAt(0.02, 0.1)[3]).toBe(0);
  }
  const hidden = viewer.view.sky;
  choose('Background', 'environment');
  await vi.waitFor(() => expect(viewer.view.sky).not.toBe(hidden), LONG);
  const [red, , blue, alpha] = colorAt(0.02, 0.1);
  expect(alpha).toBe(255);
  expect(blue).toBeGreaterThan(red!);
  // A picture with a transparent background remains transparent.
  const blob = await pictureOf(viewer.viewport, '#ff0000', { scale: 1, isTransparent: true, hasFloor: false });
  const bitmap = await createImageBitmap(blob!);
  const context = Object.assign(document.createElement('canvas'), { width: 4, height: 4 }).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  expect([...context.getImageData(0, 0, 1, 1).data]).toEqual([0, 0, 0, 0]);
  choose('Background', 'page');
  choose('Environment', 'room');
  await vi.waitFor(() => expect(viewer.view.sky).toBeNull(), LONG);
  shade().forEach((value, i) => expect(value).toBeCloseTo(seen[0]![i]!, 0));
});

it('uses a dropped panorama as environment and reports one that cannot be read', async () => {
  const before = shade();
  const { shown } = viewer.session.value;
  await dropOn(viewer, radiance([20, 200, 20, 130]));
  await arrived();
  expect(viewer.session.value.shown).toBe(shown);
  expect(select('Environment').selectedOptions[0]!.textContent).toBe('green.hdr');
  const green = shade();
  expect(green[1]! - before[1]!).toBeGreaterThan(green[0]! - before[0]! + 5);
  await dropOn(viewer, new File(['#?RADIANCE\nnothing'], 'broken.hdr'));
  await vi.waitFor(() => expect(viewer.root.textContent).toContain('broken.hdr is not a readable Radiance image'), LONG);
  expect([viewer.session.value.viewSettings.environment, viewer.view.sky]).toEqual(['room', null]);
  shade().forEach((value, i) => expect(value).toBeCloseTo(before[i]!, 0));
  viewer.refusal.value = null;
});

it('shows bone names, bone axes and the sockets of a file', async () => {
  const names = viewer.root.querySelector<HTMLCanvasElement>('.bone-names')!;
  const written = (): number => {
    const { width, height } = names;
    return width * height === 0
      ? 0
      : names
          .getContext('2d')!
          .getImageData(0, 0, width, height)
          .data.filter(value => value > 0).length;
  };
  expect(names.hidden).toBe(true);
  viewer.run('names');
  await vi.waitFor(async () => (await frames(2), expect(written()).toBeGreaterThan(1000)), LONG);
  viewer.run('names');
  expect(names.hidden).toBe(true);

  const drawn = (): string[] => viewer.view.overlays.children.map(({ name }) => name);
  viewer.run('axes');
  expect(drawn()).toContain('axes');
  viewer.run('axes');
  expect(drawn()).not.toContain('axes');
  const sockets = viewer.root.querySelector<HTMLInputElement>('[data-command=sockets] input')!;
  expect(sockets.closest('label')!.hidden).toBe(true);
  await dropOn(viewer, new File([await fetchBlob('tests/data/unreal/arm.psk')], 'arm.psk'));
  expect(sockets.closest('label')!.hidden).toBe(false);
  sockets.click();
  expect(drawn()).toContain('axes');
  expect(names.hidden).toBe(false);
});

/** Returns the relative luminance of an sRGB colour (WCAG 2). */
function luminance(red: number, green: number, blue: number): number {
  const [r, g, b] = [red, green, blue].map(value => (value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** Returns the contrasts between the model's outline and the background on screen, lowest first. */
async function outlineContrasts(): Promise<number[]> {
  viewer.viewport.drawNow();
  const model = pixelsOf(viewer);
  viewer.viewport.drawNow();
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${await page.screenshot({ save: false })}`)).blob());
  const { left, top, width, height } = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
  const scale = image.width / innerWidth;
  const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 120 });
  const context = canvas.getContext('2d')!;
  context.drawImage(image, left * scale, top * scale, width * scale, height * scale, 0, 0, 160, 120);
  const { data } = context.getImageData(0, 0, 160, 120);
  const at = (x: number, y: number): number => 4 * (160 * y + x);
  const lightAt = (x: number, y: number): number => luminance(data[at(x, y)]!, data[at(x, y) + 1]!, data[at(x, y) + 2]!) + 0.05;
  const contrasts: number[] = [];
  for (let y = 8; y < 112; y++)
    for (let x = 8; x < 150; x++) {
      // Compares a pixel inside the model with pixels outside, to the left and to the right.
      for (const side of [-1, 1]) {
        const isInside = [0, side].every(step => model[at(x - step, y) + 3] === 255);
        const isOutside = [2, 3].every(step => model[at(x + side * step, y) + 3] === 0);
        if (!isInside || !isOutside || model[at(x + side, y) + 3] === 255) continue;
        const [one, other] = [lightAt(x, y), lightAt(x + side * 3, y)];
        contrasts.push(Math.max(one, other) / Math.min(one, other));
      }
    }
  return contrasts.sort((a, b) => a - b);
}

it('draws an untextured model in contrast to the background, in both themes', async () => {
  const pip = await fetchBlob('web/src/viewer/demo/Pip.psk');
  await dropOn(viewer, new File([pip], 'Pip.psk'));
  const seen: number[] = [];
  for (let theme = 0; theme < 2; theme++) {
    viewer.toggleTheme();
    await frames(2);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const contrasts = await outlineContrasts();
    expect(contrasts.length).toBeGreaterThan(40);
    // A quarter of the contrasts may be lower, because feet touch the ground.
    seen.push(contrasts[Math.floor(contrasts.length / 4)]!);
  }
  expect(Math.min(...seen)).toBeGreaterThan(1.6);
});

it('suggests to rotate a lying model upright, and shows it from the front after the click', async () => {
  const body = new TestBody();
  body.scene.nodes.rotations.set([-Math.SQRT1_2, 0, 0, Math.SQRT1_2], 4);
  await dropOn(viewer, new File([new Uint8Array(castBody(body))], 'lying.cast'));
  const hint = viewer.root.querySelector<HTMLElement>('.hint')!;
  expect(hint.textContent).toContain('lying.cast seems to be lying down');
  const heightOf = (name: string): number => viewer.model!.bones.find(bone => bone.name === name)!.getWorldPosition(new Vector3()).y;
  expect(heightOf('head') - heightOf('hips')).toBeLessThan(0.1);
  [...hint.querySelectorAll('button')].find(({ textContent }) => textContent === 'Rotate upright')!.click();
  await frames(2);
  expect(heightOf('head') - heightOf('hips')).toBeGreaterThan(0.4);
  expect(hint.textContent).not.toContain('lying down');
  // The model faces +Z, so the camera is on the +Z side.
  expect(viewer.view.cameraRig.camera.position.z).toBeGreaterThan(0.5);
  expect(viewer.root.querySelector<HTMLSelectElement>('.orientation select')!.value).toBe('-z');
});

it('conjugates the root rotation of an Unreal model by a checkbox, and reverts it', { timeout: 120_000 }, async () => {
  const box = [...viewer.root.querySelectorAll<HTMLElement>('.orientation .check')].find(each => each.textContent.includes('root'))!;
  await viewer.openDemo('tock');
  expect(box.hidden).toBe(true);
  await dropOn(viewer, new File([makePsk({ bones: ['Root', 'Arm'], turn: [0.6, 0, 0, 0.8] })], 'lying.psk'));
  expect(box.hidden).toBe(false);
  const root = (): number[] => viewer.model!.bones[0]!.quaternion.toArray();
  const before = root();
  box.querySelector('input')!.click();
  await vi.waitFor(() => expect(viewer.session.value.placement.isRootConjugated).toBe(true), LONG);
  const [x, y, z, w] = before as [number, number, number, number];
  // The quaternion may have the opposite sign, which is the same rotation.
  const turned = root();
  const sign = Math.sign(turned[3]! * w) || 1;
  [-x, -y, -z, w].forEach((value, i) => expect(turned[i]! * sign).toBeCloseTo(value, 5));
  expect(Math.hypot(x, y, z)).toBeGreaterThan(0.1);
  box.querySelector('input')!.click();
  await vi.waitFor(() => expect(viewer.session.value.placement.isRootConjugated).toBe(false), LONG);
  root().forEach((value, i) => expect(value).toBeCloseTo(before[i]!, 5));
});
