// Watching a folder: changed files are read again, new files are opened. The origin private file
// system provides real file handles.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { fetchBlob, makeViewer } from './support.ts';

const LONG = { timeout: 20_000 };
let folder: FileSystemDirectoryHandle;
let viewer: Viewer;

async function write(name: string, path: string): Promise<void> {
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  await stream.write(await fetchBlob(path));
  await stream.close();
}

const hasBone = (wanted: string): boolean => viewer.model!.bones.some(bone => bone.userData['name'] === wanted);
const button = (): HTMLButtonElement => viewer.root.querySelector<HTMLButtonElement>('[data-command="watch"]')!;

beforeAll(async () => {
  folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('watched', { create: true });
  for (const name of ['Pip.psk', 'Pip.psa', 'extra.psa']) await folder.removeEntry(name).catch(() => {});
  await write('Pip.psk', 'web/src/viewer/demo/Pip.psk');
  await write('Pip.psa', 'web/src/viewer/demo/Pip.psa');
  viewer = await makeViewer();
  await viewer.openDemo('tock');
  await vi.waitFor(() => expect(viewer.filePicker.isComplete).toBe(true), LONG);
}, 60_000);
afterEach(() => vi.unstubAllGlobals());
afterAll(() => viewer.dispose());

it.each(['an observer', 'regular checks'])(
  'reads changed files again with %s, and keeps camera and animation',
  { timeout: 120_000 },
  async way => {
    if (way !== 'an observer') vi.stubGlobal('FileSystemObserver', undefined);
    await write('Pip.psk', 'web/src/viewer/demo/Pip.psk');
    if (viewer.session.value.library.length > 0) viewer.close();
    const pick = vi.fn(() => Promise.resolve(folder));
    vi.stubGlobal('showDirectoryPicker', pick);
    viewer.run('watch');
    await vi.waitFor(() => expect(viewer.isWatching.value).toBe(true), LONG);
    await viewer.idle;
    expect(viewer.announcement.value.text).toContain('Watching watched.');
    viewer.selectByTitle('Hop');
    viewer.playback.pause();
    viewer.playback.seek(0.25);
    viewer.view.cameraRig.orbitBy(0.5, 0.1);
    const camera = viewer.view.cameraRig.orbit.theta;
    const { file } = viewer.model!;
    await write('Pip.psk', 'web/src/viewer/demo/Pip.psk');
    await vi.waitFor(() => expect(viewer.model!.file).not.toBe(file), LONG);
    await viewer.idle;
    expect(viewer.view.cameraRig.orbit.theta).toBeCloseTo(camera, 3);
    expect(viewer.animationNames[viewer.selected]).toBe('Hop');
    expect(viewer.playback.time).toBeCloseTo(0.25, 5);
    await write('Pip.psk', 'tests/data/unreal/arm.psk');
    await vi.waitFor(() => expect(hasBone('Upper')).toBe(true), LONG);
    await viewer.idle;
    expect(pick).toHaveBeenCalledTimes(1);
    viewer.run('watch');
    await vi.waitFor(() => expect(viewer.isWatching.value).toBe(false), LONG);
    await write('Pip.psk', 'web/src/viewer/demo/Pip.psk');
    await new Promise(resolve => setTimeout(resolve, 2500));
    expect(hasBone('Upper')).toBe(true);
  },
);

it('opens new files of the folder that is already open, without asking again', { timeout: 60_000 }, async () => {
  vi.stubGlobal('showDirectoryPicker', () => Promise.reject(new Error('asked again')));
  viewer.run('watch');
  await vi.waitFor(() => expect(viewer.isWatching.value).toBe(true), LONG);
  await write('extra.psa', 'web/src/viewer/demo/Pip.psa');
  await vi.waitFor(() => expect(viewer.session.value.library.map(({ input }) => input.path)).toContain('watched/extra.psa'), LONG);
  expect(viewer.isWatching.value).toBe(true);
});

it('ends when all files are closed', () => {
  viewer.close();
  expect(viewer.isWatching.value).toBe(false);
});

it('says so if the browser cannot watch folders', async () => {
  vi.stubGlobal('showDirectoryPicker', undefined);
  viewer.run('watch');
  await vi.waitFor(() => expect(viewer.root.textContent).toContain('This browser can’t watch folders.'), LONG);
  expect(viewer.isWatching.value).toBe(false);
  expect(button()).toBeTruthy();
});
