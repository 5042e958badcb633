// A scrolling list or grid of items, of which only those near the visible part are in the document.
import { el } from '../dom.ts';

/** Number of rows that are in the document above and below the visible part. */
const MARGIN = 2;
/** Time in milliseconds within which typed letters are combined. */
const TYPING = 700;

export interface VirtualListOptions<Item> {
  label: string;
  /** Returns the key of an item, which identifies its element. */
  keyOf(item: Item): string;
  /** Text that typed letters are compared with. */
  nameOf(item: Item): string;
  /** Creates the content of an item. The first focusable element receives the focus. */
  create(item: Item): HTMLElement[];
  /** Number of columns and height of a row in CSS pixels, for the width of the list. */
  measure(width: number): { columns: number; height: number };
}

export class VirtualList<Item> {
  /** The element that scrolls. If a style sheet makes its overflow visible, its parent scrolls instead. */
  readonly element: HTMLElement;
  readonly #options: VirtualListOptions<Item>;
  readonly #list: HTMLElement;
  readonly #elements = new Map<string, { item: Item; element: HTMLElement; index: number }>();
  #items: readonly Item[] = [];
  #active = 0;
  #columns = 1;
  #height = 1;
  /** Visible part of the list when it was last resized or scrolled, in CSS pixels from its first row. */
  #visible = { top: 0, height: 0 };
  #typed = '';
  #typedAt = 0;

  /** `ended`: ends the updates when it is aborted. */
  constructor(options: VirtualListOptions<Item>, ended: AbortSignal) {
    this.#options = options;
    this.#list = el('ul', { 'aria-label': options.label, onkeydown: (event: KeyboardEvent) => this.#onKey(event) });
    this.element = el('div', { class: 'library-items', tabindex: -1 }, this.#list);
    this.#list.addEventListener('focusin', event => {
      const row = (event.target as Element).closest<HTMLElement>('li');
      if (row) this.#setActive(Number(row.dataset['index']));
    });
    const observer = new ResizeObserver(() => this.update());
    observer.observe(this.element);
    ended.addEventListener('abort', () => observer.disconnect());
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Replaces the items. The active item stays active if it is still in the list. */
  set(items: readonly Item[]): void {
    const { keyOf } = this.#options;
    const active = this.#items[this.#active];
    this.#items = items;
    const at = active ? items.findIndex(item => keyOf(item) === keyOf(active)) : -1;
    this.#active = Math.max(at, 0);
    this.#render();
  }

  /** Creates all elements again, after the layout has changed. */
  clear(): void {
    for (const { element } of this.#elements.values()) element.remove();
    this.#elements.clear();
    this.update();
  }

  /** Measures the list, and creates or removes the elements at the edges of the visible part. */
  update(): void {
    const { columns, height } = this.#options.measure(this.#list.clientWidth);
    this.#columns = Math.max(columns, 1);
    this.#height = height;
    this.#list.style.setProperty('--columns', String(this.#columns));
    this.#list.style.setProperty('--row', `${height}px`);
    this.scrolled();
  }

  /** Creates or removes elements after the list was scrolled. */
  scrolled(): void {
    const { scroller, offset } = this.#scroller;
    this.#visible = { top: scroller.scrollTop - offset, height: scroller.clientHeight };
    this.#render();
  }

  /** Makes an item active and scrolls to it. */
  reveal(isWanted: (item: Item) => boolean): void {
    const at = this.#items.findIndex(isWanted);
    if (at >= 0) this.#setActive(at);
    this.#scrollTo(this.#active);
  }

  /** Moves the focus to the active item. */
  focus(): void {
    this.#scrollTo(this.#active);
    this.#buttonOf(this.#active)?.focus({ preventScroll: true });
  }

  /** Creates, changes or removes elements. This does not read the layout, which would make the browser compute it. */
  #render(): void {
    const { keyOf, create } = this.#options;
    const { top, height } = this.#visible;
    const rows = Math.ceil(this.#items.length / this.#columns);
    const first = Math.min(Math.max(Math.floor(top / this.#height) - MARGIN, 0), rows);
    const last = Math.min(Math.max(Math.ceil((top + height) / this.#height) + MARGIN, first), rows);
    // The height does not depend on the elements, so that the position stays the same while they change.
    this.#list.style.height = `${rows * this.#height}px`;
    const wanted = this.#items.slice(first * this.#columns, last * this.#columns);
    const hadFocus = this.#list.contains(document.activeElement);
    const keys = new Set(wanted.map(keyOf));
    for (const [key, { element }] of this.#elements)
      if (!keys.has(key)) {
        element.remove();
        this.#elements.delete(key);
      }
    let next = this.#list.firstChild;
    for (const [place, item] of wanted.entries()) {
      const index = first * this.#columns + place;
      const key = keyOf(item);
      let known = this.#elements.get(key);
      if (known?.item !== item) {
        const element = known?.element ?? el('li', {});
        const focused = [...element.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
        element.replaceChildren(...create(item));
        if (focused >= 0) element.querySelectorAll('button')[focused]?.focus({ preventScroll: true });
        this.#elements.set(key, (known = { item, element, index: known?.index ?? -1 }));
      }
      const { element } = known;
      if (known.index !== index) {
        known.index = index;
        element.dataset['index'] = String(index);
        element.dataset['path'] = key;
        element.setAttribute('aria-posinset', String(index + 1));
      }
      const length = String(this.#items.length);
      if (element.ariaSetSize !== length) element.setAttribute('aria-setsize', length);
      for (const button of element.querySelectorAll('button')) button.tabIndex = index === this.#active ? 0 : -1;
      if (element === next) next = element.nextSibling;
      else this.#list.insertBefore(element, next);
    }
    this.#list.style.paddingTop = `${first * this.#height}px`;
    // If the focused item was scrolled out of the document, the list keeps the focus.
    if (hadFocus && !this.#list.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  #setActive(index: number): void {
    if (index === this.#active) return;
    const tabIndex = (at: number, value: number): void =>
      this.#rowOf(at)
        ?.querySelectorAll('button')
        .forEach(button => (button.tabIndex = value));
    tabIndex(this.#active, -1);
    this.#active = index;
    tabIndex(index, 0);
  }

  #rowOf(index: number): HTMLElement | null {
    return this.#list.querySelector(`[data-index="${index}"]`);
  }

  #buttonOf(index: number): HTMLElement | null {
    return this.#rowOf(index)?.querySelector('button') ?? null;
  }

  /** Scrolls until the row of an item is visible. */
  #scrollTo(index: number): void {
    const { scroller, offset } = this.#scroller;
    const top = offset + Math.floor(index / this.#columns) * this.#height;
    const { scrollTop, clientHeight } = scroller;
    if (top < scrollTop) scroller.scrollTop = top;
    else if (top + this.#height > scrollTop + clientHeight) scroller.scrollTop = top + this.#height - clientHeight;
    this.scrolled();
  }

  /** The element that scrolls, and the distance from its top to the first row, in CSS pixels. */
  get #scroller(): { scroller: HTMLElement; offset: number } {
    const isOwn = getComputedStyle(this.element).overflowY !== 'visible';
    return isOwn ? { scroller: this.element, offset: 0 } : { scroller: this.element.parentElement!, offset: this.#list.offsetTop };
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = this.#target(event.key);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.#items[next]) return;
    this.#setActive(next);
    this.focus();
  }

  /** Returns the index of the item to which a key moves the focus; null for other keys. */
  #target(key: string): number | null {
    const { length } = this.#items;
    const page = Math.max(Math.floor(this.#scroller.scroller.clientHeight / this.#height), 1) * this.#columns;
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: this.#columns,
      ArrowUp: -this.#columns,
      PageDown: page,
      PageUp: -page,
      Home: -length,
      End: length,
    };
    const step = steps[key];
    if (step !== undefined) return Math.min(Math.max(this.#active + step, 0), length - 1);
    return key.length === 1 && key !== ' ' && key !== '/' ? this.#typeAhead(key) : null;
  }

  /** Returns the index of the next item whose name starts with the letters that were typed. */
  #typeAhead(letter: string): number {
    const now = performance.now();
    const isNew = now - this.#typedAt > TYPING;
    this.#typed = (isNew ? '' : this.#typed) + letter.toLowerCase();
    this.#typedAt = now;
    const { length } = this.#items;
    for (let step = isNew ? 1 : 0; step < length + 1; step++) {
      const at = (this.#active + step) % length;
      if (this.#options.nameOf(this.#items[at]!).toLowerCase().startsWith(this.#typed)) return at;
    }
    return this.#active;
  }
}
