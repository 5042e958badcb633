// The bones of what is shown, drawn through its skin, where the page asks for them.
import type { SkeletonOverlay } from '../view/skeleton.ts';
import type { View } from '../view/view.ts';
import type { Rig } from '../three/rig.ts';

/** What draws them is fetched with the first. */
export const skeletonTools = (): Promise<{ SkeletonOverlay: typeof SkeletonOverlay }> => import('../view/skeleton.ts');

export class Bones {
  readonly #view: View;
  #overlay: SkeletonOverlay | null = null;
  /** What was asked for last. */
  #rig: Rig | null = null;

  constructor(view: View) {
    this.#view = view;
  }

  /** Those of a rig, as soon as they can be drawn; null: none. */
  async show(rig: Rig | null): Promise<void> {
    this.#rig = rig;
    this.#overlay?.dispose();
    this.#overlay = null;
    this.#view.invalidate();
    const bones = rig?.nodes.filter(node => 'isBone' in node) ?? [];
    if (bones.length === 0) return;
    const { SkeletonOverlay } = await skeletonTools();
    if (this.#rig !== rig || this.#overlay) return;
    this.#overlay = new SkeletonOverlay(bones, (this.#view.extent?.radius ?? 1) * 0.06);
    this.#view.overlays.add(this.#overlay.object);
    this.#view.invalidate();
  }

  /** The rig stands otherwise now. */
  update(): void {
    this.#overlay?.update();
  }
}
