// The library: tiles and list, keyboard, and the thumbnails that are kept on this device.
import { signal } from '@preact/signals-core';
import axe from 'axe-core';
import { page, userEvent } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { keepThumbnail, keptThumbnail } from '../../../../web/src/viewer/library/thumbnailStore.ts';
import type { InputFile } from '../../../../web/src/session/inputFile.ts';
import { Thumbnails } from '../../../../web/src/viewer/thumbnails.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makePsa, makePsk } from '../../../support/actorx.ts';
import { castFile, model as emptyModel } from '../../../support/castFile.ts';
import { dropOn, frames, makeViewer, press } from './support.ts';

let viewer: Viewer;
beforeAll(async () => {
  viewer = await makeViewer();
  await page.viewport(900, 620);
}, 120_000);
afterEach(() => viewer.close());
afterAll(() => viewer.dispose());

const NAMES = ['Ape', 'Bat', 'Cow', 'Dog', 'Eel', 'Fox', 'Gnu', 'Hen'];
const model = (name: string): File =>
  new File([makePsk({ bones: ['Root', `${name} Spine`], side: 2 + NAMES.indexOf(name) })], `${name}.psk`);
const view = (): HTMLElement => viewer.root.querySelector<HTMLElement>('.library-view')!;
const items = (): HTMLElement[] => [...view().querySelectorAll<HTMLElement>('.item')];
const names = (): (string | null)[] => items().map(one => one.querySelector('.name')!.textContent);
const focused = (): string | null | undefined => document.activeElement?.querySelector('.name')?.textContent;
const key = (name: string): void =>
  void document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
const title = (): string | null => viewer.root.querySelector('.title')!.textContent;
const dropAll = async (): Promise<void> => {
  await dropOn(viewer, ...NAMES.map(model));
  await vi.waitFor(() => expect(view().checkVisibility()).toBe(true));
};

/** Returns the share of the pixels of a picture that are not transparent. */
async function visibleShare(address: string): Promise<number> {
  const picture = await createImageBitmap(await (await fetch(address)).blob());
  const context = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height }).getContext('2d')!;
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  return data.filter((value, i) => i % 4 === 3 && value > 128).length / (picture.width * picture.height);
}

it('opens for a drop of more than five models, not for fewer', async () => {
  await dropOn(viewer, ...NAMES.slice(0, 5).map(model));
  expect(viewer.isLibraryOpen.value).toBe(false);
  viewer.close();
  await dropAll();
  expect(names()).toEqual(NAMES.map(name => `${name}.psk`));
  // Nothing is drawn or played behind the library, and nothing there can have the focus.
  expect([viewer.view.isVisible, viewer.root.querySelector('main')!.inert]).toEqual([false, true]);
});

it('moves the focus with arrow keys and typed letters, and shows a model with Enter', async () => {
  await dropAll();
  await vi.waitFor(() => expect(focused()).toBe('Hen.psk'), 3000); // the largest file, which is shown
  key('Home');
  key('ArrowRight');
  expect(focused()).toBe('Bat.psk');
  key('ArrowDown');
  const columns = Number(view().querySelector<HTMLElement>('ul')!.style.getPropertyValue('--columns'));
  expect(focused()).toBe(`${NAMES[1 + columns]}.psk`);
  key('d');
  expect(focused()).toBe('Dog.psk');
  (document.activeElement as HTMLElement).click();
  await viewer.idle;
  expect([title(), view().checkVisibility(), viewer.view.isVisible]).toEqual(['Dog.psk', false, true]);
  press('h');
  await vi.waitFor(() => expect(focused()).toBe('Dog.psk'));
  key('Escape');
  expect(view().checkVisibility()).toBe(false);
});

it('sorts by a column and remembers layout, order and stars', async () => {
  await dropAll();
  await vi.waitFor(() => expect(viewer.session.value.library.every(({ facts }) => facts)).toBe(true), 20_000);
  view().querySelector<HTMLElement>('.order .icon-button:last-child')!.click();
  view().querySelector<HTMLElement>('.library-columns [data-column="triangles"]')!.click();
  expect(names()).toEqual(NAMES.map(name => `${name}.psk`).reverse());
  view().querySelector<HTMLElement>('[data-path="Cow.psk"] .star')!.click();
  view().querySelector<HTMLElement>('.filters .icon-button')!.click();
  expect(names()).toEqual(['Cow.psk']);
  expect(JSON.parse(localStorage.getItem('rigcast.library')!)).toMatchObject({ layout: 'list', column: 'triangles', isDescending: true });
  expect((await axe.run(view())).violations.map(({ id }) => id)).toEqual([]);
  view().querySelector<HTMLElement>('.filters .icon-button')!.click();
  view().querySelector<HTMLElement>('.order .icon-button:last-child')!.click();
}, 40_000);

it('draws thumbnails, and keeps them for the next drop of the same files', async () => {
  const pictures = (): number => view().querySelectorAll('.item img').length;
  await dropAll();
  await vi.waitFor(() => expect(pictures()).toBe(NAMES.length), 60_000);
  viewer.close();
  const draw = vi.spyOn(viewer.viewport.sharedRenderer, 'drawPicture');
  await dropAll();
  await vi.waitFor(() => expect(pictures()).toBe(NAMES.length), 20_000);
  expect(draw).not.toHaveBeenCalled();
  draw.mockRestore();
}, 100_000);

it('looks for kept thumbnails of models that are added while the page is busy', async () => {
  await dropAll();
  await vi.waitFor(() => expect(viewer.pictures.value.size).toBe(NAMES.length), 60_000);
  const { library, placement } = viewer.session.value;
  const choices = { imageAssignments: [], materialValues: [], placement };
  const draw = vi.spyOn(viewer.viewport.sharedRenderer, 'drawPicture');
  const pictures = signal<ReadonlyMap<InputFile, string>>(new Map());
  let isBusy = true;
  const isAsked = vi.fn(() => isBusy);
  const thumbnails = new Thumbnails(
    { pictures, textureCounts: signal(new Map()), viewport: viewer.viewport },
    isAsked,
    () => false,
    () => document.body,
  );
  thumbnails.setLibrary(library.slice(0, 2), choices);
  await vi.waitFor(() => expect(isAsked).toHaveBeenCalled());
  thumbnails.setLibrary(library, choices);
  isBusy = false;
  await vi.waitFor(() => expect(pictures.value.size).toBe(NAMES.length), 20_000);
  expect(draw).not.toHaveBeenCalled();
  thumbnails.dispose();
  draw.mockRestore();
}, 100_000);

it('marks the shown model differently from the model under the pointer', async () => {
  await dropAll();
  const shown = (): HTMLElement => items().find(one => one.ariaCurrent === 'true')!;
  const colorOf = (item: HTMLElement): string => getComputedStyle(item.querySelector('.picture')!).outlineColor;
  // The content of a tile is created again when its facts or its thumbnail are known, which can interrupt the pointer.
  await vi.waitFor(async () => {
    await userEvent.hover(
      items().find(one => one.ariaCurrent !== 'true')!,
      { timeout: 3000 },
    );
    const hovered = items().find(one => one.matches(':hover'))!;
    expect([hovered === shown(), colorOf(hovered) === colorOf(shown())]).toEqual([false, false]);
  }, 60_000);
}, 100_000);

it('draws cards from the side that is visible', async () => {
  const corners = ['v 0 0 0', 'v 1 0 0', 'v 1 1 0', 'v 0 1 0'].join('\n');
  const card = (name: string, face: string): File => new File([`${corners}\nf ${face}`], `${name}.obj`);
  await dropOn(viewer, card('Front', '1 2 3 4'), card('Back', '4 3 2 1'));
  await vi.waitFor(() => expect([...viewer.pictures.value.values()].filter(Boolean)).toHaveLength(2), 60_000);
  for (const [{ path }, address] of viewer.pictures.value) {
    expect(await visibleShare(address), path).toBeGreaterThan(0.3);
  }
}, 70_000);

it('draws a model that only adds light on a dark background', async () => {
  const rays = new File([makePsk({ flags: 2 })], 'Rays.psk');
  await dropOn(viewer, rays, model('Ape'));
  const picture = (name: string): string | undefined => [...viewer.pictures.value].find(([{ path }]) => path === name)?.[1];
  await vi.waitFor(() => expect(picture('Rays.psk') && picture('Ape.psk')).toBeTruthy(), 60_000);
  expect(await visibleShare(picture('Rays.psk')!)).toBe(1);
  expect(await visibleShare(picture('Ape.psk')!)).toBeLessThan(0.9);
}, 70_000);

it('draws thumbnails again after choices that change the look of a model, and keeps both', async () => {
  const draw = vi.spyOn(viewer.viewport.sharedRenderer, 'drawPicture');
  const isDone = (count: number): Promise<void> => vi.waitFor(() => expect(draw).toHaveBeenCalledTimes(count), 60_000);
  const addressOf = (name: string): string => [...viewer.pictures.value].find(([{ path }]) => path === name)![1];
  await dropOn(viewer, model('Ape'), model('Bat'));
  await vi.waitFor(() => expect([...viewer.pictures.value.values()].filter(Boolean)).toHaveLength(2), 60_000);
  const before = addressOf('Ape.psk');
  const other = addressOf('Bat.psk');
  draw.mockClear();
  viewer.setMaterialValues('Ape.psk', [{ material: 'Skin', color: '#ff0000' }]);
  await isDone(1);
  await vi.waitFor(() => expect(addressOf('Ape.psk')).not.toBe(before), 20_000);
  expect(addressOf('Bat.psk')).toBe(other);
  // Both pictures are kept.
  viewer.setMaterialValues('Ape.psk', []);
  viewer.dispatch({ type: 'set-placement', placement: { up: 'z' } });
  await isDone(3);
  viewer.dispatch({ type: 'set-placement', placement: { up: 'y' } });
  viewer.setMaterialValues('Ape.psk', [{ material: 'Skin', color: '#ff0000' }]);
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(draw).toHaveBeenCalledTimes(3);
  draw.mockRestore();
}, 100_000);

it('shows an icon and the file size for a file without meshes', async () => {
  const empty = new File([castFile(emptyModel('Ant')) as BlobPart], 'Ant.cast');
  await dropOn(viewer, empty, ...NAMES.map(model));
  const tile = (name: string): Element => view().querySelector(`[data-path="${name}"]`)!;
  await vi.waitFor(() => expect(viewer.pictures.value.size).toBe(NAMES.length + 1), 60_000);
  expect(tile('Ant.cast').querySelector('.picture .icon')).not.toBeNull();
  expect(tile('Ant.cast').querySelector('.small')!.textContent).toMatch(/ B$/);
}, 70_000);

it('draws only thumbnails of visible rows while an animation plays', async () => {
  const walk = new File([makePsa({ bones: ['Root', 'Fox Spine'], sequences: ['Walk'], frames: 90 })], 'Fox.psa');
  const others = ['Ant', 'Bee'].map(name => new File([makePsk({ bones: ['Root', `${name} Spine`], side: 9 })], `${name}.psk`));
  const drawn = (): string[] => Array.from(viewer.pictures.peek().keys(), ({ file }) => file.name).toSorted();
  await dropOn(viewer, model('Fox'), walk, ...others);
  viewer.showSection('files');
  const list = viewer.root.querySelector<HTMLElement>('.files')!;
  const row = list.querySelector('[data-path="Bee.psk"]')!;
  list.style.maxHeight = `${row.getBoundingClientRect().top - list.getBoundingClientRect().top}px`;
  expect(viewer.playback.playing).toBe(true);
  await vi.waitFor(() => expect(drawn()).toContain('Ant.psk'), 20_000);
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(viewer.playback.playing).toBe(true);
  expect(drawn()).not.toContain('Bee.psk');
  viewer.playback.pause();
  await vi.waitFor(() => expect(drawn()).toEqual(['Ant.psk', 'Bee.psk', 'Fox.psk']), 20_000);
}, 60_000);

it('deletes the thumbnails that were not used for the longest time', async () => {
  const thumbnail = { picture: new Blob(['x']), textures: 1 };
  for (const name of ['one', 'two', 'three']) {
    await keepThumbnail(name, thumbnail, 2);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  await keepThumbnail('four', thumbnail, 1);
  await keepThumbnail('five', thumbnail, 1);
  expect([await keptThumbnail('one'), (await keptThumbnail('five'))?.textures]).toEqual([null, 1]);
});

it('has only the visible part of 500 models in the document', async () => {
  const many = Array.from({ length: 500 }, (_, i) => new File([makePsk({ bones: ['Root', `Bone ${i % 9}`] })], `Model${i}.psk`));
  await dropOn(viewer, ...many);
  await vi.waitFor(() => expect(view().checkVisibility()).toBe(true));
  expect(items().length).toBeLessThan(80);
  const list = view().querySelector<HTMLElement>('.library-items')!;
  list.scrollTop = list.scrollHeight;
  await vi.waitFor(() => expect(names()).toContain('Model499.psk'));
  expect(items().length).toBeLessThan(80);
}, 60_000);

it('scrolls everything with the models in a low window, so that two rows are visible', async () => {
  await page.viewport(640, 360); // a window of 1280 × 720 pixels at a zoom of 200 %
  const many = Array.from({ length: 200 }, (_, i) => new File([makePsk({ bones: ['Root', `Bone ${i % 9}`] })], `Model${i}.psk`));
  await dropOn(viewer, ...many);
  await vi.waitFor(() => expect(view().checkVisibility()).toBe(true));
  view().scrollTop = 1e6;
  await vi.waitFor(() => expect(names()).toContain('Model199.psk'));
  expect(items().length).toBeLessThan(80);
  const visible = (): HTMLElement[] =>
    items().filter(item => {
      const { top, bottom } = item.getBoundingClientRect();
      return top >= view().getBoundingClientRect().top - 1 && bottom <= innerHeight + 1;
    });
  const rows = (): number => new Set(visible().map(item => item.getBoundingClientRect().top)).size;
  await vi.waitFor(() => expect(rows()).toBe(2));
  // Keys scroll to the model that they move to.
  visible()[0]!.focus();
  for (const name of ['Home', 'PageDown', 'ArrowDown', 'ArrowRight', 'PageUp', 'End']) {
    key(name);
    expect(visible(), name).toContain(document.activeElement);
  }
  view().querySelector<HTMLElement>('.order .icon-button:last-child')!.click();
  view().scrollTop = 1e6;
  await vi.waitFor(() => expect(rows()).toBeGreaterThanOrEqual(6));
  view().querySelector<HTMLElement>('.order .icon-button:last-child')!.click();
  await page.viewport(900, 620);
}, 60_000);

it('changes one tile per thumbnail, without computing the layout and without updating the covered panel', async () => {
  await dropAll();
  const panel = viewer.root.querySelector('.files .library')!;
  const list = view().querySelector<HTMLElement>('.library-items')!;
  const pictures = (): number => view().querySelectorAll('.item img').length;
  await vi.waitFor(() => expect(pictures()).toBe(NAMES.length), 60_000);
  let [tiles, rows, reads] = [0, 0, 0];
  const observer = new MutationObserver(records => {
    for (const { target, type } of records) {
      if (panel.contains(target)) ++rows;
      else if (type === 'childList' && target instanceof HTMLLIElement) ++tiles;
    }
  });
  observer.observe(viewer.root, { childList: true, subtree: true });
  Object.defineProperty(list, 'clientHeight', { configurable: true, get: () => (++reads, 600) });
  const { library } = viewer.session.value;
  const cow = library.find(({ input }) => input.path === 'Cow.psk')!.input;
  viewer.pictures.value = new Map([...viewer.pictures.value, [cow, '']]);
  await frames(2);
  observer.disconnect();
  Reflect.deleteProperty(list, 'clientHeight');
  expect({ tiles, rows, reads, pictures: pictures() }).toEqual({ tiles: 1, rows: 0, reads: 0, pictures: NAMES.length - 1 });
  // The panel is up to date when it is visible.
  viewer.showSection('files');
  viewer.isLibraryOpen.value = false;
  await vi.waitFor(() => expect(panel.querySelectorAll('img.thumb')).toHaveLength(NAMES.length - 1));
}, 70_000);

it('waits until the graphics card has drawn a thumbnail before its pixels are read', async () => {
  const { graphics } = viewer.viewport.sharedRenderer;
  const finished = vi.spyOn(graphics, 'finished');
  const order = vi.spyOn(CanvasRenderingContext2D.prototype, 'getImageData');
  await dropOn(viewer, new File([makePsk({ side: 31 })], 'Yak.psk'), new File([makePsk({ side: 32 })], 'Zebra.psk'));
  await vi.waitFor(() => expect([...viewer.pictures.value.values()].filter(Boolean)).toHaveLength(2), 60_000);
  const [waits, reads] = [finished, order].map(({ mock }) => mock.invocationCallOrder);
  expect(reads!.length).toBeGreaterThan(0);
  for (const at of reads!) expect(waits).toContain(at - 1);
  vi.restoreAllMocks();
}, 70_000);
