// The contact shadows of all views that share a renderer.
import type { Object3D } from 'three';
import type { Graphics } from './graphics.ts';
import { ShadowPass } from './shadow.ts';
import type { View } from './view.ts';

/** Smallest and largest size of a shadow, in pixels. Sizes are powers of two. */
const SIZES = { min: 64, max: 256 };

interface DrawnShadow {
  pass: ShadowPass;
  /** View whose shadow was drawn last. */
  of: View | null;
}

/**
 * Returns the size of the shadow of a view with `pixels` pixels in its longer direction. On a page
 * with many small views, shadows would otherwise take longer to draw than the views themselves.
 */
export const shadowSize = (pixels: number): number => Math.min(Math.max(2 ** Math.ceil(Math.log2(pixels / 2)), SIZES.min), SIZES.max);

/** Draws the shadows of views. Views with shadows of the same size share the textures. */
export class Shadows {
  readonly #bySize = new Map<number, DrawnShadow>();

  /**
   * Starts to compile the shaders for the shadow of `content` in the scene of `view`. `pixels`: longer
   * side of the view.
   */
  async compile(graphics: Graphics, view: View, content: Object3D, pixels: number): Promise<void> {
    if (view.ground.shadowVisible) await this.#shadow(graphics, pixels).pass.compile(graphics, content, view.scene);
  }

  /** Shows the shadow of a view on its floor. Draws it first if it has changed. */
  update(graphics: Graphics, view: View, pixels: number): void {
    const { ground } = view;
    if (!view.content || !ground.shadowVisible || !ground.object.visible) return ground.show(null);
    const shadow = this.#shadow(graphics, pixels);
    if (view.isShadowStale || shadow.of !== view) {
      // Shadows of this view with other sizes are no longer up to date.
      this.forget(view);
      ground.update(graphics.renderer, view.scene, [view.overlays], shadow.pass);
    }
    view.isShadowStale = false;
    shadow.of = view;
    ground.show(shadow.pass);
  }

  /** Draws the shadow of a view again the next time; without a view, those of all views. */
  forget(view?: View): void {
    for (const shadow of this.#bySize.values()) if (!view || shadow.of === view) shadow.of = null;
  }

  /** Forgets all textures. Call this when they were lost with the device. */
  clear(): void {
    this.#bySize.clear();
  }

  dispose(): void {
    for (const { pass } of this.#bySize.values()) pass.dispose();
    this.clear();
  }

  #shadow(graphics: Graphics, pixels: number): DrawnShadow {
    const size = shadowSize(pixels);
    let shadow = this.#bySize.get(size);
    if (!shadow) this.#bySize.set(size, (shadow = { pass: new ShadowPass(graphics.shadow, size), of: null }));
    return shadow;
  }
}
