// Tabs of the side panels. Each panel is a list of sections.
import { computed, effect } from '@preact/signals-core';
import { el, icon } from './dom.ts';
import type { Page, PanelId } from './page.ts';
import type { SectionId } from './panelLayout.ts';
import { panels } from './panels/index.ts';
import type { Panel } from './panels/panel.ts';
import { badgeMark, mountSection } from './panels/section.ts';
import { splitterOf } from './splitter.ts';
import { words } from './words/index.ts';

export class Tabs {
  readonly element = el('aside', { class: 'side', id: 'side', 'aria-label': words.panelArea });
  readonly #page: Page;
  readonly #buttons = new Map<PanelId, HTMLButtonElement>();
  readonly #loaders = new Map<SectionId, () => Promise<void>>();

  constructor(page: Page) {
    this.#page = page;
    const { layout } = page;
    const list = el('div', { class: 'tabs', role: 'tablist', onkeydown: (event: KeyboardEvent) => this.#key(event) });
    const shown = el('div', { class: 'panels' }, ...panels.map(panel => this.#mount(panel, list)));
    const splitter = splitterOf(layout, this.element, {
      label: words.resizePanels,
      key: () => (layout.isSheet.value ? 'height' : 'width'),
      close: () => void (layout.isOpen.value = false),
    });
    this.element.append(el('h2', { class: 'sr-only' }, words.panelArea), splitter, list, shown);
    this.element.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !layout.isCompact.value || !layout.isOpen.value || event.defaultPrevented) return;
      event.preventDefault();
      layout.isOpen.value = false;
    });
    effect(() => {
      const isOpen = layout.isOpen.value;
      const hadFocus = !isOpen && shown.contains(document.activeElement);
      shown.hidden = !isOpen;
      page.root.classList.toggle('closed', !isOpen);
      list.setAttribute('aria-orientation', layout.isSheet.value ? 'horizontal' : 'vertical');
      if (hadFocus) this.#buttons.get(page.tab.peek())?.focus();
    });
  }

  /** Loads and creates the content of all sections. Rejects if it can't be fetched. */
  async complete(): Promise<void> {
    await Promise.all([...this.#loaders.values()].map(load => load()));
  }

  /** Scrolls to a section, once its content has been created. */
  async scrollTo(id: SectionId): Promise<void> {
    await this.#loaders
      .get(id)?.()
      .catch(() => {});
    this.element.querySelector(`#section-${id}`)?.scrollIntoView({ block: 'nearest' });
  }

  /** Adds the tab of a panel to `list` and returns the panel. */
  #mount({ id, icon: iconName, badge, sections }: Panel, list: HTMLElement): HTMLElement {
    const { tab, layout } = this.#page;
    const name = `panel-${id}`;
    const isSelected = computed(() => tab.value === id);
    const isShown = computed(() => isSelected.value && layout.isOpen.value);
    const available = computed(() => sections.filter(({ when }) => when(this.#page)).length);
    const isAlone = computed(() => available.value === 1);
    const mounted = sections.map(section => mountSection(this.#page, section, isShown, isAlone));
    sections.forEach((section, at) => this.#loaders.set(section.id, mounted[at]!.load));
    // The commands for the next animation need the list of animations.
    const first = sections.findIndex(section => section.id === 'animations');
    if (first >= 0) void mounted[first]!.load();
    const button = el(
      'button',
      { type: 'button', role: 'tab', id: `${name}-tab`, 'aria-controls': name, onclick: () => this.#choose(id) },
      icon(iconName),
      el('span', { class: 'text' }, words.panels[id]),
      badgeMark(() => badge(this.#page)),
    );
    this.#buttons.set(id, button);
    list.append(button);
    const nothing = el('p', { class: 'nothing quiet' }, words.emptyPanels[id]);
    const panel = el(
      'div',
      { class: 'panel', id: name, role: 'tabpanel', 'aria-labelledby': `${name}-tab` },
      ...mounted.map(({ element }) => element),
      nothing,
    );
    effect(() => {
      button.setAttribute('aria-selected', String(isSelected.value));
      button.setAttribute('aria-expanded', String(isShown.value));
      button.tabIndex = isSelected.value ? 0 : -1;
      panel.hidden = !isSelected.value;
      nothing.hidden = available.value > 0;
    });
    return panel;
  }

  /** Shows a panel. In compact windows, the tab of the visible panel closes it. */
  #choose(id: PanelId): void {
    const { tab, layout } = this.#page;
    layout.isOpen.value = !(layout.isCompact.value && layout.isOpen.value && tab.value === id);
    tab.value = id;
  }

  #key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const ids = panels.map(({ id }) => id);
    const next = ids[(ids.indexOf(this.#page.tab.value) + step + ids.length) % ids.length]!;
    this.#page.tab.value = next;
    this.#buttons.get(next)?.focus();
  }
}
