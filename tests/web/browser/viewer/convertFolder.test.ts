// "Convert folder …": the results of all models in a folder or a ZIP archive, and what the dialog says.
import axe from 'axe-core';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makePsa, makePsk } from '../../../support/actorx.ts';
import { dropOn, makeViewer } from './support.ts';

const LONG = { timeout: 30_000 };
const NAMES = ['Ape', 'Bat', 'Cow', 'Dog', 'Eel', 'Fox'];
const psk = (name: string): File => new File([makePsk({ bones: ['Root', `${name} Spine`] })], `${name}.psk`);
const walk = new File([makePsa({ bones: ['Root', 'Fox Spine'], sequences: ['Walk'], frames: 30 })], 'Walk.psa');
const lost = new File([makePsa({ bones: ['Wheel', 'Axle'], sequences: ['Roll'], frames: 3 })], 'Roll.psa');

let viewer: Viewer;
let folder: FileSystemDirectoryHandle;
beforeAll(async () => {
  folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('chosen', { create: true });
  viewer = await makeViewer();
}, 120_000);
afterEach(() => {
  dialog()?.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  viewer.close();
});
afterAll(() => viewer.dispose());

const dialog = (): HTMLDialogElement | null => document.querySelector('dialog.convert-folder[open]');
const button = (label: RegExp): HTMLElement =>
  [...dialog()!.querySelectorAll('button')].find(({ textContent }) => label.test(textContent))!;
const status = (): string | null | undefined => dialog()!.querySelector('[role=status]')?.textContent;

async function openDialog(): Promise<void> {
  await dropOn(viewer, ...NAMES.map(psk), walk, lost);
  const start = (): HTMLElement | undefined =>
    [...viewer.root.querySelectorAll<HTMLElement>('.library-view button')].find(({ textContent }) =>
      textContent.includes('Convert folder'),
    );
  await vi.waitFor(() => expect(start()?.checkVisibility()).toBe(true), LONG);
  start()!.click();
  await vi.waitFor(() => expect(dialog()).not.toBeNull(), LONG);
  dialog()!.querySelector('select')!.value = 'glb';
}

async function contentOf(handle: FileSystemDirectoryHandle): Promise<Map<string, File>> {
  const found = new Map<string, File>();
  for await (const [name, each] of handle as unknown as AsyncIterable<[string, FileSystemFileHandle]>)
    found.set(name, await each.getFile());
  return found;
}

const RESULTS = [...NAMES.map(name => `${name}.glb`), 'rigcast-ledger.jsonl', 'rigcast-report.txt'];

it('saves all models with their animations in a folder, and lists what was not converted', { timeout: 120_000 }, async () => {
  vi.stubGlobal('showDirectoryPicker', () => Promise.resolve(folder));
  await openDialog();
  button(/folder/).click();
  await vi.waitFor(() => expect(status()).toBe('6 files converted, 1 not converted.'), LONG);
  expect(dialog()!.textContent).toContain('Saved in chosen/rigcast-glb.');
  expect(dialog()!.textContent).toContain('Roll.psa: No model matches this animation.');
  const files = await contentOf(await folder.getDirectoryHandle('rigcast-glb'));
  expect([...files.keys()].sort()).toEqual(RESULTS);
  const fox = await new GLTFLoader().parseAsync(await files.get('Fox.glb')!.arrayBuffer(), '');
  expect(fox.animations.map(({ name }) => name)).toEqual(['Walk']);
  const rows = (await files.get('rigcast-ledger.jsonl')!.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { out: string | null });
  expect(rows.map(({ out }) => out)).toEqual([...NAMES.map(name => `${name}.glb`), null]);
  expect(await files.get('rigcast-report.txt')!.text()).toContain('Fox.glb ← Fox.psk, Walk.psa');
});

it('makes the same results as a ZIP archive', { timeout: 120_000 }, async () => {
  await openDialog();
  button(/ZIP/).click();
  await vi.waitFor(() => expect(status()).toBe('6 files converted, 1 not converted.'), LONG);
  // A list that scrolls can be reached by keyboard.
  const list = dialog()!.querySelector<HTMLElement>('.losses')!;
  list.closest('details')!.open = true;
  expect(list.tabIndex).toBe(0);
  expect((await axe.run(dialog()!)).violations.map(({ id }) => id)).toEqual([]);
  const made = vi.spyOn(URL, 'createObjectURL');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  button(/rigcast-glb\.zip/).click();
  await vi.waitFor(() => expect(made).toHaveBeenCalled(), LONG);
  const archive = unzipSync(new Uint8Array(await (made.mock.calls[0]![0] as Blob).arrayBuffer()));
  expect(Object.keys(archive).sort()).toEqual(RESULTS);
  const saved = await contentOf(await folder.getDirectoryHandle('rigcast-glb'));
  for (const name of RESULTS) expect(archive[name], name).toEqual(new Uint8Array(await saved.get(name)!.arrayBuffer()));
});

it('says why a folder cannot be chosen or written, and stays open if no folder is chosen', { timeout: 120_000 }, async () => {
  const refuse = (name: string) => (): Promise<never> => Promise.reject(new DOMException('The page may not write here.', name));
  vi.stubGlobal('showDirectoryPicker', refuse('AbortError'));
  await openDialog();
  button(/folder/).click();
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(dialog()!.querySelector('[role=alert]')!.textContent).toBe('');
  vi.stubGlobal('showDirectoryPicker', refuse('SecurityError'));
  button(/folder/).click();
  await vi.waitFor(() => expect(dialog()!.querySelector('[role=alert]')?.textContent).toContain('The page may not write here.'));
  expect(button(/ZIP/).checkVisibility()).toBe(true);
  vi.stubGlobal('showDirectoryPicker', () => Promise.resolve({ name: 'x', getDirectoryHandle: refuse('NotAllowedError') }));
  button(/folder/).click();
  await vi.waitFor(() => expect(dialog()!.querySelector('select')).toBeNull());
  expect(dialog()!.querySelector('[role=alert]')!.textContent).toContain('The page may not write here.');
});
