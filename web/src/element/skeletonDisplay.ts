// Draws the bones of a rig on top of its mesh.
import type { SkeletonOverlay } from '../view/skeleton.ts';
import type { View } from '../view/view.ts';
import type { Rig } from '../three/rig.ts';

/** Imports the skeleton overlay, which is loaded when it is first needed. */
export const loadSkeletonOverlay = (): Promise<{ SkeletonOverlay: typeof SkeletonOverlay }> => import('../view/skeleton.ts');

export class SkeletonDisplay {
  readonly #view: View;
  #overlay: SkeletonOverlay | null = null;
  /** The argument of the last call of `show`. */
  #rig: Rig | null = null;

  constructor(view: View) {
    this.#view = view;
  }

  /**
   * Loads the overlay and draws the bones of `rig`, or removes the drawn bones if `rig` is null.
   */
  async show(rig: Rig | null): Promise<void> {
    this.#rig = rig;
    this.#overlay?.dispose();
    this.#overlay = null;
    this.#view.invalidate();
    const bones = rig?.nodes.filter(node => 'isBone' in node) ?? [];
    if (bones.length === 0) return;
    const { SkeletonOverlay } = await loadSkeletonOverlay();
    if (this.#rig !== rig || this.#overlay) return;
    this.#overlay = new SkeletonOverlay(bones, (this.#view.extent?.radius ?? 1) * 0.06);
    this.#view.overlays.add(this.#overlay.object);
    this.#view.invalidate();
  }

  /** Updates the drawn bones to the current pose. */
  update(): void {
    this.#overlay?.update();
  }
}
