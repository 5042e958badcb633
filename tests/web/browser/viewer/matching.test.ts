// The dialog that assigns images to texture slots, with the keyboard and with suggestions.
import axe from 'axe-core';
import type { MeshStandardMaterial } from 'three';
import { page, userEvent } from 'vitest/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makePsk } from '../../../support/actorx.ts';
import { tga } from '../../../support/images.ts';
import { dropOn, frames, makeViewer } from './support.ts';

const wait = { timeout: 20_000 };
let viewer: Viewer;

const file = (name: string, bytes: Uint8Array): File => new File([bytes as Uint8Array<ArrayBuffer>], name);
const image = (name: string): File =>
  file(
    name,
    tga(2, 2, () => [200, 100, 50, 255]),
  );
const drop = (): Promise<void> =>
  dropOn(
    viewer,
    file('hero.psk', makePsk({ side: 6, materials: ['Torso', 'Face'] })),
    ...['upper_torso_D.tga', 'upper_torso_N.tga', 'skin.tga', 'masks.tga'].map(image),
  );
const find = <Kind extends HTMLElement>(selector: string): Kind => viewer.root.querySelector<Kind>(selector)!;
const material = (row: number): MeshStandardMaterial => viewer.model!.rig.materialsOf(row)[0] as MeshStandardMaterial;
const slots = (): string[] =>
  [...viewer.root.querySelectorAll<HTMLElement>('.matching .material')].flatMap(each =>
    [...each.querySelectorAll<HTMLElement>('.slot')].map(
      slot => `${each.querySelector('h3')!.firstChild!.textContent} ${slot.querySelector('.slot-text')!.textContent}`,
    ),
  );

beforeAll(async () => {
  await page.viewport(1200, 800);
  viewer = await makeViewer();
  await drop();
}, 60_000);
afterAll(() => {
  viewer.dispose();
  localStorage.clear();
});

it('opens from the advice, and shows suggestions that are not applied yet', async () => {
  await vi.waitFor(() => expect(find('.hint').textContent).toContain('4 images not used, 2 materials without a texture.'), wait);
  [...viewer.root.querySelectorAll<HTMLElement>('.hint button')].find(({ textContent }) => textContent === 'Match …')!.click();
  await vi.waitFor(() => expect(find<HTMLDialogElement>('.matching')?.open).toBe(true), wait);
  expect(slots()).toEqual([
    'Torso Base colourupper_torso_D.tgaSuggested by name',
    'Torso Normalupper_torso_N.tgaSuggested by name',
    'Face Base colourNo image',
  ]);
  expect(material(0).map).toBeNull();
  expect((await axe.run(find('.matching'))).violations.map(({ id }) => id)).toEqual([]);
});

it('applies suggestions', async () => {
  find('.matching .actions .primary').click();
  await vi.waitFor(() => expect(slots()[1]).toBe('Torso Normalupper_torso_N.tga'), wait);
  expect([material(0).map?.name, material(0).normalMap?.name]).toEqual(['upper_torso_D.tga', 'upper_torso_N.tga']);
  expect(find('.matching .actions .primary').hidden).toBe(true);
});

it('assigns an image to the selected slot with the keyboard', async () => {
  find('.matching input[type="radio"]').focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(find('.matching .target-slot').textContent).toBe('Base colour of Face');
  find('.matching .image').focus();
  await userEvent.keyboard('{End}{Enter}');
  await vi.waitFor(() => expect(material(1).map?.name).toBe('skin.tga'), wait);
  expect(slots()[2]).toBe('Face Base colourskin.tga');
});

it('assigns the channels of an image', async () => {
  const more = find<HTMLSelectElement>('.matching .material:nth-child(2) > .pick select');
  more.value = 'packed';
  more.dispatchEvent(new Event('change'));
  expect(find('.matching .target-slot').textContent).toBe('Packed channels of Face');
  find('.matching .image').click();
  await vi.waitFor(() => expect(material(1).roughnessMap?.name).toBe('masks.tga'), wait);
  const channels = [...viewer.root.querySelectorAll<HTMLSelectElement>('.matching .channels select')];
  expect(channels.map(({ value }) => value)).toEqual(['o', 'r', 'm', '-']);
  // The second change is made while the first is applied.
  for (const [at, content] of ['g', 'm', '-'].entries()) {
    channels[at]!.value = content;
    channels[at]!.dispatchEvent(new Event('change'));
  }
  await vi.waitFor(() => expect(material(1).userData['channels']).toMatchObject({ roughness: 'r', invert: true, metalness: 'g' }), wait);
  expect(material(1).aoMap).toBeNull();
});

it('shows slots and images beside each other on a phone in landscape', async () => {
  await page.viewport(740, 360);
  await frames(3);
  const box = (selector: string): DOMRect => find(selector).getBoundingClientRect();
  expect(box('.matching .columns > section:last-child').left).toBeGreaterThan(box('.matching .slots').right);
  find('.matching .image').scrollIntoView();
  const { left, top, bottom, width } = box('.matching .image');
  expect([top >= 0, bottom <= box('.matching .actions').top + 1]).toEqual([true, true]);
  expect(find('.matching .image').contains(document.elementFromPoint(left + width / 2, (top + bottom) / 2))).toBe(true);
  await page.viewport(1200, 800);
});

it('removes an image', async () => {
  find('.matching [aria-label="Remove upper_torso_N.tga from Normal"]').click();
  await vi.waitFor(() => expect(material(0).normalMap).toBeNull(), wait);
  expect(material(0).map?.name).toBe('upper_torso_D.tga');
});

it('keeps the images for the next visit, and saves them', async () => {
  find<HTMLDialogElement>('.matching').close();
  viewer.dispose();
  viewer = await makeViewer();
  await drop();
  expect([material(0).map?.name, material(1).map?.name]).toEqual(['upper_torso_D.tga', 'skin.tga']);
  expect(material(1).userData['channels']).toMatchObject({ roughness: 'r', invert: true });
  await viewer.save();
  const link = await (await fetch(find<HTMLAnchorElement>('.saving a[download]').href)).text();
  for (const name of ['upper_torso_D', 'skin', 'Face_metallicRoughness']) expect(link).toContain(name);
  find<HTMLDialogElement>('.saving').close();
});

it('does not use an image without a matching name if there are several models', async () => {
  const one = file('hero.psk', makePsk({ side: 6, materials: ['Torso'] }));
  viewer.close();
  await dropOn(viewer, one, image('paint.tga'));
  expect(material(0).map?.name).toBe('paint.tga');
  viewer.close();
  await dropOn(viewer, one, file('ape.psk', makePsk({ materials: ['Fur'] })), image('paint.tga'));
  await vi.waitFor(() => expect(find('.hint').textContent).toContain('1 image not used, 1 material without a texture.'), wait);
  expect(material(0).map).toBeNull();
});
