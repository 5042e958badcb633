// Files that the page can read again: those chosen in the browser's dialogs, and those of the
// previous visit. The origin private file system provides real file handles.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { fetchBlob, makeViewer } from './support.ts';

const LONG = { timeout: 20_000 };
let folder: FileSystemDirectoryHandle;
const viewers: Viewer[] = [];

async function write(name: string, path: string): Promise<void> {
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  await stream.write(await fetchBlob(path));
  await stream.close();
}

/** Waits for the module that shows file dialogs. It is loaded after the first picture. */
async function ready(): Promise<Viewer> {
  const viewer = await makeViewer();
  viewers.push(viewer);
  await viewer.openDemo('tock');
  await vi.waitFor(() => expect(viewer.filePicker.isComplete).toBe(true), LONG);
  return viewer;
}

const titleOf = (viewer: Viewer): string | undefined => viewer.root.querySelector('.title')?.textContent;

beforeAll(async () => {
  folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('models', { create: true });
  await write('Pip.psk', 'web/src/viewer/demo/Pip.psk');
  await write('Pip.psa', 'web/src/viewer/demo/Pip.psa');
}, 60_000);
afterAll(() => {
  for (const viewer of viewers) viewer.dispose();
  vi.unstubAllGlobals();
});

it('reloads a chosen folder by key and reopens it on the next visit', { timeout: 120_000 }, async () => {
  vi.stubGlobal('showDirectoryPicker', () => Promise.resolve(folder));
  const viewer = await ready();
  viewer.run('folder');
  await vi.waitFor(() => expect(titleOf(viewer)).toBe('Pip.psk'), LONG);
  await viewer.idle;
  expect(viewer.animationNames).toEqual(['Wave', 'Hop']);
  expect(viewer.session.value.library.map(({ input }) => input.path).sort()).toEqual(['models/Pip.psa', 'models/Pip.psk']);

  // The visitor exports the file again.
  await write('Pip.psk', 'tests/data/unreal/arm.psk');
  viewer.run('reload');
  await viewer.idle;
  expect(viewer.model!.bones.some(bone => bone.userData['name'] === 'Upper')).toBe(true);

  const next = await ready();
  const again = [...next.root.querySelectorAll<HTMLElement>('.welcome .button')].find(({ textContent }) => textContent.includes('models'))!;
  expect(again.hidden).toBe(false);
  again.click();
  await vi.waitFor(() => expect(titleOf(next)).toBe('Pip.psk'), LONG);
});

it('keeps the open files if the dialog is cancelled and uses a file input if the dialog is forbidden', { timeout: 120_000 }, async () => {
  vi.stubGlobal('showOpenFilePicker', () => Promise.reject(new DOMException('', 'AbortError')));
  const viewer = await ready();
  const input = viewer.root.querySelector<HTMLInputElement>('input[type=file]:not([webkitdirectory])')!;
  const opened = vi.spyOn(input, 'click').mockImplementation(() => {});
  viewer.run('open');
  await new Promise(resolve => setTimeout(resolve, 50));
  expect([viewer.session.value.demo, opened.mock.calls.length]).toEqual(['tock', 0]);
  vi.stubGlobal('showOpenFilePicker', () => Promise.reject(new DOMException('', 'SecurityError')));
  viewer.run('open');
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(1), LONG);
});
