// Optional parts of the element around the picture, each imported when an attribute or a child
// requires it: toolbar, hotspots, interaction prompt and AR button.
import type { ArButton, StartAr } from './arButton.ts';
import type { Hotspots } from './hotspots.ts';
import type { Prompt } from './prompt.ts';
import type { Toolbar } from './toolbar.ts';
import type { PresenterHost, RigcastViewerReady } from './types.ts';

export class Widgets {
  readonly #host: PresenterHost;
  readonly #ready: () => RigcastViewerReady | null;
  readonly #observer: MutationObserver;
  #toolbar: Toolbar | null = null;
  #hotspots: Hotspots | null = null;
  #prompt: Prompt | null = null;
  #arButton: ArButton | null = null;
  readonly #startAr: StartAr | null;
  #isDisposed = false;
  /** True if the visitor has moved the camera. */
  #hasInteracted = false;

  /** `ready`: returns the loaded model; null if there is none. `startAr`: starts AR with WebXR; null if the
   * renderer can't. */
  constructor(host: PresenterHost, ready: () => RigcastViewerReady | null, startAr: StartAr | null) {
    this.#host = host;
    this.#startAr = startAr;
    this.#ready = ready;
    // Hotspots may be added at any time.
    this.#observer = new MutationObserver(() => void this.#updateHotspots());
    this.#observer.observe(host.element, { childList: true, subtree: true, attributeFilter: ['slot'] });
  }

  /** Applies the attributes. Call it when one of them changes, and when a model is loaded. */
  update(): void {
    void this.#updateToolbar();
    void this.#updateHotspots();
    void this.#updatePrompt();
    void this.#updateArButton();
  }

  /** Called when the visitor starts to move the camera. */
  onInteraction(): void {
    this.#hasInteracted = true;
    this.#prompt?.end();
  }

  /** Moves the hotspots. Call it when the first frame of a model is drawn. */
  updatePositions(): void {
    this.#hotspots?.update();
  }

  /** Applies changed texts. */
  updateWords(): void {
    if (this.#toolbar) this.#toolbar.words = this.#host.words();
    if (this.#prompt) this.#prompt.words = this.#host.words();
    if (this.#arButton) this.#arButton.words = this.#host.words();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#observer.disconnect();
    this.#toolbar?.dispose();
    this.#hotspots?.dispose();
    this.#prompt?.end();
    this.#arButton?.dispose();
    this.#toolbar = this.#hotspots = this.#prompt = this.#arButton = null;
  }

  async #updateToolbar(): Promise<void> {
    const { element, parts, words } = this.#host;
    const isWanted = (): boolean => !this.#isDisposed && element.hasAttribute('controls');
    if (!isWanted()) {
      this.#toolbar?.dispose();
      this.#toolbar = null;
    }
    this.#toolbar?.update();
    if (!isWanted() || this.#toolbar) return;
    const { Toolbar } = await import('./toolbar.ts');
    if (isWanted()) this.#toolbar ??= new Toolbar(element, parts.root, parts.controls, words());
  }

  async #updatePrompt(): Promise<void> {
    const { element, parts, words } = this.#host;
    const isWanted = (): boolean =>
      !this.#isDisposed &&
      !this.#hasInteracted &&
      element.getAttribute('interaction-prompt') === 'auto' &&
      element.getAttribute('interaction') !== 'none' &&
      !element.hasAttribute('auto-rotate') &&
      !matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!isWanted()) this.#prompt?.end();
    if (this.#prompt || !this.#ready() || !isWanted()) return;
    const { Prompt } = await import('./prompt.ts');
    if (isWanted()) this.#prompt ??= new Prompt(element, parts.root, words());
  }

  async #updateArButton(): Promise<void> {
    const { element, parts, words, emit } = this.#host;
    const isWanted = (): boolean => !this.#isDisposed && element.hasAttribute('ar') && this.#ready() !== null;
    if (!isWanted()) {
      this.#arButton?.dispose();
      this.#arButton = null;
      return;
    }
    const { ArButton } = await import('./arButton.ts');
    if (isWanted()) this.#arButton ??= new ArButton(element, parts.root, words(), this.#startAr, status => emit('arstatus', { status }));
    await this.#arButton?.update();
  }

  async #updateHotspots(): Promise<void> {
    const { element, parts } = this.#host;
    if (this.#hotspots || !this.#ready() || !element.querySelector(':scope > [slot^="hotspot"]')) return;
    const { Hotspots } = await import('./hotspots.ts');
    if (!this.#isDisposed) this.#hotspots ??= new Hotspots(element, parts.hotspots, this.#ready);
    this.#hotspots?.update();
  }
}
