// Tabs of the side panels.
import { computed, effect } from '@preact/signals-core';
import { el, icon } from './dom.ts';
import type { Page, PanelId } from './page.ts';
import { panels } from './panels/index.ts';
import type { Mounted, Panel } from './panels/panel.ts';
import { gripOf } from './sheet.ts';
import { deferredEffect, defer } from './deferred.ts';
import { words } from './words/index.ts';

/**
 * Maximum number of tabs with titles. If there are more tabs, only the selected one shows its
 * title.
 */
const MAX_TITLES = 5;
/**
 * Maximum number of tabs with counts. If there are more tabs, only the selected one and those with
 * warnings show their counts.
 */
const MAX_COUNTS = 7;

export class Tabs {
  readonly element = el('aside', { class: 'side', 'aria-label': words.panelArea });
  #page: Page;
  #buttons = new Map<PanelId, HTMLButtonElement>();
  readonly #loaders: (() => Promise<void>)[] = [];
  #open;

  constructor(page: Page) {
    this.#page = page;
    // If the selected panel is not available, show one that is always available.
    this.#open = computed((): PanelId => {
      const chosen = panels.find(({ id }) => id === page.tab.value);
      if (chosen?.when(page)) return chosen.id;
      return page.recorded.value ? 'recording' : 'animations';
    });
    const list = el('div', { class: 'tabs', role: 'tablist', onkeydown: (event: KeyboardEvent) => this.#key(event) });
    this.element.append(el('h2', { class: 'sr-only' }, words.panelArea), gripOf(page.root), list);
    for (const panel of panels) this.#mount(panel, list);
    effect(() => {
      const shown = panels.filter(({ when }) => when(page)).length;
      list.classList.toggle('crowded', shown > MAX_TITLES);
      list.classList.toggle('packed', shown > MAX_COUNTS);
    });
  }

  /** Loads and creates all panels. Rejects if they can't be fetched. */
  async complete(): Promise<void> {
    await Promise.all(this.#loaders.map(loadPanel => loadPanel()));
  }

  #mount({ id, icon: iconName, when, badge, mount }: Panel, list: HTMLElement): void {
    const mark = el('span', { class: 'badge', hidden: true });
    const name = `panel-${id}`;
    const button = el(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${name}-tab`,
        'aria-controls': name,
        title: words.panels[id],
        onclick: () => (this.#page.tab.value = id),
      },
      icon(iconName),
      el('span', { class: 'text' }, words.panels[id]),
      mark,
    );
    // Placeholder until the panel is created.
    let made: Mounted = { element: el('div', { class: 'panel' }) };
    const place = (mounted: Mounted): void => {
      const { element } = mounted;
      element.id = name;
      element.setAttribute('role', 'tabpanel');
      element.setAttribute('aria-labelledby', `${name}-tab`);
      element.hidden = this.#open.peek() !== id;
      made.element.replaceWith(element);
      made = mounted;
      if (!element.hidden) mounted.reveal?.();
    };
    this.#buttons.set(id, button);
    list.append(button);
    this.element.append(made.element);
    let loading: Promise<void> | null = null;
    const loadPanel = (): Promise<void> => {
      if (loading) return loading;
      const mounted = mount(this.#page);
      if (!(mounted instanceof Promise)) {
        place(mounted);
        return (loading = Promise.resolve());
      }
      loading = mounted.then(place);
      loading.catch(() => (loading = null)); // offline: opening the panel tries again
      return loading;
    };
    this.#loaders.push(loadPanel);
    if (id === 'animations') void loadPanel();
    const isThere = computed(() => when(this.#page));
    effect(() => {
      const isOpen = this.#open.value === id;
      button.hidden = !isThere.value;
      button.setAttribute('aria-selected', String(isOpen));
      button.tabIndex = isOpen ? 0 : -1;
      made.element.hidden = !isOpen;
      if (!isOpen) return;
      void loadPanel().catch(() => {});
      defer(() => made.reveal?.());
    });
    deferredEffect(() => {
      const { text = '', kind = '', label = '' } = badge(this.#page) ?? {};
      mark.hidden = text === '';
      mark.className = `badge ${kind}`.trim();
      mark.textContent = text;
      mark.title = label;
      if (label) mark.setAttribute('aria-label', label);
      else mark.removeAttribute('aria-label');
    });
  }

  #key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = [...this.#buttons].filter(([, button]) => !button.hidden);
    const at = shown.findIndex(([, button]) => button === document.activeElement);
    const next = shown[(at + step + shown.length) % shown.length];
    if (!next) return;
    const [id, button] = next;
    this.#page.tab.value = id;
    button.focus();
  }
}
