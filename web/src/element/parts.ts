// The shadow tree of the element: the picture's place, poster, progress, error, and what holds hotspots and tool bar.
import { adoptStyle } from './style.ts';

export class Parts {
  readonly root: ShadowRoot;
  /** What the visitor drags on. */
  readonly stage: HTMLElement;
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
    this.stage = make('div', 'stage', this.canvas);
    this.controls = make('div', 'controls', slot('toolbar'));
    this.#progress = make('div', 'progress', slot('progress', this.#bar));
    set(this.#progress, { role: 'progressbar', 'aria-label': 'Loading', 'aria-valuemin': '0', 'aria-valuemax': '100', hidden: '' });
    this.#error = make('div', 'error', slot('error', this.#errorText));
    set(this.#error, { role: 'alert', hidden: '' });
    this.root.append(this.stage, this.#poster, this.hotspots, this.controls, this.#progress, this.#error);
  }

  /** What a screen reader says. */
  describe(text: string): void {
    set(this.stage, { role: 'img', 'aria-label': text, 'aria-roledescription': '3D model' });
  }

  /** What is seen until the first picture is drawn; a button with `text` where the visitor decides, told of the press and of what comes before it. */
  showPoster(address: string | null, text: string, reveal: { press(): void; expect(): void } | null): void {
    const poster = make(reveal ? 'button' : 'div', 'poster');
    const inner = slot('poster');
    if (address !== null) {
      const image = make('img', 'poster-image');
      image.alt = '';
      image.src = address;
      inner.append(image);
    }
    poster.append(inner);
    poster.classList.toggle('gone', this.#poster.classList.contains('gone'));
    if (reveal) {
      set(poster, { type: 'button', 'aria-label': `Show ${text}` });
      for (const sign of ['pointerenter', 'focus']) poster.addEventListener(sign, reveal.expect, { once: true });
      inner.addEventListener('slotchange', () => poster.classList.toggle('own', inner.assignedElements().length > 0));
      poster.addEventListener('click', () => {
        poster.classList.add('pressed');
        reveal.press();
        this.stage.tabIndex = -1; // what will take the focus by itself comes later
        this.stage.focus({ preventScroll: true });
      });
    }
    this.#poster.replaceWith(poster);
    this.#poster = poster;
  }

  set isPosterShown(isShown: boolean) {
    this.#poster.classList.toggle('gone', !isShown);
    this.#poster.classList.remove('pressed');
  }

  /** 0 to 1; all is done at 1. */
  showProgress(fraction: number): void {
    this.#progress.hidden = fraction >= 1;
    this.#progress.setAttribute('aria-valuenow', String(Math.round(fraction * 100)));
    this.#bar.style.transform = `scaleX(${fraction})`;
  }

  get hasError(): boolean {
    return !this.#error.hidden;
  }

  /** Null: nothing is wrong any more. */
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
