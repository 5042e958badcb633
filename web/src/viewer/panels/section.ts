// A section of a side panel: a heading that expands and collapses its content.
import { computed, effect, type ReadonlySignal } from '@preact/signals-core';
import { deferredEffect, defer } from '../deferred.ts';
import { el, icon } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';
import type { Badge, Mounted, Section } from './panel.ts';

/** Creates an element that shows a badge; it is hidden while there is none. */
export function badgeMark(badge: () => Badge | null): HTMLElement {
  const mark = el('span', { class: 'badge', hidden: true });
  deferredEffect(() => {
    const { text = '', kind = '', label = '' } = badge() ?? {};
    mark.hidden = text === '';
    mark.className = `badge ${kind}`.trim();
    mark.textContent = text;
    mark.title = label;
    if (label) mark.setAttribute('aria-label', label);
    else mark.removeAttribute('aria-label');
  });
  return mark;
}

export interface MountedSection {
  element: HTMLElement;
  /** Loads and creates the content. Rejects if it can't be fetched. */
  load(): Promise<void>;
}

/**
 * Creates a section. `isShown`: true while its panel is visible. `isAlone`: true if no other section
 * of the panel is available; the section then has no heading and is always expanded.
 */
export function mountSection(
  page: Page,
  section: Section,
  isShown: ReadonlySignal<boolean>,
  isAlone: ReadonlySignal<boolean>,
): MountedSection {
  const { id, when, badge, isCollapsed = false, fills = false, mount } = section;
  const { layout } = page;
  const name = `section-${id}`;
  const isExpanded = computed(() => isAlone.value || (layout.expanded.value.get(id) ?? !isCollapsed));
  const button = el(
    'button',
    { type: 'button', id: `${name}-heading`, 'aria-controls': `${name}-content`, onclick: () => layout.expand(id, !isExpanded.peek()) },
    icon('down'),
    el('span', { class: 'text' }, words.sections[id]),
    badge && badgeMark(() => badge(page)),
  );
  const heading = el('h3', { class: 'section-heading' }, button);
  const content = el('div', { class: 'section-content', id: `${name}-content` });
  const element = el('div', { class: 'section', id: name }, heading, content);

  let mounted: Mounted | null = null;
  let loading: Promise<void> | null = null;
  const place = (made: Mounted): void => {
    mounted = made;
    content.replaceChildren(made.element);
    if (isVisible.peek()) made.reveal?.();
  };
  const load = (): Promise<void> => {
    if (loading) return loading;
    const made = mount(page);
    if (!(made instanceof Promise)) {
      place(made);
      return (loading = Promise.resolve());
    }
    loading = made.then(place);
    loading.catch(() => (loading = null)); // offline: showing the section tries again
    return loading;
  };

  const isVisible = computed(() => isShown.value && isExpanded.value && when(page));
  effect(() => {
    element.hidden = !when(page);
    heading.hidden = isAlone.value;
    content.hidden = !isExpanded.value;
    element.classList.toggle('fills', fills && isExpanded.value);
    button.setAttribute('aria-expanded', String(isExpanded.value));
  });
  effect(() => {
    if (!isVisible.value) return;
    void load().catch(() => {});
    defer(() => mounted?.reveal?.());
  });
  return { element, load };
}
