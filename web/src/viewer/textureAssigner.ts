// Assigns images that the visitor drops or selects to materials.
import type { Vector2Like } from 'three';
import type { ImageAssignment } from '../session/imageAssignments.ts';
import { type InputFile, isLocal } from '../session/inputFile.ts';
import { type Model, shownOf, appliedTextures } from '../session/model.ts';
import type { BlockExtension } from '../three/materials/imageKinds.ts';
import type { State } from './state.ts';
import type { MaterialRef } from './textureOverrides.ts';
import { words } from './words/index.ts';

export class TextureAssigner {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get #model(): Model | null {
    return this.#state.shownModel.value;
  }

  /**
   * Returns a function that assigns a dropped image to the material under the pointer; null if the
   * drop is not a single image. Call the function after the file was opened. It does nothing if
   * opening has already applied the image by its name.
   */
  async prepareAssignment([only, ...more]: readonly InputFile[], at: Vector2Like): Promise<(() => Promise<void>) | null> {
    const model = this.#model;
    if (!model || !only || more.length > 0 || !isLocal(only)) return null;
    const { isImage, materialAt, slotFor } = await import('./textureOverrides.ts');
    if (!isImage(only.file.name)) return null;
    const before = appliedTextures(this.#state.allModels).size;
    return async () => {
      const { allModels, viewport } = this.#state;
      if (this.#model !== model || appliedTextures(allModels).size !== before) return;
      const hit = viewport.overlays.hitAt(at);
      const material = hit && materialAt(allModels, hit);
      if (material) await this.assignTexture(material, slotFor(only.file), only.file);
    };
  }

  /** Assigns an image to a slot of a material and stores the override. */
  async assignTexture(material: MaterialRef, slot: string, image: File): Promise<void> {
    const model = this.#model;
    if (!model) return;
    const { materialName, assignImage } = await import('./textureOverrides.ts');
    const assignment = await assignImage(this.#state.allModels, material, slot, image, this.#draws);
    if (this.#model === model) this.#store(assignment, image.name, materialName(material));
  }

  /** Assigns a companion image to a material by its name, and stores the override. */
  async assign(assignment: ImageAssignment, image: File): Promise<void> {
    const model = this.#model;
    const { drawAssignment } = await import('./textureOverrides.ts');
    const isDrawn = await drawAssignment(this.#state.allModels, assignment, image, this.#draws);
    if (this.#model === model) this.#store(isDrawn ? assignment : null, image.name, assignment.material);
  }

  /** Stores an override. `assignment`: null if the image is not drawn. */
  #store(assignment: ImageAssignment | null, image: string, material: string): void {
    if (assignment) {
      this.#state.remember(true);
      this.#state.dispatch({ type: 'assign-image', assignment });
    }
    this.#updateShown();
    this.#state.announce((assignment ? words.imageApplied : words.imageNotApplied)(image, material));
  }

  readonly #draws = (extension: BlockExtension): boolean => this.#state.viewport.sharedRenderer.supportsTexture(extension);

  /** Updates the data about the shown model in the session. */
  #updateShown(): void {
    const { viewport, shownModel, dispatch } = this.#state;
    if (shownModel.value) dispatch({ type: 'update-textures', shown: shownOf(shownModel.value) });
    viewport.view.invalidate();
  }
}
