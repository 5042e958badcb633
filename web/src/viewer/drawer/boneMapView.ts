// Bone map of the selected animation as a table: which bones of the animation move which bones of the
// model, and how the pairs were found. Changes apply at once.
import { computed, effect, signal } from '@preact/signals-core';
import { boneLabel, boneMapPair, boneNameOf, readBoneMap, resolveBoneMap, writeBoneMap, type BoneMap } from '../../rig/boneMap.ts';
import { boneMapFor } from '../../session/boneMaps.ts';
import type { Retargeting } from '../../session/openedFile.ts';
import { download } from '../download.ts';
import { el, fill, icon, iconButton, picked } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';
import './boneMap.css';
import { chooseBone } from './boneChooser.ts';
import {
  BONE_FILTERS,
  type BoneFilter,
  boneMapRows,
  type BoneMapRow,
  bonesOf,
  filteredRows,
  withoutPair,
  withPair,
} from './boneMapRows.ts';

/** Number of rows that are in the document above and below the visible part. */
const MARGIN = 4;
/** Maximum size of an imported file in bytes. */
const MAX_MAP_SIZE = 16e6;
/** Maximum number of unknown names that are listed. */
const MAX_NAMES = 5;

export class BoneMapView {
  readonly element: HTMLElement;
  /** Search, filter, summary and buttons, for the tools of the drawer. */
  readonly tools: HTMLElement;
  readonly #page: Page;
  readonly #filter = signal<BoneFilter>('all');
  readonly #search = signal('');
  readonly #retargeted = computed<Retargeting | null>(() => {
    const { rows, session } = this.#page;
    return rows.value[session.value.selected]?.source.retargeted ?? null;
  });
  readonly #map = computed<BoneMap>(() => {
    const { shown, boneMaps } = this.#page.session.value;
    const retargeted = this.#retargeted.value;
    return retargeted && shown ? boneMapFor(boneMaps, shown.input.path, retargeted.from) : [];
  });
  readonly #all = computed<readonly BoneMapRow[]>(() => {
    const [retargeted, scene] = [this.#retargeted.value, this.#page.shownModel.value?.file.scene];
    return retargeted && scene ? boneMapRows(retargeted, scene) : [];
  });
  readonly #rows = computed(() => filteredRows(this.#all.value, this.#filter.value, this.#search.value));
  readonly #body = el('div', { class: 'bone-rows', role: 'rowgroup' });
  readonly #scroll: HTMLElement;
  readonly #summary = el('p', { class: 'bone-summary', role: 'status' });
  readonly #unknown = el('p', { class: 'quiet bone-unknown', hidden: true });
  /** Index of the row that the keyboard moves. */
  #active = 0;
  /** Index of the focused button in its row. */
  #column = 0;

  constructor(page: Page) {
    this.#page = page;
    this.#scroll = el(
      'div',
      { class: 'bone-table', role: 'table', 'aria-label': words.boneMap.title, onkeydown: (event: KeyboardEvent) => this.#onKey(event) },
      el(
        'div',
        { role: 'rowgroup', class: 'bone-head' },
        el(
          'div',
          { class: 'bone-row', role: 'row', 'aria-rowindex': 1 },
          ...words.boneMap.columns.map(title => el('span', { role: 'columnheader' }, title)),
        ),
      ),
      this.#body,
    );
    this.#scroll.addEventListener('scroll', () => this.#render(), { passive: true });
    new ResizeObserver(() => this.#render()).observe(this.#scroll);
    const table = el('div', { class: 'bone-map' }, this.#unknown, this.#scroll);
    const start = el('button', { type: 'button', class: 'button', onclick: () => void page.retargetSelected() }, words.boneMap.retarget);
    const other = el('div', { class: 'drawer-empty' }, el('p', { class: 'quiet' }, words.boneMap.notRetargeted), start);
    this.tools = this.#tools();
    this.element = el('div', { class: 'bone-view' }, table, other);
    effect(() => {
      const isRetargeted = this.#retargeted.value !== null;
      table.hidden = !isRetargeted;
      this.tools.hidden = !isRetargeted || page.drawerView.value !== 'bones';
      other.hidden = isRetargeted;
      const { shown, selected } = page.session.value;
      const row = page.rows.value[selected];
      start.hidden = !row || row.source.input === shown?.input || page.recorded.value !== null;
    });
    effect(() => this.#summarize());
    effect(() => {
      void this.#rows.value;
      this.#active = Math.min(this.#active, Math.max(this.#rows.peek().length - 1, 0));
      this.#render();
    });
  }

  #tools(): HTMLElement {
    const text = words.boneMap;
    const search = el('input', {
      type: 'search',
      placeholder: words.drawer.search,
      'aria-label': words.drawer.search,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => (this.#search.value = search.value),
    });
    const filter = el(
      'select',
      { 'aria-label': words.drawer.show, onchange: () => (this.#filter.value = filter.value as BoneFilter) },
      ...BONE_FILTERS.map(value => el('option', { value }, text.filters[value])),
    );
    const file = el('input', {
      type: 'file',
      accept: '.json,application/json',
      hidden: true,
      onchange: () => {
        const [chosen] = file.files ?? [];
        if (chosen) void this.load(chosen);
        file.value = '';
      },
    });
    const button = (label: string, run: () => void): HTMLButtonElement =>
      el('button', { type: 'button', class: 'plain', onclick: run }, label);
    const reset = button(text.resetAll, () => void this.#change([], text.resetDone));
    const save = button(words.markers.save, () => {
      const name = this.#page.shownModel.value?.input.file.name.replace(/\.[^.]*$/, '') || words.noName;
      download(`${name}.bonemap.json`, new Blob([writeBoneMap(this.#map.value)], { type: 'application/json' }));
    });
    effect(() => {
      reset.disabled = save.disabled = this.#map.value.length === 0;
    });
    return el(
      'div',
      { class: 'bone-tools' },
      el('div', { class: 'search' }, icon('search'), search),
      picked(filter),
      this.#summary,
      reset,
      save,
      button(words.markers.load, () => file.click()),
      file,
    );
  }

  /** Replaces the bone map by that of a JSON file. */
  async load(file: File): Promise<void> {
    const text = words.boneMap;
    if (!this.#retargeted.value) return this.#page.announce(text.notRetargeted);
    const refuse = (reason: string): void => {
      this.#page.announce(`${file.name}: ${reason}`);
      this.#unknown.hidden = false;
      this.#unknown.textContent = `${file.name}: ${reason}`;
    };
    if (file.size > MAX_MAP_SIZE) return refuse(text.tooLarge);
    try {
      const map = readBoneMap(await file.text());
      await this.#change(map, text.loaded(map.length));
    } catch (error) {
      refuse((error as Error).message);
    }
  }

  #summarize(): void {
    const retargeted = this.#retargeted.value;
    const scene = this.#page.shownModel.value?.file.scene;
    if (!retargeted || !scene) return;
    const targets = this.#all.value.filter(({ target }) => target !== null);
    const paired = targets.filter(({ sources }) => sources.length > 0).length;
    this.#summary.textContent = words.boneMap.summary(paired, targets.length, retargeted.method);
    this.#summary.title = this.#summary.textContent;
    const { unknown } = resolveBoneMap(this.#map.value, retargeted.from, scene);
    this.#unknown.hidden = unknown.length === 0;
    this.#unknown.textContent = words.boneMap.unknown(unknown.slice(0, MAX_NAMES).join(', '), unknown.length - MAX_NAMES);
  }

  async #change(map: BoneMap, announcement: string): Promise<void> {
    await this.#page.setBoneMap(map);
    this.#page.announce(announcement);
  }

  async #chooseSource({ target, sources, pair }: BoneMapRow): Promise<void> {
    const retargeted = this.#retargeted.value;
    if (!retargeted || target === null) return;
    const { from } = retargeted;
    const none = words.boneMap.restPose;
    const label = boneLabel(target);
    const source = await chooseBone(this.#page.root, {
      title: words.boneMap.chooseSource(label),
      bones: bonesOf(from.nodes).map(row => boneNameOf(from, row)),
      current: pair?.sources.length === 1 ? (sources[0] ?? null) : null,
      none,
    });
    if (source === undefined) return;
    await this.#change(withPair(this.#map.value, boneMapPair(target, source)), `${label}: ${source ? boneLabel(source) : none}`);
  }

  async #chooseTarget({ sources: [source] }: BoneMapRow): Promise<void> {
    if (!source) return;
    const label = boneLabel(source);
    const target = await chooseBone(this.#page.root, {
      title: words.boneMap.chooseTarget(label),
      bones: this.#all.value.flatMap(({ target: bone }) => bone ?? []),
      current: null,
      none: null,
    });
    if (target) await this.#change(withPair(this.#map.value, boneMapPair(target, source)), `${boneLabel(target)}: ${label}`);
  }

  #clear({ target }: BoneMapRow): void {
    if (!target) return;
    void this.#change(withPair(this.#map.value, boneMapPair(target, null)), `${boneLabel(target)}: ${words.boneMap.restPose}`);
  }

  #reset({ target }: BoneMapRow): void {
    if (target) void this.#change(withoutPair(this.#map.value, target), words.boneMap.wasReset(boneLabel(target)));
  }

  get #rowHeight(): number {
    return Math.max(Number.parseFloat(getComputedStyle(this.#scroll).getPropertyValue('--bone-row')) || 36, 1);
  }

  #render(): void {
    const rows = this.#rows.peek();
    const height = this.#rowHeight;
    const first = Math.max(Math.floor(this.#scroll.scrollTop / height) - MARGIN, 0);
    const last = Math.min(first + Math.ceil((this.#scroll.clientHeight || 300) / height) + 2 * MARGIN, rows.length);
    const hadFocus = this.#body.contains(document.activeElement);
    this.#scroll.setAttribute('aria-rowcount', String(rows.length + 1));
    this.#body.style.height = `${rows.length * height}px`;
    fill(
      this.#body,
      ...rows.slice(first, last).map((row, i) => this.#row(row, first + i, height)),
      rows.length === 0 && el('p', { class: 'quiet bone-nothing' }, words.noResults),
    );
    if (hadFocus) this.#focus(false);
  }

  #row(row: BoneMapRow, at: number, height: number): HTMLElement {
    const text = words.boneMap;
    const { sources, pair } = row;
    const target = row.target && boneLabel(row.target);
    const isStated = pair?.foundBy === 'stated';
    const tabindex = at === this.#active ? 0 : -1;
    const pickButton = (label: string, content: string, title: string, run: () => void): HTMLElement =>
      el(
        'button',
        { type: 'button', class: `bone-pick ${label}`.trim(), 'aria-label': title, title, tabindex, onclick: run },
        content,
        icon('down'),
      );
    const targetCell =
      target === null
        ? pickButton('empty', text.choose, text.chooseTarget(sources.map(boneLabel).join('')), () => void this.#chooseTarget(row))
        : el(
            'button',
            { type: 'button', class: 'plain bone-name', title: target, tabindex, onclick: () => this.#select(row) },
            target || words.noName,
          );
    const source = sources.map(boneLabel).join(' + ') || (isStated ? text.restPose : text.choose);
    const sourceCell =
      target === null
        ? el('span', { class: 'bone-source', title: source }, source)
        : pickButton(
            sources.length > 0 || isStated ? '' : 'empty',
            source,
            text.sourceOf(target, source),
            () => void this.#chooseSource(row),
          );
    const element = el(
      'div',
      {
        class: `bone-row${isStated ? ' stated' : ''}${sources.length === 0 || target === null ? ' unpaired' : ''}`,
        role: 'row',
        'aria-rowindex': at + 2,
      },
      el('span', { role: 'cell' }, targetCell),
      el('span', { role: 'cell' }, sourceCell),
      el('span', { role: 'cell', class: 'bone-found quiet' }, foundText(row)),
      el(
        'span',
        { role: 'cell', class: 'bone-actions' },
        target !== null &&
          sources.length > 0 &&
          iconButton('close', text.clear(target), () => this.#clear(row), { tabindex, 'aria-keyshortcuts': 'Delete' }),
        target !== null &&
          isStated &&
          iconButton('undo', text.reset(target), () => this.#reset(row), { tabindex, 'aria-keyshortcuts': 'Backspace' }),
      ),
    );
    element.style.top = `${at * height}px`;
    element.dataset['index'] = String(at);
    element.addEventListener('focusin', event => {
      this.#setActive(at);
      this.#column = Math.max([...element.querySelectorAll('button')].indexOf(event.target as HTMLButtonElement), 0);
    });
    return element;
  }

  /** Selects the bone of a row in the viewport. */
  #select({ node }: BoneMapRow): void {
    const object = this.#page.shownModel.value?.rig.nodes[node];
    if (object) this.#page.viewport.overlays.choose(object);
  }

  #setActive(at: number): void {
    if (at === this.#active) return;
    const set = (index: number, tabIndex: number): void => {
      for (const button of this.#body.querySelectorAll<HTMLButtonElement>(`[data-index="${index}"] button`)) button.tabIndex = tabIndex;
    };
    set(this.#active, -1);
    this.#active = at;
    set(at, 0);
  }

  /** Moves the focus to the active row. */
  #focus(scrolls = true): void {
    const height = this.#rowHeight;
    const head = this.#scroll.firstElementChild?.clientHeight ?? 0;
    const top = this.#active * height;
    const { scrollTop, clientHeight } = this.#scroll;
    if (scrolls && top < scrollTop) this.#scroll.scrollTop = top;
    else if (scrolls && top + height + head > scrollTop + clientHeight) this.#scroll.scrollTop = top + height + head - clientHeight;
    const buttons = (): NodeListOf<HTMLButtonElement> => this.#body.querySelectorAll(`[data-index="${this.#active}"] button`);
    if (scrolls && buttons().length === 0) this.#render();
    const all = buttons();
    all[Math.min(this.#column, all.length - 1)]?.focus({ preventScroll: true });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#body.contains(event.target as Node)) return;
    const rows = this.#rows.peek();
    const row = rows[this.#active];
    const page = Math.max(Math.floor(this.#scroll.clientHeight / this.#rowHeight) - 1, 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      this.#setActive(Math.min(Math.max(this.#active + step, 0), rows.length - 1));
      this.#focus();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      this.#column = Math.max(this.#column + (event.key === 'ArrowRight' ? 1 : -1), 0);
      this.#focus();
    } else if (event.key === 'Delete' && row && row.sources.length > 0) this.#clear(row);
    else if (event.key === 'Backspace' && row?.pair?.foundBy === 'stated') this.#reset(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function foundText({ target, pair }: BoneMapRow): string {
  const text = words.boneMap;
  if (target === null) return text.unused;
  if (!pair) return text.unpaired;
  const { foundBy, part } = pair;
  if (part === null || foundBy === 'stated' || foundBy === 'name') return text.foundBy[foundBy];
  return text.foundAs[foundBy](part.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`));
}
