// The section with the values of materials: changes, undo, reset, files beside the model, and saving.
import axe from 'axe-core';
import { FrontSide, type Mesh, type MeshStandardMaterial } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { convert } from '../../../../web/src/convert/index.ts';
import { writeMaterialValues } from '../../../../web/src/textures/materialValues.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makePsk } from '../../../support/actorx.ts';
import { dropOn, makeViewer } from './support.ts';

const wait = { timeout: 20_000 };
let viewer: Viewer;

const psk = makePsk({ side: 6, materials: ['Torso', 'Face'] });
const file = (name: string, bytes: Uint8Array | string): File => new File([bytes as Uint8Array<ArrayBuffer>], name);
const drop = (...more: File[]): Promise<void> => dropOn(viewer, file('hero.psk', psk), ...more);
const find = <Kind extends HTMLElement>(selector: string): Kind => viewer.root.querySelector<Kind>(`#section-materials ${selector}`)!;
const row = (name: string): HTMLElement => find(`[data-value="${name}"]`);
const control = (name: string): HTMLInputElement => row(name).querySelector<HTMLInputElement>('input, select')!;
const resetOf = (name: string): HTMLButtonElement => row(name).querySelector<HTMLButtonElement>('button')!;
const button = (label: string): HTMLButtonElement =>
  [...viewer.root.querySelectorAll<HTMLButtonElement>('#section-materials .actions button')].find(
    ({ textContent }) => textContent === label,
  )!;
const material = (at = 0): MeshStandardMaterial => viewer.model!.rig.materialsOf(at)[0] as MeshStandardMaterial;

function set(name: string, value: string, ...types: string[]): void {
  control(name).value = value;
  for (const type of types.length > 0 ? types : ['input', 'change']) control(name).dispatchEvent(new Event(type));
}

/** Counts the orange pixels of the picture. */
function drawnOrange(): number {
  viewer.viewport.drawNow();
  const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 120 });
  const context = canvas.getContext('2d')!;
  context.drawImage(viewer.viewport.sharedRenderer.canvas, 0, 0, 160, 120);
  const { data } = context.getImageData(0, 0, 160, 120);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at]! > 180 && data[at + 1]! < 0.75 * data[at]! && data[at + 2]! < 0.4 * data[at]!) count++;
  return count;
}

/** Returns the JSON of a GLB. */
async function jsonOf(address: string): Promise<{ materials: { name: string; pbrMetallicRoughness: object }[] }> {
  const bytes = await (await fetch(address)).arrayBuffer();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, new DataView(bytes).getUint32(12, true)))) as never;
}

function check(name: string, isChecked: boolean): void {
  control(name).checked = isChecked;
  control(name).dispatchEvent(new Event('change'));
}

async function openSection(): Promise<void> {
  viewer.showSection('materials');
  await vi.waitFor(() => expect(row('roughness')).toBeTruthy(), wait);
}

beforeAll(async () => {
  await page.viewport(1200, 800);
  viewer = await makeViewer();
  await drop();
  await openSection();
}, 60_000);
afterAll(() => {
  viewer.dispose();
  localStorage.clear();
});

it('shows the values with which the material is drawn, and only those that it has', async () => {
  expect(control('roughness').value).toBe(material().roughness.toFixed(2).replace(/0$/, ''));
  expect(['opacity', 'alphaCutoff', 'uvSet'].map(name => row(name).hidden)).toEqual([true, true, true]);
  expect(resetOf('roughness').disabled).toBe(true);
  expect((await axe.run(viewer.root.querySelector('#section-materials')!)).violations.map(({ id }) => id)).toEqual([]);
});

it('draws a value while the slider moves, and stores it as one step of the undo history', () => {
  const before = viewer.history.value.length;
  const roughness = material().roughness;
  for (const value of ['0.2', '0.3', '0.4']) set('roughness', value, 'input');
  expect(material().roughness).toBe(0.4);
  expect(viewer.history.value.length).toBe(before);
  set('roughness', '0.4', 'change');
  expect(viewer.history.value.length).toBe(before + 1);
  viewer.undo();
  return vi.waitFor(() => expect([material().roughness, control('roughness').value]).toEqual([roughness, roughness.toFixed(1)]), wait);
});

it('changes colour, transparency and sides, also in other shading modes', () => {
  viewer.dispatch({ type: 'set-view', settings: { mode: 'unlit', grid: false } });
  check('doubleSided', true); // the camera is behind the faces
  set('color', '#ff8000');
  expect(material().color.getHexString()).toBe('ff8000');
  const orange = drawnOrange();
  expect(orange).toBeGreaterThan(0);
  set('alphaMode', 'mask', 'change');
  expect([row('opacity').hidden, row('alphaCutoff').hidden]).toEqual([false, false]);
  set('opacity', '0.3');
  expect(drawnOrange()).toBe(0);
  viewer.dispatch({ type: 'set-view', settings: { mode: 'lit' } });
  check('doubleSided', false);
  expect(material().side).toBe(FrontSide);
});

it('resets one value, and all values of a material', () => {
  resetOf('opacity').click();
  expect([material().opacity, material().alphaTest > 0]).toEqual([1, true]);
  set('metallic', '1');
  const list = find<HTMLSelectElement>('select[aria-label="Material"]');
  expect([...list.options].map(({ text }) => text)).toEqual(['Torso (changed)', 'Face']);
  button('Reset material').click();
  expect([material().alphaTest, material().metalness]).toEqual([0, 0]);
  expect([...list.options].map(({ text }) => text)).toEqual(['Torso', 'Face']);
});

it('changes another material, keeps the values for the next visit, and converts with them', async () => {
  const list = find<HTMLSelectElement>('select[aria-label="Material"]');
  list.value = '1';
  list.dispatchEvent(new Event('change'));
  set('roughness', '0.15');
  expect([material(0).roughness, material(1).roughness]).toEqual([material(0).roughness, 0.15]);
  viewer.dispose();
  viewer = await makeViewer();
  await drop();
  expect(material(1).roughness).toBe(0.15);
  await viewer.save();
  const link = viewer.root.querySelector<HTMLAnchorElement>('.saving a[download]')!;
  const json = await jsonOf(link.href);
  expect(json.materials.find(({ name }) => name === 'Face')!.pbrMetallicRoughness).toMatchObject({ roughnessFactor: 0.15 });
  viewer.root.querySelector<HTMLDialogElement>('.saving')!.close();
});

it('saves the values as a file that the viewer reads beside the model', async () => {
  await openSection();
  let saved: Promise<string> | undefined;
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => ((saved = (blob as Blob).text()), 'blob:none'));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  button('Save values …').click();
  create.mockRestore();
  click.mockRestore();
  const text = await saved!;
  expect(JSON.parse(text)).toEqual({ materialValues: 1, materials: [{ material: 'Face', roughness: 0.15 }] });
  viewer.dispose();
  localStorage.clear();
  viewer = await makeViewer();
  await drop(file('hero.materials.json', text));
  expect([material(0).roughness === 0.15, material(1).roughness]).toEqual([false, 0.15]);
});

it('can remove the values of the file beside the model, and restore them', async () => {
  await openSection();
  const list = find<HTMLSelectElement>('select[aria-label="Material"]');
  list.value = '1';
  list.dispatchEvent(new Event('change'));
  resetOf('roughness').click();
  expect(material(1).roughness).not.toBe(0.15);
  viewer.undo();
  await vi.waitFor(() => expect(material(1).roughness).toBe(0.15), wait);
});

it('draws the values of a GLB, whose materials come from the loader of three.js', async () => {
  const { files } = await convert([file('hero.psk', psk)], { to: 'glb' });
  const sidecar = writeMaterialValues([{ material: 'Face', color: '#00ff00', roughness: 0.3 }]);
  viewer.dispose();
  viewer = await makeViewer();
  await dropOn(viewer, file('hero.glb', files[0]!.bytes), file('hero.materials.json', sidecar));
  const drawn = viewer.model!.rig.meshes.flatMap(mesh => (mesh as Mesh).material as MeshStandardMaterial);
  const face = drawn.find(({ name }) => name === 'Face')!;
  expect([face.color.getHexString(), face.roughness]).toEqual(['00ff00', 0.3]);
  viewer.setMaterialValues(viewer.model!.input.path, []);
  expect(face.roughness).not.toBe(0.3);
});
