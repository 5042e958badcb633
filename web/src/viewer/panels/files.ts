// Library panel: lists all files by role and marks those that are shown.
import { el, fill, icon, iconButton, picked } from '../dom.ts';
import { words } from '../words/index.ts';

export interface FileRow {
  name: string;
  /** Path of the folder that contains the file; '' if there is none. */
  folder: string;
  detail: string;
  /** Size of the file in bytes. */
  size: number;
  /** URL of the thumbnail; '' until it is drawn; null if the row has no thumbnail. */
  picture: string | null;
  isShown: boolean;
  isDamaged: boolean;
  /** Levels of detail of the model, starting with the finest. */
  levels?: readonly { level: number; isShown: boolean; pick: () => void }[];
  /**
   * Parts of the shown model, including suggested parts. `offer`: number of suggested parts and a
   * function that adds all of them; null if there are none.
   */
  parts?: { rows: readonly PartRow[]; offer: { parts: number; add: () => void } | null };
  /**
   * Button that shows the file in addition to the shown one; null if that is not possible.
   */
  beside: { title: string; isOn: boolean; set: (on: boolean) => void } | null;
  /** Opens the file; null if the file can't be opened on its own. */
  pick: (() => void) | null;
}

export interface PartRow {
  name: string;
  path: string;
  /** Reason why the part is only suggested; '' if it belongs to the model. */
  detail: string;
  isOn: boolean;
  set: (isOn: boolean) => void;
}

export interface FileGroup {
  title: string;
  rows: readonly FileRow[];
  isOpen: boolean;
}

type Order = 'name' | 'size' | 'folder';

const COMPARE: Record<Order, (a: FileRow, b: FileRow) => number> = {
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  size: (a, b) => b.size - a.size,
  folder: (a, b) => a.folder.localeCompare(b.folder, undefined, { numeric: true }) || COMPARE.name(a, b),
};

/** Maximum number of rows that are listed per group. The search covers all rows. */
const MAX_ROWS = 200;
/** Maximum number of files for which the panel has no search field. */
const FEW = 8;

export class FilePanel {
  readonly element: HTMLElement;
  #groups: readonly FileGroup[] = [];
  #shown = '';
  /** Groups that the visitor has expanded (true) or collapsed (false), by index. */
  #opened = new Map<number, boolean>();
  #search: HTMLInputElement;
  #order: HTMLSelectElement;
  #tools: HTMLElement;
  #note = el('p', { class: 'note', hidden: true }, words.noResults);
  #list = el('div', { class: 'library' });

  /** Called when the list is scrolled. */
  onScroll: () => void = () => {};

  /** `actions`: buttons that are placed below the list. */
  constructor(actions: readonly HTMLElement[]) {
    this.#search = el('input', {
      type: 'search',
      placeholder: words.searchFiles,
      'aria-label': words.searchFiles,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => this.#render(),
    });
    this.#order = el(
      'select',
      { 'aria-label': words.sortBy, title: words.sortBy, onchange: () => this.#render() },
      ...(['name', 'size', 'folder'] as const).map(order => el('option', { value: order }, words.orders[order])),
    );
    this.#tools = el('div', { class: 'find' }, el('div', { class: 'search' }, icon('search'), this.#search), picked(this.#order));
    this.element = el('div', { class: 'files' }, this.#tools, this.#note, this.#list, el('div', { class: 'actions' }, ...actions));
    this.element.addEventListener('scroll', () => this.onScroll(), { passive: true });
  }

  set(groups: readonly FileGroup[]): void {
    this.#groups = groups;
    this.#tools.hidden = groups.reduce((sum, { rows }) => sum + rows.length, 0) <= FEW;
    this.#render();
    // Scroll only if another model is shown.
    const shown = groups[0]?.rows.find(({ isShown }) => isShown)?.name ?? '';
    if (shown !== this.#shown) this.reveal();
    this.#shown = shown;
  }

  /** Scrolls to the shown model. */
  reveal(): void {
    this.#list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  #render(): void {
    const typed = this.#search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const matches = ({ name, folder, parts }: FileRow): boolean =>
      [`${folder}/${name}`, ...(parts?.rows.map(({ path }) => path) ?? [])].some(path =>
        typed.every(word => path.toLowerCase().includes(word)),
      );
    const found = this.#groups
      .map((group, at) => ({ ...group, at, rows: group.rows.filter(matches).sort(COMPARE[this.#order.value as Order]) }))
      .filter(({ rows }) => rows.length > 0);
    const hadFocus = this.#list.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.path : undefined;
    this.#note.hidden = found.length > 0 || typed.length === 0;
    fill(this.#list, ...found.map(group => this.#group(group, typed.length > 0)));
    if (hadFocus !== undefined)
      [...this.#list.querySelectorAll<HTMLElement>('button, input')]
        .find(({ dataset }) => dataset.path === hadFocus)
        ?.focus({ preventScroll: true });
  }

  #group({ title, rows, isOpen, at }: FileGroup & { at: number }, isSearched: boolean): HTMLElement {
    const keep = (): void => {
      if (!isSearched) this.#opened.set(at, details.open);
    };
    const details = el(
      'details',
      { open: isSearched || (this.#opened.get(at) ?? isOpen), ontoggle: keep },
      el('summary', {}, title),
      ...rows.slice(0, MAX_ROWS).map(row => this.#row(row)),
      rows.length > MAX_ROWS && el('p', { class: 'note' }, words.more(rows.length - MAX_ROWS)),
    );
    return details;
  }

  #row({ name, folder, detail, picture, isShown, isDamaged, levels, parts, pick, beside }: FileRow): HTMLElement {
    const children = [
      picture === '' && el('span', { class: 'thumb' }),
      picture && el('img', { class: 'thumb', src: picture, alt: '' }),
      el('span', { class: 'name' }, name),
      isDamaged && el('span', { class: 'badge error' }, words.isDamaged),
      el('span', { class: 'small' }, [detail, folder].filter(Boolean).join(' · ')),
    ];
    const title = folder ? `${folder}/${name}` : name;
    if (!pick) return el('div', { class: 'choice inert', title }, ...children);
    const button = el(
      'button',
      { type: 'button', class: 'choice', title, 'data-path': title, 'aria-current': isShown ? 'true' : null, onclick: pick },
      ...children,
    );
    const line = beside ? el('div', { class: 'line' }, button, besideButton(title, beside)) : button;
    return levels || parts ? el('div', { class: 'leveled' }, line, levels && this.#levels(levels, folder), parts && partsBox(parts)) : line;
  }

  /** Creates the buttons for the levels of detail of a model. */
  #levels(levels: NonNullable<FileRow['levels']>, folder: string): HTMLElement {
    return el(
      'div',
      { class: 'levels', role: 'group', 'aria-label': words.levels },
      ...levels.map(({ level, isShown, pick }) =>
        el(
          'button',
          { type: 'button', 'data-path': `${folder}/${level}`, 'aria-pressed': String(isShown), onclick: pick },
          words.level(level),
        ),
      ),
    );
  }
}

/** Creates the checkboxes for the parts of a model. */
function partsBox({ rows, offer }: NonNullable<FileRow['parts']>): HTMLElement {
  return el(
    'div',
    { class: 'parts', role: 'group', 'aria-label': words.parts },
    ...rows.slice(0, MAX_ROWS).map(({ name, path, detail, isOn, set }) => {
      const box = el('input', { type: 'checkbox', checked: isOn, 'data-path': `${path} part`, onchange: () => set(box.checked) });
      return el(
        'label',
        { class: 'check', title: path },
        box,
        el('span', { class: 'name' }, name),
        detail !== '' && el('span', { class: 'small' }, detail),
      );
    }),
    rows.length > MAX_ROWS && el('p', { class: 'note' }, words.more(rows.length - MAX_ROWS)),
    offer &&
      el(
        'p',
        { class: 'offer' },
        words.moreParts(offer.parts),
        el('button', { type: 'button', class: 'plain', onclick: offer.add }, words.addParts),
      ),
  );
}

const besideButton = (path: string, { title, isOn, set }: NonNullable<FileRow['beside']>): HTMLElement =>
  iconButton('eye', title, () => set(!isOn), { 'aria-pressed': String(isOn), 'data-path': `${path} beside` });
