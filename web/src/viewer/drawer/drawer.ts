// Drawer below the viewport, closed initially. Its height can be changed and is stored on this
// device. Its content is loaded when it is first opened.
import { effect } from '@preact/signals-core';
import { el } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';
import type { Editor } from './editor.ts';

const KEY = 'rigcast.drawerHeight';
const DEFAULT_HEIGHT = 280;
const LEAST_HEIGHT = 150;
/** Maximum height as a fraction of the height of the page. */
const MAX_SHARE = 0.7;
/** Change of the height by an arrow key in pixels. */
const STEP = 16;

export class Drawer {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #handle: HTMLElement;
  #height = storedHeight();
  #editor: Editor | null = null;

  constructor(page: Page) {
    this.#page = page;
    this.#handle = this.#makeHandle();
    this.element = el('section', { class: 'drawer', 'aria-label': words.drawer.title, hidden: true }, this.#handle);
    effect(() => {
      const isOpen = page.isDrawerOpen.value;
      page.root.classList.toggle('has-drawer', isOpen);
      this.element.hidden = !isOpen;
      if (!isOpen) return;
      this.#apply();
      if (!this.#editor) void this.#load();
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

  /** Changes the height (in CSS pixels) and stores it. */
  #resize(height: number): void {
    this.#height = Math.round(Math.min(Math.max(height, LEAST_HEIGHT), maximumHeight()));
    this.#apply();
    try {
      localStorage.setItem(KEY, String(this.#height));
    } catch {
      // Storage can be forbidden or full.
    }
  }

  /** Applies the height. The style sheet limits it to a part of the page. */
  #apply(): void {
    const shown = Math.min(this.#height, maximumHeight());
    this.element.style.setProperty('--drawer-height', `${this.#height}px`);
    this.#handle.setAttribute('aria-valuemax', String(maximumHeight()));
    this.#handle.setAttribute('aria-valuenow', String(shown));
    this.#handle.setAttribute('aria-valuetext', words.drawer.pixels(shown));
  }

  /** Creates the separator that changes the height. */
  #makeHandle(): HTMLElement {
    let from: { y: number; height: number } | null = null;
    const handle = el('div', {
      class: 'drawer-handle',
      role: 'separator',
      tabindex: 0,
      'aria-orientation': 'horizontal',
      'aria-label': words.drawer.resize,
      title: words.drawer.resize,
      'aria-valuemin': LEAST_HEIGHT,
      onpointerdown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        handle.setPointerCapture(event.pointerId);
        from = { y: event.clientY, height: this.#height };
      },
      onpointermove: (event: PointerEvent) => {
        if (from) this.#resize(from.height + from.y - event.clientY);
      },
      onpointerup: () => void (from = null),
      onpointercancel: () => void (from = null),
      ondblclick: () => this.#resize(DEFAULT_HEIGHT),
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowUp: STEP, ArrowDown: -STEP, PageUp: 5 * STEP, PageDown: -5 * STEP, Home: -Infinity, End: Infinity }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        this.#resize(this.#height + step);
      },
    });
    return handle;
  }
}

const maximumHeight = (): number => Math.max(Math.round(innerHeight * MAX_SHARE), LEAST_HEIGHT);

function storedHeight(): number {
  try {
    return Math.max(Number(localStorage.getItem(KEY)) || DEFAULT_HEIGHT, LEAST_HEIGHT);
  } catch {
    return DEFAULT_HEIGHT;
  }
}
