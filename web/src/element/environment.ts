// Applies the environment that lights the model and is drawn behind it: the panoramas given by the
// attributes `environment-image` and `skybox-image`, or the sky that the file contains.
import type { Texture } from 'three';
import type { Sky } from '../view/environment.ts';
import type { DisposableSky } from '../view/environmentPresets.ts';
import type { View } from '../view/view.ts';
import type { GroundedSky } from './groundedSky.ts';
import { parseLength } from './quantities.ts';
import type { PresenterHost } from './types.ts';

/** Names of the attributes that `EnvironmentController` applies. */
export const ENVIRONMENT_ATTRIBUTES = ['environment-image', 'skybox-image', 'skybox-height'];

/** Values of `environment-image` of <model-viewer> that select its built-in environments. */
const BUILT_IN = ['neutral', 'legacy'];

export class EnvironmentController {
  readonly #view: View;
  readonly #fileSky: () => Sky | null;
  readonly #light: Panorama;
  readonly #backdrop: Panorama;
  /** Skybox that is lit by the other panorama, for the current pair of panoramas. */
  #combined: Sky | null = null;
  #isDisposed = false;
  #grounded: GroundedSky | null = null;
  readonly #host: PresenterHost;
  #loaded: Promise<void> = Promise.resolve();

  /** `fileSky`: function that returns the sky that the current file contains. */
  constructor(host: PresenterHost, view: View, fileSky: () => Sky | null) {
    this.#host = host;
    this.#view = view;
    this.#fileSky = fileSky;
    this.#light = new Panorama(host, 'environment-image', false);
    this.#backdrop = new Panorama(host, 'skybox-image', true);
  }

  /**
   * Applies the attributes. The previous environment stays visible until the panoramas are loaded.
   */
  update(credentials: RequestCredentials): void {
    this.#loaded = this.#update(credentials);
  }

  /** Resolves when the panoramas of the attributes are applied, or have failed to load. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  async #update(credentials: RequestCredentials): Promise<void> {
    const panoramas = [this.#light, this.#backdrop];
    const loaded = await Promise.all(panoramas.map(panorama => panorama.load(credentials)));
    if (loaded.includes(false)) return; // a later call applies them
    const [light, backdrop] = [this.#light.sky, this.#backdrop.sky];
    if (this.#combined?.lighting !== light || this.#combined?.scene !== backdrop?.scene)
      this.#combined = light && backdrop && { ...backdrop, lighting: light };
    this.#view.sky = this.#combined ?? backdrop ?? light ?? this.#fileSky();
    const height = parseLength(this.#host.element.getAttribute('skybox-height')?.trim()) ?? 0;
    const module = backdrop && height > 0 ? await import('./groundedSky.ts') : null;
    if (this.#isDisposed) return;
    this.#grounded?.dispose();
    const isCurrent = backdrop !== null && backdrop === this.#backdrop.sky && this.#view.extent !== null;
    this.#grounded = module && isCurrent ? new module.GroundedSky(this.#view, backdrop.scene.background as Texture, height) : null;
    this.#view.invalidate();
    for (const panorama of panoramas) panorama.disposeReplaced();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#grounded?.dispose();
    this.#light.dispose();
    this.#backdrop.dispose();
  }
}

/** The panorama of an attribute. */
class Panorama {
  sky: DisposableSky | null = null;
  readonly #host: PresenterHost;
  readonly #attribute: string;
  readonly #isVisible: boolean;
  /** URL of the panorama; '' if there is none. */
  #url = '';
  #replaced: DisposableSky[] = [];
  readonly #abort = new AbortController();

  constructor(host: PresenterHost, attribute: string, isVisible: boolean) {
    this.#host = host;
    this.#attribute = attribute;
    this.#isVisible = isVisible;
  }

  /**
   * Loads the panorama if the attribute has changed. Resolves with false if the attribute changed
   * again before the panorama was loaded.
   */
  async load(credentials: RequestCredentials): Promise<boolean> {
    const { element, emit } = this.#host;
    const value = element.getAttribute(this.#attribute)?.trim() ?? '';
    const wanted = !this.#isVisible && BUILT_IN.includes(value) ? '' : value;
    const url = wanted && URL.canParse(wanted, element.baseURI) ? new URL(wanted, element.baseURI).href : wanted;
    if (url === this.#url) return true;
    this.#url = url;
    const { signal } = this.#abort;
    let made: DisposableSky | null = null;
    try {
      if (url) made = await (await import('../view/panorama.ts')).fetchPanorama(url, { credentials, signal }, this.#isVisible);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (url === this.#url && !signal.aborted) emit('error', { message, error, report: null });
    }
    if (url !== this.#url || signal.aborted) {
      made?.dispose();
      return false;
    }
    if (this.sky) this.#replaced.push(this.sky);
    this.sky = made;
    return true;
  }

  /** Frees earlier panoramas. Call it when they are no longer shown. */
  disposeReplaced(): void {
    for (const sky of this.#replaced.splice(0)) sky.dispose();
  }

  dispose(): void {
    this.#abort.abort();
    this.disposeReplaced();
    this.sky?.dispose();
  }
}
