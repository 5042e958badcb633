// List of animations with a search. Creates elements only for the visible rows, so that long lists
// scroll smoothly.

import { el, fill, icon } from '../dom.ts';
import { words } from '../words/index.ts';

export interface ClipRow {
  name: string;
  /** Name of the file that contains the animation. */
  source: string;
  duration: number;
  frameRate: number;
  frameCount: number;
  /** True if the visitor has edited the animation. */
  isEdited: boolean;
  /** True if the file does not mark the clip as looping. */
  isOnce: boolean;
  /**
   * Text about how many bones the clip animates; '' if this is unknown or the clip does not match
   * the model.
   */
  fit: string;
  /** Text that explains why the clip does not match the model; '' if it matches. */
  misfit: string;
}

const ROW = 44;
/**
 * Maximum number of clips for other skeletons that are listed initially. If there are more, their
 * group is collapsed.
 */
const FEW = 5;

/** Special rows: the bind pose and the headings of the two groups. */
const REST = -1;
const OWN = -2;
const OTHERS = -3;

const isRow = (index: number): boolean => index >= REST;

export class ClipPanel {
  readonly element: HTMLElement;
  /** Called with the index of the clicked row; −1 for the bind pose. */
  onPick: (index: number) => void = () => {};
  #rows: ClipRow[] = [];
  #shown: number[] = [];
  /** Indices of the visible rows, without headings. */
  #options: number[] = [];
  #selected = REST;
  /**
   * True if the group of clips for other skeletons is expanded; null if that depends on the number
   * of clips.
   */
  #areOthersOpen: boolean | null = null;
  #search: HTMLInputElement;
  #list: HTMLElement;
  #inner: HTMLElement;
  #note: HTMLElement;
  readonly #advice = el('p', { class: 'quiet' }, words.noAnimationsText);
  #empty: HTMLElement;
  #titles: Record<number, string> = {};
  #more = el('button', {
    type: 'button',
    class: 'plain more',
    hidden: true,
    onclick: () => this.#openOthers(this.#more.getAttribute('aria-expanded') !== 'true'),
  });
  #id = `clips-${Math.random().toString(36).slice(2)}`;

  constructor() {
    this.#search = el('input', {
      type: 'search',
      placeholder: words.searchAnimations,
      'aria-label': words.searchAnimations,
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
        'aria-label': words.sections.animations,
        onscroll: () => this.#render(),
        onkeydown: (event: KeyboardEvent) => this.#key(event),
      },
      this.#inner,
    );
    this.#note = el('p', { class: 'note' });
    this.#empty = el('div', { class: 'nothing' }, el('p', {}, words.noAnimations), this.#advice);
    this.element = el(
      'div',
      { class: 'clips' },
      el('div', { class: 'search' }, icon('search'), this.#search),
      this.#note,
      this.#list,
      this.#more,
      this.#empty,
    );
    this.set([], -1);
    new ResizeObserver(() => this.#render()).observe(this.#list);
  }

  set(rows: ClipRow[], selected: number): void {
    this.#rows = rows;
    this.#selected = selected;
    this.#areOthersOpen = null;
    this.#filter();
    this.reveal();
  }

  /** Sets the hint for an empty list. */
  advise(text: string): void {
    this.#advice.textContent = text;
  }

  select(index: number): void {
    this.#selected = index;
    // Expand the group if the selected clip belongs to it.
    if (this.#rows[index]?.misfit && !this.#shown.includes(index)) this.#openOthers(true);
    this.#render();
    this.reveal();
  }

  /**
   * Returns the row that is `step` rows after the selected one. Only counts rows that match the
   * search.
   */
  next(step: number): number | null {
    const rows = this.#options;
    return rows[Math.min(Math.max(rows.indexOf(this.#selected) + step, 0), rows.length - 1)] ?? null;
  }

  reveal(): void {
    const at = this.#shown.indexOf(this.#selected);
    if (at < 0) return;
    const top = at * ROW;
    if (top < this.#list.scrollTop) this.#list.scrollTop = top;
    else if (top + ROW > this.#list.scrollTop + this.#list.clientHeight) this.#list.scrollTop = top + ROW - this.#list.clientHeight;
    this.#render();
  }

  #openOthers(areOpen: boolean): void {
    this.#areOthersOpen = areOpen;
    this.#filter();
  }

  #filter(): void {
    const typed = this.#search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (row: ClipRow): boolean => typed.every(word => `${row.name} ${row.source}`.toLowerCase().includes(word));
    const found = [...this.#rows.keys()].filter(index => matches(this.#rows[index]!));
    const others = found.filter(index => this.#rows[index]!.misfit !== '');
    const own = found.filter(index => this.#rows[index]!.misfit === '');
    const isGrouped = own.length > 0 && others.length > 0;
    const isOpen = typed.length > 0 || (this.#areOthersOpen ?? others.length <= FEW);
    this.#titles = { [OWN]: words.forThisModel(own.length), [OTHERS]: words.otherAnimations(others.length) };
    this.#more.hidden = !isGrouped || typed.length > 0;
    this.#more.textContent = isOpen ? words.hideOtherAnimations : words.showOtherAnimations(others.length);
    this.#more.setAttribute('aria-expanded', String(isOpen));
    this.#shown = [
      ...(typed.length === 0 ? [REST] : []),
      ...(isGrouped ? [OWN] : []),
      ...own,
      ...(isGrouped && isOpen ? [OTHERS] : []),
      ...(isOpen || !isGrouped ? others : []),
    ];
    this.#options = this.#shown.filter(isRow);
    const some = this.#rows.length > 0;
    this.#empty.hidden = some;
    this.#list.hidden = !some;
    this.#search.parentElement!.hidden = this.#rows.length < 6;
    this.#note.hidden = typed.length === 0;
    this.#note.textContent = found.length === 0 ? words.noResults : words.animationsFound(found.length, this.#rows.length);
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
      const element = isRow(index)
        ? this.#row(index, at, sources)
        : el('div', { class: 'group', role: 'presentation', 'aria-hidden': 'true' }, this.#titles[index]);
      element.style.top = `${at * ROW}px`;
      rows.push(element);
    }
    fill(this.#inner, ...rows);
    const at = this.#shown.indexOf(this.#selected);
    if (at >= first && at < last) this.#list.setAttribute('aria-activedescendant', `${this.#id}-${at}`);
    else this.#list.removeAttribute('aria-activedescendant');
  }

  #row(index: number, at: number, sources: number): HTMLElement {
    const row = this.#rows[index] ?? null;
    const detail = row === null ? '' : row.duration > 0 ? words.seconds(row.duration) : words.pose;
    const small =
      row === null
        ? words.bindPose
        : [
            row.isEdited ? words.edit.edited : '',
            row.fit,
            row.frameCount > 1 ? words.frames(row.frameCount) : '',
            row.frameRate > 0 ? words.rate(row.frameRate) : '',
            row.isOnce ? words.once : '',
            sources > 1 ? row.source : '',
            row.misfit,
          ]
            .filter(Boolean)
            .join(' · ');
    return el(
      'div',
      {
        class: `row${row?.misfit ? ' mismatch' : ''}`,
        role: 'option',
        id: `${this.#id}-${at}`,
        title: row?.name ?? null,
        'aria-selected': String(index === this.#selected),
        'aria-posinset': this.#options.indexOf(index) + 1,
        'aria-setsize': this.#options.length,
        onclick: () => this.onPick(index),
      },
      el('span', { class: 'name' }, row?.name || (row ? words.noName : words.restPose)),
      el('span', { class: 'detail' }, detail),
      el('span', { class: 'small' }, small),
    );
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(Math.floor(this.#list.clientHeight / ROW) - 1, 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const index = this.next(step);
    if (index !== null) this.onPick(index);
  }
}
