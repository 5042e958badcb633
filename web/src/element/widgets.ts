// Optional parts of the element around the picture, each imported when an attribute or a child
// requires it: toolbar and hotspots.
import type { Hotspots } from './hotspots.ts';
import type { Toolbar } from './toolbar.ts';
import type { PresenterHost, RigcastViewerReady } from './types.ts';

export class Widgets {
  readonly #host: PresenterHost;
  readonly #ready: () => RigcastViewerReady | null;
  readonly #observer: MutationObserver;
  #toolbar: Toolbar | null = null;
  #hotspots: Hotspots | null = null;
  #isDisposed = false;

  /** `ready`: returns the loaded model; null if there is none. */
  constructor(host: PresenterHost, ready: () => RigcastViewerReady | null) {
    this.#host = host;
    this.#ready = ready;
    // Hotspots may be added at any time.
    this.#observer = new MutationObserver(() => void this.#updateHotspots());
    this.#observer.observe(host.element, { childList: true, subtree: true, attributeFilter: ['slot'] });
  }

  /** Applies the attributes. Call it when one of them changes, and when a model is loaded. */
  update(): void {
    void this.#updateToolbar();
    void this.#updateHotspots();
  }

  /** Moves the hotspots. Call it when the first frame of a model is drawn. */
  updatePositions(): void {
    this.#hotspots?.update();
  }

  /** Applies changed texts. */
  updateWords(): void {
    if (this.#toolbar) this.#toolbar.words = this.#host.words();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#observer.disconnect();
    this.#toolbar?.dispose();
    this.#hotspots?.dispose();
    this.#toolbar = this.#hotspots = null;
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

  async #updateHotspots(): Promise<void> {
    const { element, parts } = this.#host;
    if (this.#hotspots || !this.#ready() || !element.querySelector(':scope > [slot^="hotspot"]')) return;
    const { Hotspots } = await import('./hotspots.ts');
    if (!this.#isDisposed) this.#hotspots ??= new Hotspots(element, parts.hotspots, this.#ready);
    this.#hotspots?.update();
  }
}
