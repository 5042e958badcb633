// List of the camera views that the visitor has saved for the shown model.
import { effect } from '@preact/signals-core';
import { keyName } from '../commands.ts';
import { el, fill, iconButton } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';

/** Number of views that have a key. */
const KEYS = 9;

export function bookmarkControls(page: Page): HTMLElement {
  const text = words.bookmarks;
  const name = el('input', { type: 'text', 'aria-label': text.name, maxlength: 80, autocomplete: 'off', spellcheck: 'false' });
  const list = el('ul', { class: 'bookmarks', 'aria-label': text.title });
  const form = el(
    'form',
    {
      class: 'bookmark-form',
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        page.saveView(name.value.trim() || name.placeholder);
        name.value = '';
      },
    },
    name,
    el('button', { type: 'submit', class: 'button' }, text.save),
  );
  effect(() => {
    const input = page.shownModel.value?.input;
    const views = input ? (page.bookmarks.value?.of(input) ?? []) : [];
    const isFree = (number: number): boolean => !views.some(view => view.name === text.numbered(number));
    let number = views.length + 1;
    while (!isFree(number)) number++;
    name.placeholder = text.numbered(number);
    list.hidden = views.length === 0;
    fill(
      list,
      ...views.map((view, at) =>
        el(
          'li',
          {},
          el(
            'button',
            { type: 'button', class: 'plain', onclick: () => page.showView(at) },
            el('span', { class: 'name' }, view.name),
            at < KEYS && el('kbd', {}, keyName(`shift+${at + 1}`)),
          ),
          iconButton('close', text.remove(view.name), () => {
            if (input) page.bookmarks.peek()?.remove(input, view.name);
            page.announce(text.removed(view.name));
            name.focus();
          }),
        ),
      ),
    );
  });
  return el('div', { class: 'bookmark-box', role: 'group', 'aria-label': text.title }, el('h4', {}, text.title), list, form);
}
