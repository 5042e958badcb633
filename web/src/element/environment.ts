// Applies the environment that lights the model: the panorama given by the attribute
// `environment-image`, or the sky that the file contains.
import type { Sky } from '../view/environment.ts';
import type { DisposableSky } from '../view/environmentPresets.ts';
import type { View } from '../view/view.ts';
import type { PresenterHost } from './types.ts';

export class EnvironmentController {
  readonly #host: PresenterHost;
  readonly #view: View;
  readonly #fileSky: () => Sky | null;
  #panorama: DisposableSky | null = null;
  /** URL of the panorama; '' if there is none. */
  #url = '';
  readonly #abort = new AbortController();

  /** `fileSky`: function that returns the sky that the current file contains. */
  constructor(host: PresenterHost, view: View, fileSky: () => Sky | null) {
    this.#host = host;
    this.#view = view;
    this.#fileSky = fileSky;
  }

  /**
   * Applies the attribute `environment-image`. The previous environment stays visible until the
   * panorama is loaded.
   */
  async update(credentials: RequestCredentials): Promise<void> {
    const { element } = this.#host;
    const wanted = element.getAttribute('environment-image')?.trim() ?? '';
    const url = wanted && URL.canParse(wanted, element.baseURI) ? new URL(wanted, element.baseURI).href : wanted;
    if (url !== this.#url && !(await this.#fetch(url, credentials))) return;
    this.#view.sky = this.#panorama ?? this.#fileSky();
  }

  /** Loads a panorama. Returns false if the attribute changed before the panorama was loaded. */
  async #fetch(url: string, credentials: RequestCredentials): Promise<boolean> {
    this.#url = url;
    const { signal } = this.#abort;
    let made: DisposableSky | null = null;
    try {
      if (url) made = await (await import('../view/panorama.ts')).fetchPanorama(url, { credentials, signal });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (url === this.#url && !signal.aborted) this.#host.emit('error', { message, error, report: null });
    }
    if (url !== this.#url || signal.aborted) {
      made?.dispose();
      return false;
    }
    const old = this.#panorama;
    this.#panorama = made;
    this.#view.sky = null;
    old?.dispose();
    return true;
  }

  dispose(): void {
    this.#abort.abort();
    this.#panorama?.dispose();
  }
}
