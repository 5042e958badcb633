// The served page: `?src=` opens files instead of the demo.
import { afterAll, afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Bookmark } from '../../../../web/src/viewer/bookmarks.ts';
import { outsideOfEmbed, shareCode } from '../../../../web/src/viewer/shareCode.ts';
import { recentNames } from '../../../../web/src/viewer/recent.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { addStyle, dropOn, fetchBlob } from './support.ts';

const address = location.href;
afterEach(() => void vi.restoreAllMocks());
afterAll(() => history.replaceState(null, '', address));

const demo = (name: string): string => new URL(`../../../../web/src/viewer/demo/${name}`, import.meta.url).href;

it('applies nothing of the URL to files that are dropped while its files are fetched', async () => {
  await addStyle();
  const app = document.createElement('div');
  app.id = 'app';
  document.body.append(app);
  onTestFinished(() => app.remove());
  const query = new URLSearchParams({ src: demo('Tock.cast'), animation: 'Hop', camera: '0.5,1.5,-3,0,0.5,0,40,1,' });
  history.replaceState(null, '', `?${query}`);
  const dropped = await Promise.all(
    ['Pip.psk', 'Pip.psa'].map(async name => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name)),
  );
  // The query makes this another module than that of the next test.
  const { viewer } = (await import(/* @vite-ignore */ new URL('../../../../web/src/viewer/main.ts?dropped', import.meta.url).href)) as {
    viewer: Viewer;
  };
  // The fetched load ends after the dropped files are shown.
  let release = (): void => {};
  const released = new Promise<void>(resolve => (release = resolve));
  viewer.deferredLoads.push(() => released);
  const first = viewer.idle;
  void dropOn(viewer, ...dropped);
  await expect.poll(() => viewer.model?.input.file.name).toBe('Pip.psk');
  release();
  await Promise.all([first, viewer.idle]);
  await new Promise(resolve => setTimeout(resolve, 100)); // time to apply the URL
  expect(viewer.addresses.value).toEqual([]);
  expect(viewer.animationNames[viewer.selected]).toBe('Wave');
  expect(viewer.view.cameraRig.isOrthographic).toBe(false);
  viewer.dispose();
}, 120_000);

it('opens the files that the URL of the page names', async () => {
  await addStyle();
  const app = document.createElement('div');
  app.id = 'app';
  document.body.append(app);
  history.replaceState(
    null,
    '',
    `?${new URLSearchParams([
      ['src', demo('Pip.psk')],
      ['src', demo('Pip.psa')],
      ['animation', 'Hop'],
      ['camera', '0.5,1.5,-3,0,0.5,0,40,1,'],
      ['view', '0,1,3,0,0.5,0,32,0,From the front'],
      ['view', 'nonsense'],
    ])}`,
  );
  const { viewer } = await import('../../../../web/src/viewer/main.ts');
  await viewer.idle;
  expect(app.querySelector('.title')!.textContent).toBe('Pip.psk');
  expect(viewer.animationNames).toEqual(['Wave', 'Hop']);
  await expect.poll(() => viewer.animationNames[viewer.selected]).toBe('Hop');
  await expect.poll(() => viewer.view.cameraRig.pose.position[2]).toBeCloseTo(-3, 3);
  await expect.poll(() => viewer.view.cameraRig.movement).toBeNull();
  expect([viewer.view.cameraRig.isOrthographic, viewer.view.cameraRig.pose.fieldOfView]).toEqual([true, 40]);
  const savedViews = (): readonly Bookmark[] => viewer.bookmarks.value!.of(viewer.session.value.shown!.input);
  await expect.poll(() => savedViews().map(({ name }) => name)).toEqual(['From the front']);
  // The shared link contains the same files and views.
  const current = { ...viewer.viewport.cameraView.pose, name: '', isOrthographic: true };
  const link = new URL(shareCode('link', { addresses: viewer.addresses.value, animation: 'Hop', views: { current, saved: savedViews() } }));
  history.replaceState(null, '', location.search.replace(/&view=nonsense/, ''));
  expect([...link.searchParams]).toEqual([...new URLSearchParams(location.search)]);
  expect(recentNames()[0]).toBe('Pip.psk');
  viewer.dispose();
}, 120_000);

it.each([
  ['./', ['models/a.psk'], null],
  ['./', ['a.psk', '/elsewhere/b.psk'], `${location.origin}/elsewhere/b.psk`],
  ['./', ['https://cdn.example/m/a.psk'], 'https://cdn.example/m/a.psk'],
  ['./  https://cdn.example/m', ['a.psk', 'https://cdn.example/m/a.psk'], null],
  // An older embed page has no such meta element.
  [null, ['https://cdn.example/m/a.psk'], 'https://cdn.example/m/a.psk'],
])('with the allowed folders %j, the embed page reads %j except for %j', async (roots, addresses, outside) => {
  const line = roots === null ? '' : `<meta name="rigcast-root" content="${roots}" />`;
  vi.spyOn(window, 'fetch').mockResolvedValue(new Response(`<!doctype html>${line}`));
  history.replaceState(null, '', '/site/index.html');
  expect(await outsideOfEmbed(addresses)).toBe(outside);
});
