// Details of the selected branch: rows, pictures and fields.
import { el } from '../dom.ts';
import { words } from '../words/index.ts';
import type { Fact, Field, SmallPicture } from './branch.ts';
import { placeText } from './fileBranches.ts';

const MAX_FIELDS = 200;
const THUMBNAIL = 96;

export const factRow = ({ label, text, color }: Fact): HTMLElement => {
  const sample = color === undefined ? null : el('i', { class: 'sample', 'aria-hidden': 'true' });
  sample?.style.setProperty('background-color', color!);
  return el('div', {}, el('dt', { title: label }, label), el('dd', {}, sample, text));
};

export function pictureOf({ label, image, about }: { label: string; image: SmallPicture; about: string }): HTMLElement {
  const canvas = el('canvas', { role: 'img', 'aria-label': label });
  const scale = Math.min(THUMBNAIL / Math.max(image.width, image.height, 1), 1);
  canvas.width = Math.max(Math.round(image.width * scale), 1);
  canvas.height = Math.max(Math.round(image.height * scale), 1);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return el('figure', {}, canvas, el('figcaption', {}, label, el('small', {}, about)));
}

/** Creates the table of a branch's fields. `onField`: called when the visitor clicks a field. */
export function fieldTable(fields: readonly Field[], onField: (field: Field) => void): HTMLElement {
  const rows = fields
    .slice(0, MAX_FIELDS)
    .map(field =>
      el(
        'button',
        { type: 'button', class: 'field', title: `${words.finding.byte} ${placeText(field.offset)}`, onclick: () => onField(field) },
        el('span', { class: 'name' }, field.name),
        el('span', { class: 'detail' }, field.type),
        field.value !== '' && el('span', { class: 'small' }, field.value),
      ),
    );
  const rest = fields.length - rows.length;
  return el('div', { class: 'fields' }, ...rows, rest > 0 && el('p', { class: 'note' }, words.andMore(rest)));
}
