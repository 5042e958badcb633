// The library: all models that were opened, as tiles with pictures or as a list with columns. It
// covers the viewport until a model is chosen.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { modelsIn } from '../../session/library.ts';
import { bytes, count, el, fill, icon, iconButton, picked, setIcon } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';
import { COLUMNS, type Column, filtered, formatsOf, itemOf, type LibraryItem, skeletonsOf, sorted } from './items.ts';
import { Preferences } from './preferences.ts';
import { VirtualList } from './virtualList.ts';
import './library.css';

/** Smallest width of a tile, width of the gap between tiles, and height of a row, in CSS pixels. */
const TILE = 148;
const GAP = 12;
const TILE_TEXT = 66;
const LIST_ROW = 60;
/** Smaller tiles and rows for low windows. */
const LOW_TILE = 88;
const LOW_TILE_TEXT = 34;
const LOW_LIST_ROW = 44;
/** The same condition as in library.css. */
const LOW_WINDOW = '(max-height: 480px)';

/** Columns with numbers. */
const NUMBERS = COLUMNS.filter(column => column !== 'name');

export class LibraryView {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #preferences: Preferences;
  readonly #list: VirtualList<LibraryItem>;
  readonly #shown: ReadonlySignal<readonly LibraryItem[]>;
  readonly #text = signal('');
  readonly #format = signal('');
  readonly #skeleton = signal('');
  readonly #isStarred = signal(false);

  /** `ended`: aborted when the page is disposed. */
  constructor(page: Page, ended: AbortSignal) {
    this.#page = page;
    this.#preferences = new Preferences(ended);
    const { layout, column, isDescending } = this.#preferences;
    this.#list = new VirtualList<LibraryItem>(
      {
        label: words.library.title,
        keyOf: ({ entry }) => entry.input.path,
        nameOf: ({ name }) => name,
        create: item => this.#create(item),
        measure: width => this.#measure(width),
      },
      ended,
    );
    const items = this.#items();
    const shown = (this.#shown = computed(() =>
      sorted(
        filtered(items.value, {
          text: this.#text.value,
          format: this.#format.value,
          skeleton: this.#skeleton.value,
          isStarred: this.#isStarred.value,
        }),
        column.value,
        isDescending.value,
      ),
    ));
    const nothing = el('p', { class: 'note', hidden: true }, words.noResults);
    const found = el('p', { class: 'quiet found', role: 'status' });
    const head = this.#columnHeads();
    this.element = el(
      'section',
      { class: 'library-view', 'aria-label': words.library.title, onkeydown: (event: KeyboardEvent) => this.#onKey(event) },
      el(
        'div',
        { class: 'library-bar' },
        el('div', { class: 'library-title' }, el('h2', {}, words.library.title), found),
        el('div', { class: 'library-actions' }, this.#convert(), this.#close()),
      ),
      this.#tools(items),
      head,
      nothing,
      this.#list.element,
    );
    const onScroll = (): void => {
      this.#list.scrolled();
      page.resumeThumbnails();
    };
    this.element.addEventListener('scroll', onScroll, { capture: true, passive: true });
    effect(() => {
      this.element.dataset['layout'] = layout.value;
      head.hidden = layout.value !== 'list';
      this.#list.clear();
    });
    effect(() => {
      if (!page.isLibraryOpen.value) return;
      this.#list.set(shown.value);
      nothing.hidden = shown.value.length > 0;
      found.textContent = words.library.found(shown.value.length, items.value.length);
      page.resumeThumbnails();
    });
  }

  /** Moves the focus to the shown model, or to the first one. */
  open(): void {
    const input = this.#page.session.peek().shown?.input;
    this.#list.set(this.#shown.peek());
    this.#list.update();
    this.#list.reveal(({ entry }) => entry.input === input);
    this.#list.focus();
    this.#page.resumeThumbnails();
  }

  /** The items of all models. An item stays the same object until it changes. */
  #items(): ReadonlySignal<readonly LibraryItem[]> {
    const { session, textureCounts, pictures } = this.#page;
    const library = computed(() => session.value.library);
    let known = new Map<string, { state: unknown[]; item: LibraryItem }>();
    return computed(() => {
      const next: typeof known = new Map();
      const items = modelsIn(library.value).map(entry => {
        const { input } = entry;
        const textures = textureCounts.value.get(input) ?? null;
        const isStarred = this.#preferences.isStarred(input);
        const state = [entry, textures, isStarred, pictures.value.get(input), session.value.shown?.input === input];
        const old = known.get(input.path);
        const same = old?.state.every((value, at) => value === state[at]);
        const item = same ? old!.item : itemOf(entry, textures, isStarred);
        next.set(input.path, { state, item });
        return item;
      });
      known = next;
      return items;
    });
  }

  #measure(width: number): { columns: number; height: number } {
    const isLow = matchMedia(LOW_WINDOW).matches;
    if (this.#preferences.layout.peek() === 'list') return { columns: 1, height: isLow ? LOW_LIST_ROW : LIST_ROW };
    const columns = Math.max(Math.floor((width + GAP) / ((isLow ? LOW_TILE : TILE) + GAP)), 2);
    return { columns, height: Math.floor((width + GAP) / columns) + (isLow ? LOW_TILE_TEXT : TILE_TEXT) };
  }

  #create(item: LibraryItem): HTMLElement[] {
    const { entry, name, folder, isStarred, isDamaged, values } = item;
    const { pictures, session } = this.#page;
    const picture = pictures.peek().get(entry.input);
    const isShown = session.peek().shown?.input === entry.input;
    const facts = (entry.facts && words.modelFacts(entry.facts.bones, entry.facts.triangles)) || bytes(entry.input.file.size);
    const isList = this.#preferences.layout.peek() === 'list';
    const star = iconButton('star', words.library.star(name), () => this.#preferences.star(entry.input, !isStarred), {
      'aria-pressed': String(isStarred),
    });
    star.classList.add('star');
    const badge = isDamaged && el('span', { class: 'badge error' }, words.isDamaged);
    const title = folder ? `${folder}/${name}` : name;
    const text = el(
      'span',
      { class: 'about' },
      el('span', { class: 'name' }, ...(isList ? [name] : breakable(name))),
      el('span', { class: 'small' }, isList && badge, isList ? folder : facts),
    );
    const cells = NUMBERS.map(column =>
      el(
        'span',
        { class: 'cell', 'data-column': column },
        el('span', { class: 'sr-only' }, `${words.library.columns[column]}: `),
        valueText(column, values[column]),
      ),
    );
    const button = el(
      'button',
      { type: 'button', class: 'item', title, 'aria-current': isShown ? 'true' : null, onclick: () => this.#page.showEntry(entry) },
      el('span', { class: 'picture' }, picture ? el('img', { src: picture, alt: '', draggable: 'false' }) : icon('file'), !isList && badge),
      text,
      ...(isList ? cells : []),
    );
    return [button, star];
  }

  #convert(): HTMLElement {
    const convert = async (): Promise<void> => {
      const { showConvertFolder } = await import('./convertDialog.ts');
      showConvertFolder(this.#page);
    };
    return el(
      'button',
      { type: 'button', class: 'button', onclick: () => void convert() },
      icon('save'),
      el('span', {}, words.convertFolder.button),
    );
  }

  #close(): HTMLElement {
    const button = el(
      'button',
      { type: 'button', class: 'button', onclick: () => (this.#page.isLibraryOpen.value = false) },
      icon('back'),
      el('span', {}, words.library.back),
    );
    effect(() => {
      button.hidden = this.#page.shownModel.value === null;
    });
    return button;
  }

  /** Creates the controls that filter, sort and lay out the models. */
  #tools(items: ReadonlySignal<readonly LibraryItem[]>): HTMLElement {
    const { layout, column, isDescending } = this.#preferences;
    const search = el('input', {
      type: 'search',
      placeholder: words.library.filter,
      'aria-label': words.library.filter,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => (this.#text.value = search.value),
    });
    const formats = select(words.library.format, value => (this.#format.value = value));
    const skeletons = select(words.library.skeleton, value => (this.#skeleton.value = value));
    effect(() => {
      const found = formatsOf(items.value);
      fillOptions(formats, [
        ['', words.library.allFormats],
        ...found.map(([id, models]): [string, string] => [id, `${id} (${count(models)})`]),
      ]);
      formats.parentElement!.hidden = found.length < 2;
    });
    effect(() => {
      const found = skeletonsOf(items.value);
      fillOptions(skeletons, [
        ['', words.library.allSkeletons],
        ...found.map(({ key, root, bones, models }): [string, string] => [key, words.library.skeletonOf(root, bones, models)]),
      ]);
      skeletons.parentElement!.hidden = found.length === 0;
    });
    const starred = iconButton('star', words.library.starred, () => (this.#isStarred.value = !this.#isStarred.peek()));
    effect(() => starred.setAttribute('aria-pressed', String(this.#isStarred.value)));
    const sort = select(words.sortBy, value => this.#sortBy(value as Column));
    fillOptions(
      sort,
      COLUMNS.map(id => [id, words.library.columns[id]]),
    );
    effect(() => void (sort.value = column.value));
    const direction = iconButton('down', '', () => (isDescending.value = !isDescending.peek()));
    direction.classList.add('direction');
    effect(() => {
      const label = isDescending.value ? words.library.descending : words.library.ascending;
      direction.setAttribute('aria-label', label);
      direction.title = label;
      direction.classList.toggle('ascending', !isDescending.value);
    });
    const change = iconButton('list', '', () => (layout.value = layout.peek() === 'tiles' ? 'list' : 'tiles'));
    effect(() => {
      const isTiles = layout.value === 'tiles';
      const label = isTiles ? words.library.list : words.library.tiles;
      change.setAttribute('aria-label', label);
      change.title = label;
      setIcon(change, isTiles ? 'list' : 'tiles');
    });
    return el(
      'div',
      { class: 'library-tools' },
      el('div', { class: 'search' }, icon('search'), search),
      el('div', { class: 'filters' }, formats.parentElement, skeletons.parentElement, starred),
      el('div', { class: 'order' }, sort.parentElement, direction, change),
    );
  }

  /** Creates the titles of the columns, which sort the list. */
  #columnHeads(): HTMLElement {
    const { column, isDescending } = this.#preferences;
    const heads = COLUMNS.map(id => {
      const arrow = icon('down');
      const button = el(
        'button',
        { type: 'button', class: 'cell', 'data-column': id, onclick: () => this.#sortBy(id) },
        words.library.columns[id],
        arrow,
      );
      effect(() => {
        const isSorted = column.value === id;
        arrow.classList.toggle('none', !isSorted);
        arrow.classList.toggle('ascending', !isDescending.value);
        button.setAttribute('aria-pressed', String(isSorted));
      });
      return button;
    });
    return el('div', { class: 'library-columns', role: 'group', 'aria-label': words.sortBy }, ...heads);
  }

  /** Sorts by a column. The sorted column changes its direction. Numbers begin with the largest. */
  #sortBy(id: Column): void {
    const { column, isDescending } = this.#preferences;
    isDescending.value = column.peek() === id ? !isDescending.peek() : id !== 'name';
    column.value = id;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.#page.shownModel.peek()) {
      event.preventDefault();
      event.stopPropagation();
      this.#page.isLibraryOpen.value = false;
    } else if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      this.element.querySelector('input')?.focus();
    } else if (event.key === 'ArrowDown' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      this.#list.focus();
    }
  }
}

/** Allows a line break before each capital letter and after each underscore of a name. */
const breakable = (name: string): (string | HTMLElement)[] =>
  name.split(/(?<=[a-z])(?=[A-Z])|(?<=[_\-.])/).flatMap((part, at) => (at > 0 ? [el('wbr', {}), part] : [part]));

function valueText(column: Exclude<Column, 'name'>, value: number | null): string {
  if (value === null) return '–';
  return column === 'date' ? new Date(value).toLocaleDateString() : count(value);
}

function select(label: string, onChange: (value: string) => void): HTMLSelectElement {
  const list = el('select', { 'aria-label': label, title: label, onchange: () => onChange(list.value) });
  picked(list);
  return list;
}

function fillOptions(list: HTMLSelectElement, options: readonly (readonly [value: string, text: string])[]): void {
  const { value } = list;
  fill(list, ...options.map(([id, text]) => el('option', { value: id }, text)));
  if (options.some(([id]) => id === value)) list.value = value;
}
