// Searchable list of events. A click seeks to the time of an event.
import { el, fill, icon } from '../dom.ts';
import { words } from '../words/index.ts';

export interface EventRow {
  /** Time of the event in seconds. */
  time: number;
  name: string;
  detail: string;
}

/** Maximum number of rows that are listed. The search covers all rows. */
const MAX_ROWS = 200;
/** Maximum number of rows for which the list has no search field. */
const FEW = 8;

export class EventList {
  readonly element: HTMLElement;
  #events: readonly EventRow[] = [];
  #onSeek: (time: number) => void;
  #list: HTMLUListElement;
  #note = el('p', { class: 'quiet', hidden: true });
  #search: HTMLInputElement;

  constructor(title: string, onSeek: (time: number) => void) {
    this.#onSeek = onSeek;
    this.#list = el('ul', { 'aria-label': title });
    this.#search = el('input', {
      type: 'search',
      placeholder: words.searchEvents,
      'aria-label': words.searchEvents,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => this.#render(),
    });
    this.element = el('div', { class: 'events' }, el('div', { class: 'search' }, icon('search'), this.#search), this.#list, this.#note);
  }

  set(events: readonly EventRow[]): void {
    this.#events = events;
    this.#search.parentElement!.hidden = events.length <= FEW;
    this.#search.value = '';
    this.#render();
  }

  #render(): void {
    const typed = this.#search.value.trim().toLowerCase();
    const found = this.#events.filter(({ name }) => name.toLowerCase().includes(typed));
    this.#note.hidden = found.length > 0 && found.length <= MAX_ROWS;
    this.#note.textContent = found.length === 0 ? words.noResults : words.more(found.length - MAX_ROWS);
    fill(this.#list, ...found.slice(0, MAX_ROWS).map(event => this.#row(event)));
  }

  #row({ time, name, detail }: EventRow): HTMLElement {
    return el(
      'li',
      {},
      el(
        'button',
        { type: 'button', class: 'event', onclick: () => this.#onSeek(time) },
        el('span', { class: 'name' }, name || words.noName),
        el('span', { class: 'detail' }, detail),
        el('span', { class: 'detail at' }, words.clock(time)),
      ),
    );
  }
}

/** Section with the events of the current clip or recording. */
export class EventPanel {
  readonly element: HTMLElement;
  #list: EventList;
  #about = el('p', { class: 'quiet' });

  constructor(onSeek: (time: number) => void) {
    this.#list = new EventList(words.sections.events, onSeek);
    this.element = el('div', { class: 'recording' }, this.#about, this.#list.element);
  }

  set(events: readonly EventRow[], animation: string): void {
    this.#about.textContent = events.length > 0 ? words.eventsOf(events.length, animation) : words.noEvents;
    this.#list.element.hidden = events.length === 0;
    this.#list.set(events);
  }
}
