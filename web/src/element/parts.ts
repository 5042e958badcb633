// The shadow tree of the element: viewport, poster, progress bar, error message, and the containers
// for hotspots and toolbar.
import { adoptStyle } from './style.ts';

export class ShadowParts {
  readonly root: ShadowRoot;
  /** HTML element that receives pointer input. */
  readonly viewport: HTMLElement;
  readonly canvas = make('canvas', 'canvas');
  readonly hotspots = make('div', 'hotspots');
  readonly controls: HTMLElement;
  #poster: HTMLElement = make('div', 'poster');
  readonly #progress: HTMLElement;
  readonly #bar = make('div', 'progress-bar');
  readonly #error: HTMLElement;
  readonly #errorText = document.createElement('span');

  constructor(host: HTMLElement) {
    this.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    adoptStyle(this.root);
    this.viewport = make('div', 'viewport', this.canvas);
    this.controls = make('div', 'controls', slot('toolbar'));
    this.#progress = make('div', 'progress', slot('progress', this.#bar));
    set(this.#progress, { role: 'progressbar', 'aria-label': 'Loading', 'aria-valuemin': '0', 'aria-valuemax': '100', hidden: '' });
    this.#error = make('div', 'error', slot('error', this.#errorText));
    set(this.#error, { role: 'alert', hidden: '' });
    this.root.append(this.viewport, this.#poster, this.hotspots, this.controls, this.#progress, this.#error);
  }

  /** Sets the text for screen readers. */
  setLabel(text: string): void {
    set(this.viewport, { role: 'img', 'aria-label': text, 'aria-roledescription': '3D model' });
  }

  /**
   * Shows the poster until the first frame is drawn. If `reveal` is given, the poster is a button:
   * `onPress` is called when the visitor presses it, `onIntent` when the pointer or the focus
   * enters it.
   */
  showPoster(url: string | null, text: string, reveal: { onPress(): void; onIntent(): void } | null): void {
    const poster = make(reveal ? 'button' : 'div', 'poster');
    const inner = slot('poster');
    if (url !== null) {
      const image = make('img', 'poster-image');
      image.alt = '';
      image.src = url;
      inner.append(image);
    }
    poster.append(inner);
    poster.classList.toggle('gone', this.#poster.classList.contains('gone'));
    if (reveal) {
      set(poster, { type: 'button', 'aria-label': `Show ${text}` });
      for (const type of ['pointerenter', 'focus']) poster.addEventListener(type, reveal.onIntent, { once: true });
      inner.addEventListener('slotchange', () => poster.classList.toggle('own', inner.assignedElements().length > 0));
      poster.addEventListener('click', () => {
        poster.classList.add('pressed');
        reveal.onPress();
        this.viewport.tabIndex = -1; // keeps the focus in the element; Input makes the viewport focusable later
        this.viewport.focus({ preventScroll: true });
      });
    }
    this.#poster.replaceWith(poster);
    this.#poster = poster;
  }

  set isPosterShown(isShown: boolean) {
    this.#poster.classList.toggle('gone', !isShown);
    this.#poster.classList.remove('pressed');
  }

  /** Shows the loading progress. `fraction`: progress from 0 to 1. The bar is hidden at 1. */
  showProgress(fraction: number): void {
    this.#progress.hidden = fraction >= 1;
    this.#progress.setAttribute('aria-valuenow', String(Math.round(fraction * 100)));
    this.#bar.style.transform = `scaleX(${fraction})`;
  }

  get hasError(): boolean {
    return !this.#error.hidden;
  }

  /** Shows an error message, or hides it if `message` is null. */
  showError(message: string | null): void {
    if (message !== null) this.#errorText.textContent = message;
    this.#error.hidden = message === null;
  }
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, part: string, ...children: Node[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.setAttribute('part', part);
  element.append(...children);
  return element;
}

function slot(name: string, ...children: Node[]): HTMLSlotElement {
  const made = document.createElement('slot');
  made.name = name;
  made.append(...children);
  return made;
}

function set(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
