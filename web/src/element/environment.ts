// The environment of the model: the page's panorama if there is one, otherwise the sky of the file.
import type { Sky } from '../view/environment.ts';
import type { DisposableSky } from '../view/environmentPresets.ts';
import type { View } from '../view/view.ts';
import type { PresenterHost } from './types.ts';

export class EnvironmentController {
  readonly #host: PresenterHost;
  readonly #view: View;
  readonly #fileSky: () => Sky | null;
  #panorama: DisposableSky | null = null;
  /** Its URL; '' for none. */
  #address = '';
  readonly #abort = new AbortController();

  /** `fileSky` returns the sky of the current file. */
  constructor(host: PresenterHost, view: View, own: () => Sky | null) {
    this.#host = host;
    this.#view = view;
    this.#fileSky = own;
  }

  /**
   * Applies the attribute `environment-image`. The previous environment stays until the new
   * panorama is loaded.
   */
  async update(credentials: RequestCredentials): Promise<void> {
    const { element } = this.#host;
    const wanted = element.getAttribute('environment-image')?.trim() ?? '';
    const address = wanted && URL.canParse(wanted, element.baseURI) ? new URL(wanted, element.baseURI).href : wanted;
    if (address !== this.#address && !(await this.#fetch(address, credentials))) return;
    this.#view.sky = this.#panorama ?? this.#fileSky();
  }

  /** Returns false if the attribute has changed again before the panorama was loaded. */
  async #fetch(address: string, credentials: RequestCredentials): Promise<boolean> {
    this.#address = address;
    const { signal } = this.#abort;
    let made: DisposableSky | null = null;
    try {
      if (address) made = await (await import('../view/panorama.ts')).fetchPanorama(address, { credentials, signal });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (address === this.#address && !signal.aborted) this.#host.emit('error', { message, error, report: null });
    }
    if (address !== this.#address || signal.aborted) {
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
