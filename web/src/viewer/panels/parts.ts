// What the model is made of; each piece can be hidden.

import type { Part } from '../../stage/index.ts';
import { el, fill } from '../dom.ts';
import { words } from '../words/index.ts';

const MOST = 400;

export class PartPanel {
  readonly element: HTMLElement;
  onChange: () => void = () => {};
  #list = el('div', { class: 'parts' });
  #note = el('p', { class: 'note' });

  constructor() {
    this.element = el('div', { class: 'panel' }, this.#note, this.#list);
    this.set([]);
  }

  set(parts: Part[]): void {
    this.#note.hidden = parts.length > 0 && parts.length <= MOST;
    this.#note.textContent = parts.length === 0 ? words.noParts : words.firstParts(MOST, parts.length);
    fill(this.#list, ...parts.slice(0, MOST).map(part => this.#group(part)));
  }

  #group(part: Part): HTMLElement {
    // A mesh with one material of the same name would only say everything twice.
    const children = part.children.length > 1 || (part.children.length === 1 && part.children[0]!.name !== part.name) ? part.children : [];
    return el(
      'div',
      { class: 'part', role: 'group' },
      this.#row(part),
      children.length > 0 && el('div', { class: 'inside' }, ...children.slice(0, MOST).map(child => this.#row(child))),
    );
  }

  #row(part: Part): HTMLElement {
    const box = el('input', {
      type: 'checkbox',
      checked: part.visible,
      onchange: () => {
        part.setVisible(box.checked);
        this.onChange();
      },
    });
    return el(
      'label',
      { class: `check ${part.kind}` },
      box,
      el('span', { class: 'name', title: part.name }, part.name || words.noName),
      el('span', { class: 'detail' }, words.triangleCount(part.triangles)),
    );
  }
}
