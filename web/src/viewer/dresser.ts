// Images on materials by hand: dropped where they shall be seen, or chosen; they are on again when what wore them comes back.
import type { Vector2Like } from 'three';
import type { InputFile } from '../session/inputFile.ts';
import { type Model, shownOf, appliedTextures } from '../session/model.ts';
import type { State } from './state.ts';
import type { Place } from './wardrobe.ts';
import { words } from './words/index.ts';

export class Dresser {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get #model(): Model | null {
    return this.#state.actor.value;
  }

  /** What puts the only image of a drop where it was dropped, unless a material has asked for it by its name. Null: there is none. */
  async putting([only, ...more]: readonly InputFile[], at: Vector2Like): Promise<(() => Promise<void>) | null> {
    const model = this.#model;
    if (!model || !only || more.length > 0) return null;
    const { isImage, placeOf, slotFor } = await import('./wardrobe.ts');
    if (!isImage(only.file.name)) return null;
    const before = appliedTextures(this.#state.everybody).size;
    return async () => {
      const { everybody, scenery } = this.#state;
      if (this.#model !== model || appliedTextures(everybody).size !== before) return;
      const hit = scenery.overlays.hitAt(at);
      const place = hit && placeOf(everybody, hit);
      if (place) await this.wear(place, slotFor(only.file), only.file);
    };
  }

  /** Puts an image on a material by hand. */
  async wear(place: Place, slot: string, image: File): Promise<void> {
    const model = this.#model;
    if (!model) return;
    const { materialName, putOn } = await import('./wardrobe.ts');
    const worn = await putOn(this.#state.everybody, place, slot, image, this.#draws);
    if (this.#model !== model) return;
    if (worn) {
      this.#state.remember(true);
      this.#state.dispatch({ type: 'assign-image', assignment: worn });
    }
    this.#worn();
    this.#state.announce((worn ? words.isWorn : words.notWorn)(image.name, materialName(place)));
  }

  readonly #draws = (extension: string): boolean => this.#state.scenery.sharedRenderer.renderer.extensions.has(extension);

  /** The model wears something else now. */
  #worn(): void {
    const { scenery, actor, dispatch } = this.#state;
    if (actor.value) dispatch({ type: 'update-textures', shown: shownOf(actor.value) });
    scenery.view.invalidate();
  }

  /** What somebody has put on the model, and on what came to it, is on again. */
  async dress(model: Model): Promise<void> {
    const { imageAssignments } = this.#state.session.value;
    if (imageAssignments.length === 0) return;
    const { dress } = await import('./wardrobe.ts');
    if ((await dress(this.#state.everybody, imageAssignments, this.#draws)) && this.#model === model) this.#worn();
  }
}
