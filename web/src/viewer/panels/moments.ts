// A list of what happens when, to be searched and gone to: notes of a motion, markers of a recording.
import { count, el, fill, icon } from '../dom.ts';
import { words } from '../words/index.ts';

export interface Moment {
  /** Seconds. */
  time: number;
  name: string;
  detail: string;
}

/** Rows at once; a search finds the others. */
const MOST = 200;
/** With so few nobody searches. */
const FEW = 8;

export class MomentList {
  readonly element: HTMLElement;
  #moments: readonly Moment[] = [];
  #onSeek: (time: number) => void;
  #list: HTMLUListElement;
  #note = el('p', { class: 'quiet', hidden: true });
  #search: HTMLInputElement;

  constructor(title: string, onSeek: (time: number) => void) {
    this.#onSeek = onSeek;
    this.#list = el('ul', { 'aria-label': title });
    this.#search = el('input', {
      type: 'search',
      placeholder: words.searchMoments,
      'aria-label': words.searchMoments,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => this.#render(),
    });
    this.element = el('div', { class: 'moments' }, el('div', { class: 'search' }, icon('search'), this.#search), this.#list, this.#note);
  }

  set(moments: readonly Moment[]): void {
    this.#moments = moments;
    this.#search.parentElement!.hidden = moments.length <= FEW;
    this.#search.value = '';
    this.#render();
  }

  #render(): void {
    const typed = this.#search.value.trim().toLowerCase();
    const found = this.#moments.filter(({ name }) => name.toLowerCase().includes(typed));
    this.#note.hidden = found.length > 0 && found.length <= MOST;
    this.#note.textContent = found.length === 0 ? words.noSuchMoment : words.more(found.length - MOST);
    fill(this.#list, ...found.slice(0, MOST).map(moment => this.#row(moment)));
  }

  #row({ time, name, detail }: Moment): HTMLElement {
    return el(
      'li',
      {},
      el(
        'button',
        { type: 'button', class: 'moment', onclick: () => this.#onSeek(time) },
        el('span', { class: 'name' }, name || words.noName),
        el('span', { class: 'detail' }, detail),
        el('span', { class: 'detail at' }, words.clock(time)),
      ),
    );
  }
}

/** Notes of a motion, for those who do not find them under the bar. */
export class NotePanel {
  readonly element: HTMLElement;
  #list: MomentList;
  #about = el('p', { class: 'quiet' });

  constructor(onSeek: (time: number) => void) {
    this.#list = new MomentList(words.panels.notes, onSeek);
    this.element = el('div', { class: 'panel recording' }, this.#about, this.#list.element);
  }

  set(moments: readonly Moment[], motion: string): void {
    this.#about.textContent = words.notesOf(count(moments.length), motion);
    this.#list.set(moments);
  }
}
