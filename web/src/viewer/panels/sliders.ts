// Sliders for morph targets and poses.

import { el, fill, icon } from '../dom.ts';
import { words } from '../words/index.ts';

export interface WeightRow {
  name: string;
  /** Maximum weight, at the end of the slider. */
  maximum: number;
  get(): number;
  set(value: number): void;
}

const MAX_ROWS = 150;

/** Texts of the panel. `first`: states that only the first `most` of `all` rows are shown. */
export interface SliderTexts {
  search: string;
  first: (most: number, all: number) => string;
}

export class SliderPanel {
  readonly element: HTMLElement;
  onChange: () => void = () => {};
  #texts: SliderTexts;
  #rows: WeightRow[] = [];
  #search: HTMLInputElement;
  #list: HTMLElement;
  #note: HTMLElement;
  #reset: HTMLButtonElement;
  #sliders: { row: WeightRow; input: HTMLInputElement; output: HTMLOutputElement }[] = [];

  constructor(texts: SliderTexts) {
    this.#texts = texts;
    this.#search = el('input', {
      type: 'search',
      placeholder: texts.search,
      'aria-label': texts.search,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => this.#render(),
    });
    this.#list = el('div', { class: 'sliders' });
    this.#note = el('p', { class: 'note' });
    this.#reset = el('button', { type: 'button', class: 'plain', onclick: () => this.#clear() }, words.resetAll);
    this.element = el(
      'div',
      { class: 'weights' },
      el('div', { class: 'search' }, icon('search'), this.#search),
      this.#note,
      this.#list,
      this.#reset,
    );
    this.set([]);
  }

  set(rows: WeightRow[]): void {
    this.#rows = rows;
    this.#search.value = '';
    this.#search.parentElement!.hidden = rows.length < 9;
    this.#reset.hidden = rows.length === 0;
    this.#render();
  }

  /** Updates the sliders from the current values, which animations can change. */
  update(): void {
    for (const { row, input, output } of this.#sliders) {
      const value = row.get();
      if (Math.abs(Number(input.value) - value) > 1e-4) this.#display(row, input, output, value);
    }
  }

  #clear(): void {
    for (const row of this.#rows) row.set(0);
    this.update();
    this.onChange();
  }

  #display({ maximum }: WeightRow, input: HTMLInputElement, output: HTMLOutputElement, value: number): void {
    input.value = String(value);
    input.style.setProperty('--done', `${Math.min(Math.max(value / maximum, 0), 1) * 100}%`);
    output.value = value.toFixed(2);
  }

  #render(): void {
    const typed = this.#search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#rows.filter(row => typed.every(word => row.name.toLowerCase().includes(word)));
    const shown = found.slice(0, MAX_ROWS);
    this.#note.textContent =
      found.length === 0 && this.#rows.length > 0
        ? words.noResults
        : found.length > MAX_ROWS
          ? this.#texts.first(MAX_ROWS, found.length)
          : '';
    this.#note.hidden = this.#note.textContent === '';
    this.#sliders = [];
    fill(
      this.#list,
      ...shown.map(row => {
        const output = el('output', {});
        const input = el('input', {
          type: 'range',
          min: 0,
          max: row.maximum,
          step: row.maximum / 100,
          oninput: () => {
            row.set(Number(input.value));
            this.#display(row, input, output, Number(input.value));
            this.onChange();
          },
        });
        this.#display(row, input, output, row.get());
        this.#sliders.push({ row, input, output });
        return el('label', { class: 'slider' }, el('span', { class: 'name', title: row.name }, row.name), output, input);
      }),
    );
  }
}
