// The share dialog: code for files with a URL, and fields for files of the visitor's device.
import axe from 'axe-core';
import { page, userEvent } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Bookmark } from '../../../../web/src/viewer/bookmarks.ts';
import { viewIn } from '../../../../web/src/viewer/linkedViews.ts';
import { addressesIn, nameIn, shareCode } from '../../../../web/src/viewer/shareCode.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { dropOn, fetchBlob, makeViewer } from './support.ts';

let viewer: Viewer;
beforeAll(async () => {
  await page.viewport(1000, 700);
  viewer = await makeViewer();
  await dropOn(viewer, new File([await fetchBlob('web/src/viewer/demo/Pip.psk')], 'Pip.psk'));
}, 120_000);
afterAll(() => viewer.dispose());
afterEach(() => {
  document.querySelectorAll('dialog').forEach(dialog => dialog.close());
  vi.restoreAllMocks();
});

async function open(): Promise<HTMLDialogElement> {
  await viewer.share();
  return document.querySelector<HTMLDialogElement>('dialog.share[open]')!; // a closed one is removed a little later
}
const labelled = <E extends Element>(dialog: Element, label: RegExp): E =>
  [...dialog.querySelectorAll('label')].find(each => label.test(each.textContent))!.querySelector('input, select') as unknown as E;
const code = (dialog: Element): HTMLTextAreaElement => dialog.querySelector('textarea')!;
const button = (dialog: Element, text: string): HTMLButtonElement =>
  [...dialog.querySelectorAll('button')].find(each => each.textContent === text)!;

/** Parses HTML without running it. */
const parsed = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

const HOSTILE = `"'><img src=x onerror=alert(1)>&amp;`;

it('asks for the URLs of local files, and offers no code without them', async () => {
  const dialog = await open();
  expect(dialog.textContent).toContain('Other people can’t open files on your device.');
  expect([code(dialog).value, code(dialog).disabled, button(dialog, 'Copy').disabled]).toEqual(['', true, true]);
  const model = labelled<HTMLInputElement>(dialog, /^Address of the model/);
  expect(document.activeElement).toBe(model);
  await userEvent.fill(model, 'models/hero.psk');
  expect(dialog.textContent).toContain('Enter complete addresses');
  expect(code(dialog).disabled).toBe(true);
  await userEvent.fill(model, 'https://models.example/hero.psk');
  await userEvent.fill(labelled<HTMLInputElement>(dialog, /^Addresses of/), 'https://models.example/run.psa https://models.example/a.png');
  expect(dialog.textContent).not.toContain('Enter complete addresses');
  expect(new URL(code(dialog).value).searchParams.getAll('src')).toEqual([
    'https://models.example/hero.psk',
    'https://models.example/run.psa',
    'https://models.example/a.png',
  ]);
});

it('includes the current view and saved views in links, if they are wanted', async () => {
  viewer.view.cameraRig.orbitBy(0.5, 0.1);
  viewer.saveView('Left, from above');
  const dialog = await open();
  await userEvent.fill(labelled<HTMLInputElement>(dialog, /^Address of the model/), 'https://models.example/hero.psk');
  const link = (): URLSearchParams => new URL(code(dialog).value).searchParams;
  const [saved] = viewer.bookmarks.value!.of(viewer.session.value.shown!.input);
  const near = (view: Bookmark | null): number[] => [...view!.position, ...view!.target].map(value => Math.round(value * 100));
  expect(near(viewIn(link().get('camera')!))).toEqual(near(saved!));
  expect(
    link()
      .getAll('view')
      .map(text => viewIn(text)!.name),
  ).toEqual(['Left, from above']);
  expect((await axe.run(dialog)).violations.map(({ id }) => id)).toEqual([]);
  await userEvent.click(labelled(dialog, /current view/));
  await userEvent.click(labelled(dialog, /1 saved view/));
  expect([link().has('camera'), link().has('view')]).toEqual([false, false]);
  await userEvent.selectOptions(labelled<HTMLSelectElement>(dialog, /^Share as/), 'iframe');
  expect(labelled<HTMLElement>(dialog, /current view/).checkVisibility()).toBe(false);
  viewer.bookmarks.value!.remove(viewer.session.value.shown!.input, 'Left, from above');
});

it.each([
  '',
  '1,2,3,4,5,6,32,0',
  '1,2,3,4,5,6,0,0,x',
  '1,2,x,4,5,6,32,0,a',
  '1,2,,4,5,6,32,0,a',
  '1,2,1e999,4,5,6,32,0,a',
  `1,2,3,4,5,6,32,0,${'a'.repeat(400)}`,
])('%# is not a view: %.30s', text => expect(viewIn(text)).toBeNull());

it('works with the keyboard, selects the text if the browser refuses to copy, and has no accessibility problem', async () => {
  // tests/site/people.test.ts copies for real.
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
  const dialog = await open();
  await userEvent.keyboard('https://models.example/hero.psk');
  await userEvent.keyboard('{Tab}{Tab}');
  const kinds = labelled<HTMLSelectElement>(dialog, /^Share as/);
  expect(document.activeElement).toBe(kinds);
  await userEvent.selectOptions(kinds, 'markdown');
  expect(code(dialog).value).toMatch(/^\[hero\.psk\]\(<http/);
  const { violations } = await axe.run(dialog);
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  await userEvent.keyboard('{Tab}{Tab}{Tab}{Enter}');
  const said = (): string => [...dialog.querySelectorAll('[role=status]')].map(each => each.textContent).join('');
  await expect.poll(said).toContain('The browser doesn’t allow copying here');
  expect(document.activeElement).toBe(code(dialog));
  expect(code(dialog).value.slice(code(dialog).selectionStart, code(dialog).selectionEnd)).toBe(code(dialog).value);
  await userEvent.keyboard('{Escape}');
  expect(document.querySelector('dialog')).toBeNull();
});

it('warns that embed.html may not read a file of another server', async () => {
  const dialog = await open();
  await userEvent.fill(labelled<HTMLInputElement>(dialog, /^Address of the model/), 'https://models.example/hero.psk');
  await userEvent.selectOptions(labelled<HTMLSelectElement>(dialog, /^Share as/), 'iframe');
  await expect.poll(() => dialog.querySelector('.omitted')!.textContent).toContain('https://models.example/hero.psk');
  await userEvent.selectOptions(labelled<HTMLSelectElement>(dialog, /^Share as/), 'tag');
  expect(dialog.querySelector('.omitted')!.textContent).toBe('');
});

it('warns about a URL that can’t be read', async () => {
  const dialog = await open();
  const model = labelled<HTMLInputElement>(dialog, /^Address of the model/);
  const demo = new URL('/web/src/viewer/demo/Pip.psk', location.origin).href;
  const unreachable = 'http://127.0.0.1:1/Pip.psk'; // browsers refuse this port
  await userEvent.fill(model, unreachable);
  await expect.poll(() => dialog.querySelector('.omitted')!.textContent).toContain(`${unreachable} couldn’t be read.`);
  await userEvent.fill(model, demo);
  expect(dialog.querySelector('.omitted')!.textContent).toBe('');
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(dialog.querySelector('.omitted')!.textContent).toBe('');
});

it('says that a demo has no URL, and leaves its animation out', async () => {
  await viewer.openDemo('pip');
  await viewer.idle;
  const dialog = await open();
  expect(dialog.textContent).toContain('This is a demo.');
  await userEvent.fill(labelled<HTMLInputElement>(dialog, /^Address of the model/), 'https://models.example/hero.psk');
  expect([...new URL(code(dialog).value).searchParams]).toEqual([['src', 'https://models.example/hero.psk']]);
});

it('escapes every part of the HTML', () => {
  const content = { addresses: [`https://a.example/x${HOSTILE}.psk`, 'https://a.example/run.psa?a=1&b=2'], animation: HOSTILE };
  const frame = parsed(shareCode('iframe', content)).body;
  expect([frame.childNodes.length, frame.querySelectorAll('*').length]).toEqual([1, 1]);
  const shown = new URL(frame.querySelector('iframe')!.getAttribute('src')!);
  expect(shown.pathname).toMatch(/embed\.html$/);
  expect(shown.searchParams.get('animation')).toBe(HOSTILE);
  expect(shown.searchParams.get('src')).toBe(new URL(content.addresses[0]!).href);
  expect(shown.searchParams.get('files')).toBe(content.addresses[1]);
  const page_ = parsed(shareCode('tag', content));
  expect([...page_.querySelectorAll('*')].map(({ localName }) => localName)).toEqual(['html', 'head', 'script', 'body', 'rigcast-viewer']);
  const viewerTag = page_.querySelector('rigcast-viewer')!;
  expect(viewerTag.getAttribute('animation')).toBe(HOSTILE);
  expect(viewerTag.getAttribute('files')).toBe(content.addresses[1]);
  expect([...viewerTag.attributes].map(({ name }) => name).sort()).toEqual([
    'alt',
    'animation',
    'autoplay',
    'controls',
    'files',
    'src',
    'style',
  ]);
});

it('escapes the name in Markdown', () => {
  const text = shareCode('markdown', { addresses: ['https://a.example/a](https:b) <b>.psk'], animation: '' });
  expect(text).toMatch(/^\[a\\\]\(https:b\) \\<b\\>\.psk\]\(<http[^<>\s]+>\)$/);
});

it.each([
  ['https://a.example/a.psk', ['https://a.example/a.psk']],
  [' https://a.example/a.psk\nhttp://b.example/b c', null],
  ['javascript:alert(1)', null],
  ['file:///a.psk', null],
  ['', []],
])('reads the addresses in %j', (text, addresses) => expect(addressesIn(text)).toEqual(addresses));

it('names a model by its file', () => {
  expect(nameIn('https://a.example/d/H%C3%A9ro.psk?x#y')).toBe('Héro.psk');
  expect(nameIn('https://a.example/%E0%A4%A')).toBe('%E0%A4%A');
  expect(nameIn('https://a.example/')).toBe('3D model');
});
