// Drawer below the viewport, closed initially. Its content is loaded when it is first opened.
import { effect } from '@preact/signals-core';
import { el } from '../dom.ts';
import type { Page } from '../page.ts';
import { splitterOf } from '../splitter.ts';
import { words } from '../words/index.ts';
import type { Editor } from './editor.ts';

export class Drawer {
  readonly element: HTMLElement;
  readonly #page: Page;
  #editor: Editor | null = null;

  constructor(page: Page) {
    this.#page = page;
    this.element = el('section', { class: 'drawer', id: 'drawer', 'aria-label': words.drawer.title, hidden: true });
    const close = (): void => void (page.isDrawerOpen.value = false);
    this.element.append(splitterOf(page.layout, this.element, { label: words.drawer.resize, key: () => 'drawer', close }));
    effect(() => {
      const isOpen = page.isDrawerOpen.value;
      page.root.classList.toggle('has-drawer', isOpen);
      this.element.hidden = !isOpen;
      if (isOpen && !this.#editor) void this.#load();
    });
  }

  /** Moves the play head. This runs in each frame. */
  update(): void {
    if (this.#page.isDrawerOpen.peek()) this.#editor?.update();
  }

  async #load(): Promise<void> {
    const made = await import('./editor.ts').catch(() => null);
    // Offline, opening the drawer again tries again.
    if (!made) return void (this.#page.isDrawerOpen.value = false);
    if (this.#editor) return;
    this.#editor = new made.Editor(this.#page);
    this.element.append(this.#editor.element);
  }
}
