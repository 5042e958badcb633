// Form that saves the viewport as PNG.
import { el, picked } from '../dom.ts';
import { download } from '../download.ts';
import type { Page } from '../page.ts';
import { pictureOf } from '../pictures.ts';
import { words } from '../words/index.ts';

const SCALES = [1, 2, 3, 4];

/**
 * Creates the form. `name`: base name of the file. `background`: background colour of opaque
 * pictures. `close`: closes the dialog.
 */
export function pictureForm({ viewport, session }: Page, name: string, background: string, close: () => void): HTMLElement {
  const { view, sharedRenderer } = viewport;
  const sizeOf = (scale: number): [number, number] => [view.size.width * scale, view.size.height * scale];
  const scales = SCALES.filter(scale => scale === 1 || Math.max(...sizeOf(scale)) <= sharedRenderer.maxPictureSize);
  const scale = el(
    'select',
    {},
    ...scales.map(value => el('option', { value, selected: value === 2 }, words.capture.pixelsOf(...sizeOf(value)))),
  );
  const transparent = el('input', { type: 'checkbox', checked: session.value.viewSettings.background !== 'environment' });
  const floor = el('input', { type: 'checkbox' });
  const failure = el('p', { role: 'alert', hidden: true }, words.pictureFailed);
  const save = async (): Promise<void> => {
    const choice = { scale: Number(scale.value), isTransparent: transparent.checked, hasFloor: floor.checked };
    const blob = await pictureOf(viewport, background, choice);
    failure.hidden = blob !== null;
    if (!blob) return;
    download(`${name}.png`, blob);
    close();
  };
  return el(
    'form',
    {
      'aria-label': words.capture.picture,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void save();
      },
    },
    el('label', { class: 'row-of' }, el('span', {}, words.video.size), picked(scale)),
    el('label', { class: 'check' }, transparent, el('span', { class: 'name' }, words.transparent)),
    el('label', { class: 'check' }, floor, el('span', { class: 'name' }, words.includeFloor)),
    failure,
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'submit', class: 'button primary' }, words.savePng),
      el('button', { type: 'button', class: 'plain', onclick: close }, words.close),
    ),
  );
}
