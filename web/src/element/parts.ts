// The shadow tree of the element: viewport, poster, progress bar, error message, and the containers
// for hotspots and toolbar.
import { adoptStyle } from './style.ts';
import { shellWords, type ShellWords } from './words/shell.ts';

/** The label of an error message. */
export type ErrorLabel = 'error' | 'unavailable';

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
  readonly #retry = make('button', 'retry-button');
  #errorLabel: ErrorLabel = 'error';
  #words: ShellWords = shellWords;
  /** Description of the model; null for the default. */
  #alt: string | null = null;

  /** `onRetry`: called when the visitor presses the button in the error message. */
  constructor(host: HTMLElement, onRetry: () => void) {
    this.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    adoptStyle(this.root);
    this.viewport = make('div', 'viewport', this.canvas);
    this.controls = make('div', 'controls', slot('toolbar'));
    this.#progress = make('div', 'progress', slot('progress', this.#bar));
    set(this.#progress, { role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100', hidden: '' });
    this.#error = make('div', 'error', slot('error', this.#errorText, this.#retry));
    set(this.#error, { role: 'alert', hidden: '' });
    this.#errorText.dir = 'auto';
    this.#retry.type = 'button';
    this.#retry.onclick = () => {
      onRetry();
      this.#focusViewport();
    };
    this.viewport.role = 'img';
    this.root.append(this.viewport, this.#poster, this.hotspots, this.controls, this.#progress, this.#error);
    this.words = shellWords;
  }

  /** Sets all texts. */
  set words(words: ShellWords) {
    this.#words = words;
    const name = this.#alt ?? words.model;
    this.viewport.ariaLabel = name;
    this.viewport.ariaRoleDescription = words.model;
    this.#progress.ariaLabel = words.loading;
    if (this.#poster.matches('button')) this.#poster.ariaLabel = words.show.replace('{name}', () => name);
    this.#retry.textContent = words.retry;
    this.#errorText.textContent = words[this.#errorLabel];
  }

  /** Sets the description of the model; null for the default. */
  set alt(text: string | null) {
    this.#alt = text;
    this.words = this.#words;
  }

  /**
   * Shows the poster until the first frame is drawn. If `reveal` is given, the poster is a button:
   * `onPress` is called when the visitor presses it, `onIntent` when the pointer or the focus
   * enters it.
   */
  showPoster(url: string | null, reveal: { onPress(): void; onIntent(): void } | null): void {
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
      set(poster, { type: 'button' });
      for (const type of ['pointerenter', 'focus']) poster.addEventListener(type, reveal.onIntent, { once: true });
      inner.addEventListener('slotchange', () => poster.classList.toggle('own', inner.assignedElements().length > 0));
      poster.addEventListener('click', () => {
        poster.classList.add('pressed');
        reveal.onPress();
        this.#focusViewport();
      });
    }
    this.#poster.replaceWith(poster);
    this.#poster = poster;
    this.words = this.#words;
  }

  /** Keeps the focus in the element. The viewport becomes focusable for good later, by Input. */
  #focusViewport(): void {
    this.viewport.tabIndex = -1;
    this.viewport.focus({ preventScroll: true });
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

  /** Shows an error message, or hides it if `label` is null. */
  showError(label: ErrorLabel | null): void {
    this.#errorLabel = label ?? 'error';
    this.words = this.#words;
    this.#error.hidden = label === null;
    this.#retry.hidden = label !== 'error';
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
