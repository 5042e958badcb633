// Decides which light the views of a renderer have. With a graphics card, each view is lit by its
// environment. Without one, generating the environment of the room takes seconds. Views then appear
// in analytic light (roomLight.ts) and fade to the environment, which is generated when the page is
// idle.

import { Environments } from './environment.ts';
import { idle } from './frameLoop.ts';
import type { Graphics } from './graphics.ts';
import type { View } from './view.ts';

/** Duration of the fade to the environment, in seconds. */
const FADE = 0.3;
/** Minimum time by which one frame advances the fade, in seconds. */
const FADE_STEP = 1 / 30;

export class LightTransition {
  readonly #views: () => Iterable<View>;
  readonly #environments = new Environments();
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  /** True while the environment of the room is generated or this is planned. */
  #isGenerating = false;

  /** `views`: returns the views of the renderer. */
  constructor(views: () => Iterable<View>) {
    this.#views = views;
  }

  /**
   * Sets the light of a view. `wanted`: `final` to light it by its environment from now on, without
   * a fade, which generates the environment if necessary; `available` to use the environment only if
   * this takes no time; `fading` to keep a fade that has begun. Returns false if the environment is not
   * available yet.
   */
  light(graphics: Graphics, view: View, wanted: 'final' | 'available' | 'fading' = 'fading'): boolean {
    const { environmentShare } = view;
    const isLit = this.#environments.apply(graphics, view.scene, view.sky, graphics.isSoftware && wanted !== 'final');
    if (!isLit) view.environmentShare = 0;
    else if (wanted !== 'fading' || this.#reducedMotion.matches) view.environmentShare = 1;
    if (wanted === 'final' && environmentShare < 1) view.request();
    return isLit;
  }

  /**
   * Continues the fade of a view to its environment, or plans to generate the environment. Call this
   * in each frame. `seconds`: time since the last frame.
   */
  advance(graphics: Graphics, view: View, seconds: number): void {
    const isLit = this.light(graphics, view);
    if (view.environmentShare === 1) return;
    if (isLit) {
      view.environmentShare += Math.max(seconds, FADE_STEP) / FADE;
      if (view.environmentShare < 1) view.request();
    } else if (view.content && !this.#isGenerating) {
      this.#isGenerating = true;
      void this.#generate(graphics).finally(() => (this.#isGenerating = false));
    }
  }

  /** Generates the environment of the room, unless no view needs it any more. */
  async #generate(graphics: Graphics): Promise<void> {
    // Otherwise, the first picture would appear after the environment was generated.
    await graphics.finished();
    await idle();
    if (graphics.isLost || this.#waiting.length === 0) return;
    await this.#environments.generateRoom(graphics, async environment => {
      for (const { scene, cameraRig } of this.#waiting) {
        scene.environment = environment;
        await graphics.compile(scene, cameraRig.active, scene);
        if (scene.environment === environment) scene.environment = null;
      }
    });
    for (const view of this.#waiting) view.request();
  }

  /** Views that are shown without the environment of the room. */
  get #waiting(): View[] {
    return [...this.#views()].filter(({ sky, environmentShare }) => sky === null && environmentShare === 0);
  }

  /** Removes the environment from a view. */
  release({ scene }: View): void {
    this.#environments.release(scene);
  }

  /** Disposes all environments. They are generated again when they are next used. */
  clear(): void {
    this.#environments.clear();
  }
}
