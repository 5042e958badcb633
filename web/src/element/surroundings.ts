// What shines around the model: the panorama that the page names, in place of the room and of a sky of the file.
import type { Sky } from '../view/environment.ts';
import type { DisposableSky } from '../view/environmentPresets.ts';
import type { View } from '../view/view.ts';
import type { ShowHost } from './types.ts';

export class Surroundings {
  readonly #host: ShowHost;
  readonly #view: View;
  readonly #own: () => Sky | null;
  #panorama: DisposableSky | null = null;
  /** Its address; '' for none. */
  #address = '';
  readonly #abort = new AbortController();

  /** `own`: the sky of the file that is shown now. */
  constructor(host: ShowHost, view: View, own: () => Sky | null) {
    this.#host = host;
    this.#view = view;
    this.#own = own;
  }

  /** As the attribute says now. Until a panorama is there nothing changes. */
  async show(credentials: RequestCredentials): Promise<void> {
    const { element } = this.#host;
    const wanted = element.getAttribute('environment-image')?.trim() ?? '';
    const address = wanted && URL.canParse(wanted, element.baseURI) ? new URL(wanted, element.baseURI).href : wanted;
    if (address !== this.#address && !(await this.#fetch(address, credentials))) return;
    this.#view.sky = this.#panorama ?? this.#own();
  }

  /** False: something else is wanted meanwhile. */
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
