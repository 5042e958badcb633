// What shines around the model, where somebody has chosen something else than the room.
import type { Look } from '../session/look.ts';
import type { Surroundings } from '../view/index.ts';
import type { MadeSky } from '../view/surroundings.ts';
import type { Scenery } from './scenery.ts';

/** The panoramas that a browser or three's reader of Radiance images reads. */
export const PANORAMAS = '.hdr,.jpg,.jpeg,.png,.webp,.avif';

export class Around {
  readonly #scenery: Scenery;
  #made: MadeSky | null = null;
  #wish: object | null = null;

  constructor(scenery: Scenery) {
    this.#scenery = scenery;
  }

  /** Until it is there nothing changes; a later wish wins. Rejects where an image cannot be read: then the room shines again. */
  async show(wanted: Look['surroundings'], isSeen: boolean): Promise<void> {
    const wish = (this.#wish = {});
    let made: MadeSky | null = null;
    try {
      if (wanted instanceof File) made = await (await import('../view/panorama.ts')).panoramaOf(wanted, wanted.name, isSeen);
      else if (wanted !== 'room') made = (await import('../view/surroundings.ts')).surroundings(wanted as Surroundings, isSeen);
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
