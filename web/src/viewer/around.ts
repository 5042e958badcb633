// What shines around the model, where somebody has chosen something else than the room.
import type { ViewSettings } from '../session/viewSettings.ts';
import type { EnvironmentPreset } from '../view/index.ts';
import type { DisposableSky } from '../view/environmentPresets.ts';
import type { Scenery } from './scenery.ts';

/** The panoramas that a browser or three's reader of Radiance images reads. */
export const PANORAMAS = '.hdr,.jpg,.jpeg,.png,.webp,.avif';

export class Around {
  readonly #scenery: Scenery;
  #made: DisposableSky | null = null;
  #wish: object | null = null;

  constructor(scenery: Scenery) {
    this.#scenery = scenery;
  }

  /** Until it is there nothing changes; a later wish wins. Rejects where an image cannot be read: then the room shines again. */
  async show(wanted: ViewSettings['environment'], isSeen: boolean): Promise<void> {
    const wish = (this.#wish = {});
    let made: DisposableSky | null = null;
    try {
      if (wanted instanceof File) made = await (await import('../view/panorama.ts')).loadPanorama(wanted, wanted.name, isSeen);
      else if (wanted !== 'room') made = (await import('../view/environmentPresets.ts')).createPreset(wanted as EnvironmentPreset, isSeen);
    } finally {
      if (wish === this.#wish) {
        const old = this.#made;
        this.#made = made;
        this.#scenery.appearance.surround(made);
        old?.dispose();
      } else {
        made?.dispose();
      }
    }
  }

  dispose(): void {
    this.#wish = null;
    this.#made?.dispose();
  }
}
