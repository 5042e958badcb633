// The interaction prompt, which shows once that the model can be rotated.
import { adopt, sheetOf } from './style.ts';
import { en, type Labels } from './words/index.ts';

const CSS = `
[part='prompt'] {
  position: absolute; inset: auto 0 14%; margin: auto; width: fit-content; max-width: 90%; display: flex; align-items: center; gap: 8px; padding: 6px 14px 6px 10px; box-sizing: border-box;
  border-radius: 999px; pointer-events: none; background: var(--rigcast-toolbar-background, color-mix(in srgb, Canvas 86%, transparent)); color: var(--rigcast-toolbar-color, CanvasText);
  backdrop-filter: blur(6px); animation: rigcast-prompt 5s ease-in-out both;
}
[part='prompt'] svg { width: 22px; height: 22px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; animation: rigcast-drag 2s ease-in-out 0.5s 2; }
[part='prompt'].ending { animation: none; opacity: 0; transition: opacity 0.3s; }
@keyframes rigcast-prompt { 0%, 100% { opacity: 0; } 12%, 86% { opacity: 1; } }
@keyframes rigcast-drag { 0%, 100% { transform: none; } 25% { transform: translateX(-5px); } 75% { transform: translateX(5px); } }
`;

/** Time in seconds until the prompt appears in a visible element. */
const DELAY = 2;

const SVG = 'http://www.w3.org/2000/svg';

let sheet: CSSStyleSheet | undefined;

export class Prompt {
  readonly #root: ShadowRoot;
  readonly #box = document.createElement('div');
  readonly #text = document.createElement('span');
  readonly #observer: IntersectionObserver;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement, root: ShadowRoot, words: Partial<Labels>) {
    adopt(root, (sheet ??= sheetOf(CSS)));
    this.#root = root;
    this.#box.setAttribute('part', 'prompt');
    this.#box.setAttribute('aria-hidden', 'true'); // screen readers know the keys from the viewport
    const icon = document.createElementNS(SVG, 'svg');
    icon.setAttribute('viewBox', '0 0 24 24');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', 'M4 12h16M8 8l-4 4 4 4M16 8l4 4-4 4');
    icon.append(path);
    const slot = document.createElement('slot');
    slot.name = 'interaction-prompt';
    slot.append(icon, this.#text);
    this.#box.append(slot);
    this.#box.addEventListener('animationend', ({ target }) => target === this.#box && this.#box.remove());
    this.words = words;
    this.#observer = new IntersectionObserver(entries => {
      clearTimeout(this.#timer);
      if (entries.at(-1)!.isIntersecting) this.#timer = setTimeout(() => this.#show(), DELAY * 1000);
    });
    this.#observer.observe(element);
  }

  /** Sets the text. If it is missing, the text is English. */
  set words({ prompt = en.prompt }: Partial<Labels>) {
    this.#text.textContent = prompt;
  }

  /** Hides the prompt for good. */
  end(): void {
    this.#observer.disconnect();
    clearTimeout(this.#timer);
    if (!this.#box.isConnected) return;
    this.#box.classList.add('ending');
    this.#box.addEventListener('transitionend', () => this.#box.remove());
    setTimeout(() => this.#box.remove(), 1000); // there is no transition in a hidden element
  }

  #show(): void {
    this.#observer.disconnect();
    this.#root.append(this.#box);
  }
}
