// Dialog that saves pictures and videos of the viewport, with one tab for each.
import { el } from '../dom.ts';
import type { Page } from '../page.ts';
import { showDialog } from '../showDialog.ts';
import { words } from '../words/index.ts';
import { pictureForm } from './pictureForm.ts';
import { videoTab, type VideoTabOptions } from './videoTab.ts';

/** Shows the dialog. `run`: runs work that the next load of the page cancels. */
export function showCapture(page: Page, run: VideoTabOptions['run']): void {
  const { session, root } = page;
  const { shown, viewSettings } = session.value;
  const name = (shown?.input.file.name ?? 'rigcast').replace(/\.[^.]*$/, '');
  const background =
    viewSettings.background === 'page' || viewSettings.background === 'environment'
      ? getComputedStyle(root).getPropertyValue('--viewport-1').trim() || '#ffffff'
      : viewSettings.background;
  const closed = new AbortController();
  const close = (): void => dialog.close();
  const picture = pictureForm(page, name, background, close);
  const tab = (label: string, isOn: boolean, select: () => void): HTMLElement =>
    el('label', {}, el('input', { type: 'radio', name: 'capture', checked: isOn, onchange: select }), el('span', {}, label));
  let video: HTMLElement | null = null;
  const show = (isVideo: boolean): void => {
    // The form for videos asks which formats the browser can encode, so it is created when needed.
    if (isVideo && !video) dialog.append((video = videoTab(page, { name, background, run, close, closed: closed.signal })));
    picture.hidden = isVideo;
    if (video) video.hidden = !isVideo;
  };
  const dialog = el(
    'dialog',
    { class: 'capture', 'aria-label': words.commands.picture.title },
    el('h2', {}, words.commands.picture.title),
    el(
      'div',
      { class: 'switch', role: 'radiogroup', 'aria-label': words.capture.kind },
      tab(words.capture.picture, true, () => show(false)),
      tab(words.capture.video, false, () => show(true)),
    ),
    picture,
  );
  showDialog(root, dialog, () => closed.abort());
}
