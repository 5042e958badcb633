// Loads the environment that the visitor selects instead of the default room.
import type { ViewSettings } from '../session/viewSettings.ts';
import type { EnvironmentPreset } from '../view/index.ts';
import type { DisposableSky } from '../view/environmentPresets.ts';
import type { Viewport } from './viewport.ts';

/** Extensions of images that the browser or the Radiance loader of three.js can read. */
export const PANORAMAS = '.hdr,.jpg,.jpeg,.png,.webp,.avif';

export class EnvironmentSky {
  readonly #viewport: Viewport;
  #made: DisposableSky | null = null;
  #request: object | null = null;

  constructor(viewport: Viewport) {
    this.#viewport = viewport;
  }

  /**
   * Loads and shows an environment; a later call cancels an earlier one. `isSeen`: true to use the
   * environment also as background. If an image can't be read, shows the default room and rejects.
   */
  async show(wanted: ViewSettings['environment'], isSeen: boolean): Promise<void> {
    const request = (this.#request = {});
    let made: DisposableSky | null = null;
    try {
      if (wanted instanceof File) made = await (await import('../view/panorama.ts')).loadPanorama(wanted, wanted.name, isSeen);
      else if (wanted !== 'room') made = (await import('../view/environmentPresets.ts')).createPreset(wanted as EnvironmentPreset, isSeen);
    } finally {
      if (request === this.#request) {
        const old = this.#made;
        this.#made = made;
        this.#viewport.appearance.setSky(made);
        old?.dispose();
      } else {
        made?.dispose();
      }
    }
  }

  dispose(): void {
    this.#request = null;
    this.#made?.dispose();
  }
}
