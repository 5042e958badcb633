// The list of motions: searchable, and as quick with a thousand entries as with three, because only the rows in sight exist.

import { el, fill, icon, plural } from '../dom.ts';

export interface ClipRow {
  name: string;
  /** The file it came from. */
  source: string;
  duration: number;
  frameRate: number;
  frameCount: number;
  /** It was made for another skeleton: what little suits this one; else ''. */
  misfit: string;
}

const ROW = 44;

export class ClipPanel {
  readonly element: HTMLElement;
  /** Index into the rows; −1 is the rest pose. */
  onPick: (index: number) => void = () => {};
  #rows: ClipRow[] = [];
  #shown: number[] = [];
  #selected = -1;
  #search: HTMLInputElement;
  #list: HTMLElement;
  #inner: HTMLElement;
  #note: HTMLElement;
  #empty: HTMLElement;
  #id = `clips-${Math.random().toString(36).slice(2)}`;

  constructor() {
    this.#search = el('input', {
      type: 'search',
      placeholder: 'Search motions',
      'aria-label': 'Search motions',
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => this.#filter(),
    });
    this.#inner = el('div', { class: 'rows', role: 'presentation' });
    this.#list = el(
      'div',
      {
        class: 'list',
        role: 'listbox',
        tabindex: 0,
        'aria-label': 'Motions',
        onscroll: () => this.#render(),
        onkeydown: (event: KeyboardEvent) => this.#key(event),
      },
      this.#inner,
    );
    this.#note = el('p', { class: 'note' });
    this.#empty = el(
      'div',
      { class: 'nothing' },
      el('p', {}, 'No motions yet.'),
      el('p', { class: 'quiet' }, 'Drop a motion file on top, a .psa, .cast or .seanim whose bones have the names of this model’s.'),
    );
    this.element = el(
      'div',
      { class: 'panel clips' },
      el('div', { class: 'search' }, icon('search'), this.#search),
      this.#note,
      this.#list,
      this.#empty,
    );
    this.set([], -1);
    new ResizeObserver(() => this.#render()).observe(this.#list);
  }

  set(rows: ClipRow[], selected: number): void {
    this.#rows = rows;
    this.#selected = selected;
    this.#filter();
    this.reveal();
  }

  select(index: number): void {
    this.#selected = index;
    this.#render();
    this.reveal();
  }

  /** The row after (or before) the selected one, among those that the search leaves. */
  next(step: number): number | null {
    if (this.#shown.length === 0) return null;
    const at = this.#shown.indexOf(this.#selected);
    return this.#shown[Math.min(Math.max(at + step, 0), this.#shown.length - 1)]!;
  }

  reveal(): void {
    const at = this.#shown.indexOf(this.#selected);
    if (at < 0) return;
    const top = at * ROW;
    if (top < this.#list.scrollTop) this.#list.scrollTop = top;
    else if (top + ROW > this.#list.scrollTop + this.#list.clientHeight) this.#list.scrollTop = top + ROW - this.#list.clientHeight;
    this.#render();
  }

  #filter(): void {
    const words = this.#search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (row: ClipRow): boolean => words.every(word => `${row.name} ${row.source}`.toLowerCase().includes(word));
    this.#shown = words.length === 0 ? [-1] : [];
    this.#rows.forEach((row, index) => {
      if (matches(row)) this.#shown.push(index);
    });
    const some = this.#rows.length > 0;
    this.#empty.hidden = some;
    this.#list.hidden = !some;
    this.#search.parentElement!.hidden = this.#rows.length < 6;
    this.#note.hidden = words.length === 0;
    this.#note.textContent =
      this.#shown.length === 0 ? 'No motion has that name.' : `${plural(this.#shown.length, 'motion')} of ${this.#rows.length}`;
    this.#render();
  }

  #render(): void {
    const sources = new Set(this.#rows.map(row => row.source)).size;
    const first = Math.max(Math.floor(this.#list.scrollTop / ROW) - 4, 0);
    const last = Math.min(first + Math.ceil((this.#list.clientHeight || 600) / ROW) + 8, this.#shown.length);
    this.#inner.style.height = `${this.#shown.length * ROW}px`;
    const rows: HTMLElement[] = [];
    for (let at = first; at < last; ++at) {
      const index = this.#shown[at]!;
      const row = this.#rows[index] ?? null;
      const selected = index === this.#selected;
      const detail = row === null ? '' : row.duration > 0 ? `${row.duration.toFixed(row.duration < 10 ? 1 : 0)} s` : 'pose';
      const small =
        row === null
          ? 'as the model was built'
          : [
              row.frameCount > 1 ? `${row.frameCount} frames` : '',
              row.frameRate > 0 ? `${Number(row.frameRate.toFixed(2))} fps` : '',
              sources > 1 ? row.source : '',
              row.misfit,
            ]
              .filter(Boolean)
              .join(' · ');
      const element = el(
        'div',
        {
          class: `row${row?.misfit ? ' foreign' : ''}`,
          role: 'option',
          id: `${this.#id}-${at}`,
          'aria-selected': String(selected),
          'aria-posinset': at + 1,
          'aria-setsize': this.#shown.length,
          onclick: () => this.onPick(index),
        },
        el('span', { class: 'name' }, row?.name || (row ? '(no name)' : 'Rest pose')),
        el('span', { class: 'detail' }, detail),
        el('span', { class: 'small' }, small),
      );
      element.style.top = `${at * ROW}px`;
      if (row) element.title = row.name;
      rows.push(element);
    }
    fill(this.#inner, ...rows);
    const at = this.#shown.indexOf(this.#selected);
    if (at >= first && at < last) this.#list.setAttribute('aria-activedescendant', `${this.#id}-${at}`);
    else this.#list.removeAttribute('aria-activedescendant');
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(Math.floor(this.#list.clientHeight / ROW) - 1, 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = Math.max(this.#shown.indexOf(this.#selected), 0);
    const index = this.#shown[Math.min(Math.max(at + step, 0), this.#shown.length - 1)];
    if (index !== undefined) this.onPick(index);
  }
}
